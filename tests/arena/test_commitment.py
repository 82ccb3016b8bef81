"""A table is bound to its seed before anybody has come, and nobody can choose what it deals."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier import run
from croupier.bots import CallAgent
from croupier.client.result import Result
from croupier.commitments import deal_seed
from croupier.store.schema import open_store
from croupier.store.verify import Report, Verifier
from tests.arena.arenas import ArenaProcess, names
from tests.support.hosting import Player

TEXT = '[[table]]\nname = "open"\nseats = 3\nminimum = 3\nset = { hands = 1 }\n'
WITH_BEACON = """
[[table]]
name = "final"
seats = 3
bots = ["CallAgent"]
fill = ["CallAgent"]
set = { hands = 2 }
beacon = "lottery of 5 June"
"""
NONCES = ("ada-4711", "bob+0815", "{cid}")


def test_coming_and_going_before_the_start_does_not_change_the_commitment(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, TEXT) as arena:
        first = arena.table("open")
        assert len(first["commitment"]) == 64
        assert f"seed commitment {first['commitment']}, opening 1" in "".join(arena.lines)
        for pid in (1, 2):
            with Player(arena.ports["huawei"], f"{pid} a"):
                arena.wait_until(lambda row: len(row["players"]) == 1, "open")
            row = arena.wait_until(lambda row: names(row) == [], "open")
            assert row["match"] != first["match"]
            assert row["commitment"] == first["commitment"]
        assert first["commitment"] in arena.tell("tables")
        players = [Player(arena.ports["huawei"], f"{pid} a") for pid in (1, 2, 3)]
        players[0].until(b"seat/")
        assert arena.table("open")["commitment"] == first["commitment"]
        for player in players:
            player.close()


# A match with nonces, in every protocol with room for them.


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, list[Result]]:
    """Play a match with three nonces; return its store, the commitment and what players heard."""
    folder = tmp_path_factory.mktemp("nonces")
    with ArenaProcess(folder, TEXT + "repeat = false\n") as arena, ThreadPoolExecutor() as pool:
        promised = arena.table("open")["commitment"]
        games = []
        for number, (dialect, nonce) in enumerate(
            zip(("trend", "room", "huawei"), NONCES, strict=True), 1
        ):
            url = f"{dialect}://127.0.0.1:{arena.ports[dialect]}"
            url += {"room": "/open?seats=3"}.get(dialect, "")
            games.append(pool.submit(run, CallAgent(), url, nonce=nonce, rules="plain"))
            if number < 3:
                arena.wait_until(lambda row, n=number: len(row["players"]) == n, "open")  # type: ignore[misc]
        results = [game.result() for game in games]
        arena.wait_until(lambda row: bool(row["state"] == "over"), "open")
        return arena.store, promised, results


def test_who_gives_a_nonce_is_told_the_commitment_in_every_protocol(
    played: tuple[Path, str, list[Result]],
) -> None:
    _, promised, results = played
    assert [result.commitment for result in results] == [promised] * 3
    assert [result.hands for result in results] == [1] * 3


def test_the_nonces_enter_the_deals_in_the_order_of_joining(
    played: tuple[Path, str, list[Result]],
) -> None:
    store, promised, _ = played
    with closing(sqlite3.connect(store)) as connection:
        ((seed, text, scheme, opening),) = connection.execute(
            "SELECT seed, result, scheme, opening FROM matches"
        ).fetchall()
    result = json.loads(text)
    assert result["nonces"] == list(NONCES)
    assert result["deal_seed"] == deal_seed(seed, NONCES).hex()
    assert (result["seed_sha256"], scheme, opening) == (promised, 2, 1)
    report = verified(store, promised)
    assert report.ok, [check for check in report.checks if not check.ok]
    assert [check.name for check in report.checks if not check.skipped][:2] == [
        "commitment",
        "opening",
    ]


def verified(store: Path, noted: str = "") -> Report:
    engine = open_store(str(store))
    try:
        with engine.connect() as connection:
            (match,) = connection.exec_driver_sql("SELECT id FROM matches").one()
        verifier = Verifier(engine, match, noted)
        list(verifier.run())
        return verifier.report
    finally:
        engine.dispose()


def failed(report: Report) -> list[str]:
    return [check.name for check in report.checks if not check.ok]


CHANGES = {
    "a nonce": ("UPDATE matches SET players = replace(players, 'ada-4711', 'ada-4712')", "deals"),
    "no nonces": ("UPDATE matches SET players = replace(players, '\"nonce\"', '\"x\"')", "deals"),
    "a beacon": ("UPDATE matches SET beacon = '42'", "commitment"),
    "an announcement": ("UPDATE matches SET announced = 'x', beacon = 'y'", "commitment"),
    "the scheme": ("UPDATE matches SET scheme = 1", "deals"),
    "an unknown scheme": ("UPDATE matches SET scheme = 3", "commitment"),
    "the seed": ("UPDATE matches SET seed = zeroblob(32)", "commitment"),
    "the salt": ("UPDATE matches SET salt = zeroblob(32)", "commitment"),
    "the commitment": ("UPDATE matches SET commitment = hex(zeroblob(32))", "opening"),
    "which opening": ("UPDATE matches SET opening = 2", "opening"),
    "the opening's seed": ("UPDATE openings SET seed = zeroblob(32)", "opening"),
    "the opening's salt": ("UPDATE openings SET salt = 7", "opening"),
    "the opening's time": ("UPDATE openings SET at = at + 1", "opening"),
    "a time that is none": ("UPDATE openings SET at = 'noon'", "opening"),
    "the opening's digest": ("UPDATE openings SET digest = ''", "opening"),
    "the opening's number": ("UPDATE openings SET number = 2", "opening"),
    "the one before": ("UPDATE openings SET previous = 'x'", "opening"),
    "the opening's commitment": ("UPDATE openings SET commitment = 'x'", "opening"),
    "the opening's beacon": ("UPDATE openings SET announced = 'x'", "opening"),
    "no opening": ("DELETE FROM openings", "opening"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_in_the_record_is_found(
    change: str, played: tuple[Path, str, list[Result]], tmp_path: Path
) -> None:
    statement, check = CHANGES[change]
    copy = copied(played[0], tmp_path, statement)
    report = verified(copy)
    assert check in failed(report)


def copied(store: Path, folder: Path, statement: str) -> Path:
    copy = folder / "copy.db"
    with closing(sqlite3.connect(store)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        with target:
            target.execute("PRAGMA foreign_keys = OFF")
            assert target.execute(statement).rowcount == 1
    return copy


def test_a_consistent_record_of_another_seed_is_found_by_who_noted_the_commitment(
    played: tuple[Path, str, list[Result]], tmp_path: Path
) -> None:
    store, promised, _ = played
    assert verified(store, promised).ok
    report = verified(store, "0" * 64)
    assert failed(report) == ["commitment"]
    (problem,) = report.checks[0].problems
    assert problem == f"noted was {'0' * 64}, the match has {promised}"


# Beacons, crashes and reopenings.


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


def openings(arena: ArenaProcess) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(arena.tell("openings", "--json"))
    return rows


def test_a_table_with_a_beacon_starts_with_its_value_alone_and_deals_from_it(folder: Path) -> None:
    with ArenaProcess(folder, WITH_BEACON) as arena:
        before = arena.table("final")
        assert before["announced"] == "lottery of 5 June"
        assert "beacon: lottery of 5 June" in "".join(arena.lines)
        assert "has announced a beacon (lottery of 5 June); give its value" in arena.refused(
            "start", "final"
        )
        assert "printable" in arena.refused("start", "final", "--beacon", "a\nb")
        assert arena.tell("start", "final", "--beacon", "3 9 12") == "final starts with 2 players"
        arena.wait_for("^match .* over")
        report = arena.tell("verify", "last", "--commitment", before["commitment"].upper())
        assert "beacon announced: lottery of 5 June; its value: 3 9 12" in report
        assert "noted beforehand" in report
        assert "used for match" in arena.refused("start", "final")
        assert "is not open" in arena.refused("start", "final", "--beacon", "3 9 12")
        (row,) = openings(arena)
        assert (row["announced"], row["commitment"]) == (before["announced"], before["commitment"])
        result = json.loads(arena.tell("results", "last", "--format", "json"))
        seed = bytes.fromhex(result["seed"])
        assert result["deal_seed"] == deal_seed(seed, (), "3 9 12").hex()


def test_a_crash_before_the_start_and_a_restart_keep_the_opening(folder: Path) -> None:
    with ArenaProcess(folder, TEXT + "repeat = false\n") as arena:
        before = arena.table("open")
        with Player(arena.ports["huawei"], "1 a"):
            arena.wait_until(lambda row: len(row["players"]) == 1, "open")
            arena.kill()
    with ArenaProcess(folder) as arena:
        assert arena.table("open")["commitment"] == before["commitment"]
        arena.tell("end", "open")
        arena.tell("start", "open")
        row = arena.wait_until(lambda row: bool(row["state"] == "seating"), "open")
        assert (row["commitment"], row["opening"]) == (before["commitment"], 1)
        people = [Player(arena.ports["huawei"], f"{pid} a") for pid in (1, 2, 3)]
        people[0].until(b"seat/")
        arena.kill()  # the match has begun, and keeps its opening
        for player in people:
            player.close()
    with ArenaProcess(folder) as arena:
        row = arena.table("open")
        assert (row["commitment"], row["opening"]) == (before["commitment"], 1)
        arena.tell("end", "open")
        arena.wait_for("^match .* (over|ended)")
        arena.tell("start", "open")
        row = arena.wait_until(lambda row: bool(row["state"] == "seating"), "open")
        assert row["opening"] == 2
        assert row["commitment"] != before["commitment"]
        first, second = openings(arena)
        assert first["match"] != row["match"]
        assert second["match"] is None
        assert second["previous"] == first["digest"]
        assert first["commitment"] == before["commitment"]
        assert first["commitment"] in arena.tell("openings", "open")
        assert "no opening of a table" in arena.refused("openings", "closed")
        noted = arena.croupier("verify", "last", "--commitment", second["commitment"])
        assert noted.exit_code == 1
        assert "that one was opening 2 of this table" in noted.output
    with closing(sqlite3.connect(folder / "croupier.db")) as connection, connection:
        connection.execute("DELETE FROM openings WHERE number = 1")
    changed = arena.croupier("openings")
    assert changed.exit_code == 1
    assert "open: opening 1 is missing" in changed.stderr
