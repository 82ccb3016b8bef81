"""Admission: a program has to pass the checker before its first match."""

import asyncio
import logging
from collections.abc import Callable

import structlog
from sqlalchemy import Engine

from croupier.checker.check import DEFAULT_JOBS, Check
from croupier.checker.verdict import Verdict
from croupier.contest.acts import ADMIT, DISQUALIFY, WITHDRAW, Act
from croupier.contest.plan import Team
from croupier.dialects.registry import DIALECTS
from croupier.running.contest_file import ContestFile
from croupier.server.arena.programs import absolute
from croupier.store import contests
from croupier.store.contests import ContestRow

BY = "croupier check"
"""Who decides, for the audit log."""


def admit(
    engine: Engine,
    contest: ContestRow,
    file: ContestFile,
    say: Callable[[str], None],
    boxed: bool = False,
) -> None:
    """Check every program that was not checked yet; those that fail are withdrawn.

    `boxed` says whether programs run in boxes. The verdict is on record with the team. A new
    version of a program is checked again.
    """
    course = contests.course_of(engine, contest)
    decided: set[str] = set()
    for act in course.acts:
        if act.kind in (ADMIT, WITHDRAW, DISQUALIFY):
            decided.add(act.team)
        elif act.entry is not None:
            decided.discard(act.team)
    for team in course.plan.teams:
        if team.command and team.name not in decided:
            say(f"checking the program of {team.name}")
            failed = [verdict for verdict in _verdicts(team, file, boxed) if not verdict.ok]
            if failed:
                why = f"{failed[0].scenario}: {failed[0].text}"
                say(f"{team.name} is not admitted: {why}")
                contests.act(engine, contest, Act(WITHDRAW, team.name, why=why), BY, team.name)
            else:
                why = "passed all scenarios"
                contests.act(engine, contest, Act(ADMIT, team.name, why=why), BY, team.name)


def _verdicts(team: Team, file: ContestFile, boxed: bool) -> list[Verdict]:
    dialect = DIALECTS[team.dialect]
    command = absolute(team.command, file.folder)
    check = Check(dialect, 0, command, dialect.scenarios, DEFAULT_JOBS, file.surroundings(boxed))
    configured = structlog.get_config()
    # Verdicts report the program's mistakes; the table's log would only repeat them.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    try:
        return asyncio.run(check.run())
    except OSError as error:
        return [Verdict("start", "the program can be started", False, str(error))]
    finally:
        structlog.configure(**configured)
