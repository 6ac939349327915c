"""The lock of a judge's daemon, the turn to change games, and the processes at work.

A database has one daemon, even if two homes use it, since two daemons would answer every letter twice. On PostgreSQL,
the daemon's lock is an advisory lock in a separate session. With SQLite, it is a lock file next to the database file.
Both are released when the process ends. If the server ends the session, for example because the server was restarted,
the lock is lost. `DaemonLock.confirm` then takes it again before anything is decided or sent, or raises an error if
another daemon has it.

Only one process at a time changes games. The daemon does so with each letter and deadline, and the keeper from the
shell. SQLite allows only one writer anyway. On PostgreSQL, a lock that ends with the transaction has the same effect.
So no order is filed for a phase that another process is processing.

On PostgreSQL, the sessions of a process have a name that other processes can see. A process that sends a mail or draws
a picture notes its name and the time in the row. The row is free again when the sessions of that name have ended. It is
also free if the process has not renewed its note for some minutes. With SQLite, only the daemon sends and draws.
"""

import fcntl
import os
import re
import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, Engine, NullPool, and_, or_, text, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col

from judge.store.engine import open_engine, unusable
from judge.store.rows import unlocked
from judge.store.tables import Mail, Picture

# The key of the advisory lock. It may be any number, as long as every process uses the same one.
_TURN = 190_105
_WHAT = "another daemon of this database"
# The daemon signals every _SIGN_EVERY seconds that it is alive. After _SILENT seconds without a signal, the server
# frees the lock. A daemon may be frozen or gone while a network device keeps its connection open.
_SIGN_EVERY, _SILENT = 5.0, 20
# A process that sends a mail or draws a picture must renew its note within this time. Most such work takes seconds.
LEASE = timedelta(minutes=2)
_NAMED = re.compile("judge (?P<role>daemon|stand-by|worker) [0-9a-f]+, (process .+)")
# The key of the daemon's advisory lock. It may be any number, as long as every daemon uses the same one.
DAEMON_LOCK = 190_106
# The first version of PostgreSQL that ends a silent session.
_KNOWS_SILENCE = (14,)
# The names of all sessions, and whether each has the lock. A daemon that waits to take over has a session, but not the
# lock.
_NAMES = text(
    "SELECT application_name, EXISTS (SELECT 1 FROM pg_locks WHERE pg_locks.pid = there.pid AND granted "
    "AND locktype = 'advisory' AND classid = 0 AND objid = :lock) "
    "FROM pg_stat_activity AS there WHERE datname = current_database() ORDER BY backend_start"
)
_AT_WORK = text("SELECT application_name FROM pg_stat_activity WHERE datname = current_database()")


class AlreadyRunning(Exception):
    """Another daemon has the lock.

    The message names its process.
    """


def take_turn(session: Session) -> None:
    """Wait until no other process changes games.

    This must be the first call in a transaction.
    """
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_TURN})"))


@contextmanager
def hold_lock(path: Path, what: str) -> Iterator[None]:
    """Keep the lock file at `path` locked while the block runs, with our process number in it.

    `what` describes its owner in the message of AlreadyRunning, such as `the daemon of this home`.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(f"{what} is already running (process {_holder(path)})") from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def holder(path: Path) -> str:
    """Return the number of the process that has the lock file, or "" if no process does."""
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
    """The lock that keeps other daemons away from an SQLite database, for any thread.

    The lock file is next to the database file, so every link to the database leads to one lock. `lets_wait` is true if
    another daemon may wait to take over. Otherwise the other daemon is refused.
    """

    lets_wait = False

    def __init__(self, engine: Engine):
        self._database = engine.url.database or ":memory:"
        self._held = ExitStack()

    def take(self) -> None:
        """Take the lock, before anything else is done with the database.

        Raises AlreadyRunning or StoreError.
        """
        if self._database != ":memory:":
            file = Path(self._database).resolve()
            self._held.enter_context(hold_lock(file.with_name(f"{file.name}.lock"), _WHAT))

    def confirm(self) -> None:
        """Check, before anything is decided or sent, that this process still has the lock.

        A lock file is never lost. Raises AlreadyRunning if another daemon has taken the lock, or OperationalError while
        this cannot be checked.
        """

    def release(self) -> None:
        """Release the lock, so that another daemon can use the database."""
        self._held.close()


class _SessionLock(DaemonLock):
    """The daemon's lock on PostgreSQL, which is a separate session that shows that the daemon is alive."""

    lets_wait = True

    def __init__(self, engine: Engine):
        self._engine = open_engine(engine.url, "daemon", poolclass=NullPool)
        self._connection: Connection | None = None
        self._one_at_a_time = threading.Lock()
        self._released: threading.Event | None = None

    def take(self) -> None:
        try:
            self.confirm()
        except DBAPIError as error:
            raise unusable(self._engine, error) from error

    def confirm(self) -> None:
        with self._one_at_a_time:
            if self._is_held():
                return
            self._close()
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._connection = connection
            try:
                if not connection.execute(text(f"SELECT pg_try_advisory_lock({DAEMON_LOCK})")).scalar_one():
                    names = connection.execute(_NAMES, {"lock": DAEMON_LOCK})
                    whose = next((name for name, decides in names if decides), "it has just ended")
                    raise AlreadyRunning(f"{_WHAT} is already running ({whose})")
                if (connection.dialect.server_version_info or ()) >= _KNOWS_SILENCE:
                    connection.execute(text(f"SET idle_session_timeout = '{_SILENT}s'"))
            except BaseException:
                self._close()
                raise
            if self._released is None:
                self._released = threading.Event()
                threading.Thread(target=self._give_signs, args=(self._released,), daemon=True).start()

    def _is_held(self) -> bool:
        with suppress(DBAPIError):
            return self._connection is not None and self._connection.execute(text("SELECT 1")) is not None
        return False

    def _give_signs(self, released: threading.Event) -> None:
        while not released.wait(_SIGN_EVERY):
            with self._one_at_a_time:
                if not self._is_held():
                    self._close()  # `confirm` takes the lock again before anything is decided

    def release(self) -> None:
        with self._one_at_a_time:
            self._close()
            if self._released:
                self._released.set()
                self._released = None

    def _close(self) -> None:
        if self._connection:
            with suppress(DBAPIError):
                self._connection.close()
            self._connection = None


def daemon_lock_of(engine: Engine) -> DaemonLock:
    """Return the daemon's lock for the database of `engine`, not yet taken."""
    return (_SessionLock if engine.dialect.name == "postgresql" else DaemonLock)(engine)


def take_back(
    session: Session, what: type[Mail] | type[Picture], me: str, mine: Collection[int], now: datetime
) -> None:
    """Free the mails or pictures that ended or silent processes have taken.

    `me` is this process, and `mine` are the rows on which it works, which stay taken. Other rows with its name are
    freed, since their note was made when the connection to the database was lost. With SQLite, every other process has
    ended.
    """
    connection, whose, since = session.connection(), col(what.taken_by), col(what.taken_at)
    old = (whose == me, col(what.id).in_(mine), since <= now - LEASE / 3)
    session.execute(update(what).where(*old).values(taken_at=now))
    at_work = connection.execute(_AT_WORK).scalars() if connection.dialect.name == "postgresql" else ()
    others = [name for name in at_work if name != me]
    left = or_(whose.not_in([me, *others]), since <= now - LEASE, and_(whose == me, col(what.id).not_in(mine)))
    session.execute(update(what).where(unlocked(what, whose.is_not(None), left)).values(taken_by=None, taken_at=None))


def roll(engine: Engine) -> list[tuple[str, ...]]:
    """Return the role and the place of every process at work for the judge, oldest first.

    The role is one of `Role`. The place is like `process 12 on heron`. With SQLite, no process is known.
    """
    if engine.dialect.name != "postgresql":
        return []
    with engine.connect() as connection:
        sessions = connection.execute(_NAMES, {"lock": DAEMON_LOCK}).all()
    # A process has several sessions. If the process is the daemon, one of them has the lock.
    found = [(_NAMED.fullmatch(name), decides) for name, decides in dict.fromkeys(map(tuple, sessions))]
    return [name.groups() for name, decides in found if name and (decides or name["role"] != "daemon")]
