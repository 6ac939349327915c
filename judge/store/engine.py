"""The database: opening it, bringing its tables up to date, and the transactions everything else runs in.

SQLite is the default and PostgreSQL runs the same code. A commit on either is on the disk when it returns, a
transaction sees all of what it builds on or fails as a whole, and nobody but the owner can read the file.
"""

import logging
import os
import re
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, event, inspect
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlmodel import Session, create_engine

from judge.store.damage import is_damage
from judge.store.json_text import JSON
from judge.store.shape import Shape, expected, lacking, shape_of

log = logging.getLogger(__name__)

# Seconds (of the last one: milliseconds) after which a client knows that PostgreSQL's machine is gone, which ends no
# connection: else it would wait for a quarter of an hour.
IS_THERE = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}
# How long one writer waits for another before "database is locked".
BUSY_SECONDS = 15
# The parameters of an address that hold a secret: password, sslpassword, oauth_client_secret.
_SECRET = re.compile("pass|secret|token", re.IGNORECASE)
# How much of what a database lacks is told.
MOST_TOLD = 5

_MIGRATIONS = Path(__file__).resolve().parent / "migrations"
_turns: WeakKeyDictionary[Engine, "_Line"] = WeakKeyDictionary()
# Any number, as long as every judge asks PostgreSQL for the same one.
_MIGRATION_LOCK = 190_104
# The steps 0001 to 0027 were merged into one, which makes the same tables; the commit that still has them.
_FIRST, _LAST_MERGED = "0001_first", "0027"
_BEFORE_THE_MERGE = "7b2fabcdd959218dd90e3dd0f6b071828ad0dace"


class StoreError(Exception):
    """The database cannot be used; the message is one sentence for the keeper."""


class _Line:
    """Our own threads that write to one SQLite file, one at a time, in the order in which they came.

    SQLite lets one write at a time and makes the others ask again after a while, so that a busy thread starves the
    rest. Re-entrant, so that a transaction opened inside another meets SQLite's error and not itself.
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
        """Whether this thread may write now; with `wait` it may when the call returns."""
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
        """The thread that has waited the longest is next."""
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
            _begin(session.connection(), "BEGIN IMMEDIATE")
            yield session
    finally:
        if line:
            line.leave()


def others_wait(engine: Engine) -> bool:
    """Whether another thread of ours waits for the end of this thread's transaction."""
    line = _turns.get(engine)
    return line is not None and line.is_waited_for


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only reads, and never makes a writer wait."""
    bound = engine.execution_options(postgresql_readonly=True)
    with Session(bound, expire_on_commit=False) as session, session.begin():
        _begin(session.connection(), "BEGIN")
        yield session


def migrate(engine: Engine) -> None:
    """Bring the tables to the form this version of the code works with; does nothing when they have it.

    Runs as one transaction, so a migration that fails leaves the database as it was. Raises StoreError when
    the database cannot be used at all, or for what `check_tables` refuses.
    """
    try:
        _migrate(engine)
    except DBAPIError as error:
        raise StoreError(f"the database {shown(engine.url)} cannot be used: {_first_line(error.orig)}") from error


def _migrate(engine: Engine) -> None:
    with engine.connect() as connection, _loose_foreign_keys(connection), connection.begin():
        _one_migration_at_a_time(connection)
        before = check_tables(connection)
        if before == [newest_step()]:
            return
        if before == [_LAST_MERGED]:
            connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{_FIRST}'")
        _take_steps(connection, "head")
        _refuse_incomplete(connection, [newest_step()], expected())
        _check_foreign_keys(connection)
    log.info("tables brought from=%s to=%s", *(before or ("nothing",)), newest_step())


def check_tables(connection: Connection) -> list[str]:
    """The step that has made the tables, as `steps_taken`, from which `migrate` can bring them up to date.

    Raises StoreError when the database was made by a newer version, or by one so old that its steps are not known here
    any more, or lacks what its steps should have made.
    """
    taken = steps_taken(connection)
    ours = [_FIRST] if taken == [_LAST_MERGED] else taken
    if taken:
        _refuse_unknown(ours)
        _refuse_incomplete(connection, taken, expected() if ours == [newest_step()] else _shape_after(ours))
    return taken


def newest_step() -> str:
    """The name of the last step in judge/store/migrations."""
    return max(_steps())


def steps_taken(connection: Connection) -> list[str]:
    """The step that has brought the tables to their form, as Alembic has noted it; none for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return []
    return list(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars())


def _steps() -> set[str]:
    """Each file in judge/store/migrations/versions has the name of its step."""
    return {path.stem for path in (_MIGRATIONS / "versions").glob("[0-9]*_*.py")}


def _take_steps(connection: Connection, *to: str) -> None:
    # Most starts of a judge find the tables as they must be, and Alembic takes long to import.
    from alembic import command
    from alembic.config import Config

    # Its own lines say how it works, not what was done.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    for step in to:
        command.upgrade(config, step)


def _shape_after(steps: Sequence[str]) -> Shape:
    """The tables as these steps, and those before them, make them."""
    scratch = _prepared_sqlite(make_url("sqlite://"))
    try:
        with scratch.begin() as connection:
            _take_steps(connection, *steps)
            return shape_of(connection)
    finally:
        scratch.dispose()


def _open_sqlite(address: URL) -> Engine:
    if address.database and address.database != ":memory:":
        path = Path(address.database)
        try:
            _make_private(path)
        except OSError as error:
            raise StoreError(f"the database {path} cannot be made: {error.strerror}") from error
    return _prepared_sqlite(address)


def _prepared_sqlite(address: URL) -> Engine:
    # hide_parameters: an error's text ends up in logs, and a letter or a password must not.
    engine = create_engine(address, hide_parameters=True, **JSON)
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
            address, pool_pre_ping=True, max_overflow=-1, hide_parameters=True, connect_args=IS_THERE, **JSON
        )
    except ModuleNotFoundError as error:
        raise StoreError("PostgreSQL needs the driver: pip install 'judge[postgres]'") from error
    event.listen(engine, "handle_error", _call_damage_operational)
    return engine


def _call_damage_operational(context: ExceptionContext) -> OperationalError | None:
    """What drivers call another kind of error (judge/store/damage.py)."""
    error = context.sqlalchemy_exception
    if error is None or not is_damage(type(error)):
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


def _begin(connection: Connection, how: str) -> None:
    """Begin a transaction of SQLite. No listener does it: as soon as an engine has one for any of its events, every
    statement takes a third longer.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(how)


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
    """SQLite's BEGIN IMMEDIATE is such a lock already."""
    _begin(connection, "BEGIN IMMEDIATE")
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")


def _refuse_unknown(taken: list[str]) -> None:
    unknown = set(taken) - _steps()
    at = ", ".join(sorted(unknown))
    if unknown and all(step.isdecimal() and step <= _LAST_MERGED for step in unknown):
        raise StoreError(
            f"the database is too old for this version of judge (its tables are at {at}): first upgrade it with commit "
            f'{_BEFORE_THE_MERGE}, then with this version (docs/keeper.md, "Upgrade")'
        )
    if unknown:
        raise StoreError(
            f"the database was made by a newer version of judge (its tables are at {at}, "
            f"this version knows them up to {newest_step()}): "
            "install that version, or restore a backup made before it"
        )


def _refuse_incomplete(connection: Connection, steps: Sequence[str], wanted: Shape) -> None:
    lacks = lacking(shape_of(connection), wanted)
    if lacks:
        more = f" and {len(lacks) - MOST_TOLD} more" if lacks[MOST_TOLD:] else ""
        raise StoreError(
            f"the database has skipped a step: by its own note its tables are at {', '.join(steps)}, but it lacks "
            f"{', '.join(lacks[:MOST_TOLD])}{more}. Nothing was changed: restore a backup made before that, or make "
            "what is missing as judge/store/migrations does"
        )


def in_words(error: DBAPIError) -> str:
    """What the database says, on one line."""
    return " ".join(str(error.orig).split())


def _first_line(error: BaseException | None) -> str:
    return str(error).partition("\n")[0]
