"""The tables when the steps before them were merged into this one: a database at 0012_unread_columns has them.

A new database takes no steps: it gets the tables of today at once.
"""

revision = "0013_first"
down_revision = None


def upgrade() -> None:
    """Nothing: whoever takes the next steps has these tables."""
