"""What makes a run of the tests shorter and changes nothing that it tests; see `quicken`."""

import functools
import gc
import sqlite3
from collections.abc import Iterator
from typing import Any

import sqlmodel
from sqlalchemy import Connection, Engine

from judge.store import engine as store

# So many new objects until the next collection of garbage. With Python's own 700 it would look through some million
# objects that stay, all the time.
_OBJECTS = 100_000
# The settings of most tests: a keeper's own, with what a test sets laid over them.
_first: dict[str, Engine] = {}
_step_by_step = store._take_steps
# The statements that make the tables of a new file of SQLite, once all steps were taken for the first one.
_tables: list[str] = []


def quicken() -> None:
    """Collect garbage seldom, and keep for later tests what does not change: see `remember`."""
    gc.set_threshold(_OBJECTS, 50, 100)
    remember()


def remember() -> None:
    """Keep for later tests the SQL of statements, since each has a database of its own."""
    store.create_engine = _create_engine  # type: ignore[attr-defined]  # imported there, and not meant for export


def remember_tables() -> None:
    """Give a new file of SQLite its tables at once, and not by the steps.

    For daemons that are forked (tests/forked.py); where steps are tested they are taken.
    """
    store._take_steps = _take_steps


def forget_no_rubbish() -> None:
    """Have the collection of garbage pass over all that has been imported so far."""
    gc.collect()
    gc.freeze()


def _take_steps(connection: Connection, *to: str) -> None:
    is_new = connection.dialect.name == "sqlite" and to == ("head",) and not list(_dump(connection))
    if not is_new or not _tables:
        _step_by_step(connection, *to)
        if is_new:
            _tables.extend(_dump(connection))
        return
    for statement in _tables:
        connection.exec_driver_sql(statement)


def _dump(connection: Connection) -> Iterator[str]:
    """All that a file of SQLite holds, as statements."""
    file = connection.connection.driver_connection
    assert isinstance(file, sqlite3.Connection)
    return (line for line in file.iterdump() if line not in ("BEGIN TRANSACTION;", "COMMIT;"))


@functools.wraps(sqlmodel.create_engine)
def _create_engine(*args: Any, **kwargs: Any) -> Engine:
    """SQLAlchemy keeps what it has written per dialect; it takes most of the time of a first letter. A dialect is fit
    for others when it knows its server: when its own engine has connected.
    """
    engine = sqlmodel.create_engine(*args, **kwargs)
    first = _first.get(engine.dialect.name)
    if first is None or not first.dialect.server_version_info:
        _first[engine.dialect.name] = engine
        return engine
    engine.dialect = first.dialect
    engine._compiled_cache = first._compiled_cache
    return engine
