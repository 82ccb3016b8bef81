"""Everybody meets everybody."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.plan import POINTS
from tests.support.stages import PlayedStage, names, planned


@given(st.integers(2, 200), st.integers(1, 2))
def test_each_pair_meets_as_many_times_as_asked_for(teams: int, times: int) -> None:
    stage = PlayedStage(planned("round-robin", times=times), names(teams))
    met = Counter(fixture.teams for fixture in stage.schedule.fixtures)
    assert met == dict.fromkeys(combinations(names(teams), 2), times)
    assert stage.schedule.note == f"every two teams meet {'once' if times == 1 else 'twice'}"


@given(st.integers(2, 200))
def test_nobody_plays_twice_in_a_round_and_there_are_as_few_rounds_as_possible(teams: int) -> None:
    fixtures = PlayedStage(planned("round-robin"), names(teams)).schedule.fixtures
    rounds = {fixture.round for fixture in fixtures}
    assert rounds == set(range(1, teams + teams % 2))
    played = Counter((fixture.round, team) for fixture in fixtures for team in fixture.teams)
    assert set(played.values()) == {1}


@given(st.integers(2, 40), st.integers(3, 10), st.integers(1, 3))
def test_at_larger_tables_the_note_says_how_often_two_teams_meet(
    teams: int, seats: int, times: int
) -> None:
    stage = PlayedStage(planned("round-robin", seats=seats, times=times), names(teams))
    met = Counter(
        pair for fixture in stage.schedule.fixtures for pair in combinations(fixture.teams, 2)
    )
    assert len(met) == teams * (teams - 1) // 2
    least, most = min(met.values()), max(met.values())
    number = {
        0: {1: "once", 2: "twice"}.get(least, f"{least} times"),
        1: f"{least} or {most} times",
    }.get(most - least, f"{least} to {most} times")
    assert stage.schedule.note == f"every two teams meet {number}"


@pytest.mark.parametrize("teams", [2, 5, 6])
def test_who_fits_at_one_table_sits_there(teams: int) -> None:
    stage = PlayedStage(planned("round-robin", seats=6), names(teams))
    assert [fixture.teams for fixture in stage.schedule.fixtures] == [names(teams)]


def test_who_withdraws_leaves_byes_to_those_it_has_not_met() -> None:
    stage = PlayedStage(planned("round-robin", score=POINTS), "ABCD")
    stage.play(*[fixture for fixture in stage.open if fixture.teams == ("A", "B")])
    stage.leave("A")
    stage.play_to_the_end()
    assert stage.schedule.complete
    assert stage.schedule.byes == {"C": 1, "D": 1}
    # A has won against B, B against C and D, C against D.
    assert {line.team: line.points for line in stage.standing} == {"A": 1, "B": 2, "C": 2, "D": 1}


def test_fixtures_with_a_disqualified_team_count_for_nobody() -> None:
    stage = PlayedStage(planned("round-robin", score=POINTS), "ABCD")
    stage.play(*[fixture for fixture in stage.open if fixture.teams == ("A", "B")])
    stage.leave("A", disqualified=True)
    stage.play_to_the_end()
    assert stage.schedule.complete
    assert [(line.team, line.points, line.matches) for line in stage.standing] == [
        ("B", 2, 2),
        ("C", 1, 2),
        ("D", 0, 2),
    ]
