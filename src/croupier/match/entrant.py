"""A player of a match, as far as the books go.

State that lives here: a player's chips, its counts, whether it is connected and why it is out.
"""

from typing import Any


class Entrant:
    """A player's books in one match."""

    __slots__ = (
        "faults",
        "hands",
        "name",
        "online",
        "out",
        "reloads",
        "reserve",
        "stack",
        "timeouts",
        "won",
    )

    def __init__(self, name: str, stack: int, reserve: int) -> None:
        self.name = name
        self.stack = stack
        self.reserve = reserve
        self.won = 0
        """What it won or lost in hands whose stacks were reset afterwards."""
        self.reloads = 0
        """How many stacks it bought."""
        self.hands = 0
        """How many hands it was dealt into."""
        self.timeouts = 0
        self.faults = 0
        self.online = True
        self.out = ""
        """Why it is out of the match, or an empty text."""

    @property
    def chips(self) -> int:
        """All it has, with what resets took or gave back."""
        return self.stack + self.reserve + self.won

    def state(self) -> dict[str, Any]:
        """Return the books as plain values; who is connected is no part of them."""
        return {name: getattr(self, name) for name in _KEPT}

    @classmethod
    def restore(cls, state: dict[str, Any]) -> "Entrant":
        """Return the books of a player that is not connected yet."""
        entrant = cls(state["name"], 0, 0)
        for name in _KEPT:
            setattr(entrant, name, state[name])
        entrant.online = False
        return entrant


_KEPT = ("name", "stack", "reserve", "won", "reloads", "hands", "timeouts", "faults", "out")
