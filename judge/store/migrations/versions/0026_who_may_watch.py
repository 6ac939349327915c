"""Requests to observe a game; games whose creator was proved; names as they look."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.add_column("application", sa.Column("role", sa.String, nullable=False, server_default=sa.text("'player'")))
    op.add_column("person", sa.Column("looks", sa.String, nullable=False, server_default=sa.text("''")))
    op.execute("UPDATE person SET looks = lower(name)")
    op.create_index("ix_person_looks", "person", ["looks"])
    op.add_column("game", sa.Column("proved", sa.Boolean, nullable=False, server_default=sa.false()))
