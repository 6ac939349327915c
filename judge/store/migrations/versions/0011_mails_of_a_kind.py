"""How many mails of a kind somebody got lately is asked for many letters: an index that answers it."""

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_index("mail_of_kind", "mail", ["recipient", "kind", "created_at"])
