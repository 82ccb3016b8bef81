"""What is on record.

Until a match has ended, nothing here gives away its seed or a card that was not shown.
"""

from typing import Any

import msgspec
from sqlalchemy import Engine, select

from croupier.rules.rules import Rules
from croupier.store.schema import HANDS, MATCHES


def rules_from(data: bytes) -> Rules:
    """Return the rules of a match's header."""
    return Rules().with_fields(msgspec.json.decode(data))


def unfinished(engine: Engine, place: str) -> tuple[dict[str, Any], dict[str, Any] | None] | None:
    """Return the header, with its seed, and the last state of a match that was cut off at a place.

    For the server that goes on with it, and for nobody else.
    """
    with engine.connect() as connection:
        header = connection.execute(
            select(MATCHES)
            .where(MATCHES.c.place == place, MATCHES.c.ended.is_(None))
            .order_by(MATCHES.c.began.desc())
            .limit(1)
        ).first()
        if header is None:
            return None
        state = connection.execute(
            select(HANDS.c.state)
            .where(HANDS.c.match_id == header.id)
            .order_by(HANDS.c.number.desc())
            .limit(1)
        ).scalar()
    return header._asdict(), None if state is None else msgspec.json.decode(state)
