"""Lookup tables that turn a sum of keys into the rank of a poker hand.

The tables are derived from the rules of poker at import: each possible hand gets a score that
orders like the hands themselves, and the distinct scores, sorted and numbered from 1, are the ranks
1..7462. That takes numpy, so `hands` imports this module when the first hand is ranked.
"""

from __future__ import annotations

from itertools import chain, combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.ranking.categories import (
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
)
from croupier.ranking.keys import RANK_WEIGHTS

IntArray = NDArray[np.int64]
BySum = tuple[IntArray, IntArray]
"""Rank sums, and the ranks of hands that have them and no flush."""


def _top(sets: IntArray, count: int) -> IntArray:
    """Keep the highest `count` members of each set of ranks (a 13-bit mask)."""
    rest = sets.copy()
    for _ in range(count):
        rest &= ~_HIGHEST[rest]
    return sets & ~rest


def _highest_bits() -> IntArray:
    """Map each 13-bit mask to its highest bit alone (0 to 0)."""
    table = np.zeros(1 << 13, np.int64)
    for rank in range(13):
        table[1 << rank : 2 << rank] = 1 << rank
    return table


def _straight_tops() -> IntArray:
    """Map each set of ranks to the top rank (as a bit) of its best straight, or to 0."""
    sets = np.arange(1 << 13, dtype=np.int64)
    low = sets << 1 | sets >> 12  # the ace also counts below the two
    runs = low & low >> 1 & low >> 2 & low >> 3 & low >> 4  # bit i: a run that starts at bit i
    tops: IntArray = _HIGHEST[runs] << 3  # bit i of `low` is rank i-1; its run tops out at i+3
    return tops


_HIGHEST: Final[IntArray] = _highest_bits()
_STRAIGHT: Final[IntArray] = _straight_tops()


def _score(category: int, major: IntArray, minor: IntArray) -> IntArray:
    """Pack a hand's value so that integers order as hands do.

    `major` and `minor` are sets of ranks.  Two hands of a category have sets of equal size, and
    masks of equal size order as their members do, compared from the highest down.
    """
    return category << 26 | major << 13 | minor


def _unsuited_scores(ranks: IntArray) -> IntArray:
    """Score hands given as rows of ranks, ignoring flushes."""
    held = np.zeros((5, len(ranks)), np.int64)  # held[n]: the set of ranks held at least n times
    for column in ranks.T:
        bit = 1 << column
        for n in range(4, 1, -1):
            held[n] |= held[n - 1] & bit
        held[1] |= bit
    ones, pairs, threes, fours = held[1:]

    scores = _score(HIGH_CARD, np.zeros_like(ones), _top(ones, 5))
    # From here on, each better category overwrites the worse ones.
    pair = _HIGHEST[pairs]
    scores = np.where(pair > 0, _score(PAIR, pair, _top(ones & ~pair, 3)), scores)
    two = _top(pairs, 2)
    scores = np.where(two > pair, _score(TWO_PAIR, two, _HIGHEST[ones & ~two]), scores)
    three = _HIGHEST[threes]
    scores = np.where(three > 0, _score(THREE_OF_A_KIND, three, _top(ones & ~three, 2)), scores)
    straight = _STRAIGHT[ones]
    scores = np.where(straight > 0, _score(STRAIGHT, straight, np.zeros_like(ones)), scores)
    full_of = _HIGHEST[pairs & ~three]
    scores = np.where((three > 0) & (full_of > 0), _score(FULL_HOUSE, three, full_of), scores)
    four = _HIGHEST[fours]
    return np.where(four > 0, _score(FOUR_OF_A_KIND, four, _HIGHEST[ones & ~four]), scores)


def _suited_scores(sets: IntArray) -> IntArray:
    """Score flushes given as sets of the ranks held in the flush suit."""
    straight = _STRAIGHT[sets]
    nothing = np.zeros_like(sets)
    return np.where(
        straight > 0,
        _score(STRAIGHT_FLUSH, straight, nothing),
        _score(FLUSH, nothing, _top(sets, 5)),
    )


def _rank_rows(size: int) -> IntArray:
    """List every multiset of `size` ranks that a deck of four suits can deal, one per row."""
    sorted_rows = combinations_with_replacement(range(13), size)
    rows = np.fromiter(chain.from_iterable(sorted_rows), np.int64).reshape(-1, size)
    dealable: IntArray = rows[(rows[:, 4:] != rows[:, :-4]).all(axis=1)]
    return dealable


def _number_hands() -> tuple[dict[int, BySum], IntArray, IntArray]:
    """Number all classes of hands, worst first.

    Return, for sizes 5, 6 and 7, the ranks by rank sum; the rank by set of suited ranks (0 where
    the set is not a flush); and the category by rank.
    """
    weights = np.array(RANK_WEIGHTS)
    sizes = (5, 6, 7)
    rows = [_rank_rows(size) for size in sizes]
    sets = np.array([mask for mask in range(1 << 13) if mask.bit_count() >= 5])
    parts = [*map(_unsuited_scores, rows), _suited_scores(sets)]
    scores, numbers = np.unique(np.concatenate(parts), return_inverse=True)
    *unsuited, flushes = np.split(numbers + 1, np.cumsum([len(part) for part in parts[:-1]]))

    by_sum = {
        size: (weights[r].sum(axis=1), n) for size, r, n in zip(sizes, rows, unsuited, strict=True)
    }
    by_set = np.zeros(1 << 13, np.int64)
    by_set[sets] = flushes
    return by_sum, by_set, np.concatenate([[0], scores >> 26])


UNSUITED, SUITED, CATEGORY_OF = _number_hands()
