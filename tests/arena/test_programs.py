"""Programs that the organiser lets the server start without boxes: limits, output, their end."""

import asyncio
import re
import shlex
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from croupier.cli.main import main
from croupier.server.arena.plan import Program
from croupier.server.arena.programs import Entrance, ProgramError, Programs, words_of
from croupier.server.arena.sandbox import Surroundings
from tests.arena.arenas import ArenaProcess
from tests.support.hosting import PATIENCE, HostProcess, wait_for_end

OFF = 'sandbox = "off"\n'
LISTEN = '[[listen]]\ndialect = "huawei"\nport = 0\n'

BOT = """\
import os, resource, signal, socket, subprocess, sys, time

host, port, pid, name, manner = sys.argv[1:]
limits = [resource.getrlimit(kind)[1] for kind in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE)]
print("pid", os.getpid(), "group", os.getpgid(0), "session", os.getsid(0), flush=True)
print("name", name, "limits", *limits, flush=True)
print("to standard error", file=sys.stderr, flush=True)
if manner == "hungry":
    try:
        bytearray(1 << 30)
    except MemoryError:
        print("no memory for that", flush=True)
    files = []
    try:
        while True:
            files.append(open(os.devnull))
    except OSError as error:
        print("no more files:", error.strerror, len(files) < 32, flush=True)
    files.clear()
if manner == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    print("child", child.pid, flush=True)
if manner == "lazy":
    def asked(*_):
        print("asked to end", flush=True)
        sys.exit()
    signal.signal(signal.SIGTERM, asked)
server = socket.create_connection((host, int(port)))
server.sendall(f"reg: {pid} {manner} \\n".encode())
text = b""
while b"game-over" not in text:
    data = server.recv(4096)
    if not data:
        break
    text += data
    if b"/inquire" in text:
        text = text.rpartition(b"/inquire")[2]
        server.sendall(b"fold \\n")
server.close()
print("played to the end", flush=True)
if manner in ("lazy", "stubborn"):
    time.sleep(1000)
"""


def command(folder: Path, manner: str) -> str:
    """Return the command of a program, which is written to the folder."""
    path = folder / "my bot.py"
    path.write_text(BOT)
    words = shlex.join([sys.executable, str(path)])
    return f"{words} {{host}} {{port}} {{pid}} {{name}} {manner}"


def quoted(text: str) -> str:
    """Return a text as TOML writes it."""
    return "'''" + text + "'''"


@dataclass
class Started:
    """A program, by what it said of itself."""

    text: str

    def number(self, what: str) -> int:
        match = re.search(rf"\b{what} (\d+)", self.text)
        assert match is not None, self.text
        return int(match[1])

    @property
    def pid(self) -> int:
        return self.number("pid")


def output_of(path: Path, wanted: str) -> Started:
    """Wait until a program has said something."""
    deadline = monotonic() + PATIENCE
    while not (path.exists() and wanted in path.read_text()):
        assert monotonic() < deadline, path.read_text() if path.exists() else "no file"
    return Started(path.read_text())


@dataclass
class Played:
    """What came of a match of programs."""

    folder: Path
    log: str
    lines: list[str]

    def output(self, number: int) -> Started:
        return Started((self.folder / "out" / f"bots-{number}.log").read_text())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("programs")
    hungry = (
        f"{{ command = {quoted(command(folder, 'hungry'))}, memory_mb = 300, open_files = 32 }}"
    )
    programs = [
        quoted("/no/such/program {port}"),
        quoted(command(folder, "quick")),
        hungry,
        quoted(command(folder, "lazy")),
        quoted(command(folder, "stubborn")),
    ]
    text = f"""
sandbox = "off"
output = "out"
[[table]]
name = "bots"
seats = 4
repeat = false
set = {{ hands = 1, decision_ms = 60000 }}
run = [{", ".join(programs)}]
"""
    with ArenaProcess(folder, text, listen=LISTEN) as arena:
        arena.wait_for_log("a program ended before its match")
        arena.wait_for("^match .* over: 1 hands")
        for number in (2, 3, 4, 5):
            program = output_of(folder / "out" / f"bots-{number}.log", "played to the end")
            wait_for_end(program.pid)
        wait_for_end(Started((folder / "out" / "bots-5.log").read_text()).number("child"))
        yield Played(folder, arena.log, arena.lines)


def test_programs_play_a_match_and_one_that_cannot_be_started_keeps_nobody_from_it(
    played: Played,
) -> None:
    (line,) = (line for line in played.lines if " over: 1 hands" in line)
    assert all(name in line for name in ("quick", "hungry", "lazy", "stubborn"))
    text = (played.folder / "out" / "bots-1.log").read_text()
    assert "/no/such/program" in text
    assert "not found" in text
    assert "Traceback" not in played.log


def test_a_program_that_ends_before_its_match_is_named_in_the_log_with_what_it_said_last(
    played: Played,
) -> None:
    (line,) = (line for line in played.log.splitlines() if "ended before its match" in line)
    assert "name=bots-1 " in line
    assert "/no/such/program" in line
    assert "status=127" in line


def test_a_program_runs_in_its_own_process_group_with_its_output_in_a_file(
    played: Played,
) -> None:
    for number in (2, 3, 4, 5):
        program = played.output(number)
        assert program.number("group") == program.pid
        assert program.number("session") == program.pid
        assert f"name bots-{number} " in program.text
        assert "to standard error" in program.text
        line = f"name=bots-{number} process={program.pid} "
        assert line in played.log
        assert f"bots-{number}.log" in played.log


def test_the_limits_on_memory_and_open_files_are_in_effect(played: Played) -> None:
    assert f"limits {1024 << 20} 256" in played.output(2).text
    hungry = played.output(3).text
    assert f"limits {300 << 20} 32" in hungry
    assert "no memory for that" in hungry
    assert "no more files: Too many open files True" in hungry


def test_a_program_is_asked_to_end_after_the_match_and_killed_if_it_does_not(
    played: Played,
) -> None:
    # That all of them have ended, the child of the stubborn one too, was waited for above.
    assert "asked to end" in played.output(4).text
    assert "asked to end" not in played.output(5).text
    assert "played to the end" in played.output(5).text


def test_programs_end_also_if_the_arena_is_killed(tmp_path: Path) -> None:
    run = quoted(command(tmp_path, "stubborn"))
    text = f'{OFF}[[table]]\nname = "bots"\nseats = 3\nminimum = 3\nrun = [{run}]\n'
    with ArenaProcess(tmp_path, text, listen=LISTEN) as arena:
        stubborn = output_of(tmp_path / "programs" / "bots-1.log", "child")
        arena.wait_until(lambda row: len(row["players"]) == 1, "bots")
        arena.kill()
    wait_for_end(stubborn.pid)
    wait_for_end(stubborn.number("child"))


def test_programs_end_with_the_arena(tmp_path: Path) -> None:
    run = quoted(command(tmp_path, "lazy"))
    text = f'{OFF}[[table]]\nname = "bots"\nseats = 3\nminimum = 3\nrun = [{run}]\n'
    with ArenaProcess(tmp_path, text, listen=LISTEN) as arena:
        arena.wait_until(lambda row: len(row["players"]) == 1, "bots")
        lazy = output_of(tmp_path / "programs" / "bots-1.log", "pid")
    wait_for_end(lazy.pid)
    assert "asked to end" in (tmp_path / "programs" / "bots-1.log").read_text()


def test_programs_are_started_with_each_match_and_pids_of_tables_differ(tmp_path: Path) -> None:
    table = """
[[table]]
name = "{name}"
number = {number}
seats = 2
bots = ["CallAgent"]
set = {{ hands = 1, decision_ms = 60000 }}
run = [{run}]
"""
    run = quoted(command(tmp_path, "quick"))
    text = "".join(table.format(name=n, number=i, run=run) for i, n in enumerate("ab", 1))
    with ArenaProcess(tmp_path, OFF + text, listen=LISTEN) as arena:
        for _ in range(4):
            arena.wait_for("^match .* over: 1 hands; .*quick")
        registered = re.findall(r"event=joined .*dialect=huawei player=\S+-(\d+)", arena.log)
        arena.stop()
    assert set(registered) == {"1001", "1101"}
    assert len(registered) >= 4
    for name in "ab":
        text = (tmp_path / "programs" / f"{name}-1.log").read_text()
        assert text.count("group") >= 2, "the output of all matches is in one file"


# croupier host --run.


def test_a_host_starts_programs_too(tmp_path: Path) -> None:
    arguments = (
        *("--rules", "plain", "--seats", "3", "--bot", "CallAgent", "--hands", "2", "--once"),
        *("--json", "--sandbox", "off", "--transcripts", str(tmp_path / "out")),
        *("--run", command(tmp_path, "quick"), "--run", "huawei:" + command(tmp_path, "quick")),
    )
    with HostProcess(*arguments) as host:
        result = host.result()
        assert host.process.returncode == 0
    assert [seat["pid"] for seat in sorted(result["seats"], key=lambda s: int(s["pid"]))][:2] == [
        "1001",
        "1002",
    ]
    for number in (1, 2):
        program = Started((tmp_path / "out" / f"host-{number}.log").read_text())
        assert "played to the end" in program.text
        wait_for_end(program.pid)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("./bot {prot}", "prot"),
        ("./bot {}", "only {host}"),
        ("./bot '", "quotation"),
        ("./bot {host", "only {host}"),
    ],
)
def test_a_command_that_cannot_be_understood_is_refused_with_the_reason(
    text: str, why: str
) -> None:
    with pytest.raises(ProgramError) as caught:
        words_of(text, "h", 1, 2, "n")
    assert why in str(caught.value)
    result = CliRunner().invoke(main, ["host", "--seats", "2", "--run", text])
    assert result.exit_code == 2
    (line,) = result.stderr.strip().splitlines()
    assert why in line


def test_words_are_split_as_a_shell_does_and_filled_in_afterwards() -> None:
    words = words_of(
        "'my bot' --to={host}:{port} {pid} '{name}' a\\ b", "::1", 6000, 1001, "x y; z"
    )
    assert words == ["my bot", "--to=::1:6000", "1001", "x y; z", "a b"]


@pytest.mark.parametrize("field", ["{host.x}", "{host[x]}"])
def test_a_field_of_a_field_is_refused(field: str) -> None:
    with pytest.raises(ProgramError):
        words_of(f"./bot {field}", "h", 1, 2, "n")


def test_a_program_that_removes_its_output_does_not_end_the_watch(tmp_path: Path) -> None:
    async def scenario() -> None:
        async def nowhere(listener: socket.socket) -> asyncio.Server:
            raise AssertionError(listener)

        entrance = Entrance("127.0.0.1", 1, nowhere)
        programs = Programs(tmp_path, Surroundings(boxed=False))
        removing = f"rm {shlex.quote(str(tmp_path / 'table-1.log'))}"
        for number, command in enumerate((f"sh -c {shlex.quote(removing)}", "sleep 0.7")):
            programs.start("table", number, Program(command, "huawei"), entrance)
        async with asyncio.timeout(PATIENCE):
            while sum(line["event"].startswith("a program ended") for line in logs) < 2:
                await asyncio.sleep(0.05)
        await programs.end_all()

    with capture_logs() as logs:
        asyncio.run(scenario())
