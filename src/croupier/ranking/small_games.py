"""All-in equity of known hands in games of few cards, such as Leduc: every board is counted."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

Ranking = Callable[[Sequence[int]], int]


def boards(deck: Sequence[int], missing: int) -> int:
    """Return how many boards there are with so many cards to come."""
    return comb(len(deck), missing)


def shares(
    hands: Sequence[Sequence[int]],
    board: Sequence[int],
    deck: Sequence[int],
    missing: int,
    rank: Ranking,
) -> list[float]:
    """Return what share of the pot each hand wins on average.

    `deck` has the cards that can still come, of which `missing` complete the board.
    """
    won = [0.0] * len(hands)
    for rest in combinations(deck, missing):
        ranks = [rank((*hand, *board, *rest)) for hand in hands]
        best = max(ranks)
        part = 1 / ranks.count(best)
        for place, found in enumerate(ranks):
            if found == best:
                won[place] += part
    total = boards(deck, missing)
    return [one / total for one in won]
