"""Boxes for the programs of an arena: what is in them, who plays from there, and what is said."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from croupier.server.arena import watchdog
from croupier.server.arena.sandbox import Surroundings, find_problem, own_files
from tests.arena.arenas import ArenaProcess
from tests.support.contests import ended
from tests.support.hosting import PATIENCE
from tests.support.processes import Program

needs_box = pytest.mark.skipif(bool(find_problem()), reason=f"no sandbox: {find_problem()}")

ROOT = Path(__file__).parents[2]
JOIN = f"{sys.executable} -m croupier join"


def run(command: str, dialect: str) -> str:
    """Return an entry of `run`."""
    return f"{{ command = '''{command}''', dialect = \"{dialect}\" }}"


def hostile(folder: Path, *words: str) -> str:
    """Return an entry for a program that means harm, in a folder of its own."""
    path = folder / "mallory" / "hostile.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text((ROOT / "tests/badbots/hostile.py").read_text("utf-8"), "utf-8")
    attack = " ".join(words)
    return run(f"{sys.executable} {path} {{host}} {{port}} {{pid}} {{name}} {attack}", "huawei")


def table(*programs: str, seats: int) -> str:
    return f"""
sandbox = "required"
[[table]]
name = "bots"
seats = {seats}
repeat = false
set = {{ hands = 3, decision_ms = 60000 }}
run = [{", ".join(programs)}]
"""


@needs_box
def test_programs_of_an_arena_play_from_their_boxes_and_see_none_of_its_files(
    tmp_path: Path,
) -> None:
    secrets = [tmp_path / name for name in ("arena.toml", "croupier.db", "croupier.sock")]
    joining = (
        run(f"{JOIN} huawei://{{host}}:{{port}}?pid={{pid}} --bot CallAgent --name a", "huawei"),
        run(f"{JOIN} trend://{{host}}:{{port}} --bot CallAgent --name b", "trend"),
        run(f"{JOIN} room://{{host}}:{{port}}/bots --bot CallAgent --name c", "room"),
    )
    attack = hostile(tmp_path, "reads", ",".join(map(str, secrets)))
    with ArenaProcess(tmp_path, table(*joining, attack, seats=4)) as arena:
        arena.wait_for("^match .* over: 3 hands")
        assert "sandbox: programs run in boxes" in arena.log
    output = (tmp_path / "programs" / "bots-4.log").read_text()
    assert "READ" not in output
    for secret in secrets:
        assert f"no {secret} No such file" in output


@needs_box
def test_a_player_of_kuhn_plays_from_its_box(tmp_path: Path) -> None:
    program = f"{JOIN} kuhn://{{host}}:{{port}} --bot CallAgent --name 5 --games 3"
    where = ("--listen", "kuhn:0", "--web", "-1", "--transcripts", str(tmp_path / "out"))
    host = Program("croupier", "host", "--rules", "kuhn", "--once", "--json", *where,
                   "--sandbox", "required", "--run", program)  # fmt: skip
    code, printed, errors = ended(host)
    assert code == 0, errors
    assert json.loads(printed.splitlines()[-1])["hands"] == 3
    assert "3 hands" in (tmp_path / "out" / "host-1.log").read_text()


def command_lines() -> Iterator[str]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                yield (entry / "cmdline").read_text("utf-8", "replace")
            except OSError:
                continue


@needs_box
def test_nothing_of_a_program_is_left_when_the_arena_is_killed(tmp_path: Path) -> None:
    marker = f"killed-{os.getpid()}"
    attack = hostile(tmp_path, "stays", marker)
    with ArenaProcess(tmp_path, table(attack, seats=2)) as arena:
        arena.wait_until(lambda row: len(row["players"]) == 1, "bots")
        assert [line for line in command_lines() if marker in line]
        arena.kill()
    deadline = monotonic() + PATIENCE
    while [line for line in command_lines() if marker in line]:
        assert monotonic() < deadline


# What a program sees of the machine.


def test_a_file_comes_with_its_folder_if_nothing_of_others_is_in_it(tmp_path: Path) -> None:
    for name in ("ada/bot.py", "ada/data/model", "shared/bob.py", "shared/cid.py", "root.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    owned = [tmp_path / name for name in ("ada/bot.py", "shared/bob.py", "shared/cid.py")]
    around = Surroundings(True, tmp_path, hidden=[tmp_path / "cup.db"], owned=owned)
    assert own_files(["python3", "ada/bot.py"], around) == [tmp_path / "ada"]
    assert own_files(["python3", "shared/bob.py"], around) == [tmp_path / "shared/bob.py"]
    assert own_files(["python3", "root.py"], around) == [tmp_path / "root.py"]
    assert own_files(["join", "--bot", "ada/bot.py:Ada"], around) == [tmp_path / "ada"]
    assert own_files(["java", "-Dmodel=ada/data"], around) == [tmp_path / "ada/data"]


def test_nothing_that_is_hidden_is_seen_whatever_a_command_names(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    store = tmp_path / "data" / "cup.db"
    store.write_text("")
    around = Surroundings(True, tmp_path, hidden=[store])
    for word in (
        "data/cup.db",
        "data",
        str(store),
        ".",
        "/",
        "..",
        str(Path.home()),
        "data/../data",
    ):
        assert own_files(["cat", word], around) == []


# What is said.


def without_bubblewrap(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("PATH", str(folder))
    find_problem.cache_clear()


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Let what was found out about this machine be found out again."""
    yield
    find_problem.cache_clear()


@pytest.mark.usefixtures("forgotten")
def test_what_requires_a_box_does_not_start_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_bubblewrap(monkeypatch, tmp_path)
    arguments = ["host", "--seats", "2", "--run", "x {port}", "--sandbox", "required"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    (line,) = result.stderr.strip().splitlines()
    assert "sandbox is required" in line
    assert "apt install bubblewrap" in line
    (tmp_path / "arena.toml").write_text(table(run("x {port}", "huawei"), seats=2) + LISTEN)
    result = CliRunner().invoke(main, ["serve", str(tmp_path / "arena.toml"), "--web", "-1"])
    assert result.exit_code == 2
    assert "apt install bubblewrap" in result.stderr


LISTEN = '[[listen]]\ndialect = "huawei"\nport = 0\n'


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize(("mode", "why"), [("auto", "apt install bubblewrap"), ("off", "off")])
def test_a_start_without_boxes_says_why_and_what_that_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, why: str
) -> None:
    without_bubblewrap(monkeypatch, tmp_path)
    program = [sys.executable, "-c", "raise SystemExit(3)"]
    arguments = ["check", "huawei", "--scenario", "heads-up", "--sandbox", mode, "--", *program]
    result = CliRunner().invoke(main, arguments)
    assert "exit code 3" in result.stdout
    (line,) = result.stderr.strip().splitlines()
    assert line.startswith("sandbox: ")
    assert why in line
    assert "with your files and your network" in line


def test_the_watchdog_removes_the_folders_of_programs_that_it_ends(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("left behind", "removed already")]
    for folder in folders:
        (folder / "deep").mkdir(parents=True)
    programs = [subprocess.Popen(["sleep", "1000"], start_new_session=True) for _ in folders]
    lines = [f"+{one.pid} {path}\n" for one, path in zip(programs, folders, strict=True)]
    watching = subprocess.run(
        [sys.executable, "-I", watchdog.__file__],
        input="".join([*lines, f"-{programs[1].pid}\n"]),
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert watching.returncode == 0
    assert [folder.exists() for folder in folders] == [False, True]
    assert programs[0].wait(PATIENCE) < 0
    programs[1].kill()
    programs[1].wait()
