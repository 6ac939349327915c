"""The first step after the merge, which changes nothing.

Older databases may have this step noted as their last one.
"""

revision = "0013_first"
down_revision = "0012_unread_columns"


def upgrade() -> None:
    """Do nothing, since the tables stay as they were."""
