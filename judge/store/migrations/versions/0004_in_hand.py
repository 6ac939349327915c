"""Who has a mail or a picture in hand, why a mail waits, and what became of a picture."""

import sqlalchemy as sa
from alembic import op

revision = "0004_in_hand"
down_revision = "0003_paused_games"

_WAITING = sa.text("sent_at IS NULL AND failed_at IS NULL")
_TAKEN = sa.text("taken_by IS NOT NULL")


def upgrade() -> None:
    """Add the columns and indexes, and set them for what is there."""
    op.add_column("mail", sa.Column("taken_by", sa.String))
    op.add_column("mail", sa.Column("waiting_for", sa.String, nullable=False, server_default=""))
    op.add_column("picture", sa.Column("drawing", sa.String, nullable=False, server_default=""))
    op.create_index("ix_picture_drawing", "picture", ["drawing"])
    op.execute(sa.text("UPDATE picture SET drawing = digest"))
    op.add_column("picture", sa.Column("taken_by", sa.String))
    op.add_column("picture", sa.Column("drawn_at", sa.DateTime(timezone=True)))
    op.add_column("picture", sa.Column("failed_at", sa.DateTime(timezone=True)))
    op.drop_index("mail_deferred", "mail")
    op.create_index(
        "mail_in_order", "mail", ["recipient", "game_id", "id"], sqlite_where=_WAITING, postgresql_where=_WAITING
    )
    op.create_index("picture_taken", "picture", ["taken_by"], sqlite_where=_TAKEN, postgresql_where=_TAKEN)
    op.create_index("mail_taken", "mail", ["taken_by"], sqlite_where=_TAKEN, postgresql_where=_TAKEN)
    mails = sa.table("mail", sa.column("waiting_for"), sa.column("attempts"), sa.column("withheld_at"))
    why = sa.case((mails.c.attempts <= 2, "greylisting"), else_="server")
    op.execute(sa.update(mails).where(_WAITING, mails.c.attempts > 0).values(waiting_for=why))
    op.execute(sa.update(mails).where(mails.c.withheld_at.is_not(None)).values(waiting_for="bounce"))
    # A row without a part's bytes said that the picture could not be drawn.
    op.execute(sa.text("DELETE FROM sheet WHERE data IS NULL"))
