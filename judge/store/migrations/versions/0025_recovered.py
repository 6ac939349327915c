"""Add the end of the time whose letters were replayed after a restore; mails about that time mention it."""

import sqlalchemy as sa
from alembic import op

revision = "0025_recovered"
down_revision = "0024_return_tag"


def upgrade() -> None:
    """Add the column, empty for a judge that was recovered before."""
    op.add_column("watch", sa.Column("recovered_until", sa.DateTime(timezone=True)))
