"""Locks: one that only one process can hold, and the turn to change games.

Only one process at a time changes games: the daemon with each letter and deadline, the keeper from the shell. SQLite
lets only one write anyway; on PostgreSQL a lock that ends with the transaction has the same effect. So no order is
filed for a phase that another process is processing.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text
from sqlmodel import Session

# Any number will do, as long as every process uses the same one.
_TURN = 190_105


def take_turn(session: Session) -> None:
    """Wait until no other process changes games. Must be the first call in a transaction."""
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_TURN})"))


class AlreadyRunning(Exception):
    """Another daemon holds the lock; the message names its process."""


@contextmanager
def hold_lock(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file at `path` while the block runs. The file is made if it is missing; our process number is
    written to it.

    `what`: a description of the process that holds it, such as `the daemon of this home`, for AlreadyRunning's message.
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
    """The number of the process that holds the lock, "" if no process does."""
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
