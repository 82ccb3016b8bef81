"""Arenas: whose matches, openings, contests and acts these are, where several share a database."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Give everything on record to the arena without a name."""
    op.create_table(
        "arenas",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("site", sa.String, nullable=False),
    )
    for table in ("matches", "contests", "audit"):
        op.add_column(
            table, sa.Column("arena", sa.String, server_default=sa.text("''"), nullable=False)
        )
    op.drop_index("of_place", "matches")
    op.create_index("of_place", "matches", ["place", "arena", "opening"])
    unfinished = sa.text("ended IS NULL")
    op.create_index(
        "unfinished", "matches", ["began"], sqlite_where=unfinished, postgresql_where=unfinished
    )
    # SQLite cannot change a primary key, so the table is made anew.
    op.rename_table("openings", "openings_before")
    op.create_table(
        "openings",
        sa.Column("arena", sa.String, primary_key=True),
        sa.Column("place", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.Integer, nullable=False),
        sa.Column("announced", sa.String, nullable=False),
        sa.Column("commitment", sa.String, nullable=False),
        sa.Column("previous", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
    )
    columns = "place, number, at, seed, salt, secret, announced, commitment, previous, digest"
    op.execute(f"INSERT INTO openings (arena, {columns}) SELECT '', {columns} FROM openings_before")
    op.drop_table("openings_before")
