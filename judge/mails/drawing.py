"""Draw, in separate processes, the pictures that mails in the outbox wait for.

A drawing that hangs is killed, and one that crashes stops no other. The system may kill one of these processes, or the
process from which they are forked. Then new processes are started, and the picture is tried again.
"""

import logging
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import datetime

from pebble import ProcessExpired, ProcessPool
from sqlalchemy import Engine
from sqlmodel import Session

from judge.mails import drawing_process
from judge.mails.pictures import Album, PictureCache, name_of, parts_of
from judge.settings import Settings
from judge.store import outbox, pictures
from judge.store.engine import reading, transaction
from judge.store.locks import take_back
from judge.store.tables import Picture

log = logging.getLogger(__name__)

# Seconds after which a drawing is stopped.
PATIENCE = 20.0
# The number of pictures handed to each process, so that it can draw one while another is recorded.
_HANDED = 2
# Seconds after which a process is considered to hang. By then, it must have finished its picture and the picture before
# that.
SILENT = 60.0
# The maximum number of attempts at a picture, if each attempt kills its process.
TRIES = 3
_ENDED = (ProcessExpired, BrokenProcessPool)


@dataclass(frozen=True)
class _Begun:
    """A picture that was handed to the pool.

    `began` is its start by the monotonic clock. `tries` is the number of attempts, including this one.
    """

    picture: Picture
    drawing: "Future[Album]"
    began: float
    tries: int

    @property
    def is_late(self) -> bool:
        return not self.drawing.done() and time.monotonic() - self.began > SILENT

    @property
    def has_lost_its_process(self) -> bool:
        if not self.drawing.done() or self.drawing.cancelled():
            return False
        return isinstance(self.drawing.exception(), _ENDED)


class Drawing:
    """Hands requested pictures to a pool of processes, and records the outcome.

    `run_once` and `close` must be called by the same thread.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        at_a_time: int,
        finished: Callable[[], object],
        name: str = "this process",
    ):
        """Prepare to draw up to `at_a_time` pictures at the same time.

        `finished` is called, in any thread, when a picture is done. `name` is the name of this process among those that
        draw.
        """
        self._engine = engine
        self._folders = settings.variants, settings.editions
        self._cache = PictureCache(settings.drawn)
        self._at_a_time = at_a_time
        self._finished = finished
        self._name = name
        self._pool: ProcessPool | None = None
        self._in_hand: dict[int, _Begun] = {}

    def run_once(self, now: datetime) -> int:
        """Record finished pictures, and begin those whose mails can wait the shortest time.

        Returns the number of pictures recorded or begun.
        """
        self._begin_again()
        done = [number for number, begun in self._in_hand.items() if begun.drawing.done()]
        room = _HANDED * self._at_a_time - len(self._in_hand) + len(done)
        if not done:
            with reading(self._engine) as session:
                if not room or not pictures.are_wanted(session, self._in_hand):
                    return 0
        with transaction(self._engine) as session:
            take_back(session, Picture, self._name, self._in_hand, now)
            for number in done:
                self._note(session, self._in_hand[number], now)
            taken = pictures.take(session, self._name, now, room)
        for number in done:
            del self._in_hand[number]
        for picture in taken:
            self._in_hand[picture.key] = self._begun(picture)
        return len(done) + len(taken)

    def close(self) -> None:
        """Stop drawing, and leave unfinished pictures to other processes."""
        if self._pool:
            with transaction(self._engine) as session:
                pictures.put_back(session, [*self._in_hand])
            self._drop_pool()

    def _begun(self, picture: Picture, tries: int = 1) -> _Begun:
        drawing: Future[Album] = Future()
        try:
            there = self._cache.parts_there(picture)
            left = [part for part in parts_of(picture) if part not in there]
            if left:
                drawing = self._handed(picture.scene, picture.form, left)
            else:
                drawing.set_result({})
        except Exception as error:
            drawing.set_exception(error)
        drawing.add_done_callback(lambda _: self._finished())
        return _Begun(picture, drawing, time.monotonic(), tries)

    def _handed(self, *asked: object) -> "Future[Album]":
        """Hand a drawing to the pool, or to a new one if an idle process was killed."""
        if self._pool:
            try:
                return self._pool.schedule(drawing_process.draw, asked, timeout=PATIENCE)
            except RuntimeError:
                self._drop_pool()
        # At the first picture, fork the processes from one that has no threads and has loaded the drawing code.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([drawing_process.__name__])
        self._pool = ProcessPool(
            self._at_a_time, initializer=drawing_process.begin, initargs=self._folders, context=context
        )
        return self._pool.schedule(drawing_process.draw, asked, timeout=PATIENCE)

    def _drop_pool(self) -> None:
        pool, self._pool = self._pool, None
        if not pool:
            return
        for begun in self._in_hand.values():
            begun.drawing.cancel()
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()

    def _begin_again(self) -> None:
        """If processes have ended or hang, replace all of them, and begin their pictures again.

        A process that seems to have ended may still run and take tasks meant for others.
        """
        begun_again = [
            number for number, begun in self._in_hand.items() if begun.has_lost_its_process and begun.tries < TRIES
        ]
        if any(begun.is_late for begun in self._in_hand.values()):
            log.error("the processes that draw do not answer; the judge starts others")
            self._drop_pool()
        elif begun_again:
            self._drop_pool()
        for number, begun in self._in_hand.items():
            if begun.drawing.cancelled():
                self._in_hand[number] = self._begun(begun.picture, begun.tries)
            elif number in begun_again:
                log.warning("picture %s is drawn again: a process that draws has ended", name_of(begun.picture))
                self._in_hand[number] = self._begun(begun.picture, begun.tries + 1)

    def _note(self, session: Session, begun: _Begun, now: datetime) -> None:
        """Record the outcome of a picture, also for other pictures of the same drawing."""
        picture, album = begun.picture, None
        try:
            new = begun.drawing.result()
            album = {**self._cache.parts_there(picture), **new}
            if new:
                seconds, size = time.monotonic() - begun.began, sum(map(len, new.values()))
                log.info("picture drawn name=%s seconds=%.2f bytes=%d", name_of(picture), seconds, size)
        except Exception as error:
            # After any error, the mails are sent without the picture, since their text says all that it shows.
            log.error("no picture: %s (%s): %s", name_of(picture), type(error).__name__, error)
        for one in (picture, *pictures.others(session, picture, now)):
            if album is None:
                pictures.settle(session, one, failed_at=now)
            elif album.keys() >= {*parts_of(one)}:
                self._cache.keep(session, one, {part: album[part] for part in parts_of(one)}, now)
            else:
                continue
            outbox.picture_is_settled(session, one.key, now)
