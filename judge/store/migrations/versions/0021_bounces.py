"""Addresses from which mails come back, and mails that are held because of that; how many mails were sent lately."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, text, time, where

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "bounced_address",
        identity(),
        text("address"),
        sa.Column("bounces", sa.Integer, nullable=False),
        time("last_at"),
        text("reason"),
        time("dead_since", nullable=True),
        time("told_at", nullable=True),
        sa.UniqueConstraint("address"),
        where("bounced_dead", "dead_since", where="dead_since IS NOT NULL"),
    )
    op.add_column("mail", time("bounced_at", nullable=True))
    op.add_column("mail", time("withheld_at", nullable=True))
    condition = sa.text("sent_at IS NOT NULL")
    op.create_index("mail_sent", "mail", ["sent_at"], sqlite_where=condition, postgresql_where=condition)
