"""The processes of one judge on PostgreSQL: how they call each other, and which of them are at work.

Each keeps a session that listens (NOTIFY calls it, in the transaction that leaves something to do) and whose name all
can see. What a process is sending or drawing is noted in the rows of mails and pictures, under that name: when the
session has ended, the rows are free. With SQLite the daemon is the only process that sends and draws.
"""

import os
import re
import select
import socket
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Engine, NullPool, and_, create_engine, or_, text, update
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlmodel import Session, col

from judge.store.engine import IS_THERE
from judge.store.tables import Mail, Picture

# What a process does for its judge: decide, wait to decide when the daemon ends, or send and draw.
Role = Literal["daemon", "stand-by", "worker"]
# The channel of PostgreSQL on which the processes of a judge call each other.
_CHANNEL = "judge"
_CALLED = "has called the other processes"
_NAMED = re.compile("judge (?P<role>daemon|stand-by|worker), (?P<where>process .+)")
# The key of the daemon's advisory lock; any number will do, as long as every daemon uses the same one.
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
    """A process at work for a judge; `where` is `process 12 on heron`."""

    role: Role
    where: str


def name_of(role: Role) -> str:
    """The name of this process's sessions with PostgreSQL, which keeps 63 characters of it."""
    return f"judge {role}, process {os.getpid()} on {socket.gethostname()}"[:63]


def call(session: Session) -> None:
    """Wake the other processes when this transaction is committed: there is something to send or to draw."""
    if _CALLED in session.info:
        return
    if not session.in_nested_transaction():  # a savepoint that is rolled back takes its NOTIFY with it
        session.info[_CALLED] = True
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"NOTIFY {_CHANNEL}"))


def free_what_the_dead_had(
    session: Session, what: type[Mail] | type[Picture], me: str, mine: Collection[int]
) -> None:
    """Free the mails, or pictures, of processes that have ended.

    With SQLite that is every process but this one, `me`. It is working on `mine` and no others, whatever an earlier
    process of its name had.
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


class KeptSession:
    """A session with PostgreSQL that is kept open and seen by the name of its process."""

    def __init__(self, engine: Engine, role: Role):
        self._engine = create_engine(
            engine.url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True,
            connect_args={**IS_THERE, "application_name": name_of(role)},
        )  # fmt: skip
        self._connection: Connection | None = None

    def is_open(self) -> bool:
        """Whether the session exists and the server still knows it."""
        if self._connection is None:
            return False
        try:
            self._connection.execute(text("SELECT 1"))
        except DBAPIError:
            self.close()
        return self._connection is not None

    def open(self, prepare: Callable[[Connection], object]) -> None:
        """Begin the session, and `prepare` it; it stays closed if this fails."""
        self._connection = self._engine.connect()
        try:
            prepare(self._connection)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the session."""
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.close()
            self._connection = None


class Ear(KeptSession):
    """A session that listens for calls; for one thread."""

    def __init__(self, engine: Engine, role: Role):
        super().__init__(engine, role)
        self._called = False
        with suppress(OperationalError):  # then `wait` tries again
            self.open(self._listen)

    def wait(self, seconds: float, bell: socket.socket) -> bool:
        """Wait until another process calls, `bell` becomes readable, or `seconds` have passed.

        Returns whether there may be something to do. Raises OperationalError when the database is out of reach; the
        next call listens again.
        """
        if self._connection is None:
            self.open(self._listen)
            return True  # calls may have been missed meanwhile
        try:
            driver: Any = self._connection.connection.driver_connection
            select.select([driver, bell], [], [], seconds)
            self._called = False
            # The driver reads calls with the answer, which also tells whether the server is still there.
            self._connection.execute(text("SELECT 1"))
            return self._called
        except BaseException:
            self.close()
            raise

    def _listen(self, connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        driver.add_notify_handler(self._hear)
        connection.execute(text(f"LISTEN {_CHANNEL}"))

    def _hear(self, _: object) -> None:
        self._called = True
