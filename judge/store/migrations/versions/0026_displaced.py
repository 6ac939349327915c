"""Add the winter orders that a later letter replaced, since the results name them."""

import sqlalchemy as sa
from alembic import op

revision = "0026_displaced"
down_revision = "0025_recovered"


def upgrade() -> None:
    """Add the column `displaced`, which is empty for the orders on file."""
    op.add_column("orders", sa.Column("displaced", sa.JSON(), nullable=False, server_default="[]"))
