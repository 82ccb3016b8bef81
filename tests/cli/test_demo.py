"""The demonstration is what a newcomer sees first: a contest, and bots of every protocol."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pytest
from click.testing import CliRunner

from croupier.cli.demo import _invite
from croupier.cli.main import main
from croupier.dialects.registry import DIALECTS

PATIENCE = 60


def test_bots_of_every_protocol_play_and_none_has_to_be_started_again(tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-m", "croupier", "demo", "--web", "-1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
    )
    deadline = Timer(PATIENCE, os.killpg, (demo.pid, signal.SIGKILL))
    deadline.start()
    seen: list[str] = []
    waiting = set(DIALECTS)
    assert demo.stdout is not None
    try:
        for line in demo.stdout:
            seen.append(line)
            joined = re.search(r"event=joined .*dialect=(\w+)", line)
            if joined:
                waiting.discard(joined[1])
            if not waiting:
                break
        assert not waiting, "".join(seen)
        demo.send_signal(signal.SIGINT)
        seen += demo.stdout
        assert demo.wait(PATIENCE) == 0
    finally:
        deadline.cancel()
        demo.kill()
        demo.wait()
        demo.stdout.close()
    assert seen[0] == "playing a contest between house bots, the Demo Cup\n"
    assert re.fullmatch(r"\w+ has won it; the arena opens\n", seen[1])
    started = re.findall(r'event="program started" .* name=(\S+)', "".join(seen))
    assert len(started) == len(set(started)), "".join(seen)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_when_it_ends_during_the_contest(number: int, tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-m", "croupier", "demo", "--web", "-1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        start_new_session=True,
    )
    assert demo.stdout is not None
    try:
        assert "contest" in demo.stdout.readline()
        log = _worker_log(tmp_path)
        demo.send_signal(number)
        rest = demo.stdout.read()  # ends when no process has it open any more
        assert demo.wait(PATIENCE) == 0, rest
    finally:
        demo.kill()
        demo.wait()
        demo.stdout.close()
    assert "Traceback" not in rest
    assert not log.exists()
    assert list(tmp_path.glob("croupier-demo-*")) == []


def _worker_log(folder: Path) -> Path:
    """Return the file that the first worker of the contest writes to, once it is started."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for found in folder.glob("croupier-demo-*/output/workers.log"):
            return found
        time.sleep(0.01)
    raise AssertionError("no worker was started")


def test_a_port_that_is_taken_is_an_error(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["demo", "--web", str(port)])
    assert result.exit_code == 2
    assert f"port {port} is taken; choose another one with --web" in result.output


def test_the_address_of_the_website_is_printed_once_in_a_box(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _invite(8080)
    top, text, bottom = capsys.readouterr().out.splitlines()
    assert "http://127.0.0.1:8080/" in text
    assert len(top) == len(text) == len(bottom)
