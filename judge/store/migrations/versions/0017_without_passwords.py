"""Who has chosen to play without a password."""

from alembic import op
from sqlalchemy import Boolean, Column, false

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("seat", Column("passwordless", Boolean, nullable=False, server_default=false()))
