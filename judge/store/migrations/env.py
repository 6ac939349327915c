"""Alembic's entry point: it runs the steps on the connection, and in the transaction, that `migrate` hands over.

To change a table: change judge/store/tables.py, which is all that new databases need, run the tests (they name every
difference between the tables and what the steps make of older ones) and write the next file in `versions/`. Its
revision is its whole name, as `0002_weekdays` (at most 32 characters), its `down_revision` that of the file before it.
A step that was released is never edited.
"""

from alembic import context
from sqlmodel import SQLModel

from judge.store import tables as tables  # fills SQLModel.metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    # SQLite can hardly change a table: Alembic makes a new table and copies the rows.
    render_as_batch=True,
)
context.run_migrations()
