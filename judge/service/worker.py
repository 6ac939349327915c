"""Threads that send mails and draw pictures, in the daemon or in a `judge worker` process.

A worker decides nothing and opens no mailbox. If a worker is killed, other processes take over its work. With
PostgreSQL there may be any number of workers, on any machine.
"""

import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Engine, text

from judge.mails.drawing import Drawing
from judge.mails.pictures import PictureCache
from judge.mails.sender import OutboxSender
from judge.rules import open_catalogue
from judge.service.threads import LONGEST_WAIT, Loop, pause, when_reachable
from judge.service.troubles import MAILS, TroubleFile
from judge.settings import Settings
from judge.store import outbox
from judge.store.engine import Role, StoreError, migrate, name_of, open_engine, reading
from judge.store.locks import LEASE

log = logging.getLogger(__name__)

# Seconds to finish the current mail when the process is asked to stop.
GRACE = 8.0
# Seconds between two checks for work on PostgreSQL, in case the notice of another process was missed.
LOOK_EVERY = 1.0
# Seconds between two deletions of pictures that have not been needed for a long time.
TIDY = 3600.0
# The number of seconds after which a busy thread lets another thread run (Python's default: 0.005). Sending a mail
# takes several short exchanges with the mail server. After each one the sending thread must get its turn, even if
# another thread adjudicates.
SWITCH = 0.0005


class Worker:
    """Sends mails and draws pictures, once it is started.

    `done` has the number of mails since the start by outcome.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        now: Callable[[], datetime],
        role: Role,
        troubles: TroubleFile,
    ):
        self.done = Counter(sent=0, deferred=0, failed=0)
        self._counting = threading.Lock()
        self._engine = engine
        self._now = now
        self._troubles = troubles
        name, cores = name_of(role), os.cpu_count() or 1
        # A daemon without painters leaves all pictures to workers. A worker without a number of painters uses all
        # cores.
        at_a_time = min(settings.painters, cores) if role == "daemon" else settings.painters or cores
        self._sender = OutboxSender(
            engine, settings.smtp, settings.address, PictureCache(settings.drawn), settings.limits.bounces, name
        )
        self._sender.changed = self.hurry
        self._drawing = Drawing(engine, settings, at_a_time, self.hurry, name)
        steps: dict[str, Callable[[], float]] = {}
        if settings.smtp.courier or role == "worker":
            steps |= {f"sending {number + 1}": self._send for number in range(settings.smtp.connections)}
        if at_a_time:
            steps["drawing"] = self._draw
        self._longest_wait = LONGEST_WAIT
        if engine.dialect.name == "postgresql":
            self._longest_wait, steps["listening"], steps["renewing"] = LOOK_EVERY, self._listen, self._renew
        met = partial(self._troubles.note, MAILS)
        self._loops = [Loop(name, step, met) for name, step in steps.items()]

    def start(self) -> None:
        """Start to send and to draw."""
        sys.setswitchinterval(SWITCH)
        for loop in self._loops:
            loop.start()

    def hurry(self) -> None:
        """Check immediately for mails to send and pictures to draw.

        This must be called after every commit that may have written mails.
        """
        for loop in self._loops:
            loop.call()

    def end(self) -> None:
        """Finish the mails that are being sent, and stop.

        A mail for a server that is silent for longer than GRACE is abandoned.
        """
        self._sender.stop()
        for loop in self._loops:
            loop.stop()
        until = time.monotonic() + GRACE
        for loop in self._loops:
            loop.patience = max(0.0, until - time.monotonic())
            loop.end()
        self._sender.close()
        self._drawing.close()

    def _send(self) -> float:
        done = self._sender.run_once(self._now())
        self._troubles.note(MAILS)
        if done:
            with self._counting:
                self.done.update(done)
            return 0.0
        with reading(self._engine) as session:
            due_at = outbox.next_due(session)
        left = (due_at - self._now()).total_seconds() if due_at else self._longest_wait
        # A due mail may still be there because the server failed, or because it waits for another mail.
        return min(left if left > 0 else 1.0, self._longest_wait)

    def _renew(self) -> float:
        self._sender.renew(self._now())
        return LEASE.total_seconds() / 3

    def _draw(self) -> float:
        self._drawing.run_once(self._now())
        return self._longest_wait

    def _listen(self) -> float:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(f"LISTEN {outbox.CALL}"))
            driver: Any = connection.connection.driver_connection
            if any(driver.notifies(timeout=LOOK_EVERY, stop_after=1)):
                self.hurry()
            connection.execute(text("UNLISTEN *"))
        return 0.0


def work(
    settings: Settings, stopping: threading.Event, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> None:
    """Run a worker until `stopping` is set.

    Raises StoreError if the database cannot be used, or is SQLite.
    """
    open_catalogue(settings.variants, settings.editions)
    engine = open_engine(settings.store_url, "worker")
    if engine.dialect.name != "postgresql":
        raise StoreError("judge worker needs PostgreSQL; with SQLite, judge run does all the work")
    if not when_reachable(partial(migrate, engine), stopping, LOOK_EVERY):
        return
    log.info("judge worker starts")
    worker = Worker(engine, settings, now, "worker", TroubleFile(None))
    worker.start()
    while not stopping.is_set():
        oldest = now() - timedelta(days=settings.keep.pictures)
        try:
            PictureCache(settings.drawn).throw_away(oldest.timestamp())
        except OSError as error:
            log.error("old pictures were not deleted: %s", error)
        pause(stopping, TIDY)
    worker.end()
    engine.dispose()
    log.info("judge worker has stopped")
