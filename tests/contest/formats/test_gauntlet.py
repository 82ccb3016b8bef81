"""Gauntlet: challengers against all others."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.support.stages import PlayedStage, names, planned


@given(st.integers(2, 60), st.integers(1, 2), st.data())
def test_each_challenger_meets_each_other_as_often_as_asked_for(
    teams: int, times: int, data: st.DataObject
) -> None:
    some = data.draw(st.sets(st.sampled_from(names(teams)), min_size=1, max_size=teams - 1))
    plan = planned("gauntlet", challengers=tuple(sorted(some)), times=times)
    stage = PlayedStage(plan, names(teams))
    met = Counter(frozenset(fixture.teams) for fixture in stage.schedule.fixtures)
    others = set(names(teams)) - some
    assert met == {frozenset({one, other}): times for one in some for other in others}
    played = Counter((f.round, team) for f in stage.schedule.fixtures for team in f.teams)
    assert set(played.values()) == {1}


def test_challengers_are_marked_in_the_standing() -> None:
    stage = PlayedStage(planned("gauntlet", challengers=("B", "D")), "ABCDE")
    stage.play_to_the_end()
    assert stage.schedule.complete
    assert {line.team for line in stage.standing if line.note == "challenger"} == {"B", "D"}
    assert [(line.team, line.points) for line in stage.standing] == [
        ("A", 2),
        ("B", 2),
        ("C", 1),
        ("D", 1),
        ("E", 0),
    ]
