"""The letters of which a copy does nothing, by their Message-IDs; those of known people that were ignored."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import time

revision = "0028"
down_revision = "0027"

_ACTED, _IGNORED = sa.text("message_id != ''"), sa.text("state = 'ignored' AND error != ''")


def upgrade() -> None:
    op.add_column("letter", sa.Column("message_id", sa.String, nullable=False, server_default=""))
    op.add_column("letter", time("written_at", nullable=True))
    op.create_index("letter_acted", "letter", ["message_id"], sqlite_where=_ACTED, postgresql_where=_ACTED)
    op.create_index("letter_ignored", "letter", ["done_at"], sqlite_where=_IGNORED, postgresql_where=_IGNORED)
