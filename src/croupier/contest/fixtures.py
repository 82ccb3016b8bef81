"""Fixtures and their matches: what a format asks for, and what was played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from croupier.contest.plan import DUPLICATE, StagePlan

DEAL_GROUPS = 100
"""The deals of a match are counted in at most so many groups, deal N in group (N - 1) mod 100."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A meeting of teams that a format asks for."""

    name: str
    """Unique within its stage, such as `r2.1`; it never changes once the fixture is known."""
    round: int
    """From 1."""
    teams: tuple[str, ...]
    """The better seed first."""
    sets: int = 1
    """How many sets it takes; more than planned if it was level."""
    label: str = ""
    """Its name for people, such as `semi-final 1`, if it has one."""


@dataclass(frozen=True, slots=True, order=True)
class MatchName:
    """The name of a match within its contest, from which its seed and its seats follow."""

    stage: str
    fixture: str
    set: int
    """The number of its set within the fixture, from 1."""
    match: int
    """Its number within the set, from 1."""

    @classmethod
    def read(cls, text: str) -> "MatchName":
        """Return the name that a text stands for."""
        stage, fixture, numbers = text.split("/")
        number, _, match = numbers.partition(".")
        return cls(stage, fixture, int(number), int(match))

    def __str__(self) -> str:
        return f"{self.stage}/{self.fixture}/{self.set}.{self.match}"


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one team made of a match."""

    team: str
    chips: int
    """Chips won, negative if lost."""
    bb: float
    """The same in big blinds, each hand by the big blind of its time."""
    bb2: float
    """The sum of the squares of what it won in each hand, in big blinds."""
    rank: int
    """Its place in the match by the rules of the game, ties sharing one."""
    survived: int
    """The number of hands it survived."""
    faults: int = 0
    forfeit: str = ""
    """Why the team forfeits the match; empty: it does not."""
    causes: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Its faults by cause, where the record of the match does not have them."""
    groups: tuple[float, ...] = ()
    """What it won in each group of deals, in big blinds: in duplicate sets, and where luck is taken
    out of rates."""
    luck: bytes = b""
    """The terms of its luck in each group of deals, see `adjusting`; empty: they are not known."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of one match, in the order of its players."""

    name: MatchName
    seats: tuple[SeatResult, ...]
    hands: int

    def of(self, team: str) -> SeatResult | None:
        """Return a team's line, if it took part."""
        return next((seat for seat in self.seats if seat.team == team), None)


def matches_of(fixture: Fixture, stage: StagePlan) -> list[MatchName]:
    """Return the matches of a fixture, in order."""
    size = len(fixture.teams) if stage.deals == DUPLICATE else 1
    return [
        MatchName(stage.name, fixture.name, number, match)
        for number in range(1, fixture.sets + 1)
        for match in range(1, size + 1)
    ]


def twin_of(name: MatchName, stage: StagePlan) -> int:
    """Return the number of a match among those with the same deals, from 0."""
    return name.match - 1 if stage.deals == DUPLICATE else 0


def seats_of(teams: Sequence[str], name: MatchName) -> tuple[str, ...]:
    """Return the teams of a match in the order of its players.

    The matches of a set are rotations of each other: with the same deals, every team plays the
    cards of every other.
    """
    by = (name.match - 1) % len(teams)
    return (*teams[by:], *teams[:by])


def unrotated(teams: Sequence[str], name: MatchName) -> tuple[str, ...]:
    """Return the teams of a match in the order of their seeds again."""
    by = (1 - name.match) % len(teams)
    return (*teams[by:], *teams[:by])
