"""Locks: which process is the daemon of a database, and whose turn it is to change games.

One daemon per database, even if their homes differ: two daemons would answer every letter twice. On PostgreSQL its
lock is an advisory lock in a session of its own, with SQLite a lock file beside the database file. Both are released
when the process ends. If the server has ended the session (it was restarted), the lock is lost: `DaemonLock.confirm`
takes it again before anything is decided or sent, or says that another daemon has it.

Only one process at a time changes games: the daemon with each letter and deadline, the keeper from the shell. SQLite
lets only one write anyway; on PostgreSQL a lock that ends with the transaction has the same effect. So no order is
filed for a phase that another process is processing.
"""

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from judge.store.engine import StoreError, shown
from judge.store.workers import DAEMON_LOCK, KeptSession

# The key of the advisory lock; any number will do, as long as every process uses the same one.
_TURN = 190_105
# Seconds to wait for the lock: the server may need a moment to notice that the previous daemon has ended.
_PATIENCE = 3.0
_WHAT = "another daemon of this database"
# A machine that is gone (power, network) ends no session, so the server probes an idle connection and frees the lock.
# The defaults (two hours until the first probe) would keep a daemon that stands by waiting as long.
_PROBES = {"tcp_keepalives_idle": 5, "tcp_keepalives_interval": 3, "tcp_keepalives_count": 3}
_HOLDER = text(
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) "
    "WHERE locktype = 'advisory' AND classid = 0 AND objid = :lock AND granted AND datname = current_database()"
)


class AlreadyRunning(Exception):
    """Another daemon holds the lock; the message names its process."""


def take_turn(session: Session) -> None:
    """Wait until no other process changes games; must be the first call in a transaction."""
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_TURN})"))


@contextmanager
def hold_lock(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file at `path` while the block runs; our process number is written to it.

    `what` describes the holder in the message of AlreadyRunning, such as `the daemon of this home`.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(f"{what} is running already (process {_holder(path)})") from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def holder(path: Path) -> str:
    """The number of the process that holds the lock file, "" if no process does."""
    if not path.exists():
        return ""
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _holder(path)
    return ""


def _holder(path: Path) -> str:
    return path.read_text().strip() or "?"


class DaemonLock:
    """Keeps other daemons away from an SQLite database; can be used by any thread.

    The lock file is beside the database file itself, so that every path and link to it leads to the same lock.
    `lets_wait`: whether another daemon may stand by and take over; otherwise it is refused.
    """

    lets_wait = False

    def __init__(self, engine: Engine):
        self._database = engine.url.database or ":memory:"
        self._held = ExitStack()

    def take(self) -> None:
        """Take the lock, before anything else is done with the database; raises AlreadyRunning, StoreError."""
        if self._database != ":memory:":
            file = Path(self._database).resolve()
            self._held.enter_context(hold_lock(file.with_name(f"{file.name}.lock"), _WHAT))

    def confirm(self) -> None:
        """Check, before anything is decided or sent, that the lock is still ours: a lock file is never lost.

        Raises AlreadyRunning when another daemon has taken it, OperationalError while this cannot be checked.
        """

    def release(self) -> None:
        """Release the lock, so that another daemon can use the database."""
        self._held.close()


class _SessionLock(KeptSession, DaemonLock):
    """The same for PostgreSQL: a session that only holds the lock."""

    lets_wait = True

    def __init__(self, engine: Engine):
        super().__init__(engine, "daemon")
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
                if other:  # a daemon that stands by also waits for a server that is being restarted
                    raise other from error
                words = str(error.orig).partition("\n")[0]
                raise StoreError(f"the database {shown(self._engine.url)} cannot be used: {words}") from error

    def confirm(self) -> None:
        with self._one_at_a_time:
            if not self.is_open():
                self.open(_lock)

    def release(self) -> None:
        with self._one_at_a_time:
            self.close()


def _lock(connection: Connection) -> None:
    if not connection.execute(text(f"SELECT pg_try_advisory_lock({DAEMON_LOCK})")).scalar_one():
        whose = connection.execute(_HOLDER, {"lock": DAEMON_LOCK}).scalar()
        raise AlreadyRunning(f"{_WHAT} is running already ({whose or 'it has just ended'})")
    for setting, value in _PROBES.items():
        connection.execute(text(f"SET {setting} = {value}"))


def daemon_lock_of(engine: Engine) -> DaemonLock:
    """The lock of the database that `engine` opens, not yet taken."""
    return (_SessionLock if engine.dialect.name == "postgresql" else DaemonLock)(engine)
