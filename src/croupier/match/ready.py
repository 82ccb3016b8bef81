"""Which players signal that they are ready for a hand, and which have done so.

State owned by this module: the players that send the signal, those that may disconnect until then,
and those that have sent it or have reconnected since the last hand began.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.match.entrant import Entrant


@dataclass(frozen=True, slots=True)
class Handshake:
    """When a player signals that it is ready: between hands, and optionally at both ends."""

    first: bool
    last: bool


class ReadyList:
    """Tracks the players that a hand has to wait for."""

    __slots__ = ("handshakes", "may_leave", "returned", "said")

    def __init__(self) -> None:
        self.handshakes: dict[int, Handshake] = {}
        """The players whose dialect has such a signal."""
        self.may_leave: set[int] = set()
        """Players whose signal is waited for even if they have disconnected between two hands."""
        self.said: set[int] = set()
        """Players that have sent it since the last hand began; an early signal counts."""
        self.returned: set[int] = set()
        """Players that have reconnected since; for them the next hand is like the first."""

    def expect(self, player: int, handshake: Handshake) -> None:
        """Register a player that signals when it is ready."""
        self.handshakes[player] = handshake

    def mark_ready(self, player: int) -> None:
        """Note that a player is ready."""
        if player in self.handshakes:
            self.said.add(player)

    def left(self, player: int) -> None:
        """Require a new signal from a player that may disconnect, and has."""
        if player in self.may_leave:
            self.said.discard(player)

    def clear(self) -> None:
        """Require a new signal from everyone, for the hand after the one that begins."""
        self.said.clear()
        self.returned.clear()

    def missing(self, players: Sequence[Entrant], first: bool, last: bool) -> list[int]:
        """Return the players still to wait for, before the `first` hand or after the `last`."""
        return [
            player
            for player, handshake in self.handshakes.items()
            if player not in self.said
            and (players[player].online or player in self.may_leave)
            and not players[player].out
            and (handshake.first or not (first or player in self.returned))
            and (handshake.last or not last)
        ]
