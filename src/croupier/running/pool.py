"""Workers: what the coordinator needs of them, and the worker processes of one machine."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from croupier.private_files import make_folder, opener
from croupier.running.frames import (
    LENGTH_BYTES,
    Done,
    Failed,
    FromWorker,
    Play,
    Recorded,
    framed,
    unpacked,
)
from croupier.server.arena.programs import OWN_SETTINGS
from croupier.server.table.task import MatchTask, Played
from croupier.store.records import Record

OUTPUT = "workers.log"


class BrokenMatchError(Exception):
    """A match could not be played to its end, for no fault of a team; the message says why."""


class HopelessMatchError(BrokenMatchError):
    """It broke so often that it is not played again unless an organiser says so."""


class MatchWorker(Protocol):
    """Plays one match at a time, on this machine or elsewhere."""

    async def play(
        self, task: MatchTask, on_record: Callable[[Record], None], has_space: Callable[[], bool]
    ) -> Played:
        """Play a match; raise `BrokenMatchError` if it breaks.

        While `has_space` is false, no more records are handed over.
        """

    async def end(self) -> None:
        """End, or break off what is being played."""

    def kill(self) -> None:
        """End at once."""


class WorkerProcess:
    """One worker; it plays one match at a time, and is started when the first one comes."""

    def __init__(self, output: Path) -> None:
        """`output` is the folder for whatever it prints."""
        self._output = output
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._lifeline = -1
        self._playing = False

    async def play(
        self, task: MatchTask, on_record: Callable[[Record], None], has_space: Callable[[], bool]
    ) -> Played:
        """Play a match; raise `BrokenMatchError` if it breaks.

        While `has_space` is false, no more records are taken from the worker.
        """
        try:
            if self._process is None or self._process.returncode is not None:
                await self._start()
        except OSError as error:
            raise BrokenMatchError(f"no worker can be started: {error}") from None
        assert self._writer is not None
        self._playing = True
        try:
            self._writer.write(framed(Play(task)))
            while True:
                message = await self._receive()
                if not isinstance(message, Recorded):
                    break
                for kind, fields in message.records:
                    on_record(unpacked(kind, fields))
                while not has_space():
                    await asyncio.sleep(0.01)
        except (asyncio.IncompleteReadError, OSError):
            status = await self._ended()
            raise BrokenMatchError(f"the worker ended with status {status}") from None
        except (msgspec.MsgspecError, LookupError, TypeError) as error:
            await self._ended()
            raise BrokenMatchError(f"the worker sent what nobody understands: {error}") from None
        self._playing = False
        if isinstance(message, Failed):
            raise BrokenMatchError(message.reason)
        return message.played

    async def _start(self) -> None:
        self._close()
        make_folder(self._output)
        ours, theirs = socket.socketpair()
        reading, self._lifeline = os.pipe()
        try:
            with open(self._output / OUTPUT, "ab", opener=opener) as output, theirs:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "croupier.running.worker",
                    str(theirs.fileno()),
                    str(reading),
                    pass_fds=(theirs.fileno(), reading),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                    # Sets and dictionaries of users' bots are in the same order in every run.
                    env=_environment(),
                )
            self._reader, self._writer = await asyncio.open_connection(sock=ours)
        except BaseException:
            ours.close()
            raise
        finally:
            os.close(reading)

    async def _receive(self) -> FromWorker:
        length = int.from_bytes(await self._reader.readexactly(LENGTH_BYTES), "big")
        body = await self._reader.readexactly(length)
        return msgspec.msgpack.decode(body, type=Recorded | Done | Failed)

    async def _ended(self) -> int:
        assert self._process is not None
        self._playing = False
        self.kill()  # a child in which it played may have outlived it
        return await self._process.wait()

    def kill(self) -> None:
        """End the worker and its children at once; a watchdog ends the programs of its match."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._close()

    async def end(self) -> None:
        """Let an idle worker end; end one that is playing at once."""
        if self._process is None:
            return
        if self._playing:
            self.kill()
        elif self._writer is not None:
            self._writer.close()
        await self._process.wait()
        self._close()

    def _close(self) -> None:
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        if self._writer is not None:  # it may have been broken off while it was being started
            self._writer.close()
            self._writer = None


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OWN_SETTINGS)}
    return kept | {"PYTHONHASHSEED": "0"}
