"""Bids: which powers spend Diplomacy Points on which order of a neutral."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, link, text, time

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "bid",
        identity(),
        link("phase", index=True),
        text("power"),
        sa.Column("points", sa.Integer, nullable=False),
        text("province"),
        text("text"),
        link("letter", nullable=True),
        time("given_at"),
        sa.UniqueConstraint("phase_id", "power", "text"),
    )
