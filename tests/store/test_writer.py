"""The writer acknowledges what is stored, and nothing else."""

import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, func, select

from croupier.rules.events import HandEnded
from croupier.store.schema import HANDS, open_store
from croupier.store.writer import HandRecord, Writer

PATIENCE = 30


@pytest.fixture
def engine(tmp_path: Path) -> Any:
    engine = open_store(str(tmp_path / "store.db"))
    yield engine
    engine.dispose()


def record(number: int, size: int = 10) -> HandRecord:
    return HandRecord("m", number, 0.0, [HandEnded((number,) * size)], b"{}")


def stored(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(HANDS)).scalar_one()


def test_records_are_stored_in_order_and_acknowledged_after_it(engine: Engine) -> None:
    acknowledged: list[int] = []
    writer = Writer(engine, lambda call: call())
    for number in range(500):
        writer.write(record(number), lambda number=number: acknowledged.append(number))  # type: ignore[misc]
    writer.close()
    assert acknowledged == list(range(500))
    assert stored(engine) == 500


def test_many_records_share_a_commit(engine: Engine) -> None:
    commits = 0

    @event.listens_for(engine, "commit")
    def count(connection: object) -> None:
        nonlocal commits
        commits += 1

    blocked = threading.Event()
    writer = Writer(engine, lambda call: call())

    def hold() -> None:
        blocked.wait(PATIENCE)

    writer.write(record(0), hold)
    for number in range(1, 200):
        writer.write(record(number), lambda: None)
    blocked.set()
    writer.close()
    assert stored(engine) == 200
    assert commits < 20


def test_a_full_store_acknowledges_nothing_until_it_can_be_written_again(
    tmp_path: Path,
) -> None:
    engine = open_store(str(tmp_path / "small.db"))
    limit = [12]

    @event.listens_for(engine, "begin")
    def bound(connection: Any) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {limit[0]}")

    trouble: list[str] = []
    in_trouble = threading.Event()
    done = threading.Event()

    def on_trouble(reason: str) -> None:
        trouble.append(reason)
        in_trouble.set()

    acknowledged: list[int] = []
    writer = Writer(engine, lambda call: call(), on_trouble)
    writer.write(record(1, 100), lambda: acknowledged.append(1))
    writer.write(record(2, 100_000), lambda: acknowledged.append(2))
    writer.write(record(3), done.set)
    assert in_trouble.wait(PATIENCE)
    assert "full" in trouble[0]
    assert 2 not in acknowledged
    limit[0] = 100_000
    assert done.wait(PATIENCE)
    writer.close()
    assert acknowledged == [1, 2]
    assert trouble[-1] == ""
    assert stored(engine) == 3
    engine.dispose()


def test_closing_a_writer_in_trouble_ends_it(tmp_path: Path) -> None:
    engine = open_store(str(tmp_path / "gone.db"))
    in_trouble = threading.Event()
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE hands")
    writer = Writer(engine, lambda call: call(), lambda reason: in_trouble.set())
    acknowledged: list[int] = []
    writer.write(record(1), lambda: acknowledged.append(1))
    assert in_trouble.wait(PATIENCE)
    writer.close()
    assert acknowledged == []
    engine.dispose()


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_nothing_is_acknowledged_once_the_file_is_gone_and_play_goes_on_when_it_is_back(
    engine: Engine, tmp_path: Path, how: str
) -> None:
    path, aside = tmp_path / "store.db", tmp_path / "aside.db"
    troubles: list[str] = []
    acknowledged: list[int] = []
    changed = threading.Event()

    def trouble(reason: str) -> None:
        troubles.append(reason)
        changed.set()

    writer = Writer(engine, lambda call: call(), trouble)
    first = threading.Event()
    writer.write(record(1), first.set)
    assert first.wait(PATIENCE)
    path.rename(aside)
    if how == "replaced":
        path.write_bytes(aside.read_bytes())
    writer.write(record(2), lambda: acknowledged.append(2))
    assert changed.wait(PATIENCE)
    assert "was removed or replaced" in troubles[0]
    assert acknowledged == []
    changed.clear()
    aside.replace(path)
    assert changed.wait(PATIENCE)
    writer.close()
    assert (troubles[1:], acknowledged) == ([""], [2])
    assert stored(engine) == 2
