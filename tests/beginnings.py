"""Databases as tests find them: made by the judge itself once a run, and copied from then on.

    make_tables(engine)    make all tables in an empty database, as `migrate` would
    begin(engine, 7, make) call `make` for the first database for which 7 is asked; the next ones become copies of it
    digest(engine)         a fingerprint: the same for databases with the same content
    copy = copied(engine)  copy a whole database
    lay(copy, engine)      replace the content of a database by the copy
    once(asked, make)      call `make` once in a run, and return the same result each time
    share_statements()     have all engines keep together what they have compiled

A file of SQLite is copied whole, and all workers of a parallel run use what one of them has made. On PostgreSQL, of
which each worker has a server of its own, a database becomes the template of others. Nobody may be connected to a
database while it is copied.
"""

import functools
import hashlib
import pickle
import sqlite3
from collections.abc import Callable
from contextlib import closing
from fcntl import LOCK_EX, flock
from functools import cache
from itertools import count
from os import SEEK_END
from pathlib import Path
from typing import Any, NewType, TypeVar

import sqlmodel
from sqlalchemy import URL, Connection, Engine, create_engine, func, insert, inspect, select
from sqlmodel import SQLModel

from judge.store import engine as store
from judge.store.engine import migrate
from tests.servers.postgres import AS_FILES

# What a file holds, or the name of a template.
Copy = NewType("Copy", bytes)
T = TypeVar("T")

# The folder in which the workers of a parallel run share results; tests/conftest.py sets it.
shared: Path | None = None
_made: dict[str, Any] = {}
# The first engine of each dialect, and what all engines have compiled.
_first: dict[str, Engine] = {}
_compiled: dict[Any, Any] = {}
_numbers = count(1)


def once(asked: object, make: Callable[[], T], by_all: bool = True) -> T:
    """The result of `make`, which is called only once in a run for the same `asked`; callers must not change it.

    asked: its text (repr) names all that the result depends on; by_all: other workers can use the result too, and it
    can be pickled.
    """
    key = hashlib.sha256(repr(asked).encode()).hexdigest()
    if key not in _made:
        _made[key] = _by_one(shared / key, make) if shared and by_all else make()
    made: T = _made[key]
    return made


def _by_one(file: Path, make: Callable[[], T]) -> T:
    """The result of `make`, called by the first worker that asks; the others read it from `file`."""
    with file.open("a+b") as kept:
        flock(kept, LOCK_EX)  # the other workers wait until it is closed
        if not kept.seek(0, SEEK_END):  # its length now: another worker may have written it meanwhile
            kept.write(pickle.dumps(make()))
        kept.seek(0)
        made: T = pickle.load(kept)
        return made


def share_statements() -> None:
    """Have all engines keep the SQL of statements together: to compile it takes most of the time of a first letter."""
    store.create_engine = _create_engine  # type: ignore[attr-defined]  # imported there, and not meant for export


@functools.wraps(sqlmodel.create_engine)
def _create_engine(*args: Any, **kwargs: Any) -> Engine:
    """SQLAlchemy keeps it per dialect. One is fit for other engines when it knows its server: when its own engine has
    connected.
    """
    engine = sqlmodel.create_engine(*args, **kwargs)
    first = _first.get(engine.dialect.name)
    if first and first.dialect.server_version_info:
        engine.dialect = first.dialect
    else:
        _first[engine.dialect.name] = engine
    engine.update_execution_options(compiled_cache=_compiled)
    return engine


def make_tables(engine: Engine) -> None:
    """All tables, empty, where there are none; a database that has tables keeps what it has."""
    if not _is_new(engine) and inspect(engine).get_table_names():
        return
    begin(engine, "tables", lambda: migrate(engine))


def begin(engine: Engine, asked: object, make: Callable[[], None]) -> None:
    """The database is as `make` left the one for which this was asked for the first time on that server."""

    def made() -> Copy:
        make()
        return copied(engine)

    # Of the address of a server `set` would leave the database that no argument names.
    server = engine.dialect.name if is_file(engine) else engine.url._replace(database=None)
    lay(once((asked, server), made, is_file(engine)), engine)


def digest(engine: Engine) -> str:
    """The same text for databases that hold the same."""
    return hashlib.sha256(_content(engine) if is_file(engine) else _rows(engine)).hexdigest()


def copied(engine: Engine) -> Copy:
    """A copy of the whole database."""
    if is_file(engine):
        return Copy(_content(engine))
    template = f"template_{next(_numbers)}"
    engine.dispose()
    _administer(engine.url, f"CREATE DATABASE {template} TEMPLATE {engine.url.database}")
    return Copy(template.encode())


def lay(copy: Copy, engine: Engine) -> None:
    """Replace the content of the database of `engine` by the copy."""
    engine.dispose()
    name = engine.url.database or ""
    if is_file(engine):
        for log in ("-wal", "-shm"):
            Path(name + log).unlink(missing_ok=True)
        Path(name).write_bytes(copy)
    else:
        _administer(engine.url, f"DROP DATABASE {name}", f"CREATE DATABASE {name} TEMPLATE {copy.decode()}")


def take_over(source: Connection, engine: Engine) -> None:
    """All rows of another database, on PostgreSQL, whose tables are empty."""
    with engine.begin() as connection:
        for table in SQLModel.metadata.sorted_tables:
            rows = [dict(row) for row in source.execute(select(table)).mappings()]
            if rows:
                connection.execute(insert(table), rows)
                connection.execute(select(func.setval(f"{table.name}_id_seq", max(row["id"] for row in rows))))


def _is_new(engine: Engine) -> bool:
    """Whether nothing was ever written to it, as can be told without asking it."""
    return is_file(engine) and not Path(engine.url.database or "").stat().st_size


def is_file(engine: Engine) -> bool:
    """Whether it is a database of SQLite."""
    return engine.dialect.name == "sqlite"


def _content(engine: Engine) -> bytes:
    name = engine.url.database or ""
    if not Path(name + "-wal").exists():
        return Path(name).read_bytes()
    with closing(sqlite3.connect(name)) as connection:
        return connection.serialize()


def _rows(engine: Engine) -> bytes:
    """In one question: to ask for each table takes most of the time."""
    names = [table.name for table in SQLModel.metadata.sorted_tables]
    asked = (f"SELECT '{name}', string_agg(md5(one::text), '' ORDER BY id) FROM \"{name}\" one" for name in names)
    with engine.connect() as connection:
        return repr(connection.exec_driver_sql(" UNION ALL ".join(asked)).all()).encode()


def _administer(url: URL, *statements: str) -> None:
    with _administrator(url.set(database="postgres")).connect() as connection:
        # Before version 15 it is the only way.
        as_files = AS_FILES * ((connection.dialect.server_version_info or (0,)) >= (15,))
        for statement in statements:
            connection.exec_driver_sql(statement + as_files * statement.startswith("CREATE"))


@cache
def _administrator(url: URL) -> Engine:
    """The server takes as long for another connection as for a statement, so that one is kept; asked first whether it
    still is one, since some tests end the server.
    """
    return create_engine(url, isolation_level="AUTOCOMMIT", pool_pre_ping=True)
