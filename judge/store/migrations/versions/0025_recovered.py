"""Add the end of the time whose letters were replayed after a backup was restored.

Mails about that time mention the restored backup.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025_recovered"
down_revision = "0024_return_tag"


def upgrade() -> None:
    """Add the column `recovered_until`, which is empty even if the judge was recovered before."""
    op.add_column("watch", sa.Column("recovered_until", sa.DateTime(timezone=True)))
