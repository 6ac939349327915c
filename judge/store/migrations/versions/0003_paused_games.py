"""Since when games are paused, and whether because nobody plays them."""

import sqlalchemy as sa
from alembic import op

revision = "0003_paused_games"
down_revision = "0002_letters_that_acted"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("game", sa.Column("stopped_at", sa.DateTime(timezone=True)))
    op.add_column("game", sa.Column("idle", sa.Boolean, nullable=False, server_default=sa.false()))
