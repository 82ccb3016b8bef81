"""`croupier check` on the command line."""

import subprocess
import sys

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
