"""The tables of the store, and how a store is opened.

There is one row per match and one per hand, never one per event. A new store gets the tables as
they stand here; an older one is brought to the same shape by `store.migrations`, in one
transaction: it has the current revision or its old one.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import (
    URL,
    BigInteger,
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError

from croupier.store.databases import kind_of, reason_of, shown, url_of
from croupier.store.kinds import StoreError
from croupier.store.packing import Packed

REVISION = "0011"
"""The newest revision in `migrations/versions`."""

METADATA = MetaData()

_COUNT = Integer().with_variant(BigInteger, "postgresql")  # SQLite's have 64 bits

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
    Column("paused", Integer, nullable=False, server_default=text("0")),
    Column("counted", Integer, nullable=False, server_default=text("0")),  # whether in `careers`
    Column("scheme", Integer, nullable=False, server_default=text("1")),  # see `commitments`
    Column("opening", Integer),  # its number in `openings`, if the place is a prepared table
    Column("announced", String, nullable=False, server_default=text("''")),  # the beacon
    Column("beacon", String, nullable=False, server_default=text("''")),  # its value
    Column("twin", Integer, nullable=False, server_default=text("0")),  # in a set of duplicates
    Column("arena", String, nullable=False, server_default=text("''")),  # whose place it is
)

ARENAS = Table(  # those that have said where their sites are, see `store.arenas`
    "arenas",
    METADATA,
    Column("name", String, primary_key=True),
    Column("site", String, nullable=False),
)

OPENINGS = Table(  # of prepared tables, each bound to the one before, see `store.openings`
    "openings",
    METADATA,
    Column("arena", String, primary_key=True),
    Column("place", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("secret", Integer, nullable=False),
    Column("announced", String, nullable=False),
    Column("commitment", String, nullable=False),
    Column("previous", String, nullable=False),
    Column("digest", String, nullable=False),
)

HANDS = Table(
    "hands",
    METADATA,
    Column("match_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("ended", Float, nullable=False),
    Column("events", Packed, nullable=False),
    Column("state", Packed, nullable=False),
    Column("times", Packed),  # how long each decision took, by player
)

PARTICIPANTS = Table(  # what players of a match are found by, see `store.participants`
    "participants",
    METADATA,
    Column("name", String, primary_key=True),
    Column("match_id", String, primary_key=True, index=True),
)

STRETCHES = Table(  # sums over the hands of long matches, see `store.stretches`
    "stretches",
    METADATA,
    Column("match_id", String, primary_key=True),
    Column("last", Integer, primary_key=True, autoincrement=False),
    Column("sums", LargeBinary, nullable=False),
)

CAREERS = Table(  # sums over all matches that have ended, see `store.careers`
    "careers",
    METADATA,
    Column("name", String, primary_key=True),
    Column("dialect", String, primary_key=True),
    Column("rules", String, primary_key=True),
    Column("matches", _COUNT, nullable=False),
    Column("hands", _COUNT, nullable=False),
    Column("big_blinds", Float, nullable=False),
    Column("wins", _COUNT, nullable=False),
    Column("hands2", Float, nullable=False),
    Column("big_blinds2", Float, nullable=False),
    Column("products", Float, nullable=False),
)

UNCOUNTED = text("counted = 0 AND ended IS NOT NULL")
"""The condition of the index of matches that `careers` lacks; a parameter would not match it."""

Index("uncounted", MATCHES.c.ended, sqlite_where=UNCOUNTED, postgresql_where=UNCOUNTED)
Index("newest", MATCHES.c.began, MATCHES.c.id)
Index("of_place", MATCHES.c.place, MATCHES.c.arena, MATCHES.c.opening)

UNFINISHED = text("ended IS NULL")
"""The condition of the index of matches that have not ended, which are few."""

Index(
    "unfinished",
    MATCHES.c.began,
    MATCHES.c.id,
    sqlite_where=UNFINISHED,
    postgresql_where=UNFINISHED,
)

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
    Column("arena", String, nullable=False, server_default=text("''")),
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
    Column("arena", String, nullable=False, server_default=text("''")),
)

CONTEST_RESULTS = Table(
    "contest_results",
    METADATA,
    Column("contest", Integer, primary_key=True, autoincrement=False),
    Column("stage", String, primary_key=True),
    Column("fixture", String, primary_key=True),
    Column("set", Integer, primary_key=True, autoincrement=False),
    Column("match", Integer, primary_key=True, autoincrement=False),
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
    Column("contest", Integer, primary_key=True, autoincrement=False),
    Column("stage", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("fixture", LargeBinary, nullable=False),
)

CONTEST_KEYS = Table(
    "contest_keys",
    METADATA,
    Column("contest", Integer, primary_key=True, autoincrement=False),
    Column("team", String, primary_key=True),
    Column("dialect", String, primary_key=True),
    Column("salt", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("pid", String, nullable=False),
)

CONTEST_REQUESTS = Table(
    "contest_requests",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("contest", Integer, nullable=False, index=True),
    Column("team", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("at", Float, nullable=False),
    Column("about", LargeBinary, nullable=False),
    Column("data", LargeBinary, nullable=False),  # what came with it, until it is answered
    Column("state", String, nullable=False),
    Column("answer", LargeBinary, nullable=False),
)

_REVISIONS = Table(  # Alembic's own; its name and shape are Alembic's
    "alembic_version", MetaData(), Column("version_num", String(32), primary_key=True)
)


def check_private(store: str) -> None:
    """Refuse an existing store that others can read: it would tell them the cards of a match."""
    try:
        url = url_of(store)
    except StoreError:
        return  # who opens it says what is wrong
    kind_of(url).check_private(url)


def open_store(
    store: str, *, durability: str = "process", create: bool = True, private: bool = True
) -> Engine:
    """Open a store, bring it to the current revision and return its engine.

    `durability` is `process` (survives kill -9) or `power` (survives a power cut, and is slower).
    A `private` store, if it is new, can be read by its owner alone.
    """
    url = url_of(store)
    kind = kind_of(url)
    path = kind.path(url)
    if path is not None and path.is_dir():
        raise StoreError(
            f"{path} is a folder, and a store is a file, such as {path / 'croupier.db'}"
        )
    if not create and not kind.exists(url):
        raise _no_store(url)
    engine = kind.engine(url, durability)
    try:
        if private:
            kind.make_private(url)
        _migrate(engine, create)
    except SQLAlchemyError as error:
        engine.dispose()
        raise StoreError(f"cannot use the store {shown(store)}: {reason_of(error)}") from None
    except StoreError:
        engine.dispose()
        raise
    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that holds the write lock, so that what is read in it stays valid."""
    with kind_of(engine).writing(engine) as connection:
        yield connection


def _migrate(engine: Engine, create: bool) -> None:
    # Do not lock a store of the current revision: a host may be writing to it.
    with engine.connect() as connection:
        if not kind_of(engine).version_before_alembic(connection) and _is_current(connection):
            return
    with writing(engine) as connection:
        old = kind_of(engine).version_before_alembic(connection)
        if old:
            _upgrade(connection, f"{old:04}")
        elif inspect(connection).has_table(_REVISIONS.name):
            if not _is_current(connection):
                _upgrade(connection)
        elif inspect(connection).get_table_names():
            raise StoreError("that is a database of something else")
        elif not create:
            raise _no_store(engine.url)
        else:
            _REVISIONS.create(connection)
            connection.execute(insert(_REVISIONS).values(version_num=REVISION))
            METADATA.create_all(connection)
        kind_of(engine).finish_migration(connection)


def _no_store(url: URL) -> StoreError:
    store = kind_of(url).path(url) or shown(url)
    return StoreError(
        f"there is no store {store}; `croupier host --store` or `croupier players add` makes one,"
        " and --store names another one (that of a contest is in its file)"
    )


def _is_current(connection: Connection) -> bool:
    if not inspect(connection).has_table(_REVISIONS.name):
        return False
    return connection.execute(select(_REVISIONS)).scalar() == REVISION


def _upgrade(connection: Connection, stamp: str = "") -> None:
    # Loaded here, since few stores need it.
    from alembic.util import CommandError

    from croupier.store import migrations

    try:
        migrations.upgrade(connection, REVISION, stamp)
    except CommandError:
        raise StoreError("the store is of a newer version: use a newer Croupier") from None
