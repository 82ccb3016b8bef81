"""How far the fixtures of a stage are: what was played of each, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.contest.course import StageCourse
from croupier.contest.fixtures import Fixture, MatchName, matches_of

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

    @property
    def settled(self) -> bool:
        """Whether nothing more will be played of it."""
        return self.state in (PLAYED, NOT_PLAYED, BROKEN_OFF)

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
    )
