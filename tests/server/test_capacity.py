"""Connections that keep quiet are in nobody's way, however few files may be open."""

import asyncio
import contextlib
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from croupier.server.arena.control import Request, ask
from croupier.server.net.capacity import Capacity, file_limit
from croupier.server.net.repeated_log import MAX_ADDRESSES, OTHERS, PERIOD, RepeatedLog
from tests.support.hosting import PATIENCE, Player, Seated

FILES = 256
"""Open files of the host here."""

LOW = 5
"""A descriptor that says that nearly all are free."""


class Waiting:
    """Newcomers of a capacity, and those of them who were turned away."""

    def __init__(self, files: int = 1024) -> None:
        self.capacity = Capacity(files)
        self.gone: list[object] = []

    def come(self, newcomer: object, address: str, descriptor: int = LOW) -> str:
        return self.capacity.admit(
            newcomer, address, descriptor, lambda: self.gone.append(newcomer)
        )


@pytest.mark.parametrize("files", [16, 64, 256, 1024, 20_000, 1 << 20])
def test_what_is_allowed_fits_into_the_open_files(files: int) -> None:
    capacity = Capacity(files)
    assert 1 <= capacity.newcomers < capacity.connections <= files
    assert capacity.lingering <= capacity.connections
    if files >= 256:
        assert capacity.connections + 2 * capacity.backlog + 64 == files
        assert capacity.connections > files // 2


def test_without_a_number_the_system_s_limit_counts() -> None:
    assert Capacity().files == file_limit()


def test_whoever_has_waited_longest_gives_way_at_the_address_that_has_most() -> None:
    waiting = Waiting()
    most = waiting.capacity.newcomers
    assert waiting.come("early", "b") == ""
    for number in range(most - 1):
        assert waiting.come(number, "a") == ""
    assert waiting.come("late", "b") == "a"
    assert waiting.come("later", "a") == "a"
    assert waiting.gone == [0, 1]
    assert waiting.capacity.is_waiting("early", "b")


def test_whoever_has_said_what_it_wants_does_not_count() -> None:
    waiting = Waiting()
    for number in range(3 * waiting.capacity.newcomers):
        assert waiting.come(number, "a") == ""
        waiting.capacity.forget(number, "a")
        waiting.capacity.forget(number, "a")
    assert waiting.gone == []


def test_the_reserve_is_left_alone_whatever_the_descriptors_are_taken_by() -> None:
    waiting = Waiting()
    high = waiting.capacity.files - 1
    assert waiting.come("first", "a", high) == "a"
    assert not waiting.capacity.is_waiting("first", "a")
    waiting.come("second", "a")
    assert waiting.come("third", "b", high) == "a"
    assert waiting.gone == ["second"]
    assert waiting.capacity.is_waiting("third", "b")


# The log.


class Clock(asyncio.SelectorEventLoop):
    """A loop whose clock the test turns."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def spend(self, seconds: float) -> None:
        self.now += seconds
        self.call_soon(self.stop)
        self.run_forever()


def test_an_address_has_one_line_in_a_second_with_a_count() -> None:
    loop = Clock()
    log = RepeatedLog(loop, "room")
    with capture_logs() as lines:
        for number in range(1000):
            log.note("refused", "a", reason=f"full {number}")
        log.note("refused", "b", reason="full")
        assert len(lines) == 2
        loop.spend(PERIOD)
        loop.spend(PERIOD)
        log.note("refused", "a", reason="again")
        log.note("refused", "a", reason="and again")
        log.flush()
        log.flush()
    loop.close()
    told = [(line["address"], line["reason"], line.get("count")) for line in lines]
    assert told == [
        ("a", "full 0", None),
        ("b", "full", None),
        ("a", "full 999", 999),
        ("a", "again", None),
        ("a", "and again", None),
    ]


def test_beyond_a_number_of_addresses_the_others_share_a_line() -> None:
    loop = Clock()
    log = RepeatedLog(loop, "room")
    with capture_logs() as lines:
        for number in range(2 * MAX_ADDRESSES):
            log.note("refused", str(number), reason="full")
        assert len(lines) == MAX_ADDRESSES + 1
        loop.spend(PERIOD)
    loop.close()
    assert (lines[-1]["address"], lines[-1]["count"]) == (OTHERS, MAX_ADDRESSES - 1)


# In a server.


ARENA = """
store = "arena.db"
control = "arena.sock"
[[listen]]
dialect = "huawei"
port = 0
[[listen]]
dialect = "trend"
port = 0
[[table]]
name = "t"
number = 1
rules = "plain"
seats = 2
dialects = ["huawei", "trend"]
set = { hands = 2, countdown_s = 0 }
"""


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[dict[str, int]]:
    """Run an arena that may open few files in the test's folder; return its ports."""
    file = tmp_path / "arena.toml"
    file.write_text(ARENA)
    serve = f"{sys.executable} -m croupier serve {file} --web -1"
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            ["sh", "-c", f"ulimit -n {FILES}; exec {serve}"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout is not None
    ports: dict[str, int] = {}
    while not (line := process.stdout.readline()).startswith("control: "):
        assert line, (tmp_path / "log").read_text()
        found = re.match(r"listening: (\w+) .*:(\d+)", line)
        if found:
            ports[found[1]] = int(found[2])
    try:
        yield ports
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("dialect", ["huawei", "trend"])
def test_a_crowd_that_keeps_quiet_locks_nobody_out_and_the_log_says_so(
    arena: dict[str, int], dialect: str, tmp_path: Path
) -> None:
    ports = arena
    address = ("127.0.0.1", ports[dialect])
    allowed = Capacity(FILES)
    with contextlib.ExitStack() as stack:
        for number in range(2 * FILES):
            stack.enter_context(socket.create_connection(address, timeout=PATIENCE))
            if number % (allowed.backlog // 2) == 0:
                # Who finds the kernel's queue full tries again after a second. Once somebody has
                # been sent away, all who came before have been taken out of it.
                with socket.create_connection(address, timeout=PATIENCE) as loud:
                    loud.sendall(b"nonsense\r\n\r\n")
                    while loud.recv(4096):
                        pass
        with Seated() as seated:
            first = stack.enter_context(Player(ports["huawei"], "1 a"))
            seated.add(ports["huawei"], "2 b")
            first.play(lambda _: b"call \n")
            assert first.messages[-1] == b"game-over \n"
        assert ask(tmp_path / "arena.sock", Request("tables"))["ok"]
    with contextlib.closing(sqlite3.connect(tmp_path / "arena.db")) as store:
        assert store.execute("SELECT count(*) FROM hands").fetchone() == (2,)
    text = (tmp_path / "log").read_text()
    assert f"files={FILES} connections={allowed.connections} newcomers={allowed.newcomers}" in text
    assert 1 <= text.count('event="turned away"') < FILES
    assert "Traceback" not in text
