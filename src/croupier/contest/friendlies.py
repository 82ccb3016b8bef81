"""Friendly matches: who may play whom, and by which rules.

A team asks for one against a house bot, or against a team that agrees. It is recorded like any
match and counts nowhere: it is no fixture, and no standing, rate or digest knows of it.
"""

from dataclasses import replace

from croupier.bots import bots_for
from croupier.contest.acts import has_left
from croupier.contest.course import Course
from croupier.rules.rules import Rules

OVER = "the contest is over"


def problem_of(course: Course, *teams: str, bot: str = "") -> str:
    """Return why these teams, or one against a house bot, play no friendly match; empty: they may.

    What was asked for earlier may have become impossible.
    """
    if course.plan.friendlies is None:
        return "the organiser plays no friendly matches"
    if course.complete:
        return OVER
    for team in teams:
        if team not in course.plan.teams_by_name or has_left(course.acts, team):
            return f"{team} is no longer in the contest"
    if bot and bot not in house_opponents(course):
        return f"no house bot {bot} plays here"
    return ""


def opponents(course: Course, team: str) -> list[str]:
    """Return the teams that a team may ask for a match."""
    return [
        other.name
        for other in course.plan.teams
        if other.name != team and not other.house and not has_left(course.acts, other.name)
    ]


def house_opponents(course: Course) -> list[str]:
    """Return the house bots that can be played against now, by their own names."""
    known = course.plan.teams_by_name
    return [bot for bot in bots_for(friendly_rules(course)) if house_name(bot) not in known]


def house_name(bot: str) -> str:
    """Return what a house bot is called in a friendly match; teams may have its own name."""
    return f"house {bot}"


def friendly_rules(course: Course) -> Rules:
    """Return the rules of friendly matches: those of the stage that is being played."""
    assert course.plan.friendlies is not None
    return replace(course.current.plan.rules, hands=course.plan.friendlies.hands)
