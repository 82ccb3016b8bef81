"""The number and the name that the protocol gives a hand.

They come from a public hand ranker, and real programs compare them. They are for display only: the
exact order of hands decides who wins, never this number.
"""

from collections.abc import Callable, Sequence
from typing import Final

from croupier.ranking import category, rank

MESSAGES: Final[tuple[str, ...]] = (
    "High Card",
    "Pair",
    "Two Pair",
    "Three of a Kind",
    "Straight",
    "Flush",
    "Full House",
    "Four of a kind",
    "Straight Flush",
)
ROYAL_FLUSH: Final = "Royal Flush"

_KICK: Final[tuple[float, ...]] = (
    0.0, 0.0001, 0.0002, 0.0004, 0.0008, 0.0016, 0.0032, 0.0064, 0.0128, 0.0256, 0.0512,
    0.1024, 0.2048,
)  # fmt: skip


def hand_number(cards: Sequence[int]) -> tuple[float, str]:
    """Return the number and the name of a seven-card hand."""
    kind = category(rank(cards))
    number, message = _NUMBERS[kind](cards), MESSAGES[kind]
    if number == 302:
        message = ROYAL_FLUSH
    return number, message


def _kick(ranks: Sequence[int], count: int) -> float:
    total = 0.0
    for index in sorted(ranks, reverse=True)[:count]:
        total += _KICK[index]
    return total


def _ranks(cards: Sequence[int]) -> list[int]:
    return [card >> 2 for card in cards]


def _with_count(ranks: list[int], count: int) -> list[int]:
    """Return the ranks that occur at least `count` times, the highest first."""
    return sorted({rank for rank in ranks if ranks.count(rank) >= count}, reverse=True)


def _without(ranks: list[int], *left_out: int) -> list[int]:
    return [rank for rank in ranks if rank not in left_out]


def _straight_top(ranks: Sequence[int]) -> int:
    have = set(ranks)
    for top in range(12, 3, -1):
        if all(top - step in have for step in range(5)):
            return top
    return 3


def _suited(cards: Sequence[int]) -> list[int]:
    suits = [card & 3 for card in cards]
    return [card >> 2 for card in cards if suits.count(card & 3) >= 5]


def _high_card(cards: Sequence[int]) -> float:
    ranks = _ranks(cards)
    highest = max(ranks)
    return highest - 4 + _kick(_without(ranks, highest), 4)


def _pair(cards: Sequence[int]) -> float:
    ranks = _ranks(cards)
    pair = _with_count(ranks, 2)[0]
    return 9 + pair + _kick(_without(ranks, pair), 3)


def _two_pair(cards: Sequence[int]) -> float:
    ranks = _ranks(cards)
    high, low = _with_count(ranks, 2)[:2]
    return 22 + high * (high - 1) // 2 + low + _kick(_without(ranks, high, low), 1)


def _three(cards: Sequence[int]) -> float:
    ranks = _ranks(cards)
    three = _with_count(ranks, 3)[0]
    return 100 + three + _kick(_without(ranks, three), 2)


def _straight(cards: Sequence[int]) -> float:
    return 110 + _straight_top(_ranks(cards))


def _flush(cards: Sequence[int]) -> float:
    return 123 + _kick(_suited(cards), 5)


def _full_house(cards: Sequence[int]) -> float:
    ranks = _ranks(cards)
    three = _with_count(ranks, 3)[0]
    pair = next(rank for rank in _with_count(ranks, 2) if rank != three)
    return 124 + 12 * three + (pair if pair < three else pair - 1)


def _four(cards: Sequence[int]) -> float:
    ranks = _ranks(cards)
    four = _with_count(ranks, 4)[0]
    return 280 + four + _kick(_without(ranks, four), 1)


def _straight_flush(cards: Sequence[int]) -> float:
    return 290 + _straight_top(_suited(cards))


_NUMBERS: Final[tuple[Callable[[Sequence[int]], float], ...]] = (
    _high_card,
    _pair,
    _two_pair,
    _three,
    _straight,
    _flush,
    _full_house,
    _four,
    _straight_flush,
)
