"""Open the database, create its tables, and run the transactions of all other code.

SQLite is the default, and PostgreSQL runs the same code. On both, a commit is on the disk when it returns. Only the
owner can read SQLite's file.

The tables are migrated to the form that this version of the code needs (judge/store/migrations).
"""

import logging
import os
import re
import secrets
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, event, inspect
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, InternalError, OperationalError
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import Session, SQLModel, create_engine

from judge.settings import Settings
from judge.store import tables as tables  # importing the tables fills SQLModel.metadata

log = logging.getLogger(__name__)

# Seconds for which a writer waits for another one before "database is locked" is raised.
BUSY_SECONDS = 15
# A machine that has lost power or network closes no connection, so each side probes the other. The first probe is after
# 5 seconds, and there are three. By default a dead connection is noticed only after a quarter of an hour, or two hours
# on PostgreSQL's server.
_CLIENT = {"keepalives_idle": 5, "keepalives_interval": 3, "keepalives_count": 3, "tcp_user_timeout": 15_000,
           "connect_timeout": 10}  # fmt: skip
# The same times for the server, which ends the session of a silent machine. `lock_timeout` limits the wait for a lock.
# The last value limits the wait for the next statement of a frozen process.
_SERVER = {
    "tcp_keepalives_idle": "5s", "tcp_keepalives_interval": "3s", "tcp_keepalives_count": "3",
    "tcp_user_timeout": "15s", "lock_timeout": f"{BUSY_SECONDS}s", "idle_in_transaction_session_timeout": "20s",
}  # fmt: skip
# Open any number of connections, so that no thread waits for one. Test each connection before it is used, so that a
# restart of the server does not break a transaction.
_POOL = {"pool_pre_ping": True, "max_overflow": -1}
# Parameters of a URL that contain a secret, such as password, sslpassword and oauth_client_secret.
_SECRET = re.compile("pass|secret|token", re.IGNORECASE)
# The role of a process. The daemon decides, a stand-by waits to replace the daemon, and a worker sends mails and draws
# pictures.
Role = Literal["daemon", "stand-by", "worker"]
# The maximum number of missing parts of a database that an error lists.
MOST_TOLD = 5

_MIGRATIONS = Path(__file__).resolve().parent / "migrations"
# The key of an advisory lock. It may be any number, as long as every judge uses the same one.
_MIGRATION_LOCK = 190_104
# All migrations were merged into one, twice. These are the last commits before each merge. A database from before the
# first merge needs both commits, in this order. The first commit migrates the database to 0027, and the second from
# there to 0012_unread_columns.
_BEFORE_MERGES = ("7b2fabcdd959218dd90e3dd0f6b071828ad0dace", "ef00ee7b29efe5f4ae97073dbe68dbb9de4a8c21")
_LAST_NUMBER = "0027"
_FOLLOWS = re.compile(r"""^down_revision\b[^=\n]*= (?:["'](\w+)["']|None)$""", re.M)


class StoreError(Exception):
    """The database cannot be used.

    The message is one sentence for the keeper.
    """


class BadInstallation(StoreError):
    """The installed files come from several versions of the judge.

    The message says what to do.
    """


# The errors that are raised when a database, or its file, cannot be used.
UNUSABLE = (StoreError, DBAPIError, OSError)


class _FairLock:
    """A lock that makes threads of this process write to an SQLite file in order of arrival.

    SQLite makes a writer that finds another one at work try again after a while. So a busy thread would starve the
    others. Here a thread that has just written cannot overtake a waiting one.
    """

    def __init__(self) -> None:
        self._turnstile, self._writing = threading.Lock(), threading.Lock()

    def __enter__(self) -> None:
        with self._turnstile:
            if not self._writing.acquire(timeout=BUSY_SECONDS):
                reason = "the database is locked: another thread or process is writing"
                raise OperationalError(None, None, sqlite3.OperationalError(reason))

    def __exit__(self, *_error: object) -> None:
        self._writing.release()


_writers: WeakKeyDictionary[Engine, _FairLock] = WeakKeyDictionary()


def name_of(role: Role) -> str:
    """Return the name of this process's sessions with PostgreSQL, which keeps 63 characters of a name.

    The name begins with random characters. In containers every process is "process 1", and host names may be too long
    to fit.
    """
    return f"judge {role} {_lot(os.getpid())}, process {os.getpid()} on {socket.gethostname()}"[:63]


@cache
def _lot(_process: int) -> str:
    """Return the random characters in the name of this process.

    A forked process gets others.
    """
    return secrets.token_hex(4)


def open_engine(url: str | URL, role: Role | None = None, **pool: Any) -> Engine:
    """Return an engine for `sqlite:///path/to/judge.db` or `postgresql://user@host/name`.

    The SQLite file and its folder are created if they do not exist. `migrate` creates the tables. `role` is part of the
    name of this process's sessions on PostgreSQL, which other processes can see. `pool` has options of the connection
    pool. Raises StoreError if the URL is wrong, but does not test whether PostgreSQL answers.
    """
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):  # ValueError is for a port that is not a number
        # Show only the scheme, since a password may be anywhere in the rest.
        told = str(url)
        told = f"{re.split('[^a-z+]', told, maxsplit=1)[0]}..." if re.search("[@?=]|:[^:]*:", told) else told
        raise StoreError(f"{told!r} is not the address of a database") from None
    match address.get_backend_name():
        case "sqlite":
            engine = _open_sqlite(address)
        case "postgresql":
            engine = _open_postgresql(address, {"application_name": name_of(role)} if role else {}, pool or _POOL)
        case other:
            raise StoreError(f"a database of the kind {other!r} is not known: sqlite, postgresql")
    event.listen(engine, "handle_error", _call_damage_operational)
    return engine


def shown(url: URL) -> str:
    """Return the URL of a database without its passwords, to show it to people."""
    hidden = {name: "***" for name in url.query if _SECRET.search(name)}
    # The asterisks are for display and not part of a URL, so they are not escaped.
    return url.update_query_dict(hidden).render_as_string(hide_password=True).replace("%2A%2A%2A", "***")


def unusable(engine: Engine, error: DBAPIError) -> StoreError:
    """Return the error to raise when the database cannot be opened."""
    words = str(error.orig).partition("\n")[0]
    return StoreError(f"the database {shown(engine.url)} cannot be used: {words}")


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """Yield a session that commits at the end of the block, or rolls back if the block raises."""
    with _writers.get(engine) or nullcontext(), Session(engine, expire_on_commit=False) as session, session.begin():
        # Take the write lock first. Otherwise a transaction of SQLite that reads before it writes fails if another one
        # wrote in between, even with busy_timeout.
        begin(session.connection(), "BEGIN IMMEDIATE")
        yield session


def empty_log(engine: Engine) -> None:
    """Write SQLite's write-ahead log into the database file and empty it, unless a connection is using it.

    The log keeps old pages until they are overwritten. Old pages may have letters whose passwords are not masked.
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
    """Yield a session that only reads, so that no writer waits for it."""
    bound = engine.execution_options(postgresql_readonly=True)
    with Session(bound, expire_on_commit=False) as session, session.begin():
        begin(session.connection(), "BEGIN")
        yield session


def _open_sqlite(address: URL) -> Engine:
    if address.database and address.database != ":memory:":
        path = Path(address.database)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Set the permissions before SQLite creates the file, since its -wal and -shm files get the same
            # permissions.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            path.chmod(0o600)
        except OSError as error:
            raise StoreError(f"the database {path} cannot be created: {error.strerror}") from error
    # Hide parameters, since the text of an error is logged, and no letter or password may be in a log.
    engine = create_engine(address, hide_parameters=True)
    _writers[engine] = _FairLock()
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _open_postgresql(address: URL, name: dict[str, str], pool: dict[str, Any]) -> Engine:
    if address.drivername == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    try:
        engine = create_engine(address, hide_parameters=True, connect_args={**_CLIENT, **name}, **pool)
    except ModuleNotFoundError as error:
        raise StoreError("PostgreSQL needs the driver: pip install 'diplomacy-judge[postgres]'") from error
    event.listen(engine, "connect", _prepare_postgresql)
    return engine


def _prepare_postgresql(connection: Any, _record: object) -> None:
    connection.execute("; ".join(f"SET {setting} = '{value}'" for setting, value in _SERVER.items()))
    connection.commit()


def _call_damage_operational(context: ExceptionContext) -> OperationalError | None:
    """Turn the error of a damaged database ("malformed") into an OperationalError.

    A damaged database is then treated like an unreachable one, and no letter or phase is blamed for the error.
    """
    if type(context.sqlalchemy_exception) not in (DatabaseError, InternalError):
        return None
    return OperationalError(context.statement, None, context.original_exception, hide_parameters=True)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver must not begin transactions by itself, since it would begin them late, and as deferred ones. The
    # function `begin` does it.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    _switch_to_wal(connection)
    connection.execute("PRAGMA foreign_keys = ON")
    # Use FULL, since results that were mailed must survive a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    # Overwrite deleted and replaced content, such as passwords, with zeros. Otherwise such content stays in free pages.
    connection.execute("PRAGMA secure_delete = ON")


def _switch_to_wal(connection: Any) -> None:
    """Switch a new file to write-ahead logging.

    If two processes switch a file at the same time, one gets an error that busy_timeout does not prevent.
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

    An event listener would do it too, but with any listener on an engine every statement takes a third longer.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(how)


def in_words(error: StoreError | DBAPIError) -> str:
    """Return the database's own error message on one line, without the statement that SQLAlchemy adds."""
    return " ".join(str(getattr(error, "orig", error)).split())


# --- the tables of the database ---


def is_not_made_yet(settings: Settings) -> bool:
    """Return whether the database is an SQLite file that does not exist yet.

    Only `judge run` creates it.
    """
    address = make_url(settings.store_url)
    return address.get_backend_name() == "sqlite" and not Path(address.database or "").exists()


def opened(settings: Settings) -> Engine:
    """Open the database and migrate it.

    Raises StoreError if there is no database, or if it cannot be used.
    """
    if is_not_made_yet(settings):
        raise StoreError("there is no database yet; judge run creates it")
    engine = open_engine(settings.store_url)
    migrate(engine)
    return engine


def migrate(engine: Engine) -> None:
    """Migrate the tables to the form that this version of the code needs.

    All steps run in one transaction, so a migration that fails leaves the database as it was. Raises StoreError if the
    database cannot be used, or if `check_tables` rejects it.
    """
    try:
        with engine.connect() as connection, connection.begin():
            begin(connection, "BEGIN IMMEDIATE")
            if connection.dialect.name == "postgresql":
                # Wait without a time limit, since another process may need a long time to migrate large tables.
                connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
            before = check_tables(connection)
            if before == newest_step():
                return
            _take_steps(connection, before)
            _refuse_incomplete(connection, before)
    except DBAPIError as error:
        raise unusable(engine, error) from error
    log.info("tables brought from=%s to=%s", before or "nothing", newest_step())


def check_tables(connection: Connection) -> str:
    """Return the last migration step of the database, or "" for an empty database.

    Alembic has noted the step. Raises StoreError if the version of the judge that made the database is newer, or too
    old. Also raises StoreError if the database lacks something that the steps noted in it should have made.
    """
    taken = step_taken(connection)
    if taken == newest_step():
        _refuse_incomplete(connection, taken)
    if not taken or taken in _steps():
        return taken
    # A step whose name is only a number belongs to an earlier sequence of steps.
    if taken.isdecimal() or taken < min(_steps()):
        is_oldest = taken.isdecimal() and taken < _LAST_NUMBER
        chain = " and then commit ".join(_BEFORE_MERGES if is_oldest else _BEFORE_MERGES[1:])
        raise StoreError(
            f"the database is too old for this version of judge (its tables are at {taken}): first upgrade it with "
            f'commit {chain}, then with this version (docs/keeper.md, "Upgrade")'
        )
    raise StoreError(
        f"the database was made by a newer version of judge (its tables are at {taken}, "
        f"this version knows them up to {newest_step()}): "
        "install that version, or restore a backup made before it"
    )


def newest_step() -> str:
    """Return the name of the last step in judge/store/migrations."""
    return max(_steps())


def step_taken(connection: Connection) -> str:
    """Return the last step that Alembic has noted in this database, or "" for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() or ""


def _steps() -> set[str]:
    """Return the names of all steps, from the files in judge/store/migrations/versions.

    Each file names its step and the step before it. Raises BadInstallation if the steps do not form one sequence,
    because some files are from another version.
    """
    files = sorted((_MIGRATIONS / "versions").glob("[0-9]*_*.py"))
    before = ""
    for file in files:
        follows = _FOLLOWS.search(file.read_text(encoding="utf-8"))
        if not follows or (follows[1] or "") != before:
            raise BadInstallation(
                f"files of two versions of judge are installed ({before} and {file.stem} are steps of different "
                "tables): unpack the sources into an empty folder, and install from there (docs/keeper.md, Upgrade)"
            )
        before = file.stem
    return {file.stem for file in files}


def _take_steps(connection: Connection, before: str) -> None:
    """Take the migration steps that the database lacks.

    An empty database gets the current tables directly, with a note that all steps were taken.
    """
    # Import Alembic only when it is needed, since loading it takes long and most starts need no migration.
    from alembic import command
    from alembic.config import Config

    # Alembic's own log messages describe how Alembic works, not what was changed.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if before:
        command.upgrade(config, "head")
        return
    for table in SQLModel.metadata.sorted_tables:
        connection.execute(CreateTable(table))
        # Create the indexes in a fixed order. SQLite chooses by it if two indexes seem equally good for a query.
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(CreateIndex(index))
    command.stamp(config, "head")


def _refuse_incomplete(connection: Connection, noted: str) -> None:
    """Raise StoreError if the database lacks something that its steps should have made.

    This happens if a step was inserted before older ones. A database that had taken the older steps never takes the
    inserted one. Additional tables do no harm.
    """
    look = inspect(connection)
    lacks = []
    for name, table in sorted(SQLModel.metadata.tables.items()):
        if not look.has_table(name):
            lacks.append(f"table {name}")
            continue
        columns = {column["name"] for column in look.get_columns(name)}
        indexes = {index["name"] for index in look.get_indexes(name)}
        lacks += [f"column {name}.{column}" for column in sorted({*table.columns.keys()} - columns)]
        lacks += [f"index {index}" for index in sorted({str(index.name) for index in table.indexes} - indexes)]
    if lacks:
        more = f" and {len(lacks) - MOST_TOLD} more" if lacks[MOST_TOLD:] else ""
        raise StoreError(
            f"the database has skipped a migration: it claims that its tables are at {noted}, but it lacks "
            f"{', '.join(lacks[:MOST_TOLD])}{more}. Nothing was changed: restore a backup made before that, or add "
            "what is missing, as judge/store/migrations does"
        )
