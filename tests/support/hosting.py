"""A real host process and real sockets for tests."""

import json
import os
import re
import select
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Queue
from time import monotonic
from typing import Any

from tests.support.processes import Program

PATIENCE = 60.0
"""Seconds after which something that should have happened counts as failed."""

MEASURED = "COVERAGE_PROCESS_CONFIG" in os.environ
"""Coverage is measured: a process that is killed does not write down what it ran."""

MESSAGE = re.compile(rb"(\w[\w-]*)/ \n.*?/\1 \n|game-over \n", re.S)


def wait_for_end(pid: int) -> None:
    """Wait until a process has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        assert poll.poll(1000 * PATIENCE), f"process {pid} is still there"
    finally:
        os.close(descriptor)


class HostProcess:
    """`croupier host` in a process of its own, listening on a free port."""

    def __init__(self, *arguments: str, dialect: str = "huawei", setting: str = "") -> None:
        listen = f"{dialect}:0,{setting}" if setting else f"{dialect}:0"
        self._start("--listen", listen, *arguments)
        pattern = rf"listening: {dialect} [\d.]+:(\d+)"
        self.port = int(self.wait_for(pattern).group(1))

    def _start(self, *arguments: str) -> None:
        self.process = Program("croupier", "host", *arguments)
        self._log: list[str] = []
        self._output: Queue[str | None] = Queue()
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_log, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self.lines: list[str] = []

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._output.put(line)
        self._output.put(None)

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._log.append(line)

    @property
    def log(self) -> str:
        """What it wrote to standard error so far."""
        return "".join(self._log)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Read standard output up to a line that matches."""
        while (line := self._output.get(timeout=PATIENCE)) is not None:
            self.lines.append(line)
            match = re.search(pattern, line)
            if match:
                return match
        raise AssertionError(f"no {pattern!r} in {self.lines}; log:\n{self.log}")

    def result(self) -> dict[str, Any]:
        """Wait for the end and return the JSON object, the last line of standard output."""
        while (line := self._output.get(timeout=PATIENCE)) is not None:
            self.lines.append(line)
        self.process.wait(PATIENCE)
        value: dict[str, Any] = json.loads(self.lines[-1])
        return value

    def end(self) -> None:
        """Ask it to end, so that it writes all that it has to write, and wait for it."""
        self._ask_to_end(PATIENCE)

    def kill(self) -> None:
        """End it without any chance to tidy up."""
        self.process.send_signal(signal.SIGKILL)
        self.close()

    def close(self) -> None:
        """Make sure that nothing is left behind."""
        if MEASURED:
            self._ask_to_end(5.0)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def _ask_to_end(self, seconds: float) -> None:
        """Ask until it has ended, for so long at most; asked twice, it waits for nobody."""
        deadline = monotonic() + seconds
        while self.process.poll() is None and monotonic() < deadline:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(0.1)

    def __enter__(self) -> "HostProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Player:
    """A player's socket, with the messages it got."""

    def __init__(self, port: int, registration: str = "") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""
        self.messages: list[bytes] = []
        if registration:
            self.send(f"reg: {registration} \n".encode())

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def next(self) -> bytes | None:
        """Return the next message, or None if the connection is closed."""
        while (match := MESSAGE.match(self._buffer)) is None:
            try:
                data = self.socket.recv(65536)
            except ConnectionError:
                data = b""
            if not data:
                return None
            self._buffer += data
        self._buffer = self._buffer[match.end() :]
        self.messages.append(match.group())
        return match.group()

    def until(self, name: bytes) -> bytes:
        """Return the next message of a name."""
        while True:
            message = self.next()
            if message is None:
                raise AssertionError(f"closed while waiting for {name!r}: {self.messages[-3:]}")
            if message.startswith(name):
                return message

    def play(self, answer: Callable[["Player"], bytes]) -> None:
        """Answer every inquire until the game is over or the connection is closed."""
        while (message := self.next()) is not None:
            if message == b"game-over \n":
                return
            if message.startswith(b"inquire/"):
                reply = answer(self)
                if reply:
                    try:
                        self.send(reply)
                    except ConnectionError:
                        return

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Seated:
    """Players in threads that answer until the game is over."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._players: list[Player] = []

    def add(
        self, port: int, registration: str, answer: Callable[[Player], bytes] | bytes = b"check \n"
    ) -> Player:
        player = Player(port, registration)
        reply = (lambda _: answer) if isinstance(answer, bytes) else answer
        thread = threading.Thread(target=player.play, args=(reply,), daemon=True)
        self._threads.append(thread)
        self._players.append(player)
        thread.start()
        return player

    def __enter__(self) -> "Seated":
        return self

    def __exit__(self, *_: object) -> None:
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        for player in self._players:
            player.close()
