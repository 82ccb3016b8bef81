"""The stretches of hands that a store keeps; see `store.stretches` for what they are."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, Engine, select

from croupier.store.databases import kind_of
from croupier.store.schema import MATCHES, STRETCHES, writing
from croupier.store.stretches import STRETCH, Stretch, decoded


def kept(engine: Engine, match_id: str, after: int, last: int) -> dict[int, Stretch]:
    """Return the stretches of a match that begin after one hand and end until another.

    The key is a stretch's last number. Those that are damaged are left out.
    """
    query = (
        select(STRETCHES.c.last, STRETCHES.c.sums)
        .where(STRETCHES.c.match_id == match_id)
        .where(STRETCHES.c.last >= after + STRETCH, STRETCHES.c.last <= last)
    )
    with engine.connect() as connection:
        rows = connection.execute(query).all()
    found: dict[int, Stretch] = {}
    for number, sums in rows:
        stretch = decoded(sums, number)
        if stretch is not None:
            found[number] = stretch
    return found


def keep(engine: Engine, match_id: str, stretches: Mapping[int, Stretch]) -> None:
    """Keep stretches that were computed from the record, unless the match is gone meanwhile."""
    rows = [
        {"match_id": match_id, "last": last, "sums": msgspec.msgpack.encode(stretch)}
        for last, stretch in stretches.items()
    ]
    if rows:
        with writing(engine) as connection:
            if _has(connection, match_id):
                new = kind_of(connection).insert(STRETCHES)
                replacing = new.on_conflict_do_update(
                    index_elements=list(STRETCHES.primary_key), set_={"sums": new.excluded.sums}
                )
                connection.execute(replacing, rows)


def _has(connection: Connection, match_id: str) -> bool:
    found = select(MATCHES.c.id).where(MATCHES.c.id == match_id)
    return connection.execute(found).first() is not None
