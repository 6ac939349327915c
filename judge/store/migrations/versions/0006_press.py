"""The press of a game is stored, so that HISTORY can show it again to the people who received it."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, link, text, time

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "press",
        identity(),
        link("game", index=True),
        link("phase", nullable=True),
        link("seat"),
        time("sent_at"),
        text("sender"),
        sa.Column("grey", sa.Boolean, nullable=False),
        text("recipients"),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("readers", sa.JSON, nullable=False),
        text("text"),
    )
