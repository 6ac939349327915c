"""The tables when the steps before them were merged into this one: a database at 0027 has them.

A revision is the whole name of its file, `0001_first`, and not its number: databases from before the merge have the
numbers 0001 to 0027 in their notes and mean other steps (judge/store/schema.py). A new database takes no steps: it gets
the tables of today at once.
"""

revision = "0001_first"
down_revision = None


def upgrade() -> None:
    """Nothing: whoever takes the next steps has these tables."""
