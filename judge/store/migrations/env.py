"""Alembic's entry point: it runs the steps on the connection, and in the transaction, that `migrate` hands over.

To change a table: change judge/store/tables.py, which is all that new databases need, run the tests (they name every
difference between the tables and what the steps make of older ones) and write the next file in `versions/`. Its
revision is its whole name, as `0022_known_at` (at most 32 characters), its `down_revision` that of the file before it.
A step that was released is never edited.
"""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
