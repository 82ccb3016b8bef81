"""Events as JSON objects and back.

An event is an object with its name under ``event`` and its fields under their own names; options
are an object too. Decoding checks every type, so what comes out is an event that could have been
made here.
"""

from typing import Any, TypedDict

import msgspec

from croupier.rules.decisions import Options
from croupier.rules.events import EVENTS, Asked, Event

_BY_NAME: dict[str, type[Event]] = {kind.__name__: kind for kind in EVENTS}


class _OptionFields(TypedDict):
    owed: int
    call: int
    min_to: int
    max_to: int
    verb: str
    bet: bool
    raise_: bool
    all_in: bool
    small_to: int


class CodecError(ValueError):
    """Bytes that are no event of ours."""


def to_object(event: Event) -> dict[str, Any]:
    """Return an event as a plain object."""
    plain: dict[str, Any] = {"event": type(event).__name__}
    for name in event.__slots__:
        plain[name] = getattr(event, name)
    if type(event) is Asked:
        options = event.options
        plain["options"] = {name: getattr(options, name) for name in _OptionFields.__annotations__}
    return plain


def from_object(plain: Any) -> Event:
    """Return the event that a plain object describes."""
    try:
        kind = _BY_NAME[plain["event"]]
        values = [plain[name] for name in kind.__slots__]
        if len(plain) != len(values) + 1:
            raise CodecError(f"{kind.__name__} has unknown fields")
        values = [
            msgspec.convert(value, hint, dec_hook=_decode_options)
            for value, hint in zip(values, _HINTS[kind], strict=True)
        ]
    except (KeyError, TypeError, IndexError, msgspec.ValidationError) as error:
        raise CodecError(f"not an event: {error}") from None
    return kind(*values)


def encode(events: list[Event]) -> bytes:
    """Return events as a JSON array."""
    return msgspec.json.encode([to_object(event) for event in events])


def decode(data: bytes) -> list[Event]:
    """Return the events of a JSON array."""
    try:
        plain = msgspec.json.decode(data, type=list[dict[str, Any]])
    except msgspec.DecodeError as error:
        raise CodecError(f"not a list of events: {error}") from None
    return [from_object(item) for item in plain]


def _decode_options(kind: type, value: Any) -> Options:
    return Options(**msgspec.convert(value, _OptionFields))


def _constructor_types(kind: type[Event]) -> list[Any]:
    annotations = kind.__init__.__annotations__
    return [annotations[name] for name in kind.__slots__]


_HINTS: dict[type[Event], list[Any]] = {kind: _constructor_types(kind) for kind in EVENTS}
