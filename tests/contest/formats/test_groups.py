"""Groups: the draw, a round robin in each, and who goes on."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.formats.groups import draw, letters
from tests.support.stages import PlayedStage, chance, names, planned


@given(st.integers(2, 200), st.data())
def test_each_group_has_one_team_of_each_pot(teams: int, data: st.DataObject) -> None:
    number = data.draw(st.integers(1, teams // 2))
    stage = PlayedStage(planned("groups", groups=number), names(teams), seed=b"a seed")
    groups = draw(stage.field)
    assert sorted(team for group in groups.values() for team in group) == list(names(teams))
    assert len(groups) == number
    pot = {team: place // number for place, team in enumerate(names(teams))}
    for group in groups.values():
        assert [pot[team] for team in group] == list(range(len(group)))
        assert len(group) in (teams // number, -(-teams // number))


def test_another_seed_draws_other_groups_and_the_same_seed_the_same() -> None:
    one, same, other = (
        draw(PlayedStage(planned("groups", groups=4), names(16), seed=seed).field)
        for seed in (b"1", b"1", b"2")
    )
    assert one == same != other


@given(st.integers(4, 40), st.integers(1, 5), st.integers(2, 6))
def test_all_of_a_group_meet_and_nobody_else(teams: int, number: int, seats: int) -> None:
    plan = planned("groups", groups=min(number, teams // 2), seats=seats)
    stage = PlayedStage(plan, names(teams))
    met = Counter(
        (fixture.label, pair)
        for fixture in stage.schedule.fixtures
        for pair in combinations(fixture.teams, 2)
    )
    groups = draw(stage.field)
    assert set(met) == {
        (f"group {letter}", pair)
        for letter, group in groups.items()
        for pair in combinations(group, 2)
    }
    for fixture in stage.schedule.fixtures:
        assert fixture.name.startswith(fixture.label.removeprefix("group ") + ".r")


def test_the_note_says_how_often_teams_meet_in_groups_of_each_size() -> None:
    assert PlayedStage(planned("groups", groups=2), names(5)).schedule.note == (
        "in groups of 2, every two teams meet once; in groups of 3, every two teams meet once"
    )


def test_the_standing_is_that_of_each_group_and_the_winners_go_on_first() -> None:
    stage = PlayedStage(planned("groups", groups=2, advance=2), "ABCDEF", seed=b"cup")
    groups = draw(stage.field)
    stage.play_to_the_end()
    assert [(line.group, line.rank, line.team) for line in stage.standing] == [
        (letter, rank, team)
        for letter, group in groups.items()
        for rank, team in enumerate(group, 1)
    ]
    (first, second, _), (other, its_second, _) = groups.values()
    going_on = stage.format.advancing(stage.field, stage.standing, 2)
    assert going_on == [first, other, second, its_second]


def test_whoever_has_left_does_not_go_on_and_the_next_of_its_group_does() -> None:
    stage = PlayedStage(planned("groups", groups=2, advance=1), "ABCDEF", seed=b"cup")
    one, other = draw(stage.field).values()
    stage.play_to_the_end()
    stage.leave(one[0])
    assert stage.format.advancing(stage.field, stage.standing, 1) == [one[1], other[0]]


def test_in_a_following_knockout_the_groups_meet_crosswise() -> None:
    stage = PlayedStage(planned("groups", groups=4), names(16), chance(1), b"cup")
    stage.play_to_the_end()
    group = {line.team: line.group for line in stage.standing}
    seeds = stage.format.advancing(stage.field, stage.standing, 2)
    bracket = PlayedStage(planned("knockout"), seeds)
    for fixture in bracket.schedule.fixtures:
        assert len({group[team] for team in fixture.teams}) == 2


def test_groups_after_the_26th_have_two_letters() -> None:
    assert [letters(place) for place in (0, 25, 26, 51, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]
