"""Who played in which match: the names by which somebody may look for a player's matches."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, select

from croupier.store.databases import kind_of
from croupier.store.schema import MATCHES, PARTICIPANTS


def add(connection: Connection, headers: Sequence[dict[str, Any]]) -> None:
    """Add the players of matches; those that are there already stay."""
    rows = [
        {"name": name, "match_id": header["id"]}
        for header in headers
        for name in sorted(_names(header["players"]))
    ]
    if rows:
        kind_of(connection).insert_new(connection, PARTICIPANTS, rows)


def drop(connection: Connection, match_id: str) -> None:
    """Remove the players of a match that is not kept."""
    connection.execute(delete(PARTICIPANTS).where(PARTICIPANTS.c.match_id == match_id))


def has_player(name: str) -> ColumnElement[bool]:
    """Return the condition that a match has a player of this name, with or without its number."""
    theirs = select(PARTICIPANTS.c.match_id).where(PARTICIPANTS.c.name == name)
    return MATCHES.c.id.in_(theirs)


def _names(players: bytes) -> set[str]:
    found = [(player["name"], player.get("pid")) for player in msgspec.json.decode(players)]
    return {
        text
        for name, pid in found
        for text in ((name,) if pid is None else (name, f"{name}-{pid}"))
    }
