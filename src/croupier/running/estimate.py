"""How long a contest will take, from short trials of its first match."""

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

from croupier.bot_files import BotFileError, load_bot
from croupier.bots import bots_for
from croupier.contest.adjusting import takes_luck_out
from croupier.contest.course import Course
from croupier.contest.plan import StagePlan
from croupier.running import in_process
from croupier.running.contest_file import ContestFile
from croupier.running.luck_account import LuckAccount, LuckySink
from croupier.server.table.task import MatchTask, Player, chance_for

TRIAL_S = 1.0
"""Seconds after which a trial is long enough."""
FIRST_HANDS = 20


@dataclass(frozen=True)
class Estimate:
    """The speed that trials have shown."""

    hands_per_second: dict[bool, float]
    """Of one worker; without luck, and where it is computed as well."""
    workers: int

    def seconds(self, hands: int, lucky: bool) -> float:
        """Return how long so many hands will take."""
        return hands / self.hands_per_second[lucky] / self.workers


def knows_speed(file: ContestFile) -> bool:
    """Tell whether a trial says anything: programs and people cannot be tried without them."""
    return all(team.bot for team in file.plan.teams)


def estimate(file: ContestFile, course: Course, workers: int | None) -> Estimate | None:
    """Return the speed at which the first match that is due is played."""
    due = next(course.due(), None)
    if due is None:
        return None
    teams = course.plan.teams_by_name
    players = tuple(Player(name, teams[name].bot) for name in due.teams)
    kinds = {takes_luck_out(file.plan, stage) for stage in file.plan.stages}
    try:
        speeds = {
            lucky: _speed(course.stages[0].plan, players, Path(file.folder), lucky)
            for lucky in kinds
        }
    except BotFileError:
        return None  # it will forfeit
    return Estimate(speeds, workers or usual_workers())


def _speed(stage: StagePlan, players: tuple[Player, ...], folder: Path, lucky: bool) -> float:
    """Return how many hands a second are played in a trial, with their luck or without."""
    hands = FIRST_HANDS
    while True:
        rules = replace(stage.rules, hands=hands)
        task = MatchTask("", "", rules, players, bytes(32), False, False, "", "")
        chance = chance_for(task)
        bots = {
            number: load_bot(player.bot, bots_for(rules), chance.bot(number), folder)
            for number, player in enumerate(players)
        }
        sink = LuckySink(LuckAccount(rules, chance), None) if lucky else None
        began = time.perf_counter()
        played = in_process.play(task, bots, sink)
        seconds = time.perf_counter() - began
        if seconds > TRIAL_S / 4 or played.hands < hands:
            return max(1, played.hands) / seconds
        hands *= 4


def usual_workers() -> int:
    """Return how many workers this machine has a core for."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
