"""All rows of one database copied into another, of either kind: what `judge copy` does."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import JSON, Connection, Engine, Table, func, insert, null, select, text
from sqlmodel import SQLModel

from judge.store.engine import StoreError

# Rows at a time: letters may be a megabyte each.
PAGE = 200


def copy_rows(source: Engine, target: Engine) -> dict[str, int]:
    """Copy every row, with its number; returns {table: how many rows}.

    All in one transaction of the target. Raises StoreError if the target holds rows already.
    """
    tables: Sequence[Table] = SQLModel.metadata.sorted_tables
    with source.connect() as reading, target.begin() as writing:
        if full := [table.name for table in tables if writing.execute(select(table).limit(1)).first()]:
            raise StoreError(f"the database to copy to is not empty: it has rows in {', '.join(full)}")
        counts = {table.name: _copy_table(reading, writing, table) for table in tables}
        if target.dialect.name == "postgresql":
            for table in tables:
                _go_on_counting(writing, table)
    return counts


def _copy_table(reading: Connection, writing: Connection, table: Table) -> int:
    count, last = 0, 0
    while rows := _page(reading, table, last):
        count, last = count + len(rows), rows[-1]["id"]
        for names in {frozenset(row) for row in rows}:
            writing.execute(insert(table), [row for row in rows if row.keys() == names])
    return count


def _page(reading: Connection, table: Table, after: int) -> list[dict[str, Any]]:
    """Rows by the names of their columns, without JSON that is missing: None would be written as JSON's null."""
    missing = [column.is_(null()).label(f"no {column.name}") for column in table.c if isinstance(column.type, JSON)]
    page = select(table, *missing).where(table.c.id > after).order_by(table.c.id).limit(PAGE)
    return [
        {column.name: row[column.name] for column in table.c if not row.get(f"no {column.name}")}
        for row in reading.execute(page).mappings()
    ]


def _go_on_counting(writing: Connection, table: Table) -> None:
    """The next row is numbered behind those that were copied with their numbers."""
    highest = writing.execute(select(func.max(table.c.id))).scalar()
    if highest:
        sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :highest)")
        writing.execute(sequence, {"name": table.name, "highest": highest})
