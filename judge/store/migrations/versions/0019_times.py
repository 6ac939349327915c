"""Add columns for powers whose new players got more time, and for the earliest time of later phases.

The database does not say who set the deadline of a phase that is open now. So that deadline stays the earliest time for
later phases.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019_times"
down_revision = "0018_known_letter"


def upgrade() -> None:
    """Add the columns `newcomers` and `floor_at` to the phases."""
    op.add_column("phase", sa.Column("newcomers", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("phase", sa.Column("floor_at", sa.DateTime(timezone=True)))
    op.execute("UPDATE phase SET floor_at = deadline_at WHERE processed_at IS NULL")
    with op.batch_alter_table("phase") as phase:
        phase.alter_column("newcomers", server_default=None)
