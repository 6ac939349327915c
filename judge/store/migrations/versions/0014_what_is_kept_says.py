"""What lines for phases to come say, beside their texts.

They are as players wrote them and take a board to read: those that are kept already are read when their phase opens.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("future_line", sa.Column("meaning", sa.JSON(none_as_null=True), nullable=True))
