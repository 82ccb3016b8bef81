"""Standings: the figures of each team, and the order that a score and its tie-breaks give."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from croupier.contest.fixtures import MatchResult
from croupier.contest.outcome import Outcome
from croupier.contest.plan import BANKROLL, DUPLICATE, POINTS, RATE, RUNOFF, StagePlan
from croupier.contest.rates import rate_of
from croupier.contest.ratings import Rating

TIE_BREAKS = {
    POINTS: "points, then direct encounter, then bb/100 (chips where stacks carry over), then hands"
    " survived",
    RATE: "bb/100, then direct encounter, then points",
    BANKROLL: "total chips, then direct encounter, then points",
    RUNOFF: "the team with the smallest bankroll among those left is taken out, again and again",
}
"""By score, in which order teams are ranked; who is still equal shares a rank."""

COUNTED = {
    POINTS: "points: one for each opponent beaten, half for a tie",
    RATE: "bb/100",
    BANKROLL: "chips won less chips lost, over all matches",
    RUNOFF: "teams that were taken out earlier",
}
"""By score, what its number counts."""


@dataclass(frozen=True)
class Line:
    """One line of a standing."""

    team: str
    rank: int = 0
    matches: int = 0
    hands: int = 0
    score: float = 0.0
    """What the standing is ordered by."""
    rate: float | None = None
    """In bb/100."""
    ci95: float | None = None
    """Half the width of the rate's 95 % interval."""
    forfeits: int = 0
    points: float = 0.0
    chips: int = 0
    survived: int = 0
    faults: int = 0
    byes: int = 0
    group: str = ""
    note: str = ""
    """What a reader should know, such as that the team was withdrawn."""
    strength: Rating | None = None
    """What a ladder believes about the team."""
    results: tuple[MatchResult, ...] = field(default=(), repr=False)
    """The matches that it was made of."""

    @property
    def remarks(self) -> str:
        """The note, with the strength before it if there is one."""
        strength = "" if self.strength is None else f"strength {self.strength}"
        return "; ".join(filter(None, (strength, self.note)))


@dataclass
class _Tally:
    """The sums of one team."""

    matches: int = 0
    hands: int = 0
    points: float = 0.0
    chips: int = 0
    survived: int = 0
    faults: int = 0
    forfeits: int = 0
    bb: float = 0.0
    results: list[MatchResult] = field(default_factory=list)

    def add(self, outcome: Outcome, team: str) -> None:
        self.points += outcome.points.get(team, 0.0)
        for match in outcome.matches:
            seat = match.of(team)
            if seat is None:  # it was withdrawn, and the others played on
                continue
            self.matches += 1
            self.hands += match.hands
            self.chips += seat.chips
            self.survived += seat.survived
            self.faults += seat.faults
            self.forfeits += bool(seat.forfeit)
            self.bb += seat.bb
            self.results.append(match)

    def line(self, team: str, stage: StagePlan, byes: int) -> Line:
        half = rate_of(stage, self.results, team).ci95
        win = (stage.seats - 1) * (_matches(stage) if stage.by_places else 1)
        return Line(
            team,
            matches=self.matches,
            hands=self.hands,
            rate=100 * self.bb / self.hands if self.hands else None,
            ci95=None if half is None else 100 * half,
            forfeits=self.forfeits,
            points=self.points + byes * win,
            chips=self.chips,
            survived=self.survived,
            faults=self.faults,
            byes=byes,
            results=tuple(self.results),
        )


def lines_of(
    stage: StagePlan,
    teams: Iterable[str],
    outcomes: Iterable[Outcome],
    byes: Mapping[str, int] | None = None,
) -> list[Line]:
    """Return the figures of teams, in the order given; a bye gives the points of a win."""
    byes = byes or {}
    tallies = {team: _Tally() for team in teams}
    for outcome in outcomes:
        if outcome.matches:
            for team in outcome.fixture.teams:
                if team in tallies:
                    tallies[team].add(outcome, team)
    return [tally.line(team, stage, byes.get(team, 0)) for team, tally in tallies.items()]


def _matches(stage: StagePlan) -> int:
    """Return how many matches a fixture of a full table has."""
    return stage.sets * (stage.seats if stage.deals == DUPLICATE else 1)


def ranked(
    score: str, stage: StagePlan, lines: Sequence[Line], outcomes: Sequence[Outcome]
) -> list[Line]:
    """Return lines with their scores and ranks, best first.

    Lines that are equal in everything share a rank and stay in the order given.
    """
    if score == RUNOFF:
        scores = _runoff([line.team for line in lines], outcomes)
    else:
        scores = {line.team: _SCORES[score](line) for line in lines}
    lines = [replace(line, score=scores[line.team]) for line in lines]
    direct = _direct_encounters(lines, outcomes)

    def key(line: Line) -> tuple[float, ...]:
        if score == POINTS:
            amount = line.chips if stage.by_places else line.rate or 0.0
            return (-line.score, -direct[line.team], -amount, -line.survived)
        # Who has played nothing has no rate, and is not better than those who lost.
        return (not line.matches, -line.score, -direct[line.team], -line.points)

    ordered = sorted(lines, key=key)
    first_with: dict[tuple[float, ...], int] = {}
    return [
        replace(line, rank=first_with.setdefault(key(line), place))
        for place, line in enumerate(ordered, 1)
    ]


_SCORES: dict[str, Callable[[Line], float]] = {
    POINTS: lambda line: line.points,
    RATE: lambda line: line.rate or 0.0,
    BANKROLL: lambda line: line.chips,
}


def _direct_encounters(lines: Sequence[Line], outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return, by team, its wins less its defeats against the teams with the same score.

    Where not all of them have met, whoever met none of them is neither ahead nor behind for it.
    """
    equal: dict[float, set[str]] = {}
    for line in lines:
        equal.setdefault(line.score, set()).add(line.team)
    tied = {line.team: equal[line.score] for line in lines if len(equal[line.score]) > 1}
    direct = dict.fromkeys((line.team for line in lines), 0.0)
    for outcome in outcomes if tied else ():
        for team in outcome.fixture.teams:
            rivals = tied.get(team, set())
            for other in outcome.fixture.teams if outcome.merit else ():
                if other in rivals:
                    mine, its = outcome.merit[team], outcome.merit[other]
                    direct[team] += (mine > its) - (mine < its)
    return direct


def _runoff(teams: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return, by team, how many it outlasts when the smallest bankroll goes, again and again.

    A bankroll counts the matches between teams that are left. Teams with the same one go together.
    """
    left = set(teams)
    places: dict[str, float] = {}
    while left:
        bankrolls = dict.fromkeys(left, 0)
        for outcome in outcomes:
            if left.issuperset(outcome.fixture.teams):
                for match in outcome.matches:
                    for seat in match.seats:
                        bankrolls[seat.team] += seat.chips
        smallest = min(bankrolls.values())
        out = {team for team, chips in bankrolls.items() if chips == smallest}
        places |= dict.fromkeys(out, float(len(teams) - len(left)))
        left -= out
    return places
