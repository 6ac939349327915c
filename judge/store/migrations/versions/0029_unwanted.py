"""Add the kinds of notices that a person has chosen not to get."""

import sqlalchemy as sa
from alembic import op

revision = "0029_unwanted"
down_revision = "0027_ignores"


def upgrade() -> None:
    """Add the column `unwanted`, which is empty for all people."""
    op.add_column("person", sa.Column("unwanted", sa.JSON(), nullable=False, server_default="[]"))
