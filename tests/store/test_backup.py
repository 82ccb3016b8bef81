"""A backup is what the store was at one moment, and private."""

import stat
from pathlib import Path

import pytest
from sqlalchemy import func, select

from croupier.rules.events import HandEnded
from croupier.store.kinds import StoreError
from croupier.store.records import HandRecord
from croupier.store.schema import HANDS, open_store
from croupier.store.soundness import find_damage
from croupier.store.sqlite import Sqlite
from croupier.store.writer import Writer


def test_a_store_that_is_being_written_is_copied_whole(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "store.db"))
    reader = open_store(str(tmp_path / "store.db"))
    acknowledged: list[int] = []
    writer = Writer(engine, lambda call: call())
    sizes = []
    for number in range(300):
        record = HandRecord("m", number, 0.0, [HandEnded((number,) * 500)], b"{}")
        writer.write(record, lambda number=number: acknowledged.append(number))  # type: ignore[misc]
        if number % 100 == 99:
            before = len(acknowledged)
            copy = tmp_path / f"copy{number}.db"
            Sqlite().back_up(reader, copy)
            copied = open_store(str(copy), create=False)
            assert find_damage(copied) == []
            with copied.connect() as connection:
                numbers = connection.execute(select(HANDS.c.number)).scalars().all()
                count = connection.execute(select(func.count()).select_from(HANDS)).scalar_one()
            assert sorted(numbers) == list(range(count)), "nothing is missing in between"
            assert count >= before, "what was acknowledged is in the copy"
            sizes.append(count)
            copied.dispose()
    writer.close()
    reader.dispose()
    engine.dispose()
    assert sizes == sorted(sizes)


def test_a_backup_is_one_private_file_and_replaces_none(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "store.db"))
    folder = tmp_path / "backups"
    folder.mkdir()
    Sqlite().back_up(engine, folder / "copy.db")
    assert [path.name for path in folder.iterdir()] == ["copy.db"]
    assert stat.S_IMODE((folder / "copy.db").stat().st_mode) == 0o600
    with pytest.raises(StoreError, match="exists already"):
        Sqlite().back_up(engine, folder / "copy.db")
    with pytest.raises(StoreError, match="cannot write"):
        Sqlite().back_up(engine, folder / "missing" / "copy.db")
    assert [path.name for path in folder.iterdir()] == ["copy.db"]
    engine.dispose()
