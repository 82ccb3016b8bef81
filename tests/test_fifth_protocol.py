"""A protocol that the house has never heard of is played everywhere, without a line elsewhere."""

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

from croupier.dialects.registry import DIALECTS, PEOPLE
from tests.support.toy import NAME

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "croupier"
CROUPIER = [sys.executable, "-m", "tests.support.toy"]
PATIENCE = 60
JOIN = (*CROUPIER, "join", "--bot", "CallAgent", "--quiet")


class Server:
    """A server in a process of its own, which prints where it listens."""

    def __init__(self, *arguments: str, cwd: Path) -> None:
        self.process = subprocess.Popen(
            [*CROUPIER, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=cwd,
            env=environment(),
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(rf"{NAME} +127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                return
        raise AssertionError("it ended without listening")

    def output(self) -> str:
        """Return what it prints until it ends."""
        return self.process.communicate(timeout=PATIENCE)[0]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


def join(port: int, name: str) -> subprocess.CompletedProcess[str]:
    address = f"{NAME}://127.0.0.1:{port}"
    return subprocess.run(
        [*JOIN, address, "--name", name, "--json"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=ROOT,
    )


def play(port: int) -> list[subprocess.CompletedProcess[str]]:
    done: list[subprocess.CompletedProcess[str]] = []
    threads = [
        threading.Thread(target=lambda name=name: done.append(join(port, name)))
        for name in ("ann", "bob")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def test_it_is_hosted_and_joined(tmp_path: Path) -> None:
    listen = f"{NAME}:0"
    server = Server(
        *("host", "--rules", "plain", "--seats", "3", "--bot", "RuleAgent", "--hands", "20"),
        *("--listen", listen, "--once", "--json", "--store", "croupier.db"),
        cwd=tmp_path,
    )
    for joined in play(server.port):
        assert joined.returncode == 0, joined.stderr
        assert json.loads(joined.stdout)["hands"] == 20
    result = json.loads(server.output().splitlines()[-1])
    assert sorted(seat["dialect"] for seat in result["seats"]) == ["house", NAME, NAME]
    assert not any(seat["timeouts"] or seat["faults"] for seat in result["seats"])
    verified = subprocess.run(
        [*CROUPIER, "verify", "last", "--store", "croupier.db"],
        capture_output=True,
        cwd=tmp_path,
        env=environment(),
    )
    assert verified.returncode == 0


def test_it_is_served_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "arena.toml").write_text(
        f"""
        [[listen]]
        dialect = "{NAME}"
        port = 0
        [[table]]
        name = "main"
        seats = 2
        set = {{ hands = 5 }}
        dialects = ["{NAME}"]
        wait_s = 0
        repeat = false
        """,
        "utf-8",
    )
    server = Server("serve", "arena.toml", "--web", "-1", cwd=tmp_path)
    try:
        for joined in play(server.port):
            assert joined.returncode == 0, joined.stderr
            assert json.loads(joined.stdout)["hands"] == 5
    finally:
        server.process.terminate()
        server.output()


def test_a_program_of_it_is_checked() -> None:
    program = [*JOIN, f"{NAME}://{{host}}:{{port}}", "--name", "{name}"]
    done = subprocess.run(
        [*CROUPIER, "check", NAME, "--json", "--", *program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = json.loads(done.stdout)
    assert [verdict["scenario"] for verdict in verdicts] == ["heads-up", "pieces", "server-gone"]


# Names of dialects.

AT_HOME = re.compile(
    r"dialects/(huawei|trend|room|kuhn|acpc|browser)/|dialects/registry\.py|rules/(sets|rules|terms)\.py"
)
EXAMPLES = {
    "server/arena/example.py",
    "running/contest_example.py",
    "cli/demo.py",
    "cli/new_bot.py",
}
"""What users are shown: an arena's file, a contest's file, a demonstration, a first bot."""
JSON_FIELDS = {"web/http/schemas.py", "web/http/tools.py", "web/static/js/tools.js"}
"""The API promises fields with these names."""
GAMES = {"bots/__init__.py", "contest/frozen.py"}
"""Kuhn poker is a game besides, and a rule set."""

NAMES = "|".join((*DIALECTS, PEOPLE.name))
NAMED = re.compile(
    rf"\b(huawei|trend)\b"  # no words of English that anybody needs here
    rf"|[\"'`]({NAMES})[\"'`]"
    rf"|\b({NAMES})://"
    rf"|croupier\.dialects\.({NAMES})\b",
    re.IGNORECASE,
)


def sources() -> list[str]:
    found = [path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*") if path.is_file()]
    return sorted(name for name in found if name.endswith((".py", ".js", ".html", ".css")))


def test_no_dialect_is_named_outside_its_own_package() -> None:
    allowed = EXAMPLES | JSON_FIELDS | GAMES
    found = [
        f"{name}: {line.strip()}"
        for name in sources()
        if not AT_HOME.match(name) and name not in allowed
        for line in (SOURCES / name).read_text("utf-8").splitlines()
        if NAMED.search(line)
    ]
    assert found == []
