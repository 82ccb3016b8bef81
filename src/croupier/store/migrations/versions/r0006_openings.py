"""Openings of prepared tables, and what enters the deals of a match besides its seed."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the openings, and what a match was bound to."""
    op.create_table(
        "openings",
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
    for column in (
        sa.Column("scheme", sa.Integer, server_default=sa.text("1"), nullable=False),
        sa.Column("opening", sa.Integer),
        sa.Column("announced", sa.String, server_default=sa.text("''"), nullable=False),
        sa.Column("beacon", sa.String, server_default=sa.text("''"), nullable=False),
    ):
        op.add_column("matches", column)
    op.create_index("of_place", "matches", ["place", "opening"])
