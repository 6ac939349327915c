"""Rows for a database of any earlier form: two in each table that it had, as SQL.

    python -m tests.store.filled 0015      writes tests/data/upgrades/0015.sql

The files stay as they are, whatever becomes of the tables: a database that was in use then looks like that.
"""

import json
import re
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Boolean, Connection, Engine, Integer, LargeBinary, MetaData, Table
from sqlmodel import SQLModel

from judge.rules import load_variant, position_to_json, start_position
from judge.store.engine import open_engine
from tests.beginnings import begin, is_file, once

ROOT = Path(__file__).parents[2]
FILES = ROOT / "tests" / "data" / "upgrades"
AT = datetime(2026, 5, 4, 10, tzinfo=UTC).isoformat(" ")
LETTER = b"From: kim@example.org\r\nSubject: moves\r\n\r\nSIGNON Fheron ****\r\nA PAR - BUR\r\n"

BOARDS = [load_variant(name) for name in ("standard", "1648")]

# What columns hold, by table and column or by column alone, in the first row and in the second.
WORDS: dict[str, tuple[Any, ...]] = {
    "address": ("kim@fa\u00df.de", "jo@example.org"),
    "game.name": ("heron", "gull"),
    "variant": ("standard", "1648"),
    "state": ("active", "forming"),
    "letter.state": ("done", "new"),
    "zone": ("Europe/Berlin", "UTC"),
    "role": ("player", "master"),
    "seat.power": ("France", None),
    "power": ("France", "Turkey"),
    "password": ("keyed$1", "keyed$2"),
    "phase.name": ("S1901M", "S1901M"),
    "phase_name": ("F1901M", "S1902M"),
    "position": tuple(position_to_json(board, start_position(board)) for board in BOARDS),
    "slot": ("PAR", "BUD"),
    "orders.text": ("A PAR - BUR", "A BUD S A VIE - GAL"),
    "bid.text": ("A SWI S A PAR - BUR", ""),
    "future_line.text": ("a par-bur", "f bre s a par"),
    "province": ("SWI", ""),
    "kind": ("draw", "concede"),
    "mail.kind": ("reply", "results"),
    "event.kind": ("absence", "border"),
    "result": ("on time", "late"),
    "game.result": ("", ""),
    "form": ("png", "small"),
    "maps": ("small", None),
    "purpose": ("register", "password"),
    "outcome": (None, None),
    "processed_at": (None, None),
    "left_at": (None, None),
    "ended_at": (None, None),
    "meaning": ({"verb": "hold", "unit": "A PAR"}, {"verb": "hold", "unit": "A BUD"}),
    "readers": ([1, 2], [1]),
}


@cache
def steps() -> list[str]:
    """The numbers of all steps, oldest first."""
    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()][::-1]


def begin_after(engine: Engine, step: str) -> None:
    """The database is empty, with the tables as they were after this step.

    A file becomes a copy of what the step before has made, and takes this one: the first steps are not taken for each
    of the others again. A server takes as long to copy a database as for all steps.
    """
    if is_file(engine):
        begin(engine, ("after", step), lambda: _take_last(engine, step))
    else:
        _take_all(engine, step)


def _take_last(engine: Engine, step: str) -> None:
    if step == steps()[0]:
        _take_all(engine, step)
    else:
        begin_after(engine, steps()[steps().index(step) - 1])
        with engine.begin() as connection:
            _take(connection, step)


def _take_all(engine: Engine, step: str) -> None:
    with engine.begin() as connection:
        SQLModel.metadata.drop_all(connection)
        connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")
        _take(connection, step)


def _take(connection: Connection, step: str) -> None:
    """The steps up to this one that are still to be taken."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, step)


def rows_of(step: str) -> str:
    """The file of that step; where there is none yet, what would be written to it."""
    file = FILES / f"{step}.sql"
    return file.read_text() if file.exists() else once(("rows", step), lambda: _written(step))


def fill(connection: Connection, rows: str) -> None:
    """Carry out the statements."""
    if connection.dialect.name == "postgresql":
        rows = re.sub(r"X'([0-9a-f]*)'", r"'\\x\1'", rows)
    for statement in rows.split(";\n"):
        if statement.strip():
            connection.exec_driver_sql(statement)


def _written(step: str) -> str:
    metadata = MetaData()
    with TemporaryDirectory() as folder:
        engine = open_engine(f"sqlite:///{folder}/judge.db")
        begin_after(engine, step)
        metadata.reflect(engine)
        engine.dispose()
    tables = [table for table in metadata.sorted_tables if table.name != "alembic_version"]
    return "".join(_row(table, number) for table in tables for number in (1, 2))


def _row(table: Table, number: int) -> str:
    columns = ", ".join(column.name for column in table.columns)
    values = ", ".join(_literal(_value(table, column, number)) for column in table.columns)
    return f"INSERT INTO {table.name} ({columns}) VALUES ({values});\n"


def _value(table: Table, column: Any, number: int) -> Any:
    for name in (f"{table.name}.{column.name}", column.name):
        if name in WORDS:
            return WORDS[name][number - 1]
    match column.type:
        case _ if column.name == "id" or column.foreign_keys:
            return number
        case Boolean():
            return number == 2
        case LargeBinary():
            return LETTER
        case Integer():
            return number
    if column.name.endswith(("_at", "_from", "_to", "_since")) or column.name == "at":
        return AT
    if "JSON" in str(column.type):
        return {}
    return f"{column.name} {number}"


def _literal(value: Any) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case int():
            return str(value)
        case bytes():
            return f"X'{value.hex()}'"
        case str():
            return "'" + value.replace("'", "''") + "'"
    return _literal(json.dumps(value))


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "judge" / "store" / "migrations"))
    return config


if __name__ == "__main__":
    for number in sys.argv[1:]:
        (FILES / f"{number}.sql").write_text(_written(number))
