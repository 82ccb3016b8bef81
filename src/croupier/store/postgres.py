"""Stores in PostgreSQL. No other module of Croupier knows a word of PostgreSQL."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Table,
    create_engine,
    event,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from croupier.store.kinds import Access, Kind, StoreError, StoreGoneError

DRIVER = "postgresql+psycopg"

CONNECT_S = 5
"""Seconds after which a database that does not answer counts as gone."""

LIFE_SIGNS = {
    "connect_timeout": CONNECT_S,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""By these a connection to a machine that has vanished ends within half a minute."""

COPY_FROM = 50
"""Rows from which on COPY is quicker than INSERT."""


class Postgres(Kind):
    """A store in a schema of a PostgreSQL database, which many arenas may share."""

    def engine(self, url: URL, durability: str) -> Engine:
        """Return the engine; what is committed is on disk, whatever `durability` says.

        With `synchronous_commit` off, a crash of the database loses what was acknowledged.
        """
        try:
            # What is read in one transaction is one snapshot.
            engine = create_engine(
                url.set(drivername=DRIVER),
                isolation_level="REPEATABLE READ",
                pool_pre_ping=True,
                connect_args={"application_name": "croupier"} | LIFE_SIGNS,
            )
        except ImportError:
            raise StoreError(
                "stores in PostgreSQL need one more package: pip install 'croupier[postgres]'"
            ) from None

        @event.listens_for(engine, "connect")
        def _prepare(connection, record):  # type: ignore[no-untyped-def]
            connection.autocommit = True  # else it would be forgotten with the first rollback
            connection.execute("SET synchronous_commit TO on")
            connection.autocommit = False
            _allow_any_text(connection)

        return engine

    def path(self, url: URL) -> Path | None:
        """Return None: the files are the database's."""
        return None

    def exists(self, url: URL) -> bool:
        """Return True: only who connects can tell."""
        return True

    def make_private(self, url: URL) -> None:
        """Do nothing: who may read is up to the database's owner."""

    def check_private(self, url: URL) -> None:
        """Do nothing: who may read is up to the database's owner."""

    def version_before_alembic(self, connection: Connection) -> int:
        """Return 0: there were no such stores."""
        return 0

    def finish_migration(self, connection: Connection) -> None:
        """Do nothing more."""

    @contextmanager
    def writing(self, engine: Engine) -> Iterator[Connection]:
        """Let one transaction at a time change what others may be reading to change it."""
        with engine.connect() as connection:
            _read_committed(connection)
            with connection.begin():
                connection.execute(select(func.pg_advisory_xact_lock(_key("transaction"))))
                yield connection

    def access(self, engine: Engine) -> Access:
        """Return how to write, without a lock."""
        return _SessionAccess(engine, [], "")

    def claim(self, engine: Engine, arena: str | None) -> Access:
        """Return how to write; the locks are held by the connection that writes.

        Each arena has a lock of its own, and shares one that a claim of the whole store needs.
        """
        if arena is None:
            return _SessionAccess(engine, [func.pg_try_advisory_lock(_key("servers"))], "")
        locks = [
            func.pg_try_advisory_lock_shared(_key("servers")),
            func.pg_try_advisory_lock(_key(f"server {arena}")),
        ]
        return _SessionAccess(engine, locks, arena)

    def insert(self, table: Table) -> Any:
        """Return PostgreSQL's INSERT."""
        return insert(table)

    def insert_new(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]
    ) -> int:
        """Insert rows that are not there yet, by COPY if they are many."""
        if len(rows) < COPY_FROM:
            new = insert(table).on_conflict_do_nothing()
            return connection.execute(new, [dict(row) for row in rows]).rowcount
        # COPY knows no ON CONFLICT, so it goes through a table of this session's own.
        names = list(rows[0])
        columns = ", ".join(connection.dialect.identifier_preparer.quote(name) for name in names)
        incoming = f"incoming_{table.name}"
        connection.exec_driver_sql(
            f"CREATE TEMPORARY TABLE IF NOT EXISTS {incoming} (LIKE {table.name}"
            " INCLUDING DEFAULTS) ON COMMIT DELETE ROWS"
        )
        types = [table.c[name].type.dialect_impl(connection.dialect) for name in names]
        converters = [one.bind_processor(connection.dialect) or _as_it_is for one in types]
        statement = f"COPY {incoming} ({columns}) FROM STDIN"
        cursor: Any = connection.connection.cursor()
        try:
            with cursor.copy(statement) as copy:
                for row in rows:
                    values = zip(names, converters, strict=True)
                    copy.write_row([convert(row[name]) for name, convert in values])
        except connection.dialect.loaded_dbapi.Error as error:
            raise OperationalError(statement, None, error) from error
        finally:
            cursor.close()
        return connection.exec_driver_sql(
            f"WITH moved AS (DELETE FROM {incoming} RETURNING {columns})"
            f" INSERT INTO {table.name} ({columns}) SELECT {columns} FROM moved"
            " ON CONFLICT DO NOTHING"
        ).rowcount

    def finish_copy(self, connection: Connection, tables: Sequence[Table]) -> None:
        """Set the sequences."""
        for table in tables:
            column = table.autoincrement_column
            if column is not None:
                sequence = func.pg_get_serial_sequence(table.name, column.name)
                largest = select(func.coalesce(func.max(column), 0) + 1).scalar_subquery()
                connection.execute(select(func.setval(sequence, largest, False)))

    def damage(self, engine: Engine, *, quick: bool) -> list[str]:
        """Read everything, which the database refuses where a page is damaged."""
        if not quick:
            with engine.connect() as connection:
                for name in connection.dialect.get_table_names(connection):
                    connection.exec_driver_sql(
                        f'SELECT sum(octet_length(one::text)) FROM "{name}" AS one'
                    )
        return []

    def back_up(self, engine: Engine, target: Path) -> None:
        """Refuse: PostgreSQL has better ways."""
        raise StoreError(
            "a store in PostgreSQL is backed up with pg_dump; to have it in a file of Croupier's,"
            " use `croupier store copy`"
        )


class _SessionAccess(Access):
    """Writes over one connection, which holds its locks for as long as it lives."""

    def __init__(self, engine: Engine, locks: Sequence[ColumnElement[bool]], arena: str) -> None:
        """`locks` are what takes them; `arena` is whose they are."""
        self._engine = engine
        self._locks = locks
        self._arena = arena
        self._connection: Connection | None = None
        if locks:
            try:
                self._connect()
            except StoreGoneError as error:
                raise StoreError(str(error)) from None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open a transaction; after the loss of the connection on a new one, locked again."""
        connection = self._connection or self._connect()
        try:
            with connection.begin():
                yield connection
        except SQLAlchemyError:
            if _is_lost(connection):
                self.close()
            raise

    def close(self) -> None:
        """Release the locks, and end the session."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if self._locks and not _is_lost(connection):
            # Those of a session that just ends are held until the server has noticed.
            with contextlib.suppress(SQLAlchemyError):
                connection.execute(select(func.pg_advisory_unlock_all()))
        with contextlib.suppress(SQLAlchemyError):
            connection.invalidate()  # a session that went back to the pool might be another's
            connection.close()

    def _connect(self) -> Connection:
        connection = self._engine.connect()
        try:
            _read_committed(connection)
            for lock in self._locks:
                if not connection.execute(select(lock)).scalar_one():
                    raise StoreGoneError(self._refusal())
            connection.commit()
        except BaseException:
            connection.invalidate()
            connection.close()
            raise
        self._connection = connection
        return connection

    def _refusal(self) -> str:
        store = self._engine.url.render_as_string()
        who = f" for the arena {self._arena!r}" if self._arena else ""
        return f"the store {store} is in use by another host{who}"


def _as_it_is(value: Any) -> Any:
    return value


def _is_lost(connection: Connection) -> bool:
    if connection.closed or connection.invalidated:
        return True
    raw: Any = connection.connection.dbapi_connection
    return raw is None or bool(raw.closed)


def _allow_any_text(connection: Any) -> None:
    """Let texts have a NUL, which players may write anywhere; its picture is stored instead."""
    from psycopg.types.string import StrBinaryDumper, StrDumperUnknown

    class Text(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\N{SYMBOL FOR NULL}"))

    class BinaryText(StrBinaryDumper):
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\N{SYMBOL FOR NULL}"))

    connection.adapters.register_dumper(str, BinaryText)
    connection.adapters.register_dumper(str, Text)


def _read_committed(connection: Connection) -> None:
    """Let each statement see what others have committed meanwhile; the write lock orders them."""
    connection.execution_options(isolation_level="READ COMMITTED")


def _key(name: str) -> ColumnElement[int]:
    """Return the number of a lock in this schema of the database."""
    return func.hashtextextended(func.concat("croupier ", func.current_schema(), " ", name), 0)
