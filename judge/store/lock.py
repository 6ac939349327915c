"""A lock that only one process holds, and that the system drops by itself when the process ends, however it ends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class AlreadyRunning(Exception):
    """Another daemon holds the lock; the message names its process."""


@contextmanager
def hold_lock(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file at `path` (made if need be, with our process number in it) while the block runs.

    `what`: what the process that holds it is, `the daemon of this home`, for the message of AlreadyRunning.
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
    """The number of the process that holds the lock, "" when none does."""
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
