"""Pictures that the processes of one judge draw for each other.

Each is drawn by one process at a time, which holds a claim on it (judge/store/claims.py). With SQLite all processes are
on one machine and share the folder of pictures. PostgreSQL may be shared by processes of several machines: there a
picture travels through the database. That a picture could not be drawn is told to all in either case.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from judge.store import pictures
from judge.store.claims import Claims, claims_of
from judge.store.engine import in_words, reading
from judge.store.rows import id_of
from judge.store.tables import Picture

log = logging.getLogger(__name__)

# {the part of the board: its picture}
Album = dict[str, bytes]

# Seconds after which it is looked again which pictures are on their way.
_KNOWN_FOR = 0.3


class Loans:
    """What the gallery of one process borrows and lends; without an engine nobody else draws. For any thread.

    Trouble with the database makes no picture fail: it is asked again a little later.
    """

    def __init__(self, engine: Engine | None = None, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        self._engine = engine
        self._now = now
        self._lock = threading.Lock()
        self._looked = -_KNOWN_FOR
        self._there: dict[int, datetime | None] = {}
        self._own = threading.local()

    @property
    def travel(self) -> bool:
        """Whether pictures come and go through the database."""
        return self._engine is not None and self._engine.dialect.name == "postgresql"

    def borrow(self, picture: Picture) -> Album | None:
        """The picture, if another process has drawn it and it came through the database."""
        there, number = self._handed_over(), id_of(picture)
        if self._engine is None or number not in there or there[number] is not None:
            return None
        try:
            with reading(self._engine) as session:
                return pictures.sheets(session, number) or None
        except DBAPIError:
            return None

    def has_failed(self, picture: Picture) -> bool:
        """Whether a process could not draw it, not long ago."""
        failed_at = self._handed_over().get(id_of(picture))
        return failed_at is not None and self._now() < failed_at + pictures.GIVEN_UP

    def is_settled(self, picture: Picture) -> bool:
        """Whether it came through the database, or a process could not draw it, not long ago."""
        there, number = self._handed_over(), id_of(picture)
        return number in there and (there[number] is None or self.has_failed(picture))

    def take(self, picture: Picture) -> bool:
        """Whether this thread should draw the picture: no other process does, or has, or has failed to."""
        if self._engine is None:
            return True
        try:
            return self._claims().take(id_of(picture), failed_before=self._now() - pictures.GIVEN_UP)
        except DBAPIError as error:
            log.warning("pictures: %s", in_words(error))
            return False
        except OSError as error:  # no claim can be had; at worst two processes draw it
            log.warning("pictures: %s", error)
            return True

    def lend(self, picture: Picture, album: Album) -> None:
        """Others may have what this thread has taken and drawn."""
        if self.travel:
            self._hand_over(picture, dict(album))

    def fail(self, picture: Picture) -> None:
        """Tell the others that what this thread has taken could not be drawn."""
        if self._engine is not None:
            self._hand_over(picture, {"": None})

    def give_back(self) -> None:
        """Whatever this thread has taken is free."""
        if self._engine is not None:
            self._claims().give_back()

    def _handed_over(self) -> dict[int, datetime | None]:
        """What was on its way a moment ago: many mails that wait ask, each for its own picture."""
        if self._engine is None:
            return {}
        with self._lock:
            if time.monotonic() >= self._looked + _KNOWN_FOR:
                with suppress(DBAPIError), reading(self._engine) as session:
                    self._there = pictures.handed_over(session)
                self._looked = time.monotonic()
            return self._there

    def _hand_over(self, picture: Picture, parts: dict[str, bytes | None]) -> None:
        try:
            with self._claims().noting([id_of(picture)]) as sessions:
                pictures.hand_over(sessions[id_of(picture)], id_of(picture), parts, self._now())
        except DBAPIError as error:
            log.warning("pictures: %s", in_words(error))

    def _claims(self) -> Claims:
        assert self._engine
        if not hasattr(self._own, "claims"):
            self._own.claims = claims_of(self._engine, "pictures", pictures.UNDRAWN)
        claims: Claims = self._own.claims
        return claims
