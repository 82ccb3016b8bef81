"""Spellings of the `browser` dialect."""

import json
from typing import Any, Final

from croupier.rules.decisions import Options
from croupier.rules.events import Event

NAME: Final = "browser"

REPLACED: Final = "replaced"
"""The kind of refusal of a connection after which the same player has opened another one."""

MAX_NAME: Final = 24
"""Characters of a name, which has to fit beside its stack."""

MIN_TOKEN, MAX_TOKEN = 16, 64
"""Characters of a token; a shorter one could be guessed."""


def line(message: dict[str, Any]) -> bytes:
    """Return a message as one line."""
    return json.dumps(message, separators=(",", ":"), default=_plain).encode("ascii") + b"\n"


def spelled(event: Event) -> tuple[object, ...]:
    """Return an event as the record spells it: its name, then its fields."""
    return (type(event).__name__, *event.fields())


def _plain(value: object) -> list[object]:
    assert isinstance(value, Options)
    return [getattr(value, name) for name in Options.FIELDS]
