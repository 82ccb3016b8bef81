"""A contest whose coordinator and workers are killed, and that comes out the same.

`python -m tests.running.crash --points 30 --seed 1` does it at any number of points.
"""

import argparse
import os
import random
import signal
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.support.contests import CUP, ContestFolder, Gate, ended, stage, team
from tests.support.hosting import wait_for_end

TEXT = (
    CUP
    + "set = { decision_ms = 60000 }\n"
    + team("Ada", "gated.py:Gated")
    + team("Bob", "RuleAgent")
    + team("Cid", "gated.py:Gated")
    + team("Dan", "RandomAgent")
    + stage("swiss", 12, "rounds = 3")
    + stage("knockout", 12)
)
"""Later pairings follow from results, so that what goes wrong once goes on going wrong."""

MAX_GAP = 60
"""The most events between two kills."""


def play(folder: Path, workers: int) -> ContestFolder:
    """Play the contest undisturbed."""
    folder.mkdir(exist_ok=True)
    contest = ContestFolder(folder, TEXT)
    Gate(folder).close()
    code, _, errors = contest.run("--workers", str(workers))
    assert code == 0, errors
    return contest


def crash(
    folder: Path, seed: int, points: int, victims: str, store: str = "cup.db"
) -> ContestFolder:
    """Play the contest and kill at so many points: `coordinator`, `worker` or `child`."""
    folder.mkdir(exist_ok=True)
    rng = random.Random(f"{seed} {victims}")
    contest = ContestFolder(folder, TEXT.replace("cup.db", store))
    pids: set[int] = set()
    names = victims.split()
    with Gate(folder) as gate:
        program = contest.start("--workers", "2")
        for _ in range(points):
            victim = rng.choice(names)
            for _ in range(rng.randint(1, MAX_GAP)):
                passing = gate.next()
                # A child that is loaded after its worker was killed has another parent.
                pids |= {pid for pid in (passing.worker, passing.child) if pid > 1}
                passing.go()
            if victim != "coordinator" and max(contest.breaks().values(), default=0) == 2:
                victim = "coordinator"  # a third time, and the match would be set aside
            if victim == "coordinator":
                program.kill()
                ended(program)
                for pid in pids:
                    wait_for_end(pid)
                program = contest.start("--workers", "2")
            else:
                pid = passing.child if victim == "child" else passing.worker
                with suppress(ProcessLookupError):
                    os.kill(pid if pid > 1 else passing.child, signal.SIGKILL)
        gate.close()
        code, _, errors = ended(program)
    assert code == 0, errors
    for pid in pids:
        wait_for_end(pid)
    return contest


def check(disturbed: ContestFolder, undisturbed: ContestFolder) -> None:
    """Assert that a contest came out as it does when nobody disturbs it."""
    assert disturbed.json("standings") == undisturbed.json("standings")
    assert disturbed.records() == undisturbed.records()
    assert "is verified" in disturbed.done("verify")


def main() -> None:
    """Kill until all points are used up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        undisturbed = play(Path(name) / "undisturbed", 1)
        for number in range(0, arguments.points, 5):
            points = min(5, arguments.points - number)
            folder = Path(name) / str(number)
            check(
                crash(folder, arguments.seed + number, points, "coordinator worker child"),
                undisturbed,
            )
            print(f"{number + points} of {arguments.points} kills survived", flush=True)


if __name__ == "__main__":
    main()
