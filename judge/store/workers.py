"""The processes of one judge on PostgreSQL: how one calls the others, and how each is seen to be at work.

Each keeps a session that listens (NOTIFY calls it, in the transaction of what there is to do) and whose name is seen by
all. What a process has in hand is noted in the rows of mails and pictures, under that name: when the session has ended,
it is free. With SQLite the daemon is the only process that sends and draws.
"""

import os
import re
import select
import socket
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Engine, NullPool, and_, create_engine, or_, text, update
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlmodel import Session, col

from judge.store.engine import IS_THERE
from judge.store.tables import Mail, Picture

# What a process is to its judge: the one that decides, one that will when that one ends, one that sends and draws.
Role = Literal["daemon", "stand-by", "worker"]
# The channel of PostgreSQL on which the processes of a judge call each other.
_CHANNEL = "judge"
_CALLED = "has called the other processes"
_NAMED = re.compile("judge (?P<role>daemon|stand-by|worker), (?P<where>process .+)")
# The advisory lock of the daemon; any number will do, as long as every daemon uses the same one.
DAEMON_LOCK = 190_106
# The names of sessions, and whether each holds that lock: one that stands by tries again and again to take it.
_NAMES = text(
    "SELECT application_name, EXISTS (SELECT 1 FROM pg_locks WHERE pg_locks.pid = there.pid AND granted "
    "AND locktype = 'advisory' AND classid = 0 AND objid = :lock) "
    "FROM pg_stat_activity AS there WHERE datname = current_database() ORDER BY backend_start"
)
_AT_WORK = text("SELECT application_name FROM pg_stat_activity WHERE datname = current_database()")


@dataclass(frozen=True)
class AtWork:
    """A process at work for a judge: `where` is `process 12 on heron`."""

    role: Role
    where: str


def name_of(role: Role) -> str:
    """What this process calls its sessions with PostgreSQL, which keeps 63 characters of it."""
    return f"judge {role}, process {os.getpid()} on {socket.gethostname()}"[:63]


def call(session: Session) -> None:
    """Call the other processes of the judge when this transaction is committed: there is something to send or to draw.
    """
    if _CALLED in session.info:
        return
    if not session.in_nested_transaction():  # what is undone with a savepoint calls nobody
        session.info[_CALLED] = True
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"NOTIFY {_CHANNEL}"))


def free_what_the_dead_had(
    session: Session, what: type[Mail] | type[Picture], me: str, mine: Collection[int]
) -> None:
    """Free the mails, or pictures, of processes that have ended: with SQLite all but this one, `me`, which has `mine`
    in hand and no others, whatever one of its name had before.
    """
    connection, whose = session.connection(), col(what.taken_by)
    at_work = connection.execute(_AT_WORK).scalars() if connection.dialect.name == "postgresql" else ()
    others = [name for name in at_work if name != me]
    dead = or_(whose.not_in([me, *others]), and_(whose == me, col(what.id).not_in(mine)))
    session.execute(update(what).where(whose.is_not(None), dead).values(taken_by=None))


def roll(engine: Engine) -> list[AtWork]:
    """All processes at work for the judge; with SQLite none is known here."""
    if engine.dialect.name != "postgresql":
        return []
    with engine.connect() as connection:
        sessions = connection.execute(_NAMES, {"lock": DAEMON_LOCK}).all()
    found = [(_NAMED.fullmatch(name), decides) for name, decides in sessions]
    return [
        AtWork(name["role"], name["where"])  # type: ignore[arg-type]  # named by `name_of`
        for name, decides in found
        if name and (decides or name["role"] != "daemon")
    ]


def session_engine(engine: Engine, role: Role) -> Engine:
    """An engine for sessions that are kept open and seen by the name of their process."""
    return create_engine(
        engine.url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True,
        connect_args={**IS_THERE, "application_name": name_of(role)},
    )  # fmt: skip


class Ear:
    """A session with PostgreSQL that listens; for one thread."""

    def __init__(self, engine: Engine, role: Role):
        self._engine = session_engine(engine, role)
        self._connection: Connection | None = None
        with suppress(OperationalError):  # then `wait` tries again
            self._connection = self._listening()

    def wait(self, seconds: float, bell: socket.socket) -> bool:
        """Wait until another process calls, `bell` becomes readable, or so many seconds have passed; whether there may
        be something to do. Raises OperationalError when the database is out of reach; the next call listens again.
        """
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


@contextmanager
def at_work(engine: Engine, role: Role) -> Iterator[Ear]:
    """Be seen as a process of that role while the block runs, and listen."""
    with closing(Ear(engine, role)) as ear:
        yield ear
