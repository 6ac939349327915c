"""What lines for future phases mean, beside their texts.

Their texts are as players wrote them, and cannot be read without a board: lines that are stored already are read when
their phase opens.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("future_line", sa.Column("meaning", sa.JSON(none_as_null=True), nullable=True))
