"""The database: opening it, and the transactions everything else runs in.

SQLite is the default and PostgreSQL runs the same code. A commit on either is on the disk when it returns, a
transaction sees all of what it builds on or fails as a whole, and nobody but the owner can read the file.
"""

import os
import re
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, InternalError, OperationalError
from sqlmodel import Session, create_engine

# Seconds (of the last one: milliseconds) after which a client knows that PostgreSQL's machine is gone, which ends no
# connection: else it would wait for a quarter of an hour.
IS_THERE = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}
# How long one writer waits for another before "database is locked".
BUSY_SECONDS = 15
# The parameters of an address that hold a secret: password, sslpassword, oauth_client_secret.
_SECRET = re.compile("pass|secret|token", re.IGNORECASE)

_turns: WeakKeyDictionary[Engine, "_Line"] = WeakKeyDictionary()


class StoreError(Exception):
    """The database cannot be used; the message is one sentence for the keeper."""


class _Line:
    """Our own threads that write to one SQLite file, one at a time.

    SQLite lets one write at a time and makes the others ask again after a while, so that a busy thread would starve the
    rest. Whoever waits holds the turnstile, so that the thread that has just written comes after them.
    """

    def __init__(self) -> None:
        self._turnstile, self._writing = threading.Lock(), threading.Lock()

    def enter(self, *, wait: bool) -> bool:
        """Whether this thread may write now; with `wait` it may when the call returns."""
        if not wait:
            return self._writing.acquire(blocking=False)
        with self._turnstile:
            if not self._writing.acquire(timeout=BUSY_SECONDS):
                raise OperationalError(None, None, sqlite3.OperationalError("another thread is writing for long"))
        return True

    def leave(self) -> None:
        """Let the next one write."""
        self._writing.release()


def open_engine(url: str) -> Engine:
    """The engine for `sqlite:///path/to/judge.db` or `postgresql://user@host/name`.

    Makes the SQLite file and its folder if they do not exist yet; `migrate` makes the tables. Raises StoreError
    when there can be no such database; whether PostgreSQL answers is not tried here.
    """
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):  # ValueError: a port that is no number
        # Nobody knows where in it a password stands.
        told = f"{re.split('[^a-z+]', url, maxsplit=1)[0]}..." if re.search("[@?=]|:[^:]*:", url) else url
        raise StoreError(f"{told!r} is not the address of a database") from None
    match address.get_backend_name():
        case "sqlite":
            return _open_sqlite(address)
        case "postgresql":
            return _open_postgresql(address)
    raise StoreError(f"a database of the kind {address.get_backend_name()!r} is not known: sqlite, postgresql")


def shown(url: URL) -> str:
    """The address of a database as people may read it: without a password, wherever it stands."""
    hidden = {name: "***" for name in url.query if _SECRET.search(name)}
    # Asterisks of ours are no characters of an address, so they are written as they are.
    return url.update_query_dict(hidden).render_as_string(hide_password=True).replace("%2A%2A%2A", "***")


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """A session that commits at the end of the block, or rolls everything back when an exception leaves it."""
    with transaction_in_turn(engine, wait=True) as session:
        assert session
        yield session


def empty_log(engine: Engine) -> None:
    """Bring what SQLite has in its write-ahead log into the file, and empty the log, unless a connection is using it.

    The log keeps old pages until they are written over, and so the letters as they were before they were masked.
    PostgreSQL's log is the business of its keeper.
    """
    if engine.dialect.name != "sqlite":
        return
    with engine.connect() as connection:
        pragma = connection.connection.cursor().execute
        pragma("PRAGMA busy_timeout = 0")
        try:
            pragma("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
        finally:
            pragma(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")


@contextmanager
def transaction_in_turn(engine: Engine, *, wait: bool) -> Iterator[Session | None]:
    """As `transaction`; without `wait` None instead of a session if another thread of ours is writing."""
    line = _turns.get(engine)
    if line and not line.enter(wait=wait):
        yield None
        return
    try:
        with Session(engine, expire_on_commit=False) as session, session.begin():
            # SQLite fails a transaction that reads first and writes later if another wrote in between, busy_timeout or
            # not; taking the write lock at the start makes it wait instead.
            begin(session.connection(), "BEGIN IMMEDIATE")
            yield session
    finally:
        if line:
            line.leave()


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only reads, and never makes a writer wait."""
    bound = engine.execution_options(postgresql_readonly=True)
    with Session(bound, expire_on_commit=False) as session, session.begin():
        begin(session.connection(), "BEGIN")
        yield session


def _open_sqlite(address: URL) -> Engine:
    if address.database and address.database != ":memory:":
        path = Path(address.database)
        try:
            _make_private(path)
        except OSError as error:
            raise StoreError(f"the database {path} cannot be made: {error.strerror}") from error
    # hide_parameters: an error's text ends up in logs, and a letter or a password must not.
    engine = create_engine(address, hide_parameters=True)
    _turns[engine] = _Line()
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "handle_error", _call_damage_operational)
    return engine


def _open_postgresql(address: URL) -> Engine:
    if address.drivername == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    try:
        # pool_pre_ping: a server that was restarted is noticed before a letter's transaction, not in it. max_overflow:
        # each mail in hand and each thread that draws has a connection, and none must wait for one.
        engine = create_engine(
            address, pool_pre_ping=True, max_overflow=-1, hide_parameters=True, connect_args=IS_THERE
        )
    except ModuleNotFoundError as error:
        raise StoreError("PostgreSQL needs the driver: pip install 'judge[postgres]'") from error
    event.listen(engine, "handle_error", _call_damage_operational)
    return engine


def _call_damage_operational(context: ExceptionContext) -> OperationalError | None:
    """An error that says that the database is damaged ("malformed", "not a database") is no more the fault of a letter
    or of a phase than a database that cannot be reached.
    """
    if type(context.sqlalchemy_exception) not in (DatabaseError, InternalError):
        return None
    return OperationalError(context.statement, None, context.original_exception, hide_parameters=True)


def _make_private(path: Path) -> None:
    """Make the file before SQLite does: SQLite gives -wal and -shm the permissions of the file itself."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver would begin transactions by itself, too late and deferred; `_begin` does it.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    _switch_to_wal(connection)
    connection.execute("PRAGMA foreign_keys = ON")
    # FULL: results must survive a power cut once they were mailed out.
    connection.execute("PRAGMA synchronous = FULL")
    # What was masked or replaced is zeroed in the file, not left in its free pages.
    connection.execute("PRAGMA secure_delete = ON")


def _switch_to_wal(connection: Any) -> None:
    """Once in a file's life; two that do it to a new file at the same time meet an error that no timeout averts.
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


def begin(connection: Connection, how: str) -> None:
    """Begin a transaction of SQLite. No listener does it: as soon as an engine has one for any of its events, every
    statement takes a third longer.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(how)


def in_words(error: DBAPIError) -> str:
    """What the database says, on one line."""
    return " ".join(str(error.orig).split())
