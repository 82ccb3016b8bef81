"""Contests."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add contests with their results, acts, pairings and keys."""
    op.create_table(
        "contests",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("title", sa.String, nullable=False, unique=True),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("plan", sa.LargeBinary, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.String, nullable=False),
        sa.Column("secret", sa.Integer, nullable=False),
        sa.Column("beacon", sa.String),
    )
    op.create_table(
        "contest_results",
        sa.Column("contest", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("stage", sa.String, primary_key=True),
        sa.Column("fixture", sa.String, primary_key=True),
        sa.Column("set", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("match", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ended", sa.Float, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("seats", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("match_id", sa.String),
    )
    op.create_table(
        "contest_acts",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("contest", sa.Integer, nullable=False, index=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("act", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "contest_fixtures",
        sa.Column("contest", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("stage", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("fixture", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "contest_keys",
        sa.Column("contest", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("team", sa.String, primary_key=True),
        sa.Column("dialect", sa.String, primary_key=True),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("pid", sa.String, nullable=False),
    )
