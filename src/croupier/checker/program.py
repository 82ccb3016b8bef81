"""Start and end the program under check, and capture its output."""

import asyncio
import contextlib
import os
import signal
import subprocess
import tempfile

from croupier.server.arena.box import Box
from croupier.server.arena.plan import Program
from croupier.server.arena.programs import Entrance, environment, words_of
from croupier.server.arena.sandbox import Surroundings, own_files

LAST_LINES = 10
"""Lines of output that are shown."""
TERMINATION_TIMEOUT = 2.0
"""Seconds that the program has to end after a signal."""


class CheckedProgram:
    """A program that is being checked."""

    def __init__(
        self, command: str, entrance: Entrance, pid: int, name: str, around: Surroundings
    ) -> None:
        self._words = words_of(command, entrance.host, entrance.port, pid, name)
        self._entrance = entrance
        self._around = around
        self._box: Box | None = None
        self._output = tempfile.TemporaryFile()  # noqa: SIM115  (closed in end)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the program in a box, or else in a process group of its own."""
        around = self._around
        if around.boxed:
            self._box = Box(
                self._words,
                Program("", ""),
                self._entrance.port,
                self._entrance.listen_on,
                self._output,
                own_files(self._words, around),
                around.folder.absolute(),
            )
            self._process = self._box.process
            return
        self._process = subprocess.Popen(
            self._words,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            env=environment(),
            start_new_session=True,
        )

    @property
    def code(self) -> int | None:
        """The exit code, or None while the program is running."""
        return None if self._process is None else self._process.poll()

    def has_ended(self) -> bool:
        """Return whether the program has ended."""
        return self.code is not None

    async def ended_within(self, seconds: float) -> bool:
        """Wait for the program to end; return whether it did so in time."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not self.has_ended() and loop.time() < deadline:
            await asyncio.sleep(0.02)
        return self.has_ended()

    def last_lines(self) -> list[str]:
        """Return the last lines of its output."""
        self._output.seek(0, os.SEEK_END)
        self._output.seek(max(0, self._output.tell() - 4096))
        return self._output.read().decode("utf-8", "replace").splitlines()[-LAST_LINES:]

    def close_listener(self) -> None:
        """Let nobody in any more, if the program has a listener of its own."""
        if self._box is not None:
            self._box.close_listener()

    async def end(self) -> None:
        """Terminate the program and everything it has started."""
        if self._box is not None:
            self._box.ask_to_end()
            await self.ended_within(TERMINATION_TIMEOUT)
            self._box.close()
            self._box.process.wait()
        elif self._process is not None:
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._process.pid, number)
                if await self.ended_within(TERMINATION_TIMEOUT):
                    break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._output.close()
