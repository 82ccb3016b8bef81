"""The arithmetic of betting: what a seat may do, and where its chips go.

State owned by this module, and modified nowhere else:

- the chips of one hand: `stacks`, the `bets` of the current street, the totals `put` in;
- which seats have `folded`, and how many are `live`;
- the betting round of the current `street`: the bet to match, the size of a full raise, the bet to
  match when each seat last acted, and the numbers of actions and raises.

This module has no cards, no events and no turn order: those belong to the course of a hand
(hand.py). A remote observer of a hand can put a `Betting` into the reported position and query it
the same way (dialects/remote_hand.py).

Invariant: stacks plus chips put in are constant until the pots are paid; `clear` then empties the
middle.
"""

from collections.abc import Sequence
from typing import Final

from croupier.rules.decisions import BET, RAISE, Options
from croupier.rules.terms import BY_CHIP, BY_OWED, BY_RAISE, Terms

NOBODY: Final = -1

NOT_ACTED: Final = -1
DONE: Final = 1 << 60
"""The level of a seat that cannot act any more in this hand: above every bet."""


class Betting:
    """The chips of a hand and its current betting round."""

    __slots__ = (
        "actions",
        "begun",
        "bet_count",
        "bets",
        "big_blind",
        "folded",
        "high",
        "level",
        "live",
        "put",
        "raise_count",
        "raise_size",
        "raises",
        "size",
        "small_blind",
        "stacks",
        "street",
        "terms",
    )

    def __init__(
        self, terms: Terms, stacks: Sequence[int], small_blind: int, big_blind: int
    ) -> None:
        size = len(stacks)
        self.terms = terms
        self.size = size
        self.small_blind = small_blind
        self.big_blind = big_blind

        self.stacks = list(stacks)
        self.bets = [0] * size
        """What each seat has put in on this street."""
        self.put = [0] * size
        """What each seat has put in during the whole hand."""
        self.folded = [False] * size
        self.live = size
        """The number of seats that have not folded."""

        self.street = 0
        self.begun = False
        """Whether somebody has acted on this street; posting a blind is not acting."""
        self.high = 0
        """The bet to match; the rules decide what a short blind counts as."""
        self.raise_size = big_blind
        """The largest full raise of this street, at least a big blind."""
        self.level = [NOT_ACTED] * size
        """The highest bet when each seat last acted on this street, or DONE."""
        self.actions = 0
        """The number of actions on this street."""
        self.raises = 0
        """The number of raises of the highest bet on this street; `bet_count` of them used the
        verb bet and `raise_count` the verb raise."""
        self.bet_count = 0
        self.raise_count = 0

    @property
    def pot(self) -> int:
        """All chips in the middle, including those of this street."""
        return sum(self.put)

    # Putting chips in.

    def post_ante(self, seat: int, ante: int) -> int:
        """Post an ante, or what the seat has left; it does not count as a bet."""
        amount = min(ante, self.stacks[seat])
        self.stacks[seat] -= amount
        self.put[seat] += amount
        return amount

    def post_blind(self, seat: int, blind: int) -> int:
        """Post a blind, or what the seat has left; the rules decide which amount is to match."""
        amount = min(blind, self.stacks[seat])
        self._put(seat, amount)
        self.high = max(self.bets) if self.terms.blind_as_posted else blind
        return amount

    def fold(self, seat: int) -> None:
        """Fold the seat's hand."""
        self.folded[seat] = True
        self.level[seat] = DONE
        self.live -= 1
        self.begun = True
        self.actions += 1

    def call(self, seat: int, amount: int) -> None:
        """Add the chips of a call; 0 is a check."""
        if amount:
            self._put(seat, amount)
        self.level[seat] = self._level_of(seat, self.high)
        self.begun = True
        self.actions += 1

    def raise_to(self, seat: int, to: int, verb: str) -> int:
        """Raise the highest bet to a total on this street; return the chips that the seat adds."""
        added = to - self.bets[seat]
        self._put(seat, added)
        self.note_raise(seat, to, verb)
        return added

    def note_raise(self, seat: int, to: int, verb: str) -> None:
        """Count a raise of the highest bet without moving chips."""
        by = to - self.high
        self.high = to
        if by > self.raise_size:
            self.raise_size = by
        self.level[seat] = self._level_of(seat, to)
        self.begun = True
        self.actions += 1
        self.raises += 1
        if verb == BET:
            self.bet_count += 1
        elif verb == RAISE:
            self.raise_count += 1

    def next_street(self) -> None:
        """Begin the betting round of the next street."""
        self.street += 1
        self.begun = False
        self.bets = [0] * self.size
        for seat, folded in enumerate(self.folded):
            if not folded:  # otherwise it stays done
                self.level[seat] = NOT_ACTED
        self.high = 0
        self.raise_size = self.big_blind
        self.actions = 0
        self.raises = 0
        self.bet_count = 0
        self.raise_count = 0

    def _put(self, seat: int, amount: int) -> None:
        # Not with `-=`: on items of a list, compiled code would call the interpreter for it.
        stacks, bets, put = self.stacks, self.bets, self.put
        stacks[seat] = stacks[seat] - amount
        bets[seat] = bets[seat] + amount
        put[seat] = put[seat] + amount

    def _level_of(self, seat: int, high: int) -> int:
        """Return the level of a seat that has just acted."""
        return high if self.stacks[seat] or self.terms.ask_all_in else DONE

    # Who has to act, and with which options.

    def next_to_act(self, first: int) -> int:
        """Return the first seat from `first` on that still has to act on this street, or NOBODY."""
        size = self.size
        level = self.level
        high = self.high
        for place in range(first, first + size):
            seat = place if place < size else place - size
            # Most seats are passed over by their level alone.
            if level[seat] < high and self.must_act(seat):
                return seat
        return NOBODY

    def must_act(self, seat: int) -> bool:
        """Tell whether a seat still has to act on this street."""
        stacks = self.stacks
        terms = self.terms
        if self.folded[seat] or (not stacks[seat] and not terms.ask_all_in):
            return False
        level = self.level[seat]
        if self.live < 2:
            return terms.ask_last and level == NOT_ACTED
        if level >= self.high:
            return False
        if terms.ask_all_in or (terms.ask_lone and level == NOT_ACTED and self.begun):
            return True
        # A seat that owes nothing and could only bet against players without chips is not asked.
        mine = self.bets[seat]
        for other in range(self.size):
            if (
                other != seat
                and not self.folded[other]
                and (stacks[other] or self.bets[other] > mine)
            ):
                return True
        return False

    def more_to_ask(self) -> bool:
        """Tell whether anyone can be asked to act on a later street."""
        if self.live < 2 or self.street + 1 == len(self.terms.streets):
            return False
        if self.terms.ask_all_in:
            return True
        able = 0
        for seat, stack in enumerate(self.stacks):
            if stack and not self.folded[seat]:
                able += 1
        return able > 1

    def options(self, seat: int) -> Options:
        """Return the options that a seat has on its turn."""
        terms = self.terms
        high = self.high
        bet = self.bets[seat]
        stack = self.stacks[seat]
        owed = high - bet
        verb = RAISE if high else BET
        if stack <= owed or not self._may_raise(seat):
            return Options(owed, min(owed, stack), 0, 0, verb, False, False, False, 0)
        max_to = bet + stack
        fixed_bet = terms.fixed_bets[self.street]
        if fixed_bet:
            min_to = max_to = min(high + fixed_bet, max_to)
        else:
            if terms.min_raise == BY_RAISE:
                min_to = high + self.raise_size
            elif terms.min_raise == BY_OWED:
                min_to = high + max(self.big_blind, owed)
            else:
                min_to = high + 1 if high else self.big_blind
            if min_to > max_to:
                min_to = max_to
        cap = terms.verb_cap
        bet_left = cap < 0 or self.bet_count < cap
        raise_left = cap < 0 or self.raise_count < cap
        all_in = not fixed_bet
        if not (bet_left or raise_left or all_in):
            return Options(owed, owed, 0, 0, verb, False, False, False, 0)
        small_to = 0
        if terms.small_opening and not high and self.street and self.small_blind < min_to:
            small_to = self.small_blind
        return Options(owed, owed, min_to, max_to, verb, bet_left, raise_left, all_in, small_to)

    def _may_raise(self, seat: int) -> bool:
        """Tell whether the rules let a seat raise that has more than it owes."""
        terms = self.terms
        cap = terms.raise_caps[self.street]
        if 0 <= cap <= self.raises:
            return False
        if terms.action_cap and self.actions + self.size > terms.action_cap:
            return False
        level = self.level[seat]
        if level != NOT_ACTED and not terms.short_all_in_reopens:
            full_raise = self.raise_size
            fixed_bet = terms.fixed_bets[self.street]
            if fixed_bet:
                full_raise = fixed_bet
            elif terms.min_raise == BY_CHIP:
                full_raise = 1
            if self.high - level < full_raise:
                return False
        if terms.raise_unanswered:
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

    # Paying chips out.

    def live_seats(self) -> list[int]:
        """Return the seats that have not folded."""
        return [seat for seat in range(self.size) if not self.folded[seat]]

    def return_uncalled(self, live: list[int]) -> tuple[int, int]:
        """Return the unmatched part of the largest contribution to its live seat.

        Return that seat and the amount, which may be 0.
        """
        put = self.put
        top = live[0]
        for seat in live:
            if put[seat] > put[top]:
                top = seat
        matched = 0
        for seat in range(self.size):
            if seat != top and put[seat] > matched:
                matched = put[seat]
        amount = put[top] - matched
        if amount <= 0:
            return top, 0
        put[top] -= amount
        self.stacks[top] += amount
        return top, amount

    def pay(self, shares: list[tuple[int, int]]) -> None:
        """Pay each (seat, share) of a pot; call `clear` after the last pot."""
        stacks = self.stacks
        for seat, share in shares:
            stacks[seat] = stacks[seat] + share

    def clear(self) -> None:
        """Empty the middle: its chips were paid out or leave the game."""
        self.put = [0] * self.size
        self.bets = [0] * self.size
