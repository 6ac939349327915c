"""How much of the processor one letter may have: what needs more is broken off, wherever it is.

Everything that reads a letter is linear in its size; this is the net below. Time of the processor is counted, not of
the clock, so that a busy machine is not held against a letter.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_TICK = 0.25  # seconds of the clock between two looks at the time used


class TakesTooLong(BaseException):
    """The time is used up. No Exception, so that nothing on the way takes it for a fault of its own."""


@dataclass
class _Limit:
    """`until`: in seconds of this thread's processor time. `exempt_since`: when what is not counted began."""

    until: float
    exempt_since: float | None = None

    def check(self) -> None:
        if self.exempt_since is None and time.thread_time() > self.until:
            raise TakesTooLong


_limit: _Limit | None = None


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TakesTooLong in the block when it has used `seconds` of processor time.

    Again and again, where something swallows it. For the main thread, which alone is interrupted by signals; elsewhere
    there is no limit. Whatever must not be broken off, like a commit, stands outside the block.
    """
    global _limit
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _look)
    _limit = _Limit(time.thread_time() + seconds)
    try:
        signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
        yield
    finally:
        _limit = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def exempt_from_limit() -> Iterator[None]:
    """What the block needs does not count: an adjudication that a master asks for takes the time it takes."""
    limit = _limit
    if limit is None:
        yield
        return
    limit.exempt_since = began = time.thread_time()
    try:
        yield
    finally:
        limit.until += time.thread_time() - began
        limit.exempt_since = None


def _look(_number: int, _frame: object) -> None:
    if _limit:
        _limit.check()
