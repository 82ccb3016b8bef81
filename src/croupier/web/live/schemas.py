"""The types of the JSON objects for live tables and replays."""

from typing import Literal

from msgspec import Struct

from croupier.history.sentences import Kind

LineKind = Literal[Kind, "gap"]
StateName = Literal["seating", "countdown", "playing", "returning", "paused", "over"]
StreetName = Literal[
    "preflop", "flop", "turn", "river", "round1", "round2", "round3", "round4"
]  # fmt: skip
BlindName = Literal["small", "big", ""]


class Pot(Struct):
    """A main pot or side pot."""

    amount: int


class Turn(Struct):
    """Whose turn it is; `since` is in seconds since 1970, or null in a replay.

    `price` is what a call costs, 0 if the player can check; `stake` is the part of the pot that it
    can win by that, which is less than the pot where it has too few chips for more.
    """

    seat: int
    clock_ms: int
    since: float | None
    price: int
    stake: int


class Seat(Struct):
    """A seat in the hand; a card that is not open is null."""

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


class RankingLine(Struct):
    """A line of a table's ranking."""

    rank: int
    name: str
    chips: int
    out: bool


class NextMatch(Struct):
    """The match that is open at a table while the end of the last one is still shown."""

    match: str
    here: int
    seats: int


class Scene(Struct):
    """Everything that a spectator sees of a table at one moment."""

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
    ranking: list[RankingLine]
    state: StateName
    message: str
    next: NextMatch | None = None


class Line(Struct):
    """A sentence of a table's log; `seq` increases and is unique."""

    seq: int
    text: str
    hand: int
    kind: LineKind


class Bound(Struct, frozen=True):
    """What the server is bound to at a table, see docs/deals.md."""

    commitment: str = ""
    opening: int | None = None
    """Which opening of the table it is, if that is on record."""
    announced: str = ""
    """The beacon whose value enters the deals, if there is one."""
    beacon: str = ""
    """Its value, once the match has begun."""
    secret: bool = True
    """Whether nobody but the server knows the seed until the end."""


class TablePlayer(Struct):
    """A player at a table."""

    name: str
    dialect: str


class TableSummary(Struct):
    """The summary of a table."""

    table: str
    match: str
    rules: str
    seats: int
    players: list[TablePlayer]
    hand: int
    state: StateName
    humans: bool
    """Whether people may sit down, by /play/TABLE."""
    free: int
    """How many places are free now."""
    pot: int
    """The chips in the middle of its hand."""
    big_blind: int
    all_in: bool
    """Whether a player of the hand is all in."""


class Terms(Struct):
    """The rules of a table's match that somebody wants to know before taking a seat."""

    hands: int
    """After how many hands a match ends; 0: when one player is left."""
    stack: int
    """Starting chips of each player."""
    small_blind: int
    big_blind: int
    decision_ms: int
    """How long a program may think."""
    human_ms: int
    """How long a person on the website may think."""


class TableDetail(Struct):
    """The current state of a table and the last lines of its log."""

    scene: Scene
    seq: int
    lines: list[Line]
    bound: Bound
    summary: TableSummary
    terms: Terms


class TablePage(Struct):
    """A page of tables."""

    items: list[TableSummary]
    page: int
    pages: int
    total: int


class Listener(Struct):
    """An address for bots to connect to."""

    dialect: str
    address: str
    port: int
    scheme: str
    """How to connect: ws or wss for a WebSocket, tls for TLS over TCP, empty for plain TCP."""
    about: str
    """A short description of the protocol."""
    guide: str
    """The document that describes the protocol."""
