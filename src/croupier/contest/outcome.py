"""The outcome of a fixture, from the results of its matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from croupier.contest.fixtures import Fixture, MatchResult
from croupier.contest.plan import StagePlan
from croupier.contest.stopping import BETTER, WORSE, Look


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a fixture has come to so far."""

    fixture: Fixture
    matches: tuple[MatchResult, ...]
    complete: bool
    """All its matches are played, or given up."""
    points: Mapping[str, float]
    """By team; n - 1 for the first of n to 0 for the last, ties share. Where stacks carry over,
    each match gives points; where they are reset, the fixture as a whole does."""
    merit: Mapping[str, tuple[float, int]]
    """By team, what decides the fixture: more is better."""
    given_up: bool = False
    """Nothing more is played of it, by an organiser's decision."""
    stopped: bool = False
    """Enough was played of it to know what the stage wants to know."""
    look: Look | None = None
    """What its last whole set has shown about its first team, where the stage says when to stop."""

    @property
    def best(self) -> str | None:
        """The only team with most merit, or None if the fixture is level."""
        most = max(self.merit.values(), default=(0.0, 0))
        leaders = [team for team, merit in self.merit.items() if merit == most]
        return leaders[0] if len(leaders) == 1 else None


def summed_up(
    fixture: Fixture,
    stage: StagePlan,
    played: Sequence[MatchResult],
    complete: bool,
    look: Look | None = None,
) -> Outcome:
    """Return the outcome of a fixture with these matches; `look` is what its sets have shown.

    Where stacks are reset, a team that was shown to be better has won, and otherwise chips over all
    matches decide. Where they carry over, the places in each match give points, and chips decide
    between teams with the same points.
    """
    chips = dict.fromkeys(fixture.teams, 0)
    by_places = dict.fromkeys(fixture.teams, 0.0)
    for match in played:
        for seat in match.seats:
            chips[seat.team] += seat.chips
        for team, points in shared_points({s.team: (-s.rank, 0) for s in match.seats}).items():
            by_places[team] += points
    if not played:
        return Outcome(fixture, (), complete, {}, {})
    if stage.by_places:
        merit = {team: (by_places[team], chips[team]) for team in fixture.teams}
        return Outcome(fixture, tuple(played), complete, by_places, merit)
    decision = "" if look is None else look.decision
    better = {BETTER: fixture.teams[0], WORSE: fixture.teams[-1]}.get(decision)
    merit = {team: (float(team == better), chips[team]) for team in fixture.teams}
    return Outcome(fixture, tuple(played), complete, shared_points(merit), merit, look=look)


def shared_points(merit: Mapping[str, tuple[float, int]]) -> dict[str, float]:
    """Return points by team, n - 1 to 0, for merits of which more is better; ties share."""
    points = {}
    for team, mine in merit.items():
        worse = sum(other < mine for other in merit.values())
        equal = sum(other == mine for other in merit.values()) - 1
        points[team] = worse + equal / 2
    return points
