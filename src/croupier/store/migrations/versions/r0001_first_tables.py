"""Matches and hands."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables of Croupier 0.1."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("ended", sa.Float),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("rules_name", sa.String, nullable=False),
        sa.Column("rules", sa.LargeBinary, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("players", sa.LargeBinary, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.String, nullable=False),
        sa.Column("secret", sa.Integer, nullable=False),
        sa.Column("result", sa.LargeBinary),
    )
    op.create_table(
        "hands",
        sa.Column("match_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ended", sa.Float, nullable=False),
        sa.Column("events", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
