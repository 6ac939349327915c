"""A second daemon of one PostgreSQL stands by: it does nothing until the first has ended, then it is the daemon."""

import logging
import threading
from contextlib import closing
from pathlib import Path

from sqlalchemy.exc import OperationalError

from judge.games.core.services import KEY_FILE, KeyUnusable
from judge.service.wakeup import Wakeup
from judge.settings import Settings
from judge.store.engine import StoreError, in_words, open_engine
from judge.store.locks import AlreadyRunning, DaemonLock, daemon_lock_of
from judge.store.schema import migrate
from judge.store.workers import Ear

log = logging.getLogger(__name__)

# Seconds between two attempts to take the database.
EVERY = 0.5


def take_over(settings: Settings, stopping: threading.Event) -> DaemonLock | None:
    """The guard of the database, taken as soon as no other daemon has it; None if `stopping` is set before.

    Raises AlreadyRunning where a second daemon cannot stand by (SQLite), KeyUnusable where it lacks the key, and
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
        _need_key(settings.home / KEY_FILE)
        whose = str(error)
    silent = Wakeup()  # never rung; without a name it would be thrown away, and its end would wake the ear
    with closing(Ear(engine, "stand-by")) as ear:
        log.info("judge %s stands by: %s", settings.code, whose)
        trouble = ""
        while not stopping.is_set():
            try:
                ear.wait(EVERY, silent.ear)
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


def _need_key(path: Path) -> None:
    """A judge alone makes its key; this one must have the key with which the other has made the passwords."""
    if not path.exists():
        raise KeyUnusable(
            f"{path} is missing: a daemon that stands by needs the key of the one that runs. Copy the file from that "
            "one's home, and its folder variants if there is one"
        )
