"""A contest of programs and connected teams in several dialects, some of which misbehave."""

import shlex
import sys
from pathlib import Path

from tests.support.contests import (
    CUP,
    ContestFolder,
    connecting,
    ended,
    ports,
    program,
    stage,
)
from tests.support.processes import Program

BADBOTS = Path(__file__).parents[1] / "badbots"
PYTHON = shlex.quote(sys.executable)


def bad(name: str) -> str:
    # In its box a program sees the files that its command names, and no others beside them.
    path, module = (shlex.quote(str(BADBOTS / f"{file}.py")) for file in (name, "player"))
    words = f"{path} {{host}} {{port}} {{pid}} {{key}}"
    return program(name, f"env IMPORTS={module} {PYTHON} {words}")


def joining(name: str, dialect: str) -> str:
    command = (
        f"{PYTHON} -m croupier join {dialect}://{{host}}:{{port}} --bot CallAgent --name {{key}}"
    )
    return program(name, command, dialect)


TEXT = (
    CUP
    # Those who are there must not be late on a busy machine; those who are not cost this long.
    + "arrive_s = 12\nprogram_arrive_s = 12\nset = { decision_ms = 1500, max_timeouts = 2 }\n"
    + connecting("Hua", "huawei")
    + connecting("Tre", "trend")
    + connecting("never comes", "room")
    + joining("by room", "room")
    + joining("by trend", "trend")
    + bad("good")
    + bad("quits")
    + bad("silent")
    + bad("garbage")
    + bad("never_reads")
    + program("never connects", "sleep 600")
    + program("no such program", "./no-such-program {port}")
    + '\n[[team]]\nname = "house"\nbot = "RuleAgent"\n'
    + stage("swiss", 4, "rounds = 2")
)


def test_a_contest_goes_through_whatever_its_programs_do(tmp_path: Path) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    keys = {row["team"]: row["key"] for row in contest.json("keys")}
    run = contest.start("--workers", "2")
    assert run.stderr is not None
    found = ports(run.stderr, 3)
    teams = []
    for name, dialect in (("Hua", "huawei"), ("Tre", "trend")):
        address = f"{dialect}://127.0.0.1:{found[dialect]}"
        options = ("--bot", "RuleAgent", "--name", keys[name], "--games", "100", "--retry", "0")
        teams.append(Program("croupier", "join", address, *options))
    code, output, errors = ended(run)
    for team in teams:
        team.kill()  # it goes on asking for its next match
        ended(team)
    assert code == 0, errors
    (standing,) = (one["standings"] for one in contest.json("standings")["stages"])
    forfeits = {line["team"]: line["forfeits"] for line in standing}
    assert len(forfeits) == 13
    for absent in ("never comes", "never connects", "no such program"):
        assert forfeits[absent] > 0
    for present in ("good", "by room", "by trend", "house", "Hua", "Tre"):
        assert forfeits[present] == 0, contest.done("teams")
    assert forfeits["quits"] > 0, contest.done("teams")
    verified = contest.done("verify")
    assert "is verified" in verified
    assert "luck       ok" in verified, "there are programs, so it is taken out"
    assert not any(key in errors + output for key in keys.values())
