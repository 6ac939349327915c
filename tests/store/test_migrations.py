"""The steps in judge/store/migrations make exactly the tables of judge/store/tables.py."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, inspect
from sqlmodel import SQLModel

from judge.store.engine import migrate


def test_alembic_finds_no_difference_to_the_tables(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_the_database_itself_sees_no_difference(url: str, engine: Engine) -> None:
    """Alembic does not compare the conditions of partial indexes or the order of keys; the database does."""
    migrated = _shape(engine)
    SQLModel.metadata.drop_all(engine)
    SQLModel.metadata.create_all(engine)
    assert migrated == _shape(engine)
    assert set(migrated) == set(SQLModel.metadata.tables)


def test_migrating_again_changes_nothing(engine: Engine) -> None:
    before = _shape(engine)
    migrate(engine)
    assert _shape(engine) == before


def test_several_processes_may_migrate_at_once(url: str) -> None:
    """One makes the tables, the others wait and then find them made."""
    program = "import sys; from judge.store.engine import *; migrate(open_engine(sys.argv[1]))"
    command = [sys.executable, "-c", program, url]
    root = Path(__file__).resolve().parents[2]
    processes = [subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate(timeout=60)[1] for process in processes] == [""] * 4


def _shape(engine: Engine) -> dict[str, dict[str, Any]]:
    look = inspect(engine)
    return {
        table: {
            # By name: a column that was added later stands last in the database, wherever the class has it.
            "columns": {column["name"]: {**column, "type": str(column["type"])} for column in look.get_columns(table)},
            "primary key": look.get_pk_constraint(table),
            "indexes": sorted(map(_plain, look.get_indexes(table))),
            "unique": sorted(map(_plain, look.get_unique_constraints(table))),
            "foreign keys": sorted(map(_plain, look.get_foreign_keys(table))),
        }
        for table in look.get_table_names()
        if table != "alembic_version"
    }


def _plain(thing: Any) -> str:
    """Conditions are objects that compare by identity: as text they compare by what they say."""
    if isinstance(thing, dict):
        return str([(key, _plain(thing[key])) for key in sorted(thing)])
    return str(thing)
