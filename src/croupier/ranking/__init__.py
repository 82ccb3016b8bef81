"""Ranking of poker hands: who wins at showdown, and with what chance before it.

Cards are integers 0..51, four times the rank (0..12 for two to ace) plus the suit (0..3 for clubs,
diamonds, hearts, spades).  `rank` and `rank7` rank one hand and `rank_many` an array of hands, all
on the same scale from 1 to 7462 where higher is better; `category` and `best_five` explain a rank.
`equity` says what share of the pot known hands win on average, `strength` and `outs` measure one
hand against the unknown, and `rank_kuhn` orders the three cards of Kuhn poker.
"""

from croupier.ranking.batch import rank_many
from croupier.ranking.equity import Equity, equity
from croupier.ranking.hands import (
    BEST_RANK,
    CATEGORY_NAMES,
    best_five,
    category,
    rank,
    rank7,
    rank_kuhn,
)
from croupier.ranking.strength import outs, strength

__all__ = [
    "BEST_RANK",
    "CATEGORY_NAMES",
    "Equity",
    "best_five",
    "category",
    "equity",
    "outs",
    "rank",
    "rank7",
    "rank_kuhn",
    "rank_many",
    "strength",
]
