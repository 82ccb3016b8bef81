"""`croupier check` on the command line."""

import contextlib
import os
import pty
import socket
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = [sys.executable, "-m", "croupier", "check"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*CHECK, *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["hauwei", "--", "true"], "did you mean 'huawei'?"),
        (["huawei", "--scenario", "heads_up", "--", "true"], "did you mean 'heads-up'?"),
        (["kuhn", "--scenario", "reload", "--", "true"], "unknown scenario"),
        (["huawei", "--", "./nowhere/bot"], "there is no program"),
        (["huawei", "--", "bot", "{hots}"], "only {host}, {port}, {pid} and {name}"),
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


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("huawei", "--port", port, "--", "true")
    assert done.returncode == 2
    assert done.stderr == f"Error: cannot listen on port {port}: Address already in use\n"


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
    only = ["--scenario", "heads-up", "--scenario", "run-out"]
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
