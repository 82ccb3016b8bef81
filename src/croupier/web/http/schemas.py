"""The response types of the site's status, its tools and its errors.

Every JSON object of the API is a type, here or in the `schemas` of the other packages. Responses
are encoded from these types and the OpenAPI description is generated from them, so they agree.
"""

from msgspec import Struct

from croupier.web.archive.schemas import Career, MatchSummary
from croupier.web.live.schemas import Listener, TableSummary


class Problem(Struct):
    """An error message."""

    error: str


class Done(Struct):
    """The outcome of a command."""

    text: str


class SiteStatus(Struct):
    """The live tables, recent matches, leading players and listeners."""

    version: str
    listen: list[Listener]
    tables: list[TableSummary]
    elsewhere: list[MatchSummary]
    """Running matches that can be watched on the sites of other arenas."""
    recent: list[MatchSummary]
    leaders: list[Career]
    audience: str


class TrendRank(Struct):
    """The rank number and message of `trend` for seven cards."""

    rank: float
    message: str


class Ranked(Struct):
    """The ranking of five to seven cards."""

    cards: list[str]
    category: str
    best: list[str]
    huawei: str
    trend: TrendRank | None
    value: int


class Chances(Struct):
    """A hand's winning chances."""

    cards: list[str]
    win: float
    tie: float
    equity: float


class EquityAnswer(Struct):
    """The chances of several hands against each other."""

    players: list[Chances]
    exact: bool
