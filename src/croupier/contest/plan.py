"""A contest's file as data: teams, stages, and what holds for all of them."""

from dataclasses import dataclass
from functools import cached_property

from croupier.contest.stopping import Stop
from croupier.rules.rules import CARRY, KUHN, Rules

SINGLE = "single"
DUPLICATE = "duplicate"

HANDS = "hands"
RESULTS = "results"

POINTS = "points"
RATE = "rate"
BANKROLL = "bankroll"
RUNOFF = "runoff"
SCORES = (POINTS, RATE, BANKROLL, RUNOFF)


@dataclass(frozen=True)
class Team:
    """An entrant: its display name and how it plays."""

    name: str
    bot: str = ""
    """A house bot's name, or a class as `FILE.py:Class`."""
    command: str = ""
    """The command that starts its program."""
    dialect: str = ""
    """The dialect of its program or of its own connections; empty for a bot."""
    house: bool = False
    """Whether it is a house bot, which is marked wherever it is listed."""
    nonce: str = ""
    """Its public contribution to the contest's deals."""

    @property
    def connects(self) -> bool:
        """Whether it connects by itself, whenever its owner starts it."""
        return not self.bot and not self.command


@dataclass(frozen=True, kw_only=True)
class StagePlan:
    """One stage: a format over some teams, and how their matches are played."""

    name: str
    format: str
    rules: Rules
    seats: int = 2
    """Seats per table."""
    deals: str = SINGLE
    sets: int = 1
    """How many sets a fixture consists of; with `stop`, at most."""
    stop: Stop | None = None
    """What ends a fixture before all its sets are played."""
    score: str = RATE
    """What the standing is ordered by."""
    start: float | None = None
    """The time before which it does not begin, in seconds since 1970."""
    advance: int = 0
    """How many teams go on, of each group where there are groups; 0: all."""
    times: int = 1
    """How many times all fixtures of a schedule are played."""
    rounds: int = 0
    """How many rounds are played, where the format leaves that open; 0: its own choice."""
    groups: int = 1
    third_place: bool = False
    challengers: tuple[str, ...] = ()
    """In a gauntlet, the teams that meet all others."""
    draw: bool = False
    """Whether the seeds are drawn; otherwise they follow the file, or the stage before."""
    fill: tuple[str, ...] = ()
    """House bots for the seats of a table that no team takes; they have no place in standings."""
    matches: int = 0
    """In a ladder, after how many matches it ends; 0: when it is stopped."""
    luck: bool | None = None
    """Whether luck is taken out of rates; None: where a hand costs more than that."""
    coefficients: tuple[float, ...] = ()
    """Those of luck, in the plan of a course; empty: luck is not taken out."""

    @property
    def carried(self) -> bool:
        """Whether stacks carry over from hand to hand."""
        return self.rules.stacks == CARRY

    @property
    def by_places(self) -> bool:
        """Whether the places in a match decide, and not what was won.

        They do where a match is played until somebody is out. In Kuhn poker coins count, although
        they carry over.
        """
        return self.carried and self.rules.game != KUHN

    @property
    def hands(self) -> int:
        """The most hands of a match; 0: until one player is left."""
        return self.rules.hands


@dataclass(frozen=True, kw_only=True)
class FriendlyPlan:
    """The friendly matches that teams may ask for; they count nowhere."""

    hands: int = 200
    """Hands of a match."""
    waiting: int = 2
    """How many of those that a team has asked for may be open at a time."""


@dataclass(frozen=True, kw_only=True)
class ContestPlan:
    """Everything that the file says about a contest's course."""

    title: str
    teams: tuple[Team, ...]
    stages: tuple[StagePlan, ...]
    record: str = HANDS
    keep_disqualified: bool = False
    """Whether matches against a disqualified team still count for the others."""
    forfeit_stacks: float = 1.0
    """What a forfeited match costs in a rate, in starting stacks."""
    beacon: str = ""
    """The public source, announced beforehand, whose value enters the deals."""
    uploads: bool = False
    """Whether teams may put in new versions of their programs by themselves."""
    friendlies: FriendlyPlan | None = None
    """The friendly matches that teams may ask for; None: none are played."""
    coefficients: str = ""
    """The text of the coefficients of luck that it has committed to; empty: it has to none."""

    @cached_property
    def teams_by_name(self) -> dict[str, Team]:
        """The teams by their names."""
        return {team.name: team for team in self.teams}

    @property
    def seals_sets(self) -> bool:
        """Whether somebody who has seen a deal could still tell a player of it."""
        return self.uploads or any(team.connects for team in self.teams)

    @property
    def spare_workers(self) -> int:
        """How many workers play friendly matches and nothing else."""
        return 0 if self.friendlies is None else 1

    def stage(self, name: str) -> StagePlan:
        """Return the stage with a name."""
        return next(stage for stage in self.stages if stage.name == name)
