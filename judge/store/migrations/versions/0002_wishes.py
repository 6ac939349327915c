"""What players send besides orders: votes, lines for future phases, preferences; also tokens and a game's comment."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, link, text, time

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "vote",
        identity(),
        link("phase", index=True),
        text("power"),
        text("kind"),
        text("choice"),
        sa.UniqueConstraint("phase_id", "power", "kind"),
    )
    op.create_table(
        "future_line",
        identity(),
        link("game", index=True),
        text("power"),
        text("phase_name"),
        text("text"),
        link("letter", nullable=True),
        time("given_at"),
    )
    op.create_table(
        "token",
        identity(),
        text("digest", unique=True),
        text("purpose"),
        sa.Column("data", sa.JSON, nullable=False),
        time("created_at"),
        time("expires_at"),
        time("used_at", nullable=True),
    )
    for table, column in (("seat", "preference"), ("game", "comment")):
        op.add_column(table, sa.Column(column, sa.String, nullable=False, server_default=""))
        with op.batch_alter_table(table) as change:
            change.alter_column(column, server_default=None)
