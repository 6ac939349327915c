"""Maps in mails: what is drawn, which mail has which map, and which form each player wants."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, link, text, time

revision = "0008"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "picture",
        identity(),
        text("digest", unique=True),
        text("form"),
        sa.Column("scene", sa.JSON, nullable=False),
        time("created_at"),
    )
    # In one statement: SQLite can add the key to an existing table only together with the column.
    op.add_column("mail", link("picture", nullable=True), inline_references=True)
    op.add_column("seat", text("maps", nullable=True))
