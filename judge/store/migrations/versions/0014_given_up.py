"""The kind of mails about undeliverable ones is the name of their template, as of all others."""

from alembic import op

revision = "0014_given_up"
down_revision = "0013_first"


def upgrade() -> None:
    """Give rows that have the old kind the new one."""
    op.execute("UPDATE mail SET kind = 'given_up' WHERE kind = 'given up'")
