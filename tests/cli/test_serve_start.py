"""`croupier serve` deals nothing and leaves nothing behind unless it can run."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from croupier.server.arena.arena import Arena
from croupier.server.arena.file import read_arena
from croupier.server.arena.startup_checks import StartupError
from croupier.store.queries import matches
from croupier.store.schema import open_store
from tests.arena.arenas import LISTEN, ArenaProcess
from tests.support.hosting import PATIENCE
from tests.support.processes import croupier

FULL = (
    '[[table]]\nname = "main"\nseats = 2\nbots = ["CallAgent", "CallAgent"]\nset = { hands = 5 }\n'
)
"""A table whose match begins as soon as it is open."""

ARENA_PAGE = Path(__file__).parents[2] / "docs" / "arena.md"

IN_USE = "Address already in use"


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def serve(folder: Path, text: str, web: int = -1) -> subprocess.CompletedProcess[str]:
    (folder / "arena.toml").write_text(text)
    return croupier("serve", "arena.toml", "--web", str(web), cwd=folder)


def refusal(folder: Path, text: str, web: int = -1) -> str:
    """Return the line with which an arena is refused that has said and made nothing."""
    result = serve(folder, text, web)
    assert result.returncode == 2, result
    assert result.stdout == "", "neither a match nor the administrator's token is announced"
    assert [path.name for path in folder.iterdir() if path.name != "taken"] == ["arena.toml"]
    (line,) = result.stderr.splitlines()
    return line


def test_a_listener_s_port_that_is_taken_is_named(tmp_path: Path, taken: int) -> None:
    text = f'{FULL}[[listen]]\ndialect = "trend"\nport = {taken}\n'
    assert refusal(tmp_path, text, web=0) == (
        f"Error: cannot listen on 127.0.0.1:{taken} for trend: {IN_USE}; choose another port with"
        " `port` in the arena's file or stop the program that uses it"
    )


def test_the_port_of_metrics_that_is_taken_is_named(tmp_path: Path, taken: int) -> None:
    found = re.search(r"^    (Error: cannot listen .*)$", ARENA_PAGE.read_text("utf-8"), re.M)
    assert found is not None, "docs/arena.md shows it"
    line = refusal(tmp_path, f"metrics = {taken}\n{FULL}{LISTEN}")
    assert line == found[1].replace("9109", str(taken))


def test_the_website_s_port_that_is_taken_is_named(tmp_path: Path, taken: int) -> None:
    assert refusal(tmp_path, FULL + LISTEN, web=taken) == (
        f"Error: cannot listen on 127.0.0.1:{taken} for the website: {IN_USE}; choose another port"
        " with --web or stop the program that uses it"
    )


def test_the_website_needs_a_port_of_its_own(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        free = listener.getsockname()[1]
    line = refusal(tmp_path, f"metrics = {free}\n{FULL}{LISTEN}", web=free)
    assert f"127.0.0.1:{free} for the website: it is the port of metrics" in line


def test_an_address_of_another_machine_is_named(tmp_path: Path) -> None:
    line = refusal(tmp_path, f'bind = "192.0.2.1"\n{FULL}[[listen]]\ndialect = "room"\nport = 0\n')
    assert line.startswith("Error: cannot listen on 192.0.2.1:0 for room: Cannot assign requested")
    assert line.endswith("; it has to be an address of this machine")


def test_a_control_socket_without_a_folder_is_named(tmp_path: Path) -> None:
    line = refusal(tmp_path, f'control = "nowhere/x.sock"\n{FULL}{LISTEN}')
    assert line == (
        "Error: cannot open the control socket nowhere/x.sock: No such file or directory; name"
        " another place with `control`"
    )


@pytest.mark.parametrize("folder", ["/proc/x", "taken", "taken/x"])
def test_a_folder_of_transcripts_that_cannot_be_written_is_named(
    tmp_path: Path, folder: str
) -> None:
    (tmp_path / "taken").write_text("a file")
    line = refusal(tmp_path, f'transcripts = "{folder}"\n{FULL}{LISTEN}')
    assert line.startswith(f"Error: cannot write to {folder}, the folder of transcripts: ")
    assert line.endswith("; name another one with `transcripts`")


def test_a_folder_of_output_that_cannot_be_written_is_named_if_there_are_programs(
    tmp_path: Path,
) -> None:
    (tmp_path / "taken").write_text("a file")
    text = f'output = "taken"\n{FULL}run = ["true"]\n{LISTEN}'
    line = refusal(tmp_path, text)
    assert line.startswith("Error: cannot write to taken, the folder of the programs' output: ")
    with ArenaProcess(tmp_path, text.replace('run = ["true"]\n', ""), listen="") as arena:
        arena.stop()


def test_everything_that_cannot_be_had_is_named_at_once(tmp_path: Path, taken: int) -> None:
    text = f'metrics = {taken}\ncontrol = "nowhere/x"\n{FULL}{LISTEN}'
    result = serve(tmp_path, text)
    assert result.returncode == 2
    first, second = result.stderr.splitlines()
    assert "for metrics" in first
    assert "nowhere/x" in second


def test_in_a_store_that_is_there_no_match_begins_either(tmp_path: Path, taken: int) -> None:
    engine = open_store(str(tmp_path / "croupier.db"))
    result = serve(tmp_path, f"metrics = {taken}\n{FULL}{LISTEN}")
    assert result.returncode == 2
    assert result.stdout == ""
    assert matches(engine) == []
    engine.dispose()


def test_who_starts_an_arena_twice_is_told_that_it_runs_and_not_of_its_ports(
    tmp_path: Path,
) -> None:
    with ArenaProcess(tmp_path, "[[table]]\nseats = 2\n") as arena:
        text = (tmp_path / "arena.toml").read_text()
        port = arena.ports["huawei"]
        result = serve(tmp_path, text.replace("port = 0", f"port = {port}", 1))
        assert result.returncode == 2
        (line,) = result.stderr.splitlines()
        assert "is in use by another host" in line


# Whoever is faster than the check is still found out before the first table opens.


def failed_start(plan_text: str, folder: Path, before_tables: Callable[[], None]) -> Arena:
    arena = Arena(read_arena(plan_text, folder), None)
    with pytest.raises(StartupError) as caught:
        asyncio.run(arena.run(before_tables=before_tables))
    assert "cannot listen on 127.0.0.1:" in str(caught.value)
    return arena


def test_a_port_that_is_taken_at_the_last_moment_is_named_before_a_table_opens(
    tmp_path: Path, taken: int
) -> None:
    text = f'{FULL}[[listen]]\ndialect = "room"\nport = {taken}\n'
    arena = failed_start(text, tmp_path, lambda: None)
    assert arena.tables["main"].game is None


def test_metrics_are_opened_before_a_table_is(tmp_path: Path) -> None:
    def fail() -> None:
        raise StartupError("cannot listen on 127.0.0.1:1 for metrics")

    arena = failed_start(FULL + LISTEN, tmp_path, fail)
    assert arena.tables["main"].game is None
    assert arena.ports, "all listeners are open by then"


# What is printed.


def test_the_administrator_s_token_is_printed_once_all_ports_are_open(tmp_path: Path) -> None:
    (tmp_path / "arena.toml").write_text(f"metrics = 0\n{FULL}{LISTEN}")
    command = [sys.executable, "-m", "croupier", "serve", "arena.toml", "--web", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line.partition(":")[0])
            if line.startswith("control:"):
                break
        os.kill(process.pid, signal.SIGINT)
        process.stdout.read()
        assert process.wait(PATIENCE) == 0
    lines = [line for line in lines if line != "web"]  # the website says that itself, sometime
    assert lines[:5] == [*["listening"] * 3, "metrics", "administrator's token of the website"]
    assert lines[-1] == "control"


def test_a_match_that_never_began_is_said_to_have_ended_before_its_start(tmp_path: Path) -> None:
    text = '[[table]]\nseats = 2\n[[table]]\nseats = 3\nbots = ["CallAgent"]\n'
    with ArenaProcess(tmp_path, text) as arena:
        arena.stop()
        said = [line for line in arena.lines if re.search("over|ended", line)]
    assert len(said) == 2
    for line in said:
        assert re.fullmatch(r"match \S+ ended before its start\n", line)
