"""What a newcomer to contests stumbles over first."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.contest.keys import FIRST_PID
from croupier.cli.main import main
from croupier.contest.acts import WITHDRAW, Act
from croupier.contest.course import Course
from croupier.dialects.roster import FIRST_HOUSE_PID
from croupier.running.contest_reader import read_contest
from croupier.running.pool import WorkerProcess
from croupier.running.tasks import FIRST_PROGRAM_PID
from tests.support.certificates import tls_files
from tests.support.contests import CUP, stage
from tests.support.hosting import PATIENCE, Player

TEAMS = """
title = "First Cup"
[[team]]
name = "Ada"
bot = "CallAgent"
[[team]]
name = "Bob"
bot = "CallAgent"
"""
ROUND = """
[[stage]]
format = "round-robin"
"""


def test_matches_end_where_the_rules_name_no_number_of_hands() -> None:
    contest = read_contest(f'rules = "room"\n{TEAMS}{ROUND}')
    assert contest.plan.stages[0].rules.hands == 1000


def test_the_standings_say_who_was_withdrawn() -> None:
    plan = read_contest(TEAMS + ROUND).plan
    course = Course(plan, bytes(32), (), [Act(WITHDRAW, "Bob")])
    notes = {line.team: line.note for line in course.current.standing}
    assert notes == {"Ada": "", "Bob": "withdrawn"}
    assert {line.team: line.note for line in course.current.standing_by("points")} == notes


def test_another_order_of_the_standings_says_by_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("contest.toml").write_text(
        TEAMS + '[[team]]\nname = "Cid"\ndialect = "huawei"\n' + ROUND + "hands = 5\n"
    )
    assert CliRunner().invoke(main, ["contest", "keys"]).exit_code == 0
    shown = CliRunner().invoke(main, ["contest", "standings", "--by", "bankroll"]).output
    assert "by total chips" in shown
    assert "by bb/100" in CliRunner().invoke(main, ["contest", "standings"]).output


def test_a_worker_that_never_came_up_can_be_ended(tmp_path: Path) -> None:
    async def broken_off() -> None:
        worker = WorkerProcess(tmp_path)
        start = asyncio.ensure_future(worker._start())
        await asyncio.sleep(0)
        start.cancel()
        await asyncio.gather(start, return_exceptions=True)
        await worker.end()
        worker.kill()

    asyncio.run(broken_off())


def test_a_program_and_a_team_that_connects_have_numbers_of_their_own(tmp_path: Path) -> None:
    assert FIRST_PID < FIRST_PROGRAM_PID < FIRST_HOUSE_PID
    join = f"{sys.executable} -m croupier join huawei://{{host}}:{{port}}?pid={{pid}}"
    (tmp_path / "contest.toml").write_text(f"""
title = "Two"
[[team]]
name = "Started"
run = "{join} --bot CallAgent --name {{key}}"
dialect = "huawei"
[[team]]
name = "Own"
dialect = "huawei"
[[listen]]
dialect = "huawei"
port = 0
[[stage]]
format = "round-robin"
hands = 2
""")
    croupier = [sys.executable, "-m", "croupier", "contest"]
    drawn = subprocess.run(
        [*croupier, "keys", "contest.toml", "Own", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    (key,) = json.loads(drawn.stdout)
    run = subprocess.Popen(
        [*croupier, "run"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr is not None
    try:
        port = next(
            int(line.rpartition(":")[2]) for line in run.stderr if line.startswith("listening")
        )
        with Player(port, f"{key['pid']} {key['key']}") as player:
            while (message := player.next()) is not None and message != b"game-over \n":
                if message.startswith(b"inquire"):
                    player.send(b"fold \n")
        assert run.wait(PATIENCE) == 0
    finally:
        run.kill()
        run.wait()
        run.stderr.close()
    shown = subprocess.run(
        [*croupier, "standings", "--json"], cwd=tmp_path, capture_output=True, text=True
    )
    (stage,) = json.loads(shown.stdout)["stages"]
    assert [line["forfeits"] for line in stage["standings"]] == [0, 0]


def test_keys_say_which_listener_speaks_tls_and_what_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tls_files(tmp_path)
    tls = '{ cert = "cert.pem", key = "key.pem" }'
    text = CUP + f'[[listen]]\ndialect = "huawei"\nport = 6001\ntls = {tls}\n'
    for dialect in ("huawei", "trend"):
        text += f'\n[[team]]\nname = "{dialect}"\ndialect = "{dialect}"\n'
    text += stage("round-robin", 4)
    (tmp_path / "contest.toml").write_text(text)
    output = CliRunner().invoke(main, ["contest", "keys"]).output
    assert "huawei speaks TLS here" in output
    assert 'croupier join "huawei+tls://HOST:6001?pid=PID" --name KEY --bot BOT' in output
    assert "trend speaks TLS" not in output
    rows = json.loads(CliRunner().invoke(main, ["contest", "keys", "--renew", "--json"]).output)
    assert {row["team"]: row["tls"] for row in rows} == {"huawei": True, "trend": False}
