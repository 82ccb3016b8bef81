"""What a dialect is.

Two objects per protocol, both without a socket, a clock or a rule:

- a **reader** per connection turns bytes into messages, and a message that answers a question into
  a decision;
- a **speaker** per table turns events into the bytes that its players are to get. It encodes once
  what several players get alike.

What neither can say or understand is the protocol's own limit, never a reason to change a rule.
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


class Speaker(Protocol):
    """Tells a table's events to those of its players who speak the dialect."""

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return what is to be sent because of an event that the view has already seen."""

    def resumed(self, view: MatchView) -> None:
        """Take note that the match was running before this speaker came."""
