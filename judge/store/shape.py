"""What tables a database has, and what the program would miss in them.

A note in the database says which steps were taken (judge/store/migrations); this looks at the tables themselves, since
the note can be wrong: a step that is put before others only after databases have taken these is never taken by those.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, UniqueConstraint
from sqlmodel import SQLModel

from judge.store import tables as tables  # fills SQLModel.metadata

# One statement each, straight from the catalogue: SQLAlchemy's own inspection takes many times as long, and every start
# of a judge looks. A row: table, column, whether it may be empty; and: table, index, whether it is unique, its column.
_COLUMNS = {
    "sqlite": (
        'SELECT made.name, col.name, NOT col."notnull" FROM sqlite_master AS made, pragma_table_info(made.name) AS col '
        "WHERE made.type = 'table'"
    ),
    "postgresql": (
        "SELECT made.relname, col.attname, NOT col.attnotnull FROM pg_class made "
        "JOIN pg_attribute col ON col.attrelid = made.oid AND col.attnum > 0 AND NOT col.attisdropped "
        "WHERE made.relkind IN ('r', 'p') AND made.relnamespace = current_schema()::regnamespace"
    ),
}
_INDEXES = {
    "sqlite": (
        'SELECT made.name, list.name, list."unique", col.name FROM sqlite_master AS made, '
        "pragma_index_list(made.name) AS list, pragma_index_info(list.name) AS col "
        "WHERE made.type = 'table' ORDER BY list.name, col.seqno"
    ),
    "postgresql": (
        "SELECT made.relname, list.relname, of.indisunique, col.attname FROM pg_index of "
        "JOIN pg_class made ON made.oid = of.indrelid JOIN pg_class list ON list.oid = of.indexrelid "
        "JOIN pg_attribute col ON col.attrelid = list.oid "
        "WHERE made.relnamespace = current_schema()::regnamespace ORDER BY list.relname, col.attnum"
    ),
}
# SQLite's own name of an index behind a constraint, of which `unique` tells already.
_OF_A_CONSTRAINT = "sqlite_autoindex_"


@dataclass
class Table:
    """`columns`: whether each may be empty. `indexes`: their names. `unique`: columns that are unique together."""

    columns: dict[str, bool] = field(default_factory=dict)
    indexes: set[str] = field(default_factory=set)
    unique: set[tuple[str, ...]] = field(default_factory=set)


# The tables by their names.
Shape = Mapping[str, Table]


def shape_of(connection: Connection) -> Shape:
    """The tables that the database has."""
    dialect = connection.dialect.name
    found: defaultdict[str, Table] = defaultdict(Table)
    for table, column, may_be_empty in connection.exec_driver_sql(_COLUMNS[dialect]):
        found[table].columns[column] = bool(may_be_empty)
    unique: defaultdict[tuple[str, str], tuple[str, ...]] = defaultdict(tuple)
    for table, index, is_unique, column in connection.exec_driver_sql(_INDEXES[dialect]):
        if not index.startswith(_OF_A_CONSTRAINT):
            found[table].indexes.add(index)
        if is_unique:
            unique[table, index] += (column,)
    for (table, _), columns in unique.items():
        found[table].unique.add(columns)
    return dict(found)


def expected() -> Shape:
    """The tables that this version of the program works with (judge/store/tables.py)."""
    return {
        name: Table(
            columns={column.name: bool(column.nullable) for column in table.columns},
            indexes={str(index.name) for index in table.indexes},
            unique={
                tuple(column.name for column in constraint.columns)
                for constraint in table.constraints
                if isinstance(constraint, UniqueConstraint)
            },
        )
        for name, table in SQLModel.metadata.tables.items()
    }


def lacking(found: Shape, wanted: Shape) -> list[str]:
    """What `found` lacks of `wanted`, in words for the keeper; what it has beyond that does no harm."""
    return [lack for name in sorted(wanted) for lack in _lacking(name, found.get(name), wanted[name])]


def _lacking(name: str, found: Table | None, wanted: Table) -> Iterator[str]:
    if found is None:
        yield f"table {name}"
        return
    for column, may_be_empty in wanted.columns.items():
        if column not in found.columns:
            yield f"column {name}.{column}"
        elif found.columns[column] != may_be_empty:
            yield f"column {name}.{column} that {'may' if may_be_empty else 'must not'} be empty"
    yield from (f"index {index}" for index in sorted(wanted.indexes - found.indexes))
    yield from (f"unique {name} ({', '.join(columns)})" for columns in sorted(wanted.unique - found.unique))
