"""One daemon per database, even if their homes differ: two daemons would answer every letter twice.

The guard belongs to the database: on PostgreSQL it is an advisory lock in a session of its own, with SQLite a lock file
beside the database file. Both are released when the process ends. If the server has ended the session (it was
restarted), the lock is lost: `confirm` takes it again before anything is decided or sent, or says that another daemon
has it.
"""

import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from judge.store.engine import StoreError, shown
from judge.store.locks import AlreadyRunning, hold_lock
from judge.store.workers import DAEMON_LOCK, session_engine

# The server may need a moment to notice that the previous daemon has ended.
_PATIENCE = 3.0
_WHAT = "another daemon of this database"
# A machine that is gone (power, network) ends no session: so the server asks whether it is there, after so many seconds
# without a word, again and again after so many, and so often in vain until it frees the lock. Else it asks after two
# hours, and the daemon that stands by would wait as long.
_IS_THERE = [
    text(f"SET tcp_keepalives_{what} = {value}") for what, value in (("idle", 5), ("interval", 3), ("count", 3))
]
_HOLDER = text(
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) "
    "WHERE locktype = 'advisory' AND classid = 0 AND objid = :lock AND granted AND datname = current_database()"
)


class DaemonLock(Protocol):
    """Keeps all other daemons away from a database; can be used by any thread. `lets_wait`: whether another daemon may
    stand by, to take over when the first ends; else it is refused.
    """

    lets_wait: bool

    def take(self) -> None:
        """Take the lock, before anything else is done with the database; raises AlreadyRunning, StoreError."""

    def confirm(self) -> None:
        """Check, before anything is decided or sent, that the lock is still ours. Raises AlreadyRunning when another
        daemon has taken it meanwhile, OperationalError while this cannot be checked.
        """

    def release(self) -> None:
        """Release the lock, so that another daemon can use the database."""


def daemon_lock_of(engine: Engine) -> DaemonLock:
    """The guard of the database that `engine` opens, not yet taken."""
    if engine.dialect.name == "postgresql":
        return _Session(engine)
    return _LockFile(engine)


class _LockFile:
    """The lock file is beside the database file itself, so that every path and link to it leads to the same lock."""

    lets_wait = False

    def __init__(self, engine: Engine):
        self._database = engine.url.database or ":memory:"
        self._held = ExitStack()

    def take(self) -> None:
        if self._database == ":memory:":
            return
        file = Path(self._database).resolve()
        self._held.enter_context(hold_lock(file.with_name(f"{file.name}.lock"), _WHAT))

    def confirm(self) -> None:
        """Nothing to check: the system takes no lock away from a running process."""

    def release(self) -> None:
        self._held.close()


class _Session:
    """A session with PostgreSQL that only holds the lock."""

    lets_wait = True

    def __init__(self, engine: Engine):
        self._engine = session_engine(engine, "daemon")
        self._connection: Connection | None = None
        self._one_at_a_time = threading.Lock()

    def take(self) -> None:
        until = time.monotonic() + _PATIENCE
        other: AlreadyRunning | None = None
        while True:
            try:
                return self.confirm()
            except AlreadyRunning as error:
                other = error
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)
            except DBAPIError as error:
                if other:  # whoever stands by waits for a server that is restarted, too
                    raise other from error
                words = str(error.orig).partition("\n")[0]
                raise StoreError(f"the database {shown(self._engine.url)} cannot be used: {words}") from error

    def confirm(self) -> None:
        with self._one_at_a_time:
            if not self._lives():
                self._connection = self._locked()

    def release(self) -> None:
        with self._one_at_a_time:
            self._drop()

    def _lives(self) -> bool:
        """Whether the session that took the lock still exists; if so, we still hold the lock."""
        if self._connection is None:
            return False
        try:
            self._connection.execute(text("SELECT 1"))
        except DBAPIError:
            self._drop()
            return False
        return True

    def _locked(self) -> Connection:
        connection = self._engine.connect()
        try:
            if connection.execute(text(f"SELECT pg_try_advisory_lock({DAEMON_LOCK})")).scalar_one():
                for setting in _IS_THERE:
                    connection.execute(setting)
                return connection
            whose = connection.execute(_HOLDER, {"lock": DAEMON_LOCK}).scalar()
            raise AlreadyRunning(f"{_WHAT} is running already ({whose or 'it has just ended'})")
        except BaseException:
            connection.close()
            raise

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.close()
            self._connection = None
