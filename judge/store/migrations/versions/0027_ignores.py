"""Add the senders whose press a player has chosen not to get."""

import sqlalchemy as sa
from alembic import op

revision = "0027_ignores"
down_revision = "0026_displaced"


def upgrade() -> None:
    """Add the column `ignores`, which is empty for all seats."""
    op.add_column("seat", sa.Column("ignores", sa.JSON(), nullable=False, server_default="[]"))
