"""Ranking of many hands at once with numpy.

The ranks are those of `hands`; only the loop differs.  A batch is processed in chunks small enough
for the processor's caches.  Hands without a flush, 97 in 100, take one table lookup each; flushes
are then ranked separately and overwrite the first result.

`rank_keys` is the shared core: given sums of card keys (and of suit sets, for the flushes), it
ranks hands without listing their cards.  `equity` and `strength` are built on it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from croupier.ranking import tables
from croupier.ranking.keys import CARD_KEYS, FLUSH_SUITS, SUIT_BITS, SUIT_MASK

CHUNK: Final = 1 << 14

Keys = NDArray[np.int32]
SuitSets = NDArray[np.int64]
Ranks = NDArray[np.uint16]

KEYS: Final[Keys] = np.array(CARD_KEYS, np.int32)

# A card as one bit of 64: sixteen bits per suit, of which thirteen are ranks.  The top bit stays
# clear, so sums over distinct cards fit in a signed integer.
SUIT_SETS: Final[SuitSets] = np.array(
    [1 << (16 * (card & 3) + (card >> 2)) for card in range(52)], np.int64
)

# With pair sums a seven-card hand takes four lookups instead of seven.
_PAIR_KEYS: Final[Keys] = np.add.outer(KEYS, KEYS).ravel()

_SUITED: Final[Ranks] = tables.SUITED.astype(np.uint16)


@cache
def _size_tables(size: int) -> tuple[Ranks, NDArray[np.uint8]]:
    """Return the ranks by rank sum and the flush suits by suit sum for hands of `size` cards.

    The former is sparse and large (15 MB), so it is built on first use of a size.
    """
    sums, numbers = tables.UNSUITED[size]
    ranks = np.zeros(sums.max() + 1, np.uint16)
    ranks[sums] = numbers
    return ranks, np.array(FLUSH_SUITS[size], np.uint8)


def _lookup(keys: Keys, size: int) -> tuple[Ranks, NDArray[np.intp], SuitSets]:
    """Rank hands ignoring flushes; also return which hands hold a flush, and its suit."""
    by_sum, flush_suits = _size_tables(size)
    # Mode "clip" is faster: it skips a bounds check, and the indices are known to be in range.
    ranks = by_sum.take(keys >> SUIT_BITS, mode="clip")
    suits = flush_suits.take(keys & SUIT_MASK, mode="clip")
    flushes = suits.nonzero()[0]
    return ranks, flushes, suits[flushes].astype(np.int64) - 1


def _flush_ranks(suit_sets: SuitSets, suits: SuitSets) -> Ranks:
    """Rank flushes given as suit sets, each with its flush suit."""
    return _SUITED.take(suit_sets >> 16 * suits & 0x1FFF)


def rank_keys(keys: Keys, suit_sets: SuitSets, size: int) -> Ranks:
    """Rank hands of `size` cards given as sums of `KEYS` and of `SUIT_SETS` over their cards."""
    ranks, flushes, suits = _lookup(keys, size)
    if len(flushes):
        ranks[flushes] = _flush_ranks(suit_sets[flushes], suits)
    return ranks


def rank_many(cards: NDArray[Any]) -> Ranks:
    """Rank the rows of an integer array of shape (n, 5), (n, 6) or (n, 7).

    As in `hands.rank`, the cards of a row must be distinct; only their range is checked.
    """
    cards = np.asarray(cards)
    if cards.ndim != 2 or cards.shape[1] not in (5, 6, 7):
        raise ValueError(f"hands to rank have shape (n, 5), (n, 6) or (n, 7), not {cards.shape}")
    if cards.dtype.kind not in "iu":
        raise ValueError(f"cards are integers, not {cards.dtype}")
    if cards.size and not (cards.min() >= 0 and cards.max() <= 51):
        raise ValueError("cards lie in 0..51, and some of these do not")
    ranks = np.empty(len(cards), np.uint16)
    for start in range(0, len(cards), CHUNK):
        stop = start + CHUNK
        ranks[start:stop] = _rank_chunk(cards[start:stop])
    return ranks


def _rank_chunk(cards: NDArray[Any]) -> Ranks:
    """Rank the rows of a validated array of at most `CHUNK` rows."""
    columns = np.ascontiguousarray(cards.T, dtype=np.intp)
    size = len(columns)
    keys = _PAIR_KEYS.take(columns[0] * 52 + columns[1], mode="clip")
    for left in range(2, size - 1, 2):
        keys += _PAIR_KEYS.take(columns[left] * 52 + columns[left + 1], mode="clip")
    if size % 2:
        keys += KEYS.take(columns[-1], mode="clip")
    ranks, flushes, suits = _lookup(keys, size)
    if len(flushes):
        ranks[flushes] = _flush_ranks(SUIT_SETS[columns[:, flushes]].sum(axis=0), suits)
    return ranks
