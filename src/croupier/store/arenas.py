"""The arenas that share a database: each has a name, and perhaps a site of its own.

Every match, opening and contest belongs to one: the arena for which its server claimed the store.
That of stores which only ever had one server has an empty name.
"""

import re

from sqlalchemy import Engine, select

from croupier.store.databases import kind_of
from croupier.store.schema import ARENAS, writing

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")

A_NAME = "a name of at most 32 letters, digits, dots, hyphens and underlines"


def is_name(name: str) -> bool:
    """Tell whether an arena that shares a database may have this name."""
    return bool(_NAME.fullmatch(name))


def announce(engine: Engine, arena: str, site: str) -> None:
    """Put on record where an arena's site is; empty: it has none any more."""
    with writing(engine) as connection:
        new = kind_of(connection).insert(ARENAS).values(name=arena, site=site)
        connection.execute(new.on_conflict_do_update(index_elements=["name"], set_={"site": site}))


def sites(engine: Engine) -> dict[str, str]:
    """Return the addresses of arenas' sites, by arena, as far as they are known."""
    with engine.connect() as connection:
        return {row.name: row.site for row in connection.execute(select(ARENAS)) if row.site}
