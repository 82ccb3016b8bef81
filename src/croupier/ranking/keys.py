"""The keys of cards, whose sum is all that ranking a hand needs.

* The upper bits hold the sum of the cards' rank weights.  The weights are chosen greedily so that
  no two different multisets of up to seven ranks (at most four of each) have the same sum.
* The lower eight bits hold the sum of the cards' suit weights.  Those are chosen so that, for a
  hand of a known size, the sum shows whether five cards share a suit, and which suit it is.

A hand with five cards of one suit can hold neither four of a kind nor a full house, even with
seven cards, so its flush always beats whatever its ranks alone would make.  Hence a hand's rank is
either a lookup by rank sum (no flush) or a lookup by the set of ranks in the flush suit.
"""

from __future__ import annotations

from itertools import product
from typing import Final

SUIT_BITS: Final = 8
SUIT_MASK: Final = (1 << SUIT_BITS) - 1

# Each weight is the smallest that keeps the sums of all multisets of up to seven ranks distinct.
RANK_WEIGHTS: Final[tuple[int, ...]] = (
    0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181,
)  # fmt: skip

# The smallest four weights with which sums of 5, 6 or 7 suits identify the flush; 7 * 32 < 256.
SUIT_WEIGHTS: Final[tuple[int, ...]] = (0, 1, 25, 32)

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


FLUSH_SUITS: Final[dict[int, list[int]]] = {size: _flush_suits(size) for size in (5, 6, 7)}

# SUIT_BIT[1 + suit][card] is the card's rank as a bit if the suit matches, and 0 otherwise.
SUIT_BIT: Final[list[list[int]]] = [
    [1 << (card >> 2) if card & 3 == suit else 0 for card in range(52)] for suit in range(-1, 4)
]
