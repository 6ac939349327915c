"""Add the earliest arrival of a letter that can know of a phase; for open phases, the time at which they opened."""

import sqlalchemy as sa
from alembic import op

revision = "0022_known_at"
down_revision = "0021_kept"


def upgrade() -> None:
    """Add the column."""
    op.add_column("phase", sa.Column("known_at", sa.DateTime(timezone=True), nullable=True))
