"""Indexes that only have the rows that still matter, and those that find what is too old to be kept."""

from alembic import op
from sqlalchemy import text

revision = "0019"
down_revision = "0018"

_OPEN = "processed_at IS NULL"
_WAITING = "state = 'new' OR state = 'held' OR state = 'shunted'"
_WRITTEN = "length(raw) > 0"


def upgrade() -> None:
    op.drop_index("ix_phase_due_at", "phase")
    op.drop_index("ix_phase_notice_at", "phase")
    _index("phase_due", "phase", "due_at", where=_OPEN)
    _index("phase_notice", "phase", "notice_at", where=_OPEN)
    op.create_index("token_living", "token", ["purpose", "expires_at"])
    op.create_index("token_expired", "token", ["expires_at"])
    op.create_index("picture_created", "picture", ["created_at"])
    op.drop_index("ix_game_state", "game")
    op.create_index("game_ended", "game", ["ended_at"])
    _index("game_living", "game", "name", where="state != 'finished'")
    op.drop_index("letter_waiting", "letter")
    _index("letter_waiting", "letter", "state", "received_at", "id", where=_WAITING)
    _index("letter_written", "letter", "done_at", where=_WRITTEN)
    _index("mail_written", "mail", "created_at", where=_WRITTEN)
    _index("mail_with_picture", "mail", "picture_id", where="picture_id IS NOT NULL")
    op.drop_index("mail_failed", "mail")
    _index("mail_failed", "mail", "failed_at", where="failed_at IS NOT NULL AND dismissed_at IS NULL")


def _index(name: str, table: str, *columns: str, where: str) -> None:
    op.create_index(name, table, list(columns), sqlite_where=text(where), postgresql_where=text(where))
