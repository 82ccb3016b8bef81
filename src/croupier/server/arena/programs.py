"""Players' programs that the organiser lets the server start.

Each runs in a process group of its own, with limits on memory and open files and its output in a
file, and is ended with its match: asked first, and killed if it does not listen. One that ends
before that, or cannot be started at all, is named in the log. If this process is killed, a watchdog
ends what it has started.
"""

import asyncio
import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import structlog

from croupier.server.arena import watchdog
from croupier.server.arena.plan import Program

log = structlog.get_logger()

FIRST_PID = 1001
"""The public number of the first table's first program."""

PIDS_OF_A_TABLE = 100
"""How far apart the numbers of two tables' first programs are."""

LOOK_S = 0.5
"""Seconds between two looks at which programs are still there."""

LAST_WORDS = 200
"""Bytes of a program's output that the log repeats."""

PATIENCE = watchdog.PATIENCE


class ProgramError(ValueError):
    """A command that cannot be started; the text says why."""


def words_of(command: str, host: str, port: int, pid: int, name: str) -> list[str]:
    """Return the words of a command, with {host}, {port}, {pid} and {name} filled in."""
    fields = {"host": host, "port": port, "pid": pid, "name": name}
    try:
        words = [word.format_map(fields) for word in shlex.split(command)]
    except (KeyError, IndexError, ValueError, AttributeError, TypeError) as error:
        raise ProgramError(
            f"{command!r}: {error}; only {{host}}, {{port}}, {{pid}} and {{name}} are filled in"
        ) from None
    if not words:
        raise ProgramError("the command is empty")
    return words


@dataclass(eq=False)
class Running:
    """A program, the file that its output goes to, and how it is started anew."""

    process: subprocess.Popen[bytes]
    output: Path
    start_again: Callable[[], None] | None


class Programs:
    """All programs that are running, by table."""

    def __init__(self, output: Path) -> None:
        """`output` is the folder that their output goes to."""
        self._output = output
        self._running: dict[str, list[Running]] = {}
        self._look: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._watchdog: subprocess.Popen[bytes] | None = None

    def start(
        self,
        table: str,
        number: int,
        program: Program,
        host: str,
        port: int,
        first_pid: int = FIRST_PID,
    ) -> None:
        """Start a program of a table; `number` counts the table's programs."""
        pid, name = first_pid + number, f"{table}-{number + 1}"
        connect_to = "127.0.0.1" if host == "0.0.0.0" else host
        words = words_of(program.command, connect_to, port, pid, name)
        # The shell sets the limits for itself and then becomes the program.
        limits = f"ulimit -v {1024 * program.memory_mb} && ulimit -n {program.open_files}"
        self._output.mkdir(parents=True, exist_ok=True)
        path = self._output / f"{name}.log"
        with path.open("ab") as output:
            process = subprocess.Popen(
                ["/bin/sh", "-c", f'{limits} && exec "$@"', "program", *words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._tell_watchdog("+", process)
        again = partial(self.start, table, number, program, host, port, first_pid)
        running = Running(process, path, again if program.endless else None)
        self._running.setdefault(table, []).append(running)
        log.info("program started", table=table, name=name, process=process.pid, output=str(path))
        if self._look is None:
            self._look_again()

    def _look_again(self) -> None:
        self._look = asyncio.get_running_loop().call_later(LOOK_S, self._look_at_all)

    def _look_at_all(self) -> None:
        self._look = None
        for table in list(self._running):
            self._see_to_ended(table)
        if self._running and self._look is None:
            self._look_again()

    def _see_to_ended(self, table: str, ending: bool = False) -> None:
        """Name the programs of a table that have ended before their match, or start them anew."""
        ended = [one for one in self._running[table] if one.process.poll() is not None]
        for one in ended:
            self._running[table].remove(one)
            self._tell_watchdog("-", one.process)
            if one.start_again is not None:
                if not ending:
                    one.start_again()
                continue
            log.warning(
                "a program ended before its match",
                table=table,
                name=one.output.stem,
                status=one.process.returncode,
                said=_last_line(one.output),
                output=str(one.output),
            )

    def end(self, table: str) -> None:
        """End the programs of a table, in the background."""
        if table not in self._running:
            return
        self._see_to_ended(table, ending=True)
        processes = [one.process for one in self._running.pop(table)]
        task = asyncio.get_running_loop().create_task(self._end(processes))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _end(self, processes: list[subprocess.Popen[bytes]]) -> None:
        # A program that sees the end of the match ends by itself.
        await _wait(processes, PATIENCE)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in processes:
                _signal_group(process, number)
            await _wait(processes, PATIENCE)
        for process in processes:
            self._tell_watchdog("-", process)

    async def end_all(self) -> None:
        """End all programs and wait for it."""
        for table in list(self._running):
            self.end(table)
        if self._ending:
            await asyncio.wait(self._ending)
        if self._watchdog is not None and self._watchdog.stdin is not None:
            self._watchdog.stdin.close()
            await _wait([self._watchdog], PATIENCE)

    def _tell_watchdog(self, sign: str, process: subprocess.Popen[bytes]) -> None:
        """Let somebody know who is there, to end them should this process be killed."""
        if self._watchdog is None:
            self._watchdog = subprocess.Popen(
                [sys.executable, "-I", watchdog.__file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                bufsize=0,
            )
        assert self._watchdog.stdin is not None
        with contextlib.suppress(OSError):  # it was killed; then so be it
            self._watchdog.stdin.write(f"{sign}{process.pid}\n".encode())


def _last_line(path: Path) -> str:
    """Return what a program said last, as far as it fits into a line of the log."""
    with path.open("rb") as output:
        output.seek(-min(LAST_WORDS, path.stat().st_size), os.SEEK_END)
        lines = output.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""


async def _wait(processes: list[subprocess.Popen[bytes]], seconds: float) -> None:
    """Wait until all have ended, or long enough."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while any(process.poll() is None for process in processes) and loop.time() < deadline:
        await asyncio.sleep(0.02)


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    try:
        os.killpg(process.pid, number)  # also what the program itself has started
    except ProcessLookupError:
        return
