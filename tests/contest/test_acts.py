"""Acts have a position: what was paired before stays. What is set aside waits for a decision."""

from dataclasses import replace

import pytest

from croupier.contest.acts import (
    ADD,
    BROKEN,
    DISQUALIFY,
    GIVE_UP,
    PAUSE,
    REPLACE,
    RESUME,
    WITHDRAW,
    Act,
)
from croupier.contest.course import MAX_BREAKS, Course
from croupier.contest.fixtures import Fixture, MatchResult
from croupier.contest.plan import ContestPlan, StagePlan, Team
from tests.support.stages import better_seed, match, planned

TEAMS = tuple(Team(name, bot="CallAgent") for name in ("Ada", "Bob", "Cid", "Dan", "Eve", "Fay"))
SWISS = replace(planned("swiss", rounds=3), name="swiss")
FINAL = replace(planned("knockout"), name="final")


class Contest:
    """A contest in which the better seed always wins."""

    def __init__(self, *stages: StagePlan, keep: bool = False) -> None:
        self.plan = ContestPlan(title="Cup", teams=TEAMS, stages=stages, keep_disqualified=keep)
        self.results: list[MatchResult] = []
        self.acts: list[Act] = []

    @property
    def course(self) -> Course:
        return Course(self.plan, b"seed", self.results, self.acts)

    def act(self, kind: str, team: str = "", match: str = "") -> None:
        """Record an act where the contest is, as the store does."""
        now = self.course.current
        self.acts.append(Act(kind, team, now.index, now.round, match))

    def play(self, matches: int | None = None) -> None:
        """Play so many matches of what is due now; None: all of it."""
        for due in list(self.course.due())[:matches]:
            chips = better_seed(Fixture("", 0, due.fixture.teams), 1)
            self.results.append(match(due.name, {team: chips[team] for team in due.teams}))

    def play_out(self) -> None:
        while not self.course.complete:
            before = len(self.results)
            self.play()
            assert len(self.results) > before

    def pairings(self, stage: int = 0) -> dict[int, set[frozenset[str]]]:
        """Return who meets whom, by round."""
        found: dict[int, set[frozenset[str]]] = {}
        for fixture in self.course.stages[stage].schedule.fixtures:
            found.setdefault(fixture.round, set()).add(frozenset(fixture.teams))
        return found

    def ranks(self, stage: int = 0) -> list[str]:
        return [line.team for line in self.course.stages[stage].standing]


@pytest.mark.parametrize("kind", [WITHDRAW, DISQUALIFY])
def test_who_leaves_in_round_two_of_a_swiss_leaves_the_first_two_rounds_as_they_were(
    kind: str,
) -> None:
    contest = Contest(SWISS)
    contest.play()
    contest.play(1)
    before = contest.pairings()
    assert sorted(before) == [1, 2]
    out = contest.results[-1].seats[0].team
    contest.act(kind, out)
    assert contest.pairings() == before
    assert all(out not in due.teams for due in contest.course.due())
    contest.play_out()
    after = contest.pairings()
    assert {number: after[number] for number in (1, 2)} == before
    assert not any(out in pair for pair in after[3])


def test_a_withdrawn_team_keeps_what_it_has_played_and_its_place() -> None:
    contest = Contest(SWISS)
    contest.play()
    contest.act(WITHDRAW, "Ada")
    contest.play_out()
    (line,) = [line for line in contest.course.current.standing if line.team == "Ada"]
    assert line.matches == 1
    assert "Ada" not in contest.course.current.advancing


@pytest.mark.parametrize("keep", [False, True])
def test_results_against_a_disqualified_team_are_annulled_unless_the_file_keeps_them(
    keep: bool,
) -> None:
    contest = Contest(replace(planned("round-robin"), name="all"), keep=keep)
    contest.play_out()
    contest.act(DISQUALIFY, "Cid")
    lines = {line.team: line.matches for line in contest.course.current.standing}
    assert lines == dict.fromkeys(("Ada", "Bob", "Dan", "Eve", "Fay"), 5 if keep else 4)


def test_a_disqualification_in_a_later_stage_leaves_those_who_advanced_as_they_were() -> None:
    contest = Contest(replace(SWISS, advance=4), FINAL)
    while contest.course.current.plan is not contest.plan.stages[1]:
        contest.play()
    advanced = contest.course.stages[0].advancing
    bracket = contest.pairings(1)
    contest.act(DISQUALIFY, advanced[0])
    assert contest.course.stages[0].advancing == advanced
    assert contest.pairings(1) == bracket
    assert advanced[0] not in contest.ranks(0)
    contest.play_out()
    assert advanced[0] not in contest.ranks(1)
    assert contest.pairings(1)[1] == bracket[1]


def test_who_leaves_before_a_stage_begins_does_not_advance_and_the_next_one_does() -> None:
    contest = Contest(replace(SWISS, advance=2), FINAL)
    contest.play()
    contest.play()
    contest.play(2)
    contest.act(WITHDRAW, "Ada")
    contest.play_out()
    assert "Ada" not in contest.course.stages[1].field.teams
    assert len(contest.course.stages[1].field.teams) == 2


def test_a_match_is_set_aside_when_it_broke_three_times_and_the_others_go_on() -> None:
    contest = Contest(SWISS)
    broken, *others = [str(due.name) for due in contest.course.due()]
    for times in range(1, MAX_BREAKS + 1):
        contest.act(BROKEN, match=broken)
        assert contest.course.set_aside == ([broken] if times == MAX_BREAKS else [])
    assert [str(due.name) for due in contest.course.due()] == others
    contest.play()
    assert not list(contest.course.due())
    assert not contest.course.complete
    contest.act(GIVE_UP, match=broken)
    assert contest.course.set_aside == []
    contest.play_out()
    assert broken not in {str(result.name) for result in contest.results}


def test_of_a_fixture_that_is_given_up_counts_what_was_played_of_it() -> None:
    contest = Contest(replace(planned("round-robin", sets=3), name="all"))
    contest.play(2)
    assert {result.name.fixture for result in contest.results} == {"r1.1"}
    contest.act(GIVE_UP, match="all/r1.1/3.1")
    contest.play_out()
    played = [result.name for result in contest.results if result.name.fixture == "r1.1"]
    assert [name.set for name in played] == [1, 2]
    team = contest.results[0].seats[0].team
    (line,) = [line for line in contest.course.current.standing if line.team == team]
    assert line.matches == 2 + 4 * 3


def test_a_contest_is_paused_until_it_is_resumed() -> None:
    contest = Contest(SWISS)
    for kind, paused in ((PAUSE, True), (PAUSE, True), (RESUME, False), (PAUSE, True)):
        contest.act(kind)
        assert contest.course.paused is paused


def test_a_replaced_team_plays_with_its_new_version_and_keeps_its_results() -> None:
    contest = Contest(SWISS)
    contest.play()
    before = contest.course.current.standing
    contest.acts.append(Act(REPLACE, "Bob", entry=Team("Bob", bot="new.py:Bob")))
    assert contest.course.plan.teams_by_name["Bob"].bot == "new.py:Bob"
    assert contest.course.current.standing == before


def test_a_team_that_is_added_to_a_ladder_stands_in_it_at_once() -> None:
    contest = Contest(replace(planned("ladder", matches=20), name="ladder"))
    contest.acts.append(Act(ADD, "Gus", entry=Team("Gus", bot="CallAgent")))
    assert "Gus" in contest.ranks()
    assert [team.name for team in contest.course.plan.teams][-1] == "Gus"
