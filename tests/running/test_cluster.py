"""A contest on a cluster, with a real scheduler and two workers over TLS, comes out the same."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from croupier import __version__
from tests.running.crash import TEXT, check
from tests.support.contests import CUP, ContestFolder, Gate, ended, stage, team
from tests.support.hosting import wait_for_end
from tests.support.processes import Program, croupier

psutil = pytest.importorskip("psutil", reason="needs croupier[cluster]")
pytest.importorskip("distributed", reason="needs croupier[cluster]")

GOOD = Path(__file__).parents[1] / "badbots"

KILLER = '''\
"""Kills the worker of the cluster that it plays on, four times in all."""

import os
import signal
from pathlib import Path

import psutil

from croupier.bots import CallAgent

COUNT = Path({count!r})


class Killer(CallAgent):
    def __init__(self):
        done = len(COUNT.read_text()) if COUNT.exists() else 0
        if done < 4:
            COUNT.write_text("x" * (done + 1))
            os.kill(psutil.Process().parent().ppid(), signal.SIGKILL)
            signal.pause()
'''

OTHER_VERSION = "import croupier\ncroupier.__version__ = '0.0.7'\n"


class Cluster:
    """A scheduler, and a command with two workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        assert croupier("cluster", "certificates", cwd=folder).returncode == 0
        self.address = "tls://127.0.0.1:0"
        self.scheduler = self._schedule()
        self.workers = self.start_workers("--workers", "2")
        said(self.workers, "2 workers at")

    def _schedule(self) -> Program:
        port = self.address.rpartition(":")[2]
        program = self._start("scheduler", "--port", port)
        self.address = said(program, "scheduler at").split()[-1]
        return program

    def start_workers(self, *options: str) -> Program:
        return self._start("worker", self.address, "--scratch", "scratch", *options)

    def _start(self, *words: str) -> Program:
        return Program("croupier", "cluster", *words, cwd=self.folder, stdout=None)

    def kill_scheduler(self) -> None:
        """End it without any chance to tidy up, and start another one in its place."""
        self.scheduler.kill()
        self.scheduler.wait()
        self.scheduler = self._schedule()

    @property
    def options(self) -> tuple[str, ...]:
        certificate = str(self.folder / "certificates" / "coordinator.pem")
        return "--cluster", self.address, "--certificate", certificate

    def files(self) -> list[str]:
        """Return what teams' files are left on the workers."""
        return [str(path) for path in (self.folder / "scratch").rglob("*.py")]

    def close(self) -> None:
        for program in (self.workers, self.scheduler):
            program.terminate()
            program.wait(60)


def said(program: Program, words: str) -> str:
    """Wait for a line with these words, and return it."""
    assert program.stderr is not None
    lines = []
    for line in program.stderr:
        lines.append(line)
        if words in line:
            # Nobody reads the rest, and a full pipe would stop it.
            threading.Thread(target=_drain, args=(program.stderr,), daemon=True).start()
            return str(line)
    raise AssertionError("".join(lines))


def _drain(stream: IO[str]) -> None:
    with stream:
        stream.read()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    one = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield one
    finally:
        one.close()


def gated(folder: Path) -> ContestFolder:
    (folder / "bots").mkdir(parents=True)
    return ContestFolder(folder, TEXT.replace("gated.py", "bots/gated.py"))


def test_a_contest_whose_worker_scheduler_and_coordinator_are_killed_comes_out_as_on_one_machine(
    cluster: Cluster, tmp_path: Path
) -> None:
    undisturbed = gated(tmp_path / "here")
    Gate(undisturbed.folder / "bots").close()
    code, _, errors = undisturbed.run("--workers", "2")
    assert code == 0, errors
    contest = gated(tmp_path / "cluster")
    with Gate(contest.folder / "bots") as gate:
        program = contest.start(*cluster.options)
        for victim in ("worker", "scheduler", "coordinator"):
            for _ in range(15):
                passing = gate.next()
                passing.go()
            if victim == "worker":
                with suppress(psutil.NoSuchProcess):
                    os.kill(psutil.Process(passing.worker).ppid(), signal.SIGKILL)
                    wait_for_end(passing.worker)
                    wait_for_end(passing.child)
            elif victim == "scheduler":
                cluster.kill_scheduler()
            else:
                program.kill()
                ended(program)
        gate.close()
        code, _, errors = contest.run(*cluster.options)
    assert code == 0, errors
    assert contest.breaks() == {}
    check(contest, undisturbed)
    assert cluster.files() == []


def test_a_match_that_kills_its_worker_four_times_is_set_aside_and_the_contest_goes_on(
    cluster: Cluster, tmp_path: Path
) -> None:
    shutil.copytree(GOOD, tmp_path / "programs", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "killer.py").write_text(KILLER.format(count=str(tmp_path / "count")))
    command = f"{shlex.quote(sys.executable)} programs/good.py {{host}} {{port}} {{pid}} {{key}}"
    text = (
        CUP
        + 'output = "printed"\n'
        + team("Kim", "killer.py:Killer")
        + team("Bob", "CallAgent")
        + f'\n[[team]]\nname = "Pro"\nrun = {json.dumps(command)}\ndialect = "huawei"\n'
        + stage("round-robin", 3, 'deals = "single"')
    )
    contest = ContestFolder(tmp_path, text)
    code, _, errors = contest.run(*cluster.options, "--workers", "1", "--sandbox", "off")
    assert code == 3, errors
    ((name, _),) = contest.breaks().items()
    assert f"{name} broke too often and is set aside" in errors
    assert "its worker was killed 4 times" in errors
    assert (tmp_path / "count").read_text() == "xxxx"
    assert len(contest.results()) == 2
    assert not any(side.forfeit for one in contest.results().values() for side in one.seats)
    assert list((tmp_path / "printed").glob("*Pro*")), "what the program printed came back"
    assert cluster.files() == []


def test_a_worker_of_another_version_is_refused(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(OTHER_VERSION)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    # Not from the nursery, which has imported this version.
    command = [sys.executable, "-m", "croupier", "cluster", "worker", cluster.address]
    done = subprocess.run(command, cwd=cluster.folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"the scheduler runs croupier {__version__}, and this is 0.0.7" in done.stderr


def test_a_certificate_of_another_cluster_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    assert croupier("cluster", "certificates", cwd=tmp_path).returncode == 0
    contest = ContestFolder(tmp_path, CUP + team("A", "CallAgent") + team("B", "CallAgent")
                            + stage("round-robin", 3))  # fmt: skip
    code, _, errors = contest.run("--cluster", cluster.address)
    assert code == 2
    assert f"no cluster at {cluster.address}" in errors
