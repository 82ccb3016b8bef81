"""What everyone may know of a match: the sum of its public events.

One such view per table is what dialects speak from and what the audience sees; it holds no card
that was not shown.
"""

from croupier.match.events import Joined, MatchEnded, MatchStarted, PlayerOut
from croupier.rules.events import EVENTS, Event, HandStarted, PotWon, redact
from croupier.rules.rules import Rules
from croupier.rules.view import View

_OF_A_HAND = frozenset(EVENTS)


class MatchView:
    """The public state of a match, and of its present hand."""

    __slots__ = ("hand", "names", "out", "paid", "rules", "standings", "started")

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.names: list[str] = []
        self.out: list[bool] = []
        self.started = False
        self.hand = View(rules)
        """The present hand, or the last one, as the audience sees it."""
        self.paid = 0
        """What the pots of that hand paid out."""
        self.standings: tuple[tuple[int, int, int, int], ...] = ()

    def see(self, event: Event) -> None:
        """Take in the next event of the match."""
        kind = type(event)
        if kind is HandStarted:
            self.hand = View(self.rules)
            self.hand.see(event)
            self.paid = 0
        elif kind in _OF_A_HAND:
            self.hand.see(redact(event, self.hand.seat))
            if kind is PotWon:
                self.paid += event.amount  # type: ignore[attr-defined]
        elif isinstance(event, Joined):
            self.names.append(event.name)
            self.out.append(False)
        elif isinstance(event, MatchStarted):
            self.started = True
        elif isinstance(event, PlayerOut):
            self.out[event.player] = True
        elif isinstance(event, MatchEnded):
            self.standings = event.standings
