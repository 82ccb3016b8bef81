"""Programs that mean harm: in a box each comes to nothing, and the match goes on."""

import asyncio
import os
import resource
import shlex
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from croupier.bots import CallAgent
from croupier.rules.sets import PLAIN
from croupier.running.referee import referee
from croupier.server.arena.sandbox import LOG_BYTES, SCRATCH_BYTES, find_problem
from croupier.server.table.task import MatchTask, Played, Player, PlayerResult
from tests.support.hosting import PATIENCE

pytestmark = pytest.mark.skipif(bool(find_problem()), reason=f"no sandbox: {find_problem()}")

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests/badbots/hostile.py"
MIB = 1 << 20


@dataclass
class Outcome:
    """What came of a match with a hostile program."""

    result: Played
    output: str

    @property
    def hostile(self) -> PlayerResult:
        return self.result.players[0]


def contest(folder: Path) -> Path:
    """Make a contest's folder with things that are nobody's business."""
    base = folder / "contest"
    for name in ("cup.db", "contest.toml", "bots/other.py", "bots/mine/hostile.py"):
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a secret")
    (base / "bots/mine/hostile.py").write_text(HOSTILE.read_text("utf-8"), "utf-8")
    (base / "bots/mine/model.txt").write_text("its own")
    return base


def play(folder: Path, manner: str, *more: str, hands: int = 3) -> Outcome:
    """Play a match of a hostile program and two house bots."""
    base = folder / "contest" if (folder / "contest").exists() else contest(folder)
    words = shlex.join([manner, *more])
    command = f"{sys.executable} bots/mine/hostile.py {{host}} {{port}} {{pid}} {{key}} {words}"
    bots = {1: CallAgent(), 2: CallAgent()}
    task = MatchTask(
        name="final/r1.1/1.1",
        place="contest final",
        rules=PLAIN.with_fields({"hands": hands, "decision_ms": 60_000}),
        players=(
            Player("Mallory", command=command, dialect="huawei"),
            *(Player(team, bot="CallAgent") for team in ("Bob", "Cid")),
        ),
        seed=bytes(32),
        secret=True,
        recorded=False,
        folder=str(base),
        output=str(folder / "output"),
        arrive_s=PATIENCE,
        boxed=True,
        hidden=(str(base / "cup.db"),),
        owned=(str(base / "bots/other.py"), str(base / "bots/mine/hostile.py")),
    )
    result = asyncio.run(asyncio.wait_for(referee(task, bots), PATIENCE))
    assert result.hands == hands
    assert [player.forfeit for player in result.players[1:]] == ["", ""]
    (log,) = (folder / "output").glob("*_Mallory~*.log")
    return Outcome(result, log.read_text("utf-8", "replace"))


def command_lines() -> Iterator[str]:
    """Return the command lines of all processes of the machine."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                yield (entry / "cmdline").read_text("utf-8", "replace")
            except OSError:
                continue


def test_a_program_sees_its_own_files_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_ADMIN_TOKEN", "a secret")
    monkeypatch.setenv("MY_SECRET", "a secret")
    base = contest(tmp_path)
    own = base / "bots/mine/model.txt"
    others = [base / "cup.db", base / "contest.toml", base / "bots/other.py", tmp_path / "output"]
    paths = map(str, (own, *others, Path.home() / ".ssh", ROOT / "README.md", "/var"))
    outcome = play(tmp_path, "reads", ",".join(paths))
    read = [line for line in outcome.output.splitlines() if line.startswith("READ")]
    assert read == [f"READ {own} b'its own'"]
    assert "sees []" in outcome.output
    assert outcome.hostile.forfeit == ""


def test_the_store_is_hidden_even_from_a_program_whose_command_names_it(tmp_path: Path) -> None:
    store = contest(tmp_path) / "cup.db"
    outcome = play(tmp_path, "reads", str(store))
    assert f"no {store} No such file" in outcome.output


def test_a_program_reaches_its_table_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        named.bind(str(path))
        named.listen()
        name = f"croupier-test-{os.getpid()}"
        abstract.bind("\0" + name)
        abstract.listen()
        port = str(server.getsockname()[1])
        outcome = play(tmp_path, "connects", port, str(path), "@" + name)
    assert "CONNECTED" not in outcome.output
    assert outcome.output.count("no ") == 3
    assert "played to the end" in outcome.output


def test_a_server_with_many_open_files_starts_boxes_too(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        outcome = play(tmp_path, "reads", "/proc/self/fd/1030")
    finally:
        for descriptor in opened:
            os.close(descriptor)
    assert "no /proc/self/fd/1030" in outcome.output
    assert outcome.hostile.forfeit == ""


def test_a_program_that_forks_without_end_is_stopped_at_its_limit(tmp_path: Path) -> None:
    outcome = play(tmp_path, "forks")
    (line,) = (line for line in outcome.output.splitlines() if line.startswith("forked"))
    assert 0 < int(line.split()[1]) <= 256
    assert outcome.hostile.forfeit == ""


def test_a_program_writes_a_little_to_memory_and_nothing_to_the_disk(tmp_path: Path) -> None:
    outcome = play(tmp_path, "fills")
    (line,) = (line for line in outcome.output.splitlines() if line.startswith("written"))
    assert int(line.split()[1]) <= 2 * SCRATCH_BYTES // MIB
    assert not list(tmp_path.rglob("fill*"))
    assert outcome.hostile.forfeit == ""


def test_output_is_cut_at_a_size_and_says_so(tmp_path: Path) -> None:
    outcome = play(tmp_path, "prints")
    assert LOG_BYTES <= len(outcome.output) < LOG_BYTES + 200
    assert outcome.output.endswith("croupier: the output is cut here: 8 MiB are enough\n")
    assert outcome.hostile.forfeit == ""


def test_a_program_gets_no_more_memory_than_its_limit(tmp_path: Path) -> None:
    outcome = play(tmp_path, "eats")
    assert "no memory for that" in outcome.output
    assert outcome.hostile.forfeit == ""


def test_processes_that_take_too_much_memory_together_are_ended(tmp_path: Path) -> None:
    outcome = play(tmp_path, "eats_together")
    assert "took more than 1024 MB of memory" in outcome.output
    assert "took more than 1024 MB of memory" in outcome.hostile.forfeit


def test_a_program_can_end_nothing_but_itself(tmp_path: Path) -> None:
    outcome = play(tmp_path, "kills")
    assert "processes 2" in outcome.output
    assert "played to the end" in outcome.output


def test_nothing_of_a_program_is_left_after_its_match(tmp_path: Path) -> None:
    marker = f"marker-{os.getpid()}"
    outcome = play(tmp_path, "stays", marker)
    assert "played to the end" in outcome.output
    assert not [line for line in command_lines() if marker in line]


def test_a_program_cannot_take_back_what_it_has_printed(tmp_path: Path) -> None:
    contest(tmp_path)
    outcome = play(tmp_path, "erases", str(tmp_path / "output"))
    assert outcome.output.startswith("first words\n")
    assert "ERASED" not in outcome.output
