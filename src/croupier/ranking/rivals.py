"""How strong hands are on many boards at once, measured against the same few random hands.

`strength` counts every opposing hand on one board. Whoever asks what each card that may come would
do asks for fifty boards, and for several hands on each; a sample of opposing hands, the same on all
boards, ranks them as well for that purpose.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from croupier.ranking.batch import KEYS, SUIT_SETS, Ranks, rank_keys

Cards = NDArray[np.intp]

_BITS = np.int64(1) << np.arange(52, dtype=np.int64)

_TAKEN = np.uint16(np.iinfo(np.uint16).max)
"""A rank above all others, for hands that a board has a card of."""


class Rivals:
    """Random hands from a deck."""

    def __init__(self, deck: Sequence[int], count: int, chance: np.random.Generator) -> None:
        cards = np.array(deck, np.intp)
        ones = chance.integers(len(cards), size=count)
        others = chance.integers(len(cards) - 1, size=count)
        others += others >= ones
        pairs = cards[np.array([ones, others])]
        self._keys = KEYS[pairs].sum(axis=0, dtype=np.int32)
        self._suit_sets = SUIT_SETS[pairs].sum(axis=0)
        self._bits = _BITS[pairs].sum(axis=0)

    def strengths(
        self, hands: Sequence[Sequence[int]], boards: Cards, count: int | None = None
    ) -> NDArray[np.float64]:
        """Return what share of the rivals each hand (a row) beats on each board (a column).

        A tie counts half. `boards` has one row per board, all of the same 3 to 5 cards in number;
        with `count`, only so many rivals are asked.
        """
        keys = KEYS[boards].sum(axis=1, dtype=np.int32)
        suit_sets = SUIT_SETS[boards].sum(axis=1)
        bits = _BITS[boards].sum(axis=1)
        size = 2 + boards.shape[1]
        theirs = _ranks(self._keys[:count], self._suit_sets[:count], keys, suit_sets, size)
        taken = (self._bits[:count, None] & bits) != 0
        np.maximum(theirs, taken * _TAKEN, out=theirs)
        free = len(theirs) - _count(taken)
        known = np.array(hands, np.intp)
        own_keys, own_sets = KEYS[known].sum(axis=1, dtype=np.int32), SUIT_SETS[known].sum(axis=1)
        mine = _ranks(own_keys, own_sets, keys, suit_sets, size)
        beaten = [_count(theirs < row) + _count(theirs <= row) for row in mine]
        # With few rivals a board may have a card of each: then nobody is strong.
        shares: NDArray[np.float64] = np.array(beaten) / (2 * np.maximum(free, 1))
        return shares


def _count(true: NDArray[np.bool_]) -> NDArray[np.uint16]:
    """Count what is true in each column; `count_nonzero` is several times as slow."""
    counts: NDArray[np.uint16] = np.add.reduce(true, axis=0, dtype=np.uint16)
    return counts


def _ranks(
    hand_keys: NDArray[np.int32],
    hand_suit_sets: NDArray[np.int64],
    keys: NDArray[np.int32],
    suit_sets: NDArray[np.int64],
    size: int,
) -> Ranks:
    """Rank hands (rows) on boards (columns)."""
    ranks = rank_keys(
        (hand_keys[:, None] + keys).ravel(), (hand_suit_sets[:, None] + suit_sets).ravel(), size
    )
    return ranks.reshape(len(hand_keys), len(keys))
