"""Quick measures of one hand for rule-based bots: current strength and chances to improve.

`strength` compares two hole cards with one uniformly random opposing hand; a tie counts half.
Before the flop that is the all-in equity, read from a table of the 169 classes of starting hands.
From the flop on it is the exact fraction of opposing hands that are behind on the current board;
future cards are ignored, and `outs` counts those that would help. `small_strength` does the same
for any deck and any number of hole cards, on every street.

The table was computed by enumeration, not by sampling: all 2,598,960 boards and, on each board,
every ordered pair of possible hands (1,081 hands against 990 others each); wins plus half the ties
over all cases, averaged over the hands of a class.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.ranking.batch import KEYS, SUIT_SETS, rank_keys
from croupier.ranking.hands import rank, rank_small

# In units of 0.0001, one row and one column per rank from two to ace.  Below the diagonal of pairs
# are suited hands (row: the higher rank), above it offsuit hands (column: the higher rank).
_PREFLOP: Final = [
    [int(figure) for figure in line.split()]
    for line in """\
    5033 3230 3320 3428 3408 3458 3683 3910 4167 4435 4730 5051 5493
    3598 5369 3515 3626 3608 3660 3748 4002 4259 4528 4822 5143 5584
    3683 3864 5702 3816 3801 3855 3945 4067 4350 4619 4913 5233 5673
    3785 3969 4145 6032 3994 4051 4143 4267 4425 4718 5012 5331 5770
    3767 3953 4133 4313 6328 4232 4324 4449 4609 4784 5102 5422 5768
    3816 4004 4185 4368 4537 6624 4505 4630 4791 4968 5177 5519 5884
    4027 4087 4270 4454 4624 4794 6916 4810 4972 5149 5360 5602 5987
    4242 4326 4386 4572 4743 4912 5080 7206 5153 5325 5536 5781 6077
    4484 4569 4653 4722 4894 5064 5233 5403 7501 5525 5729 5974 6272
    4738 4823 4907 4999 5061 5232 5402 5566 5753 7747 5813 6057 6356
    5017 5102 5186 5277 5361 5430 5602 5766 5947 6026 7993 6146 6443
    5321 5405 5488 5579 5664 5754 5831 5999 6179 6257 6340 8240 6532
    5738 5822 5903 5992 5991 6098 6194 6278 6460 6539 6621 6704 8520""".splitlines()
]


def strength(hole: Sequence[int], board: Sequence[int] = ()) -> float:
    """Return the probability that two cards beat one random hand, counting ties as half.

    The board has 0, 3, 4 or 5 cards.
    """
    _check(hole, board)
    if not board:
        return _preflop(hole)
    mine = rank([*hole, *board])
    known = {*hole, *board}
    rest = np.array([card for card in range(52) if card not in known], np.intp)
    ones, others = _pairs(len(rest))
    keys, suit_sets = KEYS[rest], SUIT_SETS[rest]
    fixed = list(board)
    theirs = rank_keys(
        keys[ones] + keys[others] + KEYS[fixed].sum(dtype=np.int32),
        suit_sets[ones] + suit_sets[others] + SUIT_SETS[fixed].sum(),
        2 + len(board),
    )
    behind = np.count_nonzero(theirs < mine)
    level = np.count_nonzero(theirs == mine)
    return float(behind + level / 2) / len(theirs)


def small_strength(hole: Sequence[int], board: Sequence[int], deck: Sequence[int]) -> float:
    """Return the probability that a hand of any size beats a random one on the current board.

    The other hand is as large and comes from the rest of the deck; a tie counts half.
    """
    ranked = rank_small if len(hole) + len(board) < 5 else rank
    mine = ranked([*hole, *board])
    known = {*hole, *board}
    behind = level = count = 0
    for other in combinations([card for card in deck if card not in known], len(hole)):
        theirs = ranked([*other, *board])
        behind += theirs < mine
        level += theirs == mine
        count += 1
    return (behind + level / 2) / count


def outs(hole: Sequence[int], board: Sequence[int]) -> int:
    """Count the unseen cards that would make a flush or a straight with the help of a hole card.

    A flush draw is four cards of a suit, at least one of them in the hole: 9 outs.  A straight
    draw is a rank that would complete a straight higher than any that the board alone would make:
    4 outs for a gutshot, 8 if open-ended or double.  A card that does both counts once.  A made
    flush has no outs, a made straight only those to a flush.  Only flops and turns have draws.
    """
    _check(hole, board)
    if len(board) not in (3, 4):
        return 0
    cards = [*hole, *board]
    suits = [card & 3 for card in cards]
    if max(map(suits.count, suits)) >= 5:
        return 0
    helping: set[int] = set()
    for suit in {card & 3 for card in hole}:
        if suits.count(suit) == 4:
            helping.update(range(suit, 52, 4))
    held, shared = _rank_set(cards), _rank_set(board)
    if not _straight_top(held):
        for new in range(13):
            bit = _rank_set([4 * new])
            if _straight_top(held | bit) > _straight_top(shared | bit):
                helping.update(range(4 * new, 4 * new + 4))
    return len(helping.difference(cards))


def _check(hole: Sequence[int], board: Sequence[int]) -> None:
    """Raise ValueError unless these are two hole cards and a valid hold'em board."""
    if len(hole) != 2:
        raise ValueError(f"there are two hole cards, not {len(hole)}")
    if len(board) not in (0, 3, 4, 5):
        raise ValueError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    cards = [*hole, *board]
    if not (min(cards) >= 0 and max(cards) <= 51):
        raise ValueError(f"cards lie in 0..51, and some of {cards} do not")
    if len(set(cards)) < len(cards):
        raise ValueError(f"a card is given twice in {cards}")


def _preflop(hole: Sequence[int]) -> float:
    """Look up the equity of a starting hand against a random hand."""
    low, high = sorted(hole)
    if low & 3 == high & 3:
        return _PREFLOP[high >> 2][low >> 2] / 10_000
    return _PREFLOP[low >> 2][high >> 2] / 10_000


@cache
def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return two index arrays that together select each pair of `count` items once."""
    ones, others = np.triu_indices(count, 1)
    return ones, others


def _rank_set(cards: Sequence[int]) -> int:
    """Return the ranks of cards as a mask; an ace counts both above the king and below the two."""
    mask = 0
    for card in cards:
        mask |= 2 << (card >> 2)
    return mask | mask >> 13


def _straight_top(ranks: int) -> int:
    """Return a number that increases with the best straight in a rank set, or 0 without one."""
    return (ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4).bit_length()
