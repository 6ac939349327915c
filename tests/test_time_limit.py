"""What uses up its time is broken off, wherever it is; waiting and what is exempt do not count."""

import re
import signal
import threading
import time

import pytest

from judge import time_limit as limits
from judge.time_limit import GivenUp, TakesTooLong, exempt_from_limit, time_limit

# More than any tick, less than any test should take.
ENOUGH = 5.0
# Seconds between two ticks, for tests that use the processor until the next ones.
QUICK = 0.05
AS_IT_IS = limits._TICK


@pytest.fixture(autouse=True)
def _quick_ticks(monkeypatch):
    monkeypatch.setattr(limits, "_TICK", QUICK)


def work(seconds: float) -> None:
    """Use so much of the processor, in small steps."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_endless_work_ends(monkeypatch):
    """With the ticks that a judge has."""
    monkeypatch.setattr(limits, "_TICK", AS_IT_IS)
    with pytest.raises(TakesTooLong), time_limit(0.1):
        work(ENOUGH)


def test_a_pattern_is_interrupted():
    """One call into the engine of patterns that would take for ever."""
    with pytest.raises(TakesTooLong), time_limit(0.1):
        re.fullmatch(r"(a|a)*b", "a" * 60)


def test_what_swallows_it_meets_it_again():
    met = 0
    with pytest.raises(TakesTooLong), time_limit(0.1):
        while met < 3:
            try:
                work(ENOUGH)
            except TakesTooLong:
                met += 1
        work(ENOUGH)
    assert met == 3


def test_waiting_does_not_count():
    began = time.monotonic()
    with time_limit(0.2):
        time.sleep(0.8)
    assert time.monotonic() - began > 0.5


def test_what_is_exempt_does_not_count():
    with time_limit(0.15):
        with exempt_from_limit():
            work(0.4)
        work(0.05)
    with pytest.raises(TakesTooLong), time_limit(0.1):
        with exempt_from_limit():
            work(0.2)
        work(ENOUGH)


def test_after_the_block_all_is_as_before():
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(0.1):
        pass
    assert signal.getsignal(signal.SIGALRM) is before
    work(0.1 + 3 * QUICK)
    with exempt_from_limit():
        pass


def test_another_thread_has_no_limit():
    """Signals reach the main thread alone."""
    ended = []

    def run() -> None:
        with time_limit(0.1):
            work(0.1 + 3 * QUICK)
        ended.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert ended == [True]


@pytest.mark.parametrize("work_on", [work, time.sleep])
def test_work_is_given_up_even_if_it_is_exempt_or_waits(work_on):
    began = time.monotonic()
    with pytest.raises(GivenUp), time_limit(gives_up=lambda: time.monotonic() > began + 0.1), exempt_from_limit():
        work_on(ENOUGH)
    assert time.monotonic() - began < 2


def test_nothing_is_begun_that_would_be_given_up():
    with pytest.raises(GivenUp), time_limit(gives_up=lambda: True):
        pytest.fail("begun")
