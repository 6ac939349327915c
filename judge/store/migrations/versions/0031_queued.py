"""Add a column that says whether an applicant waits in line for a free seat."""

import sqlalchemy as sa
from alembic import op

revision = "0031_queued"
down_revision = "0030_posted"


def upgrade() -> None:
    """Add the column `queued`, which is false for all applications."""
    op.add_column("application", sa.Column("queued", sa.Boolean(), nullable=False, server_default=sa.false()))
