"""How much processor time one letter may use: work that needs more is stopped, at whatever point it is.

All code that reads a letter takes time linear in its size; this limit is there in case some code does not. Processor
time is counted, not clock time, so that a busy machine does not make a letter fail. Work is also given up when the
process is to end, however much time it has left.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_TICK = 0.25  # clock seconds between two checks of the time used


class TakesTooLong(BaseException):
    """The time is used up. It is not an Exception, so that no handler on the way treats it as an error of its own code.
    """


class GivenUp(BaseException):
    """The process is to end and waits no longer for the work, which is not to blame. No Exception, for the same reason.
    """


@dataclass
class _Limit:
    """`until`: in seconds of this thread's processor time. `exempt_since`: when the time that does not count began."""

    until: float
    gives_up: Callable[[], bool]
    exempt_since: float | None = None

    def check(self) -> None:
        if self.gives_up():
            raise GivenUp
        if self.exempt_since is None and time.thread_time() > self.until:
            raise TakesTooLong


_limit: _Limit | None = None


@contextmanager
def time_limit(seconds: float = math.inf, gives_up: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Raise TakesTooLong in the block when it has used `seconds` of processor time, and GivenUp when `gives_up`.

    They are raised again if some code catches them. It works in the main thread only, since signals interrupt only that
    one; in other threads there is no limit. Work that must not be interrupted, like a commit, belongs outside the
    block.
    """
    global _limit
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    limit = _Limit(time.thread_time() + seconds, gives_up)
    limit.check()  # many blocks that are each shorter than a tick also end
    before = signal.signal(signal.SIGALRM, _look)
    _limit = limit
    try:
        signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
        yield
    finally:
        _limit = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def exempt_from_limit() -> Iterator[None]:
    """The time that the block uses does not count: an adjudication that a master asks for may take as long as it needs.
    """
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
