"""The thread that sends mails: it runs the outbox pump when mails were written, when a picture that mails wait for has
been drawn, and when a mail is due again. The daemon has one, and so has each process of `judge courier`.
"""

import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from judge.mails.delivery import Pump
from judge.mails.gallery import Gallery
from judge.mails.loans import Loans
from judge.service.health import MAILS, TroubleFile
from judge.settings import Settings
from judge.store import outbox
from judge.store.engine import in_words, reading

log = logging.getLogger(__name__)

LONGEST_WAIT = 30.0
# Seconds that the mail in hand has when the process is asked to stop.
GRACE = 8.0
# Between two looks into the outbox: it is called after every commit, and thousands of mails may be waiting.
BREATH = 0.05
# It rests so many times as long as it has looked for what can be sent, or so many seconds, after a look in vain or one
# that found something: to look through thousands of mails that wait for their pictures takes a tenth of the time.
REST, LONGEST_REST, LONGEST_BREATH = 9.0, 2.0, 0.5
# Seconds after which a computing thread lets another thread run (Python's default: 0.005). Sending a mail takes several
# short exchanges with the mail server, and after each of them the thread that adjudicates must let this one run.
SWITCH = 0.0005


class Courier:
    """Call `hurry` after every commit that may have written mails. `done`: what became of how many since the start."""

    def __init__(
        self, engine: Engine, settings: Settings, now: Callable[[], datetime], troubles: TroubleFile | None = None
    ):
        self._engine = engine
        self._troubles = troubles or TroubleFile(None)
        self._now = now
        self.done: Counter[str] = Counter()
        self._called = threading.Event()
        self._stopping = threading.Event()
        drawers = min(settings.painters, os.cpu_count() or 1)
        gallery = Gallery(settings.drawn, self.hurry, drawers=drawers, loans=Loans(engine, now))
        self._pump = Pump(engine, settings.smtp, settings.address, gallery, settings.limits.bounces)
        self._thread = threading.Thread(target=self._run, name="courier", daemon=True)

    def start(self) -> None:
        """Start to send."""
        sys.setswitchinterval(SWITCH)
        self._thread.start()

    def hurry(self) -> None:
        """Wake the courier: there may be something to send."""
        self._called.set()

    def stop(self) -> None:
        """Finish the mails that are being sent, then send no more. Those whose server is silent for longer than GRACE
        are left, as when the process is killed.
        """
        self._stopping.set()
        self._pump.stop()
        self._called.set()
        if self._thread.is_alive():
            self._thread.join(GRACE)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._called.clear()
            rest, began = BREATH, time.monotonic()
            try:
                pulse = self._pump.pulse(self._now(), self._called.is_set)
                self.done.update(pulse._asdict())
                if any(pulse) or self._pump.was_broken_off:
                    rest = min(max(BREATH, REST * self._pump.looked_for), LONGEST_BREATH)
                else:
                    rest = min(max(BREATH, REST * (time.monotonic() - began)), LONGEST_REST)
                wait = self._seconds_to_next()
                self._troubles.over(MAILS)
            except OperationalError as error:
                self._troubles.met(MAILS, f"database: {in_words(error)}")
                log.error("outbox: %s", in_words(error))
                wait = LONGEST_WAIT
            except Exception as error:
                self._troubles.met(MAILS, f"{type(error).__name__}: the log has the traceback")
                # The thread must not end: else the judge would seem to work, but send no answers.
                log.exception("something that should not happen while sending; next try in %.0f s", LONGEST_WAIT)
                wait = LONGEST_WAIT
            self._stopping.wait(rest)
            self._called.wait(wait)
        self._pump.close()

    def _seconds_to_next(self) -> float:
        with reading(self._engine) as session:
            due_at = outbox.next_due(session)
        if due_at is None:
            return LONGEST_WAIT
        left = (due_at - self._now()).total_seconds()
        # If a due mail still waits, the pump is in a pause after a failure of the server, or its picture is being
        # drawn.
        return min(left if left > 0 else 1.0, LONGEST_WAIT)
