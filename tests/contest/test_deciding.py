"""A fixture with `stop` goes on set by set until enough is known, or its budget ends."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from croupier.contest.course import Course
from croupier.contest.fixtures import MatchName, MatchResult, SeatResult
from croupier.contest.plan import DUPLICATE, ContestPlan, StagePlan, Team
from croupier.contest.progress import PLAYED, fixtures_of
from croupier.contest.stopping import Stop
from tests.support.stages import planned

SETS = 40
HANDS = 50

Won = Callable[[MatchName, int], float]
"""What the first team wins in a deal, in big blinds."""


def course(stage: StagePlan, won: Won, backwards: bool = False) -> Course:
    """Play a contest of two teams to its end; of what is due, the last first if asked for."""
    plan = ContestPlan(title="Cup", teams=(Team("A", "x"), Team("B", "x")), stages=(stage,))
    results: list[MatchResult] = []
    while not (now := Course(plan, b"", results)).complete:
        due = list(now.due())
        assert len({one.name.set for one in due}) == 1, "a set is played before the one before"
        name = due[-1 if backwards else 0].name
        values = [won(name, deal) for deal in range(HANDS)]
        seats = (seat("A", values), seat("B", [-value for value in values]))
        results.append(MatchResult(name, seats if name.match == 1 else seats[::-1], HANDS))
    return now


def seat(team: str, values: list[float]) -> SeatResult:
    bb, bb2 = sum(values), sum(value * value for value in values)
    return SeatResult(team, round(100 * bb), bb, bb2, 1, HANDS, groups=tuple(values))


def cards(name: MatchName, deal: int) -> float:
    """Return what the cards of a deal give to whoever sits first."""
    wild = ((name.set * 7919 + deal * 104729) % 201 - 100) / 5
    return wild if name.match == 1 else -wild


def better(name: MatchName, deal: int) -> float:
    return cards(name, deal) + 2.0 + (deal + name.match) % 3 - 1


def alike(name: MatchName, deal: int) -> float:
    return cards(name, deal)


def stage(stop: Stop | None, format: str = "round-robin") -> StagePlan:
    base = planned(format, sets=SETS)
    rules = replace(base.rules, hands=HANDS, stack=2000)
    return replace(base, rules=rules, deals=DUPLICATE, stop=stop)


def sets_played(done: Course) -> int:
    (fixture,) = fixtures_of(done.current)
    assert fixture.state == PLAYED
    assert len(fixture.matches) == len(fixture.played)
    return len(fixture.played) // 2


@pytest.mark.parametrize("format", ["round-robin", "knockout"])
def test_it_ends_as_soon_as_one_team_is_shown_to_be_better(format: str) -> None:
    done = course(stage(Stop(better=0.05), format), better)
    assert 2 <= sets_played(done) < SETS / 2  # 100 units are two sets of 50 deals
    assert done.current.standing[0].team == "A"


def test_it_ends_where_the_difference_is_shown_to_be_small() -> None:
    assert 2 <= sets_played(course(stage(Stop(0.05, 200)), alike)) < SETS


def test_a_level_knockout_that_is_stopped_is_won_by_the_better_seed() -> None:
    done = course(stage(Stop(same=200), "knockout"), alike)
    assert "level" in done.current.standing[0].note
    assert done.current.standing[0].team == "A"


def test_it_ends_with_its_budget_where_nothing_is_shown() -> None:
    assert sets_played(course(stage(Stop(same=0.001)), alike)) == SETS


def test_when_it_ends_does_not_depend_on_the_order_in_which_matches_end() -> None:
    one, other = (course(stage(Stop(0.05)), better, backwards) for backwards in (False, True))
    assert sets_played(one) == sets_played(other)
