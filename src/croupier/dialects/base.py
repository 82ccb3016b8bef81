"""What a table says in a dialect, and what an answer means.

A **speaker** per table turns events into the bytes that its players are to get, and encodes once
what several players get alike. It has no socket, no clock and no rule; what it cannot say is the
protocol's own limit, never a reason to change a rule. The other direction is in session.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from croupier.match.view import MatchView
from croupier.rules.decisions import Decision
from croupier.rules.events import Event


@dataclass(frozen=True, slots=True)
class Illegal:
    """An answer that is no decision, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision as the dialect understood it, with the correction it applied, if any."""

    decision: Decision
    correction: str = ""


Outgoing = Iterable[tuple[int, bytes]]
"""Messages as (player, bytes), in the order in which they are to be written."""

CLOSE = b""
"""In place of a message: the player's connection is closed once everything before it is sent."""


class Speaker:
    """Tells a table's events to those of its players who speak the dialect."""

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return what is to be sent because of an event that the view has already seen."""
        raise NotImplementedError

    def resumed(self, view: MatchView) -> None:
        """Take note that the match was running before this speaker came."""

    def state_for(self, player: int, view: MatchView) -> Outgoing:
        """Return what tells a player again how things stand, where the protocol lets it ask."""
        return ()


class SpectatorSpeaker(Protocol):
    """Tells what the audience may know of a table to those who watch it in the dialect."""

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return what spectators are sent because of an event that the view has already seen."""

    def resumed(self, view: MatchView) -> None:
        """Catch up with a hand that was being played before anybody watched."""

    def present(self, view: MatchView) -> bytes | None:
        """Return the state of the present hand, for a spectator who has just come."""
