"""Sums over stretches of hands and over players' matches."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_COUNT = sa.Integer().with_variant(sa.BigInteger, "postgresql")
_UNCOUNTED = sa.text("counted = 0 AND ended IS NOT NULL")


def upgrade() -> None:
    """Add the sums, and the indexes of what is looked for most."""
    op.create_table(
        "stretches",
        sa.Column("match_id", sa.String, primary_key=True),
        sa.Column("last", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("sums", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "careers",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("dialect", sa.String, primary_key=True),
        sa.Column("matches", _COUNT, nullable=False),
        sa.Column("hands", _COUNT, nullable=False),
        sa.Column("big_blinds", sa.Float, nullable=False),
        sa.Column("wins", _COUNT, nullable=False),
    )
    counted = sa.Column("counted", sa.Integer, server_default=sa.text("0"), nullable=False)
    op.add_column("matches", counted)
    op.create_index(
        "uncounted",
        "matches",
        ["ended"],
        sqlite_where=_UNCOUNTED,
        postgresql_where=_UNCOUNTED,
    )
    op.create_index("newest", "matches", ["began", "id"])
