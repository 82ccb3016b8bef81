"""One deal from blinds to payout: a state machine in which everything that changes lives here.

- Seats count from the left of the button: seat 0 is the first, the button is the last. With three
  or more, seat 0 posts the small blind and seat 1 the big one.
- Nothing in here waits, draws or sends. The cards are an argument; `act` is the only way on.
- Each change appends the event that tells of it, so the events alone are enough to know the state.
- At every event, stacks plus what is put in is constant, less what `PotDiscarded` names.
"""

from collections.abc import Sequence

from croupier.ranking import rank, rank_kuhn
from croupier.rules import rules as r
from croupier.rules.decisions import (
    BET,
    CALL_KIND,
    FOLD_KIND,
    RAISE,
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
NOT_ACTED = -1


class Hand:
    """A hand in play; `actor` is the seat to act, or NOBODY once it is over."""

    __slots__ = (
        "actor",
        "bet_count",
        "bets",
        "big_blind",
        "board",
        "button",
        "cards",
        "closed",
        "events",
        "folded",
        "high",
        "history",
        "hole",
        "last",
        "level",
        "live",
        "number",
        "options",
        "over",
        "players",
        "put",
        "raise_count",
        "raise_size",
        "raises",
        "reserves",
        "rules",
        "size",
        "small_blind",
        "small_seat",
        "stacks",
        "street",
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

        The blinds are those of the rules unless given. `players` says who sits in each seat and
        `reserves` what he has beside the table; both are only told on.
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
        self.small_blind = small_blind if small_blind >= 0 else rules.small_blind
        self.big_blind = big_blind if big_blind >= 0 else rules.big_blind
        self.button = size - 1
        self.small_seat = 0

        self.stacks = list(stacks)
        self.bets = [0] * size
        """What each seat has put in on this street."""
        self.put = [0] * size
        """What each seat has put in altogether."""
        self.folded = [False] * size
        self.live = size
        """How many have not folded."""

        self.cards = cards
        self.hole: list[tuple[int, ...]] = []
        self.board: list[int] = []
        self.street = 0
        self.high = 0
        """The bet to match. A big blind posted short still asks for a whole one."""
        self.raise_size = self.big_blind
        """The largest full raise of this street, at least a big blind."""
        self.level = [NOT_ACTED] * size
        """The highest bet when a seat last acted on this street."""
        self.raises = 0
        """How often the highest bet was raised on this street; of these, bet_count by the verb
        bet and raise_count by the verb raise."""
        self.bet_count = 0
        self.raise_count = 0

        self.actor = NOBODY
        self.options: Options | None = None
        self.closed = False
        """Nobody is asked any more."""
        self.over = False
        self.events: list[Event] = []
        self.history: list[tuple[int, Acted]] = []
        """What was done, as (street, event)."""
        self.last: list[Posted | Acted | None] = [None] * size
        """What each seat did last, posting a blind included."""
        self._start()

    @property
    def pot(self) -> int:
        """All chips in the middle, those of this street included."""
        return sum(self.put)

    def act(self, decision: Decision) -> None:
        """Let the seat to act do what it decided, and bring the hand to the next question."""
        options = self.options
        if options is None:
            raise IllegalDecisionError("the hand is over")
        fault = options.fault(decision)
        if fault:
            raise IllegalDecisionError(fault)
        seat = self.actor
        kind = decision.kind
        if kind == CALL_KIND:
            call = options.call
            if call:
                self._put(seat, call)
            self.level[seat] = self.high
            action = CALLED if options.owed else CHECKED
            done = Acted(seat, action, call, self.bets[seat], not self.stacks[seat])
        elif kind == FOLD_KIND:
            self.folded[seat] = True
            self.live -= 1
            done = Acted(seat, FOLDED, 0, self.bets[seat], False)
        else:
            done = self._raise(seat, decision, options)
        self.events.append(done)
        self.history.append((self.street, done))
        self.last[seat] = done
        self._ask_from(seat + 1)

    # The course of a hand.

    def _start(self) -> None:
        rules = self.rules
        size = self.size
        self.events.append(
            HandStarted(
                self.number,
                self.players,
                tuple(self.stacks),
                self.reserves,
                self.small_blind,
                self.big_blind,
                rules.ante,
            )
        )
        if rules.ante:
            for seat in range(size):
                self._post(seat, ANTE, rules.ante)
            self.bets = [0] * size  # an ante is no part of a street's betting
        small_seat, big_seat = 0, 1
        if size == 2:
            if rules.heads_up == r.BUTTON_SMALL:
                small_seat, big_seat = 1, 0
            else:
                big_seat = NOBODY
        self.small_seat = small_seat
        last = NOBODY
        if self.small_blind:
            self._post(small_seat, SMALL, self.small_blind)
            self.high = self.small_blind
            last = small_seat
        if big_seat != NOBODY:
            self._post(big_seat, BIG, self.big_blind)
            self.high = self.big_blind
            last = big_seat
        cards = self.cards
        each = rules.hole_cards
        for seat in range(size):
            hole = tuple(cards[seat * each : (seat + 1) * each])
            self.hole.append(hole)
            self.events.append(HoleDealt(seat, hole))
        self._ask_from(last + 1)

    def _ask_from(self, first: int) -> None:
        """Ask the next seat that has to act, or go on to the next street or the end."""
        while not self.over:
            size = self.size
            for place in range(first, first + size):
                seat = place if place < size else place - size
                if self._must_act(seat):
                    self.actor = seat
                    self.options = options = self._options(seat)
                    self.events.append(Asked(seat, options))
                    return
            if self.events[-1].__class__ is Acted:
                self.events.append(RoundEnded(self.street))
            if not self.closed and not self._more_to_ask():
                self._close_betting(first)
            if self.live < 2 or self.street + 1 == len(self.rules.streets):
                self._finish()
            else:
                first = self._next_street()

    def _must_act(self, seat: int) -> bool:
        stacks = self.stacks
        rules = self.rules
        if self.folded[seat] or (not stacks[seat] and not rules.ask_all_in):
            return False
        level = self.level[seat]
        if self.live < 2:
            return rules.ask_last and level == NOT_ACTED
        if level >= self.high:
            return False
        if rules.ask_lone and level == NOT_ACTED and self._street_has_begun:
            return True
        # Not asked who could only bet at players without chips, and owes nothing to any of them.
        mine = self.bets[seat]
        for other in range(self.size):
            if (
                other != seat
                and not self.folded[other]
                and (stacks[other] or self.bets[other] > mine or rules.ask_all_in)
            ):
                return True
        return False

    @property
    def _street_has_begun(self) -> bool:
        """Somebody has acted on this street; posting a blind is not acting."""
        return bool(self.history) and self.history[-1][0] == self.street

    def _more_to_ask(self) -> bool:
        """Tell whether a later street can see a question."""
        if self.live < 2 or self.street + 1 == len(self.rules.streets):
            return False
        if self.rules.ask_all_in:
            return True
        able = 0
        for seat, stack in enumerate(self.stacks):
            if stack and not self.folded[seat]:
                able += 1
        return able > 1

    def _close_betting(self, first: int) -> None:
        self.closed = True
        seat = first % self.size
        while self.live and self.folded[seat]:
            seat = (seat + 1) % self.size
        self.events.append(BettingClosed(seat, self._options(seat)))

    def _next_street(self) -> int:
        """Deal the next street and return the seat from which it is to be asked."""
        rules = self.rules
        self.street += 1
        start = self.size * rules.hole_cards + len(self.board)
        cards = tuple(self.cards[start : start + rules.streets[self.street]])
        self.board.extend(cards)
        self.bets = [0] * self.size
        self.level = [NOT_ACTED] * self.size
        self.high = 0
        self.raise_size = self.big_blind
        self.raises = 0
        self.bet_count = 0
        self.raise_count = 0
        self.events.append(BoardDealt(self.street, cards))
        return self.small_seat + 1 if rules.later_start == r.AFTER_SMALL_BLIND else 0

    # Chips into the middle.

    def _post(self, seat: int, kind: str, amount: int) -> None:
        amount = min(amount, self.stacks[seat])
        self._put(seat, amount)
        posted = Posted(seat, kind, amount)
        self.events.append(posted)
        if kind != ANTE:
            self.last[seat] = posted

    def _put(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.bets[seat] += amount
        self.put[seat] += amount

    def _raise(self, seat: int, decision: Decision, options: Options) -> Acted:
        to = decision.to
        verb = decision.verb or options.verb
        added = to - self.bets[seat]
        by = to - self.high
        self._put(seat, added)
        self.high = to
        if by > self.raise_size:
            self.raise_size = by
        self.level[seat] = to
        self.raises += 1
        if verb == BET:
            self.bet_count += 1
        elif verb == RAISE:
            self.raise_count += 1
        return Acted(seat, verb, added, to, not self.stacks[seat])

    def _options(self, seat: int) -> Options:
        rules = self.rules
        high = self.high
        bet = self.bets[seat]
        stack = self.stacks[seat]
        owed = high - bet
        verb = RAISE if high else BET
        if stack <= owed or not self._may_raise(seat):
            return Options(owed, min(owed, stack), 0, 0, verb, False, False, False, 0)
        max_to = bet + stack
        if rules.fixed_bet:
            min_to = max_to = min(high + rules.fixed_bet, max_to)
        else:
            if rules.min_raise == r.STANDARD:
                min_to = high + self.raise_size
            elif rules.min_raise == r.ROOM:
                min_to = high + max(self.big_blind, owed)
            else:
                min_to = high + 1 if high else self.big_blind
            if min_to > max_to:
                min_to = max_to
        cap = rules.verb_cap
        bet_left = cap < 0 or self.bet_count < cap
        raise_left = cap < 0 or self.raise_count < cap
        all_in = not rules.fixed_bet
        if not (bet_left or raise_left or all_in):
            return Options(owed, owed, 0, 0, verb, False, False, False, 0)
        small_to = 0
        if rules.small_opening and not high and self.street and self.small_blind < min_to:
            small_to = self.small_blind
        return Options(owed, owed, min_to, max_to, verb, bet_left, raise_left, all_in, small_to)

    def _may_raise(self, seat: int) -> bool:
        """Tell whether the betting is open to a seat that has more than it owes."""
        if self.rules.raise_cap >= 0 and self.raises >= self.rules.raise_cap:
            return False
        level = self.level[seat]
        if level != NOT_ACTED and not self.rules.short_all_in_reopens:
            full_raise = self.raise_size
            if self.rules.fixed_bet or self.rules.min_raise == r.ANY:
                full_raise = self.rules.fixed_bet or 1
            if self.high - level < full_raise:
                return False
        if self.rules.raise_unanswered:
            return True
        high = self.high
        for other in range(self.size):
            if (
                other != seat
                and not self.folded[other]
                and self.bets[other] + self.stacks[other] > high
            ):
                return True
        return False

    # The end.

    def _finish(self) -> None:
        self.over = True
        self.actor = NOBODY
        self.options = None
        live = [seat for seat in range(self.size) if not self.folded[seat]]
        if live:
            self._return_uncalled(live)
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
            self.events.append(PotDiscarded(self.pot))
            self.put = [0] * self.size
        self.bets = [0] * self.size
        self.events.append(HandEnded(tuple(self.stacks)))

    def _return_uncalled(self, live: list[int]) -> None:
        put = self.put
        top = max(live, key=put.__getitem__)
        called = max(chips for seat, chips in enumerate(put) if seat != top)
        if put[top] > called:
            amount = put[top] - called
            put[top] = called
            self.stacks[top] += amount
            self.events.append(BetReturned(top, amount))

    def _ranks(self, live: list[int]) -> dict[int, int]:
        if self.rules.game == r.KUHN:
            return {seat: rank_kuhn(self.hole[seat][0]) for seat in live}
        board = tuple(self.board)
        return {seat: rank(self.hole[seat] + board) for seat in live}

    def _pay(self, live: list[int], ranks: dict[int, int]) -> None:
        pots = split_pots(self.put, live)
        self.put = [0] * self.size
        for index, (amount, contenders) in enumerate(pots):
            winners = contenders
            if len(contenders) > 1:
                best = max(ranks[seat] for seat in contenders)
                winners = [seat for seat in contenders if ranks[seat] == best]
            shares = share_out(amount, winners)
            for seat, share in shares:
                self.stacks[seat] += share
            self.events.append(PotWon(index, amount, tuple(shares)))
