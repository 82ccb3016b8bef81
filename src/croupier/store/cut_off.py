"""Matches that were cut off, for the server that goes on with them and for nobody else.

Unlike `queries`, this gives away the seed of a match that is not over.
"""

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Engine, func, select

from croupier.store.schema import HANDS, MATCHES

CutOff = tuple[dict[str, Any], dict[str, Any] | None]
"""The header, with its seed, and the last state of a match that was cut off."""


def unfinished(engine: Engine, place: str) -> CutOff | None:
    """Return the newest match that was cut off at a place."""
    found = _cut_off(engine, MATCHES.c.place == place)
    return found[0] if found else None


def has_ended(engine: Engine, place: str) -> bool:
    """Tell whether the newest match of a place was played to its end, or ended by someone."""
    newest = select(MATCHES.c.ended).where(MATCHES.c.place == place)
    with engine.connect() as connection:
        row = connection.execute(newest.order_by(MATCHES.c.began.desc()).limit(1)).first()
    return row is not None and row.ended is not None


def all_unfinished(engine: Engine, beginning: str) -> list[CutOff]:
    """Return all matches that were cut off at places with this beginning."""
    return _cut_off(engine, func.substr(MATCHES.c.place, 1, len(beginning)) == beginning)


def _cut_off(engine: Engine, where: ColumnElement[bool]) -> list[CutOff]:
    query = select(MATCHES).where(where, MATCHES.c.ended.is_(None)).order_by(MATCHES.c.began.desc())
    with engine.connect() as connection:
        found = []
        for header in connection.execute(query).all():
            state = connection.execute(
                select(HANDS.c.state)
                .where(HANDS.c.match_id == header.id)
                .order_by(HANDS.c.number.desc())
                .limit(1)
            ).scalar()
            last = None if state is None else msgspec.json.decode(state)
            found.append((header._asdict(), last))
    return found
