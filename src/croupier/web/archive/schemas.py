"""The types of the API's responses about recorded matches, hands and players."""

from typing import Literal

from msgspec import Struct

from croupier.web.live.schemas import Scene, StreetName

Status = Literal["running", "ended"]


class MatchSummary(Struct):
    """The summary of a match; times are in seconds since 1970."""

    match: str
    table: str
    rules: str
    began: float
    ended: float | None
    hands: int
    players: list[str]
    winners: list[str]
    status: Status
    arena: str
    """The arena that it belongs to; empty where there is only one."""
    friendly: bool
    """Whether it counts nowhere: a team of a contest has asked for it."""
    watch: str | None
    """Where it can be watched live, here or on the site of another arena; null if nowhere."""


class MatchPage(Struct):
    """A page of matches."""

    items: list[MatchSummary]
    page: int
    pages: int
    total: int


class Result(Struct):
    """A line of a match's ranking with the player's statistics."""

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
    unit: str
    """What intervals are over: `hand`, or `match` where stacks carry over: one has no interval."""
    commitment: str
    secret: bool
    seed: str | None
    salt: str | None
    scheme: int
    """By which version of the derivation it was dealt."""
    opening: int | None
    """Which opening of its table it was, if that is on record."""
    announced: str
    """The beacon that was announced with the commitment."""
    beacon: str
    """The value of the beacon."""
    twin: int
    """Its number in a set of duplicates; 0: it is in none."""
    nonces: list[str]
    """What players added to the deals, in the order of joining."""
    deal_seed: str | None
    """What the cards were dealt from."""
    formats: list[str]
    """The exports that there are of it: not every format knows every game."""


class Opening(Struct):
    """An opening of a prepared table; `digest` binds it to the one before."""

    arena: str
    table: str
    opening: int
    at: float
    match: str | None
    commitment: str
    secret: bool
    announced: str
    previous: str
    digest: str


class OpeningPage(Struct):
    """A page of openings, the newest of a table first."""

    items: list[Opening]
    page: int
    pages: int
    total: int


class Curve(Struct):
    """A player's chips after each hand of a chart."""

    name: str
    chips: list[int]


class Chart(Struct):
    """All players' chips after at most 500 of the hands."""

    hands: list[int]
    players: list[Curve]


class HandSummary(Struct):
    """The summary of a hand."""

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


class Career(Struct):
    """A player's public totals in one game, over all matches that have ended."""

    name: str
    """Of a house bot, its own name."""
    dialect: str
    rules: str
    house: bool
    matches: int
    hands: int
    bb_per_100: float
    ci95: float | None
    """Half the width of the 95 % interval over matches; null after a single one."""
    wins: int


class CareerPage(Struct):
    """A page of players."""

    items: list[Career]
    page: int
    pages: int
    total: int


class RulesList(Struct):
    """The names of rules, in order."""

    items: list[str]
