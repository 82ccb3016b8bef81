"""The process of the site: how it starts, what it refuses, when it ends."""

import contextlib
import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from croupier.rules.sets import KUHN
from croupier.store.schema import open_store
from tests.store.recorded import record_match
from tests.support.processes import run
from tests.web.siting import SECONDS, SiteProcess


def test_it_ends_when_its_referee_is_gone() -> None:
    site = SiteProcess(None, feed=True)
    assert site.get("/status")["tables"] == []
    assert site.close() == 0


def test_it_ends_when_told_to() -> None:
    site = SiteProcess(None)
    assert site.close() == 0


def test_ctrl_c_is_left_to_the_referee() -> None:
    with SiteProcess(None, feed=True) as site:
        site.process.send_signal(signal.SIGINT)
        assert site.get("/status")["audience"] == "showdown"


@pytest.mark.parametrize(
    "piece",
    [
        b"",
        b"GET /api/v1/status HT",
        b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na",
    ],
)
def test_a_request_that_does_not_arrive_in_time_ends_its_connection_and_no_other(
    piece: bytes, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with SiteProcess(None, errors=log, request_s=0.2) as site:
        host, port = site.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=SECONDS) as slow:
            slow.sendall(piece)
            with contextlib.suppress(ConnectionError):
                while slow.recv(1 << 16):
                    pass
        assert site.get("/status")["tables"] == []
    assert log.read_text().count("no request within 0.2 s") == 1


def test_connections_without_a_request_lock_nobody_out(tmp_path: Path) -> None:
    files = 256
    script = (
        f"ulimit -n {files}; exec {sys.executable} -m croupier web --port 0 --store {tmp_path}/x.db"
    )
    open_store(str(tmp_path / "x.db")).dispose()
    process = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with contextlib.ExitStack() as stack:
        stack.callback(process.communicate, timeout=SECONDS)
        stack.callback(process.terminate)
        line = process.stdout.readline()
        url = line.removeprefix("web: ").strip().rstrip("/")
        host, port = url.removeprefix("http://").split(":")
        for _ in range(2 * files):
            stack.enter_context(socket.create_connection((host, int(port)), timeout=SECONDS))
        assert httpx.get(f"{url}/api/v1/status", timeout=SECONDS).status_code == 200


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nonsense", "settings are invalid"),
        ({"port": "x"}, "settings are invalid"),
        ({"unknown": 1}, "settings are invalid"),
        ({"audience": "everyone"}, "audience"),
        ({"store": "/nowhere/at/all.db", "port": 0}, "cannot use the store"),
        ({"bind": "192.0.2.1", "port": 0}, "cannot listen"),
    ],
)
def test_what_it_cannot_run_with_is_one_line(given: Any, said: str) -> None:
    line = given if isinstance(given, str) else json.dumps(given)
    done = run("croupier.web", said=line + "\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("web: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_a_line_that_is_not_understood_ends_it_with_an_error() -> None:
    site = SiteProcess(None, feed=True)
    site.tell({"kind": "nothing that we know"})
    assert site.process.wait(SECONDS) == 1
    site.close()


def test_the_command_shows_a_store_without_a_feed(tmp_path: Path) -> None:
    record_match(tmp_path / "c.db", KUHN, ["RandomAgent", "RuleAgent"], "c", match_id="k")
    command = [sys.executable, "-m", "croupier", "web", "--store", str(tmp_path / "c.db")]
    process = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline().startswith(b"web: http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--store", "nowhere.db"], "there is no store nowhere.db"),
        (["--store", "nowhere.db", "--audience", "x"], "what the audience sees"),
        (["--store", "nowhere.db", "--admin-token", "elevenchars"], "at least 12 characters"),
    ],
)
def test_the_command_says_what_is_wrong(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["web", *arguments])
    assert result.exit_code == 2
    assert said in result.output
    assert "elevenchars" not in result.output
