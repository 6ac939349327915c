"""Timing of a process's threads: woken by others, or in a loop that no error ends."""

import logging
import select
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy.exc import OperationalError

from judge.store.engine import StoreError, in_words

log = logging.getLogger(__name__)

# Seconds until a step is tried again, after the database could not be reached and after any other error.
PAUSE, LONGEST_WAIT = 2.0, 30.0
# Seconds between two steps, unless the first asks for the next at once. A thread is called after every commit, and
# mails that are sent together cost the thread that decides less than mails that are sent one by one.
BREATH = 0.1


class Loop(threading.Thread):
    """Calls `step` again and again: when `call` is called, and when the seconds that `step` returned are over.

    An error is logged and reported, but does not end the thread: without it the judge would seem to work, and do
    nothing. A long step may look at `stopping`. `patience`: how long `end` waits for the current step, in seconds.
    """

    patience: float | None = None

    def __init__(self, name: str, step: Callable[[], float], met: Callable[[str], None] = lambda what: None):
        """Keep what to do; `met` is called with what is wrong."""
        super().__init__(name=name, daemon=True)
        self.stopping = threading.Event()
        self._called = threading.Event()
        self._step = step
        self._met = met

    def call(self) -> None:
        """Begin the next step at once."""
        self._called.set()

    def stop(self) -> None:
        """Let the current step be the last; `join` waits for its end."""
        self.stopping.set()
        self._called.set()

    def end(self) -> None:
        """Stop, and wait for the end of the current step."""
        self.stop()
        if self.is_alive():
            self.join(self.patience)

    def run(self) -> None:
        """Do the steps, in a thread of their own."""
        while not self.stopping.is_set():
            self._called.clear()
            try:
                wait = self._step()
            except OperationalError as error:
                self._met(f"database: {in_words(error)}")
                log.error("%s: %s", self.name, in_words(error))
                wait = PAUSE
            except Exception as error:
                self._met(f"{type(error).__name__}: the log has the traceback")
                log.exception("%s: an unexpected error", self.name)
                wait = LONGEST_WAIT
            self.stopping.wait(min(wait, BREATH))
            self._called.wait(wait)


def pause(stopping: threading.Event, seconds: float) -> bool:
    """Wait until the event is set or the time is over; return whether it is set.

    For the main thread, if a signal handler sets the event: `Event.wait` holds a lock for which `Event.set` waits, and
    the handler interrupts just the code that would release it.
    """
    until = time.monotonic() + seconds
    while not stopping.is_set() and (left := until - time.monotonic()) > 0:
        time.sleep(min(left, BREATH))
    return stopping.is_set()


def when_reachable(step: Callable[[], object], stopping: threading.Event, every: float) -> bool:
    """Do the step as soon as the database can be reached; return False if `stopping` is set before that.

    Why it cannot be reached is logged once. Raises StoreError if to wait would not help.
    """
    trouble = ""
    while not stopping.is_set():
        try:
            step()
            return True
        except (OperationalError, StoreError) as error:
            reason = error if isinstance(error, OperationalError) else error.__cause__
            if not isinstance(reason, OperationalError):
                raise
            if in_words(reason) != trouble:  # a server may be out of reach for a night
                trouble = in_words(reason)
                log.warning("database: %s", trouble)
        pause(stopping, every)
    return False


class Wakeup:
    """An event that wakes one thread, which may also wait for sockets; safe in signal handlers.

    `socket` is readable while the event is set, so it can be waited for together with others.
    """

    def __init__(self) -> None:
        """Make an event that is not set."""
        self.socket, self._sender = socket.socketpair()
        self.socket.setblocking(False)
        self._sender.setblocking(False)

    def set(self) -> None:
        """Wake the thread that waits, or the next one that will."""
        with suppress(BlockingIOError):  # the socket is full, so one byte more changes nothing
            self._sender.send(b"!")

    def heed_signals(self) -> None:
        """Let each signal set it at once: Python calls a handler only after a system call that has just begun."""
        signal.set_wakeup_fd(self._sender.fileno(), warn_on_full_buffer=False)

    def clear(self) -> None:
        """Forget that the event was set."""
        with suppress(BlockingIOError):
            while self.socket.recv(4096):
                pass

    def wait(self, seconds: float) -> None:
        """Wait until the event is set, or the time is over."""
        select.select([self.socket], [], [], seconds)
