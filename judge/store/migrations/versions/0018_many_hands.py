"""Pictures that one process draws and another one sends."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, text, time

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "sheet",
        identity(),
        sa.Column("picture_id", sa.Integer, sa.ForeignKey("picture.id", ondelete="CASCADE"), nullable=False),
        text("part"),
        sa.Column("data", sa.LargeBinary, nullable=True),
        time("drawn_at", index=True),
        sa.UniqueConstraint("picture_id", "part"),
    )
