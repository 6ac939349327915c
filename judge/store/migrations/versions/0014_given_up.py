"""Rename the kind of mails about undeliverable mails to the name of their template, as for all other kinds."""

from alembic import op

revision = "0014_given_up"
down_revision = "0013_first"


def upgrade() -> None:
    """Give the new kind to rows that have the old one."""
    op.execute("UPDATE mail SET kind = 'given_up' WHERE kind = 'given up'")
