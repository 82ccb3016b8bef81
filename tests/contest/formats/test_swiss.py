"""Swiss: rounds that are paired by the standing."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.fixtures import Fixture
from croupier.contest.formats import swiss
from croupier.contest.formats.swiss import rounds_of
from tests.support.stages import Chips, PlayedStage, chance, names, planned

SIZES = st.one_of(st.integers(2, 40), st.integers(2, 40), st.integers(2, 200))


def margins(table: Mapping[str, int]) -> Chips:
    """Return results by pairs such as `AB`: what the first of the two wins."""

    def chips(fixture: Fixture, number: int) -> Mapping[str, int]:
        one, other = fixture.teams
        return {one: table[one + other], other: -table[one + other]}

    return chips


def pairs(stage: PlayedStage, number: int) -> list[str]:
    fixtures = stage.schedule.fixtures
    return ["".join(fixture.teams) for fixture in fixtures if fixture.round == number]


def lines(stage: PlayedStage) -> list[tuple[int, str, float, int]]:
    return [(line.rank, line.team, line.points, line.chips) for line in stage.standing]


def test_a_swiss_of_eight_teams_worked_by_hand() -> None:
    results = {"AE": 10, "BF": -20, "CG": 30, "DH": 40}  # the upper half meets the lower half
    results |= {"CD": 50, "AF": 0, "BE": -5, "GH": -60}  # the winners, by rate: D C F A; E B G H
    results |= {"CF": -10, "AD": 15, "EH": -30, "BG": 40}
    stage = PlayedStage(planned("swiss"), "ABCDEFGH", margins(results))

    assert pairs(stage, 1) == ["AE", "BF", "CG", "DH"]
    stage.play(*stage.open)
    assert lines(stage) == [
        (1, "D", 1.0, 40),
        (2, "C", 1.0, 30),
        (3, "F", 1.0, 20),
        (4, "A", 1.0, 10),
        (5, "E", 0.0, -10),
        (6, "B", 0.0, -20),
        (7, "G", 0.0, -30),
        (8, "H", 0.0, -40),
    ]

    assert pairs(stage, 2) == ["CD", "AF", "BE", "GH"]
    stage.play(*stage.open)
    assert lines(stage) == [
        (1, "C", 2.0, 80),
        (2, "F", 1.5, 20),  # level with A in their encounter, and more chips
        (3, "A", 1.5, 10),
        (4, "D", 1.0, -10),  # it beat H,
        (5, "E", 1.0, -5),  # which met neither of the two,
        (6, "H", 1.0, 20),  # and so H is the last of them, although it has most chips
        (7, "B", 0.0, -25),
        (8, "G", 0.0, -90),
    ]

    assert pairs(stage, 3) == ["CF", "AD", "EH", "BG"]
    assert not stage.schedule.complete
    stage.play(*stage.open)
    assert lines(stage) == [
        (1, "F", 2.5, 30),
        (2, "A", 2.5, 25),
        (3, "C", 2.0, 70),
        (4, "H", 2.0, 50),
        (5, "E", 1.0, -35),  # it beat B; D met neither
        (6, "D", 1.0, -25),
        (7, "B", 1.0, 15),
        (8, "G", 0.0, -130),
    ]
    assert stage.schedule.complete


@given(SIZES, st.integers(0, 999))
def test_everyone_plays_once_in_a_round_or_rests(teams: int, number: int) -> None:
    stage = PlayedStage(planned("swiss"), names(teams), chance(number))
    stage.play_to_the_end()
    rounds = rounds_of(stage.field)
    assert 2**rounds >= teams > 2 ** (rounds - 1) or rounds == teams - 1 == 1
    played = Counter(
        (fixture.round, team) for fixture in stage.schedule.fixtures for team in fixture.teams
    )
    assert set(played.values()) == {1}
    assert len(played) == rounds * (teams - teams % 2)


@given(SIZES, st.integers(0, 999), st.integers(0, 6))
def test_no_two_meet_again_as_long_as_the_rounds_are_few(
    teams: int, number: int, rounds: int
) -> None:
    # Each excludes fewer than half of the others, so all others can be paired (Dirac's theorem).
    stage = PlayedStage(planned("swiss", rounds=rounds), names(teams), chance(number))
    stage.play_to_the_end()
    if rounds_of(stage.field) <= teams / 2 - 1:
        met = Counter(fixture.teams for fixture in stage.schedule.fixtures)
        assert set(met.values()) == {1}


@given(st.integers(2, 9), st.integers(0, 999), st.integers(1, 20))
def test_byes_of_any_two_teams_differ_by_one_at_most(teams: int, number: int, rounds: int) -> None:
    stage = PlayedStage(planned("swiss", rounds=rounds), names(teams), chance(number))
    stage.play_to_the_end()
    byes = [stage.schedule.byes.get(team, 0) for team in names(teams)]
    assert sum(byes) == (rounds if teams % 2 else 0)
    assert max(byes) - min(byes) <= 1


@given(st.integers(3, 31).map(lambda n: n | 1), st.integers(0, 999))
def test_byes_stay_fair_when_teams_leave(teams: int, number: int) -> None:
    stage = PlayedStage(planned("swiss", rounds=9), names(teams), chance(number))
    for team in names(teams)[: teams // 2 : 2]:
        stage.play(*stage.open)
        stage.leave(team)
    stage.play_to_the_end()
    rested: Counter[str] = Counter()
    for round in range(1, 10):
        there = stage.field.in_round(round)
        fixtures = [fixture for fixture in stage.schedule.fixtures if fixture.round == round]
        if fixtures:
            rested.update(set(there) - {team for fixture in fixtures for team in fixture.teams})
            byes = [rested[team] for team in there]
            assert max(byes) - min(byes) <= 1


def test_the_bye_goes_to_the_last_of_the_standing_who_had_none() -> None:
    stage = PlayedStage(planned("swiss", rounds=3), "ABCDE")
    assert pairs(stage, 1) == ["AC", "BD"]  # E rests, which is as good as a win
    stage.play(*stage.open)
    assert pairs(stage, 2) == ["AB", "CE"]  # A, B and E have a point; D is behind C by its seed
    stage.play(*stage.open)
    # A has two points; B, C, D and E have one. B has beaten D, C has beaten E: D and E are the last
    # of these, but both have rested.
    assert pairs(stage, 3) == ["AD", "BE"]
    assert stage.schedule.byes == {"E": 1, "D": 1, "C": 1}


def test_with_everyone_met_meetings_begin_anew() -> None:
    stage = PlayedStage(planned("swiss", rounds=6), "ABCD")
    stage.play_to_the_end()
    met = Counter("".join(fixture.teams) for fixture in stage.schedule.fixtures)
    assert met == dict.fromkeys(("AB", "AC", "AD", "BC", "BD", "CD"), 2)


def test_who_has_no_opponent_because_it_left_has_a_bye() -> None:
    stage = PlayedStage(planned("swiss"), "ABCD")
    assert pairs(stage, 1) == ["AC", "BD"]
    stage.play(stage.open[1])
    stage.leave("A")
    assert stage.schedule.byes == {"C": 1, "D": 1}  # and D rests: there are three now
    assert pairs(stage, 2) == ["BC"]
    stage.play(*stage.open)
    assert stage.schedule.complete
    assert {line.team: line.points for line in stage.standing} == {"A": 0, "B": 2, "C": 1, "D": 1}


def test_results_against_a_disqualified_team_do_not_count_in_later_rounds() -> None:
    stage = PlayedStage(planned("swiss", rounds=2), "ABCDEF")
    assert pairs(stage, 1) == ["AD", "BE", "CF"]
    stage.play(*stage.open[1:])
    stage.leave("E", disqualified=True)
    stage.play(*stage.open)
    # B has beaten E, which does not count any more, so it has as many points as D and F.
    assert {line.team: line.points for line in stage.standing}["B"] in (0, 1)
    assert pairs(stage, 2)[0] == "AC"


@given(st.integers(2, 20), st.integers(0, 999), st.integers(2, 4))
def test_rounds_that_are_remembered_are_those_that_would_be_made(
    teams: int, number: int, seats: int
) -> None:
    stage = PlayedStage(planned("swiss", rounds=5, seats=seats), names(teams), chance(number))
    for team in names(teams)[:3]:
        stage.play(*stage.open[: number % 4])
        stage.leave(team, disqualified=number % 2 == 0)
    stage.play_to_the_end()
    swiss._MEMORY.clear()
    assert stage.format.schedule(stage.field) == stage.schedule


@pytest.mark.parametrize(("teams", "sizes"), [(18, [6, 6, 6]), (13, [5, 4, 4]), (7, [4, 3])])
def test_tables_of_the_first_round_have_a_team_of_each_part_of_the_seeds(
    teams: int, sizes: list[int]
) -> None:
    stage = PlayedStage(planned("swiss", seats=6), names(teams))
    tables = [fixture.teams for fixture in stage.schedule.fixtures]
    assert [len(table) for table in tables] == sizes
    for place in range(min(sizes)):
        nth = [table[place] for table in tables]
        assert nth == sorted(nth)
        assert nth == list(names(teams)[place * len(tables) :][: len(tables)])


@given(st.integers(2, 100), st.integers(3, 10), st.integers(0, 999))
def test_tables_differ_by_one_seat_and_meetings_are_rarely_repeated(
    teams: int, seats: int, number: int
) -> None:
    stage = PlayedStage(planned("swiss", seats=seats, rounds=3), names(teams), chance(number))
    stage.play_to_the_end()
    for round in (1, 2, 3):
        tables = [fixture.teams for fixture in stage.schedule.fixtures if fixture.round == round]
        sizes = [len(table) for table in tables]
        assert sum(sizes) == teams
        assert max(sizes) <= seats
        assert max(sizes) - min(sizes) <= 1
    met = Counter(
        pair for fixture in stage.schedule.fixtures for pair in combinations(fixture.teams, 2)
    )
    if teams >= 3 * seats * seats:
        again = sum(times > 1 for times in met.values())
        assert again <= len(met) / 20
