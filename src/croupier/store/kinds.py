"""What a kind of database has to offer: everything in which SQLite and others differ."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table

SMALL = 256 * 1024 * 1024
"""Bytes of a store that is checked whole before a server uses it, within about a second."""


class StoreError(Exception):
    """The store cannot be used; the message says why and what to do."""


class StoreGoneError(Exception):
    """The store is no longer the one that was opened, or somebody else writes to it."""


class Access(ABC):
    """The way in which one writer writes to a store."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Connection]:
        """Open a transaction, and commit it at its end.

        Raise StoreGoneError if what was committed would not be found in the store.
        """

    @abstractmethod
    def close(self) -> None:
        """Let others write."""


class Kind(ABC):
    """A kind of database: how a store of it is opened, locked, checked and copied."""

    @abstractmethod
    def engine(self, url: URL, durability: str) -> Engine:
        """Return the engine for a store; it connects when it is used."""

    @abstractmethod
    def path(self, url: URL) -> Path | None:
        """Return the file of a store; None if it has none."""

    @abstractmethod
    def exists(self, url: URL) -> bool:
        """Tell whether there is a store to open."""

    @abstractmethod
    def make_private(self, url: URL) -> None:
        """Make a new store one that only its owner can read, as far as that is up to us."""

    @abstractmethod
    def check_private(self, url: URL) -> None:
        """Refuse an existing store that others can read: it would tell them the cards."""

    @abstractmethod
    def version_before_alembic(self, connection: Connection) -> int:
        """Return the version of a store that Croupier made before it used Alembic, or 0.

        Raise StoreError if only a newer Croupier can have made it.
        """

    @abstractmethod
    def finish_migration(self, connection: Connection) -> None:
        """Do what the kind needs besides the tables, once they are up to date."""

    @abstractmethod
    def writing(self, engine: Engine) -> AbstractContextManager[Connection]:
        """Open a transaction in which what is read stays valid until it is committed."""

    @abstractmethod
    def access(self, engine: Engine) -> Access:
        """Return how to write to a store beside others."""

    @abstractmethod
    def claim(self, engine: Engine, arena: str | None) -> Access:
        """Return how to write to a store as the one server of an arena; None: as the only one.

        Raise StoreError if another server has claimed it.
        """

    @abstractmethod
    def insert(self, table: Table) -> Any:
        """Return an INSERT that can say what becomes of rows that are there already."""

    @abstractmethod
    def insert_new(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]
    ) -> int:
        """Insert rows that are not there yet, all with the same columns; return how many."""

    @abstractmethod
    def finish_copy(self, connection: Connection, tables: Sequence[Table]) -> None:
        """Let numbers that the database counts go on after those of rows that were copied."""

    @abstractmethod
    def damage(self, engine: Engine, *, quick: bool) -> list[str]:
        """Return what is wrong with the pages of a store, as far as its database can tell.

        A `quick` look stops at the first damage, and skips a store that is not small.
        """

    @abstractmethod
    def back_up(self, engine: Engine, target: Path) -> None:
        """Copy a store to a new private file, even while a server writes to it."""
