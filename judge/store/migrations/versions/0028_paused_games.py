"""Since when games are paused, and whether because nobody plays them."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations import columns

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.add_column("game", columns.time("stopped_at", nullable=True))
    op.add_column("game", sa.Column("idle", sa.Boolean, nullable=False, server_default=sa.false()))
