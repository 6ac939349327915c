"""Rename the kind of mails about undeliverable mails to the name of their template."""

from alembic import op

revision = "0014_given_up"
down_revision = "0013_first"


def upgrade() -> None:
    """Replace the old kind in all rows of mails."""
    op.execute("UPDATE mail SET kind = 'given_up' WHERE kind = 'given up'")
