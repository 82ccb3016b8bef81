"""What runs inside a worker of a cluster: a match in a process of its own, as on one machine.

The process is the local pool's: it ends with the worker, however that ends, and a watchdog ends the
programs of its match.
"""

import asyncio
import shutil
import tempfile
import zlib
from pathlib import Path
from typing import Any

import msgspec
from distributed import WorkerPlugin, get_worker
from msgspec.structs import replace

from croupier.running.bundles import Bundle, unpack
from croupier.running.frames import Done, Failed, packed
from croupier.running.pool import BrokenMatchError, WorkerProcess
from croupier.server.arena.sandbox import find_problem
from croupier.server.table.task import MatchTask
from croupier.store.records import Record

OUTPUT, TRANSCRIPTS = "output", "transcripts"

MAX_FILE_BYTES = 20_000_000
"""Of a program's output, the most that travels back; the end of it is left off."""


class BundleMissingError(Exception):
    """A worker has not got the files of the teams."""


class Outcome(msgspec.Struct, frozen=True):
    """What comes back from a cluster."""

    records: list[tuple[str, list[Any]]]
    ending: Done | Failed
    files: dict[str, bytes]
    """The output of programs, and transcripts, by their paths below those folders."""


class TeamFiles(WorkerPlugin):  # type: ignore[misc]
    """Unpacks a bundle on every worker, also on those that come later, and sweeps it."""

    def __init__(self, bundle: Bundle, contest: str) -> None:
        """Later files of the same contest take the place of earlier ones."""
        self.name = f"croupier-{contest}"
        self.folder = f"{self.name}-{bundle.name}"
        self._bundle = bundle

    def setup(self, worker: Any) -> None:
        """Unpack the files."""
        Path(worker.local_directory).chmod(0o700)
        unpack(self._bundle, Path(worker.local_directory) / self.folder)

    def teardown(self, worker: Any) -> None:
        """Remove them."""
        shutil.rmtree(Path(worker.local_directory) / self.folder, ignore_errors=True)


class _Player:
    """The process that plays, and the loop that speaks to it."""

    def __init__(self, scratch: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = WorkerProcess(scratch)

    def play(self, task: MatchTask, records: list[Record]) -> Done | Failed:
        try:
            playing = self._process.play(task, records.append, lambda: True)
            return Done(self._loop.run_until_complete(playing))
        except BrokenMatchError as error:
            return Failed(str(error))


_players: list[_Player] = []
"""One, as soon as there was a task: a worker has one thread for tasks."""


def play(task: MatchTask, files: str) -> bytes:
    """Play a match here, with the teams' files in that folder; return its outcome, packed."""
    worker = get_worker()
    scratch = Path(worker.local_directory).resolve()
    if not (scratch / files).is_dir():
        raise BundleMissingError(f"{worker.address} has not got {files}")
    if not _players:
        _players.append(_Player(scratch))
    records: list[Record] = []
    with tempfile.TemporaryDirectory(dir=scratch, prefix="match-") as own:
        if task.boxed and (problem := find_problem()):
            reason = f"programs run in boxes, and on {worker.address} there is none: {problem}"
            ending: Done | Failed = Failed(reason)
        else:
            keys = (worker.security.tls_worker_cert, worker.security.tls_ca_file)
            moved = _moved(task, scratch / files, Path(own), keys)
            ending = _players[0].play(moved, records)
        outcome = Outcome([packed(record) for record in records], ending, _read(Path(own)))
    return zlib.compress(msgspec.msgpack.encode(outcome), 1)


def unpacked_outcome(data: bytes) -> Outcome:
    """Return what was packed."""
    return msgspec.msgpack.decode(zlib.decompress(data), type=Outcome)


def _moved(task: MatchTask, folder: Path, own: Path, keys: tuple[str, ...]) -> MatchTask:
    """Return the task with the folders of this machine."""
    there = Path(task.folder)
    owned = [Path(path) for path in task.owned]
    return replace(
        task,
        folder=str(folder),
        output=str(own / OUTPUT),
        transcripts=str(own / TRANSCRIPTS) if task.transcripts else "",
        hidden=(str(own), *keys),
        owned=tuple(
            str(folder / path.relative_to(there)) if path.is_relative_to(there) else str(path)
            for path in owned
        ),
    )


def _read(own: Path) -> dict[str, bytes]:
    found = {}
    for path in own.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                found[path.relative_to(own).as_posix()] = file.read(MAX_FILE_BYTES)
    return found
