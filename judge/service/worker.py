"""What sends mails and draws pictures: two threads of the daemon, or of a process of `judge worker` beside it.

A worker decides nothing, opens no mailbox, and may be killed at any moment: what it has in hand is free then. Any
number of them may be at work for one PostgreSQL, on any machine.
"""

import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from judge.mails.drawing import Drawing
from judge.mails.pictures import PictureCache
from judge.mails.sender import OutboxSender, Sent
from judge.rules import open_catalogue
from judge.service.health import MAILS, TroubleFile
from judge.service.wakeup import Wakeup
from judge.settings import Settings
from judge.store import outbox
from judge.store.engine import StoreError, in_words, open_engine, reading
from judge.store.schema import migrate
from judge.store.workers import Ear, Role, name_of

log = logging.getLogger(__name__)

LONGEST_WAIT = 30.0
# Seconds that the mail in hand has when the process is asked to stop.
GRACE = 8.0
# Seconds between two looks for something to do: a call comes after every commit, and mails that are sent together cost
# the thread that decides less than mails that are sent one by one.
BREATH = 0.1
# Seconds between two attempts to reach the database.
PAUSE = 2.0
# Seconds between two looks for pictures that were not needed for long.
TIDY = 3600.0
# Seconds after which a computing thread lets another thread run (Python's default: 0.005). Sending a mail takes several
# short exchanges with the mail server, and after each of them the thread that adjudicates must let this one run.
SWITCH = 0.0005


class Worker:
    """Call `hurry` after every commit that may have written mails. `done`: what became of how many mails since the
    start.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        now: Callable[[], datetime],
        role: Role,
        troubles: TroubleFile | None = None,
    ):
        self.done: Counter[str] = Counter()
        self._engine = engine
        self._now = now
        self._troubles = troubles or TroubleFile(None)
        name, cores = name_of(role), os.cpu_count() or 1
        # What a daemon leaves to workers is theirs.
        at_a_time = min(settings.painters, cores) if role == "daemon" else settings.painters or cores
        self._sender = OutboxSender(
            engine, settings.smtp, settings.address, PictureCache(settings.drawn), settings.limits.bounces, name
        )
        self._drawing = Drawing(engine, settings, at_a_time, self.hurry, name)
        steps: dict[str, Callable[[], float]] = {}
        if settings.smtp.courier or role == "worker":
            steps["sending"] = self._send
        if at_a_time:
            steps["drawing"] = self._draw
        self._bell = Wakeup()
        self._ear: Ear | None = None
        if engine.dialect.name == "postgresql":
            self._ear = Ear(engine, role)
            steps["listening"] = self._listen
        met = partial(self._troubles.met, MAILS)
        self._loops = [_Loop(name, step, met) for name, step in steps.items()]

    def start(self) -> None:
        """Start to send and to draw."""
        sys.setswitchinterval(SWITCH)
        for loop in self._loops:
            loop.start()

    def hurry(self) -> None:
        """There may be something to send, or to draw."""
        for loop in self._loops:
            loop.called.set()

    def stop(self) -> None:
        """Finish the mails that are being sent, then send no more. Those whose server is silent for longer than GRACE
        are left, as when the process is killed.
        """
        self._sender.stop()
        for loop in self._loops:
            loop.stopping.set()
        self._bell.ring()
        self.hurry()
        until = time.monotonic() + GRACE
        for loop in self._loops:
            if loop.is_alive():
                loop.join(max(0.1, until - time.monotonic()))
        self._sender.close()
        self._drawing.close()
        if self._ear:
            self._ear.close()

    def _send(self) -> float:
        done = self._sender.run_once(self._now())
        self.done.update(asdict(done))
        self._troubles.over(MAILS)
        if done != Sent():
            self.hurry()
            return 0.0 if done.sent >= self._sender.at_a_time else BREATH
        with reading(self._engine) as session:
            due_at = outbox.next_due(session)
        left = (due_at - self._now()).total_seconds() if due_at else LONGEST_WAIT
        # If a due mail still waits, the server has failed, or the mail waits for another one.
        return min(left if left > 0 else 1.0, LONGEST_WAIT)

    def _draw(self) -> float:
        self._drawing.run_once(self._now())
        return LONGEST_WAIT

    def _listen(self) -> float:
        assert self._ear
        if self._ear.wait(LONGEST_WAIT, self._bell.ear):
            self.hurry()
        return 0.0


class _Loop(threading.Thread):
    """Does `step` again and again, whenever it is called and when the seconds that it returns have passed. `met` is
    told what is wrong.
    """

    def __init__(self, name: str, step: Callable[[], float], met: Callable[[str], None]):
        super().__init__(name=name, daemon=True)
        self.called = threading.Event()
        self.stopping = threading.Event()
        self._step = step
        self._met = met

    def run(self) -> None:
        while not self.stopping.is_set():
            self.called.clear()
            try:
                wait = self._step()
            except OperationalError as error:
                self._met(f"database: {in_words(error)}")
                log.error("%s: %s", self.name, in_words(error))
                wait = PAUSE
            except Exception as error:
                self._met(f"{type(error).__name__}: the log has the traceback")
                # The thread must not end: else the judge would seem to work, but send no answers.
                log.exception("something that should not happen while %s; next try in %.0f s", self.name, LONGEST_WAIT)
                wait = LONGEST_WAIT
            self.stopping.wait(min(wait, BREATH))
            self.called.wait(wait)


def work(
    settings: Settings, stopping: threading.Event, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> None:
    """Be a worker until `stopping` is set. Raises StoreError when the database cannot be used, or is SQLite."""
    open_catalogue(settings.variants, settings.editions)
    engine = open_engine(settings.store_url)
    if engine.dialect.name != "postgresql":
        raise StoreError("judge worker needs PostgreSQL; with SQLite judge run alone sends and draws")
    migrate(engine)
    log.info("judge worker starts")
    worker = Worker(engine, settings, now, "worker")
    worker.start()
    while not stopping.is_set():
        oldest = now() - timedelta(days=settings.keep.pictures)
        try:
            PictureCache(settings.drawn).throw_away(oldest.timestamp())
        except OSError as error:
            log.error("old pictures stay for now: %s", error)
        stopping.wait(TIDY)
    worker.stop()
    engine.dispose()
    log.info("judge worker has stopped")
