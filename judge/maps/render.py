"""From a scene to the bytes of a picture: resvg draws, Pillow colors the areas and puts everything together.

Bitmaps that later pictures of the same board need are kept. These are the lines of the board's background, every sign
and every word. Only the rest is drawn again, mostly the lines of orders. This takes less than half as long as drawing
the whole document.

Nothing here starts a thread or a process. A caller that cannot wait calls `render` in another process.
"""

import io
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache
from math import ceil, floor
from typing import Any, NamedTuple

import resvg
from PIL import Image, ImageDraw, ImagePath
from resvg import usvg

from judge.maps import colors
from judge.maps.document import FRAME, PAPER, Drawing, Element
from judge.maps.draw import Form, page
from judge.maps.geometry import Box, load_geometry
from judge.maps.scene import Scene, read_scene
from judge.maps.text_metrics import FONT_FILE

# The maximum sizes, in bytes, of a picture of a part and of a whole board. So an email with three pictures loads over a
# slow mobile connection.
PART_BYTES, WHOLE_BYTES = 106_000, 102_400
# The maximum size of all bitmaps in memory, in bytes: enough for every board and part in `variants`.
_MEMORY = 96_000_000
# zlib's levels, the fastest first. The second level takes three times as long and saves a twentieth of the bytes.
_LEVELS = (6, 8, 9)
_TRIES = 4
# Shades between ink and white. With the colors that the document names, they are enough for every edge.
_GREYS = ("4f565f", "838990", "b8bbc0", "dcdee0")
# The shades of opacity for the edges of lines (three) and of signs (four). With these few shades a picture looks the
# same as with 256, and its PNG is a tenth smaller.
_LINE_SHADES = [0] * 48 + [128] * 144 + [255] * 64
_SIGN_SHADES = [255 * ((alpha + 42) // 85) // 3 for alpha in range(256)]

_Size = tuple[int, int]
# The scale, the style and the text of an element, on which its pixels depend.
_Name = tuple[float, str, str]


class PictureFailed(Exception):
    """A picture that could not be made. The message is one line that says why."""


def render(scene: Mapping[str, Any], form: Form, part: str = "") -> bytes:
    """Return the picture of a part of the board ("" for the whole) for an email.

    `scene` is JSON (judge.maps.scene.read_scene). Raises PictureFailed on any error.
    """
    try:
        return picture(read_scene(scene), form, part, limit=PART_BYTES if part else WHOLE_BYTES)
    except PictureFailed:
        raise
    except Exception as error:
        raise PictureFailed(f"{type(error).__name__}: {' '.join(str(error).split())}") from error


def picture(scene: Scene, form: Form, part: str = "", *, width: int = 0, limit: int = 1 << 30) -> bytes:
    """Return a picture: an SVG, or a PNG of at most `limit` bytes.

    The picture is `width` pixels wide, where 0 means the usual width. Raises PictureFailed.
    """
    drawing = page(scene, load_geometry(scene.variant.edition), form, part)
    if drawing is None:
        raise PictureFailed(f"{scene.variant.title} has no part {part}")
    if form == "svg":
        return drawing.svg.encode()
    return _rasterizer().png(drawing, width or drawing.pixels, limit)


class _Extent(NamedTuple):
    """The rectangle of pixels that an element covers, relative to its point."""

    left: int
    top: int
    width: int
    height: int


class _Sprite(NamedTuple):
    """The pixels of an element, and the place of its first pixel relative to its point."""

    image: Image.Image
    left: int = 0
    top: int = 0


class Rasterizer:
    """Makes PNGs of drawings, and keeps the bitmaps that later drawings may need."""

    def __init__(self) -> None:
        self._options = usvg.Options.default()
        # Only this font is used. So the picture is the same on every machine, and has text where no font is installed.
        self._options.load_font_file(str(FONT_FILE))
        self._kept: OrderedDict[object, _Sprite] = OrderedDict()
        self.kept_bytes = 0

    def png(self, drawing: Drawing, width: int, limit: int) -> bytes:
        """Return a PNG, `width` pixels wide or, if it has more than `limit` bytes, narrower.

        Its palette has the colors that the document names, so a power's units and land have exactly these colors.
        Raises PictureFailed.
        """
        palette = Image.new("P", (1, 1))
        palette.putpalette(bytes.fromhex("".join([*_GREYS, *drawing.colors][:256])))
        for _ in range(_TRIES):
            scale = width / drawing.size[0]
            sprites = self._sprites([*drawing.board, *drawing.page], drawing.window, scale)
            ground, top, border = self._ground(drawing, scale), round(drawing.top * scale), drawing.border * scale
            page = Image.new("RGB", _pixels(*drawing.size, scale), PAPER)
            page.paste(ground, (0, top))
            _lay(page, drawing.board, sprites, drawing.window, scale, top)
            bottom = top + ground.height
            for first, last in ((0, top), (bottom, page.height)):
                # Cover what extends beyond the board.
                page.paste(PAPER, (0, first, page.width, last))
            frame = 0, top, ground.width - 1, bottom - 1
            ImageDraw.Draw(page).rectangle(frame, outline=colors.INK, width=max(1, int(border)))
            _lay(page, drawing.page, sprites, Box(0, 0, *drawing.size), scale)
            page = page.quantize(palette=palette, dither=Image.Dither.NONE)
            for level in _LEVELS:
                packed = io.BytesIO()
                page.save(packed, "PNG", compress_level=level)
                if packed.tell() <= limit:
                    return packed.getvalue()
            width = max(1, int(width * (limit / packed.tell()) ** 0.5 * 0.97))
        raise PictureFailed(f"the picture does not fit into {limit} bytes")

    def _ground(self, drawing: Drawing, scale: float) -> Image.Image:
        """Return the areas with the lines above them."""
        (left, top, _, _), wide, high = drawing.window, drawing.window.width, drawing.window.height
        size = _pixels(wide, high, scale)
        view = f'viewBox="{left:g} {top:g} {wide:g} {high:g}" preserveAspectRatio="none"'
        document = _document(drawing.lines, size, view)
        board = _filled(drawing, size, scale, 0)
        if any(len(area.fill) > 1 for area in drawing.areas):
            rows = ((top + (row + 0.5) / scale) / drawing.stripe % 1 for row in range(size[1]))
            second = Image.frombytes("L", (1, size[1]), bytes(255 if row < 0.5 else 0 for row in rows))
            board.paste(_filled(drawing, size, scale, -1), mask=second.resize(size))
        lines = self._kept.get(document) or _Sprite(_image(self._drawn(document, size), _LINE_SHADES))
        self._keep(document, lines)
        board.paste(lines.image, mask=lines.image)
        return board

    def _sprites(self, elements: Sequence[Element], window: Box, scale: float) -> dict[_Name, _Sprite]:
        """Return the pixels of elements. New elements are drawn together."""
        named = {_name(one, scale): one for one in elements}
        sprites = {name: self._kept[name] for name in named if name in self._kept}
        new = {name: _extent(one, window, scale) for name, one in named.items() if name not in sprites}
        if new:
            sheet, size = _sheet(new)
            svg = "".join(_on_sheet(named[name], new[name], at, scale, window) for name, at in sheet.items())
            drawn = _image(self._drawn(_document(svg, size), size), _SIGN_SHADES)
            sprites |= {name: _cut_out(drawn, at, new[name]) for name, at in sheet.items()}
        for name, sprite in sprites.items():
            if named[name].at is not None:
                self._keep(name, sprite)
        return sprites

    def _drawn(self, document: str, size: _Size) -> bytes:
        try:
            return resvg.render(usvg.Tree.from_str(document, self._options), (1, 0, 0, 0, 1, 0), bg_size=size)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # resvg panics with a BaseException
            raise PictureFailed(" ".join(str(error).split())) from None

    def _keep(self, name: object, sprite: _Sprite) -> None:
        """Keep a bitmap in memory. If space is short, discard those unused for longest."""
        if name not in self._kept:
            self._kept[name] = sprite
            self.kept_bytes += _bytes(sprite)
        self._kept.move_to_end(name)
        while self.kept_bytes > _MEMORY and len(self._kept) > 1:
            self.kept_bytes -= _bytes(self._kept.popitem(last=False)[1])


# The rasterizer of this process, with its bitmaps.
_rasterizer = cache(Rasterizer)


# --- pixels ---


def _bytes(sprite: _Sprite) -> int:
    return sprite.image.width * sprite.image.height * 4


def _image(png: bytes, shades: Sequence[int]) -> Image.Image:
    image = Image.open(io.BytesIO(png), formats=["PNG"])
    image.putalpha(image.getchannel("A").point(shades))
    return image


def _lay(
    page: Image.Image,
    elements: Sequence[Element],
    sprites: Mapping[_Name, _Sprite],
    window: Box,
    scale: float,
    top: int = 0,
) -> None:
    """Paste elements into a window whose first row is `top`."""
    for element in elements:
        sprite = sprites[_name(element, scale)]
        x, y = (round((at - edge) * scale) for at, edge in zip(element.at or (0, 0), window, strict=False))
        page.paste(sprite.image, (x + sprite.left, y + sprite.top + top), sprite.image)


def _name(element: Element, scale: float) -> _Name:
    return scale, element.style, element.svg


def _pixels(wide: float, high: float, scale: float) -> _Size:
    return max(1, round(wide * scale)), max(1, round(high * scale))


def _document(svg: str, size: _Size, view: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" {view} {FRAME}>{svg}</svg>'


def _filled(drawing: Drawing, size: _Size, scale: float, stripe: int) -> Image.Image:
    """Fill the sea, and the areas above it, each in the color of the given stripe."""
    board, (left, top, _, _) = Image.new("RGB", size, colors.SEA), drawing.window
    for area in drawing.areas:
        # Draw an area with a hole separately, so that the hole shows what is below it.
        apart = Image.new("1", size) if any(outline.is_hole for outline in area.outlines) else None
        pen, color = ImageDraw.Draw(apart or board), area.fill[stripe]
        for way, is_hole in area.outlines:
            path = ImagePath.Path(way)
            path.transform((scale, 0, -left * scale, 0, scale, -top * scale))
            pen.polygon(path, (not is_hole) if apart else color)
        if apart:
            board.paste(color, (0, 0, *size), apart)
    return board


# --- new elements on a sheet ---


def _extent(element: Element, window: Box, scale: float) -> _Extent:
    """Return the pixels that an element needs. For a line, these are only the pixels within the window."""
    left, top, right, bottom = element.box
    if element.at is None:
        left, top = max(left, window.left), max(top, window.top)
        right, bottom = min(right, window.right), min(bottom, window.bottom)
    x, y = floor(left * scale), floor(top * scale)
    return _Extent(x, y, max(1, ceil(right * scale) - x), max(1, ceil(bottom * scale) - y))


def _sheet(extents: Mapping[_Name, _Extent]) -> tuple[dict[_Name, _Size], _Size]:
    """Arrange elements in rows on a sheet, the tallest first. Return their positions and the size of the sheet."""
    pixels = sum(extent.width * extent.height for extent in extents.values())
    room = max([round(pixels**0.5), *(extent.width for extent in extents.values())])
    sheet: dict[_Name, _Size] = {}
    left = top = below = 0
    for name, extent in sorted(extents.items(), key=lambda one: -one[1].height):
        if left + extent.width > room:
            left, top = 0, below
        # The first element of a row is the tallest.
        below = max(below, top + extent.height)
        sheet[name] = left, top
        left += extent.width
    return sheet, (room, below)


def _cut_out(sheet: Image.Image, at: _Size, extent: _Extent) -> _Sprite:
    (x, y), (left, top, width, height) = at, extent
    return _Sprite(sheet.crop((x, y, x + width, y + height)), left, top)


def _on_sheet(element: Element, extent: _Extent, at: _Size, scale: float, window: Box) -> str:
    """Return the SVG text of an element, moved so that its first pixel is `at` a place on the sheet.

    A line that extends beyond the window is cut off there.
    """
    (x, y), clip, end = at, "", ""
    if element.at is None and not window.holds(element.box):
        clip, end = f'<svg x="{x}" y="{y}" width="{extent.width}" height="{extent.height}">', "</svg>"
        x = y = 0
    move = f"translate({x - extent.left} {y - extent.top})scale({scale})"
    return f'{clip}<g transform="{move}" {element.style}>{element.svg}</g>{end}'
