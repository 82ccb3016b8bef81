"""The number of a match in its set of duplicates."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the number; whatever was played before dealt plainly."""
    op.add_column(
        "matches", sa.Column("twin", sa.Integer, server_default=sa.text("0"), nullable=False)
    )
