"""Alembic's entry point: it runs the steps on the connection, and in the transaction, that `migrate` hands over."""

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
