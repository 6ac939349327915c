"""Add the preferred powers of people who ask to join a moderated game."""

import sqlalchemy as sa
from alembic import op

revision = "0023_application_preference"
down_revision = "0022_known_at"


def upgrade() -> None:
    """Add the column `preference`, which is empty for earlier applications."""
    op.add_column("application", sa.Column("preference", sa.String(), nullable=False, server_default=""))
    with op.batch_alter_table("application") as application:
        application.alter_column("preference", server_default=None)
