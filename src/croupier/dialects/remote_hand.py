"""The hand as a player's side reconstructs it from the messages of a server.

Whatever a dialect says becomes the events that the same hand has in Croupier, so a bot gets the
same view wherever it plays. The rules are asked only for what no message says: what the own seat
may decide. That comes from the arithmetic of betting (rules/betting.py), put into the position that
was reported, so that a table which plays by other rules cannot lead it astray.

State that lives here: the events so far, and the view that they add up to.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.cards import HIDDEN
from croupier.rules.betting import Betting
from croupier.rules.decisions import BET, RAISE, Options
from croupier.rules.events import (
    CALLED,
    CHECKED,
    FOLDED,
    Acted,
    Asked,
    BoardDealt,
    Event,
    HandStarted,
    HoleDealt,
    Posted,
)
from croupier.rules.rules import Rules
from croupier.rules.view import View, view_from


@dataclass(frozen=True, slots=True)
class Figures:
    """What a message says of all seats at once; it is believed more than what led there."""

    stacks: list[int]
    bets: list[int]
    put: list[int]
    folded: list[bool]
    high: int | None = None
    """The bet to match, where the message says that too."""


class RemoteHand:
    """A hand that is dealt elsewhere, as one seat knows it."""

    def __init__(
        self,
        rules: Rules,
        seat: int,
        started: HandStarted,
        posts: Sequence[Posted],
        hole: list[int],
    ) -> None:
        """`hole` are the own cards; those of the others are unknown."""
        self.rules = rules
        self.seat = seat
        self.view = View(rules, seat)
        """What is known so far; it goes on, so a bot never gets this one."""
        self._events: list[Event] = []
        self._see(started)
        for post in posts:
            self._see(post)
        for other in range(self.size):
            known = other == seat
            self._see(HoleDealt(other, tuple(hole) if known else (HIDDEN,) * rules.hole_cards))
        self.opening = self.view.high
        """The bet to match before anyone acted."""

    @property
    def size(self) -> int:
        """How many were dealt in."""
        return len(self.view.stacks)

    def _see(self, event: Event) -> None:
        self._events.append(event)
        self.view.see(event)

    # What happens.

    def fold(self, seat: int) -> None:
        """Note that a seat gave up."""
        self._see(Acted(seat, FOLDED, 0, self.view.bets[seat], False))

    def put_in(self, seat: int, added: int, verb: str = "") -> None:
        """Note that a seat checked, called or raised, which the chips it added tell.

        `verb` is the dialect's own word for more than the bet to match, where it has one; else an
        opening bets, the rest raise.
        """
        view = self.view
        high, to = view.high, view.bets[seat] + added
        if to > high:
            action = verb or (RAISE if high else BET)
        else:
            action = CALLED if high > view.bets[seat] else CHECKED
        self._see(Acted(seat, action, added, to, view.stacks[seat] == added))

    def board(self, cards: Sequence[int]) -> None:
        """Note all board cards that are open by now; each new street is one event."""
        view = self.view
        while len(view.board) < len(cards) and view.street + 1 < len(self.rules.streets):
            street = view.street + 1
            known = len(view.board)
            self._see(BoardDealt(street, tuple(cards[known : known + self.rules.streets[street]])))

    # What a bot sees.

    def question(self, figures: Figures | None = None, options: Options | None = None) -> View:
        """Return a view of its own for the question that the own seat is asked now.

        Without options they are what the rules allow.
        """
        view = view_from(self.rules, self.seat, self._events)
        if figures is not None:
            self._believe(view, figures)
        view.see(Asked(self.seat, options or self._options(view)))
        return view

    def _believe(self, view: View, figures: Figures) -> None:
        view.stacks = figures.stacks
        view.bets = figures.bets
        view.put = figures.put
        view.folded = figures.folded
        known = 0 if view.street else self.opening
        view.high = max(known if figures.high is None else figures.high, *figures.bets)

    def _options(self, view: View) -> Options:
        """Return what the rules allow the own seat in this position."""
        betting = Betting(view.rules, view.stacks, view.small_blind, view.big_blind)
        betting.bets, betting.folded = view.bets, view.folded
        betting.street = view.street
        betting.high = 0 if view.street else self.opening
        for street, done in view.history:
            if street != view.street:
                continue
            if done.action in (FOLDED, CHECKED, CALLED):
                betting.level[done.seat] = betting.high
            else:
                betting.note_raise(done.seat, done.to, done.action)
        betting.high = view.high  # the figures of the last message know better
        return betting.options(view.seat)
