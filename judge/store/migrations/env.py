"""The entry point of Alembic, which runs the steps on the connection that `migrate` hands over.

To change a table, first change judge/store/tables.py, from which new databases are made. Run the tests, which name
every difference between these tables and the result of the steps. Then write the next file in `versions/`. The revision
of a file is its whole name, such as `0022_known_at` (at most 32 characters). Its `down_revision` is the revision of the
file before it. A step that was released is never edited.
"""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
