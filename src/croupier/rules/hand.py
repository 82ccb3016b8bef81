"""The course of a hand, from blinds to payout.

State owned by this module: the cards (`hole`, `board`), the turn (`actor`, `options`), the action
history and the events. Chips and the betting round belong to `betting` (betting.py), which is
updated and queried from here.

- Seats count from the left of the button: seat 0 is the first, the button is the last. With three
  or more players, seat 0 posts the small blind and seat 1 the big blind. Where the ante is all
  that is posted, seat 0 acts first.
- Nothing here waits, draws random numbers or sends. The cards are an argument, and only `act`
  advances the hand.
- Each change of state appends an event, so the state can be rebuilt from the events alone.
- At every event, stacks plus chips put in are constant, except for what `PotDiscarded` removes.
"""

from collections.abc import Sequence

from croupier.ranking import rank, rank_small
from croupier.rules import rules as r
from croupier.rules.betting import Betting
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
    HandEnded,
    HandStarted,
    HoleDealt,
    Posted,
    PotDiscarded,
    PotWon,
    RoundEnded,
    Shown,
)
from croupier.rules.pots import share_out, split_pots
from croupier.rules.rules import Rules

NOBODY = -1


class Hand:
    """A hand in play; `actor` is the seat to act, or NOBODY once it is over."""

    __slots__ = (
        "actor",
        "betting",
        "board",
        "button",
        "cards",
        "closed",
        "events",
        "history",
        "hole",
        "last",
        "number",
        "options",
        "over",
        "players",
        "reserves",
        "rules",
        "size",
        "small_seat",
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
        size = len(stacks)
        if not 2 <= size <= rules.max_seats:
            raise ValueError(f"{rules.name} seats 2 to {rules.max_seats} players, not {size}")
        if len(cards) < rules.cards_for(size):
            raise ValueError(f"{size} seats need {rules.cards_for(size)} cards, not {len(cards)}")
        if min(stacks) <= 0:
            raise ValueError("a seat without chips cannot be dealt in")
        self.rules = rules
        self.size = size
        self.number = number
        self.players = tuple(players) if players is not None else tuple(range(size))
        self.reserves = tuple(reserves) if reserves is not None else (0,) * size
        self.button = size - 1
        self.small_seat = 0
        self.betting = Betting(
            rules,
            stacks,
            small_blind if small_blind >= 0 else rules.small_blind,
            big_blind if big_blind >= 0 else rules.big_blind,
        )

        self.cards = cards
        self.hole: list[tuple[int, ...]] = []
        self.board: list[int] = []

        self.actor = NOBODY
        self.options: Options | None = None
        self.closed = False
        """Whether betting is over for this hand."""
        self.over = False
        self.events: list[Event] = []
        self.history: list[tuple[int, Acted]] = []
        """All actions so far, as (street, event)."""
        self.last: list[Posted | Acted | None] = [None] * size
        """The last action of each seat, including posting a blind."""
        self._start()

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
        if kind == FOLD_KIND and not options.owed and not self.rules.free_fold:
            kind = CALL_KIND
        if kind == CALL_KIND:
            added = options.call
            betting.call(seat, added)
            action = CALLED if options.owed else CHECKED
            done = Acted(seat, action, added, betting.bets[seat], not betting.stacks[seat])
        elif kind == FOLD_KIND:
            betting.fold(seat)
            done = Acted(seat, FOLDED, 0, betting.bets[seat], False)
        else:
            to = decision.to
            verb = decision.verb or options.verb
            added = betting.raise_to(seat, to, verb)
            done = Acted(seat, verb, added, to, not betting.stacks[seat])
        self.events.append(done)
        self.history.append((betting.street, done))
        self.last[seat] = done
        self._ask_from(seat + 1)

    # The course.

    def _start(self) -> None:
        rules = self.rules
        betting = self.betting
        size = self.size
        self.events.append(
            HandStarted(
                self.number,
                self.players,
                tuple(betting.stacks),
                self.reserves,
                betting.small_blind,
                betting.big_blind,
                rules.ante,
            )
        )
        if rules.ante:
            for seat in range(size):
                self.events.append(Posted(seat, ANTE, betting.post_ante(seat, rules.ante)))
        small_seat, big_seat = 0, 1
        if rules.ante_only:
            big_seat = NOBODY
        elif size == 2:
            if rules.heads_up == r.BUTTON_SMALL:
                small_seat, big_seat = 1, 0
            else:
                big_seat = NOBODY
        self.small_seat = small_seat
        last = NOBODY
        if betting.small_blind and not rules.ante_only:
            self._post(small_seat, SMALL, betting.small_blind)
            last = small_seat
        if big_seat != NOBODY:
            self._post(big_seat, BIG, betting.big_blind)
            last = big_seat
        cards = self.cards
        each = rules.hole_cards
        for seat in range(size):
            hole = tuple(cards[seat * each : (seat + 1) * each])
            self.hole.append(hole)
            self.events.append(HoleDealt(seat, hole))
        self._ask_from(last + 1)

    def _post(self, seat: int, kind: str, blind: int) -> None:
        posted = Posted(seat, kind, self.betting.post_blind(seat, blind))
        self.events.append(posted)
        self.last[seat] = posted

    def _ask_from(self, first: int) -> None:
        """Ask the next seat that has to act, or advance to the next street or the end."""
        betting = self.betting
        size = self.size
        while not self.over:
            for place in range(first, first + size):
                seat = place if place < size else place - size
                if betting.must_act(seat):
                    self.actor = seat
                    self.options = options = betting.options(seat)
                    self.events.append(Asked(seat, options))
                    return
            if self.events[-1].__class__ is Acted:
                self.events.append(RoundEnded(betting.street))
            if not self.closed and not betting.more_to_ask():
                self._close_betting(first)
            if betting.live < 2 or betting.street + 1 == len(self.rules.streets):
                self._finish()
            else:
                first = self._next_street()

    def _close_betting(self, first: int) -> None:
        self.closed = True
        betting = self.betting
        seat = first % self.size
        while betting.live and betting.folded[seat]:
            seat = (seat + 1) % self.size
        self.events.append(BettingClosed(seat, betting.options(seat)))

    def _next_street(self) -> int:
        """Deal the next street and return the seat at which its betting starts."""
        rules = self.rules
        betting = self.betting
        betting.next_street()
        start = self.size * rules.hole_cards + len(self.board)
        cards = tuple(self.cards[start : start + rules.streets[betting.street]])
        self.board.extend(cards)
        self.events.append(BoardDealt(betting.street, cards))
        return self.small_seat + 1 if rules.later_start == r.AFTER_SMALL_BLIND else 0

    # The end.

    def _finish(self) -> None:
        self.over = True
        self.actor = NOBODY
        self.options = None
        betting = self.betting
        live = betting.live_seats()
        if live:
            seat, amount = betting.return_uncalled(live)
            if amount:
                self.events.append(BetReturned(seat, amount))
        by_showdown = len(live) > 1
        ranks = self._ranks(live) if by_showdown else {}
        if self.rules.reveal == r.ALL:
            for seat in range(self.size):
                self.events.append(Shown(seat, self.hole[seat]))
            rest = self.cards[self.size * self.rules.hole_cards + len(self.board) :]
            missing = sum(self.rules.streets) - len(self.board)
            if missing:
                self.events.append(BoardShown(tuple(rest[:missing])))
        elif by_showdown:
            for seat in live:
                self.events.append(Shown(seat, self.hole[seat]))
        if live:
            self._pay(live, ranks)
        else:
            self.events.append(PotDiscarded(betting.pot))
        betting.clear()
        self.events.append(HandEnded(tuple(betting.stacks)))

    def _ranks(self, live: list[int]) -> dict[int, int]:
        board = tuple(self.board)
        if self.rules.hole_cards + len(board) < 5:
            return {seat: rank_small(self.hole[seat] + board) for seat in live}
        return {seat: rank(self.hole[seat] + board) for seat in live}

    def _pay(self, live: list[int], ranks: dict[int, int]) -> None:
        for index, (amount, contenders) in enumerate(split_pots(self.betting.put, live)):
            winners = contenders
            if len(contenders) > 1:
                best = max(ranks[seat] for seat in contenders)
                winners = [seat for seat in contenders if ranks[seat] == best]
            shares = share_out(amount, winners)
            self.betting.pay(shares)
            self.events.append(PotWon(index, amount, tuple(shares)))
