"""Add a column that says whether a letter has proved that the player wants the seat."""

import sqlalchemy as sa
from alembic import op

revision = "0017_proved_seats"
down_revision = "0016_taken_at"


def upgrade() -> None:
    """Add the column `proved`, which is true for all older seats."""
    op.add_column("seat", sa.Column("proved", sa.Boolean(), nullable=False, server_default=sa.true()))
    with op.batch_alter_table("seat") as seat:
        seat.alter_column("proved", server_default=None)
