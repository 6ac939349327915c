"""A scene and a form in, the bytes of a picture out: all that a mail or a file needs.

Nothing here starts a thread or a process; a caller who must not be held up calls it in a process of its own.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from judge.maps.album import Form, names, sheets, tail
from judge.maps.geometry import load_geometry
from judge.maps.lettering import FONT_FILE
from judge.maps.png import LIMIT, WHOLE, PictureFailed, user_cache
from judge.maps.scene import read_scene

__all__ = ["SUFFIXES", "Form", "PictureFailed", "parts_of", "render", "tail", "user_cache"]

SUFFIXES: Mapping[Form, str] = {"png": "png", "small": "png", "svg": "svg"}


def parts_of(edition: str, form: Form) -> list[str]:
    """The names of the parts that a form shows of a board, "" for the whole; raises NoGeometry."""
    return names(load_geometry(edition), form)


def render(scene: Mapping[str, Any], form: Form, part: str = "", cache_folder: Path | None = None) -> bytes:
    """One picture of a scene in its JSON form (judge.maps.scene.read_scene): PNG, or SVG if the form says so.

    `part`: the name of a part of the board, "" for the whole. What is kept for the next pictures is kept in memory, and
    in `cache_folder` for other processes. Raises PictureFailed, whose message is one line.
    """
    try:
        shown, geometry = read_scene(scene), load_geometry(scene["variant"])
        sheet = next((one for one in sheets(shown, geometry, form, only=[part])), None)
        if sheet is None:
            raise PictureFailed(f"{scene['variant']} has no part {part}")
        if form == "svg":
            return sheet.svg.encode()
        picture = sheet.picture
        limit = LIMIT if sheet.part else WHOLE
        return _renderer(cache_folder).render(picture.order, picture.ground.order, sheet.width, limit)
    except PictureFailed:
        raise
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of resvg is not an Exception
        raise PictureFailed(str(error).strip().splitlines()[-1] if str(error).strip() else repr(error)) from None


@lru_cache(maxsize=1)
def _renderer(cache_folder: Path | None) -> Any:
    from resvg import usvg

    from judge.maps import renderer

    options = usvg.Options.default()
    options.load_font_file(str(FONT_FILE))
    return renderer.Renderer(options, renderer._shelf(str(FONT_FILE), str(cache_folder)) if cache_folder else None)
