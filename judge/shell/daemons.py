"""`judge run` and the processes beside it, each until it is told to stop; `judge config`."""

import gc
import signal
import threading
from collections.abc import Callable

from judge.games.core.work import KeyUnusable
from judge.service import worker
from judge.service.daemon import Daemon
from judge.service.hot_standby import take_over
from judge.settings import Settings
from judge.shell.calling import complain
from judge.shell.logs import write_log
from judge.store.engine import StoreError
from judge.store.locks import AlreadyRunning, hold_lock


def run(settings: Settings) -> int:
    """The daemon: poll the mailbox, adjudicate at deadlines, mail the results; 1 if it cannot begin."""
    _begin(settings)
    stopping = threading.Event()
    _on_stop(stopping.set)
    try:
        guard = take_over(settings, stopping)
        if guard is None:
            return 0
        with hold_lock(settings.home / "judge.store.lock", "the daemon of this home"):
            daemon = Daemon(settings, daemon_lock=guard)
            _on_stop(daemon.stop)
            if stopping.is_set():
                daemon.stop()
            daemon.run()
    except (AlreadyRunning, StoreError, KeyUnusable, OSError) as error:
        complain(error)
        return 1
    return 0


def work(settings: Settings) -> int:
    """Send mails and draw pictures beside the daemon; 2 if that cannot begin."""
    _begin(settings)
    stopping = threading.Event()
    _on_stop(stopping.set)
    try:
        worker.work(settings, stopping)
    except StoreError as error:
        complain(error)
        return 2
    return 0


def _begin(settings: Settings) -> None:
    write_log(settings)
    # Python looks for objects that hold each other each time when 700 more have been made than have gone; that takes a
    # twentieth of the time of a busy judge, and nearly all of them go by themselves.
    gc.set_threshold(10_000)


def _on_stop(stop: Callable[[], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop())
