"""Makes the tasks of matches: of those that are due in a contest, and of friendly ones."""

from collections.abc import Iterable, Sequence
from typing import Any

from croupier.contest.course import Course, Due
from croupier.contest.fixtures import twin_of
from croupier.contest.friendlies import friendly_rules, house_name
from croupier.contest.plan import HANDS, ContestPlan
from croupier.contest.seeds import friendly_seed, set_seed
from croupier.running.contest_file import ContestFile
from croupier.running.scoring import filling
from croupier.server.table.task import MatchTask, Player
from croupier.store.contests import ContestRow
from croupier.store.friendlies import Friendly

FIRST_PROGRAM_PID = 5001
"""The numbers of programs: each team has its own, none has that of a team that connects by itself
(they count from 1001) or of a house bot (from 9001)."""


class TaskMaker:
    """Makes tasks that are carried out with the files and folders of this machine."""

    def __init__(self, file: ContestFile, boxed: bool) -> None:
        """`boxed` says whether programs run in boxes."""
        around = file.surroundings(boxed)
        self._common: dict[str, Any] = {
            "folder": str(file.folder.resolve()),
            "output": str(file.output.resolve()),
            "arrive_s": file.program_arrive_s,
            "transcripts": str(file.transcripts.resolve()) if file.transcripts else "",
            "boxed": around.boxed,
            "hidden": tuple(map(str, around.hidden)),
            "owned": tuple(map(str, around.owned)),
        }

    def due(self, contest: ContestRow, course: Course, due: Due) -> MatchTask:
        """Return the task of a match that is due."""
        stage = course.current.plan
        players = _players(course.plan, due.teams)
        return MatchTask(
            name=str(due.name),
            place=contest.place(due.name),
            rules=stage.rules,
            players=(*players, *filling(stage, len(players))),
            seed=set_seed(contest.deal_seed, due.name),
            secret=contest.secret,
            recorded=course.plan.record == HANDS,
            twin=twin_of(due.name, stage),
            luck=bool(stage.coefficients),
            **self._common,
        )

    def friendly(self, contest: ContestRow, course: Course, friendly: Friendly) -> MatchTask:
        """Return the task of a friendly match; whatever a contest records, its hands are kept."""
        players = _players(course.plan, friendly.teams)
        if friendly.house:
            players.append(Player(house_name(friendly.opponent), friendly.opponent))
        return MatchTask(
            name=friendly.name,
            place=contest.friendly_place(friendly.number),
            rules=friendly_rules(course),
            players=tuple(players),
            seed=friendly_seed(contest.deal_seed, friendly.number),
            secret=contest.secret,
            recorded=True,
            **self._common,
        )


def _players(plan: ContestPlan, names: Sequence[str]) -> list[Player]:
    """Return teams as they play now."""
    numbers = _numbers(plan.teams_by_name)
    teams = [plan.teams_by_name[name] for name in names]
    return [
        Player(team.name, team.bot, team.command, team.dialect, numbers[team.name])
        for team in teams
    ]


def _numbers(names: Iterable[str]) -> dict[str, str]:
    return {name: str(number) for number, name in enumerate(names, FIRST_PROGRAM_PID)}
