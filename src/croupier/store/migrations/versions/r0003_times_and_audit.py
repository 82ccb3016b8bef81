"""How long decisions took, matches that are paused, and what organisers did."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add them."""
    op.add_column("hands", sa.Column("times", sa.LargeBinary))
    paused = sa.Column("paused", sa.Integer, server_default=sa.text("0"), nullable=False)
    op.add_column("matches", paused)
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("actor", sa.String, nullable=False),
        sa.Column("act", sa.String, nullable=False),
        sa.Column("table", sa.String, nullable=False),
        sa.Column("detail", sa.String, nullable=False),
        sa.Column("outcome", sa.String, nullable=False),
    )
