"""Who says that it is ready before a hand begins, and who has.

State that lives here: which players say so, and which of them have, or have come back, since the
last hand began.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.match.entrant import Entrant


@dataclass(frozen=True, slots=True)
class Handshake:
    """When a player says that it is ready: between hands, and perhaps also at both ends."""

    first: bool
    last: bool


class ReadyList:
    """The players who are waited for before a hand."""

    __slots__ = ("handshakes", "returned", "said")

    def __init__(self) -> None:
        self.handshakes: dict[int, Handshake] = {}
        """Players whose dialect has a word for it."""
        self.said: set[int] = set()
        """Who has said so since the last hand began; whoever is early need not say it again."""
        self.returned: set[int] = set()
        """Who has come back since; for them the next hand is like the first."""

    def expect(self, player: int, handshake: Handshake) -> None:
        """Wait for a player that says when it is ready."""
        self.handshakes[player] = handshake

    def say(self, player: int) -> None:
        """Note that a player is ready."""
        if player in self.handshakes:
            self.said.add(player)

    def clear(self) -> None:
        """Let everyone say it anew, for the hand after the one that begins."""
        self.said.clear()
        self.returned.clear()

    def missing(self, players: Sequence[Entrant], first: bool, last: bool) -> list[int]:
        """Return who is still waited for, before the first hand, after the last, or between."""
        return [
            player
            for player, handshake in self.handshakes.items()
            if player not in self.said
            and players[player].online
            and not players[player].out
            and (handshake.first or not (first or player in self.returned))
            and (handshake.last or not last)
        ]
