"""Start and end the program under check, and capture its output."""

import asyncio
import contextlib
import os
import signal
import subprocess
import tempfile

from croupier.server.arena.programs import words_of

LAST_LINES = 10
"""Lines of output that are shown."""
TERMINATION_TIMEOUT = 2.0
"""Seconds that the program has to end after a signal."""


class CheckedProgram:
    """A program that is being checked."""

    def __init__(self, command: str, host: str, port: int, pid: int, name: str) -> None:
        self._words = words_of(command, host, port, pid, name)
        self._output = tempfile.TemporaryFile()  # noqa: SIM115  (closed in end)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the program in a process group of its own."""
        self._process = subprocess.Popen(
            self._words,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
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

    async def end(self) -> None:
        """Terminate the program and everything it has started."""
        if self._process is not None:
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._process.pid, number)
                if await self.ended_within(TERMINATION_TIMEOUT):
                    break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._output.close()
