"""The pages on the arena, mixed tables and results: complete, and every session in them is run."""

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.main import COMMANDS, main
from croupier.cli.results import COLUMNS
from croupier.match import events
from croupier.match import match as phases
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN, TREND
from croupier.server.arena import file as arena_file
from croupier.server.arena import listener_reader as arena_listener_reader
from croupier.server.arena import player_reader as arena_player_reader
from croupier.server.arena import table_reader as arena_table_reader
from croupier.server.arena.file import read_arena
from croupier.server.out import metrics
from tests.arena.arenas import ArenaProcess
from tests.mixed.table import MixedTable, house, huawei, room, trend
from tests.support.certificates import tls_files
from tests.support.hosting import PATIENCE, Player

DOCS = Path(__file__).parents[2] / "docs"
ARENA = (DOCS / "arena.md").read_text("utf-8")
MIXED = (DOCS / "mixed.md").read_text("utf-8")
RESULTS = (DOCS / "results.md").read_text("utf-8")


READERS = (arena_file, arena_listener_reader, arena_table_reader, arena_player_reader)


def keys_of_the_file() -> dict[str, tuple[str, ...]]:
    """Return the keys of each part of an arena's file, out of the modules that read it."""
    found: dict[str, tuple[str, ...]] = {}
    for module in READERS:
        for function in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for call in ast.walk(function):
                if (
                    isinstance(call, ast.Call)
                    and isinstance(call.func, ast.Attribute)
                    and call.func.attr == "section"
                ):
                    known = call.args[2]
                    branches = (
                        [known.body, known.orelse] if isinstance(known, ast.IfExp) else [known]
                    )
                    for branch in branches:
                        keys = eval(ast.unparse(branch), vars(module))
                        found[function.name] = tuple({*found.get(function.name, ()), *keys})
    return found


def part(text: str, heading: str) -> str:
    """Return what stands under a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.M | re.S)
    assert found is not None, heading
    return found[1]


HEADINGS = {
    "arena": "The file",
    "table": "table",
    "read_listeners": "listen",
    "_read_tls": "tls",
    "read_player": "player",
    "_on_demand": "rooms and kuhn",
    "_limits": "limits",
    "_program": "Programs",
}


def test_every_part_of_the_file_has_its_heading() -> None:
    assert set(keys_of_the_file()) == set(HEADINGS)


@pytest.mark.parametrize("reader", HEADINGS)
def test_every_key_of_the_file_is_documented(reader: str) -> None:
    text = part(ARENA, HEADINGS[reader])
    for key in keys_of_the_file()[reader]:
        assert f"`{key}`" in text or f"`[[{key}]]`" in text or f"`[{key}]`" in text, key


@pytest.mark.parametrize(
    "reader",
    ["arena", "table", "read_listeners", "_read_tls", "read_player", "_program", "_limits"],
)
def test_no_key_is_documented_that_there_is_not(reader: str) -> None:
    rows = re.findall(r"^\| `\[*([a-z_]+)\]*` \|", part(ARENA, HEADINGS[reader]), re.M)
    assert sorted(rows) == sorted(keys_of_the_file()[reader])


def test_every_example_of_a_file_is_valid() -> None:
    examples = re.findall(r"```toml\n(.*?)```", ARENA, re.S)
    assert len(examples) == 2
    for text in examples:
        read_arena(text)


def test_the_arena_of_the_page_on_deployment_is_valid(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", (DOCS / "deploy.md").read_text("utf-8"), re.S)
    files = tls_files(tmp_path)
    (tmp_path / "tls").mkdir()
    files.cert.rename(tmp_path / "tls" / "fullchain.pem")
    files.key.rename(tmp_path / "tls" / "privkey.pem")
    plan = read_arena(text, tmp_path)
    assert all(listener.tls for listener in plan.listen)
    assert all(table.plan.closed for table in plan.tables)


def test_every_metric_is_documented() -> None:
    names = set(re.findall(r'"(croupier_\w+)"', Path(metrics.__file__).read_text("utf-8")))
    documented = set(re.findall(r"^\| `(croupier_\w+?)(?:_total)?(?:\{cause\})?` \|", ARENA, re.M))
    assert names == documented


def test_every_line_of_the_log_about_a_player_has_the_fields_that_are_documented(
    tmp_path: Path,
) -> None:
    text = """
[[table]]
name = "main"
seats = 3
bots = ["CallAgent"]
pids = [1001, 1002]
set = { decision_ms = 500 }
"""
    rows = re.findall(r"^\| `([a-z]+)` \| (`.*?`) \|", part(ARENA, "The log"), re.M)
    documented = {event: re.findall(r"`(\w+)`", fields) for event, fields in rows}
    assert len(documented) == 7
    with ArenaProcess(tmp_path, text) as arena:
        port = arena.ports["huawei"]
        with Player(port, "1 stranger") as stranger:
            assert stranger.next() is None
        with Player(port, "1001 ann") as ann, Player(port, "1002 bob"):
            ann.until(b"inquire")
            ann.send(b"nonsense \n")
            for event in ("refused", "joined", "fault", "timeout"):
                arena.wait_for_log(f"event={event} ")
        arena.wait_for_log("event=left ")
        arena.stop()
    lines = [dict(re.findall(r'(\w+)=("[^"]*"|\S+)', line)) for line in arena.log.splitlines()]
    seen = {line["event"] for line in lines}
    assert seen == set(documented) - {"returned"}
    for line in lines:
        assert list(line) == ["timestamp", "level", "event", *documented[line["event"]]]
        assert line.get("table", "main") == "main"


def test_every_command_to_an_arena_is_documented() -> None:
    commands = [name for name, (where, _) in COMMANDS.items() if where.startswith("control:")]
    assert len(commands) == 8
    rows = re.findall(r"^\| `croupier ([a-z]+)", part(ARENA, "Commands"), re.M)
    assert sorted(rows) == sorted(commands)


def test_every_state_of_a_table_is_documented() -> None:
    states = {
        value
        for name, value in vars(phases).items()
        if isinstance(value, str) and value == name.lower() and not hasattr(events, name)
    }
    listed = part(ARENA, "Commands").partition("The states of a table:")[2].partition("\n\n")[0]
    documented = set(re.findall(r"`([a-z]+)`", listed)) - {"room", "trend"}
    assert documented == {*states, "pausing", "closed", "failed"}


def test_every_column_of_results_is_documented() -> None:
    text = RESULTS
    for column in COLUMNS:
        assert f"`{column}`" in text


@pytest.mark.parametrize("name", ["arena.md", "mixed.md", "results.md"])
def test_every_link_leads_somewhere(name: str) -> None:
    text = (DOCS / name).read_text("utf-8")
    headings = {
        heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", text):
        path, _, anchor = target.partition("#")
        assert not path or (DOCS / path).exists(), target
        assert path or anchor in headings, target


# Sessions.


def sessions(text: str) -> list[tuple[str, list[str]]]:
    """Return the commands that are shown, each with the lines that it answers."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("    $ croupier "):
            found.append((line.removeprefix("    $ croupier "), []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line.strip())
        elif line and found:
            found.append(("", []))  # prose: what follows answers nothing
    return [(command, lines) for command, lines in found if command]


WRONG = """\
bind = "127.0.0.1"
metrics = -1

[[listen]]
dialect = "huawei"

[[table]]
seats = 4
minimum = 5
repaet = true
"""


def test_init_and_check_config_answer_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = [row for row in sessions(ARENA) if row[0].startswith(("init", "check-config"))]
    assert len(shown) == 3
    for number, (command, lines) in enumerate(shown):
        if number == 2:
            Path("arena.toml").write_text(WRONG)
        result = CliRunner().invoke(main, shlex.split(command))
        assert result.output.splitlines() == lines


def test_the_commands_answer_as_shown(tmp_path: Path) -> None:
    text = """
[[table]]
name = "finals"
seats = 3
bots = ["CallAgent", "CallAgent"]
set = { decision_ms = 100000 }
"""
    shown = [row for row in sessions(ARENA) if row[0].split()[0] in ("pause", "withdraw")]
    assert len(shown) == 3
    with ArenaProcess(tmp_path, text) as arena, arena.huawei(1001) as player:
        player.until(b"inquire")
        for command, lines in shown:
            result = arena.croupier(*shlex.split(command))
            assert result.output.splitlines() == lines
            if command == "pause finals":
                if arena.table("finals")["state"] == "pausing":
                    player.send(b"fold \n")
                arena.wait_until(lambda row: bool(row["state"] == "paused"), "finals")


def test_results_are_as_shown(tmp_path: Path) -> None:
    (host, _), (results, lines), *_ = sessions(RESULTS)
    command = [sys.executable, "-m", "croupier", *shlex.split(host), "--listen", "huawei:0"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=True)
    store = ["--store", str(tmp_path / "croupier.db")]
    result = CliRunner().invoke(main, [*shlex.split(results), *store])
    assert result.stdout.splitlines() == lines


# What is shown of mixed tables.


@pytest.mark.parametrize("rules", [PLAIN, TREND.with_fields({"countdown_s": 0})])
def test_what_a_huawei_bot_sees_elsewhere_is_as_shown(rules: Rules) -> None:
    found = re.search(rf"```huawei {rules.name}\n(.*?)```", MIXED, re.S)
    assert found is not None
    table = MixedTable(rules, huawei(1001, "kobe"), house(), order=[1, 0])
    table.start()
    told = b"".join(table.sent[0]).decode("ascii").replace(" \n", "\n")
    assert told.startswith(found[1])


def test_what_a_trend_bot_sees_of_hidden_cards_is_as_shown() -> None:
    found = re.search(r"```json\n(.*?)\n```", MIXED, re.S)
    assert found is not None
    cards, hand = re.fullmatch(r'("cards":\[\]),("hand":.*)', found[1]).groups()  # type: ignore[union-attr]
    table = MixedTable(PLAIN, trend("x"), room("bob"), order=[1, 0])
    table.start()
    table.say("fold")
    (text,) = (m.decode() for m in table.sent[0] if b"__round_end" in m)
    assert text.count(cards) == 4, "as cards of two players, and within their hands"
    assert text.count(hand) == 2
