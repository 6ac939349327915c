"""The thread that sends mails: it runs the outbox pump when mails were written, when a picture that mails wait for has
been drawn, and when a mail is due again.
"""

import logging
import sys
import threading
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from judge.mails.delivery import Pump
from judge.mails.gallery import Gallery
from judge.settings import Settings
from judge.store import outbox
from judge.store.engine import in_words, reading
from judge.store.guard import Guard
from judge.store.lock import AlreadyRunning

log = logging.getLogger(__name__)

LONGEST_WAIT = 30.0
# Seconds after which a computing thread lets another thread run (Python's default: 0.005). Sending a mail takes several
# short exchanges with the mail server, and after each of them the thread that adjudicates must let this one run.
SWITCH = 0.0005


class Courier:
    """Call `hurry` after every commit that may have written mails."""

    def __init__(self, engine: Engine, settings: Settings, now: Callable[[], datetime], guard: Guard):
        self._engine = engine
        self._now = now
        self._guard = guard
        self._called = threading.Event()
        self._stopping = threading.Event()
        self._pump = Pump(engine, settings.smtp, settings.address, Gallery(settings.drawn, self.hurry))
        self._thread = threading.Thread(target=self._run, name="courier", daemon=True)

    def start(self) -> None:
        """Start to send."""
        sys.setswitchinterval(SWITCH)
        self._thread.start()

    def hurry(self) -> None:
        """Wake the courier: there may be something to send."""
        self._called.set()

    def stop(self) -> None:
        """Finish the mail that is being sent, then send no more."""
        self._stopping.set()
        self._pump.stop()
        self._called.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._called.clear()
            try:
                self._guard.confirm()
                self._pump.pulse(self._now())
                wait = self._seconds_to_next()
            except AlreadyRunning as error:
                log.error("outbox: nothing is sent, %s", error)
                wait = LONGEST_WAIT
            except OperationalError as error:
                log.error("outbox: %s", in_words(error))
                wait = LONGEST_WAIT
            except Exception:
                # The thread must not end: else the judge would seem to work, but send no answers.
                log.exception("something that should not happen while sending; next try in %.0f s", LONGEST_WAIT)
                wait = LONGEST_WAIT
            self._called.wait(wait)

    def _seconds_to_next(self) -> float:
        with reading(self._engine) as session:
            due_at = outbox.backlog(session).next_try_at
        if due_at is None:
            return LONGEST_WAIT
        left = (due_at - self._now()).total_seconds()
        # If a due mail still waits, the pump is in a pause after a failure of the server, or its picture is being
        # drawn.
        return min(left if left > 0 else 1.0, LONGEST_WAIT)
