"""Players' programs that the server starts and ends.

Each runs in its own process group, with limits on memory and open files and its output in a file.
It ends with its match: first with SIGTERM, then with SIGKILL. One that ends earlier, or cannot be
started at all, is reported in the log. If the server is killed, a watchdog ends its programs.
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
"""The distance between the numbers of two tables' first programs."""

POLL_S = 0.5
"""Seconds between two checks of which programs are still running."""

LAST_WORDS = 200
"""Bytes at the end of a program's output of which the log shows the last line."""

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
    """A running program, the file of its output, and how to restart it."""

    process: subprocess.Popen[bytes]
    output: Path
    restart: Callable[[], None] | None


class Programs:
    """All running programs, by table."""

    def __init__(self, output: Path) -> None:
        """`output` is the folder for their output."""
        self._output = output
        self._running: dict[str, list[Running]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._watchdog: subprocess.Popen[bytes] | None = None
        self.restarting = True
        """Whether endless programs are restarted when they end; no longer while the arena stops."""

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
        if self._timer is None:
            self._schedule_poll()

    def _schedule_poll(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(POLL_S, self._poll)

    def _poll(self) -> None:
        self._timer = None
        for table in list(self._running):
            self._handle_ended(table)
        if self._running and self._timer is None:
            self._schedule_poll()

    def _handle_ended(self, table: str, ending: bool = False) -> None:
        """Report or restart the programs of a table that have ended before their match.

        `ending` says that the match is over, so nothing is restarted.
        """
        ended = [one for one in self._running[table] if one.process.poll() is not None]
        for one in ended:
            self._running[table].remove(one)
            self._tell_watchdog("-", one.process)
            if one.restart is not None:
                if not ending and self.restarting:
                    one.restart()
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
        self._handle_ended(table, ending=True)
        processes = [one.process for one in self._running.pop(table)]
        task = asyncio.get_running_loop().create_task(self._end(processes))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _end(self, processes: list[subprocess.Popen[bytes]]) -> None:
        # Most programs exit by themselves when their match is over.
        await _wait(processes, PATIENCE)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in processes:
                _signal_group(process, number)
            await _wait(processes, PATIENCE)
        for process in processes:
            self._tell_watchdog("-", process)

    async def end_all(self) -> None:
        """End all programs and wait until they have ended."""
        for table in list(self._running):
            self.end(table)
        if self._ending:
            await asyncio.wait(self._ending)
        if self._watchdog is not None and self._watchdog.stdin is not None:
            self._watchdog.stdin.close()
            await _wait([self._watchdog], PATIENCE)

    def _tell_watchdog(self, sign: str, process: subprocess.Popen[bytes]) -> None:
        """Report a program to the watchdog, which ends it should this process be killed."""
        if self._watchdog is None:
            self._watchdog = subprocess.Popen(
                [sys.executable, "-I", watchdog.__file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                bufsize=0,
            )
        assert self._watchdog.stdin is not None
        with contextlib.suppress(OSError):  # the watchdog itself was killed
            self._watchdog.stdin.write(f"{sign}{process.pid}\n".encode())


def _last_line(path: Path) -> str:
    """Return the last line of a program's output, shortened for the log."""
    with path.open("rb") as output:
        output.seek(-min(LAST_WORDS, path.stat().st_size), os.SEEK_END)
        lines = output.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""


async def _wait(processes: list[subprocess.Popen[bytes]], seconds: float) -> None:
    """Wait until all have ended, or until the time is over."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while any(process.poll() is None for process in processes) and loop.time() < deadline:
        await asyncio.sleep(0.02)


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    try:
        os.killpg(process.pid, number)  # including child processes of the program
    except ProcessLookupError:
        return
