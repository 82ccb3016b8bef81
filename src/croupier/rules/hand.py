"""The course of a hand, from blinds to payout.

State owned by this module: the cards (`hole`, `board`), the turn (`actor`, `options`), the action
history and the events. Chips and the betting round belong to `betting` (betting.py), which is
updated and queried from here.

- Seats count from the left of the button: seat 0 is the first, the button is the last. With three
  or more players, seat 0 posts the small blind and seat 1 the big blind. Where the ante is all
  that is posted, seat 0 acts first.
- Nothing here waits, draws random numbers or sends. The cards are an argument, and only `act`
  advances the hand.
- Each change of state appends a fact: the class of an event and its arguments. `events` makes the
  events of them when somebody looks, and from those the state can be rebuilt. What is played
  without an audience makes none.
- Facts hide nothing: hole cards become events (`HoleDealt`) from the cards themselves.
- At every event, stacks plus chips put in are constant, except for what `PotDiscarded` removes.
"""

from collections.abc import Sequence
from typing import Final

from croupier.ranking.hands import rank, rank_small
from croupier.rules.betting import NOBODY, Betting
from croupier.rules.decisions import (
    CALL_KIND,
    FOLD_KIND,
    Decision,
    IllegalDecisionError,
    Options,
)
from croupier.rules.events import (
    ANTE,
    BIG,
    CALLED,
    CHECKED,
    FOLDED,
    SMALL,
    Acted,
    Asked,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardShown,
    Event,
    Fact,
    HandEnded,
    HandStarted,
    HoleDealt,
    Posted,
    PotDiscarded,
    PotWon,
    RoundEnded,
    Shown,
    made,
)
from croupier.rules.pots import share_out, split_pots
from croupier.rules.rules import MAX_SEATS, Rules
from croupier.rules.terms import Terms

__all__ = ["NOBODY", "Hand"]

_IN_ORDER: Final = tuple(tuple(range(size)) for size in range(MAX_SEATS + 1))
"""By the number of seats, the players of a hand for which nobody says who they are."""


class Hand:
    """A hand in play; `actor` is the seat to act, or NOBODY once it is over."""

    __slots__ = (
        "actor",
        "betting",
        "board",
        "button",
        "cards",
        "closed",
        "facts",
        "hole",
        "number",
        "options",
        "over",
        "players",
        "reserves",
        "rules",
        "size",
        "small_seat",
        "terms",
        "_events",
        "_posts",
        "_started",
    )

    def __init__(
        self,
        rules: Rules,
        stacks: Sequence[int],
        cards: Sequence[int],
        *,
        number: int = 1,
        players: Sequence[int] | None = None,
        reserves: Sequence[int] | None = None,
        small_blind: int = -1,
        big_blind: int = -1,
    ) -> None:
        """Deal a hand: `cards` are the hole cards of seat 0, of seat 1, …, and then the board.

        The blinds default to those of the rules. `players` are the player numbers by seat and
        `reserves` their chips beside the table; both are only reported in `HandStarted`.
        """
        terms: Terms = rules.terms
        size = len(stacks)
        if not 2 <= size <= terms.max_seats:
            raise ValueError(f"{rules.name} seats 2 to {terms.max_seats} players, not {size}")
        each = terms.hole_cards
        needed = size * each + terms.board_cards
        if len(cards) < needed:
            raise ValueError(f"{size} seats need {needed} cards, not {len(cards)}")
        chips = list(stacks)
        for stack in chips:
            if stack <= 0:
                raise ValueError("a seat without chips cannot be dealt in")
        self.rules = rules
        self.terms = terms
        self.size = size
        self.number = number
        self.players = tuple(players) if players is not None else _IN_ORDER[size]
        self.reserves = tuple(reserves) if reserves is not None else (0,) * size
        self.button = size - 1
        self.small_seat = 0
        self.betting = Betting(
            terms,
            chips,
            small_blind if small_blind >= 0 else terms.small_blind,
            big_blind if big_blind >= 0 else terms.big_blind,
        )

        deck = tuple(cards)
        self.cards = deck
        self.hole: list[tuple[int, ...]] = [
            deck[seat * each : (seat + 1) * each] for seat in range(size)
        ]
        self.board: list[int] = []

        self.actor = NOBODY
        self.options: Options | None = None
        self.closed = False
        """Whether betting is over for this hand."""
        self.over = False
        self.facts: list[Fact] = []
        """What has happened, from the first post on."""
        self._started = tuple(chips)
        self._posts = 0
        """How many facts come before the hole cards are dealt."""
        self._events: list[Event] = []
        self._start()

    @property
    def events(self) -> list[Event]:
        """All events so far, in order."""
        events = self._events
        if not events:
            betting = self.betting
            events.append(
                HandStarted(
                    self.number,
                    self.players,
                    self._started,
                    self.reserves,
                    betting.small_blind,
                    betting.big_blind,
                    self.terms.ante,
                )
            )
            events += [made(fact) for fact in self.facts[: self._posts]]
            events += [HoleDealt(seat, cards) for seat, cards in enumerate(self.hole)]
        # The events that are made correspond to the start, the hole cards, and so many facts.
        known = len(events) - 1 - self.size
        if known < len(self.facts):
            events += [made(fact) for fact in self.facts[known:]]
        return events

    # Shortcuts into the betting.

    @property
    def stacks(self) -> list[int]:
        """The chips of each seat that are not in the middle."""
        return self.betting.stacks

    @property
    def bets(self) -> list[int]:
        """What each seat has put in on this street."""
        return self.betting.bets

    @property
    def put(self) -> list[int]:
        """What each seat has put in during the whole hand."""
        return self.betting.put

    @property
    def pot(self) -> int:
        """All chips in the middle, including those of this street."""
        return self.betting.pot

    @property
    def folded(self) -> list[bool]:
        """Whether each seat has folded."""
        return self.betting.folded

    @property
    def street(self) -> int:
        """The number of the current street, from 0."""
        return self.betting.street

    @property
    def high(self) -> int:
        """The bet to match."""
        return self.betting.high

    @property
    def small_blind(self) -> int:
        """The small blind of this hand."""
        return self.betting.small_blind

    @property
    def big_blind(self) -> int:
        """The big blind of this hand."""
        return self.betting.big_blind

    def act(self, decision: Decision) -> None:
        """Apply the decision of the seat to act, and advance to the next question or the end."""
        options = self.options
        if options is None:
            raise IllegalDecisionError("the hand is over")
        fault = options.fault(decision)
        if fault:
            raise IllegalDecisionError(fault)
        betting = self.betting
        seat = self.actor
        kind = decision.kind
        if kind == FOLD_KIND and not options.owed and not self.terms.free_fold:
            kind = CALL_KIND
        if kind == CALL_KIND:
            added = options.call
            betting.call(seat, added)
            action = CALLED if options.owed else CHECKED
        elif kind == FOLD_KIND:
            added = 0
            betting.fold(seat)
            action = FOLDED
        else:
            action = decision.verb or options.verb
            added = betting.raise_to(seat, decision.to, action)
        all_in = kind != FOLD_KIND and not betting.stacks[seat]
        self.facts.append((Acted, seat, action, added, betting.bets[seat], all_in))
        self._ask_from(seat + 1)

    # The course.

    def _start(self) -> None:
        terms = self.terms
        betting = self.betting
        ante = terms.ante
        if ante:
            for seat in range(self.size):
                self.facts.append((Posted, seat, ANTE, betting.post_ante(seat, ante)))
        small_seat, big_seat = 0, 1
        if terms.ante_only:
            big_seat = NOBODY
        elif self.size == 2:
            if terms.button_small:
                small_seat, big_seat = 1, 0
            else:
                big_seat = NOBODY
        self.small_seat = small_seat
        last = NOBODY
        if betting.small_blind and not terms.ante_only:
            self._post(small_seat, SMALL, betting.small_blind)
            last = small_seat
        if big_seat != NOBODY:
            self._post(big_seat, BIG, betting.big_blind)
            last = big_seat
        self._posts = len(self.facts)
        self._ask_from(last + 1)

    def _post(self, seat: int, kind: str, blind: int) -> None:
        self.facts.append((Posted, seat, kind, self.betting.post_blind(seat, blind)))

    def _ask_from(self, first: int) -> None:
        """Ask the next seat that has to act, or advance to the next street or the end."""
        betting = self.betting
        while not self.over:
            seat = NOBODY if self.closed else betting.next_to_act(first)
            if seat != NOBODY:
                self.actor = seat
                self.options = options = betting.options(seat)
                self.facts.append((Asked, seat, options))
                return
            if betting.begun:
                self.facts.append((RoundEnded, betting.street))
            if not self.closed and not betting.more_to_ask():
                self._close_betting(first)
            if betting.live < 2 or betting.street + 1 == len(self.terms.streets):
                self._finish()
            else:
                first = self._next_street()

    def _close_betting(self, first: int) -> None:
        self.closed = True
        betting = self.betting
        seat = first % self.size
        while betting.live and betting.folded[seat]:
            seat = (seat + 1) % self.size
        self.facts.append((BettingClosed, seat, betting.options(seat)))

    def _next_street(self) -> int:
        """Deal the next street and return the seat at which its betting starts."""
        terms = self.terms
        betting = self.betting
        betting.next_street()
        start = self.size * terms.hole_cards + len(self.board)
        cards = self.cards[start : start + terms.streets[betting.street]]
        self.board.extend(cards)
        self.facts.append((BoardDealt, betting.street, cards))
        return self.small_seat + 1 if terms.after_small_blind else 0

    # The end.

    def _finish(self) -> None:
        self.over = True
        self.actor = NOBODY
        self.options = None
        betting = self.betting
        facts = self.facts
        live = betting.live_seats()
        if live:
            seat, amount = betting.return_uncalled(live)
            if amount:
                facts.append((BetReturned, seat, amount))
        terms = self.terms
        if terms.reveal_all:
            for seat in range(self.size):
                facts.append((Shown, seat, self.hole[seat]))
            missing = terms.board_cards - len(self.board)
            if missing:
                start = self.size * terms.hole_cards + len(self.board)
                facts.append((BoardShown, self.cards[start : start + missing]))
        elif len(live) > 1:
            for seat in live:
                facts.append((Shown, seat, self.hole[seat]))
        if live:
            self._pay(live)
        else:
            facts.append((PotDiscarded, betting.pot))
        betting.clear()
        facts.append((HandEnded, tuple(betting.stacks)))

    def _pay(self, live: list[int]) -> None:
        betting = self.betting
        ranks = self._ranks(live)
        for pot, (amount, contenders) in enumerate(split_pots(betting.put, live)):
            best = -1
            winners: list[int] = []
            for seat in contenders:
                if ranks[seat] > best:
                    best = ranks[seat]
                    winners = [seat]
                elif ranks[seat] == best:
                    winners.append(seat)
            shares = share_out(amount, winners)
            betting.pay(shares)
            self.facts.append((PotWon, pot, amount, tuple(shares)))

    def _ranks(self, live: list[int]) -> list[int]:
        """Return the ranks of those who have not folded, by seat; one alone needs none."""
        ranks = [0] * self.size
        if len(live) > 1:
            board = tuple(self.board)
            small = self.terms.hole_cards + len(board) < 5
            for seat in live:
                cards = self.hole[seat] + board
                ranks[seat] = rank_small(cards) if small else rank(cards)
        return ranks
