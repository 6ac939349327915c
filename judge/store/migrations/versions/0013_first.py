"""The first step after the merge; it changes nothing, but older databases may have it noted as their last step."""

revision = "0013_first"
down_revision = "0012_unread_columns"


def upgrade() -> None:
    """Do nothing: the tables stay as they were."""
