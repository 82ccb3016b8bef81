"""Players' programs that the server starts and ends.

Each runs in its own process group, with limits on memory and open files and its output in a file.
It ends with its match: first with SIGTERM, then with SIGKILL. One that ends earlier, or cannot be
started at all, is reported in the log. If the server is killed, a watchdog ends its programs.
"""

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import structlog

from croupier.private_files import make_folder, opener
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

OWN_SETTINGS = "CROUPIER_"
"""How the names of the server's own environment variables begin."""


class ProgramError(ValueError):
    """A command that cannot be started; the text says why."""


def words_of(command: str, host: str, port: int, pid: int, name: str) -> list[str]:
    """Return the words of a command that is started outside a contest.

    It may be written for a contest all the same: {key} is a number that any dialect takes for a
    name, and {seats} the fewest there can be.
    """
    fields = {"host": host, "port": port, "pid": pid, "name": name, "key": pid, "seats": 2}
    return filled_in(command, fields)


def absolute(command: str, folder: Path) -> str:
    """Return a command that can be run from another folder than the one it was written for."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command  # what is wrong with it is said when its fields are filled in
    return shlex.join(
        literal(str((folder / word).absolute())) if word and (folder / word).exists() else word
        for word in words
    )


def literal(text: str) -> str:
    """Return a text in a form in which braces are no fields."""
    return text.replace("{", "{{").replace("}", "}}")


def filled_in(command: str, fields: Mapping[str, object]) -> list[str]:
    """Return the words of a command, with these fields filled in."""
    try:
        words = [word.format_map(fields) for word in shlex.split(command)]
    except (KeyError, IndexError, ValueError, AttributeError, TypeError) as error:
        *names, last = (f"{{{name}}}" for name in fields)
        known = f"{', '.join(names)} and {last}"
        raise ProgramError(f"{command!r}: {error}; only {known} are filled in") from None
    if not words:
        raise ProgramError("the command is empty")
    return words


@dataclass(eq=False)
class Running:
    """A running program, the file of its output, and how to restart it."""

    process: subprocess.Popen[bytes]
    output: Path
    restart: Callable[[], None] | None
    on_early_end: Callable[[str], None] | None = None
    """Called with what became of it if it ends before its match, instead of a warning."""
    folder: Path | None = None
    """Its own folder, which is removed when it has ended."""


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
        again = partial(self.start, table, number, program, host, port, first_pid)
        running = self._launch(table, name, program, words)
        running.restart = again if program.endless else None

    def start_in_box(
        self,
        table: str,
        name: str,
        program: Program,
        words: list[str],
        on_early_end: Callable[[str], None],
    ) -> None:
        """Start a program in an empty folder of its own; `on_early_end` is told how it ended."""
        folder = Path(tempfile.mkdtemp(prefix="croupier-"))
        try:
            running = self._launch(table, name, program, words, folder)
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        running.on_early_end = on_early_end

    def _launch(
        self, table: str, name: str, program: Program, words: list[str], folder: Path | None = None
    ) -> Running:
        # The shell sets the limits for itself and then becomes the program.
        limits = f"ulimit -v {1024 * program.memory_mb} && ulimit -n {program.open_files}"
        make_folder(self._output)
        path = self._output / f"{name}.log"
        with open(path, "ab", opener=opener) as output:
            process = subprocess.Popen(
                ["/bin/sh", "-c", f'{limits} && exec "$@"', "program", *words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd=folder,
                env=_environment(),
            )
        self._tell_watchdog("+", process)
        running = Running(process, path, None, folder=folder)
        self._running.setdefault(table, []).append(running)
        log.info("program started", table=table, name=name, process=process.pid, output=str(path))
        if self._timer is None:
            self._schedule_poll()
        return running

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
            if one.folder is not None:
                _signal_group(one.process, signal.SIGKILL)  # its child processes, if any
                _remove_folder(one)
            if one.restart is not None:
                if not ending and self.restarting:
                    one.restart()
                continue
            if one.on_early_end is not None:
                if not ending:
                    one.on_early_end(_how_it_ended(one))
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
        task = asyncio.get_running_loop().create_task(self._end(self._running.pop(table)))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _end(self, programs: list[Running]) -> None:
        processes = [one.process for one in programs]
        # Most programs exit by themselves when their match is over.
        await _wait(processes, PATIENCE)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in processes:
                _signal_group(process, number)
            await _wait(processes, PATIENCE)
        for one in programs:
            self._tell_watchdog("-", one.process)
            _remove_folder(one)

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


def _environment() -> dict[str, str]:
    """Return the environment of a program: the server's own settings are none of its business."""
    return {key: value for key, value in os.environ.items() if not key.startswith(OWN_SETTINGS)}


def _remove_folder(program: Running) -> None:
    if program.folder is not None:
        shutil.rmtree(program.folder, ignore_errors=True)


def _how_it_ended(program: Running) -> str:
    """Return a program's exit status and the last line of its output."""
    status = program.process.returncode
    how = f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"
    said = _last_line(program.output)
    return f"{how}: {said}" if said else how


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
