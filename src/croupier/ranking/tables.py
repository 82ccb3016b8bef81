"""Lookup tables that turn a sum of small integers into the rank of a poker hand.

Every card has one integer, its key, and the sum of a hand's keys is all that ranking needs:

* The upper bits hold the sum of the cards' rank weights.  The weights are chosen greedily so that
  no two different multisets of up to seven ranks (at most four of each) have the same sum.
* The lower eight bits hold the sum of the cards' suit weights.  Those are chosen so that, for a
  hand of a known size, the sum shows whether five cards share a suit, and which suit it is.

A hand with five cards of one suit can hold neither four of a kind nor a full house, even with
seven cards, so its flush always beats whatever its ranks alone would make.  Hence a hand's rank is
either a lookup by rank sum (no flush) or a lookup by the set of ranks in the flush suit.

The tables are derived from the rules of poker at import: each possible hand gets a score that
orders like the hands themselves, and the distinct scores, sorted and numbered from 1, are the ranks
1..7462.
"""

from __future__ import annotations

from itertools import chain, combinations_with_replacement, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]

HIGH_CARD: Final = 0
PAIR: Final = 1
TWO_PAIR: Final = 2
THREE_OF_A_KIND: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR_OF_A_KIND: Final = 7
STRAIGHT_FLUSH: Final = 8

SUIT_BITS: Final = 8
SUIT_MASK: Final = (1 << SUIT_BITS) - 1

# Each weight is the smallest that keeps the sums of all multisets of up to seven ranks distinct.
RANK_WEIGHTS: Final = (
    0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181,
)  # fmt: skip

# The smallest four weights with which sums of 5, 6 or 7 suits identify the flush; 7 * 32 < 256.
SUIT_WEIGHTS: Final = (0, 1, 25, 32)

CARD_KEYS: Final[list[int]] = [
    RANK_WEIGHTS[card >> 2] << SUIT_BITS | SUIT_WEIGHTS[card & 3] for card in range(52)
]


def _flush_suits(size: int) -> list[int]:
    """Map a suit sum of a hand of `size` cards to 1 + its flush suit, or to 0 for no flush."""
    table = [0] * (SUIT_MASK + 1)
    for counts in product(range(size + 1), repeat=4):
        if sum(counts) == size and max(counts) >= 5:
            weight = sum(n * w for n, w in zip(counts, SUIT_WEIGHTS, strict=True))
            table[weight] = 1 + counts.index(max(counts))
    return table


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


def _number_hands() -> tuple[list[dict[int, int]], list[int], list[int]]:
    """Number all classes of hands, worst first.

    Return, for sizes 5, 6 and 7, the rank by rank sum; the rank by set of suited ranks (0 where
    the set is not a flush); and the category by rank.
    """
    weights = np.array(RANK_WEIGHTS)
    rows = [_rank_rows(size) for size in (5, 6, 7)]
    sets = np.array([mask for mask in range(1 << 13) if mask.bit_count() >= 5])
    parts = [*map(_unsuited_scores, rows), _suited_scores(sets)]
    scores, numbers = np.unique(np.concatenate(parts), return_inverse=True)
    *unsuited, flushes = np.split(numbers + 1, np.cumsum([len(part) for part in parts[:-1]]))

    by_sum = [
        dict(zip(weights[r].sum(axis=1).tolist(), n.tolist(), strict=True))
        for r, n in zip(rows, unsuited, strict=True)
    ]
    by_set = np.zeros(1 << 13, np.int64)
    by_set[sets] = flushes
    return by_sum, by_set.tolist(), [0, *(scores >> 26).tolist()]


(UNSUITED_5, UNSUITED_6, UNSUITED_7), SUITED, CATEGORY_OF = _number_hands()

FLUSH_SUIT_5: Final = _flush_suits(5)
FLUSH_SUIT_6: Final = _flush_suits(6)
FLUSH_SUIT_7: Final = _flush_suits(7)

# SUIT_BIT[1 + suit][card] is the card's rank as a bit if the suit matches, and 0 otherwise.
SUIT_BIT: Final[list[list[int]]] = [
    [1 << (card >> 2) if card & 3 == suit else 0 for card in range(52)] for suit in range(-1, 4)
]
