"""What holds for every format, whatever is played, in whatever order, and whoever leaves."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.formats.registry import FORMATS
from croupier.contest.plan import SCORES, StagePlan
from tests.support.stages import PlayedStage, chance, names, planned

Case = tuple[StagePlan, tuple[str, ...]]


def stages(most: int) -> st.SearchStrategy[Case]:
    """Return stages of all formats that are planned beforehand."""

    def with_teams(number: int) -> st.SearchStrategy[Case]:
        teams = names(number)
        seats = st.integers(2, 8)
        sets = st.integers(1, 3)
        few = st.integers(1, 2)
        scores = st.sampled_from(SCORES)
        plans = [
            st.builds(planned, st.just("round-robin"), seats=seats, times=few, score=scores),
            st.builds(planned, st.just("swiss"), seats=seats, sets=sets, rounds=st.integers(0, 6)),
            st.builds(planned, st.just("swiss"), carried=st.booleans(), rounds=st.integers(0, 6)),
            st.builds(planned, st.just("knockout"), sets=sets, third_place=st.booleans()),
            st.builds(
                planned,
                st.just("groups"),
                seats=seats,
                groups=st.integers(1, number // 2),
                carried=st.booleans(),
            ),
            st.builds(
                planned,
                st.just("gauntlet"),
                challengers=st.sets(
                    st.sampled_from(teams), min_size=1, max_size=max(1, number // 3)
                ).map(tuple),
            ),
        ]
        return st.tuples(st.one_of(plans), st.just(teams))

    return st.integers(2, most).flatmap(with_teams)


def play(stage: PlayedStage, data: st.DataObject, leaving: Sequence[tuple[str, bool]] = ()) -> None:
    """Play a stage to its end: each time some of what is open, in any order."""
    rest = list(leaving)
    while stage.open:
        some = data.draw(st.permutations(range(len(stage.open))))
        stage.play(*(stage.open[place] for place in some[: data.draw(st.integers(1, len(some)))]))
        for _ in range(data.draw(st.integers(0, len(rest)))):
            stage.leave(*rest.pop())


@given(stages(9), st.integers(0, 999), st.data())
def test_the_order_in_which_fixtures_end_makes_no_difference(
    case: Case, number: int, data: st.DataObject
) -> None:
    # That fixtures stay as they are is checked by the stage itself, with every answer.
    one, other = (PlayedStage(*case, chance(number, 3), b"seed") for _ in range(2))
    one.play_to_the_end()
    play(other, data)
    assert other.schedule == one.schedule
    assert other.standing == one.standing
    assert one.schedule.complete


@given(stages(12), st.integers(0, 999), st.data())
def test_whoever_leaves_never_stalls_the_others(
    case: Case, number: int, data: st.DataObject
) -> None:
    some = data.draw(st.lists(st.sampled_from(case[1]), unique=True))
    leaving = [(team, data.draw(st.booleans())) for team in some]
    stage = PlayedStage(*case, chance(number, 3), b"seed")
    play(stage, data, leaving)
    assert stage.schedule.complete
    disqualified = stage.field.annulled.keys()
    assert {line.team for line in stage.standing} == set(case[1]) - disqualified
    going_on = stage.format.advancing(stage.field, stage.standing, 0)
    assert sorted(going_on) == sorted(set(case[1]) - stage.field.left.keys())


@given(stages(12), st.integers(0, 999))
def test_who_leaves_when_all_is_over_leaves_everything_as_it_was(case: Case, number: int) -> None:
    stage = PlayedStage(*case, chance(number), b"seed")
    stage.play_to_the_end()
    before = stage.schedule, stage.standing
    stage.leave(case[1][0])
    assert (stage.schedule, stage.standing) == before


@given(st.one_of(stages(40), stages(40), stages(40), stages(200)), st.integers(0, 999))
def test_nobody_meets_themselves_and_teams_stand_in_the_order_of_their_seeds(
    case: Case, number: int
) -> None:
    stage = PlayedStage(*case, chance(number), b"seed")
    stage.play(*stage.open)
    seeds = {team: place for place, team in enumerate(case[1])}
    for fixture in stage.schedule.fixtures:
        places = [seeds[team] for team in fixture.teams]
        assert len(set(places)) >= 2
        assert places == sorted(set(places))
        assert len(places) <= case[0].seats


@given(stages(60), st.integers(0, 999))
def test_ranks_follow_the_order_of_the_standing(case: Case, number: int) -> None:
    stage = PlayedStage(*case, chance(number), b"seed")
    stage.play_to_the_end()
    for group in {line.group for line in stage.standing}:
        ranks = [line.rank for line in stage.standing if line.group == group]
        assert ranks == sorted(ranks)
        assert ranks[0] == 1


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("teams", [(), ("only",)])
def test_without_opponents_a_stage_is_over(name: str, teams: tuple[str, ...]) -> None:
    stage = PlayedStage(planned(name, matches=3), teams)
    assert stage.schedule.complete
    assert stage.schedule.fixtures == ()
    assert [line.team for line in stage.standing] == list(teams)


@pytest.mark.parametrize(
    ("key", "plan", "teams"),
    [
        ("seats", planned("swiss", seats=23), 9),
        ("seats", planned("round-robin", seats=1), 9),
        ("seats", planned("knockout", seats=3), 9),
        ("seats", planned("gauntlet", seats=3, challengers=("t001",)), 9),
        ("sets", planned("swiss", sets=0), 9),
        ("times", planned("round-robin", times=0), 9),
        ("advance", planned("swiss", advance=10), 9),
        ("advance", planned("swiss", advance=-1), 9),
        ("advance", planned("groups", groups=4, advance=3), 9),
        ("format", planned("swiss"), 1),
        ("rounds", planned("swiss", rounds=-1), 9),
        ("groups", planned("groups", groups=5), 9),
        ("groups", planned("groups", groups=0), 9),
        ("third_place", planned("knockout", third_place=True), 3),
        ("matches", planned("ladder", matches=-1), 9),
        ("challengers", planned("gauntlet"), 9),
        ("challengers", planned("gauntlet", challengers=("who",)), 9),
        ("challengers", planned("gauntlet", challengers=names(9)), 9),
    ],
)
def test_a_problem_is_named_with_its_key(key: str, plan: StagePlan, teams: int) -> None:
    found = FORMATS[plan.format].problems(plan, names(teams))
    assert [key for key, _ in found] == [key]


@given(stages(40))
def test_what_can_be_played_has_no_problems(case: Case) -> None:
    plan, teams = case
    if plan.third_place and len(teams) < 4:
        return
    assert FORMATS[plan.format].problems(plan, teams) == []
    assert FORMATS[plan.format].problems(plan, None) == []


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_what_it_is_and_what_its_standing_goes_by(name: str) -> None:
    assert FORMATS[name].about.endswith((".", "?"))
    assert FORMATS[name].ordered_by(planned(name))
    assert FORMATS[name].score_counts(planned(name))
