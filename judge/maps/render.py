"""From a scene to the bytes of a picture, which is all that a mail or a file needs.

Nothing here starts a thread or a process. Callers that must not be held up call it in a process of their own.
"""

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from judge.maps.geometry import load_geometry
from judge.maps.pages import Form, page_names, pages, tail
from judge.maps.rasterizer import PictureFailed, Rasterizer
from judge.maps.scene import Scene, read_scene

__all__ = ["SUFFIXES", "Form", "PictureFailed", "parts_of", "picture", "render", "tail", "user_cache"]

SUFFIXES: Mapping[Form, str] = {"png": "png", "small": "png", "svg": "svg"}
# Three pictures and the text of a mail stay small enough to be loaded over a slow mobile connection: the most bytes of
# a part of a board, and of a whole one.
PART_BYTES, WHOLE_BYTES = 106_000, 102_400


def parts_of(edition: str, form: Form) -> list[str]:
    """The parts that a form shows of a board, "" for the whole, in the order of a mail; raises NoGeometry."""
    return page_names(load_geometry(edition), form)


def render(scene: Mapping[str, Any], form: Form, part: str = "", cache_folder: Path | None = None) -> bytes:
    """The picture of a part of the board ("" for the whole) for a mail, from a scene in JSON (judge.maps.scene).

    Bitmaps of boards are also kept in `cache_folder`, if there is one, for other processes. Raises PictureFailed.
    """
    try:
        limit = PART_BYTES if part else WHOLE_BYTES
        return picture(read_scene(scene), form, part, limit=limit, cache_folder=cache_folder)
    except PictureFailed:
        raise
    except Exception as error:
        raise PictureFailed(f"{type(error).__name__}: {' '.join(str(error).split())}") from error


def picture(
    scene: Scene, form: Form, part: str = "", *, width: int = 0, limit: int = 1 << 30, cache_folder: Path | None = None
) -> bytes:
    """PNG in at most `limit` bytes, or SVG; `width` in pixels, if it is not the usual one. Raises PictureFailed."""
    drawing = next(pages(scene, load_geometry(scene.variant.edition), form, [part]), None)
    if drawing is None:
        raise PictureFailed(f"{scene.variant.title} has no part {part}")
    if form == "svg":
        return drawing.svg.encode()
    return _rasterizer(cache_folder).png(drawing, width or drawing.pixels, limit)


@lru_cache(maxsize=1)
def _rasterizer(cache_folder: Path | None) -> Rasterizer:
    return Rasterizer(cache_folder)


def user_cache() -> Path | None:
    """The folder for bitmaps in the user's cache (XDG Base Directory Specification); None for a user without a home."""
    told = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(told) if told.startswith("/") else Path.home() / ".cache") / "judge" / "boards"
    except RuntimeError:
        return None
