"""The database: opening it, bringing its tables up to date, and the transactions everything else runs in.

SQLite is the default and PostgreSQL runs the same code. On both, a commit is on the disk when it returns, and a
transaction sees consistent data or fails as a whole. Only the owner can read the file.
"""

import logging
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlmodel import Session, create_engine

log = logging.getLogger(__name__)

# How long one writer waits for another before "database is locked".
BUSY_SECONDS = 15

_MIGRATIONS = Path(__file__).resolve().parent / "migrations"
_turns: WeakKeyDictionary[Engine, "_Line"] = WeakKeyDictionary()
# Any number will do, as long as every judge uses the same one.
_MIGRATION_LOCK = 190_104


class StoreError(Exception):
    """The database cannot be used; the message is one sentence for the keeper."""


class _Line:
    """Our own threads that write to one SQLite file: one at a time, in the order in which they asked.

    SQLite lets one thread write at a time and makes the others ask again after a while, so that a busy thread could
    keep the others waiting for ever. The line is re-entrant, so that a transaction opened inside another one gets
    SQLite's error and does not wait for itself.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._writer: int | None = None
        self._depth = 0
        self._waiting: deque[tuple[int, threading.Lock]] = deque()

    @property
    def is_waited_for(self) -> bool:
        return bool(self._waiting)

    def enter(self, *, wait: bool) -> bool:
        """Whether this thread may write now; with `wait` the call returns only when it may."""
        me = threading.get_ident()
        with self._guard:
            if self._writer in (None, me):
                self._writer = me
                self._depth += 1
                return True
            if not wait:
                return False
            called = threading.Lock()
            called.acquire()
            self._waiting.append((me, called))
        called.acquire()
        return True

    def leave(self) -> None:
        """Let the thread write next that has waited the longest."""
        with self._guard:
            self._depth -= 1
            if self._depth:
                return
            self._writer = None
            if self._waiting:
                self._writer, called = self._waiting.popleft()
                self._depth = 1
                called.release()


def open_engine(url: str) -> Engine:
    """The engine for `sqlite:///path/to/judge.db` or `postgresql://user@host/name`.

    Makes the SQLite file and its folder if they do not exist yet; `migrate` makes the tables. Raises StoreError if such
    a database is not possible; it is not checked here whether PostgreSQL answers.
    """
    try:
        address = make_url(url)
    except ArgumentError:
        raise StoreError(f"{url!r} is not the address of a database") from None
    match address.get_backend_name():
        case "sqlite":
            return _open_sqlite(address)
        case "postgresql":
            return _open_postgresql(address)
    raise StoreError(f"a database of the kind {address.get_backend_name()!r} is not known: sqlite, postgresql")


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """A session that commits at the end of the block, or rolls everything back if the block raises an exception."""
    with transaction_in_turn(engine, wait=True) as session:
        assert session
        yield session


@contextmanager
def transaction_in_turn(engine: Engine, *, wait: bool) -> Iterator[Session | None]:
    """The same; without `wait` it gives None instead of a session if it would have to wait for another thread of ours.
    """
    line = _turns.get(engine)
    if line and not line.enter(wait=wait):
        yield None
        return
    try:
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session
    finally:
        if line:
            line.leave()


def others_wait(engine: Engine) -> bool:
    """Whether another of our threads waits for the end of this thread's transaction."""
    line = _turns.get(engine)
    return line is not None and line.is_waited_for


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only reads; no writer ever has to wait for it."""
    bound = engine.execution_options(reading=True, postgresql_readonly=True)
    with Session(bound, expire_on_commit=False) as session, session.begin():
        yield session


def migrate(engine: Engine) -> None:
    """Bring the tables to the form that this version of the code needs; does nothing if they already have it.

    Runs as one transaction, so a migration that fails leaves the database as it was. Raises StoreError when
    the database was made by a newer version, or cannot be used at all.
    """
    try:
        _migrate(engine)
    except DBAPIError as error:
        raise StoreError(f"the database {engine.url} cannot be used: {_first_line(error.orig)}") from error


def _migrate(engine: Engine) -> None:
    # Alembic's own log lines say how it works, not what was done.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with engine.connect() as connection, _loose_foreign_keys(connection), connection.begin():
        _one_migration_at_a_time(connection)
        before = MigrationContext.configure(connection).get_current_heads()
        _refuse_newer(before, scripts)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        _check_foreign_keys(connection)
    if before != (scripts.get_current_head(),):
        log.info("tables brought from=%s to=%s", *(before or ("nothing",)), scripts.get_current_head())


def _open_sqlite(address: URL) -> Engine:
    if address.database and address.database != ":memory:":
        path = Path(address.database)
        try:
            _make_private(path)
        except OSError as error:
            raise StoreError(f"the database {path} cannot be made: {error.strerror}") from error
    # hide_parameters: the text of an error ends up in logs, and a letter or a password must not.
    engine = create_engine(address, hide_parameters=True)
    _turns[engine] = _Line()
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _open_postgresql(address: URL) -> Engine:
    if address.drivername == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    try:
        # pool_pre_ping: a server that was restarted is noticed before a letter's transaction, not in it.
        return create_engine(address, pool_pre_ping=True, hide_parameters=True)
    except ModuleNotFoundError as error:
        raise StoreError("PostgreSQL needs the driver: pip install 'judge[postgres]'") from error


def _make_private(path: Path) -> None:
    """Make the file before SQLite does: SQLite gives -wal and -shm the permissions of the file itself."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver would begin transactions by itself, too late and deferred; `_begin_sqlite` does it.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    _switch_to_wal(connection)
    connection.execute("PRAGMA foreign_keys = ON")
    # FULL: results must survive a power cut once they have been mailed.
    connection.execute("PRAGMA synchronous = FULL")
    # Data that was masked or replaced is overwritten with zeros in the file, not left in its free pages.
    connection.execute("PRAGMA secure_delete = ON")


def _switch_to_wal(connection: Any) -> None:
    """Needed only once for each file; if two processes do it to a new file at the same time, one gets an error that no
    timeout prevents.
    """
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise
            time.sleep(0.02)


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once if another one wrote in between, whatever
    # busy_timeout is; taking the write lock at the start makes it wait instead.
    reads = connection.get_execution_options().get("reading", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def _loose_foreign_keys(connection: Connection) -> Iterator[None]:
    """Let SQLite rebuild a table that others point at (its own advice: sqlite.org/lang_altertable, section 7).

    The pragma does nothing inside a transaction, hence the driver's own connection outside of one.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    pragma = connection.connection.cursor().execute
    pragma("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        pragma("PRAGMA foreign_keys = ON")


def _check_foreign_keys(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken:
            raise StoreError(f"the migration would leave rows of table {broken[0]!r} pointing at nothing")


def _one_migration_at_a_time(connection: Connection) -> None:
    """Only PostgreSQL needs this lock: SQLite's BEGIN IMMEDIATE already is one."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")


def _refuse_newer(heads: tuple[str, ...], scripts: ScriptDirectory) -> None:
    unknown = set(heads) - {script.revision for script in scripts.walk_revisions()}
    if unknown:
        raise StoreError(
            f"the database was made by a newer version of judge (its tables are at {', '.join(sorted(unknown))}, "
            f"this version knows them up to {scripts.get_current_head()}): "
            "install that version, or restore a backup made before it"
        )


def _first_line(error: BaseException | None) -> str:
    return str(error).partition("\n")[0]
