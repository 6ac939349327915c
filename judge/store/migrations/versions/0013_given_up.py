"""The kind of mails about undeliverable ones is the name of their template, as of all others."""

from alembic import op

revision = "0013_given_up"
down_revision = "0012_unread_columns"


def upgrade() -> None:
    """Give rows that have the old kind the new one."""
    op.execute("UPDATE mail SET kind = 'given_up' WHERE kind = 'given up'")
