"""Press without a seat: the keeper, who stands in for a master, has none."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    with op.batch_alter_table("press") as press:
        press.alter_column("seat_id", nullable=True)
