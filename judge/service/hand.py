"""A process that sends or draws for a judge beside its daemon: `judge courier`, `judge painter`.

It decides nothing, opens no mailbox, and may be killed at any moment: what it has in hand is free then. Any number of
them may be at work, on one machine, and on several where the database is PostgreSQL.
"""

import logging
import math
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from judge.mails.gallery import throw_away
from judge.rules import open_catalogue
from judge.service.bell import Bell
from judge.settings import Settings
from judge.store.engine import in_words, open_engine
from judge.store.hands import Ear, Role, at_work
from judge.store.schema import migrate

log = logging.getLogger(__name__)

# Seconds between two looks for something to do, if nobody calls.
LOOK = 30.0
# Seconds between two attempts to reach the database.
PAUSE = 2.0
# Seconds between two looks for pictures that were not needed for long.
TIDY = 3600.0


class Work(Protocol):
    """What such a process does, in a thread of its own."""

    def start(self) -> None: ...
    def hurry(self) -> None: ...
    def stop(self) -> None: ...


MakeWork = Callable[[Engine, Settings, Callable[[], datetime]], Work]


class Hand:
    """`run` works until `stop`; raises StoreError when the database cannot be used."""

    def __init__(
        self,
        settings: Settings,
        role: Role,
        work: MakeWork,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ):
        self._role = role
        self._bell = Bell()
        self._stopping = threading.Event()
        open_catalogue(settings.variants, settings.editions)
        self._engine = open_engine(settings.store_url)
        migrate(self._engine)
        self._work = work(self._engine, settings, now)
        self._settings = settings
        self._now = now
        self._tidies_at = -math.inf

    def run(self) -> None:
        """Work whenever another process calls, until `stop` is called."""
        log.info("judge %s starts", self._role)
        with at_work(self._engine, self._role) as ear:
            self._work.start()
            while not self._stopping.is_set():
                self._tidy()
                self._listen(ear)
            self._work.stop()
        self._engine.dispose()
        log.info("judge %s has stopped", self._role)

    def stop(self) -> None:
        """Leave `run` as soon as what is in hand is done. Safe in a signal handler."""
        self._stopping.set()
        self._bell.ring()

    def _tidy(self) -> None:
        """Throw away old pictures: with PostgreSQL this may be another machine than the daemon's."""
        if time.monotonic() < self._tidies_at:
            return
        self._tidies_at = time.monotonic() + TIDY
        oldest = self._now() - timedelta(days=self._settings.keep.pictures)
        try:
            throw_away(self._settings.drawn, oldest.timestamp())
        except OSError as error:
            log.error("old pictures stay for now: %s", error)

    def _listen(self, ear: Ear) -> None:
        try:
            if ear.wait(LOOK, self._bell.ear):
                self._work.hurry()
        except OperationalError as error:
            log.error("database: %s; next try in %.0f s", in_words(error), PAUSE)
            until = time.monotonic() + PAUSE
            while not self._stopping.is_set() and (left := until - time.monotonic()) > 0:
                self._bell.silence()
                self._bell.wait(left)
