"""Ranking of one hand at a time, in plain Python.

A rank is an integer from 1 (seven high) to 7462 (royal flush).  A higher rank beats a lower one and
equal ranks split the pot; ranks of hands of 5, 6 and 7 cards compare with each other, since each
stands for the best five cards of its hand.

These functions trust the caller: the cards must be distinct integers 0..51.  Only their count is
checked, because checking each card would cost as much as ranking the hand.

For speed, the literal numbers that split a key into suits (the low 8 bits) and ranks are inlined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.ranking.categories import FLUSH, STRAIGHT, STRAIGHT_FLUSH
from croupier.ranking.displaced import ROW_BITS, Displaced
from croupier.ranking.keys import CARD_KEYS, FLUSH_SUITS, SUIT_BIT

BEST_RANK: Final = 7462

# Tables of this module's own are found at once where it is compiled.
_KEYS: Final = CARD_KEYS
_SUITS_7: Final = FLUSH_SUITS[7]
_BITS: Final = SUIT_BIT

# Filled when the first hand is ranked. Seven cards have a table that fits into a processor's cache,
# the others dictionaries. `_SUITED` is filled last, and tells whether all are ready.
_SEVEN: Final = Displaced()
_UNSUITED: Final[dict[int, dict[int, int]]] = {}
_CATEGORY_OF: Final[list[int]] = []
_SUITED: Final[list[int]] = []

# By category: sizes of the groups of equal rank that lead the hand; kickers fill the rest.
_LEADING_GROUPS: Final[tuple[tuple[int, ...], ...]] = (
    (), (2,), (2, 2), (3,), (), (), (3, 2), (4,), (),
)  # fmt: skip

_KUHN_RANKS: Final[dict[int, int]] = {39: 1, 43: 2, 47: 3}  # Js, Qs, Ks


def _fill() -> None:
    """Fill the tables: a tenth of a second, and numpy, which many commands never need."""
    from croupier.ranking import tables

    for size, (sums, ranks) in tables.UNSUITED.items():
        by_sum = dict(zip(sums.tolist(), ranks.tolist(), strict=True))
        if size == 7:
            _SEVEN.fill(by_sum)
        else:
            _UNSUITED[size] = by_sum
    _CATEGORY_OF[:] = tables.CATEGORY_OF.tolist()
    _SUITED[:] = tables.SUITED.tolist()


def rank7(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """Rank seven cards."""
    if not _SUITED:
        _fill()
    keys = _KEYS
    key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]
    suit = _SUITS_7[key & 0xFF]
    if suit:
        bit = _BITS[suit]
        return _SUITED[bit[a] | bit[b] | bit[c] | bit[d] | bit[e] | bit[f] | bit[g]]
    index = key >> 8
    packed = _SEVEN.packed
    slot = 2 * (index + _SEVEN.moved[index >> ROW_BITS])
    return packed[slot] | packed[slot + 1] << 8


def rank(cards: Sequence[int]) -> int:
    """Rank the best five of 5, 6 or 7 cards."""
    hand = tuple(cards)
    size = len(hand)
    if size == 7:
        a, b, c, d, e, f, g = hand
        return rank7(a, b, c, d, e, f, g)
    if not 5 <= size <= 6:
        raise ValueError(f"a hand to rank has 5, 6 or 7 cards, not {size}")
    if not _SUITED:
        _fill()
    key = 0
    for card in hand:
        key += _KEYS[card]
    suit = FLUSH_SUITS[size][key & 0xFF]
    if suit:
        bit = _BITS[suit]
        held = 0
        for card in hand:
            held |= bit[card]
        return _SUITED[held]
    return _UNSUITED[size][key >> 8]


def category(rank: int) -> int:
    """Return the category of a rank: 0 for high card to 8 for straight flush."""
    if not 1 <= rank <= BEST_RANK:
        raise ValueError(f"a rank lies in 1..{BEST_RANK}, and {rank} does not")
    if not _SUITED:
        _fill()
    return _CATEGORY_OF[rank]


def best_five(cards: Sequence[int]) -> tuple[int, ...]:
    """Return the five cards that determine the rank of 5, 6 or 7 cards, most significant first.

    Groups come before kickers (trips before the pair of a full house), a straight runs down from
    its top with the wheel's ace last, and where suits do not matter the higher suit is chosen.
    """
    kind = category(rank(cards))
    left = sorted(cards, reverse=True)
    if kind in (FLUSH, STRAIGHT_FLUSH):
        suits = [card & 3 for card in left]
        left = [card for card in left if suits.count(card & 3) >= 5]
    if kind in (STRAIGHT, STRAIGHT_FLUSH):
        return _best_straight(left)
    five: list[int] = []
    for size in _LEADING_GROUPS[kind]:
        group = _best_group(left, size)
        five += group
        left = [card for card in left if card not in group]
    return tuple((five + left)[:5])


def _best_group(descending: Sequence[int], size: int) -> list[int]:
    """Return the first `size` cards of equal rank among cards in descending order."""
    for start in range(len(descending) - size + 1):
        if descending[start] >> 2 == descending[start + size - 1] >> 2:
            return list(descending[start : start + size])
    raise AssertionError("the category promises a group of this size")


def _best_straight(descending: Sequence[int]) -> tuple[int, ...]:
    """Return the highest straight among cards in descending order, its top card first."""
    by_rank = {card >> 2: card for card in reversed(descending)}  # the higher suit overwrites
    for top in range(12, 2, -1):
        run = [(top - step) % 13 for step in range(5)]  # below the two wraps round to the ace
        if all(rank in by_rank for rank in run):
            return tuple(by_rank[rank] for rank in run)
    raise AssertionError("the category promises a straight")


def rank_small(cards: Sequence[int]) -> int:
    """Rank fewer than five cards by their groups of equal rank, then by rank; suits are equal.

    Ranks of hands with the same number of cards compare: four of a kind, three of a kind, two
    pairs, a pair, high card.
    """
    counts = [0] * 13
    for card in cards:
        counts[card >> 2] += 1
    # Larger groups first, and of equal ones the higher: the digits of the rank, most significant
    # first. A digit is 16 times the size of the group plus its rank, so it stays below 128.
    result = 0
    for size in range(4, 0, -1):
        for place in range(12, -1, -1):
            if counts[place] == size:
                result = result << 7 | size << 4 | place
    return result << 7 * (4 - sum(1 for count in counts if count))


def rank_kuhn(card: int) -> int:
    """Rank a card of Kuhn poker: 1 for the jack, 2 for the queen, 3 for the king of spades."""
    if card not in _KUHN_RANKS:
        raise ValueError(f"Kuhn poker is played with cards 39, 43 and 47, not {card}")
    return _KUHN_RANKS[card]
