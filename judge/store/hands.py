"""The processes of one judge: how one calls the others, and how each is seen to be at work.

A process that sends or draws keeps an ear on the database. On PostgreSQL that is a session that listens (NOTIFY calls
it, in the transaction of what there is to do) and whose name is seen by all; with SQLite it looks every so often
whether another process has written, and holds a lock file beside the database, which says who it is.
"""

import os
import re
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from glob import escape, glob
from pathlib import Path
from typing import Any, Literal, Protocol

from sqlalchemy import Connection, Engine, NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlmodel import Session

from judge.store.engine import IS_THERE
from judge.store.locks import hold_lock, holder

# What a process is to its judge: the one that decides, one that will when that one ends, one that sends or draws.
Role = Literal["daemon", "stand-by", "courier", "painter"]
# The channel of PostgreSQL on which the processes of a judge call each other.
_CHANNEL = "judge"
# Seconds between two looks whether another process has written to SQLite's file.
_LOOK = 0.2
# Who holds lock files beside SQLite's file; the daemon's is another (judge/store/guard.py).
_WITH_FILES: tuple[Role, ...] = ("courier", "painter")
_RUNG = "has called the other processes"
_NAMED = re.compile(r"judge(?: (?P<role>[\w-]+))?, (?P<where>process .+)")
# The advisory lock of the daemon; any number will do, as long as every daemon uses the same one.
DAEMON_LOCK = 190_106
# The names of sessions, and whether each holds that lock: one that stands by tries again and again to take it.
_NAMES = text(
    "SELECT application_name, EXISTS (SELECT 1 FROM pg_locks WHERE pg_locks.pid = there.pid AND granted "
    "AND locktype = 'advisory' AND classid = 0 AND objid = :lock) "
    "FROM pg_stat_activity AS there WHERE datname = current_database() ORDER BY backend_start"
)


@dataclass(frozen=True)
class Hand:
    """A process at work for a judge: `where` is `process 12 on heron`."""

    role: Role
    where: str


class Ear(Protocol):
    """How a process learns that there may be something for it to do; for one thread."""

    def wait(self, seconds: float, bell: socket.socket) -> bool:
        """Wait until another process calls, `bell` becomes readable, or so many seconds have passed; whether there may
        be something to do. Raises OperationalError when the database is out of reach; the next call listens again.
        """


def call(session: Session) -> None:
    """Call the other processes of the judge when this transaction is committed: there is something to send or drawn.

    Only PostgreSQL calls them; with SQLite they see for themselves that the file has changed.
    """
    if _RUNG in session.info:
        return
    if not session.in_nested_transaction():  # what is undone with a savepoint calls nobody
        session.info[_RUNG] = True
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"NOTIFY {_CHANNEL}"))


@contextmanager
def at_work(engine: Engine, role: Role) -> Iterator[Ear]:
    """Be seen as a process of that role while the block runs, and listen."""
    with ExitStack() as held:
        if engine.dialect.name == "postgresql":
            yield held.enter_context(closing(_Listener(engine, role)))
        else:
            held.enter_context(_seen(engine, role))
            yield held.enter_context(closing(_Watcher(engine)))


def roll(engine: Engine) -> list[Hand]:
    """All processes at work for the judge, where the database knows them: with SQLite the daemon is none of them."""
    if engine.dialect.name != "postgresql":
        return _holders(engine)
    with engine.connect() as connection:
        sessions = [
            (_NAMED.fullmatch(name), decides) for name, decides in connection.execute(_NAMES, {"lock": DAEMON_LOCK})
        ]
    return [
        Hand(name["role"] or "daemon", name["where"])  # type: ignore[arg-type]  # named by `at_work`
        for name, decides in sessions
        if name and (name["role"] or decides)
    ]


def share(engine: Engine, number: int, *, daemon: bool) -> int:
    """How many of so many things this process may take, of which all couriers take their shares; `daemon`: it has a
    courier, too.
    """
    couriers = sorted(hand.where for hand in roll(engine) if hand.role == "courier")
    ours = f"process {os.getpid()}", _name("courier").partition(", ")[2]
    place = next((place for place, where in enumerate(couriers) if where in ours), len(couriers))
    each, left = divmod(number, max(1, len(couriers) + daemon))
    return each + (place < left)


def session_engine(engine: Engine, role: Role) -> Engine:
    """An engine for sessions that are kept open and seen by the name of their process."""
    return create_engine(
        engine.url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True,
        connect_args={**IS_THERE, "application_name": _name(role)},
    )  # fmt: skip


def _name(role: Role) -> str:
    """What a process calls its sessions with PostgreSQL, which keeps 63 characters of it."""
    title = "judge" if role == "daemon" else f"judge {role}"
    return f"{title}, process {os.getpid()} on {socket.gethostname()}"[:63]


class _Listener:
    """A session with PostgreSQL that listens."""

    def __init__(self, engine: Engine, role: Role):
        self._engine = session_engine(engine, role)
        self._connection: Connection | None = None
        with suppress(OperationalError):  # then `wait` tries again
            self._connection = self._listening()

    def wait(self, seconds: float, bell: socket.socket) -> bool:
        try:
            if self._connection is None:
                self._connection = self._listening()
                return True  # nobody knows what was called before
            connection = self._connection
            driver: Any = connection.connection.driver_connection
            select.select([driver, bell], [], [], seconds)
            connection.execute(text("SELECT 1"))  # also finds out whether the server is still there
            return any(True for _ in driver.notifies(timeout=0))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Listen no more, and be seen no more."""
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.close()
            self._connection = None

    def _listening(self) -> Connection:
        connection = self._engine.connect()
        connection.execute(text(f"LISTEN {_CHANNEL}"))
        return connection


class _Watcher:
    """SQLite numbers the states of its file: a connection sees another number when others have written."""

    def __init__(self, engine: Engine):
        self._connection = engine.raw_connection()
        self._version = self._seen()

    def wait(self, seconds: float, bell: socket.socket) -> bool:
        until = time.monotonic() + seconds
        while (version := self._seen()) == self._version and (left := until - time.monotonic()) > 0:
            if select.select([bell], [], [], min(_LOOK, left))[0]:
                return False
        changed, self._version = version != self._version, version
        return changed

    def close(self) -> None:
        """Watch no more."""
        self._connection.close()

    def _seen(self) -> int:
        cursor = self._connection.cursor()
        cursor.execute("PRAGMA data_version")
        version: int = cursor.fetchall()[0][0]
        return version


@contextmanager
def _seen(engine: Engine, role: Role) -> Iterator[None]:
    """Hold the lock file that says so. Those of processes that were killed are deleted."""
    for path in _lock_files(engine):
        if not holder(path):
            path.unlink(missing_ok=True)
    path = Path(f"{_database(engine)}.{role}-{os.getpid()}")
    with hold_lock(path, f"the {role}"):
        yield
    path.unlink(missing_ok=True)


def _holders(engine: Engine) -> list[Hand]:
    found = [(path.name.rpartition(".")[2].rpartition("-")[0], holder(path)) for path in _lock_files(engine)]
    # Only a process of a role has made such a file.
    return [Hand(role, f"process {process}") for role, process in found if process]  # type: ignore[arg-type]


def _lock_files(engine: Engine) -> list[Path]:
    database = _database(engine)
    names = [name for role in _WITH_FILES for name in glob(f"{escape(str(database))}.{role}-*")]
    return sorted(map(Path, names))


def _database(engine: Engine) -> Path:
    return Path(engine.url.database or "").resolve()
