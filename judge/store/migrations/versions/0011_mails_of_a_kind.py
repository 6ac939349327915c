"""An index for a frequent question: how many mails of one kind an address got recently."""

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_index("mail_of_kind", "mail", ["recipient", "kind", "created_at"])
