"""Speakers: what a table sends in a dialect.

A **speaker** per table turns events into the bytes for its players, and encodes shared messages
only once. It has no socket, no clock and no game rules; what a protocol cannot express is left out
and never changes a rule. The other direction is in session.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from mypy_extensions import mypyc_attr

from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, FOLD, Decision
from croupier.rules.events import Event


@dataclass(frozen=True, slots=True)
class Illegal:
    """An answer that is not a decision, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision as the dialect interpreted it, and the correction it applied, if any."""

    decision: Decision
    correction: str = ""


# Most answers are one of these, so they are made once.
PLAIN_CALL: Final = Answer(CALL)
PLAIN_FOLD: Final = Answer(FOLD)

Outgoing = Iterable[tuple[int, bytes]]
"""Messages as (player, bytes), in the order of writing."""

CLOSE: Final = b""
"""In place of a message: close the player's connection once everything before it is sent."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Speaker:
    """Encodes a table's events for those of its players that use the dialect."""

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the messages that an event causes; the view has already seen it."""
        raise NotImplementedError

    def resumed(self, view: MatchView) -> None:
        """Initialise from a match that was already running when this speaker was created."""

    def state_for(self, player: int, view: MatchView) -> Outgoing:
        """Return the current state for a player, if the protocol lets it ask for that."""
        return ()


class SpectatorSpeaker(Protocol):
    """Encodes a table's events for spectators that use the dialect."""

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the messages that an event causes; the view has already seen it."""

    def resumed(self, view: MatchView) -> None:
        """Initialise from a hand that began before the first spectator arrived."""

    def present(self, view: MatchView) -> bytes | None:
        """Return the state of the current hand for a new spectator."""
