"""What teams ask of a contest over the site."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the queue."""
    op.create_table(
        "contest_requests",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("contest", sa.Integer, nullable=False, index=True),
        sa.Column("team", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("about", sa.LargeBinary, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
    )
