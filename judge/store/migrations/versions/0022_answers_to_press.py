"""Which message a mail carries, so that an answer to it finds its writer; how people read mails: news together, the
mails of a game under one subject.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    with op.batch_alter_table("mail") as mail:
        mail.add_column(sa.Column("press_id", sa.Integer, nullable=True))
        mail.add_column(sa.Column("gathered", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("person", sa.Column("digest", sa.Integer, nullable=True))
    op.add_column("person", sa.Column("threads", sa.Boolean, nullable=False, server_default=sa.false()))
