"""A contest that is being played: signals, acts, times to start and to stop, exit codes."""

import signal
import sqlite3
import time
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.support.contests import (
    CUP,
    ContestFolder,
    Gate,
    Passing,
    ended,
    house_teams,
    stage,
    team,
)
from tests.support.hosting import wait_for_end
from tests.support.processes import Program, croupier

TEXT = (
    CUP
    + "set = { decision_ms = 60000 }\n"
    + team("Ada", "gated.py:Gated")
    + team("Bob", "RuleAgent")
    + team("Cid", "CallAgent")
    + stage("round-robin", 5, 'deals = "single"\nadvance = 2')
    + stage("knockout", 5)
)

HOUSE = CUP + house_teams(3) + stage("round-robin", 5, "advance = 2") + stage("knockout", 5)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the digest of the contest if nobody does anything."""
    folder = tmp_path_factory.mktemp("undisturbed")
    Gate(folder).close()
    contest = ContestFolder(folder, TEXT)
    code, _, errors = contest.run("--workers", "2")
    assert code == 0, errors
    return contest.digest


def line_with(program: Program, text: str) -> None:
    """Read what a program reports up to a line."""
    assert program.stderr is not None
    for line in program.stderr:
        if text in line:
            return
    raise AssertionError(f"it never said {text!r}")


def playing(gate: Gate) -> Passing:
    """Let bots go on until one is in the middle of a match, and hold it there."""
    while (passing := gate.next()).word != "plays":
        passing.go()
    return passing


def test_the_first_ctrl_c_finishes_what_is_running_and_the_next_run_goes_on(
    tmp_path: Path, undisturbed: str
) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    with Gate(tmp_path) as gate:
        program = contest.start("--workers", "1")
        passing = playing(gate)
        before = len(contest.results())
        program.send_signal(signal.SIGINT)
        line_with(program, "finishing 1 running")
        gate.close()
        passing.go()
        code, output, errors = ended(program)
    assert code == 130
    assert "round-robin" in output
    assert "digest " in output
    assert f"croupier contest run {contest.file}" in errors
    assert len(contest.results()) == before + 1
    code, _, errors = contest.run()
    assert code == 0, errors
    assert contest.digest == undisturbed


def test_a_second_ctrl_c_breaks_off_what_is_running_and_it_is_played_again(
    tmp_path: Path, undisturbed: str
) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    with Gate(tmp_path) as gate:
        program = contest.start("--workers", "1")
        passing = playing(gate)
        before = len(contest.results())
        program.send_signal(signal.SIGINT)
        line_with(program, "finishing 1 running")
        program.send_signal(signal.SIGINT)
        code, output, errors = ended(program)
        gate.close()
        passing.go()
    assert code == 130
    assert "digest " in output
    assert f"croupier contest run {contest.file}" in errors
    assert len(contest.results()) == before
    for pid in (passing.worker, passing.child):
        wait_for_end(pid)
    assert contest.breaks() == {}, "nothing broke: it was broken off"
    code, _, errors = contest.run()
    assert code == 0, errors
    assert contest.digest == undisturbed
    assert len(contest.records()) == len(contest.results())


def test_a_pause_lets_the_running_match_finish_and_a_resumption_goes_on(
    tmp_path: Path, undisturbed: str
) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    with Gate(tmp_path) as gate:
        program = contest.start("--workers", "1")
        passing = playing(gate)
        before = len(contest.results())
        contest.done("pause")
        line_with(program, "paused")
        paused = time.time()
        gate.close()
        passing.go()
        while len(contest.results()) == before:
            assert program.poll() is None
        resumed = time.time()
        contest.done("resume")
        code, _, errors = ended(program)
    assert code == 0, errors
    assert contest.digest == undisturbed
    with closing(sqlite3.connect(contest.store)) as store:
        meanwhile = store.execute(
            "SELECT count(*) FROM matches WHERE began > ? AND began < ?", (paused, resumed)
        ).fetchone()
    assert meanwhile == (0,)


@pytest.mark.parametrize("act", ["withdraw", "disqualify"])
def test_what_a_team_was_playing_when_it_was_taken_out_does_not_count_and_it_is_not_called_again(
    tmp_path: Path, act: str
) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    with Gate(tmp_path) as gate:
        program = contest.start("--workers", "1")
        passing = playing(gate)
        contest.done(act, "Ada", "--why", "it is enough")
        gate.close()
        passing.go()
        code, _, errors = ended(program)
    assert code == 0, errors
    assert not any(result.of("Ada") for result in contest.results().values())
    assert len(contest.records()) == len(contest.results())
    first = contest.json("standings")["stages"][0]["standings"]
    assert ("Ada" in {line["team"] for line in first}) == (act == "withdraw")
    assert "is verified" in contest.done("verify")


def test_a_new_version_plays_from_the_next_match_on(tmp_path: Path) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    with Gate(tmp_path) as gate:
        program = contest.start("--workers", "1")
        passing = playing(gate)
        contest.done("replace", "Ada", "--bot", "CallAgent")
        gate.close()
        passing.go()
        code, _, errors = ended(program)
    assert code == 0, errors
    assert "is verified" in contest.done("verify")
    code, _, errors = contest.run()
    assert code == 0, "the file may still name the old version"


def test_what_is_forfeited_while_it_is_played_stays_forfeited(tmp_path: Path) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    with Gate(tmp_path) as gate:
        program = contest.start("--workers", "1")
        passing = playing(gate)
        (due,) = [row for row in contest.json("fixtures") if "Ada" in row["teams"]][:1]
        contest.done("forfeit", f"round-robin/{due['fixture']}", "Ada", "--why", "asked to")
        gate.close()
        passing.go()
        code, _, errors = ended(program)
    assert code == 0, errors
    seat = contest.results()[due["matches"][0]].of("Ada")
    assert seat is not None
    assert (seat.forfeit, seat.chips) == ("asked to", -10_000)
    assert "is verified" in contest.done("verify")


def test_a_second_run_on_the_same_store_is_refused(tmp_path: Path) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    with Gate(tmp_path) as gate:
        program = contest.start("--workers", "1")
        passing = playing(gate)
        code, _, errors = contest.run()
        assert code == 2
        assert f"the store {contest.store} is in use by another" in errors
        assert "Traceback" not in errors
        gate.close()
        passing.go()
        assert ended(program)[0] == 0


def test_after_its_time_nothing_is_started(tmp_path: Path) -> None:
    contest = ContestFolder(tmp_path, HOUSE)
    code, _, errors = contest.run("--until", "2020-01-01T00:00")
    assert code == 4
    assert f"croupier contest run {contest.file}" in errors
    assert contest.results() == {}


def test_a_contest_can_be_stopped_after_a_stage(tmp_path: Path) -> None:
    contest = ContestFolder(tmp_path, HOUSE)
    code, _, errors = contest.run("--stage", "round-robin")
    assert code == 0, errors
    assert {name.split("/")[0] for name in contest.results()} == {"round-robin"}
    code, _, errors = contest.run()
    assert code == 0, errors
    assert contest.json("status")["complete"]


def test_a_stage_begins_at_its_time(tmp_path: Path) -> None:
    start = datetime.now().replace(microsecond=0) + timedelta(seconds=2)
    contest = ContestFolder(
        tmp_path, HOUSE.replace("advance = 2", f"advance = 2\nstart = {start.isoformat()}")
    )
    code, _, errors = contest.run()
    assert code == 0, errors
    with closing(sqlite3.connect(contest.store)) as store:
        ((began,),) = store.execute("SELECT min(began) FROM matches")
    assert began >= start.timestamp()


def test_a_contest_that_waits_for_its_time_can_be_stopped(tmp_path: Path) -> None:
    start = datetime.fromtimestamp(time.time() + 86400).replace(microsecond=0)
    contest = ContestFolder(
        tmp_path, HOUSE.replace("advance = 2", f"advance = 2\nstart = {start.isoformat()}")
    )
    program = contest.start()
    line_with(program, "commitment")
    program.send_signal(signal.SIGINT)
    assert ended(program)[0] == 130
    assert "waiting for" in contest.done("status")


def test_a_complete_contest_is_left_as_it_is(tmp_path: Path) -> None:
    contest = ContestFolder(tmp_path, HOUSE)
    contest.play()
    digest = contest.digest
    code, output, _ = contest.run()
    assert code == 0
    assert f"digest {digest}" in output


def test_processes_play_what_is_played_in_one(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    text = HOUSE.replace('seed = "7"', 'seed = "7"\nluck = true')
    one, two = (ContestFolder(tmp_path / name, text) for name in ("one", "two"))
    one.play()
    code, _, errors = two.run("--workers", "2")
    assert code == 0, errors
    assert one.records().keys() == two.records().keys()
    assert one.digest == two.digest
    assert one.json("standings") == two.json("standings"), "luck is part of results"


def test_the_help_of_run_names_every_exit_code() -> None:
    text = " ".join(croupier("contest", "run", "--help").stdout.split())
    for code in ("0", "1", "2", "3", "4", "130"):
        assert f" {code} " in text, code
