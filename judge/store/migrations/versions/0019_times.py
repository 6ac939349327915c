"""Which powers were given a newcomer's time in a phase, and before when no later phase may be due.

Of phases that are open now it is not known who set the deadline: it stays a floor, as it was until now.
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
