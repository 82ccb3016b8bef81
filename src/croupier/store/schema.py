"""The tables of the store and the migrations of older stores.

There is one row per match and one per hand, never one per event. `MIGRATIONS[v]` upgrades version
*v* to *v* + 1; a new store starts at version 0 and runs the same migrations, so that both end up
alike. All migrations of a store run in one transaction: it has the current version or its old one.
"""

import contextlib
import shlex
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from croupier.private_files import exposed, make_file

LOCK_SECONDS = 10.0
"""How long to wait for another program's write lock."""

METADATA = MetaData()

MATCHES = Table(
    "matches",
    METADATA,
    Column("id", String, primary_key=True),
    Column("began", Float, nullable=False),
    Column("ended", Float),
    Column("place", String, nullable=False),  # where it is resumed after a crash
    Column("rules_name", String, nullable=False),
    Column("rules", LargeBinary, nullable=False),
    Column("version", String, nullable=False),
    Column("players", LargeBinary, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("commitment", String, nullable=False),
    Column("secret", Integer, nullable=False),
    Column("result", LargeBinary),
    Column("paused", Integer, nullable=False, server_default="0"),
    Column("counted", Integer, nullable=False, server_default="0"),  # whether `careers` has it
)

HANDS = Table(
    "hands",
    METADATA,
    Column("match_id", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("ended", Float, nullable=False),
    Column("events", LargeBinary, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("times", LargeBinary),  # how long each decision took, by player
)

STRETCHES = Table(  # sums over the hands of long matches, see `store.stretches`
    "stretches",
    METADATA,
    Column("match_id", String, primary_key=True),
    Column("last", Integer, primary_key=True),
    Column("sums", LargeBinary, nullable=False),
)

CAREERS = Table(  # sums over all matches that have ended, see `store.careers`
    "careers",
    METADATA,
    Column("name", String, primary_key=True),
    Column("dialect", String, primary_key=True),
    Column("matches", Integer, nullable=False),
    Column("hands", Integer, nullable=False),
    Column("big_blinds", Float, nullable=False),
    Column("wins", Integer, nullable=False),
)

UNCOUNTED = text("counted = 0 AND ended IS NOT NULL")
"""The condition of the index of matches that `careers` lacks; a parameter would not match it."""

AUDIT = Table(
    "audit",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("actor", String, nullable=False),
    Column("act", String, nullable=False),
    Column("table", String, nullable=False),
    Column("detail", String, nullable=False),
    Column("outcome", String, nullable=False),
)

REGISTRY = Table(
    "registry",
    METADATA,
    Column("token", String, primary_key=True),
    Column("display", String, nullable=False),
    Column("folded", String, nullable=False, unique=True),  # what makes two display names the same
    Column("table", String, nullable=False),
    Column("added", Float, nullable=False),
)

CONTESTS = Table(
    "contests",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("title", String, nullable=False, unique=True),
    Column("began", Float, nullable=False),
    Column("plan", LargeBinary, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("commitment", String, nullable=False),
    Column("secret", Integer, nullable=False),
    Column("beacon", String),  # its value, once it is known
)

CONTEST_RESULTS = Table(
    "contest_results",
    METADATA,
    Column("contest", Integer, primary_key=True),
    Column("stage", String, primary_key=True),
    Column("fixture", String, primary_key=True),
    Column("set", Integer, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("ended", Float, nullable=False),
    Column("hands", Integer, nullable=False),
    Column("seats", LargeBinary, nullable=False),
    Column("digest", String, nullable=False),
    Column("match_id", String),  # its record, if its hands are kept
)

CONTEST_ACTS = Table(
    "contest_acts",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("contest", Integer, nullable=False, index=True),
    Column("at", Float, nullable=False),
    Column("act", LargeBinary, nullable=False),
)

CONTEST_FIXTURES = Table(  # only of formats whose pairings depend on who finished when
    "contest_fixtures",
    METADATA,
    Column("contest", Integer, primary_key=True),
    Column("stage", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("fixture", LargeBinary, nullable=False),
)

CONTEST_KEYS = Table(
    "contest_keys",
    METADATA,
    Column("contest", Integer, primary_key=True),
    Column("team", String, primary_key=True),
    Column("dialect", String, primary_key=True),
    Column("salt", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("pid", String, nullable=False),
)

_OF_CONTESTS = (CONTESTS, CONTEST_RESULTS, CONTEST_ACTS, CONTEST_FIXTURES, CONTEST_KEYS)


class StoreError(Exception):
    """The store cannot be used; the message says why and what to do."""


def _first_tables(connection: Connection) -> None:
    connection.execute(
        text(
            "CREATE TABLE matches (id VARCHAR NOT NULL, began FLOAT NOT NULL, ended FLOAT,"
            " place VARCHAR NOT NULL, rules_name VARCHAR NOT NULL, rules BLOB NOT NULL,"
            " version VARCHAR NOT NULL, players BLOB NOT NULL, seed BLOB NOT NULL,"
            " salt BLOB NOT NULL, commitment VARCHAR NOT NULL, secret INTEGER NOT NULL,"
            " result BLOB, PRIMARY KEY (id))"
        )
    )
    connection.execute(
        text(
            "CREATE TABLE hands (match_id VARCHAR NOT NULL, number INTEGER NOT NULL,"
            " ended FLOAT NOT NULL, events BLOB NOT NULL, state BLOB NOT NULL,"
            " PRIMARY KEY (match_id, number))"
        )
    )


def _registry(connection: Connection) -> None:
    REGISTRY.create(connection)


def _times_and_audit(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE hands ADD COLUMN times BLOB"))
    connection.execute(text("ALTER TABLE matches ADD COLUMN paused INTEGER DEFAULT 0 NOT NULL"))
    AUDIT.create(connection)


def _contests(connection: Connection) -> None:
    for table in _OF_CONTESTS:
        table.create(connection)


def _sums(connection: Connection) -> None:
    STRETCHES.create(connection)
    CAREERS.create(connection)
    connection.execute(text("ALTER TABLE matches ADD COLUMN counted INTEGER DEFAULT 0 NOT NULL"))
    connection.execute(text(f"CREATE INDEX uncounted ON matches (ended) WHERE {UNCOUNTED}"))
    connection.execute(text("CREATE INDEX newest ON matches (began, id)"))


MIGRATIONS = [_first_tables, _registry, _times_and_audit, _contests, _sums]


def url_of(store: str) -> str:
    """Return the database URL for a URL or a file path."""
    return store if "://" in store else f"sqlite:///{store}"


def path_of(store: str) -> Path | None:
    """Return the file of a store; None if it has none, or is no store at all."""
    try:
        path = make_url(url_of(store)).database
    except ArgumentError:
        return None
    return None if not path or path == ":memory:" or path.startswith("file:") else Path(path)


def check_private(store: str) -> None:
    """Refuse an existing store that others can read: it would tell them the cards of a match."""
    path = path_of(store)
    if path is None:
        return
    names = [name for name in (str(path), f"{path}-wal", f"{path}-shm") if exposed(Path(name))]
    if names:
        raise StoreError(
            f"others can read the store {path}, and so the cards of running matches; take that"
            f" from them with: chmod go= {shlex.join(names)}"
        )


def open_store(
    store: str, *, durability: str = "process", create: bool = True, private: bool = True
) -> Engine:
    """Open a store, migrate it to the current version and return its engine.

    `durability` is `process` (survives kill -9) or `power` (survives a power cut, and is slower).
    A `private` store, if it is new, can be read by its owner alone.
    """
    try:
        url = make_url(url_of(store))
        if url.get_backend_name() != "sqlite":
            raise StoreError(f"{store}: only SQLite stores are supported, such as croupier.db")
        engine = create_engine(url, connect_args={"timeout": LOCK_SECONDS})
    except ArgumentError:
        raise StoreError(f"{store!r} is no store; name a file such as croupier.db") from None

    @event.listens_for(engine, "connect")
    def _prepare(connection, record):  # type: ignore[no-untyped-def]
        cursor = connection.cursor()
        _use_wal(cursor)
        cursor.execute(f"PRAGMA synchronous={'FULL' if durability == 'power' else 'NORMAL'}")
        cursor.close()

    try:
        if not create and not _exists(url.database):
            raise StoreError(
                f"there is no store {url.database}; `croupier host --store` or"
                " `croupier players add` makes one"
            )
        if private and (path := path_of(store)) is not None:
            with contextlib.suppress(OSError):  # SQLite says what is wrong
                make_file(path)  # SQLite gives its mode to the files beside it
        _migrate(engine)
    except SQLAlchemyError as error:
        engine.dispose()
        raise StoreError(f"cannot use the store {store}: {_reason(error)}") from None
    except StoreError:
        engine.dispose()
        raise
    return engine


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


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that holds the write lock, so that what is read in it stays valid."""
    with engine.begin() as connection:
        # By default the driver begins the transaction at the first write, after earlier reads.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


def _exists(path: str | None) -> bool:
    return path in (None, "", ":memory:") or Path(str(path)).is_file()


def _migrate(engine: Engine) -> None:
    # Do not lock a store of the current version: a host may be writing to it.
    with engine.connect() as connection:
        if _version(connection) == len(MIGRATIONS):
            return
    with writing(engine) as connection:
        version = _version(connection)
        if version == 0 and inspect(connection).get_table_names():
            raise StoreError("that file is a database of something else")
        for number in range(version, len(MIGRATIONS)):
            MIGRATIONS[number](connection)
            connection.execute(text(f"PRAGMA user_version = {number + 1}"))


def _version(connection: Connection) -> int:
    version = int(connection.execute(text("PRAGMA user_version")).scalar_one())
    if version > len(MIGRATIONS):
        raise StoreError(
            f"the store has version {version}, this program knows {len(MIGRATIONS)}:"
            " use a newer Croupier"
        )
    return version


def _reason(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error)
