"""Add an index of the secrets in return paths, which now identify bounced mails."""

from alembic import op

revision = "0024_return_tag"
down_revision = "0023_application_preference"


def upgrade() -> None:
    """Add the index of the column `return_tag`."""
    op.create_index("ix_mail_return_tag", "mail", ["return_tag"])
