"""The bell that wakes the daemon's main thread out of its wait."""

import select
import socket
from contextlib import suppress


class Wakeup:
    """Rung by any thread or signal handler, heard by one thread; a ring while no thread waits is kept."""

    def __init__(self) -> None:
        self._ear, self._hammer = socket.socketpair()
        self._ear.setblocking(False)
        self._hammer.setblocking(False)

    @property
    def ear(self) -> socket.socket:
        """A socket that becomes readable when the bell rings."""
        return self._ear

    def ring(self) -> None:
        """Wake the thread that waits, or the next one that will."""
        with suppress(BlockingIOError):  # the socket is full of unheard rings, so one more changes nothing
            self._hammer.send(b"!")

    def silence(self) -> None:
        """Forget all rings so far."""
        with suppress(BlockingIOError):
            while self._ear.recv(4096):
                pass

    def wait(self, seconds: float) -> None:
        """Wait until the bell rings, `seconds` at most."""
        select.select([self._ear], [], [], seconds)
