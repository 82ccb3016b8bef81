"""A hand as the protocol's page describes it, computed a second time.

Nothing here looks at the rules, the hand or its events: from stacks, cards and what players say it
follows who is asked, what their answers become, who is notified when, and who wins what.
"""

from collections.abc import Callable, Sequence

from croupier.dialects.huawei import words
from croupier.dialects.huawei.speaker import Listener
from croupier.ranking import category, rank

SMALL, BIG = 50, 100
RIVER = 3
FIRST_PID = 1001


class Model:
    """Plays a hand to its end; `told` is what each seat is told. Seat 0 is left of the button."""

    def __init__(
        self,
        stacks: Sequence[int],
        cards: Sequence[int],
        listeners: Sequence[Listener],
        say: Callable[[], str],
    ) -> None:
        """`say` returns the next answer of a player that is asked."""
        self.size = len(stacks)
        self.seats = range(self.size)
        self.stacks = list(stacks)
        self.listeners = listeners
        self.say = say
        self.hole = [cards[2 * seat : 2 * seat + 2] for seat in self.seats]
        self.deck = list(cards[2 * self.size :])
        self.board: list[int] = []
        self.put = [0] * self.size
        self.bets = [0] * self.size
        self.actions = [""] * self.size
        self.acted: set[int] = set()
        """Who has acted on this street."""
        self.high = 0
        self.smallest_raise = BIG
        self.told: list[list[bytes]] = [[] for _ in self.seats]
        self._play()

    @property
    def live(self) -> list[int]:
        """The seats that have not folded."""
        return [seat for seat in self.seats if self.actions[seat] != "fold"]

    @property
    def able(self) -> list[int]:
        """The seats that can still bet."""
        return [seat for seat in self.live if self.stacks[seat]]

    # The course.

    def _play(self) -> None:
        self._tell_seats()
        posts = ((0, SMALL), (1, BIG)) if self.size > 2 else ((0, SMALL),)
        for seat, blind in posts:
            self._put(seat, min(blind, self.stacks[seat]))
            self.actions[seat] = "blind"
        self._tell_all("blind", [f"{pid(seat)}: {self.put[seat]}" for seat, _ in posts])
        for seat in self.seats:
            self.told[seat].append(words.block("hold", words.cards(self.hole[seat])))
        self.high = max(self.bets)
        self._round(0, 2 if self.size > 2 else 1)
        for street, name in enumerate(("flop", "turn", "river"), 1):
            if len(self.live) > 1:
                self._deal(name, 3 if street == 1 else 1)
                if len(self.able) > 1:
                    self._round(street, 0)
        self._end()

    def _deal(self, name: str, count: int) -> None:
        cards, self.deck = self.deck[:count], self.deck[count:]
        self.board += cards
        self._tell_all(name, words.cards(cards))
        self.bets = [0] * self.size
        self.high = 0

    def _round(self, street: int, turn: int) -> None:
        self.acted = set()
        self.smallest_raise = BIG
        while (asked := self._next(turn)) is not None:
            while turn % self.size != asked:
                self._notify(turn % self.size)
                turn += 1
            self.told[asked].append(self._figures("inquire", asked))
            self._act(asked, self.say())
            self.acted.add(asked)
            for seat in self.seats:
                if self.listeners[seat].bets:
                    self.told[seat].append(words.block("bet", [self._line(asked)]))
            last, turn = asked, asked + 1
        everyone = street == RIVER or len(self.able) < 2
        for seat in self.seats:
            knows = self.listeners[seat].bets and street != RIVER
            if not knows and (seat > last or (everyone and seat != last)):
                self._notify(seat)

    def _next(self, turn: int) -> int | None:
        """Return who is asked next on this street, if anyone."""
        for place in range(turn, turn + self.size):
            seat = place % self.size
            behind = len(self.live) > 1 and self.bets[seat] < self.high
            if seat in self.able and (seat not in self.acted or behind):
                return seat
        return None

    def _act(self, seat: int, said: str) -> None:
        owed, stack = self.high - self.bets[seat], self.stacks[seat]
        if said in ("check", "call"):
            amount = min(owed, stack)
            action = "call" if owed else "check"
        elif said == "all_in":
            amount, action = stack, said
        elif said.startswith("raise"):
            by = max(int(said[5:] or 0), self.smallest_raise)
            amount, action = min(owed + by, stack), "raise"
        else:
            amount, action = 0, "fold"
        self._put(seat, amount)
        self.actions[seat] = "all_in" if amount == stack else action
        self.smallest_raise = max(self.smallest_raise, self.bets[seat] - self.high)
        self.high = max(self.high, self.bets[seat])

    def _put(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.bets[seat] += amount
        self.put[seat] += amount

    def _end(self) -> None:
        ranks: dict[int, int] = {}
        if len(self.live) > 1:
            ranks = {seat: rank((*self.hole[seat], *self.board)) for seat in self.live}
            self._tell_showdown(ranks)
        won = self._winnings(ranks)
        winners = sorted(won, key=lambda seat: (-ranks.get(seat, 0), seat))
        self._tell_all("pot-win", [f"{pid(seat)}: {won[seat]}" for seat in winners])

    def _winnings(self, ranks: dict[int, int]) -> dict[int, int]:
        """Return what each winner gets: side pots, and odd chips from the left of the button."""
        won: dict[int, int] = {}
        below = 0
        levels = sorted({self.put[seat] for seat in self.live})
        for level in levels:
            top = level if level != levels[-1] else max(self.put)
            pot = sum(max(0, min(put, top) - below) for put in self.put)
            rivals = [seat for seat in self.live if self.put[seat] >= level]
            best = max(ranks.get(seat, 0) for seat in rivals)
            winners = [seat for seat in rivals if ranks.get(seat, 0) == best]
            for place, seat in enumerate(winners):
                share = (pot - place + len(winners) - 1) // len(winners)
                won[seat] = won.get(seat, 0) + share
            below = level
        return won

    # Messages.

    def _tell_all(self, name: str, lines: list[str]) -> None:
        for messages in self.told:
            messages.append(words.block(name, lines))

    def _tell_seats(self) -> None:
        titles = ["button: ", "small blind: ", "big blind: ", *[""] * self.size]
        order = [self.size - 1, *range(self.size - 1)]
        self._tell_all(
            "seat",
            [f"{titles[at]}{pid(seat)} {self.stacks[seat]} 0" for at, seat in enumerate(order)],
        )

    def _tell_showdown(self, ranks: dict[int, int]) -> None:
        places = sorted(set(ranks.values()), reverse=True)
        common = words.block("common", words.cards(self.board)).decode("ascii")
        lines = [
            f"{1 + places.index(value)}: {pid(seat)} {' '.join(words.cards(self.hole[seat]))}"
            f" {words.HAND_NAMES[category(value)]}"
            for seat, value in ranks.items()
        ]
        self._tell_all("showdown", [*common.removesuffix(" \n").split(" \n"), *lines])

    def _notify(self, seat: int) -> None:
        if self.listeners[seat].notify:
            self.told[seat].append(self._figures("notify", seat))

    def _figures(self, name: str, seat: int) -> bytes:
        backwards = [(seat - back) % self.size for back in range(1, self.size + 1)]
        lines = [self._line(other) for other in backwards if self.actions[other]]
        return words.block(name, [*lines, f"total pot: {sum(self.put)}"])

    def _line(self, seat: int) -> str:
        return f"{pid(seat)} {self.stacks[seat]} 0 {self.put[seat]} {self.actions[seat]}"


def pid(seat: int) -> int:
    """Return the number of the player in a seat."""
    return FIRST_PID + seat
