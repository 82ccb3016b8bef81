"""All-in equity of known hands: what share of the pot each wins on average.

With three or more board cards, or few enough possible boards, every board is counted and the
result is exact.  Otherwise boards are sampled from a generator seeded by the caller: each is drawn
without replacement from the remaining cards, uniformly and independently of the others.

Both methods fill the same small table of integers, the number of boards on which each hand is one
of k winners, and all figures are derived from it.  Boards are never listed card by card: a board is
the sum of its cards' keys, and a hand on a board is that sum plus the hand's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from croupier.ranking.batch import CHUNK, KEYS, SUIT_SETS, Keys, Ranks, SuitSets, rank_keys

# Two hands before the flop have 1,712,304 boards, and more hands have fewer.  Counting
# them all takes a few hundredths of a second, so by default nothing is sampled.
DEFAULT_LIMIT: Final = 2_000_000
DEFAULT_SAMPLES: Final = 100_000

Splits = NDArray[np.int64]
_Integer = TypeVar("_Integer", bound=np.integer[Any])


@dataclass(frozen=True, slots=True)
class Equity:
    """The expected result of each hand; the tuples are in the order of the hands.

    `win` is the probability of taking the whole pot, `tie` of splitting it, `share` the expected
    fraction of it (shares add up to 1) and `error` the standard error of `share`, 0.0 if `exact`.
    """

    win: tuple[float, ...]
    tie: tuple[float, ...]
    share: tuple[float, ...]
    error: tuple[float, ...]
    boards: int
    exact: bool


def equity(
    hands: Sequence[Sequence[int]],
    board: Sequence[int] = (),
    *,
    dead: Sequence[int] = (),
    limit: int = DEFAULT_LIMIT,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
) -> Equity:
    """Return the equity of 2 to 10 two-card hands on a board of 0 to 5 cards.

    `dead` cards are known to be out of the deck.  All boards are counted if at least three board
    cards are given or at most `limit` boards are possible; otherwise `samples` boards are drawn.
    """
    deck = _remaining_deck(hands, board, dead)
    missing = 5 - len(board)
    total = comb(len(deck), missing)
    exact = missing <= 2 or total <= limit
    if exact:
        runouts = _all_runouts(deck, missing)
    elif samples >= 2:
        runouts = _random_runouts(deck, missing, samples, np.random.default_rng(seed))
    else:
        raise ValueError(f"a standard error takes at least 2 samples, not {samples}")
    splits = _count_splits(hands, board, runouts)
    return _from_splits(splits, total if exact else samples, exact)


def _remaining_deck(
    hands: Sequence[Sequence[int]], board: Sequence[int], dead: Sequence[int]
) -> NDArray[np.intp]:
    """Validate the known cards and return the rest of the deck."""
    if not 2 <= len(hands) <= 10:
        raise ValueError(f"equity is for 2 to 10 hands, not {len(hands)}")
    for hand in hands:
        if len(hand) != 2:
            raise ValueError(f"a hand has two cards, and {tuple(hand)} has {len(hand)}")
    if len(board) > 5:
        raise ValueError(f"a board has at most five cards, not {len(board)}")
    seen: set[int] = set()
    for card in [*(card for hand in hands for card in hand), *board, *dead]:
        if not 0 <= card <= 51:
            raise ValueError(f"cards lie in 0..51, and {card} does not")
        if card in seen:
            raise ValueError(f"card {card} is given twice")
        seen.add(card)
    if 52 - len(seen) < 5 - len(board):
        raise ValueError(f"{52 - len(seen)} cards are left, too few to complete the board")
    return np.array([card for card in range(52) if card not in seen], np.intp)


def _all_runouts(deck: NDArray[np.intp], missing: int) -> Iterator[tuple[Keys, SuitSets]]:
    """Yield the sums of keys and suit sets over every choice of `missing` cards, in chunks."""
    keys, suit_sets = KEYS[deck], SUIT_SETS[deck]
    if comb(len(deck), missing) <= CHUNK:
        yield _subset_sums(keys, missing)[0], _subset_sums(suit_sets, missing)[0]
        return
    # Listing all sums at once would take much memory, so add each first card to the sums of later
    # cards.
    tails, starts = _subset_sums(keys, missing - 1)
    suit_tails, _ = _subset_sums(suit_sets, missing - 1)
    for first in range(len(deck)):
        for start in range(starts[first + 1], len(tails), CHUNK):
            chunk = slice(start, start + CHUNK)
            yield keys[first] + tails[chunk], suit_sets[first] + suit_tails[chunk]


def _subset_sums(values: NDArray[_Integer], size: int) -> tuple[NDArray[_Integer], list[int]]:
    """Sum all subsets of `size` values, in lexicographic order.

    Also return, for each position 0..n, the index at which the sums whose first value is at that
    position or later begin: in lexicographic order these are always the tail of the list.
    """
    sums, starts = np.zeros(1, values.dtype), [0] * (len(values) + 1)
    for _ in range(size):
        parts = [value + sums[starts[at + 1] :] for at, value in enumerate(values)]
        sums = np.concatenate(parts)
        starts = [0, *np.cumsum([len(part) for part in parts]).tolist()]
    return sums, starts


def _random_runouts(
    deck: NDArray[np.intp], missing: int, samples: int, rng: np.random.Generator
) -> Iterator[tuple[Keys, SuitSets]]:
    """Yield sums as above over `samples` random choices of `missing` cards, in chunks."""
    keys, suit_sets = KEYS[deck], SUIT_SETS[deck]
    while samples > 0:
        # Rejecting draws with a repeated card leaves all other choices equally likely.
        draws = rng.integers(len(deck), size=(missing, CHUNK))
        bits = np.int64(1) << draws
        distinct = bits.sum(axis=0) == np.bitwise_or.reduce(bits, axis=0)
        draws = draws[:, distinct][:, :samples]
        samples -= draws.shape[1]
        yield keys[draws].sum(axis=0, dtype=np.int32), suit_sets[draws].sum(axis=0)


def _count_splits(
    hands: Sequence[Sequence[int]],
    board: Sequence[int],
    runouts: Iterator[tuple[Keys, SuitSets]],
) -> Splits:
    """Count, for each hand and each k, the boards on which the hand is one of k winners."""
    known = np.array([[*hand, *board] for hand in hands], np.intp)
    hand_keys = KEYS[known].sum(axis=1, dtype=np.int32)
    hand_suit_sets = SUIT_SETS[known].sum(axis=1)
    splits = np.zeros((len(hands), len(hands) + 1), np.int64)
    for keys, suit_sets in runouts:
        ranks: Ranks = np.empty((len(hands), len(keys)), np.uint16)
        for row, key, suit_set in zip(ranks, hand_keys, hand_suit_sets, strict=True):
            row[:] = rank_keys(keys + key, suit_sets + suit_set, 7)
        wins = ranks == ranks.max(axis=0)
        winners = np.add.reduce(wins, axis=0, dtype=np.uint8)
        for k in range(1, int(winners.max()) + 1):
            splits[:, k] += np.count_nonzero(wins & (winners == k), axis=1)
    return splits


def _from_splits(splits: Splits, boards: int, exact: bool) -> Equity:
    """Derive all figures from the counts of wins and split pots."""
    win, tie, share, error = [], [], [], []
    for counts in splits.tolist():
        mean = sum(n / k for k, n in enumerate(counts) if n) / boards
        square = sum(n / k**2 for k, n in enumerate(counts) if n) / boards
        win.append(counts[1] / boards)
        tie.append(sum(counts[2:]) / boards)
        share.append(mean)
        variance = max(0.0, square - mean**2)  # rounding may go below zero
        error.append(0.0 if exact else sqrt(variance / (boards - 1)))
    return Equity(tuple(win), tuple(tie), tuple(share), tuple(error), boards, exact)
