"""Mails that are named by a secret of their own, and what is shown of those that came back."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import time

revision = "0025"
down_revision = "0024"

_NEWS = sa.text("news_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("mail", sa.Column("return_tag", sa.String, nullable=False, server_default=""))
    op.add_column("mail", time("cited_at", nullable=True))
    op.add_column("bounced_address", sa.Column("refused", sa.Integer, nullable=False, server_default="0"))
    op.add_column("bounced_address", sa.Column("refusal", sa.String, nullable=False, server_default=""))
    op.add_column("bounced_address", time("news_at", nullable=True))
    op.add_column("bounced_address", time("dismissed_at", nullable=True))
    op.create_index("bounced_news", "bounced_address", ["news_at"], sqlite_where=_NEWS, postgresql_where=_NEWS)
