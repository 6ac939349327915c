"""How a person's mails are: with pages beside their texts, with the deadline as an entry for a calendar."""

from alembic import op
from sqlalchemy import Boolean, Column, false, true

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("person", Column("html", Boolean, nullable=False, server_default=true()))
    op.add_column("person", Column("calendar", Boolean, nullable=False, server_default=false()))
