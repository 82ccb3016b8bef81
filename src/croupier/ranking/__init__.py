"""Ranking of poker hands: who wins at showdown, and how likely that is beforehand.

Cards are the integers 0..51 of `croupier.cards`.  `rank` and `rank7` rank one hand and `rank_many`
an array of hands, all on the same scale from 1 to 7462 where higher is better; `category` and
`best_five` explain a rank.
`equity` computes the average share of the pot that known hands win, `strength` and `outs` rate one
hand against unknown opponents, `rank_small` ranks hands of fewer than five cards, and `rank_kuhn`
orders the three cards of Kuhn poker.

What needs numpy is imported on first use: most commands never rank a hand.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from croupier.ranking.categories import CATEGORY_NAMES
from croupier.ranking.hands import (
    BEST_RANK,
    best_five,
    category,
    rank,
    rank7,
    rank_kuhn,
    rank_small,
)

if TYPE_CHECKING:
    from croupier.ranking.batch import rank_many
    from croupier.ranking.equities import Equity, equity
    from croupier.ranking.strengths import outs, small_strength, strength

__all__ = [
    "BEST_RANK",
    "CATEGORY_NAMES",
    "Equity",
    "best_five",
    "category",
    "equity",
    "outs",
    "prepare",
    "rank",
    "rank7",
    "rank_kuhn",
    "rank_many",
    "rank_small",
    "small_strength",
    "strength",
]

_HOMES = {
    "Equity": "croupier.ranking.equities",
    "equity": "croupier.ranking.equities",
    "outs": "croupier.ranking.strengths",
    "rank_many": "croupier.ranking.batch",
    "small_strength": "croupier.ranking.strengths",
    "strength": "croupier.ranking.strengths",
}


def prepare() -> None:
    """Import and fill now what the first ranking would: before anybody plays against a clock."""
    import_module("croupier.ranking.strengths")
    rank7(0, 1, 2, 3, 4, 5, 6)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
