"""Add the time at which a process took a mail or a picture.

Other processes can then take over abandoned work.
"""

from alembic import op
from sqlalchemy import Column
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0016_taken_at"
down_revision = "0015_consent"


def upgrade() -> None:
    """Add the column `taken_at`, and free all mails and pictures.

    No process is at work while the tables change.
    """
    for table in ("mail", "picture"):
        op.add_column(table, Column("taken_at", UTCDateTime()))
        op.execute(f"UPDATE {table} SET taken_by = NULL WHERE taken_by IS NOT NULL")
