"""The writer acknowledges what is stored, and nothing else."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, func, select

from croupier.rules.events import HandEnded
from croupier.store.databases import claim, kind_of
from croupier.store.kinds import Access, StoreError, StoreGoneError
from croupier.store.records import AuditRecord, HandRecord
from croupier.store.schema import AUDIT, HANDS, open_store
from croupier.store.writer import Writer
from tests.support import postgres

PATIENCE = 30


@pytest.fixture
def engine(store: str) -> Any:
    engine = open_store(store)
    yield engine
    engine.dispose()


def record(number: int, size: int = 10) -> HandRecord:
    stacks = (number, *random.Random(number).choices(range(10**6), k=size - 1))
    return HandRecord("m", number, 0.0, [HandEnded(stacks)], b"{}")


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
    tmp_path: Path, how: str
) -> None:
    path, aside = tmp_path / "store.db", tmp_path / "aside.db"
    engine = open_store(str(path))
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
    engine.dispose()


class Forgetful(Access):
    """Loses the answer to the first COMMIT."""

    def __init__(self, real: Access) -> None:
        self._real = real
        self._lost = False

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        with self._real.transaction() as connection:
            yield connection
        if not self._lost:
            self._lost = True
            raise StoreGoneError("the answer was lost")

    def close(self) -> None:
        self._real.close()


@pytest.mark.parametrize("hands", [3, 200], ids=["few", "many"])
def test_a_lost_answer_to_a_commit_changes_nothing(engine: Engine, hands: int) -> None:
    access = Forgetful(kind_of(engine).access(engine))
    engine.update_execution_options(croupier_access=access)
    acknowledged: list[int] = []
    troubles: list[str] = []
    writer = Writer(engine, lambda call: call(), troubles.append)
    writer.write(AuditRecord(1.5, "ada", "pause", "main", "", "done"), lambda: None)
    for number in range(hands):
        writer.write(record(number), lambda number=number: acknowledged.append(number))  # type: ignore[misc]
    writer.write(record(hands), lambda: None)
    while len(acknowledged) < hands:
        threading.Event().wait(0.01)
    writer.close()
    access.close()
    assert troubles == ["the answer was lost", ""]
    assert acknowledged == list(range(hands))
    assert stored(engine) == hands + 1
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(AUDIT)).scalar_one() == 1


@pytest.mark.parametrize("hands", [1, 100], ids=["few", "many"])
def test_a_record_that_says_something_else_than_the_store_is_reported(
    engine: Engine, hands: int
) -> None:
    troubles: list[str] = []
    in_trouble = threading.Event()
    acknowledged: list[int] = []

    def trouble(reason: str) -> None:
        troubles.append(reason)
        in_trouble.set()

    first = Writer(engine, lambda call: call())
    for number in range(hands):
        first.write(record(number), lambda: None)
    first.close()
    second = Writer(engine, lambda call: call(), trouble)
    second.write(record(0, size=3), lambda: acknowledged.append(0))
    assert in_trouble.wait(PATIENCE)
    second.close()
    assert "hands m, 0 is on record already" in troubles[0]
    assert acknowledged == []


def test_only_one_server_writes_to_a_store(store: str) -> None:
    one, other = open_store(store), open_store(store)
    access = claim(one)
    with pytest.raises(StoreError, match="in use by another host") as refused:
        claim(other)
    assert "not-needed" not in str(refused.value), "the password of the address"
    access.close()
    claim(other).close()
    one.dispose()
    other.dispose()


def test_what_was_acknowledged_survives_the_loss_of_the_database(
    postgres_server: postgres.Cluster,
) -> None:
    """The database crashes and comes back while records arrive."""
    with postgres.cluster() as own:
        engine = open_store(own.fresh())
        access = claim(engine)
        in_trouble, works = threading.Event(), threading.Event()
        acknowledged: list[int] = []

        def trouble(reason: str) -> None:
            (in_trouble if reason else works).set()

        writer = Writer(engine, lambda call: call(), trouble)

        def write(number: int) -> None:
            writer.write(record(number), lambda: acknowledged.append(number))

        for number in range(50):
            write(number)
        own.stop("immediate")
        for number in range(50, 100):
            write(number)
        assert in_trouble.wait(PATIENCE)
        before = len(acknowledged)
        assert before <= 50
        own.start()
        assert works.wait(PATIENCE)
        writer.close()
        assert acknowledged == list(range(100))
        assert stored(engine) == 100
        other = open_store(str(engine.url.render_as_string(hide_password=False)))
        with pytest.raises(StoreError, match="in use"):
            claim(other)
        other.dispose()
        access.close()
        engine.dispose()
