"""The signed letters that have counted for the seats of players without a password."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import time

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.create_table(
        "counted_letter",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("seat_id", sa.Integer, sa.ForeignKey("seat.id"), nullable=False, index=True),
        sa.Column("letter_id", sa.Integer, sa.ForeignKey("letter.id"), nullable=False),
        sa.Column("message_id", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        time("written_at", nullable=True),
    )
