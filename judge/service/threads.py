"""Threads that run a step in a loop, and ways for a thread to wait."""

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

# Seconds until a failed step is tried again. PAUSE is for an unreachable database, and LONGEST_WAIT for any other
# error.
PAUSE, LONGEST_WAIT = 2.0, 30.0
# The minimum number of seconds between two steps, unless a step asks to be repeated immediately. A thread is called
# after every commit. One step that sends several mails takes less time from the main thread than a step for each mail.
BREATH = 0.1


class Loop(threading.Thread):
    """Runs `step` whenever `call` is called, and after the number of seconds that `step` returned.

    An error is logged and reported, but does not end the thread. If the thread ended, the judge would seem to work, but
    do nothing. A long step may check `stopping`. `end` waits at most `patience` seconds for the current step.
    """

    patience: float | None = None

    def __init__(self, name: str, step: Callable[[], float], met: Callable[[str], None] = lambda what: None):
        """Prepare to run `step` in a thread.

        `met` is called with a description of each error.
        """
        super().__init__(name=name, daemon=True)
        self.stopping = threading.Event()
        self._called = threading.Event()
        self._step = step
        self._met = met

    def call(self) -> None:
        """Begin the next step immediately."""
        self._called.set()

    def stop(self) -> None:
        """End the loop after the current step, without waiting for that step."""
        self.stopping.set()
        self._called.set()

    def end(self) -> None:
        """End the loop, and wait up to `patience` seconds for the current step."""
        self.stop()
        if self.is_alive():
            self.join(self.patience)

    def run(self) -> None:
        """Run the steps.

        The new thread calls this method.
        """
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
    """Wait until the event is set or the time is over, and return whether the event is set.

    Use this in the main thread if a signal handler sets the event. `Event.set` needs a lock that `Event.wait` has, and
    the handler interrupts the code that would release the lock.
    """
    until = time.monotonic() + seconds
    while not stopping.is_set() and (left := until - time.monotonic()) > 0:
        time.sleep(min(left, BREATH))
    return stopping.is_set()


def when_reachable(step: Callable[[], object], stopping: threading.Event, every: float) -> bool:
    """Run the step as soon as the database can be reached.

    Returns False if `stopping` is set first. The reason for waiting is logged once. Raises StoreError if waiting would
    not help.
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
            if in_words(reason) != trouble:  # log a reason only once, since a server may be unreachable all night
                trouble = in_words(reason)
                log.warning("database: %s", trouble)
        pause(stopping, every)
    return False


class Wakeup:
    """An event that wakes one thread, which may also wait for sockets.

    Signal handlers may set the event. `socket` is readable while the event is set, so a thread can wait for it together
    with other sockets.
    """

    def __init__(self) -> None:
        self.socket, self._sender = socket.socketpair()
        self.socket.setblocking(False)
        self._sender.setblocking(False)

    def set(self) -> None:
        """Wake the waiting thread, or the next thread that waits."""
        with suppress(BlockingIOError):  # the socket is full, so one byte more changes nothing
            self._sender.send(b"!")

    def heed_signals(self) -> None:
        """Let every signal set the event immediately.

        Otherwise a signal that comes just before a system call is handled only after that call.
        """
        signal.set_wakeup_fd(self._sender.fileno(), warn_on_full_buffer=False)

    def clear(self) -> None:
        """Make the event unset again."""
        with suppress(BlockingIOError):
            while self.socket.recv(4096):
                pass

    def wait(self, seconds: float) -> None:
        """Wait until the event is set, or the time is over."""
        select.select([self.socket], [], [], seconds)
