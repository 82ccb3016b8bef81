"""Stores in SQLite files. No other module of Croupier knows a word of SQLite."""

import contextlib
import fcntl
import os
import shlex
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TextIO

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Table,
    create_engine,
    event,
)
from sqlalchemy.dialects.sqlite import insert

from croupier.private_files import exposed, make_file, opener
from croupier.store.kinds import SMALL, Access, Kind, StoreError, StoreGoneError

LOCK_SECONDS = 10.0
"""How long to wait for another program's write lock."""

BACKUP_PAGES = 4096
"""How many pages are copied at a time; a server that writes waits for no more than that."""

VERSIONS = 5
"""The versions that Croupier counted in `user_version`, before it used Alembic."""

UNDER_ALEMBIC = VERSIONS + 1
"""The `user_version` of stores whose revision is in a table of Alembic's."""


class Sqlite(Kind):
    """A store in one file."""

    def engine(self, url: URL, durability: str) -> Engine:
        """Return the engine; `durability` is `process` or `power`."""
        engine = create_engine(url, connect_args={"timeout": LOCK_SECONDS})
        synchronous = "FULL" if durability == "power" else "NORMAL"

        @event.listens_for(engine, "connect")
        def _prepare(connection, record):  # type: ignore[no-untyped-def]
            cursor = connection.cursor()
            _use_wal(cursor)
            cursor.execute(f"PRAGMA synchronous={synchronous}")
            cursor.close()

        return engine

    def path(self, url: URL) -> Path | None:
        """Return the file of a store; None if it has none."""
        path = url.database
        return None if not path or path == ":memory:" or path.startswith("file:") else Path(path)

    def exists(self, url: URL) -> bool:
        """Tell whether there is a store to open; one in memory is made by that."""
        path = self.path(url)
        return path is None or path.is_file()

    def make_private(self, url: URL) -> None:
        """Make the file; SQLite gives its mode to the files beside it."""
        path = self.path(url)
        if path is not None:
            with contextlib.suppress(OSError):  # SQLite says what is wrong
                make_file(path)

    def check_private(self, url: URL) -> None:
        """Refuse a file that others can read."""
        path = self.path(url)
        if path is None:
            return
        names = [name for name in (str(path), f"{path}-wal", f"{path}-shm") if exposed(Path(name))]
        if names:
            raise StoreError(
                f"others can read the store {path}, and so the cards of running matches; take that"
                f" from them with: chmod go= {shlex.join(names)}"
            )

    def version_before_alembic(self, connection: Connection) -> int:
        """Return what `user_version` says."""
        version = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
        if version > UNDER_ALEMBIC:
            raise StoreError(
                f"the store has version {version}, this program knows {UNDER_ALEMBIC}:"
                " use a newer Croupier"
            )
        return 0 if version == UNDER_ALEMBIC else version

    def finish_migration(self, connection: Connection) -> None:
        """Set a `user_version` that programs without Alembic refuse."""
        connection.exec_driver_sql(f"PRAGMA user_version = {UNDER_ALEMBIC}")

    @contextmanager
    def writing(self, engine: Engine) -> Iterator[Connection]:
        """Take the write lock; by default the driver does at the first write, after reads."""
        with engine.begin() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    def access(self, engine: Engine) -> Access:
        """Return how to write to the file."""
        return _FileAccess(self, engine, self.path(engine.url), None)

    def claim(self, engine: Engine, arena: str | None) -> Access:
        """Return how to write; the lock is on a file beside the store, whatever the arena."""
        path = self.path(engine.url)
        return _FileAccess(self, engine, path, None if path is None else _lock_file(path))

    def insert(self, table: Table) -> Any:
        """Return SQLite's INSERT."""
        return insert(table)

    def insert_new(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]
    ) -> int:
        """Insert rows that are not there yet."""
        new = insert(table).on_conflict_do_nothing()
        return connection.execute(new, [dict(row) for row in rows]).rowcount

    def finish_copy(self, connection: Connection, tables: Sequence[Table]) -> None:
        """Do nothing: SQLite counts from the largest number."""

    def damage(self, engine: Engine, *, quick: bool) -> list[str]:
        """Return what SQLite says about its pages."""
        path = self.path(engine.url)
        if quick and path is not None and path.exists() and path.stat().st_size > SMALL:
            return []
        pragma = "PRAGMA quick_check(1)" if quick else "PRAGMA integrity_check"
        with engine.connect() as connection:
            rows = connection.exec_driver_sql(pragma).scalars().all()
        return [" ".join(str(row).split()) for row in rows if row != "ok"]

    def back_up(self, engine: Engine, target: Path) -> None:
        """Copy a store to a file, which has its name only once it is complete."""
        if target.exists():
            raise StoreError(f"{target} exists already; it is left as it is")
        partial = target.with_name(f"{target.name}.partial-{os.getpid()}")
        try:
            make_file(partial)
            with engine.connect() as connection, closing(sqlite3.connect(partial)) as copy:
                source = connection.connection.driver_connection
                assert isinstance(source, sqlite3.Connection)
                source.backup(copy, pages=BACKUP_PAGES)
                copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            os.link(partial, target)  # unlike a rename, this never replaces a file
        except FileExistsError:
            raise StoreError(f"{target} exists already; it is left as it is") from None
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot write {target}: {error}") from None
        finally:
            partial.unlink(missing_ok=True)


class _FileAccess(Access):
    """Writes to a file, as long as it is the one that was opened.

    SQLite would go on in a file that was removed or replaced, where nobody finds it.
    """

    def __init__(self, kind: Sqlite, engine: Engine, path: Path | None, lock: TextIO | None):
        self._kind = kind
        self._engine = engine
        self._path = path
        self._lock = lock
        self._file = self._identity()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open a transaction that holds the write lock."""
        self._check()
        with self._kind.writing(self._engine) as connection:
            yield connection
        self._check()  # it may have gone in between: then this is not on record

    def close(self) -> None:
        """Let others write."""
        if self._lock is not None:
            self._lock.close()

    def _identity(self) -> tuple[int, int] | None:
        """Return which file is at the store's path, if any is."""
        if self._path is None:
            return None
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _check(self) -> None:
        if self._identity() != self._file:
            raise StoreGoneError(
                f"{self._path} was removed or replaced while it was open; put it back where it"
                " was, or stop the server: what was announced is in the file that is gone"
            )


def _lock_file(path: Path) -> TextIO:
    # A second host would take the running match of the first for an interrupted one.
    lock = open(f"{path}.lock", "a+", opener=opener)  # noqa: SIM115
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(f"the store {path} is in use by another host") from None
    return lock


def _use_wal(cursor: sqlite3.Cursor) -> None:
    # When two programs create a store at once, one fails with SQLITE_BUSY immediately: the
    # connection's timeout does not cover this statement.
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
