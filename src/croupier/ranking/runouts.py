"""Shares of a pot over everything that may still be dealt, with what each next card would do.

`equity` answers one question well. Whoever follows a hand street by street asks many: the shares
on the flop, after each turn that might have come, after each river. They all are averages over
the same boards, so those are ranked once: `Completions` are all boards that a flop may become,
`Samples` some that may come before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from croupier.ranking.batch import KEYS, SUIT_SETS, Ranks, rank_keys

Shares = NDArray[np.float64]
"""One row per contender; each column adds up to 1."""


def shares_of(ranks: Ranks) -> Shares:
    """Return what share each hand (a row) wins on each board (a column)."""
    wins = ranks == ranks.max(axis=0)
    shares: Shares = wins / np.add.reduce(wins, axis=0, dtype=np.int64)
    return shares


def final_ranks(hands: Sequence[Sequence[int]], board: Sequence[int]) -> Ranks:
    """Return the ranks of hands on a whole board, as a single column."""
    cards = np.array([[*hand, *board] for hand in hands], np.intp)
    return rank_keys(KEYS[cards].sum(axis=1, dtype=np.int32), SUIT_SETS[cards].sum(axis=1), 7)[
        :, None
    ]


class Completions:
    """All boards that a flop may become, given the hands in play and the cards that are gone."""

    def __init__(
        self, hands: Sequence[Sequence[int]], flop: Sequence[int], gone: Sequence[int] = ()
    ) -> None:
        seen = {*(card for hand in hands for card in hand), *flop, *gone}
        self.deck = [card for card in range(52) if card not in seen]
        """What may still come."""
        deck = np.array(self.deck, np.intp)
        ones, others = _pairs(len(deck))
        keys, suit_sets = KEYS[deck], SUIT_SETS[deck]
        self._ranks = _ranked(
            hands, flop, keys[ones] + keys[others], suit_sets[ones] + suit_sets[others]
        )

    def on_flop(self, contenders: Sequence[int]) -> Shares:
        """Return the expected shares of contenders, given by their places among the hands."""
        shares: Shares = shares_of(self._ranks[contenders]).mean(axis=1)
        return shares

    def after_turns(self, contenders: Sequence[int]) -> Shares:
        """Return the expected shares after each turn that may come, in the order of `deck`."""
        holding = _holding(len(self.deck))
        return shares_of(self._ranks[contenders]) @ holding / (len(self.deck) - 1)

    def after_rivers(self, contenders: Sequence[int], turn: int, river: int) -> tuple[Shares, int]:
        """Return the shares after each river that may follow a turn, and the place of one."""
        place = self.deck.index(turn)
        pairs = _pairs_with(len(self.deck))[place]
        at = self.deck.index(river)
        return shares_of(self._ranks[np.ix_(contenders, pairs)]), at - (at > place)


class Samples:
    """Random boards before the flop, each equally likely and independent of the others."""

    def __init__(
        self, hands: Sequence[Sequence[int]], count: int, chance: np.random.Generator
    ) -> None:
        """Draw at most `count` boards: those with a card twice do not count."""
        seen = {card for hand in hands for card in hand}
        self.deck = [card for card in range(52) if card not in seen]
        draws = chance.integers(len(self.deck), size=(5, count))
        bits = np.int64(1) << draws
        # Rejecting draws with a repeated card leaves all other choices equally likely.
        draws = draws[:, bits.sum(axis=0) == np.bitwise_or.reduce(bits, axis=0)]
        self.boards = np.array(self.deck, np.intp)[draws]
        """One column per board."""
        keys = KEYS[self.boards].sum(axis=0, dtype=np.int32)
        self.ranks = _ranked(hands, (), keys, SUIT_SETS[self.boards].sum(axis=0))
        """Of the hands, on each board."""


def _ranked(
    hands: Sequence[Sequence[int]],
    board: Sequence[int],
    keys: NDArray[np.int32],
    suit_sets: NDArray[np.int64],
) -> Ranks:
    known = np.array([[*hand, *board] for hand in hands], np.intp)
    hand_keys = KEYS[known].sum(axis=1, dtype=np.int32)
    hand_suit_sets = SUIT_SETS[known].sum(axis=1)
    ranks = rank_keys(
        (hand_keys[:, None] + keys).ravel(), (hand_suit_sets[:, None] + suit_sets).ravel(), 7
    )
    return ranks.reshape(len(hands), len(keys))


@cache
def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return two index arrays that together select each pair of `count` items once."""
    ones, others = np.triu_indices(count, 1)
    return ones, others


@cache
def _pairs_with(count: int) -> NDArray[np.intp]:
    """Return, for each of `count` items, the places of its pairs with the others, in order."""
    places = np.zeros((count, count), np.intp)
    ones, others = _pairs(count)
    places[ones, others] = places[others, ones] = np.arange(len(ones))
    return places[~np.eye(count, dtype=bool)].reshape(count, count - 1)


@cache
def _holding(count: int) -> NDArray[np.float64]:
    """Return a matrix that adds up, for each of `count` items, the pairs that have it."""
    matrix = np.zeros((count * (count - 1) // 2, count))
    matrix[_pairs_with(count).T, np.arange(count)] = 1.0
    return matrix
