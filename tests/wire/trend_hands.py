"""The table of hand numbers, written down once more as plainly as it stands in the protocol.

Cards are texts such as "TS". Slow and simple on purpose: the program is compared with it.
"""

from collections import Counter
from collections.abc import Sequence

RANKS = "23456789TJQKA"
KICK = {
    "A": 0.2048,
    "K": 0.1024,
    "Q": 0.0512,
    "J": 0.0256,
    "T": 0.0128,
    "9": 0.0064,
    "8": 0.0032,
    "7": 0.0016,
    "6": 0.0008,
    "5": 0.0004,
    "4": 0.0002,
    "3": 0.0001,
    "2": 0.0,
}


def kick(indices: Sequence[int], count: int) -> float:
    """Add up the highest of some ranks, the largest first."""
    total = 0.0
    for index in sorted(indices, reverse=True)[:count]:
        total = total + KICK[RANKS[index]]
    return total


def straight_top(indices: Sequence[int]) -> int | None:
    """Return the highest rank of the best straight, 3 for five-high."""
    for top in range(12, 3, -1):
        if set(range(top - 4, top + 1)) <= set(indices):
            return top
    return 3 if {12, 0, 1, 2, 3} <= set(indices) else None


def number_of(cards: Sequence[str]) -> tuple[float, str]:
    """Return rank and message of seven cards."""
    ranks = [RANKS.index(card[0]) for card in cards]
    suit, of_suit = Counter(card[1] for card in cards).most_common(1)[0]
    suited = [RANKS.index(card[0]) for card in cards if card[1] == suit] if of_suit >= 5 else []
    if suited and (top := straight_top(suited)) is not None:
        return 290 + top, "Royal Flush" if top == 12 else "Straight Flush"
    often = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    (first, most), (second, next_most) = often[0], often[1]
    if most == 4:
        return 280 + first + kick([r for r in ranks if r != first], 1), "Four of a kind"
    if most == 3 and next_most >= 2:
        pair = max(rank for rank, count in often[1:] if count >= 2)
        return 124 + 12 * first + (pair if pair < first else pair - 1), "Full House"
    if suited:
        return 123 + kick(suited, 5), "Flush"
    if (top := straight_top(ranks)) is not None:
        return 110 + top, "Straight"
    if most == 3:
        return 100 + first + kick([r for r in ranks if r != first], 2), "Three of a Kind"
    if most == 2 and next_most == 2:
        rest = [r for r in ranks if r not in (first, second)]
        return 22 + first * (first - 1) // 2 + second + kick(rest, 1), "Two Pair"
    if most == 2:
        return 9 + first + kick([r for r in ranks if r != first], 3), "Pair"
    return max(ranks) - 4 + kick([r for r in ranks if r != max(ranks)], 4), "High Card"
