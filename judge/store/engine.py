"""The database: opening it, and the transactions in which everything else runs.

SQLite is the default, and PostgreSQL runs the same code. On both a commit is on the disk when it returns, and a
transaction sees all that it builds on or fails as a whole. Nobody but the owner can read SQLite's file.
"""

import os
import re
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, InternalError, OperationalError
from sqlmodel import Session, create_engine

# Seconds (for the last one: milliseconds) until a client notices that PostgreSQL's machine is gone, which ends no
# connection; by default that takes a quarter of an hour.
IS_THERE = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}
# How long one writer waits for another until "database is locked".
BUSY_SECONDS = 15
# The URL parameters that hold a secret: password, sslpassword, oauth_client_secret.
_SECRET = re.compile("pass|secret|token", re.IGNORECASE)
# What a process does for its judge: decide, wait to decide when the daemon ends, or send and draw.
Role = Literal["daemon", "stand-by", "worker"]


class StoreError(Exception):
    """The database cannot be used; the message is one sentence for the keeper."""


class _FairLock:
    """Lets our own threads write to one SQLite file one at a time.

    SQLite makes a writer that finds another one ask again after a while, so a busy thread would starve the rest. A
    thread that waits holds the turnstile, so the thread that has just written comes after it.
    """

    def __init__(self) -> None:
        self._turnstile, self._writing = threading.Lock(), threading.Lock()

    def __enter__(self) -> None:
        with self._turnstile:
            if not self._writing.acquire(timeout=BUSY_SECONDS):
                raise OperationalError(None, None, sqlite3.OperationalError("another thread is still writing"))

    def __exit__(self, *_error: object) -> None:
        self._writing.release()


_writers: WeakKeyDictionary[Engine, _FairLock] = WeakKeyDictionary()


def name_of(role: Role) -> str:
    """The name of this process's sessions with PostgreSQL, which keeps 63 characters of it."""
    return f"judge {role}, process {os.getpid()} on {socket.gethostname()}"[:63]


def open_engine(url: str, role: Role | None = None) -> Engine:
    """The engine for `sqlite:///path/to/judge.db` or `postgresql://user@host/name`.

    Makes the SQLite file and its folder if they do not exist yet; `migrate` makes the tables. `role`: how others see
    the sessions of this process on PostgreSQL. Raises StoreError when there can be no such database; whether PostgreSQL
    answers is not tried here.
    """
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):  # ValueError: a port that is not a number
        # Show only the scheme: a password may be anywhere in the rest.
        told = f"{re.split('[^a-z+]', url, maxsplit=1)[0]}..." if re.search("[@?=]|:[^:]*:", url) else url
        raise StoreError(f"{told!r} is not the address of a database") from None
    match address.get_backend_name():
        case "sqlite":
            return _open_sqlite(address)
        case "postgresql":
            return _open_postgresql(address, {"application_name": name_of(role)} if role else {})
    raise StoreError(f"a database of the kind {address.get_backend_name()!r} is not known: sqlite, postgresql")


def shown(url: URL) -> str:
    """The URL of a database for people to read: without passwords."""
    hidden = {name: "***" for name in url.query if _SECRET.search(name)}
    # Our asterisks are not part of the URL, so they need no quoting.
    return url.update_query_dict(hidden).render_as_string(hide_password=True).replace("%2A%2A%2A", "***")


def unusable(engine: Engine, error: DBAPIError) -> StoreError:
    """The error to raise when the database lets nobody in."""
    words = str(error.orig).partition("\n")[0]
    return StoreError(f"the database {shown(engine.url)} cannot be used: {words}")


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """A session that commits at the end of the block, or rolls everything back when an exception leaves it."""
    with _writers.get(engine) or nullcontext(), Session(engine, expire_on_commit=False) as session, session.begin():
        # Take the write lock at once: a transaction of SQLite that reads first and writes later fails if another one
        # wrote in between, whatever busy_timeout says.
        begin(session.connection(), "BEGIN IMMEDIATE")
        yield session


def empty_log(engine: Engine) -> None:
    """Write SQLite's write-ahead log into the file and empty it, unless a connection is using it.

    The log keeps old pages until they are overwritten, and so the letters as they were before passwords were masked.
    PostgreSQL's log is left to its administrator.
    """
    if engine.dialect.name != "sqlite":
        return
    with closing(sqlite3.connect(engine.url.database or "", timeout=0)) as connection:
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only reads and never makes a writer wait."""
    bound = engine.execution_options(postgresql_readonly=True)
    with Session(bound, expire_on_commit=False) as session, session.begin():
        begin(session.connection(), "BEGIN")
        yield session


def _open_sqlite(address: URL) -> Engine:
    if address.database and address.database != ":memory:":
        path = Path(address.database)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Before SQLite makes the file: -wal and -shm get the permissions of the file itself.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            path.chmod(0o600)
        except OSError as error:
            raise StoreError(f"the database {path} cannot be created: {error.strerror}") from error
    # hide_parameters: the text of an error ends up in logs, where no letter or password may be.
    engine = create_engine(address, hide_parameters=True)
    _writers[engine] = _FairLock()
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "handle_error", _call_damage_operational)
    return engine


def _open_postgresql(address: URL, name: dict[str, str]) -> Engine:
    if address.drivername == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    try:
        # pool_pre_ping: notice that the server was restarted before a letter's transaction, not in it. max_overflow:
        # no thread that sends or draws has to wait for a connection.
        engine = create_engine(
            address, pool_pre_ping=True, max_overflow=-1, hide_parameters=True, connect_args={**IS_THERE, **name}
        )
    except ModuleNotFoundError as error:
        raise StoreError("PostgreSQL needs the driver: pip install 'diplomacy-judge[postgres]'") from error
    event.listen(engine, "handle_error", _call_damage_operational)
    return engine


def _call_damage_operational(context: ExceptionContext) -> OperationalError | None:
    """Treat a damaged database ("malformed", "not a database") like one that is out of reach.

    It is not the fault of the letter or the phase that meets it.
    """
    if type(context.sqlalchemy_exception) not in (DatabaseError, InternalError):
        return None
    return OperationalError(context.statement, None, context.original_exception, hide_parameters=True)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver would begin transactions by itself, too late and deferred; `begin` does it.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    _switch_to_wal(connection)
    connection.execute("PRAGMA foreign_keys = ON")
    # FULL: results must survive a power cut once they were mailed.
    connection.execute("PRAGMA synchronous = FULL")
    # Overwrite what was masked or replaced with zeros, instead of leaving it in free pages.
    connection.execute("PRAGMA secure_delete = ON")


def _switch_to_wal(connection: Any) -> None:
    """Switch a new file to write-ahead logging.

    Two processes that do so at the same time meet an error that busy_timeout does not prevent.
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
    """Begin a transaction of SQLite.

    Not done by a listener: with one for any event of an engine every statement takes a third longer.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(how)


def in_words(error: StoreError | DBAPIError) -> str:
    """The message of the database, on one line: SQLAlchemy adds the statement to it."""
    return " ".join(str(getattr(error, "orig", error)).split())
