"""Add the column `kept` with the data for reopening a phase.

It replaces the column for the position before corrections.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021_kept"
down_revision = "0020_event_times"


def upgrade() -> None:
    """Replace the column `uncorrected` with `kept`."""
    op.add_column("phase", sa.Column("kept", sa.JSON(), nullable=True))
    phase = sa.table("phase", sa.column("id"), sa.column("uncorrected", sa.JSON()), sa.column("kept", sa.JSON()))
    for number, position in op.get_bind().execute(sa.select(phase.c.id, phase.c.uncorrected)).all():
        if position:
            op.execute(phase.update().where(phase.c.id == number).values(kept={"position": position}))
    op.drop_column("phase", "uncorrected")
