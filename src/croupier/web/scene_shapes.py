"""What spectators of a table get: every JSON object of a live table or a replay as a type."""

from typing import Literal

from msgspec import Struct

LineKind = Literal["match", "hand", "deal", "action", "show", "pot", "trouble", "gap"]
StateName = Literal["seating", "countdown", "playing", "returning", "paused", "over"]
StreetName = Literal["preflop", "flop", "turn", "river"]
BlindName = Literal["small", "big", ""]


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


class NextMatch(Struct):
    """The match that is open at a table while its last one is still shown."""

    match: str
    here: int
    seats: int


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
    next: NextMatch | None = None


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


class TablePlayer(Struct):
    """Who plays at a table, and in which dialect."""

    name: str
    dialect: str


class TableSummary(Struct):
    """A table in short."""

    table: str
    match: str
    rules: str
    seats: int
    players: list[TablePlayer]
    hand: int
    state: StateName


class TablePage(Struct):
    """A page of tables."""

    items: list[TableSummary]
    page: int
    pages: int
    total: int
