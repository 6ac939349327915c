"""An index of the mails that the mail server has deferred: what comes after them waits for them."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

_WHERE = sa.text("attempts > 0 AND sent_at IS NULL AND failed_at IS NULL")


def upgrade() -> None:
    op.create_index("mail_deferred", "mail", ["id"], sqlite_where=_WHERE, postgresql_where=_WHERE)
