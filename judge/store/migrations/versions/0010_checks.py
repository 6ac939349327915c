"""Whether a player's confirmations come with notes on orders that can hardly be meant."""

import sqlalchemy as sa
from alembic import op

revision = "0010_checks"
down_revision = "0008_lines_ahead_as_text"


def upgrade() -> None:
    """Add the column; everybody has notes."""
    op.add_column("person", sa.Column("checks", sa.Boolean, nullable=False, server_default=sa.true()))
