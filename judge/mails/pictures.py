"""The pictures of one judge: a file for each part of a board, made once for all mails that show it.

The files are in a folder next to the database; on PostgreSQL they are also in the database, for other machines. They
only save time: a picture that is missing is drawn again (judge/mails/drawing.py).
"""

import logging
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from sqlmodel import Session

from judge.mails.parts import Drawn, illustrated, with_notice
from judge.maps import load_geometry
from judge.maps.pages import is_named, page_names, tail
from judge.store import pictures
from judge.store.tables import Picture

log = logging.getLogger(__name__)

# {the part of the board: its picture}
Album = dict[str, bytes]

# The most bytes of a mail with its pictures, so that it loads quickly on a phone.
MOST_BYTES = 300_000
_SUFFIXES = {"png": "png", "small": "png", "svg": "svg"}
_TYPES = {"png": "image/png", "svg": "image/svg+xml"}


class PictureCache:
    """The pictures that were drawn; for any thread."""

    def __init__(self, folder: Path):
        self._folder = folder

    def has(self, session: Session, picture: Picture) -> bool:
        """Whether the picture is there; one that was drawn and is missing is requested again."""
        if picture.drawn_at is None:
            return False
        if len(self.parts_there(picture)) == len(parts_of(picture)) or pictures.borrowed(session, picture):
            return True
        pictures.lost(session, picture)
        return False

    def album(self, session: Session, picture: Picture) -> Album | None:
        """Read the parts of the picture in the order of the mail, if it is drawn."""
        if picture.drawn_at is None:
            return None
        found = self.parts_there(picture)
        return found if len(found) == len(parts_of(picture)) else pictures.borrowed(session, picture) or None

    def parts_there(self, picture: Picture) -> Album:
        """Read the parts that are in the folder, drawn for this picture or for another one."""
        found = {}
        for part, file in self._files(picture).items():
            with suppress(OSError):
                if data := file.read_bytes():  # after a power cut a file may have its name and nothing in it
                    os.utime(file)
                    found[part] = data
        return found

    def keep(self, session: Session, picture: Picture, album: Album, now: datetime) -> None:
        """Store a picture. Each file is written whole before it gets its name, so a crash never leaves half of one."""
        lends = session.connection().dialect.name == "postgresql"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for part, file in self._files(picture).items():
                draft = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}.new")
                draft.write_bytes(album[part])
                draft.replace(file)
        except OSError as error:
            log.warning("the picture %s is not kept: %s", name_of(picture), error)
            lends = True
        if lends:
            pictures.lend(session, picture, album, now)
        pictures.drawn(session, picture, now)

    def illustrate(self, session: Session, raw: bytes, picture: Picture, now: datetime) -> bytes:
        """Put the parts of a picture into the mail `raw`.

        If there are none, the mail says so, and the log says why.
        """
        album = self.album(session, picture)
        if not album:
            has_failed = pictures.has_failed(picture, now)
            # A confirmation says all orders in words: without their picture nothing is missing.
            if not has_failed:
                level = logging.INFO if picture.scene["occasion"] == "orders" else logging.ERROR
                log.log(level, "no picture: %s: it was not drawn in time", name_of(picture))
            return with_notice(raw, _excuse(picture, has_failed=has_failed))
        return with_album(raw, picture, album)

    def throw_away(self, oldest: float) -> int:
        """Delete the files not used since a moment (in seconds since 1970); returns how many there were."""
        gone = 0
        for file in self._folder.iterdir() if self._folder.is_dir() else ():
            with suppress(FileNotFoundError):  # it was renamed, or another process has deleted it
                if file.stat().st_mtime < oldest:
                    file.unlink()
                    gone += 1
        return gone

    def _files(self, picture: Picture) -> Mapping[str, Path]:
        """{part: its file}, in the order of the mail; readers who see different parts share the files of each."""
        drawing, suffix = picture.drawing, _SUFFIXES[picture.form]
        return {part: self._folder / f"{drawing}{tail(part)}.{suffix}" for part in parts_of(picture)}


def with_album(raw: bytes, picture: Picture, album: Album) -> bytes:
    """Put as many of the pictures into the mail `raw` as it has room for, at least the first."""
    left = dict(album)
    while len(mail := illustrated(raw, _framed(picture, left))) > MOST_BYTES and len(left) > 1:
        left.popitem()
    return mail


def parts_of(picture: Picture) -> list[str]:
    """List the parts of the board that a picture shows: those in its scene, or all of its form."""
    told: list[str] | None = picture.scene.get("parts")
    return page_names(load_geometry(picture.scene["variant"]), picture.form) if told is None else told


def name_of(picture: Picture, part: str = "") -> str:
    """Name the file of a picture: `heron-S1901M-results.png`."""
    scene = picture.scene
    words = [scene["name"], scene["position"]["phase"], scene["occasion"]]
    return f"{'-'.join(filter(None, words))}{tail(part)}.{_SUFFIXES[picture.form]}"


def _excuse(picture: Picture, *, has_failed: bool) -> str:
    """The sentence in a mail that goes without its picture."""
    if picture.scene["occasion"] == "orders":
        return "Your orders could not be drawn this time. The text shows them as recorded."
    if has_failed:
        return f"The map could not be drawn. To ask for it again, send {_command(picture)}."
    return f"The map could not be drawn in time. To get it, send {_command(picture)}."


def _framed(picture: Picture, album: Mapping[str, bytes]) -> list[Drawn]:
    suffix, scene = _SUFFIXES[picture.form], picture.scene
    is_readable = "" in album and is_named(load_geometry(scene["variant"]))
    what = "Your orders in" if scene["occasion"] == "orders" else "Map of"
    of = f"{what} {scene['name']}, {scene['position']['phase']}"
    return [
        Drawn(
            name=name_of(picture, part),
            media_type=_TYPES[suffix],
            data=data,
            alt=f"{of}: {part}" if part else of,
            caption=_caption(picture, album, part),
            narrow=bool(part) and is_readable,
        )
        for part, data in album.items()
    ]


def _caption(picture: Picture, album: Mapping[str, bytes], part: str) -> str:
    """The part's name, or how to get the others; below the last picture also what the mail has no room for."""
    told = part or _others(picture)
    left_out = [one for one in parts_of(picture) if one not in album]
    if not left_out or part != [*album][-1]:
        return told
    is_of_map = picture.scene["occasion"] not in _ASKED_BY
    how = f": to get it, send {_command(picture)} {left_out[0]}".rstrip() if is_of_map else ""
    return f"{told.rstrip('.')}. This email had no room for {left_out[0] or 'the whole board'}{how}.".removeprefix(". ")


def _others(picture: Picture) -> str:
    """The sentence below a picture of the whole board on how to get the parts that are not in its mail."""
    geometry = load_geometry(picture.scene["variant"])
    others = [part.name for part in geometry.parts if part.name not in parts_of(picture)]
    enough = picture.form == "small" and is_named(geometry)
    if picture.scene["occasion"] in _ASKED_BY or enough or not others:
        return ""
    others_named = "Other parts" if len(parts_of(picture)) > 1 else "Its parts"
    return f"The whole board. {others_named}: {', '.join(others)}. To get one, send {_command(picture)} {others[0]}."


# {the occasion of a picture of what was not played: the command that draws it}
_ASKED_BY = {"prediction": "PREDICT", "what if": "WHATIF"}


def _command(picture: Picture) -> str:
    """The command that asks for the picture: `MAP heron S1901M`."""
    scene = picture.scene
    if scene["occasion"] in _ASKED_BY:
        return _ASKED_BY[scene["occasion"]]
    played = scene["position"]["phase"] if scene["outcome"] else ""
    return " ".join(filter(None, ["MAP", scene["name"], played, "SVG" if picture.form == "svg" else ""]))
