"""Pictures drawn for mails: each once for all its readers, and kept in files beside the database.

The files are worth nothing but time: whatever is not there is drawn again. What could not be drawn is not tried
again before the next start, so that one bad picture does not hold up every mail that shows it.
"""

import logging
import os
import time
from pathlib import Path

from judge.mails.illustrated import Drawn, illustrated
from judge.maps import Geometry, draw, load_geometry, read_scene
from judge.maps.png import png
from judge.store.tables import Picture

log = logging.getLogger(__name__)

# The width of each form, as a share of the width at which its board is easily read.
_SHARES = {"png": 1.0, "small": 0.65, "svg": 1.0}
# A picture that nobody has asked for in so long is thrown away.
_KEPT = 30 * 24 * 3600.0
_SUFFIXES = {"png": "png", "small": "png", "svg": "svg"}


class Gallery:
    """The pictures of one judge, in `folder`; for one thread."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._failed: set[str] = set()

    def illustrate(self, raw: bytes, picture: Picture) -> bytes:
        """The mail `raw` with the picture; as it is when that cannot be had, and the log says why. Raises nothing."""
        if picture.digest in self._failed:
            return raw
        try:
            return illustrated(raw, self._drawn(picture))
        except Exception as error:
            # Whatever went wrong, the mail must go: its text says all that the picture shows.
            self._failed.add(picture.digest)
            log.error("no picture: %s (%s): %s", _name(picture), type(error).__name__, error)
            return raw

    def _drawn(self, picture: Picture) -> Drawn:
        file = self._folder / f"{picture.digest}.{_SUFFIXES[picture.form]}"
        if file.exists():
            data = file.read_bytes()
            os.utime(file)
        else:
            began = time.monotonic()
            data = _draw(picture)
            log.info(
                "picture drawn name=%s seconds=%.2f bytes=%d", _name(picture), time.monotonic() - began, len(data)
            )
            self._keep(file, data)
        scene = picture.scene
        return Drawn(
            name=_name(picture),
            media_type="image/svg+xml" if picture.form == "svg" else "image/png",
            data=data,
            alt=f"Map of {scene['name']}, {scene['position']['phase']}",
            width=_width(picture, load_geometry(scene["variant"])),
        )

    def _keep(self, file: Path, data: bytes) -> None:
        """Written whole before it gets its name, so that a crash never leaves half a picture."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = file.with_suffix(".new")
            draft.write_bytes(data)
            draft.replace(file)
            self._throw_away()
        except OSError as error:
            log.warning("the picture %s is not kept: %s", file.name, error)

    def _throw_away(self) -> None:
        oldest = time.time() - _KEPT
        for file in self._folder.iterdir():
            if file.stat().st_mtime < oldest:
                file.unlink()


def _draw(picture: Picture) -> bytes:
    scene, geometry = read_scene(picture.scene), load_geometry(picture.scene["variant"])
    svg = draw(scene, geometry)
    return svg.encode() if picture.form == "svg" else png(svg, _width(picture, geometry))


def _width(picture: Picture, geometry: Geometry) -> int:
    return round(geometry.width * _SHARES[picture.form])


def _name(picture: Picture) -> str:
    """`heron-S1901M-results.png`."""
    scene = picture.scene
    parts = [scene["name"], scene["position"]["phase"], scene["occasion"]]
    return f"{'-'.join(filter(None, parts))}.{_SUFFIXES[picture.form]}"
