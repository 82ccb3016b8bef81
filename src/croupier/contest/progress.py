"""How far the fixtures of a stage are: what was played of each, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.contest.course import StageCourse
from croupier.contest.fixtures import Fixture, MatchName, matches_of
from croupier.contest.stopping import BUDGET, Look

PLAYED = "played"
NOT_PLAYED = "not played"
BROKEN_OFF = "broken off"
BEGUN = "begun"
TO_COME = "to come"


@dataclass(frozen=True)
class FixtureProgress:
    """A fixture with what is known about it."""

    fixture: Fixture
    state: str
    played: tuple[MatchName, ...]
    matches: tuple[MatchName, ...]
    points: Mapping[str, float]
    """By team; empty as long as nothing was played."""
    chips: Mapping[str, int]
    """By team, what it won in all matches."""
    forfeits: Mapping[str, str]
    """By team that forfeited a match, why."""
    look: Look | None = None
    """What is known about its first team, where the stage says when to stop."""

    @property
    def settled(self) -> bool:
        """Whether nothing more will be played of it."""
        return self.state in (PLAYED, NOT_PLAYED, BROKEN_OFF)

    @property
    def stopped(self) -> str | None:
        """What has ended it, where the stage says when to stop; None: it is not over."""
        if self.look is None or not self.settled:
            return None
        return self.look.decision or BUDGET

    @property
    def text(self) -> str:
        """The state in words."""
        state = self.state
        if state == BEGUN:
            state = f"{len(self.played)} of {len(self.matches)}"
        return state + (", forfeit" if self.forfeits else "")


def fixtures_of(stage: StageCourse) -> list[FixtureProgress]:
    """Return the fixtures of a stage that are known, in the order of its schedule."""
    return [_progress(stage, fixture) for fixture in stage.schedule.fixtures]


def _progress(stage: StageCourse, fixture: Fixture) -> FixtureProgress:
    names = matches_of(fixture, stage.plan)
    played = [stage.results[name] for name in names if name in stage.results]
    outcome = stage.field.outcomes.get(fixture.name)
    chips: dict[str, int] = {}
    for result in played:
        for seat in result.seats:
            chips[seat.team] = chips.get(seat.team, 0) + seat.chips
    if len(played) == len(names):
        state = PLAYED
    elif stage.field.is_settled(fixture):
        state = BROKEN_OFF if played else NOT_PLAYED
    else:
        state = BEGUN if played else TO_COME
    return FixtureProgress(
        fixture,
        state,
        tuple(result.name for result in played),
        tuple(names),
        {} if outcome is None else dict(outcome.points),
        chips,
        {seat.team: seat.forfeit for result in played for seat in result.seats if seat.forfeit},
        None if outcome is None else outcome.look,
    )
