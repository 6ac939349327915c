"""From when letters may know of a phase: of those that are open at the upgrade since they opened."""

import sqlalchemy as sa
from alembic import op

revision = "0022_known_at"
down_revision = "0021_kept"


def upgrade() -> None:
    """Add the column."""
    op.add_column("phase", sa.Column("known_at", sa.DateTime(timezone=True), nullable=True))
