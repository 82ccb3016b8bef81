"""Knockout: brackets, level fixtures and walkovers."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.fixtures import Fixture
from croupier.contest.formats.knockout import LEVEL_LIMIT, bracket_order
from tests.support.stages import Chips, PlayedStage, chance, names, planned


def won_by(winners: str) -> Chips:
    """Return results in which these win against all others, and two of them are level."""

    def chips(fixture: Fixture, number: int) -> Mapping[str, int]:
        one, other = fixture.teams
        margin = (one in winners) - (other in winners)
        return {one: margin, other: -margin}

    return chips


def fixtures(stage: PlayedStage, number: int) -> dict[str, str]:
    return {
        fixture.label: "".join(fixture.teams)
        for fixture in stage.schedule.fixtures
        if fixture.round == number
    }


def ranks(stage: PlayedStage) -> list[tuple[int, str, float]]:
    return [(line.rank, line.team, line.score) for line in stage.standing]


def test_a_knockout_of_eight_teams_worked_by_hand() -> None:
    winners = {
        "AH": "A",
        "DE": "E",
        "BG": "",
        "CF": "F",
        "AE": "E",
        "BF": "F",
        "AB": "A",
        "EF": "F",
    }

    def chips(fixture: Fixture, number: int) -> Mapping[str, int]:
        one, other = fixture.teams
        winner = winners[one + other]
        return {one: 0, other: 0} if not winner else {winner: 7, (one + other).strip(winner): -7}

    stage = PlayedStage(planned("knockout", third_place=True), "ABCDEFGH", chips)
    assert fixtures(stage, 1) == {
        "quarter-final 1": "AH",
        "quarter-final 2": "DE",
        "quarter-final 3": "BG",
        "quarter-final 4": "CF",
    }
    stage.play(*stage.open)
    assert fixtures(stage, 2) == {"semi-final 1": "AE"}  # B and G are level, and go on
    for number in range(2, LEVEL_LIMIT + 1):
        level = next(fixture for fixture in stage.open if fixture.round == 1)
        assert (level.name, level.sets) == ("r1.3", number)
        stage.play(level)
    assert fixtures(stage, 2) == {"semi-final 1": "AE", "semi-final 2": "BF"}
    assert ranks(stage) == [
        (4, "A", 1),  # those in the semi-finals are the fourth for certain
        (4, "B", 1),
        (4, "E", 1),
        (4, "F", 1),
        (5, "C", 0),
        (5, "D", 0),
        (5, "G", 0),
        (5, "H", 0),
    ]

    stage.play(*stage.open)
    assert fixtures(stage, 3) == {"third place": "AB", "final": "EF"}
    assert {fixture.name for fixture in stage.open} == {"r3.1", "r3.2"}
    assert ranks(stage)[:4] == [(2, "E", 2), (2, "F", 2), (4, "A", 1), (4, "B", 1)]
    assert not stage.schedule.complete
    stage.play(*stage.open)
    assert stage.schedule.complete
    assert ranks(stage) == [
        (1, "F", 3),
        (2, "E", 2),
        (3, "A", 2),
        (4, "B", 1),
        (5, "C", 0),
        (5, "D", 0),
        (5, "G", 0),
        (5, "H", 0),
    ]
    assert [line.note for line in stage.standing if line.note] == [
        "quarter-final 3 level after 5 sets: advanced as the better seed"
    ]


@given(st.integers(2, 200))
def test_if_the_better_seed_always_wins_the_best_meet_as_late_as_possible(teams: int) -> None:
    stage = PlayedStage(planned("knockout"), names(teams))
    stage.play_to_the_end()
    rounds = (teams - 1).bit_length()
    for number in range(1, rounds + 1):
        left = 2 ** (rounds - number + 1)
        there = [set(f.teams) for f in stage.schedule.fixtures if f.round == number]
        # The best of those left meets the last, the second the last but one; the others rest.
        assert sorted(map(sorted, there)) == [
            [names(teams)[seed - 1], names(teams)[left - seed]]
            for seed in range(1, left // 2 + 1)
            if left - seed < teams
        ]
    assert [line.team for line in stage.standing] == list(names(teams))
    assert [line.rank for line in stage.standing][:5] == [1, 2, 3, 3, 5][:teams]


def test_the_bracket_of_eight_has_the_best_at_its_two_ends() -> None:
    assert bracket_order(3) == [1, 8, 4, 5, 2, 7, 3, 6]


@given(st.integers(2, 200), st.integers(0, 999))
def test_every_fixture_but_for_the_third_place_puts_one_team_out(teams: int, number: int) -> None:
    stage = PlayedStage(planned("knockout"), names(teams), chance(number))
    stage.play_to_the_end()
    assert stage.schedule.complete
    assert len(stage.schedule.fixtures) == teams - 1
    rests = sum(stage.schedule.byes.values())
    assert teams + rests == 2 ** (teams - 1).bit_length()
    assert [line.rank for line in stage.standing].count(1) == 1


def test_the_best_seeds_have_the_byes() -> None:
    stage = PlayedStage(planned("knockout"), "ABCDEF")
    assert fixtures(stage, 1) == {"quarter-final 2": "DE", "quarter-final 4": "CF"}
    assert stage.schedule.byes == {"A": 1, "B": 1}
    assert ranks(stage)[:3] == [(3, "A", 1), (3, "B", 1), (5, "C", 0)]


def test_large_rounds_are_called_by_the_number_of_teams() -> None:
    stage = PlayedStage(planned("knockout"), names(16))
    assert stage.schedule.fixtures[2].label == "round of 16, 3"


def test_sets_that_are_planned_count_before_a_fixture_is_level() -> None:
    stage = PlayedStage(planned("knockout", sets=7), "AB", won_by(""))
    assert stage.open[0].sets == 7
    stage.play_to_the_end()
    assert stage.schedule.complete
    assert stage.schedule.fixtures[0].sets == 7
    assert stage.standing[0].note == "final level after 7 sets: advanced as the better seed"


def test_who_left_loses_what_is_not_complete() -> None:
    stage = PlayedStage(planned("knockout", third_place=True), "ABCD")
    assert fixtures(stage, 1) == {"semi-final 1": "AD", "semi-final 2": "BC"}
    stage.leave("A")
    stage.play_to_the_end()
    assert fixtures(stage, 2) == {"third place": "AC", "final": "BD"}
    assert ranks(stage) == [(1, "B", 2), (2, "D", 1), (3, "C", 1), (4, "A", 0)]
    assert stage.schedule.byes == {"D": 1, "C": 1}


def test_if_both_have_left_the_next_opponent_goes_on() -> None:
    stage = PlayedStage(planned("knockout"), "ABCD")
    stage.leave("B")
    stage.leave("C")
    stage.play_to_the_end()
    assert stage.schedule.complete
    assert ranks(stage)[0] == (1, "A", 2)


def test_if_both_had_left_before_the_round_nobody_goes_on_from_there() -> None:
    stage = PlayedStage(planned("knockout"), "ABCD")
    left = {"B": 1, "C": 1}
    stage.field = replace(stage.field, left=left)
    stage.play(stage.open[0])
    assert stage.schedule.complete
    assert ranks(stage) == [(1, "A", 2), (3, "B", 0), (3, "C", 0), (3, "D", 0)]


def test_what_a_walkover_decided_stays_when_the_winner_leaves_as_well() -> None:
    stage = PlayedStage(planned("knockout"), "ABCD")
    stage.leave("A")
    stage.play(*stage.open)
    assert fixtures(stage, 2) == {"final": "BD"}
    stage.leave("D")
    assert stage.schedule.complete
    assert ranks(stage) == [(1, "B", 2), (2, "D", 1), (3, "A", 0), (3, "C", 0)]


def test_who_was_beaten_by_a_disqualified_team_stays_out() -> None:
    stage = PlayedStage(planned("knockout"), "ABCD")
    stage.play(*stage.open)
    assert fixtures(stage, 2) == {"final": "AB"}
    stage.leave("A", disqualified=True)
    assert stage.schedule.complete
    assert ranks(stage) == [(1, "B", 2), (3, "C", 0), (3, "D", 0)]


@pytest.mark.parametrize("sets", [1, 3])
def test_if_a_fixture_is_given_up_who_leads_goes_on_or_else_the_better_seed(sets: int) -> None:
    stage = PlayedStage(planned("knockout", sets=sets), "ABCD", won_by("CD"))
    stage.give_up(stage.open[0])
    assert stage.schedule.fixtures[0].sets == sets
    stage.play(stage.open[0])
    if sets > 1:
        stage.give_up(stage.open[0])
    assert fixtures(stage, 2) == {"final": "AC"}
    assert stage.standing[0].note == (
        "semi-final 1 not played to the end: advanced as the better seed"
    )


def test_a_level_fixture_that_is_given_up_does_not_go_on() -> None:
    stage = PlayedStage(planned("knockout"), "AB", won_by(""))
    stage.play(stage.open[0])
    assert stage.open[0].sets == 2
    stage._known.clear()  # it asks for fewer sets now
    stage.give_up(stage.open[0])
    assert stage.schedule.complete
