"""`python -m bench.contest`: a contest of house bots beside `croupier play` with the same bots.

All are processes of their own, start-up included. The ratio per CPU second is what counts on a
busy machine; the wall clock says whether all cores were used. With `distributed` installed the same
contest is played by a cluster of two workers on this machine, over TLS, as well; what its scheduler
and workers take is not measured, so that the clock is all there is to compare.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

BOTS = ("RandomAgent", "CallAgent")

CROUPIER = [sys.executable, "-m", "croupier"]


def file_of(teams: int, hands: int, record: str) -> str:
    """Return a contest in which every team meets every other, in duplicate."""
    entries = "".join(
        f'[[team]]\nname = "T{number}"\nbot = "{BOTS[number % 2]}"\n' for number in range(teams)
    )
    return (
        f'title = "bench {record}"\nstore = "{record}.db"\nseed = "7"\nrecord = "{record}"\n'
        f"{entries}"
        f'[[stage]]\nname = "rr"\nformat = "round-robin"\nhands = {hands}\n'
    )


def measured(arguments: Sequence[str], folder: Path) -> tuple[float, float, int]:
    """Run the program; return wall and CPU seconds, and the peak memory of a process in KiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run([*CROUPIER, *arguments], cwd=folder, check=True, capture_output=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, after.ru_maxrss


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """Run a scheduler and two workers; yield the scheduler's address."""
    subprocess.run(
        [*CROUPIER, "cluster", "certificates"], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )
    with _node(folder, "scheduler at", "scheduler", "--port", "0") as line:
        address = line.split()[-1]
        work = ("worker", address, "--workers", "2", "--scratch", "scratch")
        with _node(folder, "2 workers at", *work):
            yield address


@contextmanager
def _node(folder: Path, words: str, *arguments: str) -> Iterator[str]:
    """Run a part of a cluster; yield the line in which it says these words."""
    command = [*CROUPIER, "cluster", *arguments]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        yield next(line for line in process.stderr if words in line)
    finally:
        process.terminate()
        process.communicate()


def main() -> None:
    """Print one line per run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teams", type=int, default=6)
    parser.add_argument("--hands", type=int, default=4000)
    options = parser.parse_args()
    pairs = options.teams * (options.teams - 1) // 2
    hands = 2 * pairs * options.hands
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        half = options.teams // 2
        same = half * (half - 1) // 2
        wall = cpu = 0.0
        for one, other, share in (
            (BOTS[0], BOTS[0], same),
            (BOTS[1], BOTS[1], pairs - same - half * (options.teams - half)),
            (BOTS[0], BOTS[1], half * (options.teams - half)),
        ):
            count = str(2 * share * options.hands)
            took = measured(["play", one, other, "--hands", count, "--seed", "7"], folder)
            wall, cpu = wall + took[0], cpu + took[1]
        print(f"{hands:,} hands, {os.cpu_count()} cores")
        print(f"play              {hands / wall:8,.0f} hands/s  {hands / cpu:8,.0f} per CPU s")
        for record in ("results", "hands"):
            (folder / "contest.toml").write_text(file_of(options.teams, options.hands, record))
            run = measured(["contest", "run"], folder)
            size = sum(path.stat().st_size for path in folder.glob(f"{record}.db*"))
            print(
                f"contest, {record:<8} {hands / run[0]:8,.0f} hands/s  {hands / run[1]:8,.0f} per"
                f" CPU s, {cpu / run[1]:.0%} of play per CPU s, {wall / run[0]:.2f} × play on the"
                f" clock, {size / hands:,.0f} bytes a hand, {run[2] / 1024:.0f} MiB at most",
                flush=True,
            )
        if find_spec("distributed") is None:
            print("no cluster: pip install 'croupier[cluster]'")
            return
        (folder / "hands.db").unlink()
        with cluster(folder) as address:
            run = measured(["contest", "run", "--cluster", address], folder)
            print(
                f"on a cluster      {hands / run[0]:8,.0f} hands/s, {wall / run[0]:.2f} × play on"
                " the clock"
            )


if __name__ == "__main__":
    main()
