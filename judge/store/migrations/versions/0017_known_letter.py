"""Verified letters that were answered are kept by person, for all games and for what is outside of games."""

import sqlalchemy as sa
from alembic import op

revision = "0017_known_letter"
down_revision = "0016_taken_at"


def upgrade() -> None:
    """Move the letters that have counted for a seat to its holder."""
    op.create_table(
        "known_letter",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True)),
    )
    op.create_index("known_letter_written", "known_letter", ["person_id", "written_at"])
    op.execute(
        "INSERT INTO known_letter (person_id, message_id, digest, written_at) "
        "SELECT DISTINCT seat.person_id, message_id, digest, written_at "
        "FROM counted_letter JOIN seat ON seat.id = counted_letter.seat_id"
    )
    op.drop_table("counted_letter")
