"""The database: opening it, bringing its tables up to date, and the transactions everything else runs in.

SQLite is the default and PostgreSQL runs the same code. A commit on either is on the disk when it returns, a
transaction sees all of what it builds on or fails as a whole, and nobody but the owner can read the file.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL, make_url
from sqlmodel import Session, create_engine

log = logging.getLogger(__name__)

# How long one writer waits for another before "database is locked".
BUSY_SECONDS = 15

_MIGRATIONS = Path(__file__).resolve().parent / "migrations"
# Any number, as long as every judge asks PostgreSQL for the same one.
_MIGRATION_LOCK = 190_104


class StoreError(Exception):
    """The database cannot be used; the message is one sentence for the keeper."""


def open_engine(url: str) -> Engine:
    """The engine for `sqlite:///path/to/judge.db` or `postgresql://user@host/name`.

    Makes the SQLite file and its folder if they do not exist yet; `migrate` makes the tables.
    """
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        return _open_sqlite(address)
    if address.drivername == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    # pool_pre_ping: a PostgreSQL that was restarted is noticed before a letter's transaction, not in it.
    # hide_parameters: an error's text ends up in logs and must not carry letters or passwords there.
    return create_engine(address, pool_pre_ping=True, hide_parameters=True)


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """A session that commits at the end of the block, or rolls everything back when an exception leaves it."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only reads, and never makes a writer wait."""
    bound = engine.execution_options(reading=True, postgresql_readonly=True)
    with Session(bound, expire_on_commit=False) as session, session.begin():
        yield session


def migrate(engine: Engine) -> None:
    """Bring the tables to the form this version of the code works with; does nothing when they have it.

    Runs as one transaction, so a migration that fails leaves the database as it was. Raises StoreError when
    the database was made by a newer version.
    """
    # Alembic's own lines say how it works, not what was done.
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
        _make_private(Path(address.database))
    engine = create_engine(address, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_private(path: Path) -> None:
    """Make the file before SQLite does: SQLite gives -wal and -shm the permissions of the file itself."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver would begin transactions by itself, too late and deferred; `_begin_sqlite` does it.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")
    # FULL: results must survive a power cut once they were mailed out.
    connection.execute("PRAGMA synchronous = FULL")
    # What was masked or replaced is zeroed in the file, not left in its free pages.
    connection.execute("PRAGMA secure_delete = ON")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once when another wrote in between, busy_timeout
    # or not; taking the write lock at the start makes it wait instead.
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
            raise StoreError(f"The migration would leave rows of table {broken[0]!r} pointing at nothing.")


def _one_migration_at_a_time(connection: Connection) -> None:
    """SQLite's BEGIN IMMEDIATE is such a lock already."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")


def _refuse_newer(heads: tuple[str, ...], scripts: ScriptDirectory) -> None:
    unknown = set(heads) - {script.revision for script in scripts.walk_revisions()}
    if unknown:
        raise StoreError(
            f"The database was made by a newer version of judge (its tables are at {', '.join(sorted(unknown))}, "
            f"this version knows them up to {scripts.get_current_head()}): "
            "install that version, or restore a backup made before it."
        )
