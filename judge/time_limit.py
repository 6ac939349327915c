"""A limit on the processor time for one letter. Beyond it, the work on the letter is interrupted.

All code that reads a letter takes time linear in its size. This limit catches code that takes more. It measures
processor time, so a busy machine does not make a letter fail. The work is also interrupted when the process must end.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_TICK = 0.25  # seconds of real time between two checks of the time used


class TakesTooLong(BaseException):
    """A letter that has used up its time.

    This is not an Exception, so no handler takes it for an error of its own code.
    """


class GivenUp(BaseException):
    """Work that is given up because the process is ending.

    This is not an Exception, for the same reason as TakesTooLong.
    """


@dataclass
class _Limit:
    """The limit of a block, in seconds of this thread's processor time.

    If `exempt_since` is not None, the clock has been stopped since then.
    """

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
    """Raise TakesTooLong in the block after `seconds` of processor time.

    GivenUp is raised as soon as `gives_up` returns true. Both are raised again if some code catches them. Only the main
    thread has a limit, since signals interrupt no other thread. Work that must not be interrupted, such as a commit,
    belongs outside the block.
    """
    global _limit
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    limit = _Limit(time.thread_time() + seconds, gives_up)
    limit.check()  # Check here too, so that many blocks shorter than a tick also end.
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
    """Do not count the processor time of the block.

    A phase that a master processes may take as long as it needs.
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
