"""A second, naive statement of plain no-limit hold'em, to hold the state machine against.

It shares no line with `croupier.rules`: who is to act is a queue, what reopens the betting is a
running sum for each seat, and pots are made layer by layer from the chips. The rules are those of
the Poker Tournament Directors Association (TDA, 2022), by number where they are used, and for the
blinds the usual one that a big blind posted short asks the others for a whole one all the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Ranks = Mapping[int, int]
"""How strong the cards of each live seat are; only the order counts."""


@dataclass(frozen=True)
class Question:
    """Who is to act and what the choices are; a raise is possible if `max_to` is not 0."""

    seat: int
    owed: int
    call: int
    min_to: int
    max_to: int


class Reference:
    """The chips of one hand; cards play no part until `payout`."""

    def __init__(self, stacks: Sequence[int], small: int, big: int, ante: int = 0) -> None:
        size = self.size = len(stacks)
        self.stacks = list(stacks)
        self.put = [0] * size
        self.bets = [0] * size
        self.folded = [False] * size
        self.big = big
        self.street = 0
        for seat in range(size):
            self._pay(seat, ante)
        self.bets = [0] * size
        small_seat, big_seat = (0, 1) if size > 2 else (1, 0)
        self._pay(small_seat, small)
        self._pay(big_seat, big)
        self.high = big
        self.largest = big
        """The largest bet or raise of the street: what a raise must add (TDA 43)."""
        self.faced: list[int | None] = [None] * size
        """What each seat was raised by since it last acted, or None if it has not acted."""
        self.queue = self._after(big_seat)
        self._settle()

    def _pay(self, seat: int, amount: int) -> None:
        amount = min(amount, self.stacks[seat])
        self.stacks[seat] -= amount
        self.bets[seat] += amount
        self.put[seat] += amount

    def _after(self, seat: int) -> list[int]:
        """Return every seat once, in turn, the given one last."""
        return [(seat + step) % self.size for step in range(1, self.size + 1)]

    def _others(self, seat: int) -> list[int]:
        return [other for other in self.live if other != seat]

    @property
    def live(self) -> list[int]:
        """The seats that have not folded."""
        return [seat for seat in range(self.size) if not self.folded[seat]]

    @property
    def question(self) -> Question | None:
        """The question that is open, or None once the betting is over."""
        if not self.queue:
            return None
        seat = self.queue[0]
        owed = self.high - self.bets[seat]
        most = self.bets[seat] + self.stacks[seat]
        # TDA 47: the betting is open to who has not acted, or faces a full raise since he did.
        faced = self.faced[seat]
        is_open = faced is None or faced >= self.largest
        answered = any(self.bets[o] + self.stacks[o] > self.high for o in self._others(seat))
        if most <= self.high or not is_open or not answered:
            return Question(seat, owed, min(owed, self.stacks[seat]), 0, 0)
        return Question(seat, owed, owed, min(self.high + self.largest, most), most)

    def fold(self) -> None:
        """Let the seat to act fold."""
        self.folded[self.queue.pop(0)] = True
        self._settle()

    def call(self) -> None:
        """Let the seat to act check or call."""
        seat = self.queue.pop(0)
        self._pay(seat, self.high - self.bets[seat])
        self.faced[seat] = 0
        self._settle()

    def raise_to(self, total: int) -> None:
        """Let the seat to act bet or raise."""
        seat = self.queue[0]
        by = total - self.high
        self._pay(seat, total - self.bets[seat])
        self.high = total
        self.largest = max(self.largest, by)
        self.faced = [None if faced is None else faced + by for faced in self.faced]
        self.faced[seat] = 0
        self.queue = self._after(seat)[:-1]
        self._settle()

    def _settle(self) -> None:
        """Drop from the queue who has nothing to decide, street after street."""
        while True:
            while self.queue and not self._has_choice(self.queue[0]):
                self.queue.pop(0)
            if len(self.live) < 2:
                self.queue = []
            if self.queue or len(self.live) < 2 or self.street == 3:
                return
            self.street += 1
            self.bets = [0] * self.size
            self.high = 0
            self.largest = self.big
            self.faced = [None] * self.size
            self.queue = self._after(self.size - 1)

    def _has_choice(self, seat: int) -> bool:
        if self.folded[seat] or not self.stacks[seat]:
            return False
        others = self._others(seat)
        return any(self.stacks[o] or self.bets[o] > self.bets[seat] for o in others)


Pots = dict[tuple[int, ...], int]
"""The chips of each pot, by the seats that contest it; the main pot comes first."""


def pots_of(put: Sequence[int], live: Sequence[int], *, chip_by_chip: bool = False) -> Pots:
    """Return the pots, from layers: the first chip of everyone, the second chip of everyone, …

    A layer belongs to the live seats that reach it, and one that no live seat reaches to those of
    the layer below. Layers with the same contenders are one pot. Unless `chip_by_chip`, layers of
    the same chips are taken together.
    """
    pots: Pots = {}
    contenders: tuple[int, ...] = ()
    below = 0
    for layer in range(1, max(put) + 1) if chip_by_chip else sorted(set(put) - {0}):
        chips = (layer - below) * sum(amount >= layer for amount in put)
        contenders = tuple(seat for seat in live if put[seat] >= layer) or contenders
        pots[contenders] = pots.get(contenders, 0) + chips
        below = layer
    return pots


def payout(
    put: Sequence[int], live: Sequence[int], ranks: Ranks, *, chip_by_chip: bool = False
) -> list[int]:
    """Return what each seat gets back out of what was put in.

    Each pot is split on its own (TDA 21), and what does not divide goes chip by chip to the winners
    in turn, from the left of the button (TDA 20): as if the dealer dealt the pot out.
    """
    back = [0] * len(put)
    for contenders, chips in pots_of(put, live, chip_by_chip=chip_by_chip).items():
        winners = _best(contenders, ranks)
        rounds, odd = (0, chips) if chip_by_chip else divmod(chips, len(winners))
        for winner in winners:
            back[winner] += rounds
        for chip in range(odd):
            back[winners[chip % len(winners)]] += 1
    return back


def payout_by_pokerkit(put: Sequence[int], live: Sequence[int], ranks: Ranks) -> list[int]:
    """Return what PokerKit pays; it differs from `payout` by odd chips only.

    Who wins no pot is out before PokerKit makes the pots, so that pots with the same seats left in
    them flow together, and all odd chips of a pot go to its first winner.
    """
    put = list(put)
    back = [0] * len(put)
    top = max(live, key=put.__getitem__)
    called = max(amount for seat, amount in enumerate(put) if seat != top)
    if put[top] > called:
        back[top] = put[top] - called
        put[top] = called
    winners = {seat for pot in pots_of(put, live) for seat in _best(pot, ranks)}
    for contenders, chips in pots_of(put, sorted(winners)).items():
        best = _best(contenders, ranks)
        share, odd = divmod(chips, len(best))
        for seat in best:
            back[seat] += share
        back[best[0]] += odd
    return back


def _best(seats: Sequence[int], ranks: Ranks) -> list[int]:
    if len(seats) < 2:
        return list(seats)
    best = max(ranks[seat] for seat in seats)
    return [seat for seat in seats if ranks[seat] == best]
