"""What the deadlines of a game need: notices, absences, who was on time, the standby list, and the judge's outages."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, link, text, time

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("phase", time("notice_at", nullable=True))
    op.create_index("ix_phase_notice_at", "phase", ["notice_at"])
    op.add_column("person", time("standby_since", nullable=True))
    op.create_table(
        "absence",
        identity(),
        link("seat", index=True),
        time("starts_at"),
        time("ends_at"),
    )
    op.create_table(
        "attendance",
        identity(),
        link("phase"),
        link("seat"),
        link("person", index=True),
        text("result"),
        time("at"),
        sa.UniqueConstraint("phase_id", "seat_id"),
    )
    op.create_table(
        "watch",
        identity(),
        time("swept_at"),
        time("outage_from", nullable=True),
        time("outage_to", nullable=True),
    )
