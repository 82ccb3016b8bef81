"""Which kinds of databases there are, and which one a store is in."""

import re
from functools import cache
from pathlib import Path

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from croupier.store.kinds import Access, Kind, StoreError
from croupier.store.sqlite import Sqlite

SQLITE, POSTGRES = "sqlite", "postgresql"
"""The kinds, by the names that SQLAlchemy gives to them."""

_EXAMPLES = "name a file such as croupier.db, or postgresql+psycopg://user@host/database"

_SECRETS = re.compile(r"(?<=:)[^:/@]*(?=@)|(?<=password=)[^&]*", re.I)

_ACCESS = "croupier_access"
_ARENA = "croupier_arena"


def url_of(store: str) -> URL:
    """Return the address of a store, from an address or a file's path."""
    if not store.strip():
        # SQLite would take it for a database in memory, and what is stored would be lost.
        raise StoreError(f"a store needs a name; {_EXAMPLES}")
    try:
        url = make_url(store if "://" in store else f"sqlite:///{store}")
        backend = url.get_backend_name()
    except ArgumentError:
        raise StoreError(f"{shown(store)!r} is no store; {_EXAMPLES}") from None
    if backend not in (SQLITE, POSTGRES):
        raise StoreError(f"{shown(store)} is no store; {_EXAMPLES}")
    return url


def shown(store: str | URL) -> str:
    """Return a store's name for people: its path, or its address without a password."""
    text = store if isinstance(store, str) else store.render_as_string(hide_password=False)
    return _SECRETS.sub("***", text) if "://" in text else text


def kind_of(bind: Engine | Connection | URL) -> Kind:
    """Return the kind of a database."""
    name = bind.get_backend_name() if isinstance(bind, URL) else bind.dialect.name
    return _kind(name)


@cache
def _kind(name: str) -> Kind:
    if name == SQLITE:
        return Sqlite()
    # Most stores are files, and this takes a tenth of the time that a server needs to start.
    from croupier.store.postgres import Postgres

    return Postgres()


def path_of(store: str) -> Path | None:
    """Return the file of a store; None if it has none, or is no store at all."""
    try:
        url = url_of(store)
    except StoreError:
        return None
    return kind_of(url).path(url)


def reason_of(error: SQLAlchemyError) -> str:
    """Return what a database complained about, without the statement."""
    return " ".join(str(getattr(error, "orig", None) or error).split())


def claim(engine: Engine, arena: str | None = "") -> Access:
    """Make this process the one server of an arena in a store; None: the only one in it at all.

    What it then writes and resumes is that arena's. Raise StoreError if another server is there.
    """
    access = kind_of(engine).claim(engine, arena)
    engine.update_execution_options(**{_ACCESS: access, _ARENA: arena or ""})
    return access


def arena_of(engine: Engine) -> str:
    """Return the name of the arena for which a store was claimed."""
    return str(engine.get_execution_options().get(_ARENA, ""))


def access_to(engine: Engine) -> Access:
    """Return how to write to a store: as the one server that claimed it, if this one has."""
    claimed = engine.get_execution_options().get(_ACCESS)
    return claimed if claimed is not None else kind_of(engine).access(engine)
