"""An arena in a process of its own, for the soaks: on ports that stay when it is started again."""

import asyncio
import os
import signal
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

START_S = 60.0
"""Seconds that a server has to open all its tables."""


def free_ports(count: int) -> list[int]:
    """Return ports of this machine that nobody uses now."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Server:
    """`croupier serve` with the file `arena.toml` of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "log"
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """The process that is running."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """What it wrote to standard error."""
        return self._log.read_text("utf-8", "replace")

    async def start(self) -> None:
        """Start it, and wait until it is open."""
        command = [sys.executable, "-m", "croupier", "serve", str(self._folder / "arena.toml")]
        with self._log.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command, "--web", "-1", stdout=asyncio.subprocess.PIPE, stderr=log
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(START_S):
            while line := await self._process.stdout.readline():
                if line.startswith(b"control: "):
                    self._reading = asyncio.create_task(_drop(self._process.stdout))
                    return
        raise SystemExit(f"the server has ended:\n{self.log}")

    async def kill(self) -> None:
        """End it without any chance to tidy up."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """End it as Ctrl-C does."""
        await self._end(signal.SIGINT)

    async def _end(self, number: int) -> None:
        assert self._process is not None
        os.kill(self._process.pid, number)
        await self._process.wait()
        await self._reading


async def _drop(stream: asyncio.StreamReader) -> None:
    """Read what nobody needs, so that the server never waits for us."""
    while await stream.read(65536):
        pass
