"""Whether a person gets phases as JSON beside the text."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("person", sa.Column("data", sa.Boolean, nullable=False, server_default=sa.false()))
