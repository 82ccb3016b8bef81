"""Reads `friendlies` of a contest's file: the friendly matches that teams may ask for."""

from typing import Any

from croupier.contest.plan import FriendlyPlan
from croupier.server.arena.toml_reader import TomlReader, is_int

KEYS = ("hands", "waiting")

MAX_HANDS = 10_000
MAX_WAITING = 20


def read_friendlies(reader: TomlReader, values: dict[str, Any]) -> FriendlyPlan | None:
    """Return what a contest's file says of friendly matches; None: there are none."""
    if "friendlies" not in values:
        return None
    given, usual = values["friendlies"], FriendlyPlan()
    if not isinstance(given, dict):
        example = f"{{ hands = {usual.hands}, waiting = {usual.waiting} }}"
        reader.wrong("friendlies", f"is a table such as {example}, not {given!r}")
        return None
    reader.section(given, "friendlies", KEYS)

    def number(key: str, default: int, most: int) -> int:
        fits = lambda value: is_int(value) and 1 <= value <= most  # noqa: E731
        found: int = reader.get(given, "friendlies", key, default, fits, f"from 1 to {most:,}")
        return found

    return FriendlyPlan(
        hands=number("hands", usual.hands, MAX_HANDS),
        waiting=number("waiting", usual.waiting, MAX_WAITING),
    )
