"""The letters of which a copy does nothing, by their Message-IDs; those of known people that were ignored."""

import sqlalchemy as sa
from alembic import op

revision = "0002_letters_that_acted"
down_revision = "0001_first"

_ACTED, _IGNORED = sa.text("message_id != ''"), sa.text("state = 'ignored' AND error != ''")


def upgrade() -> None:
    """Add the columns and the index."""
    op.add_column("letter", sa.Column("message_id", sa.String, nullable=False, server_default=""))
    op.add_column("letter", sa.Column("written_at", sa.DateTime(timezone=True)))
    op.create_index("letter_acted", "letter", ["message_id"], sqlite_where=_ACTED, postgresql_where=_ACTED)
    op.create_index("letter_ignored", "letter", ["done_at"], sqlite_where=_IGNORED, postgresql_where=_IGNORED)
