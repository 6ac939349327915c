"""Pictures drawn for mails: each is drawn once for all its readers, and kept in a file beside the database.

Separate threads draw them, so that no mail waits for a picture that it does not show. The picture whose mails may wait
the shortest time is drawn first; a picture that no mail waits for any more is not drawn. The files only save time: a
missing picture is drawn again. A picture that could not be drawn is not tried again for a while, so that it does not
delay every mail that shows it.

Several processes may draw for one judge, and one may send what another has drawn (judge/mails/loans.py).
"""

import hashlib
import logging
import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from heapq import heappop, heappush
from pathlib import Path
from typing import NoReturn, TypeVar

from judge.mails.loans import Album, Loans
from judge.mails.parts import Drawn, illustrated, with_notice
from judge.maps import load_geometry, read_scene
from judge.maps.album import names, sheets, tail
from judge.maps.png import LIMIT, WHOLE, Renderer
from judge.store import json_text
from judge.store.tables import Picture

log = logging.getLogger(__name__)

Key = TypeVar("Key")
Value = TypeVar("Value")

# A mail with its pictures has so many bytes at most, so that it is quickly loaded on a phone.
MOST_BYTES = 450_000
# If a picture is not ready this many seconds after its drawing was begun, its mail goes without it.
PATIENCE = 20.0
# How many pictures are drawn at a time, each by a process of its own.
DRAWERS = min(2, os.cpu_count() or 1)
# How long a picture that could not be drawn is not tried again.
_GIVEN_UP = 900.0
_SUFFIXES = {"png": "png", "small": "png", "svg": "svg"}
_TYPES = {"png": "image/png", "svg": "image/svg+xml"}
# The most albums that could not be written to a file; they are kept until their mails were sent.
_MOST_UNKEPT = 10
# Of so many pictures it is remembered what they are kept as, and which failed or were late: thousands of mails ask
# again and again.
_MOST_REMEMBERED = 10_000
# So many sheets, of a hundred kilobytes each, that were read are kept: more than those of one game.
_MOST_AT_HAND = 12
# So many seconds after it was looked whether another process has drawn a picture, it is looked again.
_LOOK_EVERY = 0.5


class _Missing(Enum):
    """Why there is no album: it is still being drawn, and the mail waits; or the mail goes without it."""

    SO_FAR = auto()
    FOR_GOOD = auto()


@dataclass
class _Wish:
    """A picture that mails wait for, with its files and what they have in common with those of other pictures of the
    same drawing: how long the first and the last of the mails wait, when its drawing was begun, and when it is looked
    again whether the files are there.
    """

    picture: Picture
    stem: str
    files: list[Path]
    first_until: float
    last_until: float
    began: float | None = None
    looks_at: float = -math.inf


class Gallery:
    """The pictures of one judge, in `folder`; used by the thread that sends mails."""

    def __init__(
        self,
        folder: Path,
        finished: Callable[[], None] = lambda: None,
        patience: float = PATIENCE,
        drawers: int = DRAWERS,
        loans: Loans | None = None,
    ):
        """`finished` is called, in a drawing thread, when a picture is ready or has failed. `drawers`: how many are
        drawn here at a time; where none are, other processes draw, with which `loans` exchanges pictures.
        """
        self._folder = folder
        self._finished = finished
        self._patience = patience
        self._loans = loans or Loans()
        # For all data that several threads change: a picture is either wished for, or drawn and kept, or has failed.
        self._lock = threading.Condition()
        self._wishes: dict[str, _Wish] = {}
        # When each wish is needed first, with its digest; those that are outdated, too.
        self._queue: list[tuple[float, str]] = []
        self._in_hand: set[str] = set()  # the drawings that are being made
        self._late: dict[str, float] = {}  # since when
        self._failed: dict[str, float] = {}
        self._unkept: dict[str, Album] = {}
        self._stems: dict[str, str] = {}
        self._at_hand: dict[Path, bytes] = {}
        self._finished_at = -math.inf
        self._drawers = [threading.Thread(target=self._work, name="gallery", daemon=True) for _ in range(drawers)]

    def illustrate(self, raw: bytes, picture: Picture, wait: float) -> bytes | None:
        """The mail `raw` with the picture; None while the picture is being drawn and the mail may `wait` that many more
        seconds. If the picture fails or is late, the mail says so, and the log says why. Never raises.
        """
        try:
            album = self._album(picture, wait)
            if album is _Missing.SO_FAR:
                return None
            if album is _Missing.FOR_GOOD:
                return with_notice(raw, self._excuse(picture))
            return _fitting(raw, picture, album)
        except Exception as error:
            # The mail must be sent whatever went wrong: its text says everything that the picture shows.
            self._give_up(picture, error)
            return raw

    def draw(self, picture: Picture, wait: float) -> bool:
        """Draw a picture for other processes, whose mails wait so many seconds at most; False if there is nothing to do
        about it.
        """
        with self._lock:
            if self._has_failed(picture) or not self._loans.travel and self._kept(picture):
                return False
            self._wish(picture, time.monotonic() + wait)
            return True

    def is_drawing(self, picture: Picture, wait: float) -> bool:
        """Whether a mail that shows the picture waits for it with reason, and may `wait` that many more seconds."""
        now = time.monotonic()
        with self._lock:
            wish = self._wishes.get(picture.digest)
            if wish is None or wait <= 0 or not self._is_worth_waiting(wish, now):
                return False
            if self._is_drawn_elsewhere(wish, now):
                return False
            wish.last_until = max(wish.last_until, now + wait)
            return True

    @property
    def idle_seconds(self) -> float:
        """For how long no picture was finished; infinite before the first."""
        return time.monotonic() - self._finished_at

    def _album(self, picture: Picture, wait: float) -> Album | _Missing:
        """The pictures, if they are drawn already."""
        digest, now = picture.digest, time.monotonic()
        with self._lock:
            if self._has_failed(picture):
                return _Missing.FOR_GOOD
            album = self._unkept.get(digest) or self._kept(picture) or self._borrowed(picture)
            if album:
                if self._wishes.pop(digest, None):  # another process has drawn it
                    self._finished_at = now
                return album
            if wait > 0 and self._is_worth_waiting(self._wish(picture, now + wait), now):
                return _Missing.SO_FAR
            if digest not in self._late:
                self._late[digest] = now
                _forget_oldest(self._late, _MOST_REMEMBERED)
                # Orders are drawn on top of what their confirmation says: without their picture nothing is missing.
                level = logging.INFO if picture.scene["occasion"] == "orders" else logging.ERROR
                log.log(level, "no picture: %s: it was not drawn in time", _name(picture))
            return _Missing.FOR_GOOD

    def _is_drawn_elsewhere(self, wish: _Wish, now: float) -> bool:
        """Whether another process has drawn it, or failed to. Thousands of mails ask whenever one picture is ready:
        the files are looked for now and then.
        """
        if self._loans.is_settled(wish.picture):
            return True
        if now < wish.looks_at:
            return False
        wish.looks_at = now + _LOOK_EVERY
        return all(map(os.path.exists, wish.files))

    def _wish(self, picture: Picture, until: float) -> _Wish:
        wish = self._wishes.get(picture.digest)
        if wish is None:
            if not self._drawers:
                self._forget_outdated()
            files = list(self._files(picture).values())
            wish = self._wishes[picture.digest] = _Wish(picture, self._stem(picture), files, math.inf, until)
        if until < wish.first_until:
            wish.first_until = until
            if self._drawers:
                heappush(self._queue, (until, picture.digest))
        wish.last_until = max(until, wish.last_until)
        for drawer in self._drawers:
            if not drawer.is_alive():
                drawer.start()
        self._lock.notify()
        return wish

    def _forget_outdated(self) -> None:
        """The wishes that no mail waits for any more; those who draw meet them when it is their turn."""
        now = time.monotonic()
        for digest in [digest for digest, wish in self._wishes.items() if wish.last_until <= now]:
            del self._wishes[digest]

    def _has_failed(self, picture: Picture) -> bool:
        return time.monotonic() < self._failed.get(picture.digest, 0) or self._loans.has_failed(picture)

    def _is_worth_waiting(self, wish: _Wish, now: float) -> bool:
        return wish.began is None or now < wish.began + self._patience

    def _excuse(self, picture: Picture) -> str:
        """The sentence in a mail that goes without its picture."""
        if picture.scene["occasion"] == "orders":
            return "Your orders could not be drawn this time; they are on file as the text says."
        if self._has_failed(picture):
            return f"The map could not be drawn: {_command(picture)} asks for it again."
        return f"The map could not be drawn in time: {_command(picture)} brings it."

    def _kept(self, picture: Picture) -> Album | None:
        files = self._files(picture)
        try:
            return {part: self._read(file) for part, file in files.items()}
        except OSError:
            return None

    def _read(self, file: Path) -> bytes:
        """A sheet, which is needed again and again until its mails are sent; the file is noted as used."""
        with self._lock:
            if file not in self._at_hand:
                data = file.read_bytes()
                if not data:  # after a power cut a file may have its name and nothing in it
                    raise FileNotFoundError(file)
                self._at_hand[file] = data
                os.utime(file)
                _forget_oldest(self._at_hand, _MOST_AT_HAND)
            return self._at_hand[file]

    def _borrowed(self, picture: Picture) -> Album | None:
        album = self._loans.borrow(picture)
        if album:
            self._keep(picture, album)
            self._late.pop(picture.digest, None)
        return album

    def _files(self, picture: Picture) -> dict[str, Path]:
        """{part: its file}, in the order of the mail; readers who see different parts share the files of each."""
        stem = self._stem(picture)
        return {part: self._folder / f"{stem}{tail(part)}.{_SUFFIXES[picture.form]}" for part in _parts(picture)}

    def _stem(self, picture: Picture) -> str:
        """What identifies the drawing of a picture, whichever parts of it are shown."""
        with self._lock:
            if picture.digest not in self._stems:
                self._stems[picture.digest] = _drawing(picture)
                _forget_oldest(self._stems, _MOST_REMEMBERED)
            return self._stems[picture.digest]

    # --- in the thread that draws ---

    def _shared(self, picture: Picture) -> Album:
        """The sheets of a picture that are there already, since others see them too."""
        found = {}
        for part, file in self._files(picture).items():
            with suppress(OSError):
                found[part] = self._read(file)
        return found

    def _work(self) -> NoReturn:
        renderer = Renderer()
        while True:
            wish = self._begin_next()
            picture = wish.picture
            try:
                decided = self._attempt(picture, renderer)
            except Exception as error:
                # The thread must not end: nothing would be drawn here any more.
                self._give_up(picture, error)
                decided = True
            with self._lock:
                self._wishes.pop(picture.digest, None)
                self._in_hand.discard(wish.stem)
                if decided:
                    self._late.pop(picture.digest, None)
                    self._finished_at = time.monotonic()
                self._lock.notify_all()
            if decided:
                self._finished()

    def _attempt(self, picture: Picture, renderer: Renderer) -> bool:
        """Draw it, unless another process does or has; whether it was drawn, or given up, here."""
        if not self._loans.take(picture):
            return False
        try:
            album = self._kept(picture)  # where processes share the folder, another one may just have drawn it
            if album is None:
                began = time.monotonic()
                album = self._shared(picture)
                left = _without(picture, album)
                if _parts(left):
                    album |= _draw(left, renderer)
                    album = {part: album[part] for part in _parts(picture)}  # in the order of the mail
                    log.info(
                        "picture drawn name=%s seconds=%.2f bytes=%d",
                        _name(picture), time.monotonic() - began, sum(map(len, album.values())),
                    )  # fmt: skip
                    self._keep(picture, album)
            self._loans.lend(picture, album)
        except Exception as error:
            self._give_up(picture, error)
            self._loans.fail(picture)
        finally:
            self._loans.give_back()
        return True

    def _begin_next(self) -> _Wish:
        """Wait until there is something to draw, and take the picture that is needed first."""
        with self._lock:
            while (wish := self._needed_first()) is None:
                self._lock.wait()
            wish.began = time.monotonic()
            self._in_hand.add(wish.stem)
            return wish

    def _needed_first(self) -> _Wish | None:
        """Out of thousands of wishes: those that are outdated are met, and forgotten, when it is their turn."""
        held_back = []
        found = None
        while self._queue and found is None:
            until, digest = entry = heappop(self._queue)
            wish = self._wishes.get(digest)
            if wish is None or wish.began is not None or until > wish.first_until:
                continue
            if wish.last_until <= time.monotonic():
                del self._wishes[digest]
            elif wish.stem in self._in_hand:
                # What shows other parts of a picture that is being drawn shares some of them: they are drawn once.
                held_back.append(entry)
            else:
                found = wish
        for entry in held_back:
            heappush(self._queue, entry)
        return found

    def _give_up(self, picture: Picture, error: Exception) -> None:
        self._failed[picture.digest] = time.monotonic() + _GIVEN_UP
        _forget_oldest(self._failed, _MOST_REMEMBERED)
        log.error("no picture: %s (%s): %s", _name(picture), type(error).__name__, error)

    def _keep(self, picture: Picture, album: Album) -> None:
        """Each file is written whole before it gets its name, so that a crash never leaves half a picture. Drafts have
        names of their own: others may be writing the same file, since it is shared by several pictures.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for part, file in self._files(picture).items():
                draft = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}.new")
                draft.write_bytes(album[part])
                draft.replace(file)
        except OSError as error:
            log.warning("the picture %s is not kept: %s", _name(picture), error)
            with self._lock:
                self._unkept[picture.digest] = album
                _forget_oldest(self._unkept, _MOST_UNKEPT)


def throw_away(folder: Path, oldest: float) -> int:
    """Delete the files in a gallery's folder that were not needed since that moment (in seconds since 1970); returns
    how many there were.
    """
    gone = 0
    for file in folder.iterdir() if folder.is_dir() else ():
        with suppress(FileNotFoundError):  # it was renamed, or somebody else has deleted it
            if file.stat().st_mtime < oldest:
                file.unlink()
                gone += 1
    return gone


def _forget_oldest(kept: dict[Key, Value], most: int) -> None:
    """Until so many are left."""
    while len(kept) > most:
        del kept[next(iter(kept))]


def _parts(picture: Picture) -> list[str]:
    """The sheets of a picture: those that its scene names, or all of its form."""
    told: list[str] | None = picture.scene.get("parts")
    return names(load_geometry(picture.scene["variant"]), picture.form) if told is None else told


def _drawing(picture: Picture) -> str:
    """The fingerprint of a picture's form and scene, but for the parts of it that are shown."""
    scene = {key: value for key, value in picture.scene.items() if key != "parts"}
    return hashlib.sha256(json_text.written([picture.form, scene], sort_keys=True).encode()).hexdigest()


def _without(picture: Picture, album: Album) -> Picture:
    """What is left of a picture to be drawn, if these sheets of it are there already."""
    if not album:
        return picture
    left = [part for part in _parts(picture) if part not in album]
    scene = {**picture.scene, "parts": left}
    return Picture(digest=picture.digest, form=picture.form, scene=scene, created_at=picture.created_at)


def _draw(picture: Picture, renderer: Renderer) -> Album:
    scene, geometry = read_scene(picture.scene), load_geometry(picture.scene["variant"])
    return {
        sheet.part: sheet.svg.encode()
        if picture.form == "svg"
        else renderer.png(sheet.picture, sheet.width, limit=LIMIT if sheet.part else WHOLE)
        for sheet in sheets(scene, geometry, picture.form, only=_parts(picture))
    }


def _fitting(raw: bytes, picture: Picture, album: Album) -> bytes:
    """The mail with as many of the pictures, from the first on, as it has room for, at least one."""
    some = dict(album)
    while len(mail := illustrated(raw, _framed(picture, some))) > MOST_BYTES and len(some) > 1:
        some.popitem()
    return mail


def _framed(picture: Picture, album: Album) -> list[Drawn]:
    suffix, scene = _SUFFIXES[picture.form], picture.scene
    what = "Your orders in" if scene["occasion"] == "orders" else "Map of"
    of = f"{what} {scene['name']}, {scene['position']['phase']}"
    return [
        Drawn(
            name=_name(picture, part),
            media_type=_TYPES[suffix],
            data=data,
            alt=f"{of}: {part}" if part else of,
            caption=_caption(picture, album, part),
        )
        for part, data in album.items()
    ]


def _caption(picture: Picture, album: Album, part: str) -> str:
    """Which part of the board it is, or how to get the others; below the last one, what the mail has no room for."""
    told = part or _others(picture, album)
    left_out = [one for one in _parts(picture) if one not in album]
    if not left_out or part != [*album][-1]:
        return told
    missed, command = left_out[0] or "the whole board", f"{_command(picture)} {left_out[0]}".rstrip()
    return f"{told.rstrip('.')}. This mail had no room for {missed}: {command} brings it."


def _others(picture: Picture, album: Album) -> str:
    """Below the parts that a mail brings: how to get the others."""
    others = [part for part in names(load_geometry(picture.scene["variant"]), picture.form) if part not in album]
    if picture.scene["occasion"] == "prediction" or not others:
        return ""
    return f"The whole board. {_command(picture)} {others[0]} brings that part of it. Parts: {', '.join(others)}."


def _command(picture: Picture) -> str:
    """The command that asks for the picture: `MAP heron S1901M`."""
    scene = picture.scene
    if scene["occasion"] == "prediction":
        return "PREDICT"
    played = scene["position"]["phase"] if scene["outcome"] else ""
    return " ".join(filter(None, ["MAP", scene["name"], played, "SVG" if picture.form == "svg" else ""]))


def _name(picture: Picture, part: str = "") -> str:
    """`heron-S1901M-results.png`."""
    scene = picture.scene
    parts = [scene["name"], scene["position"]["phase"], scene["occasion"]]
    return f"{'-'.join(filter(None, parts))}{tail(part)}.{_SUFFIXES[picture.form]}"
