"""A contest of two stages always ends, whoever leaves and whatever is given up."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.acts import DISQUALIFY, GIVE_UP, WITHDRAW, Act
from croupier.contest.course import Course
from croupier.contest.fixtures import Fixture, MatchResult
from croupier.contest.plan import DUPLICATE, RATE, SINGLE, ContestPlan, Team
from croupier.contest.stopping import Stop
from tests.support.stages import chance, match, names, planned

MOST_ACTS = 8


@st.composite
def contests(draw: st.DrawFn) -> ContestPlan:
    teams = names(draw(st.integers(2, 6)))
    format = draw(st.sampled_from(["round-robin", "swiss", "knockout", "groups", "gauntlet"]))
    first = planned(
        format,
        seats=2 if format in ("knockout", "gauntlet") else draw(st.integers(2, 4)),
        sets=draw(st.integers(1, 2)),
        groups=draw(st.integers(1, len(teams) // 2)),
        challengers=teams[:1],
        third_place=draw(st.booleans()),
        advance=draw(st.integers(0, 2)),
    )
    deals = draw(st.sampled_from([SINGLE, DUPLICATE]))
    if first.seats == 2:
        first = replace(first, stop=draw(st.sampled_from([None, Stop(better=0.2), Stop(same=50)])))
    return ContestPlan(
        title="Cup",
        teams=tuple(Team(name, bot="CallAgent") for name in teams),
        stages=(replace(first, name="one", deals=deals), replace(planned("knockout"), name="two")),
        keep_disqualified=draw(st.booleans()),
    )


@given(contests(), st.integers(0, 999), st.data())
def test_a_contest_ends_whoever_leaves_and_whatever_is_given_up(
    plan: ContestPlan, number: int, data: st.DataObject
) -> None:
    chips = chance(number, 3)
    results: list[MatchResult] = []
    acts: list[Act] = []
    while not (course := Course(plan, b"seed", results, acts)).complete:
        due = list(course.due())
        assert due, "nothing can be played, and it is not complete"
        stage = course.current
        kinds = [WITHDRAW, DISQUALIFY, GIVE_UP] if len(acts) < MOST_ACTS else []
        kind = data.draw(st.sampled_from([*kinds, *[""] * 9]))
        if kind == GIVE_UP:
            name = str(data.draw(st.sampled_from(due)).name)
            acts.append(Act(kind, stage=stage.index, round=stage.round, match=name))
        elif kind:
            team = data.draw(st.sampled_from(plan.teams)).name
            acts.append(Act(kind, team, stage.index, stage.round))
        else:
            for one in due[: data.draw(st.integers(1, len(due)))]:
                played = Fixture(f"{one.name}", 0, one.teams)
                results.append(match(one.name, chips(played, one.name.set)))
    for stage in course.stages:
        assert {line.team for line in stage.standing} == {
            line.team for line in stage.standing_by(RATE)
        }
