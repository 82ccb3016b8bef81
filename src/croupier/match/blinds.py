"""Blinds that double each time the small blind has gone round the table.

State owned by this module: the current scale, and where the current lap began.
"""

from collections.abc import Sequence
from typing import Any

from croupier.rules import rules as r
from croupier.rules.rules import Rules


class Blinds:
    """The blinds of a match; `scale` is the factor by which they have grown."""

    __slots__ = ("_lap_start", "_last", "_rules", "circle", "scale")

    def __init__(self, rules: Rules, circle: Sequence[int]) -> None:
        """Start with the initial seating order in `circle`, which keeps players that drop out."""
        self._rules = rules
        self.circle = list(circle)
        self._lap_start = -1
        self._last = -1
        self.scale = 1

    @property
    def small(self) -> int:
        return self._rules.small_blind * self.scale

    @property
    def big(self) -> int:
        return self._rules.big_blind * self.scale

    def move_to(self, player: int) -> None:
        """Move the small blind to its next player.

        When it reaches or passes the place where the lap started, occupied or not, both blinds
        double and a new lap starts with that player.
        """
        if self._rules.blinds_double != r.LAP:
            return
        place = self.circle.index(player)
        if self._lap_start < 0:
            self._lap_start = place
        else:
            count = len(self.circle)
            moved = (place - self._last) % count or count
            to_start = (self._lap_start - self._last) % count or count
            if to_start <= moved:
                self.scale *= 2
                self._lap_start = place
        self._last = place

    def state(self) -> dict[str, Any]:
        """Return a snapshot as plain values."""
        return {
            "circle": self.circle,
            "lap_start": self._lap_start,
            "last": self._last,
            "scale": self.scale,
        }

    @classmethod
    def restore(cls, rules: Rules, state: dict[str, Any]) -> "Blinds":
        """Return the blinds of a snapshot."""
        blinds = cls(rules, state["circle"])
        blinds._lap_start = state["lap_start"]
        blinds._last = state["last"]
        blinds.scale = state["scale"]
        return blinds
