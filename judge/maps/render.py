"""Makes a picture of a scene: a PNG in few colors, small enough for a mail, or an SVG.

It starts nothing, and keeps nothing but a font; who must not be held up calls it in a process with a time limit.
"""

import io
from collections.abc import Mapping
from functools import cache
from typing import Any

import resvg
from PIL import Image
from resvg import usvg

from judge.maps.document import PAPER, Drawing
from judge.maps.geometry import load_geometry
from judge.maps.pages import Form, pages
from judge.maps.scene import Scene, read_scene
from judge.maps.text_metrics import FONT_FILE

# The most bytes of a part of a board, and of a whole board: a mail with three pictures still loads over a slow mobile
# connection.
PART_BYTES, WHOLE_BYTES = 106_000, 102_400
_TRIES = 4
# Shades between ink and white: with the colors that the document names they are enough for every edge.
_GREYS = ("838990", "dcdee0")
# Three shades of opacity look the same as 256, and the PNG is a tenth smaller.
_SHADES = [0] * 80 + [128] * 96 + [255] * 80


class PictureFailed(Exception):
    """A picture that could not be made; the message is one line that says why."""


def render(scene: Mapping[str, Any], form: Form, part: str = "") -> bytes:
    """Make the picture of a part of the board ("" for the whole) for a mail.

    `scene` is JSON (judge.maps.scene.read_scene). Raises PictureFailed for whatever goes wrong.
    """
    try:
        return picture(read_scene(scene), form, part, limit=PART_BYTES if part else WHOLE_BYTES)
    except PictureFailed:
        raise
    except Exception as error:
        raise PictureFailed(f"{type(error).__name__}: {' '.join(str(error).split())}") from error


def picture(scene: Scene, form: Form, part: str = "", *, width: int = 0, limit: int = 1 << 30) -> bytes:
    """Make a PNG of at most `limit` bytes, or an SVG; `width` in pixels, 0 for the usual one. Raises PictureFailed."""
    drawing = next(pages(scene, load_geometry(scene.variant.edition), form, [part]), None)
    if drawing is None:
        raise PictureFailed(f"{scene.variant.title} has no part {part}")
    return drawing.svg.encode() if form == "svg" else png(drawing, width or drawing.pixels, limit)


def png(drawing: Drawing, width: int, limit: int) -> bytes:
    """Make a PNG, `width` pixels wide or, if that takes more than `limit` bytes, narrower; raises PictureFailed.

    Its palette has the colors that the document names, so that a power's units and its land have exactly those.
    """
    palette = Image.new("P", (1, 1))
    palette.putpalette(bytes.fromhex("".join([*_GREYS, *drawing.colors][:256])))
    for _ in range(_TRIES):
        # The edges of areas are below lines: they need no shades.
        ground = _drawn(drawing.document(f'<g shape-rendering="crispEdges">{drawing.ground}</g>', width))
        marks = _drawn(drawing.document(drawing.marks, width))
        page = Image.new("RGB", ground.size, PAPER)
        page.paste(ground, mask=ground)
        page.paste(marks, mask=marks.getchannel("A").point(_SHADES))
        packed = io.BytesIO()
        page.quantize(palette=palette, dither=Image.Dither.NONE).save(packed, "PNG", compress_level=9)
        if packed.tell() <= limit:
            return packed.getvalue()
        width = max(1, int(width * (limit / packed.tell()) ** 0.5 * 0.97))
    raise PictureFailed(f"the picture does not fit into {limit} bytes")


def _drawn(document: str) -> Image.Image:
    try:
        tree = usvg.Tree.from_str(document, _options())
        return Image.open(io.BytesIO(resvg.render(tree, (1, 0, 0, 0, 1, 0), bg_size=tree.int_size())), formats=["PNG"])
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of resvg is not an Exception
        raise PictureFailed(" ".join(str(error).split())) from None


@cache
def _options() -> usvg.Options:
    """No other font is used: the same picture on every machine, and text where no font is installed."""
    options = usvg.Options.default()
    options.load_font_file(str(FONT_FILE))
    return options
