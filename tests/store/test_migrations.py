"""Stores of older versions become present ones, and keep what they hold."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, text

from croupier.rules.sets import PLAIN, TREND
from croupier.store import migrations, openings, queries, registry, schema
from croupier.store.databases import url_of
from croupier.store.kinds import StoreError
from croupier.store.schema import open_store
from croupier.store.sqlite import UNDER_ALEMBIC, VERSIONS
from croupier.store.verify import Verifier
from tests.store.old_schemas import make_old
from tests.store.recorded import record_match
from tests.support import postgres
from tests.support.contests import CUP, ContestFolder, house_teams, stage

MATCH = ("m1", 1.5, None, "huawei", "plain", b"{}", "0.1.0", b"[]", b"s", b"t", "c", 1, None)
HANDS = [("m1", 1, 2.5, b"[]", b"{}"), ("m1", 2, 3.5, b"[1]", b"{1}")]

OPEN_MANY = """
import sys
from croupier.store.schema import open_store

print("ready", flush=True)
for path in sys.stdin:
    open_store(path.strip()).dispose()
    print("open", flush=True)
"""


def make_version_1(path: Path) -> None:
    make_old(path, 1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"INSERT INTO matches VALUES ({','.join('?' * 13)})", MATCH)
        connection.executemany("INSERT INTO hands VALUES (?, ?, ?, ?, ?)", HANDS)


def asked(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def shape(path: Path) -> dict[str, Any]:
    """Return the version, and the columns and unique indexes of every table."""
    found: dict[str, Any] = {"version": asked(path, "PRAGMA user_version")}
    for (table,) in asked(path, "SELECT name FROM sqlite_master WHERE type = 'table'"):
        columns = asked(path, f"PRAGMA table_info({table})")
        indexes = [
            (unique, origin, partial, asked(path, f"PRAGMA index_info({name})"))
            for _, name, unique, origin, partial in asked(path, f"PRAGMA index_list({table})")
        ]
        indexes.sort(key=str)
        found[table] = (columns, indexes)
    return found


def test_a_store_of_version_1_keeps_its_data_and_gets_the_registry(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    make_version_1(path)
    engine = open_store(str(path))
    try:
        registry.add(engine, "Ada", "1")
        assert [player.display for player in registry.all_players(engine)] == ["Ada"]
    finally:
        engine.dispose()
    assert asked(path, "SELECT * FROM matches") == [(*MATCH, 0, 0, 1, None, "", "", 0, "")]
    assert asked(path, "SELECT * FROM hands ORDER BY number") == [(*hand, None) for hand in HANDS]


@pytest.mark.parametrize("version", range(1, VERSIONS + 1))
def test_an_old_store_and_a_fresh_one_end_up_alike(tmp_path: Path, version: int) -> None:
    old, fresh = tmp_path / "old.db", tmp_path / "fresh.db"
    make_old(old, version)
    for path in (old, fresh):
        open_store(str(path)).dispose()
    assert shape(old) == shape(fresh)
    assert shape(fresh)["version"] == [(UNDER_ALEMBIC,)]
    assert set(shape(fresh)) == {"version", "alembic_version", *schema.METADATA.tables}


@pytest.mark.parametrize("version", range(1, VERSIONS + 1))
def test_the_migrations_make_what_older_versions_made(tmp_path: Path, version: int) -> None:
    by_hand, by_migration = tmp_path / "hand.db", tmp_path / "migration.db"
    make_old(by_hand, version)
    engine = create_engine(f"sqlite:///{by_migration}")
    with engine.begin() as connection:
        migrations.upgrade(connection, f"{version:04}")
    engine.dispose()
    made = shape(by_migration)
    del made["alembic_version"]
    assert made == shape(by_hand) | {"version": [(0,)]}


def test_the_newest_migration_is_the_revision_of_new_stores() -> None:
    scripts = ScriptDirectory.from_config(migrations.config_for())
    assert scripts.get_heads() == [schema.REVISION]


def test_a_revision_that_is_unknown_is_that_of_a_newer_program(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    open_store(str(path)).dispose()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'future'")
    with pytest.raises(StoreError, match="use a newer Croupier"):
        open_store(str(path))
    assert asked(path, "SELECT * FROM alembic_version") == [("future",)]


def test_a_match_of_version_1_is_read_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    bots = ["RandomAgent", "CallAgent"]
    recording = record_match(path, PLAIN.with_fields({"hands": 5}), bots, "old")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            "DROP TABLE registry; DROP TABLE audit; DROP TABLE contests;"
            "DROP TABLE contest_results;"
            "DROP TABLE contest_acts; DROP TABLE contest_fixtures; DROP TABLE contest_keys;"
            "DROP TABLE contest_requests;"
            "ALTER TABLE hands DROP COLUMN times;"
            "ALTER TABLE matches DROP COLUMN paused;"
            "DROP INDEX uncounted; DROP INDEX newest; ALTER TABLE matches DROP COLUMN counted;"
            "DROP TABLE stretches; DROP TABLE careers; DROP TABLE alembic_version;"
            "DROP TABLE openings; DROP INDEX of_place;"
            "ALTER TABLE matches DROP COLUMN scheme; ALTER TABLE matches DROP COLUMN opening;"
            "ALTER TABLE matches DROP COLUMN announced; ALTER TABLE matches DROP COLUMN beacon;"
            "ALTER TABLE matches DROP COLUMN twin;"
            "DROP TABLE participants; DROP TABLE arenas; DROP INDEX unfinished;"
            "ALTER TABLE matches DROP COLUMN arena;"
            "PRAGMA user_version = 1;"
        )
    engine = open_store(str(path), create=False)
    try:
        assert queries.match(engine, recording.id).hands == 5
        verifier = Verifier(engine, recording.id)
        assert list(verifier.run()) == [1, 2, 3, 4, 5]
        assert verifier.report.ok
    finally:
        engine.dispose()


def test_a_match_of_an_older_version_is_verified_by_the_rules_that_it_had(tmp_path: Path) -> None:
    """Before there was a choice, a big blind posted short asked for a whole one in `trend` too."""
    path = tmp_path / "old.db"
    rules = TREND.with_fields({"hands": 40, "stack": 100, "short_blind": "nominal"})
    recording = record_match(path, rules, ["RandomAgent", "CallAgent", "CallAgent"], "old")
    reports = {}
    for short_blind in ("", "posted"):
        with closing(sqlite3.connect(path)) as connection, connection:
            ((header,),) = connection.execute("SELECT rules FROM matches").fetchall()
            kept = json.loads(header)
            for newer in ("short_blind", "pace_ms", "ends_below_half"):
                kept.pop(newer, None)
            if short_blind:
                kept["short_blind"] = short_blind
            connection.execute("UPDATE matches SET rules = ?", [json.dumps(kept).encode()])
        engine = open_store(str(path), create=False)
        try:
            verifier = Verifier(engine, recording.id)
            list(verifier.run())
            reports[short_blind] = verifier.report.ok
        finally:
            engine.dispose()
    assert reports == {"": True, "posted": False}, "and the match shows the difference"


def test_opening_a_present_store_changes_no_byte_and_needs_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "present.db"
    open_store(str(path)).dispose()
    before = path.read_bytes()
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        open_store(str(path)).dispose()
        writer.rollback()
    assert path.read_bytes() == before


def test_migrations_that_fail_leave_the_store_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.db"
    make_version_1(path)
    whole = migrations.upgrade

    def fail(connection: Connection, revision: str, stamp: str = "") -> None:
        whole(connection, revision, stamp)
        connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    with monkeypatch.context() as patched:
        patched.setattr(migrations, "upgrade", fail)
        with pytest.raises(StoreError, match="no such table: nowhere"):
            open_store(str(path))
    tables = asked(path, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    assert tables == [("hands",), ("matches",)]
    assert asked(path, "PRAGMA user_version") == [(1,)]
    open_store(str(path)).dispose()
    assert asked(path, "PRAGMA user_version") == [(UNDER_ALEMBIC,)]


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE theirs (id INTEGER)")
    with pytest.raises(StoreError, match="something else"):
        open_store(str(path))
    assert asked(path, "SELECT name FROM sqlite_master") == [("theirs",)]


def test_programs_that_open_a_store_at_once_all_get_it(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.db" for number in range(20)]
    for path in paths[:10]:
        make_version_1(path)
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN_MANY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    lines = "".join(f"{path}\n" for path in paths)
    for program in programs:
        assert program.stdin is not None
        program.stdin.write(lines)
        program.stdin.flush()
    for program in programs:
        out, err = program.communicate()
        assert (out, err) == ("open\n" * len(paths), "")
    assert all(asked(path, "PRAGMA user_version") == [(UNDER_ALEMBIC,)] for path in paths)


@pytest.mark.parametrize("version", [1, 3, 5], ids=["0.1", "0.2", "before Alembic"])
def test_a_contest_is_played_in_a_store_of_any_older_version(tmp_path: Path, version: int) -> None:
    contest = ContestFolder(tmp_path, CUP + house_teams(2) + stage("round-robin", 2))
    make_old(Path(contest.store), version)
    contest.play()
    assert "is verified" in contest.done("verify")


def test_openings_from_before_there_were_arenas_belong_to_the_one_without_a_name(
    store: str,
) -> None:
    engine = create_engine(url_of(store))
    with engine.begin() as connection:
        migrations.upgrade(connection, "0008")
        connection.execute(
            text(
                "INSERT INTO openings (place, number, at, seed, salt, secret, announced,"
                " commitment, previous, digest)"
                " VALUES ('table a', 1, 2.0, '', '', 1, '', 'c', '', 'd')"
            )
        )
    engine.dispose()
    engine = open_store(store)
    (row,) = openings.chain(engine)
    assert (row.arena, row.table, row.number, row.commitment) == ("", "a", 1, "c")
    assert openings.last(engine, "table a") == row
    engine.dispose()


def test_the_migrations_make_the_same_tables_in_postgresql(
    postgres_server: postgres.Cluster,
) -> None:
    shapes = []
    for migrated in (True, False):
        store = postgres_server.fresh()
        if migrated:
            engine = create_engine(store)
            with engine.begin() as connection:
                migrations.upgrade(connection, schema.REVISION)
            engine.dispose()
        engine = open_store(store)
        found = inspect(engine)
        shapes.append(
            {
                table: (
                    [{**column, "type": str(column["type"])} for column in columns],
                    found.get_pk_constraint(table)["constrained_columns"],
                    sorted(found.get_indexes(table), key=str),
                )
                for table in found.get_table_names()
                for columns in [found.get_columns(table)]
            }
        )
        engine.dispose()
    assert shapes[0] == shapes[1]
    assert set(shapes[0]) == {"alembic_version", *schema.METADATA.tables}
