"""How many answers and how much press an hour may have: answers counted by reader and domain, answers that wait."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, text, time, where

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "answered",
        identity(),
        text("account"),
        text("domain"),
        time("at", index=True),
        sa.Index("answered_account", "account", "at"),
        sa.Index("answered_domain", "domain", "at"),
    )
    op.create_table(
        "pause",
        identity(),
        text("address"),
        text("account"),
        text("domain"),
        sa.Column("registered", sa.Boolean, nullable=False),
        time("begun_at"),
        time("ends_at"),
        time("forgotten_at"),
        sa.Column("answers", sa.JSON, nullable=False),
        sa.Column("more", sa.Integer, nullable=False),
        text("secret", nullable=True),
        time("ended_at", nullable=True),
        sa.Index("pause_account", "account", "forgotten_at"),
        where("pause_open", "ends_at", where="ended_at IS NULL"),
    )
    op.create_index("press_of_seat", "press", ["seat_id", "sent_at"])
