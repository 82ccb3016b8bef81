"""`croupier contest pause`, `resume`, `withdraw`, `disqualify`, `replace`, `forfeit`, `give-up`.

Each is recorded in the store, with its position in the course; a contest that is running sees it
within a second.
"""

from pathlib import Path

import click

from croupier.cli.contest.common import (
    OnRecord,
    file_argument,
    first_file_argument,
    on_record,
    user,
)
from croupier.cli.errors import BadArgumentError
from croupier.contest.acts import (
    DISQUALIFY,
    FORFEIT,
    GIVE_UP,
    PAUSE,
    REPLACE,
    RESUME,
    WITHDRAW,
    Act,
)
from croupier.contest.course import Due
from croupier.contest.fixtures import MatchName
from croupier.contest.forfeits import not_played
from croupier.contest.plan import Team
from croupier.dialects.registry import DIALECTS
from croupier.rules.rules import nearest
from croupier.running.team_checks import is_house, team_problems
from croupier.store import contests

why_option = click.option("--why", metavar="TEXT", default="", help="The reason, for the record.")


def _record(contest: OnRecord, act: Act, detail: str, text: str) -> None:
    contests.act(contest.engine, contest.row, act, user(), detail)
    click.echo(text)


@click.command("pause")
@file_argument
def pause(file: Path) -> None:
    """Start no further match; those that are running are finished."""
    with on_record(file) as contest:
        if contest.course.paused:
            raise BadArgumentError("it is paused already")
        _record(contest, Act(PAUSE), "", f"paused; go on with: croupier contest resume {file}")


@click.command("resume")
@file_argument
def resume(file: Path) -> None:
    """Go on after a pause."""
    with on_record(file) as contest:
        if not contest.course.paused:
            raise BadArgumentError(
                "it is complete" if contest.course.complete else "it is not paused"
            )
        text = f"resumed; unless it is still running, start it with: croupier contest run {file}"
        _record(contest, Act(RESUME), "", text)


@click.command("withdraw")
@first_file_argument
@click.argument("team")
@why_option
def withdraw(file: Path, team: str, why: str) -> None:
    """Take TEAM out: it keeps what it has played, and its fixtures ahead become byes."""
    with on_record(file) as contest:
        _take_out(contest, Act(WITHDRAW, team, why=why), f"{team} is withdrawn")


@click.command("disqualify")
@first_file_argument
@click.argument("team")
@click.option("--why", metavar="TEXT", required=True, help="The reason, for the record.")
def disqualify(file: Path, team: str, why: str) -> None:
    """Take TEAM out of the contest and of its standings, and annul its results for everyone.

    With `disqualified = "keep"` in the file, the results of the others against it stay.
    """
    with on_record(file) as contest:
        _take_out(contest, Act(DISQUALIFY, team, why=why), f"{team} is disqualified")


def _take_out(contest: OnRecord, act: Act, text: str) -> None:
    team = contest.team(act.team)
    if any(done.team == team and done.kind == act.kind for done in contest.course.acts):
        raise BadArgumentError(f"{text} already")
    _record(contest, act, f"{team}: {act.why}" if act.why else team, text)


@click.command("replace")
@first_file_argument
@click.argument("team")
@click.option("--bot", default="", metavar="BOT", help="A house bot, or FILE.py:Class.")
@click.option("--run", "command", default="", metavar="COMMAND", help="A command.")
@click.option(
    "--dialect", default="", metavar="NAME", help="What its program speaks, if that changes."
)
def replace(file: Path, team: str, bot: str, command: str, dialect: str) -> None:
    """Let TEAM play with a new version from its next match on."""
    if bool(bot) == bool(command):
        raise BadArgumentError("say what it plays with: either --bot or --run")
    with on_record(file) as contest:
        old = contest.course.plan.teams_by_name[contest.team(team)]
        spoken = "" if bot else dialect or old.dialect
        if command and spoken not in DIALECTS:
            raise BadArgumentError(
                f"--dialect is one of {', '.join(DIALECTS)}{nearest(spoken, DIALECTS)}"
            )
        new = Team(old.name, bot, command, spoken, is_house(bot), old.nonce)
        for stage in contest.course.plan.stages:
            for _, problem in team_problems(new, stage, contest.file.folder):
                raise BadArgumentError(problem)
        version = 2 + sum(
            act.kind == REPLACE and act.team == old.name for act in contest.course.acts
        )
        _record(
            contest,
            Act(REPLACE, old.name, entry=new),
            f"{old.name}: {bot or command}",
            f"{old.name} plays with its version {version} from its next match on",
        )


@click.command("forfeit")
@first_file_argument
@click.argument("fixture", metavar="FIXTURE")
@click.argument("team")
@why_option
def forfeit(file: Path, fixture: str, team: str, why: str) -> None:
    """Let TEAM forfeit what is left to play of FIXTURE, such as final/r1.1."""
    with on_record(file) as contest:
        due = [one for one in contest.course.due() if _named(one, fixture)]
        if not due:
            known = {f"{one.name.stage}/{one.name.fixture}": None for one in contest.course.due()}
            raise BadArgumentError(
                f"nothing is left to play of {fixture!r}{nearest(fixture, known)}"
                " (`croupier contest fixtures` lists all)"
            )
        name = contest.team(team)
        if name not in due[0].teams:
            raise BadArgumentError(f"{name} does not play in it, but {', '.join(due[0].teams)} do")
        reason = why or "by decision of the organiser"
        stage, stacks = contest.course.current.plan, contest.course.plan.forfeit_stacks
        results = [not_played(one.name, stage, one.teams, {name: reason}, stacks) for one in due]
        contests.add_results(contest.engine, contest.row, results)
        act = Act(FORFEIT, name, match=str(due[0].name), why=reason)
        _record(
            contest, act, f"{fixture}: {name} ({reason})",
            f"{name} forfeits {len(due)} {'match' if len(due) == 1 else 'matches'} of {fixture}",
        )  # fmt: skip


def _named(due: Due, fixture: str) -> bool:
    return fixture in (due.name.fixture, f"{due.name.stage}/{due.name.fixture}")


@click.command("give-up")
@first_file_argument
@click.argument("match", metavar="MATCH")
@why_option
def give_up(file: Path, match: str, why: str) -> None:
    """Complete a stage without MATCH, which broke too often and was set aside.

    Nothing more of its fixture is played; what was played counts.
    """
    with on_record(file) as contest:
        waiting = contest.course.set_aside
        if match not in waiting:
            raise BadArgumentError(
                f"{match!r} is not set aside{nearest(match, waiting)}"
                + (f" (these are: {', '.join(waiting)})" if waiting else " (nothing is)")
            )
        name = MatchName.read(match)
        text = f"nothing more is played of {name.stage}/{name.fixture}"
        _record(contest, Act(GIVE_UP, match=match, why=why), match, text)
