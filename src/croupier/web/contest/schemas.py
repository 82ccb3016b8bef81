"""The types of the API's responses about contests."""

from typing import Literal

from msgspec import Struct

ContestState = Literal["waiting", "running", "paused", "complete"]
StageState = Literal["complete", "current", "to come"]
FixtureState = Literal["played", "not played", "broken off", "begun", "to come"]
Measure = Literal["rate", "rating"]


Unit = Literal["hand", "set", "match"]
Stopped = Literal["better", "worse", "same", "budget"]


class WithoutLuck(Struct):
    """A rate without the luck of the cards, in bb/100; `ci95` is half the width of its interval."""

    bb_per_100: float
    ci95: float | None
    factor: float | None
    """How many times as many plain hands would give an interval as narrow."""


class Difference(Struct):
    """By how much a team is better than another, in bb/100, with an interval of its own."""

    bb_per_100: float
    ci95: float | None


class Strength(Struct):
    """What a ladder believes about a team: a mean, and three standard deviations."""

    mean: float
    margin: float


class StandingLine(Struct):
    """A line of a standing; rates are in bb/100, `ci95` is half the width of the interval."""

    rank: int
    team: str
    house: bool
    matches: int
    hands: int
    score: float
    rate: float | None
    ci95: float | None
    adjusted: WithoutLuck | None
    """Null where luck is not taken out; `leaders` of contests have none."""
    points: float
    chips: int
    faults: int
    forfeits: int
    byes: int
    group: str
    note: str
    strength: Strength | None
    """Null but in a ladder."""


class Cell(Struct):
    """What a team made of another one."""

    team: str
    opponent: str
    matches: int
    hands: int
    points: float
    chips: int
    rate: float
    ci95: float | None
    adjusted: WithoutLuck | None
    difference: Difference
    adjusted_difference: Difference | None


class PlayedMatch(Struct):
    """A match of a fixture, with its record if there is one."""

    name: str
    match: str | None
    """The id of its record."""
    ended: float | None
    """Null while it is being played."""
    table: str | None
    """The live table where it can be watched now."""


class Known(Struct):
    """What is known about the first team of a fixture that goes on until something is shown."""

    bb_per_100: float
    always_valid: float | None
    """Half the width of the interval that holds at every look; null before it is known."""
    identical: bool
    """Whether every unit came out level."""


class FixtureLine(Struct):
    """A fixture; `points` and `chips` follow the order of its teams, and are empty at first."""

    stage: str
    fixture: str
    label: str
    round: int
    teams: list[str]
    state: FixtureState
    played: int
    matches: int
    points: list[float]
    chips: list[int]
    forfeits: dict[str, str]
    interval: Known | None
    """Null where nothing was looked at yet, or the stage does not say when to stop."""
    stopped: Stopped | None
    """What has ended it, where the stage says when to stop."""
    records: list[PlayedMatch]
    """Matches that are being played or have a record; the list of one stage has them all."""


class Meeting(Struct):
    """A place of a bracket; null is a team that is not known yet, "" one that there will not be."""

    round: int
    fixture: str
    label: str
    teams: list[str | None]
    winner: str | None


class StageSummary(Struct):
    """A stage and how far it is; times are in seconds since 1970."""

    name: str
    format: str
    rules: str
    state: StageState
    start: float | None
    """When it begins, if the organiser has set a time."""
    played: int
    matches: int
    """Those known so far."""


class ContestSummary(Struct):
    """A contest and how far it is."""

    contest: int
    title: str
    state: ContestState
    began: float
    teams: int
    played: int
    stages: list[StageSummary]
    leaders: list[StandingLine]
    """The first lines of the standing of the stage that is played, or was played last."""
    score_counts: str
    """What `score` of a line counts."""


class ContestPage(Struct):
    """A page of contests."""

    items: list[ContestSummary]
    page: int
    pages: int
    total: int


class LatestResult(Struct):
    """A match with its result; seats are in the order of its players."""

    stage: str
    fixture: str
    label: str
    match: str | None
    ended: float
    hands: int
    teams: list[str]
    chips: list[int]
    forfeits: dict[str, str]


class ContestDetail(Struct):
    """A contest: what is on, what is next, who leads, what happened last."""

    contest: int
    title: str
    state: ContestState
    began: float
    stages: list[StageSummary]
    stage: str
    """The stage that is played now, or was played last."""
    ordered_by: str
    score_counts: str
    """What `score` of a line counts."""
    standing: list[StandingLine]
    now: list[FixtureLine]
    next: list[FixtureLine]
    latest: list[LatestResult]
    commitment: str
    seed: str | None
    """Null until the contest is complete."""
    salt: str | None
    coefficients: str
    """The hash of the coefficients of luck, which is part of the commitment; empty: it has none."""


class StageDetail(Struct):
    """A stage with everything that was played in it."""

    name: str
    format: str
    rules: str
    state: StageState
    note: str
    ordered_by: str
    score_counts: str
    """What `score` of a line counts."""
    by_places: bool
    """Whether places in a match decide; then cells are read by their points."""
    luck: bool
    """Whether luck is taken out of rates."""
    unit: Unit
    """What intervals without luck are over."""
    standing: list[StandingLine]
    cells: list[Cell]
    fixtures: list[FixtureLine]
    bracket: list[Meeting] | None


class RoundPoint(Struct):
    """What was known about a team after a round, with half the width of its interval."""

    round: int
    hands: int
    value: float
    margin: float | None
    adjusted: WithoutLuck | None
    """The rate without luck; null where luck is not taken out, and in a ladder."""


class TeamStage(Struct):
    """A team in one stage."""

    stage: str
    format: str
    by_places: bool
    line: StandingLine | None
    """Null if it has no place in the standing."""
    measure: Measure
    rounds: list[RoundPoint]
    opponents: list[Cell]
    fixtures: list[FixtureLine]


class TeamDetail(Struct):
    """A team in its contest."""

    contest: int
    title: str
    team: str
    house: bool
    plays_by: str
    remarks: list[str]
    stages: list[TeamStage]


class ShareOf(Struct):
    """How often something was done, out of how many chances."""

    done: int
    chances: int


class StyleFigures(Struct):
    """How a team plays hold'em."""

    vpip: ShareOf
    pfr: ShareOf
    three_bet: ShareOf
    aggression: ShareOf
    to_showdown: ShareOf
    won_showdown: ShareOf


class FaultLine(Struct):
    """A line of the log of a match: something that a team did wrong."""

    match: str
    hand: int
    cause: str
    text: str


class BigPot(Struct):
    """A big pot in which a team put chips."""

    match: str
    hand: int
    pot: int
    big_blinds: float
    won: bool
    opponents: list[str]
    """Everyone else in the match."""


class TeamPlay(Struct):
    """How a team played, from the hands of its latest matches."""

    hands: int
    """The hands that were read."""
    of_hands: int
    """All its hands on record."""
    style: StyleFigures | None
    """Null if it played no hold'em."""
    faults: dict[str, int]
    fault_lines: list[FaultLine]
    decisions: int
    """Those whose time was taken."""
    mean_seconds: float | None
    p99_seconds: float | None
    pots: list[BigPot]
