"""Add the invitations that people have sent, and the refusals of invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0032_invitation"
down_revision = "0031_queued"


def upgrade() -> None:
    """Add the table `invitation`."""
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), nullable=True),
        sa.Column("game_id", sa.Integer, sa.ForeignKey("game.id"), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_invitation_digest", "invitation", ["digest"])
    op.create_index("ix_invitation_person_id", "invitation", ["person_id"])
