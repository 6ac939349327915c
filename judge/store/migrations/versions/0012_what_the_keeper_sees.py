"""What the keeper sees: when they were told of a mail that was given up, when they dismissed it, and which phases are
held.
"""

from alembic import op
from sqlalchemy import Boolean, Column, false

from judge.store.migrations.columns import time

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("mail", time("told_at", nullable=True))
    op.add_column("mail", time("dismissed_at", nullable=True))
    op.add_column("mail", Column("masked", Boolean, nullable=False, server_default=false()))
    op.add_column("phase", time("held_since", nullable=True))
