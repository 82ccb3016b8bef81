"""Read unfinished matches, for the server that resumes them and nothing else.

They are those of the arena for which the server has claimed the store. Unlike `queries`, this
module reveals the seed of a match that has not ended.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Engine, Row, func, select

from croupier.rules.events import Event
from croupier.store.codec import decode
from croupier.store.databases import arena_of
from croupier.store.schema import HANDS, MATCHES

UnfinishedMatch = tuple[dict[str, Any], dict[str, Any] | None]
"""The header of a match, including its seed, and its last state if a hand is on record."""


def unfinished(engine: Engine, place: str) -> UnfinishedMatch | None:
    """Return the newest unfinished match of a place, if there is one."""
    found = _unfinished(engine, _is_at(engine, place))
    return found[0] if found else None


def last_ended(engine: Engine, place: str) -> UnfinishedMatch | None:
    """Return the newest match of a place that has ended, if there is one."""
    with engine.connect() as connection:
        newest = select(MATCHES).where(_is_at(engine, place), MATCHES.c.ended.is_not(None))
        header = connection.execute(newest.order_by(MATCHES.c.began.desc()).limit(1)).first()
        return None if header is None else _with_state(connection, header)


def has_ended(engine: Engine, place: str) -> bool:
    """Tell whether the newest match of a place has ended."""
    newest = select(MATCHES.c.ended).where(_is_at(engine, place))
    with engine.connect() as connection:
        row = connection.execute(newest.order_by(MATCHES.c.began.desc()).limit(1)).first()
    return row is not None and row.ended is not None


def all_unfinished(engine: Engine, beginning: str) -> list[UnfinishedMatch]:
    """Return the unfinished matches of all places with this prefix, the newest first."""
    begins = func.substr(MATCHES.c.place, 1, len(beginning)) == beginning
    return _unfinished(engine, begins & (MATCHES.c.arena == arena_of(engine)))


def states_of(engine: Engine, match_id: str) -> list[dict[str, Any]]:
    """Return the states of a match after each of its records, in order."""
    query = select(HANDS.c.state).where(HANDS.c.match_id == match_id).order_by(HANDS.c.number)
    with engine.connect() as connection:
        return [msgspec.json.decode(state) for state in connection.execute(query).scalars()]


def events_of(engine: Engine, match_id: str) -> Iterator[list[Event]]:
    """Yield the events of each record of a match, in order, with all cards."""
    query = select(HANDS.c.events).where(HANDS.c.match_id == match_id).order_by(HANDS.c.number)
    with engine.connect() as connection:
        for events in connection.execute(query).scalars():
            yield decode(events)


def _is_at(engine: Engine, place: str) -> ColumnElement[bool]:
    return (MATCHES.c.place == place) & (MATCHES.c.arena == arena_of(engine))


def _unfinished(engine: Engine, where: ColumnElement[bool]) -> list[UnfinishedMatch]:
    query = select(MATCHES).where(where, MATCHES.c.ended.is_(None)).order_by(MATCHES.c.began.desc())
    with engine.connect() as connection:
        headers = connection.execute(query).all()
        return [_with_state(connection, header) for header in headers]


def _with_state(connection: Connection, header: Row[Any]) -> UnfinishedMatch:
    state = connection.execute(
        select(HANDS.c.state)
        .where(HANDS.c.match_id == header.id)
        .order_by(HANDS.c.number.desc())
        .limit(1)
    ).scalar()
    return header._asdict(), None if state is None else msgspec.json.decode(state)
