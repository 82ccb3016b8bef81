"""Players' totals for each game apart, with what their intervals are computed from."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_COUNT = sa.Integer().with_variant(sa.BigInteger, "postgresql")


def upgrade() -> None:
    """Begin the totals anew: they are counted again from the matches on record."""
    op.drop_table("careers")
    op.create_table(
        "careers",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("dialect", sa.String, primary_key=True),
        sa.Column("rules", sa.String, primary_key=True),
        sa.Column("matches", _COUNT, nullable=False),
        sa.Column("hands", _COUNT, nullable=False),
        sa.Column("big_blinds", sa.Float, nullable=False),
        sa.Column("wins", _COUNT, nullable=False),
        sa.Column("hands2", sa.Float, nullable=False),
        sa.Column("big_blinds2", sa.Float, nullable=False),
        sa.Column("products", sa.Float, nullable=False),
    )
    op.execute("UPDATE matches SET counted = 0")
