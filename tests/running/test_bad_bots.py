"""A bot harms only its own matches, whatever it does."""

import sys
from pathlib import Path

import pytest

from croupier.contest.fixtures import MatchResult
from tests.support.contests import CUP, ContestFolder, stage, team

BOTS = '''\
import os
import subprocess
import sys
import time
from pathlib import Path

from croupier.bots import Bot
from croupier.rules.decisions import CALL


class Hangs(Bot):
    """Hangs in its first decision, and whenever it is asked again."""

    def decide(self, view):
        time.sleep(1000)


class HangsOnce(Bot):
    def __init__(self):
        self.asked = 0

    def decide(self, view):
        self.asked += 1
        if self.asked == 2:
            time.sleep(1000)
        return CALL


class Swallows(Bot):
    def decide(self, view):
        while True:
            try:
                time.sleep(1000)
            except BaseException:
                pass


class HangsInInit(Bot):
    def __init__(self):
        time.sleep(1000)


class Raises(Bot):
    def decide(self, view):
        raise ValueError("no idea")


class RaisesInInit(Bot):
    def __init__(self):
        raise ValueError("no idea")


class Exits(Bot):
    def decide(self, view):
        sys.exit(3)


class ExitsInInit(Bot):
    def __init__(self):
        sys.exit(3)


class Nonsense(Bot):
    def decide(self, view):
        return "fold"


class Kills(Bot):
    def decide(self, view):
        os.kill(os.getpid(), 9)


class Leaves(Bot):
    """Ends its process with a status that means something to somebody else."""

    STATUS = 0

    def decide(self, view):
        os._exit(self.STATUS)


class LeavesAsTheOther(Leaves):
    STATUS = 101


class LeavesOnce(Bot):
    def decide(self, view):
        mark = Path(__file__).with_name("left")
        if not mark.exists():
            mark.touch()
            os._exit(0)
        return CALL


class Starts(Bot):
    """Leaves a process behind that holds everything open that it has inherited."""

    def __init__(self):
        if os.fork() == 0:
            time.sleep(1000)

    def decide(self, view):
        return CALL
'''

QUICK = "program_arrive_s = 0.2\nset = { decision_ms = 50 }\n"


def contest(folder: Path, bot: str, opponent: str = "CallAgent", hands: int = 3) -> ContestFolder:
    (folder / "bad.py").write_text(BOTS)
    (folder / "hangs.py").write_text("import time\ntime.sleep(1000)\n")
    (folder / "broken.py").write_text("this is no Python\n")
    text = CUP + QUICK + team("Bad", bot) + team("Good", opponent)
    return ContestFolder(folder, text + stage("round-robin", hands, 'deals = "single"'))


def played(folder: Path, bot: str) -> MatchResult:
    """Return the only match of a contest with a bad bot, which is complete and verified."""
    cup = contest(folder, bot)
    code, _, errors = cup.run("--workers", "1")
    assert code == 0, errors
    assert "is verified" in cup.done("verify")
    (result,) = cup.results().values()
    return result


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("bad.py:Swallows", "does not return in time"),
        ("bad.py:HangsInInit", "BotTimeoutError"),
        ("hangs.py:Bot", "BotTimeoutError"),
        ("broken.py:Bot", "SyntaxError"),
        ("bad.py:RaisesInInit", "no idea"),
        ("bad.py:ExitsInInit", "SystemExit"),
        ("bad.py:Nobody", "has no 'Nobody'"),
    ],
)
def test_a_bot_that_cannot_play_forfeits(tmp_path: Path, bot: str, reason: str) -> None:
    bad, good = played(tmp_path, bot).seats
    assert reason in bad.forfeit
    assert (bad.chips, good.chips) == (-10_000, 10_000)
    assert not good.forfeit


@pytest.mark.parametrize("bot", ["bad.py:Raises", "bad.py:Exits", "bad.py:Nonsense"])
def test_a_bot_that_decides_nothing_valid_checks_or_folds_and_its_faults_are_counted(
    tmp_path: Path, bot: str
) -> None:
    result = played(tmp_path, bot)
    bad, good = result.seats
    assert result.hands == 3
    assert bad.faults >= 3
    assert not bad.forfeit
    assert (good.faults, good.forfeit) == (0, "")


def test_a_bot_that_is_late_once_has_one_fault_and_plays_on(tmp_path: Path) -> None:
    bad, _ = played(tmp_path, "bad.py:HangsOnce").seats
    assert (bad.faults, bad.forfeit) == (1, "")


def test_a_bot_that_is_always_late_forfeits_before_it_has_wasted_a_day(tmp_path: Path) -> None:
    cup = contest(tmp_path, "bad.py:Hangs", hands=100_000)
    code, _, errors = cup.run("--workers", "1")
    assert code == 0, errors
    (result,) = cup.results().values()
    assert "does not return in time" in result.seats[0].forfeit
    assert "is verified" in cup.done("verify")


def test_a_bot_that_hangs_against_a_program_does_not_stop_its_worker(tmp_path: Path) -> None:
    cup = contest(tmp_path, "bad.py:Swallows")
    join = f"{sys.executable} -m croupier join huawei://{{host}}:{{port}}?pid={{pid}}"
    join += " --bot CallAgent --name {key}"
    cup.edit('bot = "CallAgent"', f'run = "{join}"\ndialect = "huawei"')
    cup.edit("program_arrive_s = 0.2", "program_arrive_s = 60")
    code, _, errors = cup.run("--workers", "1")
    assert code == 0, errors
    (result,) = cup.results().values()
    assert [seat.forfeit for seat in result.seats] == ["its bot does not return in time", ""]


def test_a_process_that_a_bot_leaves_behind_ends_with_the_contest(tmp_path: Path) -> None:
    assert not played(tmp_path, "bad.py:Starts").seats[0].forfeit


def test_a_match_that_broke_once_is_played_again(tmp_path: Path) -> None:
    cup = contest(tmp_path, "bad.py:LeavesOnce")
    code, _, errors = cup.run("--workers", "1")
    assert code == 0, errors
    assert "a match broke and is played again" in errors
    (result,) = cup.results().values()
    assert (result.hands, result.seats[0].faults, result.seats[0].forfeit) == (3, 0, "")
    assert len(cup.records()) == 1


@pytest.mark.parametrize("bot", ["Kills", "Leaves", "LeavesAsTheOther"])
def test_a_match_that_breaks_three_times_is_set_aside_until_it_is_given_up(
    tmp_path: Path, bot: str
) -> None:
    cup = contest(tmp_path, f"bad.py:{bot}")
    cup.file.write_text(cup.file.read_text() + team("Other", "RuleAgent"))
    code, _, errors = cup.run("--workers", "1")
    assert code == 3, errors
    aside = cup.json("status")["set_aside"]
    assert len(aside) == 2
    for match in aside:
        assert f"give-up {cup.file} {match}" in errors
        assert cup.breaks()[match] == 3
    assert f"croupier contest run {cup.file}" in errors
    assert len(cup.results()) == 1
    for match in aside:
        cup.done("give-up", match, "--why", "it crashes")
    code, _, errors = cup.run("--workers", "1")
    assert code == 0, errors
    assert "is verified" in cup.done("verify")
    lines = {one["team"]: one for one in cup.json("standings")["stages"][0]["standings"]}
    assert {name: line["matches"] for name, line in lines.items()} == {
        "Bad": 0, "Good": 1, "Other": 1,
    }  # fmt: skip
