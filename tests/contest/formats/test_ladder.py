"""Ladder: who is free plays, against somebody near in strength."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.fixtures import Fixture
from croupier.contest.formats.base import Field
from croupier.contest.formats.ladder import (
    Ladder,
    next_assignment,
    ratings_on_the_way,
    team_ratings,
)
from croupier.contest.plan import StagePlan
from tests.support.stages import names, outcome, planned

LADDER = Ladder()


class Running:
    """A ladder that is carried out: some fixtures are being played at any time."""

    def __init__(self, plan: StagePlan, teams: int) -> None:
        self.field = Field(plan, names(teams))
        self.playing: list[Fixture] = []

    def start(self) -> Fixture | None:
        """Assign a fixture, if there is one."""
        busy = frozenset(team for fixture in self.playing for team in fixture.teams)
        fixture = next_assignment(self.field, busy)
        if fixture is not None:
            assert busy.isdisjoint(fixture.teams)
            self.field = replace(self.field, assigned=(*self.field.assigned, fixture))
            self.playing.append(fixture)
        return fixture

    def finish(self, fixture: Fixture) -> None:
        """End a fixture: those with the smaller numbers are stronger."""
        self.playing.remove(fixture)
        size = len(fixture.teams)
        chips = {team: size - 1 - 2 * place for place, team in enumerate(fixture.teams)}
        one = outcome(self.field.stage, fixture.name, chips)
        self.field = replace(self.field, outcomes={**self.field.outcomes, fixture.name: one})

    def run(self, assignments: int) -> None:
        """Play one fixture after the other."""
        for _ in range(assignments):
            fixture = self.start()
            assert fixture is not None
            self.finish(fixture)


@given(st.integers(2, 12), st.integers(2, 4), st.integers(1, 4), st.data())
def test_who_is_free_waits_for_fewer_assignments_than_there_are_teams(
    teams: int, seats: int, most: int, data: st.DataObject
) -> None:
    ladder = Running(planned("ladder", seats=seats), teams)
    waited = dict.fromkeys(ladder.field.teams, 0)
    for _ in range(6 * teams):
        fixture = ladder.start() if len(ladder.playing) < most else None
        if fixture is None:  # all are busy, or too many for another table: it never stalls
            ladder.finish(data.draw(st.sampled_from(ladder.playing)))
            continue
        busy = {team for fixture in ladder.playing for team in fixture.teams}
        for team in waited:
            waited[team] = 0 if team in busy else waited[team] + 1
            assert waited[team] < teams


def test_everyone_plays_about_equally_often() -> None:
    ladder = Running(planned("ladder"), 9)
    ladder.run(180)
    played = Counter(team for fixture in ladder.field.assigned for team in fixture.teams)
    assert max(played.values()) <= 1.5 * min(played.values())


def test_near_ones_meet_more_often_but_everyone_meets_several() -> None:
    ladder = Running(planned("ladder"), 16)
    ladder.run(480)
    late = ladder.field.assigned[160:]
    place = {team: number for number, team in enumerate(ladder.field.teams)}
    distance = [abs(place[one] - place[other]) for one, other in (f.teams for f in late)]
    # Two that are drawn by lot are 17 / 3 places apart.
    assert sum(distance) / len(distance) < 4.5
    for team in ladder.field.teams:
        opponents = {other for f in late if team in f.teams for other in f.teams} - {team}
        assert len(opponents) >= 4


def test_the_standing_is_by_rating_and_finds_the_order_of_strength() -> None:
    ladder = Running(planned("ladder"), 8)
    ladder.run(160)
    standing = LADDER.standing(ladder.field, LADDER.schedule(ladder.field))
    assert [line.team for line in standing] == list(names(8))
    assert [line.rank for line in standing] == list(range(1, 9))
    known = team_ratings(ladder.field)
    assert standing[0].score == known["t001"].shown
    assert standing[0].strength == known["t001"]
    assert standing[0].remarks == f"strength {known['t001']}"


def test_ratings_on_the_way_are_those_after_the_fixtures_so_far() -> None:
    ladder = Running(planned("ladder"), 5)
    ladder.run(30)
    field = ladder.field
    for number, (fixture, known) in enumerate(ratings_on_the_way(field), 1):
        assert fixture == field.assigned[number - 1]
        assert known == team_ratings(replace(field, assigned=field.assigned[:number]))


def test_a_team_that_comes_later_plays_at_once() -> None:
    ladder = Running(planned("ladder"), 6)
    ladder.run(30)
    ladder.field = replace(ladder.field, teams=names(8))
    assert ladder.start().teams.count("t007") == 1  # type: ignore[union-attr]
    assert "t008" in {*ladder.field.assigned[-1].teams, *ladder.start().teams}  # type: ignore[union-attr]


def test_who_left_is_not_assigned_and_what_it_leaves_behind_is_over() -> None:
    ladder = Running(planned("ladder", matches=5), 3)
    fixture = ladder.start()
    assert fixture is not None
    assert fixture.name == "m1"
    gone = fixture.teams[0]
    ladder.playing.clear()
    ladder.field = replace(ladder.field, left={gone: 2})
    ladder.run(5)
    assert all(gone not in fixture.teams for fixture in ladder.field.assigned[1:])
    assert ladder.start() is None
    assert LADDER.schedule(ladder.field).complete


def test_it_ends_after_its_matches_and_not_before() -> None:
    ladder = Running(planned("ladder", matches=4), 9)
    started = [ladder.start() for _ in range(5)]
    assert [fixture.name for fixture in started if fixture] == ["m1", "m2", "m3", "m4"]
    for fixture in list(ladder.playing):
        assert not LADDER.schedule(ladder.field).complete
        ladder.finish(fixture)
    assert LADDER.schedule(ladder.field).complete
    assert ladder.start() is None


def test_without_a_number_of_matches_it_goes_on() -> None:
    ladder = Running(planned("ladder"), 2)
    ladder.run(50)
    assert not LADDER.schedule(ladder.field).complete
    assert ladder.start() is not None


def test_it_ends_if_too_few_are_left() -> None:
    field = Field(planned("ladder", matches=4), ("A", "B"), left={"A": 1})
    assert next_assignment(field, frozenset()) is None
    assert LADDER.schedule(field).complete


def test_a_table_waits_until_it_can_be_full() -> None:
    field = Field(planned("ladder", seats=4), names(6))
    assert next_assignment(field, frozenset(names(3))) is None
    some = next_assignment(field, frozenset(names(2)))
    assert some is not None
    assert len(some.teams) == 4
    few = next_assignment(replace(field, teams=names(3)), frozenset())
    assert few is not None
    assert few.teams == names(3)


def test_results_of_a_disqualified_team_do_not_count_for_ratings() -> None:
    ladder = Running(planned("ladder"), 2)
    ladder.run(3)
    field = replace(ladder.field, left={"t001": 4}, annulled={"t001": 4})
    assert team_ratings(field)["t002"].shown == 0
    assert [line.team for line in LADDER.standing(field, LADDER.schedule(field))] == ["t002"]


def test_every_set_of_a_fixture_is_a_game_of_its_own() -> None:
    """Three sets to one are a little more than a single one, and less than four to none."""

    def mu(*sets: int) -> float:
        stage = planned("ladder", sets=len(sets))
        field = Field(stage, names(2))
        fixture = Fixture("m1", 1, field.teams, len(sets))
        won = outcome(stage, "m1", *({"t001": chips, "t002": -chips} for chips in sets))
        field = replace(field, assigned=(fixture,), outcomes={"m1": won})
        return team_ratings(field)["t001"].mu

    assert mu(1) < mu(1, 1, 1, -1) < mu(1, 1, 1, 1)
    assert mu(5, 1) == mu(1, 5)
    assert mu(9, -1) < mu(1)
