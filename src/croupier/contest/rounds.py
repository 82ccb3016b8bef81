"""How a team fared from round to round: its rate so far, or its rating in a ladder.

Where luck is taken out, there is also the rate so far without it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from croupier.contest.adjusting import adjusted_so_far
from croupier.contest.course import StageCourse
from croupier.contest.estimates import Adjusted
from croupier.contest.formats.ladder import Ladder, ratings_on_the_way
from croupier.contest.ratings import SCALE
from croupier.contest.standings import lines_of

RATING = "rating"
RATE = "rate"


@dataclass(frozen=True)
class RoundPoint:
    """What was known about a team after a round."""

    round: int
    hands: int
    value: float
    margin: float | None
    """Half the width of its interval, if there is one."""
    adjusted: Adjusted | None = None
    """A rate without luck, if the stage takes it out."""


def measure_of(stage: StageCourse) -> str:
    """Return what is followed from round to round."""
    return RATING if isinstance(stage.format, Ladder) else RATE


def rounds_of(stage: StageCourse, team: str) -> list[RoundPoint]:
    """Return how a team stood after each round in which it played."""
    if isinstance(stage.format, Ladder):
        return list(_ratings(stage, team))
    return list(_rates(stage, team))


def _rates(stage: StageCourse, team: str) -> Iterator[RoundPoint]:
    so_far = []
    without_luck = adjusted_so_far(stage.plan, team)
    fixtures = sorted(stage.schedule.fixtures, key=lambda fixture: fixture.round)
    for number, of_round in groupby(fixtures, key=lambda fixture: fixture.round):
        outcomes = [stage.field.outcomes.get(fixture.name) for fixture in of_round]
        own = [one for one in outcomes if one and one.matches and team in one.fixture.teams]
        if not own:
            continue
        so_far += own
        (line,) = lines_of(stage.plan, [team], so_far)
        adjusted = without_luck([match for one in own for match in one.matches])
        if line.rate is not None:
            yield RoundPoint(number, line.hands, line.rate, line.ci95, adjusted)


def _ratings(stage: StageCourse, team: str) -> Iterator[RoundPoint]:
    hands = 0
    for number, (fixture, known) in enumerate(ratings_on_the_way(stage.field), 1):
        outcome = stage.field.outcomes.get(fixture.name)
        if team not in fixture.teams or outcome is None or not outcome.complete:
            continue
        hands += sum(result.hands for result in outcome.matches)
        rating = known[team]
        yield RoundPoint(number, hands, SCALE * rating.mu, SCALE * 3 * rating.sigma)
