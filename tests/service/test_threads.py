"""Waiting in the main thread, where signal handlers run."""

import random
import signal
import threading
import time
from functools import partial

import pytest

from judge.service.threads import Wakeup, pause

DICE = random.Random(1)


@pytest.fixture
def signalled(monkeypatch: pytest.MonkeyPatch):
    """A function that lets a signal call another one at some moment of the next tenth of a millisecond."""

    def soon() -> None:
        time.sleep(DICE.uniform(0, 1e-4))
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)  # type: ignore[arg-type]

    def call(handler) -> threading.Thread:
        signal.signal(signal.SIGUSR1, lambda *_: handler())
        thread = threading.Thread(target=soon)
        thread.start()
        return thread

    yield call
    signal.signal(signal.SIGUSR1, signal.SIG_DFL)


def test_a_pause_holds_no_lock_while_it_waits(monkeypatch: pytest.MonkeyPatch):
    """`Event.wait` holds one for moments; a signal handler that sets the event just then would wait for ever."""
    stopping = threading.Event()
    monkeypatch.setattr(time, "sleep", lambda _: stopping.set())
    assert pause(stopping, 1)


@pytest.mark.timeout(60)
def test_a_signal_at_any_moment_wakes_the_main_thread(signalled):
    """Also just before it waits: its handler runs only afterwards."""
    before = signal.set_wakeup_fd(-1)
    try:
        for _ in range(400):
            wakeup = Wakeup()
            called: list[bool] = []
            wakeup.heed_signals()
            thread = signalled(partial(called.append, True))
            wakeup.wait(50)
            thread.join()
            assert called
    finally:
        signal.set_wakeup_fd(before)
