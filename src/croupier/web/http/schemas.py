"""What the site as a whole, its tools and its failures answer with.

Every JSON object of the API is a type, here or in the `schemas` of the other packages. The types
are what is encoded, and the OpenAPI description is made from them, so it cannot differ.
"""

from msgspec import Struct

from croupier.web.archive.schemas import Career, MatchSummary
from croupier.web.live.schemas import Listener, TableSummary


class Problem(Struct):
    """Why something cannot be answered."""

    error: str


class Done(Struct):
    """What came of an act."""

    text: str


class SiteStatus(Struct):
    """What is on."""

    version: str
    listen: list[Listener]
    tables: list[TableSummary]
    recent: list[MatchSummary]
    leaders: list[Career]
    audience: str


class TrendRank(Struct):
    """The number and the words of `trend` for seven cards."""

    rank: float
    message: str


class Ranked(Struct):
    """What five to seven cards are worth."""

    cards: list[str]
    category: str
    best: list[str]
    huawei: str
    trend: TrendRank | None
    value: int


class Chances(Struct):
    """What a hand can expect."""

    cards: list[str]
    win: float
    tie: float
    equity: float


class EquityAnswer(Struct):
    """The chances of several hands against each other."""

    players: list[Chances]
    exact: bool
