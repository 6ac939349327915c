"""The first step after the merge, which changed nothing: databases are at it."""

revision = "0013_first"
down_revision = "0012_unread_columns"


def upgrade() -> None:
    """Nothing: the tables stay as they were."""
