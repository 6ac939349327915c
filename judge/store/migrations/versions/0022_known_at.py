"""Add the earliest arrival of a letter whose writer can know of a phase.

For phases that are open now, the judge uses the time at which they opened.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022_known_at"
down_revision = "0021_kept"


def upgrade() -> None:
    """Add the column `known_at`, which is empty for all phases."""
    op.add_column("phase", sa.Column("known_at", sa.DateTime(timezone=True), nullable=True))
