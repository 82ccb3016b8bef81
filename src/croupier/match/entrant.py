"""A player's accounts in a match.

State owned by this module: a player's chips and counters, whether it is connected and why it is
out.
"""

from typing import Any, Final


class Entrant:
    """A player's accounts in one match."""

    __slots__ = (
        "faults",
        "hands",
        "name",
        "online",
        "out",
        "reloads",
        "reserve",
        "stack",
        "thought_ms",
        "timeouts",
        "won",
    )

    def __init__(self, name: str, stack: int, reserve: int) -> None:
        self.name = name
        self.stack = stack
        self.reserve = reserve
        self.won = 0
        """Net winnings of hands after which stacks were reset."""
        self.reloads = 0
        """The number of stacks it has bought."""
        self.hands = 0
        """The number of hands it was dealt into."""
        self.timeouts = 0
        self.faults = 0
        self.thought_ms = 0
        """How long it has thought in the match, where the rules limit that."""
        self.online = True
        self.out = ""
        """Why it is out of the match, or an empty string."""

    @property
    def chips(self) -> int:
        """All its chips, including the winnings and losses that resets removed."""
        return self.stack + self.reserve + self.won

    def state(self) -> dict[str, Any]:
        """Return a snapshot as plain values; the connection is not part of it."""
        thought = {"thought_ms": self.thought_ms} if self.thought_ms else {}
        return {name: getattr(self, name) for name in _KEPT} | thought

    @classmethod
    def restore(cls, state: dict[str, Any]) -> "Entrant":
        """Return the accounts of a snapshot, with the player disconnected."""
        entrant = cls(state["name"], 0, 0)
        for name in _KEPT:
            setattr(entrant, name, state[name])
        entrant.thought_ms = state.get("thought_ms", 0)
        entrant.online = False
        return entrant


_KEPT: Final[tuple[str, ...]] = (
    "name",
    "stack",
    "reserve",
    "won",
    "reloads",
    "hands",
    "timeouts",
    "faults",
    "out",
)
