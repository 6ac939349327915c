"""The work of `judge painter`: it draws the pictures that mails wait for, whoever will send these."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from judge.mails.delivery import ANSWERS_WAIT, NOTICES_WAIT
from judge.mails.gallery import Gallery
from judge.mails.loans import Loans
from judge.settings import Settings
from judge.store import pictures
from judge.store.engine import in_words, reading

log = logging.getLogger(__name__)

# Seconds between two looks while mails wait for pictures that others draw, and while none do.
SHORT_WAIT = 1.0
LONGEST_WAIT = 30.0
# The most pictures that are wished for at once. Others may draw some of them meanwhile.
MOST_WISHES = 50


class Painter:
    """Call `hurry` when there may be pictures to draw. `at_a_time`: how many are drawn at a time."""

    def __init__(self, engine: Engine, settings: Settings, now: Callable[[], datetime], at_a_time: int):
        self._engine = engine
        self._now = now
        self._called = threading.Event()
        self._stopping = threading.Event()
        self._done: set[int] = set()
        self._gallery = Gallery(settings.drawn, self.hurry, drawers=at_a_time, loans=Loans(engine, now))
        self._thread = threading.Thread(target=self._run, name="painter", daemon=True)

    def start(self) -> None:
        """Start to draw."""
        self._thread.start()

    def hurry(self) -> None:
        """Wake the painter: there may be something to draw."""
        self._called.set()

    def stop(self) -> None:
        """Begin no more pictures; what is being drawn is free for others when the process ends."""
        self._stopping.set()
        self._called.set()
        if self._thread.is_alive():
            self._thread.join(SHORT_WAIT)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._called.clear()
            try:
                wait = SHORT_WAIT if self._look(self._now()) else LONGEST_WAIT
            except OperationalError as error:
                log.error("pictures: %s", in_words(error))
                wait = LONGEST_WAIT
            except Exception:
                log.exception("something that should not happen while drawing; next try in %.0f s", LONGEST_WAIT)
                wait = LONGEST_WAIT
            self._called.wait(wait)

    def _look(self, now: datetime) -> bool:
        """Wish for the pictures that mails wait for; whether there were any that are not known to be there."""
        with reading(self._engine) as session:
            wanted = dict(pictures.wanted(session, now))
            self._done &= wanted.keys()
            chosen = [number for number in wanted if number not in self._done][:MOST_WISHES]
            rows = [pictures.picture(session, number) for number in chosen]
        for number, picture in zip(chosen, rows, strict=True):
            wait = ANSWERS_WAIT if wanted[number] else NOTICES_WAIT
            if not self._gallery.draw(picture, wait.total_seconds()):
                self._done.add(number)
        return bool(chosen)
