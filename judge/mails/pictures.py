"""The files of drawn pictures, each made once for all mails that show it.

Each part of a board is a file in a folder of the judge. On PostgreSQL, the files are also in the database, for other
machines. The files only save time, since a missing picture is drawn again (judge/mails/drawing.py).
"""

import logging
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from math import ceil
from pathlib import Path

from sqlmodel import Session

from judge.mails.blocks import wrapped
from judge.mails.parts import NO_PAGES, Drawn, illustrated, sequel, with_notice
from judge.maps.draw import is_named, page_names, tail
from judge.maps.geometry import load_geometry
from judge.rules import listed, words
from judge.store import pictures
from judge.store.tables import Picture

log = logging.getLogger(__name__)

# The bytes of a picture, by part of the board.
Album = dict[str, bytes]

# The maximum size of a mail with pictures, in bytes, so that it loads quickly on a phone. A mail about a large board
# may have more, since its readers need up to four parts.
MOST_BYTES, OF_LARGE_BOARDS = 300_000, 700_000
_LARGE = 3
# This sentence is in a confirmation whose picture comes later.
LATER = "The map of your orders was not drawn in time. It will come in a separate email."
_SUFFIXES = {"png": "png", "small": "png", "svg": "svg", "film": "png"}
_TYPES = {"png": "image/png", "svg": "image/svg+xml"}


class PictureCache:
    """The folder, for all threads, with the files of drawn pictures."""

    def __init__(self, folder: Path):
        self._folder = folder

    def has(self, session: Session, picture: Picture) -> bool:
        """Return whether the picture's files exist.

        If a picture was drawn but its files are missing, the picture is requested again.
        """
        is_there = bool(self.album(session, picture))
        if picture.drawn_at and not is_there:
            pictures.settle(session, picture)
        return is_there

    def album(self, session: Session, picture: Picture) -> Album:
        """Read the parts of the picture in the order of the mail, or none if it is not drawn."""
        if picture.drawn_at is None:
            return {}
        found = self.parts_there(picture)
        return found if len(found) == len(parts_of(picture)) else pictures.borrowed(session, picture)

    def parts_there(self, picture: Picture) -> Album:
        """Read the parts of the picture that are in the folder.

        Such a part may have been drawn for another picture.
        """
        found = {}
        for part, file in self._files(picture).items():
            with suppress(OSError):
                if data := file.read_bytes():  # after a power cut a file may have its name but no content
                    os.utime(file)
                    found[part] = data
        return found

    def keep(self, session: Session, picture: Picture, album: Album, now: datetime) -> None:
        """Store the files of a picture.

        A file gets its name only when it is complete, so a crash never leaves half a file.
        """
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
        pictures.settle(session, picture, drawn_at=now)

    def illustrate(self, session: Session, raw: bytes, picture: Picture, now: datetime) -> bytes:
        """Put the parts of a picture into the mail `raw`.

        If there are no parts, the mail says so, and the log says why.
        """
        try:
            return self._illustrated(session, raw, picture, now)
        except (LookupError, TypeError, ValueError, AttributeError):  # raised if the scene is invalid
            log.exception("no picture: %s", name_of(picture))
            return with_notice(raw, "The map could not be drawn because of a fault in the judge.")

    def _illustrated(self, session: Session, raw: bytes, picture: Picture, now: datetime) -> bytes:
        album = self.album(session, picture) or self.parts_there(picture)
        is_of_orders, has_failed = shows_orders(picture), pictures.has_failed(picture, now)
        if len(album) < len(parts_of(picture)) and not has_failed:
            # A confirmation lists all orders in words, so nothing is missing if the picture is.
            level = logging.INFO if is_of_orders else logging.ERROR
            log.log(level, "no picture: %s: it was not drawn in time", name_of(picture))
        if album:
            return with_album(raw, picture, album)
        why, how = "in time", "get it"
        if has_failed:
            why, how = "because of a fault in the judge", "ask for it again"
        if is_of_orders:
            return with_notice(raw, f"The map of your orders could not be drawn {why}.")
        told = f"The map of {_title(picture)}, could not be drawn {why}.\nTo {how}, send {_command(picture)}."
        return with_notice(raw, wrapped(told))

    def throw_away(self, oldest: float) -> int:
        """Delete the files last used before `oldest` (in seconds since 1970), and return their number."""
        gone = 0
        if not self._folder.is_dir():
            return gone
        for file in self._folder.iterdir():
            with suppress(FileNotFoundError):  # the file was renamed, or another process has deleted it
                if file.stat().st_mtime < oldest:
                    file.unlink()
                    gone += 1
        return gone

    def _files(self, picture: Picture) -> Mapping[str, Path]:
        """Return the file of each part of a picture, in the order of the mail.

        Pictures of the same drawing share these files.
        """
        drawing, suffix = picture.drawing, _SUFFIXES[picture.form]
        return {part: self._folder / f"{drawing}{tail(part)}.{suffix}" for part in parts_of(picture)}


def shows_orders(picture: Picture) -> bool:
    """Return whether the picture is for the confirmation of a player's orders."""
    return bool(picture.scene["occasion"] == "orders")


def in_two(raw: bytes, message_id: str, picture: Picture, sent: str) -> tuple[bytes, bytes]:
    """Split a confirmation into a mail without its picture, and a later mail with it.

    `sent` is when the confirmation was written. `message_id` is for the later mail.
    """
    phase = words(picture.scene["position"]["phase"])
    later = f"This is the map of your orders, {phase}, as they were on {sent}. The email about them has no map."
    return with_notice(raw, LATER), sequel(raw, message_id, wrapped(later))


def with_album(raw: bytes, picture: Picture, album: Album) -> bytes:
    """Put as many of the pictures into the mail `raw` as its size allows, but at least one."""
    # Without HTML, the pictures are attached files. Leave out the parts, which are for narrow screens.
    is_text = NO_PAGES.encode() in raw.partition(b"\r\n\r\n")[0] and _is_read_whole(picture, album)
    left = {"": album[""]} if is_text else dict(album)
    most = OF_LARGE_BOARDS if len(load_geometry(picture.scene["variant"]).parts) >= _LARGE else MOST_BYTES
    # Add the maximum size of each picture in the mail, which is in base64 and has headers and HTML.
    while len(raw) + sum(ceil(len(data) / 57) * 78 + 1_200 for data in left.values()) > most and len(left) > 1:
        left.popitem()
    return illustrated(raw, _framed(picture, left))


def parts_of(picture: Picture) -> list[str]:
    """List the parts of the board in a picture.

    These are the parts that its scene names, or else all parts.
    """
    told: list[str] | None = picture.scene.get("parts")
    return page_names(load_geometry(picture.scene["variant"]), picture.form) if told is None else told


def name_of(picture: Picture, part: str = "") -> str:
    """Return the file name of a picture, such as `heron-S1901M-results.png`."""
    try:
        scene = picture.scene
        pieces = [scene["name"], scene["position"]["phase"], scene["occasion"]]
        return f"{'-'.join(filter(None, pieces))}{tail(part)}.{_SUFFIXES[picture.form]}"
    except (LookupError, TypeError):  # raised if the scene is invalid
        return f"picture-{picture.id}"


def _title(picture: Picture) -> str:
    """Return the game and phase of a picture in words, such as `heron, Movement for Spring of 1901`."""
    return f"{picture.scene['name']}, {words(picture.scene['position']['phase'])}"


def _framed(picture: Picture, album: Mapping[str, bytes]) -> list[Drawn]:
    suffix, scene = _SUFFIXES[picture.form], picture.scene
    what = _SHOWS.get(scene["occasion"], "All orders" if scene["outcome"] else "The board")
    drawn: list[Drawn] = []
    for part, data in album.items():
        shown = f"{what}: {part or 'the whole board'}."
        caption = shown
        if not drawn:
            caption += _how_to_get_parts(picture)
        if len(drawn) == len(album) - 1:
            caption += _left_out(picture, album)
        alt = f"Map of {_title(picture)}. {shown} The email says the same in words."
        is_narrow = bool(part) and _is_read_whole(picture, album)
        drawn.append(Drawn(name_of(picture, part), _TYPES[suffix], data, alt, caption, is_narrow))
    return drawn


def _how_to_get_parts(picture: Picture) -> str:
    parts = [part.name for part in load_geometry(picture.scene["variant"]).parts]
    # The command MAP does not draw pictures of the occasions in _SHOWS.
    if not parts or picture.scene["occasion"] in _SHOWS:
        return ""
    return f" For one part of the board, send {_command(picture)} and its name: {listed(parts, 'or')}."


def _left_out(picture: Picture, album: Mapping[str, bytes]) -> str:
    """Return a sentence that names the parts of the board left out of the mail for lack of room."""
    parts = [part or "the whole board" for part in parts_of(picture) if part not in album]
    if not parts:
        return ""
    told = f" Not in this email: {listed(parts)}."
    if picture.scene["occasion"] == "orders":
        told += " The text has all of your orders."
    return told


def _is_read_whole(picture: Picture, album: Mapping[str, bytes]) -> bool:
    """Return whether the album has the whole board, with names legible on a wide screen."""
    return "" in album and is_named(load_geometry(picture.scene["variant"]))


# What a picture shows, by its occasion, if it shows neither a position nor played orders.
_SHOWS = {
    "orders": "Your orders",
    "prediction": "Predicted results",
    "what if": "What would happen",
    "film": "The course of the game (if nothing moves, open it in a web browser)",
}
# The command that draws a picture of unplayed orders, by the occasion of the picture.
_ASKED_BY = {"prediction": "PREDICT", "what if": "WHATIF"}


def _command(picture: Picture) -> str:
    """Return the command that asks for the picture, such as `MAP heron S1901M`."""
    scene = picture.scene
    if picture.form == "film":
        return f"SUMMARY {scene['name']} MAPS"
    if scene["occasion"] in _ASKED_BY:
        return _ASKED_BY[scene["occasion"]]
    played = scene["position"]["phase"] if scene["outcome"] else ""
    return " ".join(filter(None, ["MAP", scene["name"], played, "SVG" if picture.form == "svg" else ""]))
