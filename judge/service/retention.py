"""The thread that throws away what is too old to be kept: raw letters, sent mails, pictures, expired tokens.

It looks every hour, and takes a few rows at a time, in transactions of its own: whoever waits for the database
meanwhile waits for one such batch at most, and comes first before the next.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from judge.mails.pictures import PictureCache
from judge.service.health import OLD_DATA, TroubleFile
from judge.settings import Settings
from judge.store import retention
from judge.store.engine import in_words, transaction
from judge.store.locks import AlreadyRunning, DaemonLock, take_turn

log = logging.getLogger(__name__)

EVERY = 3600.0  # seconds between two looks, and from the start to the first: a new machine's clock is set by then
BATCH = 100  # rows in one transaction
# After a batch the database is left to others for as long as the batch took, and this many seconds.
BREATH = 0.05
# If the system's clock has moved by so much more or less than time has passed, somebody has set it. What is too old by
# a wrong clock would be gone for good, so the next look comes an hour later.
SET = timedelta(minutes=10)

Prune = Callable[[Session, datetime, int], int]


class Retention:
    """`start` begins to look now and then; `clean` looks once."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        now: Callable[[], datetime],
        daemon_lock: DaemonLock,
        troubles: TroubleFile | None = None,
    ):
        self._engine = engine
        self._troubles = troubles or TroubleFile(None)
        self._now = now
        self._daemon_lock = daemon_lock
        self._drawn = settings.drawn
        self._keep_pictures = timedelta(days=settings.keep.pictures)
        letters, mails = timedelta(days=settings.keep.letters), timedelta(days=settings.keep.mails)
        # In this order: a picture goes when no mail shows it any more.
        self._kinds: dict[str, tuple[Prune, timedelta]] = {
            "letters": (retention.letters, letters),
            "mails": (retention.mails, mails),
            "pictures": (retention.pictures, mails),
            "tokens": (retention.tokens, timedelta(0)),
        }
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="retention", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the batch in hand, then do no more."""
        self._stopping.set()
        self._thread.join()

    def clean(self) -> dict[str, int]:
        """Throw away all that is too old now; {what: how many}, without what there was none of."""
        now = self._now()
        gone = {what: self._prune(prune, now - age) for what, (prune, age) in self._kinds.items()}
        gone["pictures drawn"] = PictureCache(self._drawn).throw_away((now - self._keep_pictures).timestamp())
        return {what: count for what, count in gone.items() if count}

    def _prune(self, prune: Prune, before: datetime) -> int:
        gone = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            with transaction(self._engine) as session:
                take_turn(session)
                self._daemon_lock.confirm()
                changed = prune(session, before, BATCH)
            gone += changed
            if changed < BATCH:
                break
            self._stopping.wait(time.monotonic() - began + BREATH)
        return gone

    def _reading(self) -> datetime:
        """What the clock would have shown when this machine was started, if it was never set."""
        return self._now() - timedelta(seconds=time.monotonic())

    def _run(self) -> None:
        before = self._reading()
        while not self._stopping.wait(EVERY):
            was, before = before, self._reading()
            if abs(before - was) > SET:
                log.warning("nothing is thrown away for now: the system's clock was set, by %s", before - was)
                continue
            try:
                gone = self.clean()
            except AlreadyRunning as error:
                log.error("nothing is thrown away, %s", error)
            except OperationalError as error:
                self._troubles.met(OLD_DATA, f"database: {in_words(error)}")
                log.error("what is too old stays for now: %s", in_words(error))
            except Exception as error:
                self._troubles.met(OLD_DATA, f"{type(error).__name__}: the log has the traceback")
                # The thread must not end: else the disk would be full some day.
                log.exception("something that should not happen while throwing away what is too old")
            else:
                self._troubles.over(OLD_DATA)
                if gone:
                    log.info("too old, thrown away: %s", ", ".join(f"{what}={count}" for what, count in gone.items()))
