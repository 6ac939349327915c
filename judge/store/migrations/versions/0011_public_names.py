"""Whether a person's name may be on the public pages."""

import sqlalchemy as sa
from alembic import op

revision = "0011_public_names"
down_revision = "0010_checks"


def upgrade() -> None:
    """Add the column."""
    op.add_column("person", sa.Column("public_name", sa.Boolean, nullable=False, server_default=sa.false()))
