"""Pictures drawn for mails: each once for all its readers, and kept in files beside the database.

They are drawn by a thread of their own, so that no mail waits for a picture that it does not show. The files are worth
nothing but time: whatever is not there is drawn again. What could not be drawn is not tried again for a while, so that
one bad picture does not hold up every mail that shows it.
"""

import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

from judge.mails.illustrated import Drawn, illustrated
from judge.maps import load_geometry, read_scene
from judge.maps.album import names, sheets, tail
from judge.maps.png import png
from judge.store.tables import Picture

log = logging.getLogger(__name__)

# A mail whose picture is not there after so many seconds goes without.
PATIENCE = 20.0
# So long what could not be drawn is not tried again.
_GIVEN_UP = 900.0
# A picture that nobody has asked for in so long is thrown away.
_KEPT = 30 * 24 * 3600.0
_SUFFIXES = {"png": "png", "small": "png", "svg": "svg"}
_TYPES = {"png": "image/png", "svg": "image/svg+xml"}

# {the part of the board: its picture}
_Album = dict[str, bytes]


class Gallery:
    """The pictures of one judge, in `folder`; for the thread that sends."""

    def __init__(self, folder: Path, finished: Callable[[], None] = lambda: None, patience: float = PATIENCE):
        """`finished` is called, in the thread that draws, when a picture is there, or will never be."""
        self._folder = folder
        self._finished = finished
        self._patience = patience
        self._wanted: queue.SimpleQueue[Picture] = queue.SimpleQueue()
        # For all that both threads change: a picture is either asked for, or drawn and kept, or has failed.
        self._lock = threading.Lock()
        self._asked: dict[str, float] = {}
        self._late: set[str] = set()
        self._failed: dict[str, float] = {}
        self._unkept: dict[str, _Album] = {}
        self._thread = threading.Thread(target=self._work, name="gallery", daemon=True)

    def illustrate(self, raw: bytes, picture: Picture) -> bytes | None:
        """The mail `raw` with the picture; None while that is being drawn; as it is when it cannot be had, or not
        soon, and the log says why. Raises nothing.
        """
        try:
            album = self._album(picture)
            if album is None:
                return None
            return illustrated(raw, _framed(picture, album)) if album else raw
        except Exception as error:
            # Whatever went wrong, the mail must go: its text says all that the picture shows.
            self._give_up(picture, error)
            return raw

    def _album(self, picture: Picture) -> _Album | None:
        """What was drawn; empty if it cannot be had, or not soon; None if it is worth waiting for."""
        digest, now = picture.digest, time.monotonic()
        with self._lock:
            if now < self._failed.get(digest, 0):
                return {}
            album = self._unkept.get(digest) or self._kept(picture)
            if album:
                return album
            if digest not in self._asked:
                self._asked[digest] = now
                self._wanted.put(picture)
                if not self._thread.is_alive():
                    self._thread.start()
            if now < self._asked[digest] + self._patience:
                return None
            if digest not in self._late:
                self._late.add(digest)
                log.error("no picture: %s: it was not drawn within %g s", _name(picture), self._patience)
            return {}

    def _kept(self, picture: Picture) -> _Album | None:
        files = self._files(picture)
        try:
            album = {part: file.read_bytes() for part, file in files.items()}
            for file in files.values():
                os.utime(file)
            return album
        except OSError:
            return None

    def _files(self, picture: Picture) -> dict[str, Path]:
        parts = names(load_geometry(picture.scene["variant"]), picture.form)
        return {part: self._folder / f"{picture.digest}{tail(part)}.{_SUFFIXES[picture.form]}" for part in parts}

    # --- in the thread that draws ---

    def _work(self) -> None:
        while True:
            picture = self._wanted.get()
            try:
                began = time.monotonic()
                album = _draw(picture)
                log.info(
                    "picture drawn name=%s seconds=%.2f bytes=%d",
                    _name(picture), time.monotonic() - began, sum(map(len, album.values())),
                )  # fmt: skip
                self._keep(picture, album)
            except Exception as error:
                self._give_up(picture, error)
            with self._lock:
                self._asked.pop(picture.digest, None)
                self._late.discard(picture.digest)
            self._finished()

    def _give_up(self, picture: Picture, error: Exception) -> None:
        self._failed[picture.digest] = time.monotonic() + _GIVEN_UP
        log.error("no picture: %s (%s): %s", _name(picture), type(error).__name__, error)

    def _keep(self, picture: Picture, album: _Album) -> None:
        """Each file is written whole before it gets its name, so that a crash never leaves half a picture."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for part, file in self._files(picture).items():
                draft = file.with_suffix(".new")
                draft.write_bytes(album[part])
                draft.replace(file)
            self._throw_away()
        except OSError as error:
            log.warning("the picture %s is not kept: %s", _name(picture), error)
            self._unkept = {picture.digest: album}

    def _throw_away(self) -> None:
        oldest = time.time() - _KEPT
        for file in self._folder.iterdir():
            if file.stat().st_mtime < oldest:
                file.unlink()


def _draw(picture: Picture) -> _Album:
    scene, geometry = read_scene(picture.scene), load_geometry(picture.scene["variant"])
    return {
        sheet.part: sheet.svg.encode() if picture.form == "svg" else png(sheet.svg, sheet.width)
        for sheet in sheets(scene, geometry, picture.form)
    }


def _framed(picture: Picture, album: _Album) -> list[Drawn]:
    suffix, scene = _SUFFIXES[picture.form], picture.scene
    of = f"Map of {scene['name']}, {scene['position']['phase']}"
    return [
        Drawn(
            name=_name(picture, part),
            media_type=_TYPES[suffix],
            data=data,
            alt=f"{of}: {part}" if part else of,
            caption=part,
        )
        for part, data in album.items()
    ]


def _name(picture: Picture, part: str = "") -> str:
    """`heron-S1901M-results.png`."""
    scene = picture.scene
    parts = [scene["name"], scene["position"]["phase"], scene["occasion"]]
    return f"{'-'.join(filter(None, parts))}{tail(part)}.{_SUFFIXES[picture.form]}"
