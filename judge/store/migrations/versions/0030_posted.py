"""Add the table with the result that was last posted to a club's room."""

import sqlalchemy as sa
from alembic import op

revision = "0030_posted"
down_revision = "0029_unwanted"


def upgrade() -> None:
    """Add the table `posted`, which is empty.

    Results from before this step are not posted.
    """
    op.create_table(
        "posted",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=True),
    )
