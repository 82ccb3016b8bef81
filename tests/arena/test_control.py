"""An organiser's commands to a running arena, and what is kept of them."""

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from tests.arena.arenas import ArenaProcess, is_open, names
from tests.support.hosting import PATIENCE, Player
from tests.support.processes import croupier

TABLES = ("main", "again", "ends", "later", "laps", "out", "between", "last", "never")
FAST = "decision_ms = 100000, reload_ms = 0, countdown_s = 0"
ARENA = "".join(
    f"""
[[table]]
name = "{name}"
number = {number}
seats = 3
minimum = 1
wait_s = 0
fill = ["CallAgent", "CallAgent"]
rules = "{"trend" if name == "laps" else "plain"}"
repeat = {"true" if name == "again" else "false"}
set = {{ hands = {0 if name == "last" else 1000}, {FAST} }}
"""
    for number, name in enumerate(TABLES, 1)
) + "".join(
    f'[[player]]\ndisplay = "{pid}"\npid = {pid}\ntable = "{table}"\n'
    for pid, table in (
        (1001, "main"),
        (1002, "again"),
        (1003, "ends"),
        (1004, "out"),
        (1005, "between"),
        (1006, "last"),
        (1007, "later"),
        (1008, "laps"),
    )
)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path_factory.mktemp("control"), ARENA) as arena:
        yield arena


@pytest.fixture
def people() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def fold_until(player: Player, name: bytes) -> None:
    """Fold whenever asked, up to a message."""
    while not (message := player.next() or b"closed").startswith(name):
        assert message != b"closed"
        if message.startswith(b"inquire/"):
            player.send(b"fold \n")


def last_acts(arena: ArenaProcess, *acts: str) -> list[dict[str, Any]]:
    """Return the newest rows of the audit log, once they are of these acts."""
    deadline = monotonic() + PATIENCE
    while True:
        rows = arena.audit()[: len(acts)]
        if [row["act"] for row in rows] == list(acts):
            return rows
        assert monotonic() < deadline, rows


def verified(arena: ArenaProcess, match: str) -> str:
    """Verify a match, once its end is on record."""
    deadline = monotonic() + PATIENCE
    while json.loads(arena.tell("show", match, "--json"))["ended"] is None:
        assert monotonic() < deadline
    return arena.tell("verify", match)


# Looking.


def test_tables_lists_what_is_going_on_as_text_and_as_json(
    arena: ArenaProcess, people: ExitStack
) -> None:
    player = people.enter_context(arena.huawei(1001))
    player.until(b"inquire")
    rows = {row["table"]: row for row in json.loads(arena.tell("tables", "--json"))}
    assert tuple(rows) == TABLES
    assert rows["never"] == {
        "table": "never",
        "state": "seating",
        "kind": "table",
        "number": "9",
        "match": rows["never"]["match"],
        "commitment": rows["never"]["commitment"],
        "opening": 1,
        "announced": "",
        "beacon": "",
        "secret": True,
        "rules": "plain",
        "seats": 3,
        "hand": 0,
        "players": [],
    }
    row = rows["main"]
    assert (row["state"], row["hand"], row["seats"]) == ("hand", 1, 3)
    assert row["players"][0] == {
        "name": "bot-1001",
        "dialect": "huawei",
        "chips": 10_000,
        "online": True,
        "out": "",
    }
    lines = arena.tell("tables").splitlines()
    assert len(lines) == 1 + len(TABLES)
    head = ["table", "number", "state", "rules", "hand", "match", "players", "commitment"]
    assert lines[0].split() == head
    assert lines[1].startswith("main")
    assert "bot-1001 10,000, CallAgent0 10,000, CallAgent1 10,000" in lines[1]


# Pausing and going on.


def test_a_pause_lets_the_hand_end_and_a_resume_goes_on(
    arena: ArenaProcess, people: ExitStack
) -> None:
    assert "again has not started yet" in arena.refused("pause", "again")
    assert "again is not paused" in arena.refused("resume", "again")
    player = people.enter_context(arena.huawei(1002))
    player.until(b"inquire")
    assert arena.tell("pause", "again") == "again pauses after this hand"
    assert arena.table("again")["state"] == "pausing"
    player.send(b"fold \n")
    fold_until(player, b"pot-win/")
    arena.wait_until(lambda row: bool(row["state"] == "paused"), "again")
    assert "again is paused already" in arena.refused("pause", "again")
    assert "again has started already" in arena.refused("start", "again")
    assert arena.tell("resume", "again") == "again goes on"
    player.until(b"seat/")
    assert "again is not paused" in arena.refused("resume", "again")
    # A pause can be taken back before it begins.
    arena.tell("pause", "again")
    assert arena.tell("resume", "again") == "again goes on"
    assert arena.table("again")["state"] == "hand"
    assert arena.tell("end", "again") == "the match at again ends"
    fold_until(player, b"game-over")
    arena.wait_until(is_open, "again")


# Ending.


def test_an_end_in_the_first_hand_voids_it_and_the_record_verifies(
    arena: ArenaProcess, people: ExitStack
) -> None:
    player = people.enter_context(arena.huawei(1003))
    player.until(b"inquire")
    row = arena.table("ends")
    assert (row["state"], row["hand"]) == ("hand", 1)
    assert arena.tell("end", "ends") == "the match at ends ends"
    player.until(b"game-over")
    assert arena.table("ends")["state"] == "over"
    assert "void       cut off and never played: hand 1" in verified(arena, row["match"])
    assert arena.wait_for(f"match {row['match']} over: 0 hands")
    for command in ("pause", "resume", "end"):
        assert "nothing is being played at ends" in arena.refused(command, "ends")
    assert "nothing is being played" in arena.refused("withdraw", "ends", "1003")


@pytest.mark.parametrize(("pid", "table"), [(1007, "later"), (1008, "laps")])
def test_an_end_in_a_later_hand_leaves_a_record_that_verifies(
    arena: ArenaProcess, people: ExitStack, pid: int, table: str
) -> None:
    player = people.enter_context(arena.huawei(pid))
    for _ in range(3):
        fold_until(player, b"pot-win/")
    player.until(b"inquire")
    row = arena.table(table)
    assert (row["state"], row["hand"]) == ("hand", 4)
    arena.tell("end", table)
    player.until(b"game-over")
    assert "void       cut off and never played: hand 4" in verified(arena, row["match"])


def test_an_end_before_the_start_closes_the_table_and_nothing_is_on_record(
    arena: ArenaProcess,
) -> None:
    row = arena.table("never")
    assert arena.tell("end", "never") == "the match at never ends"
    assert arena.table("never")["state"] == "over"
    assert row["match"] not in arena.tell("matches")
    assert arena.tell("start", "never") == "never is open for a new match"
    assert is_open(arena.table("never"))


# Withdrawing.


def test_a_withdrawn_player_folds_and_is_gone_after_the_hand(
    arena: ArenaProcess, people: ExitStack
) -> None:
    assert "last has not started yet" in arena.refused("withdraw", "last", "1006")
    player = people.enter_context(arena.huawei(1006))
    player.until(b"inquire")
    text = arena.refused("withdraw", "last", "bot-106")
    assert "there is no player 'bot-106'; did you mean 'bot-1006'?" in text
    assert "(there are bot-1006, CallAgent0, CallAgent1)" in text
    row = arena.table("last")
    assert arena.tell("withdraw", "last", "1006") == "bot-1006 is withdrawn from last"
    arena.wait_until(lambda row: bool(row["hand"] > 5), "last")
    row = arena.table("last")
    gone = row["players"][0]
    assert (gone["name"], gone["chips"], gone["out"]) == ("bot-1006", 0, "withdrawn")
    assert "1006 is out already" in arena.refused("withdraw", "last", "1006")
    assert player.until(b"pot-win/")
    assert arena.tell("withdraw", "last", "CallAgent1") == "CallAgent1 is withdrawn from last"
    player.until(b"game-over")
    report = verified(arena, row["match"])
    assert "FAILED" not in report


def test_a_withdrawal_between_hands_that_ends_the_match_leaves_a_record_that_verifies(
    arena: ArenaProcess, people: ExitStack
) -> None:
    player = people.enter_context(arena.huawei(1005))
    player.until(b"inquire")
    arena.tell("pause", "between")
    player.send(b"fold \n")
    row = arena.wait_until(lambda row: bool(row["state"] == "paused"), "between")
    assert arena.tell("withdraw", "between", "CallAgent0") == "CallAgent0 is withdrawn from between"
    row = arena.table("between")
    assert (row["state"], row["players"][1]["out"]) == ("paused", "withdrawn")
    assert arena.tell("withdraw", "between", "CallAgent1") == "CallAgent1 is withdrawn from between"
    player.until(b"game-over")
    assert arena.table("between")["state"] == "over"
    assert "FAILED" not in verified(arena, row["match"])
    results = json.loads(arena.tell("results", row["match"], "--format", "json"))
    assert [(line["player"], line["chips"]) for line in results["players"]][1:] == [
        ("CallAgent0", 0),
        ("CallAgent1", 0),
    ]


def test_a_player_who_was_asked_is_withdrawn_at_once(
    arena: ArenaProcess, people: ExitStack
) -> None:
    player = people.enter_context(arena.huawei(1004))
    player.until(b"inquire")
    row = arena.table("out")
    arena.tell("withdraw", "out", "bot-1004")
    player.until(b"pot-win/")
    arena.tell("end", "out")
    player.until(b"game-over")
    assert "FAILED" not in verified(arena, row["match"])


# What cannot be done.


@pytest.mark.parametrize("command", ["start", "pause", "resume", "end"])
def test_an_unknown_table_is_refused_with_a_hint(arena: ArenaProcess, command: str) -> None:
    text = arena.refused(command, "mian")
    assert "there is no table 'mian'; did you mean 'main'?" in text
    assert f"(there are {', '.join(TABLES)})" in text
    assert "there is no table ''" in arena.refused(command, "")
    assert "there is no table" in arena.refused(command, "x" * 3000)


def test_a_request_that_is_none_is_answered_and_harms_nobody(arena: ArenaProcess) -> None:
    for request in (
        b"\n",
        b"hello\n",
        b"{}\n",
        b"[]\n",
        b'{"command": 5}\n',
        b'{"command": "pause", "sudo": true}\n',
        b'{"command": "tables", "table": null}\n',
        b"\xff\xfe\n",
        b"x" * 5000 + b"\n",
        b'{"command": "tables"',
    ):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(arena.control))
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
        assert json.loads(answer)["ok"] is False, request
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(arena.control))  # and goes without a word
    assert arena.ask("restart")["error"] == "unknown command 'restart'"
    assert "Traceback" not in arena.log


def test_only_the_organiser_may_open_the_socket(arena: ArenaProcess) -> None:
    mode = arena.control.stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert mode & (stat.S_IRWXG | stat.S_IRWXO) == 0


# The audit log.


def test_whatever_is_asked_for_is_in_the_audit_log_with_what_came_of_it(
    arena: ArenaProcess,
) -> None:
    arena.refused("pause", "never")
    arena.refused("withdraw", "nowhere", "[b]someone[/b]")
    arena.tell("tables")
    first, second = last_acts(arena, "withdraw", "pause")
    assert (first["actor"], first["table"], first["detail"]) == (
        "control",
        "nowhere",
        "[b]someone[/b]",
    )
    assert first["outcome"].startswith("there is no table 'nowhere'")
    assert (second["table"], second["outcome"]) == ("never", "never has not started yet")
    assert second["at"] <= first["at"]
    assert not any(row["act"] == "tables" for row in arena.audit())
    lines = arena.tell("audit").splitlines()
    assert lines[0].split() == ["when", "who", "did", "table", "player", "outcome"]
    assert "[b]someone[/b]" in lines[1]
    assert arena.log.count("event=audit") >= len(arena.audit())


def test_an_audit_log_without_rows_says_so(tmp_path: Path) -> None:
    store = str(tmp_path / "croupier.db")
    CliRunner().invoke(main, ["players", "add", "Ada", "--store", store])
    result = CliRunner().invoke(main, ["audit", "--store", store])
    assert (result.exit_code, result.stdout) == (0, "nothing yet\n")
    result = CliRunner().invoke(main, ["audit", "--json", "--store", store])
    assert json.loads(result.stdout) == []


# Where no arena is, and where two want to be.


def run_serve(file: Path) -> subprocess.CompletedProcess[str]:
    return croupier("serve", str(file), "--web", "-1")


@pytest.mark.parametrize("command", ["tables", "start x", "pause x", "resume x", "end x"])
def test_without_an_arena_a_command_says_how_to_start_one(tmp_path: Path, command: str) -> None:
    socket_path = tmp_path / "croupier.sock"
    result = CliRunner().invoke(main, [*command.split(), "--control", str(socket_path)])
    assert result.exit_code == 2
    (line,) = result.stderr.strip().splitlines()
    assert "no arena is running here" in line
    assert "croupier serve" in line


def test_the_socket_may_be_named_in_the_environment(arena: ArenaProcess) -> None:
    environment = {"CROUPIER_CONTROL": str(arena.control)}
    result = CliRunner().invoke(main, ["tables", "--json"], env=environment)
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)) == len(TABLES)


def test_a_second_arena_with_the_same_socket_or_store_is_refused_and_the_first_goes_on(
    arena: ArenaProcess, tmp_path: Path
) -> None:
    table = '[[listen]]\ndialect = "trend"\nport = 0\n[[table]]\nseats = 2\n'
    file = tmp_path / "other.toml"
    file.write_text(f'control = "{arena.control}"\n{table}')
    second = run_serve(file)
    assert second.returncode == 2
    assert "another arena is running with the control socket" in second.stderr
    assert "Traceback" not in second.stderr
    file.write_text(f'store = "{arena.store}"\n{table}')
    third = run_serve(file)
    assert third.returncode == 2
    assert "is in use by another host" in third.stderr
    assert arena.control.exists()
    assert len(arena.tables()) == len(TABLES)


def test_a_socket_that_a_crash_has_left_is_no_arena_and_is_replaced(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, "[[table]]\nseats = 2\n") as arena:
        arena.kill()
        assert arena.control.exists()
        assert "does not answer" in arena.refused("tables")
        with ArenaProcess(tmp_path) as again:
            assert is_open(again.table("table1"))


def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("do not delete")
    (tmp_path / "arena.toml").write_text(
        'control = "precious.txt"\n[[listen]]\ndialect = "trend"\nport = 0\n[[table]]\nseats = 2\n'
    )
    command = [sys.executable, "-m", "croupier", "serve", str(tmp_path / "arena.toml"), "--web=-1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()  # listening, or the end
        process.terminate()
    assert precious.is_file()
    assert precious.read_text() == "do not delete"


# Ctrl-C.


def test_ctrl_c_tells_everyone_and_ends_with_exit_code_0(tmp_path: Path) -> None:
    text = """
[[table]]
seats = 4
set = { decision_ms = 100000, ready_ms = 100000 }

[[table]]
name = "waiting"
seats = 4

[[player]]
display = "Bob"
pid = 2
table = "waiting"

[rooms]
"""
    with ArenaProcess(tmp_path, text) as arena, ExitStack() as stack:
        # Nothing says when it is in its room, but who comes later has to wait for it.
        alone = stack.enter_context(arena.room("nowhere", "c"))
        huawei = stack.enter_context(arena.huawei(1))
        trend = stack.enter_context(arena.trend("secret"))
        first = stack.enter_context(arena.room("table1", "a"))
        second = stack.enter_context(arena.room("table1", "b", games=5))
        waiting = stack.enter_context(arena.huawei(2))
        first.until("name")
        assert names(arena.table("waiting")) == ["bot-2"]
        arena.process.send_signal(2)
        huawei.until(b"game-over")
        waiting.until(b"game-over")
        trend.until("__game_stop")
        trend.until("__game_over")
        for player in (first, second):
            assert player.until("error")["text"] == "The match was stopped by the organiser"
            assert player.next() is None
        assert alone.next() is None
        huawei.close()
        waiting.close()
        trend.close()
        assert arena.process.wait(PATIENCE) == 0
        arena.close()
    assert not arena.control.exists()
    assert "Traceback" not in arena.log


def test_ctrl_c_twice_waits_for_nobody(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, "[[table]]\nseats = 2\n") as arena:
        with arena.huawei(1) as player:
            arena.process.send_signal(2)
            player.until(b"game-over")
            arena.process.send_signal(2)
            assert arena.process.wait(PATIENCE) == 0
            arena.close()
        assert not arena.control.exists()


def test_sigterm_is_the_same_as_ctrl_c(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, "[[table]]\nseats = 2\n") as arena:
        with arena.huawei(1) as player:
            os.kill(arena.process.pid, 15)
            player.until(b"game-over")
        assert arena.process.wait(PATIENCE) == 0
        arena.close()
        assert not arena.control.exists()


def test_a_port_that_is_taken_is_said_in_one_line(arena: ArenaProcess, tmp_path: Path) -> None:
    file = tmp_path / "arena.toml"
    port = arena.ports["trend"]
    file.write_text(f'[[listen]]\ndialect = "trend"\nport = {port}\n[[table]]\nseats = 2\n')
    result = run_serve(file)
    assert result.returncode == 2
    assert "cannot listen" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "croupier.sock").exists()


# Rooms.


def test_rooms_are_directed_like_tables_under_their_names_on_pages(tmp_path: Path) -> None:
    listen = "".join(f'[[listen]]\ndialect = "{name}"\nport = 0\n' for name in ("room", "kuhn"))
    with (
        ArenaProcess(tmp_path, "[rooms]\n[kuhn]\n", listen=listen) as arena,
        ExitStack() as stack,
    ):
        pair = [stack.enter_context(arena.room("zz", name)) for name in "ab"]
        for player in pair:
            player.until("name")
            player.say({"info": "start"})
        for player in pair:
            player.until("state")
        (row,) = arena.tables().values()
        assert (row["table"], row["kind"], row["number"]) == ("room-zz", "room", "")
        assert arena.refused("start", "room-zz").endswith("room-zz starts by itself")
        assert arena.tell("pause", "room-zz") == "room-zz pauses after this hand"
        assert arena.table("room-zz")["state"] == "pausing"
        assert arena.tell("resume", "room-zz") == "room-zz goes on"
        assert "did you mean 'room-zz'" in arena.refused("pause", "room-zy")
        assert arena.tell("end", "room-zz") == "the match at room-zz ends"
        for player in pair:
            assert player.until("error")["text"] == "The match was stopped by the organiser"
        assert arena.tables() == {}
