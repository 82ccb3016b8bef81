"""How long a contest will take, from a short trial of its first match."""

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

from croupier.bot_files import BotFileError, load_bot
from croupier.bots import bots_for
from croupier.contest.course import Course
from croupier.match.chance import SeededChance
from croupier.running import in_process
from croupier.running.contest_file import ContestFile
from croupier.server.table.task import MatchTask, Player

TRIAL_S = 1.0
"""Seconds after which a trial is long enough."""
FIRST_HANDS = 20


@dataclass(frozen=True)
class Estimate:
    """The speed that a trial has shown."""

    hands_per_second: float
    """Of one worker."""
    workers: int

    def seconds(self, hands: int) -> float:
        """Return how long so many hands will take."""
        return hands / self.hands_per_second / self.workers


def knows_speed(file: ContestFile) -> bool:
    """Tell whether a trial says anything: programs and people cannot be tried without them."""
    return all(team.bot for team in file.plan.teams)


def estimate(file: ContestFile, course: Course, workers: int | None) -> Estimate | None:
    """Return the speed at which the first match that is due is played."""
    stage = course.stages[0].plan
    due = next(course.due(), None)
    if due is None:
        return None
    teams = course.plan.teams_by_name
    players = tuple(Player(name, teams[name].bot) for name in due.teams)
    hands = FIRST_HANDS
    while True:
        rules = replace(stage.rules, hands=hands)
        task = MatchTask("", "", rules, players, bytes(32), False, False, "", "")
        chance = SeededChance(task.seed)
        try:
            bots = {
                number: load_bot(player.bot, bots_for(rules), chance.bot(number), Path(file.folder))
                for number, player in enumerate(players)
            }
        except BotFileError:
            return None  # it will forfeit
        began = time.perf_counter()
        played = in_process.play(task, bots)
        seconds = time.perf_counter() - began
        if seconds > TRIAL_S / 4 or played.hands < hands:
            return Estimate(max(1, played.hands) / seconds, workers or usual_workers())
        hands *= 4


def usual_workers() -> int:
    """Return how many workers this machine has a core for."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
