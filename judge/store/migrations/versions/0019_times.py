"""Add columns: the powers that got more time as newcomers in a phase, and the earliest time for later phases.

Who set the deadline of a phase that is open now is unknown, so that deadline stays the earliest time for later phases.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019_times"
down_revision = "0018_known_letter"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("phase", sa.Column("newcomers", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("phase", sa.Column("floor_at", sa.DateTime(timezone=True)))
    op.execute("UPDATE phase SET floor_at = deadline_at WHERE processed_at IS NULL")
    with op.batch_alter_table("phase") as phase:
        phase.alter_column("newcomers", server_default=None)
