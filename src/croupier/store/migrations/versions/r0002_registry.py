"""The registry of players."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the registry."""
    op.create_table(
        "registry",
        sa.Column("token", sa.String, primary_key=True),
        sa.Column("display", sa.String, nullable=False),
        sa.Column("folded", sa.String, nullable=False, unique=True),
        sa.Column("table", sa.String, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
    )
