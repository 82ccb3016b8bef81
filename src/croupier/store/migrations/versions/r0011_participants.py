"""Who played in which match, so that a player's matches are found without reading all."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

CHUNK = 1000


def upgrade() -> None:
    """Add the names of the players of all matches; damaged headers have none."""
    op.drop_index("unfinished", "matches")
    unfinished = sa.text("ended IS NULL")
    op.create_index(
        "unfinished",
        "matches",
        ["began", "id"],
        sqlite_where=unfinished,
        postgresql_where=unfinished,
    )
    participants = op.create_table(
        "participants",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("match_id", sa.String, primary_key=True, index=True),
    )
    matches = sa.table("matches", sa.column("id", sa.String), sa.column("players", sa.LargeBinary))
    connection = op.get_bind()
    found = connection.execute(sa.select(matches)).all()
    rows = [{"name": name, "match_id": row.id} for row in found for name in _names(row.players)]
    for start in range(0, len(rows), CHUNK):
        connection.execute(sa.insert(participants), rows[start : start + CHUNK])


def _names(players: bytes) -> set[str]:
    try:
        found = [(player["name"], player.get("pid")) for player in json.loads(players)]
        return {
            text
            for name, pid in found
            for text in ((name,) if pid is None else (name, f"{name}-{pid}"))
        }
    except (ValueError, TypeError, LookupError, AttributeError):
        return set()
