"""A second reading of hold'em: the luck of cards from the flop on, from JSON lines and numpy.

It shares no code with the program: hands are ranked by counting ranks and suits, pots are cut layer
by layer, and every board is dealt out. What is sampled (all before the flop, and strengths) is not
read here.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Cards = NDArray[np.int64]


def values(cards: Cards) -> NDArray[np.int64]:
    """Return a number for each row of seven cards, larger for better hands."""
    ranks, suits = cards // 4, cards % 4
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    held = counts > 0
    suited = np.array(
        [
            ((suits == suit)[:, :, None] & (ranks[:, :, None] == np.arange(13))).any(axis=1)
            for suit in range(4)
        ]
    )
    flush_suit = suited.sum(axis=2).argmax(axis=0)
    flush = suited[flush_suit, np.arange(len(cards))]
    has_flush = flush.sum(axis=1) >= 5
    straight, straight_flush = _straight(held), _straight(flush)
    # Ranks by how often they are held, then by height.
    order = np.argsort(-(counts * 13 + np.arange(13)), axis=1)
    often = np.take_along_axis(counts, order, axis=1)
    four, three, two = often[:, 0] == 4, often[:, 0] == 3, often[:, 0] == 2
    full = three & (often[:, 1] >= 2)
    two_pairs = two & (often[:, 1] == 2)
    height = np.arange(13)

    def tops(of: NDArray[np.bool_], many: int) -> NDArray[np.int64]:
        """Return the highest `many` ranks of a set as one number."""
        found = np.sort(np.where(of, height, -1), axis=1)[:, ::-1][:, :many] + 1
        return found @ 14 ** np.arange(many - 1, -1, -1)

    def less(*taken: int) -> NDArray[np.bool_]:
        """Return the ranks that are held but for those at these places of the order."""
        rest: NDArray[np.bool_] = held.copy()
        for place in taken:
            rest[np.arange(len(cards)), order[:, place]] = False
        return rest

    first, second = order[:, 0] + 1, order[:, 1] + 1
    # With three of one rank, the second is the highest of those held twice or more.
    pairs = np.where(counts >= 2, height, -1)
    pairs[np.arange(len(cards)), order[:, 0]] = -1
    return np.select(
        [straight_flush > 0, four, full, has_flush, straight > 0, three, two_pairs, two],
        [
            8 * 14**5 + straight_flush,
            7 * 14**5 + first * 14 + tops(less(0), 1),
            6 * 14**5 + first * 14 + pairs.max(axis=1) + 1,
            5 * 14**5 + tops(flush, 5),
            4 * 14**5 + straight,
            3 * 14**5 + first * 14**2 + tops(less(0), 2),
            2 * 14**5 + (first * 14 + second) * 14 + tops(less(0, 1), 1),
            1 * 14**5 + first * 14**3 + tops(less(0), 3),
        ],
        tops(held, 5),
    )


def _straight(held: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the height of the best straight, 0 if there is none."""
    low = np.column_stack([held[:, 12], held])
    best = np.zeros(len(held), np.int64)
    for start in range(10):
        best = np.where(low[:, start : start + 5].all(axis=1), start + 1, best)
    return best


def shares(hands: Sequence[Sequence[int]], board: Sequence[int], gone: Sequence[int]) -> Numbers:
    """Return what share of a pot each hand wins on average over all that may come."""
    known = {*board, *gone, *(card for hand in hands for card in hand)}
    deck = [card for card in range(52) if card not in known]
    runs = np.array(list(combinations(deck, 5 - len(board))), np.int64)
    found = []
    for hand in hands:
        fixed = np.tile(np.array([*hand, *board], np.int64), (len(runs), 1))
        found.append(values(np.hstack([fixed, runs.reshape(len(fixed), -1)])))
    ranked = np.array(found)
    wins = ranked == ranked.max(axis=0)
    average: Numbers = (wins / wins.sum(axis=0)).mean(axis=1)
    return average


def layers(put: Sequence[int], live: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Cut what was put in into pots, each with those who may win it."""
    below = 0
    for level in sorted({put[seat] for seat in live}):
        # What folded players put in above the highest live seat was returned, or is dead.
        chips = sum(min(chips, level) - min(chips, below) for chips in put)
        yield chips, [seat for seat in live if put[seat] >= level]
        below = level


class Reading:
    """One hand as it is read: `terms` by the names that the program has for them, by seat."""

    def __init__(self, lines: Iterable[dict[str, Any]]) -> None:
        self.hole: dict[int, list[int]] = {}
        self.board: list[int] = []
        self.streets: list[tuple[list[int], list[int], list[int]]] = []
        self.asked: set[int] = set()
        for line in lines:
            self._read(line)

    def _read(self, line: dict[str, Any]) -> None:
        kind = line["event"]
        if kind == "HandStarted":
            self.stacks, self.big_blind = line["stacks"], line["big_blind"]
            self.put = [0] * len(self.stacks)
            self.live = list(range(len(self.stacks)))
        elif kind == "Posted":
            self.put[line["seat"]] += line["amount"]
        elif kind == "HoleDealt":
            self.hole[line["seat"]] = line["cards"]
        elif kind == "Acted":
            self.put[line["seat"]] += line["added"]
            if line["action"] == "fold":
                self.live.remove(line["seat"])
        elif kind == "BetReturned":
            self.put[line["seat"]] -= line["amount"]
        elif kind == "BoardDealt":
            self.board += line["cards"]
            self.streets.append((list(self.put), list(self.live), list(self.board)))
        elif kind == "Asked" and self.streets:
            self.asked.add(len(self.streets) - 1)

    def terms(self) -> dict[str, Numbers]:
        """Return the luck of turn and river; and of a run-out, if it began on turn or river."""
        found: dict[str, Numbers] = {}
        for street, (put, live, board) in enumerate(self.streets):
            if street not in self.asked:
                if street and len(self.board) == 5:
                    found["closed"] = self._change(
                        put, live, self.streets[street - 1][2], self.board
                    )
                return found
            if street:
                name = ("flop", "turn", "river")[street]
                before = self.streets[street - 1][2]
                found[f"pot, {name}"] = self._change(put, live, before, board)
                change = self._moved(live, before, board)
                behind = sorted(self.stacks[seat] - put[seat] for seat in live)[-2]
                stack, pot = behind / self.big_blind, sum(put) / self.big_blind
                found[f"growth, {name}"] = np.sqrt(stack * pot) * change
                found[f"stack, {name}"] = stack * change
        return found

    def _change(
        self, put: list[int], live: list[int], before: list[int], after: list[int]
    ) -> Numbers:
        total = np.zeros(len(put))
        for chips, seats in layers(put, live):
            if len(seats) > 1:
                total += chips / self.big_blind * self._moved(seats, before, after)
        return total

    def _moved(self, seats: list[int], before: list[int], after: list[int]) -> Numbers:
        """Return by how much cards changed the shares of seats among themselves."""
        hands = [self.hole[seat] for seat in seats]
        gone = [card for seat, cards in self.hole.items() if seat not in seats for card in cards]
        change = np.zeros(len(self.stacks))
        change[seats] = shares(hands, after, gone) - shares(hands, before, gone)
        return change
