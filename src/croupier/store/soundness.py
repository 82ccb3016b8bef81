"""Whether a store is sound: its tables are there, and its database finds nothing wrong with it."""

from sqlalchemy import Engine, select
from sqlalchemy.exc import SQLAlchemyError

from croupier.store.databases import kind_of, reason_of, shown
from croupier.store.kinds import StoreError
from croupier.store.schema import METADATA


def check_sound(engine: Engine) -> None:
    """Refuse a store that is damaged: its tables are looked at, and all pages if it is small."""
    damage = find_damage(engine, quick=True)
    if damage:
        store = kind_of(engine).path(engine.url) or shown(engine.url)
        raise StoreError(
            f"the store {store} is damaged: {damage[0]}; go on with a backup, or with a new store"
            " (`croupier store check` lists all damage)"
        )


def find_damage(engine: Engine, *, quick: bool = False) -> list[str]:
    """Return what is wrong with a store, as its database puts it."""
    try:
        with engine.connect() as connection:
            for table in METADATA.sorted_tables:
                connection.execute(select(table).limit(0))
        return kind_of(engine).damage(engine, quick=quick)
    except SQLAlchemyError as error:
        return [reason_of(error)]
