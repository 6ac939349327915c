"""Keep answered verified letters by person instead of by seat.

So these letters are also known in other games and outside of games.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018_known_letter"
down_revision = "0017_proved_seats"

_SAME = ("message_id", "digest", "written_at")


def upgrade() -> None:
    """Move the letters that were noted for a seat to the person who has the seat."""
    op.create_table(
        "known_letter",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id"), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True)),
    )
    op.create_index("known_letter_written", "known_letter", ["person_id", "written_at"])
    seats = sa.table("seat", sa.column("id"), sa.column("person_id"))
    counted = sa.table("counted_letter", sa.column("seat_id"), *map(sa.column, _SAME))
    known = sa.table("known_letter", sa.column("person_id"), *map(sa.column, _SAME))
    of_people = sa.select(seats.c.person_id, *(counted.c[name] for name in _SAME)).distinct()
    joined = of_people.select_from(counted.join(seats, seats.c.id == counted.c.seat_id))
    op.execute(known.insert().from_select(["person_id", *_SAME], joined))
    op.drop_table("counted_letter")
