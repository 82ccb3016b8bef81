"""The openings of prepared tables: each is on record before anybody may sit down.

They are numbered by arena and table, and each holds the digest of the one before. So whoever noted
a commitment finds it again among them, and an organiser who opened a table several times cannot
hide it. The seed of an opening is for the server alone until its match is over.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Engine, func, select

from croupier.commitments import commitment_to, opening_digest
from croupier.store.databases import arena_of
from croupier.store.places import table_name
from croupier.store.records import OpeningRow
from croupier.store.schema import MATCHES, OPENINGS


def last(engine: Engine, place: str) -> OpeningRow | None:
    """Return the newest opening of a place of the arena that has claimed the store."""
    found = _rows(engine, (arena_of(engine), place), newest=True)
    return found[0] if found else None


def chain(engine: Engine, at: tuple[str, str] | None = None) -> list[OpeningRow]:
    """Return the openings at an arena and place, or of all, in order."""
    return _rows(engine, at)


def page(
    engine: Engine, arena: str | None, table: str, offset: int, limit: int
) -> tuple[list[OpeningRow], int]:
    """Return some of the openings, the newest of each table first, and how many there are.

    They are those of an arena, or of all (None), and of a table, or of all (empty).
    """
    wanted: list[Any] = []
    if arena is not None:
        wanted.append(OPENINGS.c.arena == arena)
    with engine.connect() as connection:
        if table:
            # A table is opened again and again, but has few places.
            places = connection.execute(select(OPENINGS.c.place).where(*wanted).distinct())
            named = [place for (place,) in places if table_name(place) == table]
            wanted.append(OPENINGS.c.place.in_(named))
        count = select(func.count()).select_from(OPENINGS).where(*wanted)
        total = connection.execute(count).scalar_one()
        order = (OPENINGS.c.arena.desc(), OPENINGS.c.place.desc(), OPENINGS.c.number.desc())
        query = _query().where(*wanted).order_by(*order).offset(offset).limit(limit)
        return [_row(row) for row in connection.execute(query)], total


def by_place(rows: Sequence[OpeningRow]) -> list[list[OpeningRow]]:
    """Return openings that are in order apart, by arena and place."""
    return [list(group) for _, group in groupby(rows, key=lambda row: (row.arena, row.place))]


def spent_on(engine: Engine, place: str, announced: str) -> str:
    """Return the match of a place that was dealt with an announced beacon; empty: there is none."""
    query = select(MATCHES.c.id).where(
        MATCHES.c.arena == arena_of(engine),
        MATCHES.c.place == place,
        MATCHES.c.announced == announced,
    )
    with engine.connect() as connection:
        return str(connection.execute(query.limit(1)).scalar() or "")


def problems(rows: Sequence[OpeningRow]) -> list[str]:
    """Return what is wrong with all openings of a place, which has to be nothing."""
    found = []
    previous = ""
    for expected, row in enumerate(rows, 1):
        if row.number != expected:
            found.append(f"opening {expected} is missing")
        if row.previous != previous:
            found.append(f"opening {row.number} does not follow from the one before")
        if _commitment(row) != row.commitment:
            found.append(f"the seed of opening {row.number} does not give its commitment")
        if _digest(row) != row.digest:
            found.append(f"opening {row.number} has another digest than is on record")
        if found:
            break  # the rest follows from it
        previous = row.digest
    return found


def _commitment(row: OpeningRow) -> str:
    try:
        return commitment_to(row.seed, row.salt, row.announced)
    except (TypeError, AttributeError):
        return ""  # a column holds something else


def _digest(row: OpeningRow) -> str:
    try:
        return opening_digest(
            row.previous, row.place, row.number, row.at, row.commitment, row.announced
        )
    except (TypeError, AttributeError, ValueError):
        return ""


def _query() -> Any:
    """Return openings, each with the match that began there."""
    same = (
        (MATCHES.c.arena == OPENINGS.c.arena)
        & (MATCHES.c.place == OPENINGS.c.place)
        & (MATCHES.c.opening == OPENINGS.c.number)
    )
    return select(OPENINGS, MATCHES.c.id.label("match")).outerjoin(MATCHES, same)


def _rows(engine: Engine, at: tuple[str, str] | None, newest: bool = False) -> list[OpeningRow]:
    query = _query()
    if at is not None:
        query = query.where(OPENINGS.c.arena == at[0], OPENINGS.c.place == at[1])
    if newest:
        query = query.order_by(OPENINGS.c.number.desc()).limit(1)
    else:
        query = query.order_by(OPENINGS.c.arena, OPENINGS.c.place, OPENINGS.c.number)
    with engine.connect() as connection:
        return [_row(row) for row in connection.execute(query)]


def _row(row: Any) -> OpeningRow:
    return OpeningRow(
        row.arena,
        row.place,
        row.number,
        row.at,
        row.seed,
        row.salt,
        bool(row.secret),
        row.announced,
        row.commitment,
        row.previous,
        row.digest,
        row.match or "",
    )
