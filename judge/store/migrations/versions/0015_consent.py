"""Add the answers of players to lines that need the agreement of all players."""

import sqlalchemy as sa
from alembic import op

revision = "0015_consent"
down_revision = "0014_given_up"


def upgrade() -> None:
    """Add the table `consent`."""
    op.create_table(
        "consent",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat_id", sa.Integer, sa.ForeignKey("seat.id"), nullable=False),
        sa.Column("line", sa.String, nullable=False),
        sa.Column("agrees", sa.Boolean, nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("game_id", "line", "seat_id"),
    )
    op.create_index("ix_consent_game_id", "consent", ["game_id"])
