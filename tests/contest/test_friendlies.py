"""Friendly matches: who may play whom, and by which rules."""

from dataclasses import replace

from croupier.bots import HOUSE_BOTS
from croupier.contest.acts import DISQUALIFY, WITHDRAW, Act
from croupier.contest.course import Course
from croupier.contest.friendlies import (
    friendly_rules,
    house_name,
    house_opponents,
    opponents,
    problem_of,
)
from croupier.contest.plan import ContestPlan, FriendlyPlan, Team
from tests.support.stages import better_seed, match, planned

TEAMS = (
    Team("Ada", bot="ada.py:Ada"),
    Team("Bob", command="./bob", dialect="huawei"),
    Team("Cid", dialect="trend"),
    Team("House", bot="CallAgent", house=True),
)
SWISS = replace(planned("swiss", rounds=1), name="swiss")
CARRIED = replace(planned("knockout", carried=True), name="final")
PLAN = ContestPlan(
    title="Cup", teams=TEAMS, stages=(SWISS, CARRIED), friendlies=FriendlyPlan(hands=30)
)


def course(*acts: Act, plan: ContestPlan = PLAN, stages: int = 0) -> Course:
    """Return the contest with so many stages played to their ends."""
    now = Course(plan, b"seed", (), acts)
    results = []
    for index in range(stages):
        while len(now.stages) == index + 1 and not now.stages[index].complete:
            for due in now.due():
                chips = better_seed(due.fixture, 1)
                results.append(match(due.name, {team: chips[team] for team in due.teams}))
            now = Course(plan, b"seed", results, acts)
    return now


def test_a_team_may_ask_all_teams_that_are_left_but_itself_and_house_bots_by_their_own_names() -> (
    None
):
    now = course(Act(WITHDRAW, "Cid"))
    assert opponents(now, "Ada") == ["Bob"]
    assert opponents(now, "Bob") == ["Ada"]
    assert house_opponents(now) == list(HOUSE_BOTS)


def test_no_friendly_match_is_played_without_the_key_after_the_contest_or_with_who_has_left() -> (
    None
):
    assert problem_of(course(), "Ada", "Bob") == ""
    off = course(plan=replace(PLAN, friendlies=None))
    assert problem_of(off, "Ada") == "the organiser plays no friendly matches"
    assert problem_of(course(stages=2), "Ada") == "the contest is over"
    for kind in (WITHDRAW, DISQUALIFY):
        assert problem_of(course(Act(kind, "Bob")), "Ada", "Bob") == (
            "Bob is no longer in the contest"
        )
    assert problem_of(course(), "Zoe") == "Zoe is no longer in the contest"


def test_a_house_bot_is_one_that_plays_the_game_and_has_no_name_of_a_team() -> None:
    assert problem_of(course(), "Ada", bot="CallAgent") == ""
    assert problem_of(course(), "Ada", bot="nash") == "no house bot nash plays here"
    taken = replace(PLAN, teams=(*TEAMS, Team(house_name("CallAgent"), dialect="trend")))
    assert "CallAgent" not in house_opponents(course(plan=taken))


def test_the_rules_are_those_of_the_stage_that_is_played_with_the_hands_of_the_file() -> None:
    assert friendly_rules(course()) == replace(SWISS.rules, hands=30)
    assert friendly_rules(course(stages=1)) == replace(CARRIED.rules, hands=30)
