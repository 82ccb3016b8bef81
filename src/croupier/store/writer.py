"""The writer thread: accept records from any thread and acknowledge them once they are stored.

One thread owns the connection. Records that queue up during a commit go into the next one, so that
many tables share the cost of a commit. A failed write is retried until it succeeds; nothing is
acknowledged before it is stored.

The answer to a COMMIT may be lost with the connection, so a group may be written a second time:
what is on record already stays as it is. If it says something else there, somebody else has written
it: that is reported as a failure, and nothing is acknowledged.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from queue import SimpleQueue
from typing import Any

import msgspec
from sqlalchemy import (
    Connection,
    Delete,
    Engine,
    Table,
    Update,
    delete,
    insert,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from croupier.store import careers, friendlies, participants
from croupier.store.codec import encode
from croupier.store.databases import access_to, arena_of, kind_of, reason_of
from croupier.store.kinds import StoreGoneError
from croupier.store.records import (
    Acknowledge,
    AuditRecord,
    ContestFixture,
    ContestResult,
    DropRecord,
    FriendlyResult,
    HandRecord,
    MatchRecord,
    OpeningRecord,
    PauseRecord,
    Record,
    ResultRecord,
)
from croupier.store.schema import (
    AUDIT,
    CONTEST_FIXTURES,
    CONTEST_RESULTS,
    HANDS,
    MATCHES,
    OPENINGS,
    STRETCHES,
)

RETRY_SECONDS = 1.0
MAX_GROUP = 2000


class DifferentRecordError(Exception):
    """What is to be stored is on record already, and says something else there."""


class Writer:
    """Write records in the order in which they were queued."""

    def __init__(
        self,
        engine: Engine,
        call: Callable[[Callable[[], None]], Any],
        on_trouble: Callable[[str], None] = lambda reason: None,
    ) -> None:
        """Start the thread.

        `call` runs a callback where acknowledgements belong, such as in the event loop.
        `on_trouble` receives the reason why writing fails, and an empty string on recovery.
        """
        self._access = access_to(engine)
        self._arena = arena_of(engine)
        self._call = call
        self._on_trouble = on_trouble
        self._queue: SimpleQueue[tuple[Record, Acknowledge] | None] = SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def write(self, record: Record, acknowledge: Acknowledge) -> None:
        """Queue a record; `acknowledge` is called once it is stored."""
        self._queue.put((record, acknowledge))

    @property
    def waiting(self) -> int:
        """The number of queued records."""
        return self._queue.qsize()

    def close(self) -> None:
        """Drain the queue and stop; drop what still cannot be written."""
        self._closing.set()
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            group = self._next_group()
            if not group:
                return
            if not self._store(group):
                return
            self._call(partial(_acknowledge, group))

    def _next_group(self) -> list[tuple[Record, Acknowledge]]:
        group = []
        item = self._queue.get()
        while item is not None:
            group.append(item)
            if self._queue.empty() or len(group) == MAX_GROUP:
                return group
            item = self._queue.get()
        if group:
            self._queue.put(None)
        return group

    def _store(self, group: list[tuple[Record, Acknowledge]]) -> bool:
        """Commit a group, retrying until it succeeds or the writer is closed."""
        reason = ""
        while True:
            try:
                with self._access.transaction() as connection:
                    records = [record for record, _ in group]
                    _append(connection, records, self._arena, again=bool(reason))
            except (SQLAlchemyError, StoreGoneError, DifferentRecordError) as error:
                new_reason = reason_of(error) if isinstance(error, SQLAlchemyError) else str(error)
                if new_reason != reason:
                    reason = new_reason
                    self._call(partial(self._on_trouble, reason))
                if self._closing.wait(RETRY_SECONDS):
                    return False
            else:
                if reason:
                    self._call(partial(self._on_trouble, ""))
                return True


def _append(connection: Connection, records: Sequence[Record], arena: str, *, again: bool) -> None:
    """Write an arena's records in order; `again` says that they may be on record already."""
    kind = kind_of(connection)
    hands: list[dict[str, Any]] = []
    ended: list[str] = []
    for record in records:
        if isinstance(record, HandRecord):
            hands.append(_hand(record))
            if record.stretch is not None:
                sums = {"match_id": record.match_id, "last": record.number, "sums": record.stretch}
                kind.insert_new(connection, STRETCHES, [sums])
            continue
        if hands:
            _insert(connection, HANDS, hands)
            hands = []
        if isinstance(record, DropRecord):
            careers.count(connection, ended)
            ended = []
            careers.take_back(connection, record.match_id)
            participants.drop(connection, record.match_id)
        end = record.match if isinstance(record, ContestResult | FriendlyResult) else record
        if isinstance(end, ResultRecord):
            ended.append(end.match_id)
        if isinstance(record, MatchRecord):
            _insert(connection, MATCHES, [record.values | {"arena": arena}])
            participants.add(connection, [record.values])
        elif isinstance(record, OpeningRecord):
            _insert(connection, OPENINGS, [record.values | {"arena": arena}])
        elif isinstance(record, ContestFixture):
            _insert(connection, CONTEST_FIXTURES, [record.values])
        elif isinstance(record, ContestResult):
            kind.insert_new(connection, CONTEST_RESULTS, [record.values])
        elif isinstance(record, AuditRecord):
            row = asdict(record) | {"arena": arena}
            if not (again and _has_audit(connection, row)):
                connection.execute(insert(AUDIT).values(row))
        for statement in _statements(record):
            connection.execute(statement)
    if hands:
        _insert(connection, HANDS, hands)
    careers.count(connection, ended)


def _hand(record: HandRecord) -> dict[str, Any]:
    return {
        "match_id": record.match_id,
        "number": record.number,
        "ended": record.ended,
        "events": record.events if isinstance(record.events, bytes) else encode(record.events),
        "state": record.state,
        "times": msgspec.json.encode(record.times) if record.times else None,
    }


def _insert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows; those that are there already have to be the same."""
    if kind_of(connection).insert_new(connection, table, rows) == len(rows):
        return
    for row in rows:
        key = [column == row[column.name] for column in table.primary_key]
        given = [table.c[name] for name in row]
        stored = connection.execute(select(*given).where(*key)).one()
        if tuple(stored) != tuple(row.values()):
            which = ", ".join(str(row[column.name]) for column in table.primary_key)
            raise DifferentRecordError(
                f"{table.name} {which} is on record already and says something else: another"
                " server has written it; stop this one"
            )


def _has_audit(connection: Connection, row: dict[str, Any]) -> bool:
    same = [AUDIT.c[name] == value for name, value in row.items()]
    return connection.execute(select(AUDIT.c.number).where(*same)).first() is not None


def _statements(record: Record) -> list[Update | Delete]:
    """Return the statements that may be repeated without harm."""
    if isinstance(record, ContestResult | FriendlyResult):
        ended = [] if record.match is None else _statements(record.match)
        if isinstance(record, FriendlyResult):
            open_ = friendlies.OPEN
            ended.append(friendlies.moved(record.number, open_, record.state, record.answer))
        return ended
    if isinstance(record, DropRecord):
        return [
            delete(HANDS).where(HANDS.c.match_id == record.match_id),
            delete(STRETCHES).where(STRETCHES.c.match_id == record.match_id),
            delete(MATCHES).where(MATCHES.c.id == record.match_id),
        ]
    if isinstance(record, PauseRecord | ResultRecord):
        match = update(MATCHES).where(MATCHES.c.id == record.match_id)
        if isinstance(record, PauseRecord):
            return [match.values(paused=int(record.paused))]
        return [match.values(ended=record.ended, result=record.result)]
    return []


def _acknowledge(group: list[tuple[Record, Acknowledge]]) -> None:
    for _, acknowledge in group:
        acknowledge()
