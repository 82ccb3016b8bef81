"""What the site answers with: every JSON object of the API as a type.

The types are what is encoded, and the OpenAPI description is made from them, so it cannot differ.
"""

from typing import Literal

from msgspec import Struct

LineKind = Literal["match", "hand", "deal", "action", "show", "pot", "trouble", "gap"]
StateName = Literal["seating", "countdown", "playing", "paused", "over"]
StreetName = Literal["preflop", "flop", "turn", "river"]
BlindName = Literal["small", "big", ""]
Status = Literal["running", "ended"]


class Problem(Struct):
    """Why something cannot be answered."""

    error: str


class Done(Struct):
    """What came of an act."""

    text: str


# A table as spectators see it.


class Pot(Struct):
    """Chips in the middle that the same seats contest."""

    amount: int


class Turn(Struct):
    """Whose turn it is; `since` is in seconds since 1970, or null in a replay."""

    seat: int
    clock_ms: int
    since: float | None


class Seat(Struct):
    """A place in the hand; cards are null where they are not open."""

    seat: int
    player: int
    name: str
    dialect: str
    stack: int
    bet: int
    cards: list[str | None]
    folded: bool
    all_in: bool
    out: bool
    online: bool
    button: bool
    blind: BlindName
    last: str
    turn: bool
    equity: float | None
    won: int
    best: list[str] | None


class Place(Struct):
    """A line of the ranking at a table."""

    rank: int
    name: str
    chips: int
    out: bool


class Scene(Struct):
    """Everything that is to be seen of a table at one moment."""

    table: str | None
    match: str
    rules: str
    hand: int
    street: StreetName
    over: bool
    small_blind: int
    big_blind: int
    pot: int
    pots: list[Pot]
    board: list[str]
    seats: list[Seat]
    turn: Turn | None
    ranking: list[Place]
    state: StateName
    message: str


class Line(Struct):
    """A sentence of a table's log; `seq` grows and is never given twice."""

    seq: int
    text: str
    hand: int
    kind: LineKind


class TableDetail(Struct):
    """A table as it is now, and the last lines of its log."""

    scene: Scene
    seq: int
    lines: list[Line]


class Entrant(Struct):
    """Who plays."""

    name: str
    dialect: str


class TableSummary(Struct):
    """A table in short."""

    table: str
    match: str
    rules: str
    seats: int
    players: list[Entrant]
    hand: int
    state: StateName


class TablePage(Struct):
    """A page of tables."""

    items: list[TableSummary]
    page: int
    pages: int
    total: int


# Matches.


class MatchSummary(Struct):
    """A match in short; times are in seconds since 1970."""

    match: str
    table: str
    rules: str
    began: float
    ended: float | None
    hands: int
    players: list[str]
    winners: list[str]
    status: Status


class MatchPage(Struct):
    """A page of matches."""

    items: list[MatchSummary]
    page: int
    pages: int
    total: int


class Result(Struct):
    """A line of a match's ranking with the player's numbers."""

    rank: int
    name: str
    dialect: str
    chips: int
    hands: int
    bb_per_100: float
    ci95: float | None
    timeouts: int
    faults: dict[str, int]
    decisions: int
    mean_seconds: float | None
    p99_seconds: float | None


class MatchDetail(Struct):
    """A match with its ranking; seed and salt are null until it has ended."""

    match: MatchSummary
    ranking: list[Result]
    commitment: str
    secret: bool
    seed: str | None
    salt: str | None


class Curve(Struct):
    """A player's chips after the hands of a chart."""

    name: str
    chips: list[int]


class Chart(Struct):
    """The chips of all players over the hands, at most 500 of them."""

    hands: list[int]
    players: list[Curve]


class HandSummary(Struct):
    """A hand in short."""

    hand: int
    pot: int
    winners: list[str]
    void: bool


class HandPage(Struct):
    """A page of hands."""

    items: list[HandSummary]
    page: int
    pages: int
    total: int


class Frame(Struct):
    """One step of a replay."""

    text: str
    street: StreetName
    scene: Scene


class Replay(Struct):
    """A hand, step by step."""

    hand: int
    previous: int | None
    next: int | None
    frames: list[Frame]


# Players, status, tools.


class Career(Struct):
    """What is publicly known of a player, over all matches that have ended."""

    name: str
    dialect: str
    matches: int
    hands: int
    bb_per_100: float
    wins: int


class CareerPage(Struct):
    """A page of players."""

    items: list[Career]
    page: int
    pages: int
    total: int


class Listener(Struct):
    """Where bots connect."""

    dialect: str
    address: str
    port: int


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
