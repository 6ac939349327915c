"""Add the time of the last event, and the end of the time whose letters are replayed."""

import sqlalchemy as sa
from alembic import op

revision = "0020_event_times"
down_revision = "0019_times"


def upgrade() -> None:
    """Add the columns `event_at` and `replays_until`, which are empty."""
    for name in ("event_at", "replays_until"):
        op.add_column("watch", sa.Column(name, sa.DateTime(timezone=True)))
