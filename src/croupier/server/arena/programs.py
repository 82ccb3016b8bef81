"""Players' programs that the server starts and ends.

Each runs in a box of its own where that is possible (`sandbox`), else in its own process group with
limits on memory and open files; its output is in a file. It ends with its match: first with
SIGTERM, then with SIGKILL. One that ends earlier, or cannot be started at all, is reported in the
log. If the server is killed, a watchdog ends its programs.
"""

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

import structlog

from croupier.private_files import make_folder, opener
from croupier.server.arena import sandbox, watchdog
from croupier.server.arena.box import Box, ListenOn
from croupier.server.arena.plan import Program
from croupier.server.arena.sandbox import Surroundings
from croupier.server.net.door import Door
from croupier.server.net.transcript import file_part

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

LOOPBACK = "127.0.0.1"

SIGNALLED = 128
"""What the keeper of a box adds to the number of the signal that has ended the program."""

OWN_SETTINGS = ("CROUPIER_", "PGPASS")
"""How the names of the server's own environment variables begin; some are those of its database."""


class ProgramError(ValueError):
    """A command that cannot be started; the text says why."""


class Entrance(NamedTuple):
    """Where a program comes in: the door of its dialect."""

    host: str
    port: int
    listen_on: ListenOn
    """Opens the door to the listener of a box, too."""


async def open_entrance(door: Door, servers: list[asyncio.Server]) -> Entrance:
    """Open a door without TLS to programs of this machine alone."""
    server = await door.listen(LOOPBACK, 0)
    servers.append(server)
    return Entrance(LOOPBACK, server.sockets[0].getsockname()[1], door.listen_on)


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


def named_in(command: str, folder: Path) -> list[Path]:
    """Return the files that a command names."""
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    return [path for word in words for path in sandbox.named_by(word, folder)]


def program_name(match: str, team: str) -> str:
    """Return the name of a team's program in a match of a contest; its output is in NAME.log."""
    return file_part(f"{match} {team}")


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
    restart: Callable[[], None] | None = None
    on_early_end: Callable[[str], None] | None = None
    """Called with what became of it if it ends before its match, instead of a warning."""
    folder: Path | None = None
    """Its own folder, which is removed when it has ended."""
    box: Box | None = None

    def ask_to_end(self) -> None:
        """Send SIGTERM to the program and all that it has started."""
        if self.box is not None:
            self.box.ask_to_end()
        else:
            _signal_group(self.process, signal.SIGTERM)

    def clean_up(self) -> None:
        """Remove what is left of a program that has ended."""
        if self.box is not None:
            self.box.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


class Programs:
    """All running programs, by table."""

    def __init__(self, output: Path, around: Surroundings) -> None:
        """`output` is the folder for their output."""
        self._output = output
        self._around = around
        self._running: dict[str, list[Running]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._watchdog: subprocess.Popen[bytes] | None = None
        self._listening: dict[str, list[asyncio.Task[asyncio.Server]]] = {}
        """By table, the ports of single programs."""
        self.restarting = True
        """Whether endless programs are restarted when they end; no longer while the arena stops."""

    def start(
        self,
        table: str,
        number: int,
        program: Program,
        entrance: Entrance,
        first_pid: int = FIRST_PID,
    ) -> None:
        """Start a program of a table; `number` counts the table's programs."""
        pid, name = first_pid + number, f"{table}-{number + 1}"
        host, port = self.reached_at(entrance)
        words = words_of(program.command, host, port, pid, name)
        again = partial(self.start, table, number, program, entrance, first_pid)
        running = self._launch(table, name, program, words, entrance)
        running.restart = again if program.endless else None

    def start_apart(
        self,
        table: str,
        name: str,
        program: Program,
        words: list[str],
        entrance: Entrance,
        on_early_end: Callable[[str], None],
    ) -> None:
        """Start a program in an empty folder of its own; `on_early_end` is told how it ended."""
        running = self._launch(table, name, program, words, entrance, apart=True)
        running.on_early_end = on_early_end

    def has_to_prove(self, command: str) -> bool:
        """Tell whether a program has to present the key that it is started with.

        Nobody else gets into its box. Without one, others on this machine reach its port, so a
        program that takes the key has to present it.
        """
        return "{key}" in command and not self._around.boxed

    def own_entrance(self, table: str, door: Door) -> Entrance:
        """Open a door to one program of a table: in its box, or else on a port of its own."""
        if self._around.boxed:
            return Entrance(LOOPBACK, door.dialect.port, door.listen_on)
        listener = socket.create_server((LOOPBACK, 0))
        opening = asyncio.ensure_future(door.listen_on(listener))
        self._listening.setdefault(table, []).append(opening)
        return Entrance(LOOPBACK, listener.getsockname()[1], door.listen_on)

    def reached_at(self, entrance: Entrance) -> tuple[str, int]:
        """Return host and port for a program that is to come in here."""
        if self._around.boxed:
            return sandbox.HOST, sandbox.listener_port(entrance.port)
        return LOOPBACK if entrance.host == "0.0.0.0" else entrance.host, entrance.port

    def _launch(
        self,
        table: str,
        name: str,
        program: Program,
        words: list[str],
        entrance: Entrance,
        apart: bool = False,
    ) -> Running:
        make_folder(self._output)
        path = self._output / f"{name}.log"
        _put_aside(path)
        with open(path, "ab", opener=opener) as output:
            if self._around.boxed:
                running = self._boxed(program, words, entrance, path, output, apart)
            else:
                running = _unboxed(program, words, path, output, apart)
        self._tell_watchdog("+", running)
        self._running.setdefault(table, []).append(running)
        number = running.process.pid
        log.info("program started", table=table, name=name, process=number, output=str(path))
        if self._timer is None:
            self._schedule_poll()
        return running

    def _boxed(
        self,
        program: Program,
        words: list[str],
        entrance: Entrance,
        path: Path,
        output: BinaryIO,
        apart: bool,
    ) -> Running:
        around = self._around
        readable = sandbox.own_files(words, around)
        folder = None if apart else around.folder.absolute()
        _, port = self.reached_at(entrance)
        box = Box(words, program, port, entrance.listen_on, output, readable, folder)
        return Running(box.process, path, box=box)

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
            self._tell_watchdog("-", one)
            if one.folder is not None:
                _signal_group(one.process, signal.SIGKILL)  # its child processes, if any
            one.clean_up()
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
        for opening in self._listening.pop(table, []):
            opening.add_done_callback(lambda opened: opened.result().close())
        if table not in self._running:
            return
        self._handle_ended(table, ending=True)
        for one in self._running[table]:
            if one.box is not None:
                one.box.close_listener()
        task = asyncio.get_running_loop().create_task(self._end(self._running.pop(table)))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _end(self, programs: list[Running]) -> None:
        processes = [one.process for one in programs]
        # Most programs exit by themselves when their match is over.
        await _wait(processes, PATIENCE)
        for one in programs:
            one.ask_to_end()
        await _wait(processes, PATIENCE)
        for process in processes:
            _signal_group(process, signal.SIGKILL)
        await _wait(processes, PATIENCE)
        for one in programs:
            self._tell_watchdog("-", one)
            one.clean_up()

    async def end_all(self) -> None:
        """End all programs and wait until they have ended."""
        for table in {**self._running, **self._listening}:
            self.end(table)
        if self._ending:
            await asyncio.wait(self._ending)
        if self._watchdog is not None and self._watchdog.stdin is not None:
            self._watchdog.stdin.close()
            await _wait([self._watchdog], PATIENCE)

    def _tell_watchdog(self, sign: str, program: Running) -> None:
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
            line = f"{sign}{program.process.pid} {program.folder or ''}".rstrip()
            self._watchdog.stdin.write(f"{line}\n".encode())


def environment() -> dict[str, str]:
    """Return the environment of a program: the server's own settings are none of its business."""
    return {key: value for key, value in os.environ.items() if not key.startswith(OWN_SETTINGS)}


def _unboxed(
    program: Program, words: list[str], path: Path, output: BinaryIO, apart: bool
) -> Running:
    """Start a program without a box."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-")) if apart else None
    # The shell sets the limits for itself and then becomes the program.
    limits = f"ulimit -v {1024 * program.memory_mb} && ulimit -n {program.open_files}"
    try:
        process = subprocess.Popen(
            ["/bin/sh", "-c", f'{limits} && exec "$@"', "program", *words],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            cwd=folder,
            env=environment(),
        )
    except OSError:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return Running(process, path, folder=folder)


def _put_aside(path: Path) -> None:
    """Begin a new file if the output of earlier matches fills one."""
    if path.exists() and path.stat().st_size >= sandbox.LOG_BYTES:
        path.replace(path.with_suffix(".log.old"))


def _how_it_ended(program: Running) -> str:
    """Return a program's exit status and the last line of its output."""
    status: int = program.process.returncode
    if program.box is not None and status > SIGNALLED:
        status = SIGNALLED - status
    how = f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"
    said = _last_line(program.output)
    return f"{how}: {said}" if said else how


def _last_line(path: Path) -> str:
    """Return the last line of a program's output, shortened for the log."""
    try:
        with path.open("rb") as output:
            output.seek(-min(LAST_WORDS, os.fstat(output.fileno()).st_size), os.SEEK_END)
            lines = output.read().decode("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""  # without a box a program can remove its output
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
