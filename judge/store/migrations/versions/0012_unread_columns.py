"""Columns that nobody read: where in the mailbox a letter was, and whether the reader of a pause is registered."""

from alembic import op

revision = "0012_unread_columns"
down_revision = "0011_public_names"


def upgrade() -> None:
    """Drop the columns."""
    op.drop_column("letter", "uidvalidity")
    op.drop_column("letter", "uid")
    op.drop_column("pause", "registered")
