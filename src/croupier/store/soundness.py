"""Whether a store is sound: its tables are there, and its pages say what SQLite expects."""

from sqlalchemy import Engine, select, text
from sqlalchemy.exc import SQLAlchemyError

from croupier.store.schema import METADATA, StoreError, path_of

SMALL = 256 * 1024 * 1024
"""Bytes of a store that is checked whole before a server uses it, within about a second."""


def check_sound(engine: Engine) -> None:
    """Refuse a store that is damaged: its tables are looked at, and all pages if it is small."""
    path = path_of(str(engine.url))
    whole = path is None or not path.exists() or path.stat().st_size <= SMALL
    damage = find_damage(engine, "PRAGMA quick_check(1)" if whole else "")
    if damage:
        raise StoreError(
            f"the store {path} is damaged: {damage[0]}; go on with a backup, or with a new store"
            " (`croupier store check` lists all damage)"
        )


def find_damage(engine: Engine, pragma: str = "PRAGMA integrity_check") -> list[str]:
    """Return what is wrong with a store, as SQLite puts it; an empty pragma reads no rows."""
    try:
        with engine.connect() as connection:
            for table in METADATA.sorted_tables:
                connection.execute(select(table).limit(0))
            rows = connection.execute(text(pragma)).scalars().all() if pragma else []
    except SQLAlchemyError as error:
        return [str(getattr(error, "orig", None) or error)]
    return [" ".join(str(row).split()) for row in rows if row != "ok"]
