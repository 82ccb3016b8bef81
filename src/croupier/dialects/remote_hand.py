"""A hand reconstructed on the player side from the messages of a server.

The messages of every dialect become the events that the same hand has in Croupier, so a bot gets
the same view wherever it plays. The rules only supply what no message contains: the options of the
player's own seat. They are computed by rules/betting.py from the reported position, so that a table
which plays by other rules cannot bring it out of step.

State owned by this module: the events so far, and the view accumulated from them.
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
    """The figures of all seats in one message; they take precedence over earlier events."""

    stacks: list[int]
    bets: list[int]
    put: list[int]
    folded: list[bool]
    high: int | None = None
    """The bet to match, if the message contains it."""


class RemoteHand:
    """A hand dealt by a remote server, as one seat knows it."""

    def __init__(
        self,
        rules: Rules,
        seat: int,
        started: HandStarted,
        posts: Sequence[Posted],
        hole: list[int],
    ) -> None:
        """Begin a hand with the seat's own cards in `hole`; all others are hidden."""
        self.rules = rules
        self.seat = seat
        self.view = View(rules, seat)
        """What is known so far; it keeps changing, so bots get a copy instead."""
        self._events: list[Event] = []
        self._see(started)
        for post in posts:
            self._see(post)
        for other in range(self.size):
            known = other == seat
            self._see(HoleDealt(other, tuple(hole) if known else (HIDDEN,) * rules.hole_cards))
        self.initial_high = self.view.high
        """The bet to match before anyone has acted."""

    @property
    def size(self) -> int:
        """The number of seats dealt in."""
        return len(self.view.stacks)

    def _see(self, event: Event) -> None:
        self._events.append(event)
        self.view.see(event)

    # Recording what happens.

    def fold(self, seat: int) -> None:
        """Record a fold."""
        self._see(Acted(seat, FOLDED, 0, self.view.bets[seat], False))

    def put_in(self, seat: int, added: int, verb: str = "") -> None:
        """Record a check, call or raise, depending on the chips that the seat added.

        `verb` is the verb of a raise if the dialect reports one; by default it opens as a bet, else
        as a raise.
        """
        view = self.view
        high, to = view.high, view.bets[seat] + added
        if to > high:
            action = verb or (RAISE if high else BET)
        else:
            action = CALLED if high > view.bets[seat] else CHECKED
        self._see(Acted(seat, action, added, to, view.stacks[seat] == added))

    def board(self, cards: Sequence[int]) -> None:
        """Record the whole board so far; each new street becomes one event."""
        view = self.view
        while len(view.board) < len(cards) and view.street + 1 < len(self.rules.streets):
            street = view.street + 1
            known = len(view.board)
            self._see(BoardDealt(street, tuple(cards[known : known + self.rules.streets[street]])))

    # The bot's view.

    def question(self, figures: Figures | None = None, options: Options | None = None) -> View:
        """Return a separate view for a question to the player's own seat.

        The options default to what the rules allow.
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
        known = 0 if view.street else self.initial_high
        view.high = max(known if figures.high is None else figures.high, *figures.bets)

    def _options(self, view: View) -> Options:
        """Return what the rules allow the player's own seat in this position."""
        betting = Betting(view.rules.terms, view.stacks, view.small_blind, view.big_blind)
        betting.bets, betting.folded = view.bets, view.folded
        betting.street = view.street
        betting.high = 0 if view.street else self.initial_high
        for street, done in view.history:
            if street != view.street:
                continue
            if done.action in (FOLDED, CHECKED, CALLED):
                betting.level[done.seat] = betting.high
                betting.actions += 1
            else:
                betting.note_raise(done.seat, done.to, done.action)
        betting.high = view.high  # reported figures take precedence
        return betting.options(view.seat)
