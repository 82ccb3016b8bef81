"""A damaged store is refused before anything is played."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from croupier.rules.sets import PLAIN
from croupier.store import sqlite
from croupier.store.kinds import StoreError
from croupier.store.schema import open_store
from croupier.store.soundness import check_sound, find_damage
from tests.store.recorded import record_match

PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    record_match(path, PLAIN.with_fields({"hands": 600}), ["RandomAgent", "CallAgent"], "x")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def overwrite(path: Path, beginning: int, end: int) -> None:
    data = bytearray(path.read_bytes())
    data[beginning:end] = b"\xa5" * len(data[beginning:end])
    path.write_bytes(data)


def check(path: Path) -> None:
    engine = open_store(str(path))
    try:
        check_sound(engine)
    finally:
        engine.dispose()


def test_a_sound_store_is_accepted(path: Path) -> None:
    check(path)


def test_pages_that_were_overwritten_are_found(path: Path) -> None:
    size = path.stat().st_size
    overwrite(path, size // 2, size - PAGE)
    with pytest.raises(StoreError, match="croupier store check"):
        check(path)


@pytest.mark.parametrize("end", [20, 100, PAGE])
def test_a_damaged_beginning_is_refused(path: Path, end: int) -> None:
    overwrite(path, 0, end)
    with pytest.raises(StoreError, match=r"store\.db"):
        check(path)


def test_a_table_that_is_missing_is_found_in_a_store_of_any_size(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "SMALL", 0)
    check(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE hands")
    with pytest.raises(StoreError, match="no such table: hands"):
        check(path)


def test_all_damage_is_listed(path: Path) -> None:
    size = path.stat().st_size
    overwrite(path, size // 2, size - PAGE)
    engine = open_store(str(path))
    assert find_damage(engine)
    engine.dispose()
