"""An index of the secrets in the return paths of mails, which alone say from now on which mail has bounced."""

from alembic import op

revision = "0024_return_tag"
down_revision = "0023_application_preference"


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_mail_return_tag", "mail", ["return_tag"])
