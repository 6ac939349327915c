"""What a forming game needs: when its people are told the news next, and who asks to join it."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, link, text, time

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("game", time("notice_at", nullable=True))
    op.create_index("ix_game_notice_at", "game", ["notice_at"])
    # People in games that are already forming are told a week from now.
    game = sa.table("game", sa.column("state", sa.String), time("notice_at"))
    in_a_week = datetime.now(UTC) + timedelta(days=7)
    op.execute(game.update().where(game.c.state == "forming").values(notice_at=in_a_week))
    op.create_table(
        "application",
        identity(),
        link("game", index=True),
        link("person"),
        text("address"),
        text("password"),
        text("power", nullable=True),
        time("asked_at"),
        sa.UniqueConstraint("game_id", "person_id"),
    )
