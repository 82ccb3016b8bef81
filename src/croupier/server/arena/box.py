"""A program in its box, as the server sees it: a process, and a listener that leads to it alone."""

import asyncio
import contextlib
import socket
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import BinaryIO

import structlog

from croupier.server.arena import cgroups
from croupier.server.arena.keeper import END
from croupier.server.arena.plan import Program
from croupier.server.arena.sandbox import box_command

log = structlog.get_logger()

ListenOn = Callable[[socket.socket], Awaitable[asyncio.Server]]
"""Makes a door accept the connections of a socket, too."""


class Box:
    """A box with a program in it."""

    def __init__(
        self,
        words: Sequence[str],
        program: Program,
        port: int,
        listen_on: ListenOn,
        output: BinaryIO,
        readable: Sequence[Path] = (),
        folder: Path | None = None,
    ) -> None:
        """Start the program; it finds a listener on the port, which `listen_on` takes over."""
        self._loop = asyncio.get_running_loop()
        self._server: asyncio.Server | None = None
        self._group: cgroups.Group | None = None
        self._control, theirs = socket.socketpair()
        self._control.setblocking(False)
        with theirs:
            command = box_command(words, program, theirs.fileno(), port, readable, folder)
            groups = cgroups.delegated()
            try:
                if groups is not None:
                    self._group = groups.new(program)
                    command = self._group.entered_by(command)
                self.process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    pass_fds=[theirs.fileno()],
                )
            except OSError:
                self._control.close()
                self._remove_group()
                raise
        self._taking_over = self._loop.create_task(self._take_over(listen_on))

    async def _take_over(self, listen_on: ListenOn) -> None:
        """Wait for the listener, in which connections may be waiting already."""
        arrived = asyncio.Event()
        self._loop.add_reader(self._control, arrived.set)
        try:
            await arrived.wait()
        finally:
            self._loop.remove_reader(self._control)
        with contextlib.suppress(OSError):
            _, descriptors, _, _ = socket.recv_fds(self._control, 1, 1)
            for descriptor in descriptors:
                self._server = await listen_on(socket.socket(fileno=descriptor))

    def close_listener(self) -> None:
        """Accept no more connections; those that there are stay."""
        self._taking_over.cancel()
        if self._server is not None:
            self._server.close()

    def ask_to_end(self) -> None:
        """Let everything in the box have a SIGTERM."""
        with contextlib.suppress(OSError):
            self._control.send(END)

    def close(self) -> None:
        """Close the box; whatever still runs in it is killed."""
        self.close_listener()
        self._control.close()
        self._remove_group()

    def _remove_group(self) -> None:
        if self._group is None:
            return
        if self._group.ran_out_of_memory:
            log.warning("a program took more memory than it may", process=self.process.pid)
        self._group.remove()
        self._group = None
