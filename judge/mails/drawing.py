"""Draws the pictures that mails in the outbox wait for, in processes of its own.

A drawing that hangs is killed, and one that crashes takes no other with it.
"""

import logging
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime

from pebble import ProcessPool
from sqlalchemy import Engine
from sqlmodel import Session

from judge.mails import drawing_process
from judge.mails.pictures import Album, PictureCache, name_of, parts_of
from judge.settings import Settings
from judge.store import outbox, pictures
from judge.store.engine import reading, transaction
from judge.store.locks import free_what_the_dead_had
from judge.store.rows import id_of
from judge.store.tables import Picture

log = logging.getLogger(__name__)

# The seconds after which a drawing is given up.
PATIENCE = 20.0
# The pictures handed to each process: the one it draws, and the next, so that it need not wait for a transaction.
_HANDED = 2


class Drawing:
    """Hands requested pictures to a pool of processes, and notes what came of them.

    `run_once` and `close` are for one thread; `name` is that of this process among those that draw.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        at_a_time: int,
        finished: Callable[[], object],
        name: str = "this process",
    ):
        """Draw `at_a_time` pictures at a time; `finished` is called, in any thread, when there is one to note."""
        self._engine = engine
        self._folders = settings.variants, settings.editions
        self._cache = PictureCache(settings.drawn)
        self._at_a_time = at_a_time
        self._finished = finished
        self._name = name
        self._pool: ProcessPool | None = None
        self._in_hand: dict[int, tuple[Picture, Future[Album], float]] = {}

    def run_once(self, now: datetime) -> int:
        """Note what is drawn, and begin the pictures whose mails may wait the shortest time.

        Returns how many were noted or begun.
        """
        done = [number for number, (_, future, _) in self._in_hand.items() if future.done()]
        room = _HANDED * self._at_a_time - len(self._in_hand) + len(done)
        if not done:
            with reading(self._engine) as session:
                if not room or not pictures.are_wanted(session, self._in_hand):
                    return 0
        with transaction(self._engine) as session:
            free_what_the_dead_had(session, Picture, self._name, self._in_hand)
            for number in done:
                self._note(session, *self._in_hand[number], now)
            taken = pictures.take(session, self._name, now, room)
        for number in done:
            del self._in_hand[number]
        for picture in taken:
            future = self._begun(picture)
            self._in_hand[id_of(picture)] = picture, future, time.monotonic()
            future.add_done_callback(lambda _: self._finished())
        return len(done) + len(taken)

    def close(self) -> None:
        """Stop drawing; others may take over what is being drawn."""
        if self._pool:
            with transaction(self._engine) as session:
                pictures.put_back(session, [*self._in_hand])
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._pool.join()

    def _begun(self, picture: Picture) -> "Future[Album]":
        done: Future[Album] = Future()
        try:
            there = self._cache.parts_there(picture)
            left = [part for part in parts_of(picture) if part not in there]
            if left:
                if self._pool is None:
                    # Forked at the first picture from a process that has no threads and has loaded what draws.
                    context = multiprocessing.get_context("forkserver")
                    context.set_forkserver_preload([drawing_process.__name__])
                    self._pool = ProcessPool(
                        self._at_a_time, initializer=drawing_process.begin, initargs=self._folders, context=context
                    )
                asked = picture.scene, picture.form, left
                return self._pool.schedule(drawing_process.draw, asked, timeout=PATIENCE)
            done.set_result({})
        except Exception as error:
            done.set_exception(error)
        return done

    def _note(self, session: Session, picture: Picture, future: "Future[Album]", began: float, now: datetime) -> None:
        """Note what became of a picture, and of those that show other parts of the same drawing."""
        album: Album | None = None
        try:
            new = future.result()
            album = {**self._cache.parts_there(picture), **new}
            if new:
                seconds, size = time.monotonic() - began, sum(map(len, new.values()))
                log.info("picture drawn name=%s seconds=%.2f bytes=%d", name_of(picture), seconds, size)
        except Exception as error:
            # Whatever it is, the mails go without the picture: their text says everything that it shows.
            log.error("no picture: %s (%s): %s", name_of(picture), type(error).__name__, error)
        for one in (picture, *pictures.others(session, picture)):
            if album is None:
                pictures.settle(session, one, failed_at=now)
            elif album.keys() >= {*parts_of(one)}:
                self._cache.keep(session, one, {part: album[part] for part in parts_of(one)}, now)
            else:
                continue
            outbox.picture_is_settled(session, id_of(one), now)
