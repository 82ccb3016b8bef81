"""Encode events as JSON and decode them again.

In the store an event is an array: its name, then its fields in order, with options as a nested
array. For people and other programs `to_object` adds the field names. Decoding checks every type,
so a decoded event is one that Croupier could have produced.
"""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

import msgspec

from croupier.match.events import ALL_EVENTS
from croupier.rules.decisions import Options
from croupier.rules.events import Asked, BettingClosed, Event

OptionValues = tuple[int, int, int, int, str, bool, bool, bool, int]

_option_values = attrgetter(*Options.FIELDS)

_WITH_OPTIONS = (Asked, BettingClosed)
"""The events whose second field holds the seat's options."""


class CodecError(ValueError):
    """The bytes are not a valid list of events."""


def _values_of(kind: type[Event]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that converts events of a kind to tuples, name first."""
    name = kind.__name__
    if kind in _WITH_OPTIONS:
        return lambda event: (name, event.seat, _option_values(event.options))
    if not kind.FIELDS:
        return lambda event: (name,)
    if len(kind.FIELDS) == 1:
        only = attrgetter(*kind.FIELDS)
        return lambda event: (name, only(event))
    several = attrgetter(*kind.FIELDS)
    return lambda event: (name, *several(event))


def _types_of(kind: type[Event]) -> Any:
    """Return the type of an event's array without its name."""
    if not kind.FIELDS:
        return tuple[()]
    types = kind.FIELDS.values()
    return tuple[tuple(OptionValues if hint is Options else hint for hint in types)]  # type: ignore[misc]


_VALUES = {kind: _values_of(kind) for kind in ALL_EVENTS}
_KINDS = {kind.__name__: (kind, _types_of(kind)) for kind in ALL_EVENTS}
_encode = msgspec.json.Encoder().encode


def to_array(event: Event) -> tuple[Any, ...]:
    """Return an event as the store has it: its name, then its fields."""
    return _VALUES[type(event)](event)


def encode(events: Iterable[Event]) -> bytes:
    """Return events as a JSON array of arrays."""
    return _encode([_VALUES[type(event)](event) for event in events])


def decode(data: bytes) -> list[Event]:
    """Return the events encoded in a JSON array of arrays."""
    try:
        rows = msgspec.json.decode(data, type=list[list[Any]])
        return [_event(row) for row in rows]
    except (msgspec.MsgspecError, LookupError, TypeError, RecursionError) as error:
        raise CodecError(f"not a list of events: {error}") from None


def _event(row: list[Any]) -> Event:
    kind, types = _KINDS[row[0]]
    values = list(msgspec.convert(row[1:], types))
    if kind in _WITH_OPTIONS:
        values[1] = Options(*values[1])
    return kind(*values)


def to_object(event: Event) -> dict[str, Any]:
    """Return an event as an object with named fields, for people and other programs."""
    plain: dict[str, Any] = {"event": type(event).__name__}
    for name in event.FIELDS:
        plain[name] = getattr(event, name)
    if isinstance(event, _WITH_OPTIONS):
        plain["options"] = dict(zip(Options.FIELDS, _option_values(event.options), strict=True))
    return plain
