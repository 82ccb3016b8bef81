"""`croupier check` on the command line."""

import contextlib
import io
import os
import pty
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from croupier.checker.verdict import Verdict
from croupier.cli.check import Report
from tests.support.processes import croupier

CHECK = [sys.executable, "-m", "croupier", "check"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return croupier("check", *arguments)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["hauwei", "--", "true"], "did you mean 'huawei'?"),
        (["huawei", "--scenario", "heads_up", "--", "true"], "did you mean 'heads-up'?"),
        (["kuhn", "--scenario", "reload", "--", "true"], "unknown scenario"),
        (["huawei", "--", "./nowhere/bot"], "there is no program"),
        (
            ["huawei", "--", "bot", "{hots}"],
            "{name}, {key} and {seats} are filled in",
        ),
        (["huawei", "--port", "70000", "--", "true"], "70000"),
        (["huawei"], "COMMAND"),
    ],
)
def test_a_wrong_argument_gets_a_clear_sentence(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_a_program_that_ends_at_once_is_told_so_with_its_output() -> None:
    program = [sys.executable, "-c", "import sys; print('no board found'); sys.exit(3)"]
    done = run("trend", "--scenario", "heads-up", "--", *program)
    assert done.returncode == 1
    assert "it ended before it had a seat, with exit code 3" in done.stdout
    assert "program: no board found" in done.stdout


@pytest.mark.parametrize("sandbox", ["auto", "off"])
def test_a_program_sees_nothing_of_our_own_settings(
    monkeypatch: pytest.MonkeyPatch, sandbox: str
) -> None:
    monkeypatch.setenv("CROUPIER_ADMIN_TOKEN", "a secret of the organiser")
    options = ("--sandbox", sandbox, "--scenario", "heads-up")
    done = run("huawei", *options, "--", "sh", "-c", "env | grep ^CROUPIER_ || echo nothing")
    assert "program: nothing" in done.stdout


def test_a_program_that_does_not_exist_is_told_so() -> None:
    done = run("huawei", "--scenario", "heads-up", "--", "no-such-program")
    assert done.returncode == 2
    assert "no-such-program" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_program_that_registers_wrongly_is_told_why() -> None:
    script = (
        "import socket, sys; s = socket.create_connection((sys.argv[1], int(sys.argv[2])));"
        "s.sendall(b'hello \\n'); s.recv(100)"
    )
    done = run("huawei", "--scenario", "heads-up", "--", sys.executable, "-c", script,
               "{host}", "{port}")  # fmt: skip
    assert done.returncode == 1
    assert "it got no seat" in done.stdout or "ended before it had a seat" in done.stdout


BOTS = Path(__file__).parents[1] / "badbots"
WILDBOTS = Path(__file__).parents[1] / "wildbots" / "programs"


@pytest.mark.parametrize(
    ("said", "reason", "answer"),
    [
        ("HELO 5", "error W_S: unknown command 'HELO'", "ERRO W_S"),
        ("STRT 0", "error WID: the id is not above 0", "ERRO WID"),
        ("ANOK", "error W_A: ANOK before STRT", "ERRO W_A"),
    ],
)
def test_a_program_that_kuhn_refuses_is_told_why_with_its_bytes_and_the_code(
    said: str, reason: str, answer: str
) -> None:
    script = (
        "import socket, sys; s = socket.create_connection((sys.argv[1], int(sys.argv[2])));"
        "s.sendall(sys.argv[3].encode() + b'\\n'); s.recv(100)"
    )
    done = run("kuhn", "--scenario", "heads-up", "--", sys.executable, "-c", script,
               "{host}", "{port}", said)  # fmt: skip
    assert done.returncode == 1
    assert f"it got no seat: {reason}" in done.stdout
    assert f"> b'{said}\\n'" in done.stdout
    assert f"< b'{answer}\\n'" in done.stdout


def test_a_program_with_a_connection_for_every_kuhn_hand_gets_through_every_scenario() -> None:
    program = [sys.executable, str(WILDBOTS / "kuhn_connection_per_hand.py")]
    done = run("kuhn", "--", *program, "{host}", "{port}", "{pid}", "10000", "text")
    assert done.returncode == 0, done.stdout


def test_a_mistake_that_shows_in_several_scenarios_is_explained_once_and_counted() -> None:
    program = [sys.executable, str(BOTS / "raises_too_little.py"), "{host}", "{port}", "{pid}"]
    names = ["heads-up", "split-pot", "winning"]
    only = [word for name in names for word in ("--scenario", name)]
    done = run("huawei", *only, "--", *program)
    assert done.returncode == 1
    mistake = "the server had to correct or ignore something: raise below the minimum counts as"
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"FAIL heads-up: {mistake}")
    assert lines[-4] == "FAIL split-pot: the same mistake as in heads-up"
    assert lines[-3] == "FAIL winning: the same mistake as in heads-up"
    assert lines[-2].startswith(f"in 3 scenarios: {mistake}")
    assert lines[-1] == "0 passed, 3 failed"
    assert done.stdout.count("# raise below the minimum") == 1


def test_programs_that_die_of_different_errors_make_different_mistakes() -> None:
    console = Console(file=io.StringIO(), width=200)
    report = Report(console)
    for scenario, output in (
        ("a", ["KeyError: 'flop'"]),
        ("b", ["IndexError: 3"]),
        ("c", ["IndexError: 7"]),
        ("d", ["hand 9 is over"]),
    ):
        report.tell(Verdict(scenario, "a match", False, "it closed its connection", [], output))
    report.sum_up(4)
    assert isinstance(console.file, io.StringIO)
    told = console.file.getvalue()
    assert told.count("program:") == 3
    assert "FAIL c: the same mistake as in b" in told
    assert "in 2 scenarios: it closed its connection" in told


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("huawei", "--sandbox", "off", "--port", port, "--", "true")
    assert done.returncode == 2
    said, line = done.stderr.splitlines()
    assert said.startswith("sandbox: off")
    assert line == f"Error: cannot listen on port {port}: Address already in use"


def test_a_program_that_cannot_run_twice_at_the_same_time_is_given_a_second_chance(
    tmp_path: Path,
) -> None:
    script = (
        "import os, subprocess, sys\n"
        "os.mkdir(sys.argv[1])\n"
        "try: subprocess.run([sys.executable, *sys.argv[2:]], check=True)\n"
        "finally: os.rmdir(sys.argv[1])\n"
    )
    program = [sys.executable, "-c", script, str(tmp_path / "lock"), str(BOTS / "good.py")]
    only = ["--scenario", "heads-up", "--scenario", "run-out", "--scenario", "split-pot"]
    only += ["--sandbox", "off"]  # the lock is a folder that all of them share
    done = run("huawei", *only, "--", *program, "{host}", "{port}", "{pid}")
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("3 passed, 0 failed\n")


def test_a_fault_that_no_busy_machine_explains_is_not_tried_again(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    script = (
        "import subprocess, sys\n"
        "print('started', file=open(sys.argv[1], 'a'))\n"
        "subprocess.run([sys.executable, *sys.argv[2:]])\n"
    )
    program = [sys.executable, "-c", script, str(starts), str(BOTS / "raises_too_little.py")]
    only = ["--scenario", "heads-up", "--scenario", "run-out", "--sandbox", "off"]
    done = run("huawei", *only, "--", *program, "{host}", "{port}", "{pid}")
    assert done.stdout.endswith("0 passed, 2 failed\n")
    assert starts.read_text().splitlines() == ["started", "started"]


TREND_PROGRAM = """
import json, sys
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

with connect(f"ws://{sys.argv[1]}:{sys.argv[2]}") as connection:
    connection.send(json.dumps({"eventName": "__join", "data": {"playerName": "checked"}}))
    try:
        for message in connection:
            event = json.loads(message)["eventName"]
            if event in ("__action", "__bet"):
                action = {"action": "call" if event == "__action" else "check"}
                connection.send(json.dumps({"eventName": "__action", "data": action}))
    except ConnectionClosed as error:
        print("closing frame:", error.rcvd)
"""


def test_a_connection_that_breaks_does_not_say_that_the_game_is_over(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(TREND_PROGRAM)
    program = [sys.executable, str(tmp_path / "bot.py"), "{host}", "{port}"]
    done = run("trend", "--scenario", "reconnect", "--", *program)
    assert done.returncode == 1
    assert "did not come back after its connection broke, but ended with exit code 0" in done.stdout
    assert "program: closing frame: None" in done.stdout


def test_on_a_terminal_it_is_shown_what_is_being_played() -> None:
    program = [sys.executable, str(BOTS / "good.py"), "{host}", "{port}", "{pid}"]
    command = [*CHECK, "huawei", "--scenario", "heads-up", "--scenario", "run-out", "--", *program]
    screen, terminal = pty.openpty()
    with subprocess.Popen(command, stdout=terminal, env=os.environ | {"TERM": "xterm"}) as process:
        os.close(terminal)
        shown = b""
        with contextlib.suppress(OSError):  # so a terminal says that nobody writes any more
            while piece := os.read(screen, 65536):
                shown += piece
        os.close(screen)
    assert process.returncode == 0
    assert b"playing heads-up, run-out" in shown
    assert shown.index(b"heads-up: ") < shown.index(b"run-out: ")
