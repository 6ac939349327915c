"""Hot standby: a second daemon on the same PostgreSQL waits until the first has ended, then takes over."""

import logging
import threading
from contextlib import closing

from sqlalchemy.exc import OperationalError

from judge.games.core.work import KEY_FILE, KeyUnusable
from judge.service.scheduler import Wakeup
from judge.settings import Settings
from judge.store.engine import StoreError, in_words, open_engine
from judge.store.locks import AlreadyRunning, DaemonLock, daemon_lock_of
from judge.store.schema import migrate
from judge.store.workers import Ear

log = logging.getLogger(__name__)

# Seconds between two attempts to take the database.
EVERY = 0.5


def take_over(settings: Settings, stopping: threading.Event) -> DaemonLock | None:
    """Take the daemon's lock as soon as no other daemon has it; return None if `stopping` is set before that.

    Raises AlreadyRunning if a second daemon cannot stand by (SQLite), KeyUnusable if it lacks the key of the first, and
    StoreError.
    """
    engine = open_engine(settings.store_url)
    guard = daemon_lock_of(engine)
    try:
        guard.take()
        return guard
    except AlreadyRunning as error:
        if not guard.lets_wait:
            raise
        # A lone judge makes its key; this one needs the key with which the other hashes passwords.
        key = settings.home / KEY_FILE
        if not key.exists():
            raise KeyUnusable(
                f"{key} is missing: a standby daemon needs the key of the active one. Copy the file from "
                "that one's home, and its folder variants if there is one"
            ) from None
        whose = str(error)
    silent = Wakeup()  # never set; without a name it would be collected, and its end would wake this thread
    with closing(Ear(engine, "stand-by")) as ear:
        log.info("judge %s stands by: %s", settings.code, whose)
        trouble = ""
        while not stopping.is_set():
            try:
                ear.wait(EVERY, silent.socket)
                guard.confirm()
                migrate(engine)  # a server that has just come back may go away once more
            except AlreadyRunning:
                trouble = ""
                continue
            except (OperationalError, StoreError) as error:
                reason = error if isinstance(error, OperationalError) else error.__cause__
                if not isinstance(reason, OperationalError):
                    raise
                if in_words(reason) != trouble:  # a server may be out of reach for a night
                    trouble = in_words(reason)
                    log.warning("database: %s", trouble)
                stopping.wait(EVERY)
                continue
            log.info("judge %s takes over", settings.code)
            return guard
    return None
