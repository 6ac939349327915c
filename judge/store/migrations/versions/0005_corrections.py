"""The position a phase opened with, if its master has corrected it; wrong passwords, by sender."""

import sqlalchemy as sa
from alembic import op

from judge.store.migrations.columns import identity, link, text, time

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("phase", sa.Column("uncorrected", sa.JSON, nullable=True))
    op.create_table("wrong_password", identity(), text("address"), link("game"), time("at"))
    op.create_index("wrong_password_from", "wrong_password", ["address", "game_id"])
