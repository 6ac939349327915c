"""The thread that deletes old letters, sent mails, pictures and expired tokens.

The thread checks every hour and deletes a few rows at a time, each batch in one transaction. Other writers wait for one
batch at most, and go before the next.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Engine
from sqlmodel import Session

from judge.mails.pictures import PictureCache
from judge.service.threads import Loop
from judge.service.troubles import OLD_DATA, TroubleFile
from judge.settings import Settings
from judge.store import event_times, retention
from judge.store.engine import transaction
from judge.store.locks import AlreadyRunning, DaemonLock, take_turn

log = logging.getLogger(__name__)

EVERY = 3600.0  # seconds before each check, also the first, so that a new machine's clock is set by then
BATCH = 100  # the number of rows in one transaction
# The pause between two batches is as long as the last batch took, and this many seconds more. During the pause, other
# writers can use the database.
BREATH = 0.05
# If the clock has gained or lost this much time since the last check, someone has set the clock. A wrong clock could
# delete too much permanently, so the next check is an hour later.
SET = timedelta(minutes=10)

Prune = Callable[[Session, datetime, int], int]


class Retention(Loop):
    """Deletes old rows and pictures.

    `start` begins a thread that deletes every hour, and `clean` deletes once.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        now: Callable[[], datetime],
        daemon_lock: DaemonLock,
        troubles: TroubleFile,
    ):
        super().__init__("retention", self._look, partial(troubles.note, OLD_DATA))
        self._engine, self._settings, self._now = engine, settings, now
        self._daemon_lock, self._troubles = daemon_lock, troubles
        # The clock's time when this machine was started, or None before the first check.
        self._booted_at: datetime | None = None

    def clean(self) -> dict[str, int]:
        """Delete all old data, and return the number of deleted things by kind.

        Kinds of which nothing was deleted are not in the result.
        """
        now, keep = self._now(), self._settings.keep
        # Keep this order, since a picture is deleted only after the mails that show it.
        kinds: dict[str, tuple[Prune, float]] = {
            "letters": (retention.letters, keep.letters),
            "mails": (retention.mails, keep.mails),
            "pictures": (retention.pictures, keep.mails),
            "tokens": (retention.tokens, 0),
        }
        gone = {what: self._prune(prune, now - timedelta(days=days)) for what, (prune, days) in kinds.items()}
        oldest = now - timedelta(days=keep.pictures)
        gone["pictures drawn"] = PictureCache(self._settings.drawn).throw_away(oldest.timestamp())
        return {what: count for what, count in gone.items() if count}

    def _prune(self, prune: Prune, before: datetime) -> int:
        gone = 0
        while not self.stopping.is_set():
            began = time.monotonic()
            with transaction(self._engine) as session:
                take_turn(session)
                self._daemon_lock.confirm()
                # Delete nothing old before a replay, since the replayed letters may need it.
                changed = 0 if event_times.replays_until(session) else prune(session, before, BATCH)
            gone += changed
            if changed < BATCH:
                break
            self.stopping.wait(time.monotonic() - began + BREATH)
        return gone

    def _look(self) -> float:
        """Clean up, unless the clock was set since the last check.

        Returns the seconds until the next check.
        """
        before, self._booted_at = self._booted_at, self._now() - timedelta(seconds=time.monotonic())
        if before is None:
            return EVERY
        if abs(self._booted_at - before) > SET:
            log.warning("nothing is deleted for now: the system clock was changed by %s", self._booted_at - before)
            return EVERY
        try:
            gone = self.clean()
        except AlreadyRunning as error:
            log.error("nothing is deleted: %s", error)
            return EVERY
        self._troubles.note(OLD_DATA)
        if gone:
            log.info("deleted as too old: %s", ", ".join(f"{what}={count}" for what, count in gone.items()))
        return EVERY
