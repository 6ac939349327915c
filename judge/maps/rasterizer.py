"""PNGs of drawings: resvg draws, Pillow puts together.

What recurs in pictures is kept as bitmaps: the ground of a board, in numbers of its areas, so that a palette gives them
the colors of their owners; and every sign and every word. Only what is new in a picture is drawn, mostly the lines of
orders. So all pictures of a board but the first take less than half of the time of drawing the whole document at once.
"""

import hashlib
import io
import os
import re
import stat
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, floor
from pathlib import Path
from typing import NamedTuple

import resvg
from PIL import Image, ImageDraw
from resvg import usvg

from judge.maps.colors import INK
from judge.maps.document import FRAME, PAPER, Drawing, Element
from judge.maps.geometry import Box
from judge.maps.text_metrics import FONT_FILE

# The bytes of bitmaps that are kept in memory: the grounds of a dozen parts of boards, and the signs on them. And the
# number of files in the cache folder: a hundred kilobytes each.
_MEMORY, _FILES = 48_000_000, 400
# Quick compression first: the second takes three times as long and saves a twentieth, the third seven times as long.
_LEVELS = (6, 8, 9)
_TRIES = 4
# The shades between the ink and white: with the colors that the document names they are enough for every edge.
_GREYS = ("4f565f", "838990", "b8bbc0", "dcdee0")
# Edges of lines in three shades and of signs in four look the same as in all, and need a tenth of the bytes less. A
# line covers half of a pixel or all of it, from these shares of it on.
_HALF, _ALL = 48, 192
_SIGN_SHADES = [255 * ((alpha + 42) // 85) // 3 for alpha in range(256)]
# An area is a number from 1 to 255 in one of several bitmaps.
_NUMBERS = 255
# New signs are drawn on sheets of at most so many pixels, so much as wide as a square: narrow ones waste the fewest.
_SHEET_PIXELS, _SHEET_WIDTH = 4_000_000, 0.5

_Size = tuple[int, int]


class PictureFailed(Exception):
    """There is no picture: the message says why, in one line."""


class _Sprite(NamedTuple):
    """The pixels of an element, and where the first of them is, seen from the point of the element."""

    image: Image.Image
    left: int = 0
    top: int = 0


class _Wish(NamedTuple):
    """An element of which there is no sprite yet, and the pixels that it needs, seen from its point."""

    element: Element
    left: int
    top: int
    size: _Size


class Rasterizer:
    """Makes PNGs of drawings, and keeps the bitmaps that the next ones may need again."""

    def __init__(self, cache_folder: Path | None = None):
        self._options = usvg.Options.default()
        # Only our own font is used: the same picture everywhere, and text where no font is installed.
        self._options.load_font_file(str(FONT_FILE))
        self._folder = cache_folder if cache_folder and _is_private(cache_folder) else None
        self._kept: OrderedDict[object, _Sprite] = OrderedDict()
        self.kept_bytes = 0

    def png(self, drawing: Drawing, width: int, limit: int) -> bytes:
        """A picture in few colors, `width` pixels wide if that keeps the limit of bytes; raises PictureFailed.

        The colors are those that the document names, exactly, so that a power's units and its land have the same color.
        """
        colors = [*_GREYS, *_named(drawing.svg)]
        for _ in range(_TRIES):
            page = _in_colors(self._page(drawing, width / drawing.size[0]), colors)
            for level in _LEVELS:
                packed = io.BytesIO()
                page.save(packed, "PNG", compress_level=level)
                if packed.tell() <= limit:
                    return packed.getvalue()
            width = max(1, int(width * (limit / packed.tell()) ** 0.5 * 0.97))
        raise PictureFailed(f"the picture does not fit into {limit} bytes")

    def _page(self, drawing: Drawing, scale: float) -> Image.Image:
        page = Image.new("RGB", _pixels(*drawing.size, scale), PAPER)
        board = self._ground(drawing, scale)
        self._lay(board, drawing.board, drawing.window, scale)
        top, border = round(drawing.top * scale), max(1, int(drawing.border * scale))
        page.paste(board, (0, top))
        ImageDraw.Draw(page).rectangle((0, top, page.width - 1, top + board.height - 1), outline=INK, width=border)
        self._lay(page, drawing.page, Box(0, 0, *drawing.size), scale)
        return page

    # --- the ground ---

    def _ground(self, drawing: Drawing, scale: float) -> Image.Image:
        """The areas in their colors, with the lines above them."""
        window, areas = drawing.window, drawing.areas
        size = _pixels(window.width, window.height, scale)
        view = f'viewBox="{window.left:g} {window.top:g} {window.width:g} {window.height:g}" preserveAspectRatio="none"'
        numbers = [
            self._of_ground(_numbered(drawing, first), view, size, lambda drawn: drawn.getchannel("B"))
            for first in range(0, len(areas), _NUMBERS)
        ]
        board = _colored(numbers, [area.fill[0] for area in areas])
        if any(len(area.fill) > 1 for area in areas):
            rows = ((window.top + (row + 0.5) / scale) / drawing.stripe % 1 for row in range(size[1]))
            second = Image.frombytes("L", (1, size[1]), bytes(255 if row < 0.5 else 0 for row in rows))
            board.paste(_colored(numbers, [area.fill[-1] for area in areas]), mask=second.resize(size))
        named = _named(drawing.lines)
        lines = self._of_ground(drawing.lines, view, size, lambda drawn: _numbered_lines(drawn, named)).convert("RGBA")
        board.paste(lines, mask=lines)
        return board

    def _of_ground(
        self, svg: str, view: str, size: _Size, finished: Callable[[Image.Image], Image.Image]
    ) -> Image.Image:
        """A layer of the ground; it may be in the cache folder, where another process has drawn it before."""
        document = _document(svg, size, view)
        if document not in self._kept:
            file = self._folder and self._folder / f"{hashlib.sha256(document.encode()).hexdigest()}.png"
            try:
                drawn = _image(file.read_bytes() if file else self._drawn(document, size))
                if file:
                    os.utime(file)
            except (OSError, SyntaxError):  # it is missing or damaged
                png = self._drawn(document, size)
                drawn = _image(png)
                if file:
                    _save(png, file)
            self._keep(document, _Sprite(finished(drawn)))
        self._kept.move_to_end(document)
        return self._kept[document].image

    # --- what is on it ---

    def _lay(self, on: Image.Image, elements: Sequence[Element], window: Box, scale: float) -> None:
        """Paste the elements in a window; those that are new are drawn together first."""
        names = [(scale, element.style, element.svg) for element in elements]
        found: dict[object, _Sprite] = {name: self._kept[name] for name in names if name in self._kept}
        new = {name: element for name, element in zip(names, elements, strict=True) if name not in found}
        found.update(self._sprites({name: _wish(element, window, scale) for name, element in new.items()}, scale))
        for name, element in zip(names, elements, strict=True):
            sprite = found[name]
            x, y = (round((at - edge) * scale) for at, edge in zip(element.at or (0, 0), window, strict=False))
            on.paste(sprite.image, (x + sprite.left, y + sprite.top), sprite.image)
            if element.at is not None:
                self._keep(name, sprite)

    def _sprites(self, wishes: Mapping[object, _Wish], scale: float) -> Iterator[tuple[object, _Sprite]]:
        for sheet in _sheets(wishes):
            size = (
                max(x + wish.size[0] for wish, (x, _) in sheet.values()),
                max(y + wish.size[1] for wish, (_, y) in sheet.values()),
            )
            svg = "".join(_on_sheet(wish, at, scale) for wish, at in sheet.values())
            drawn = _image(self._drawn(_document(svg, size), size))
            drawn.putalpha(drawn.getchannel("A").point(_SIGN_SHADES))
            for name, ((_, left, top, (wide, high)), (x, y)) in sheet.items():
                yield name, _Sprite(drawn.crop((x, y, x + wide, y + high)), left, top)

    # --- pixels ---

    def _drawn(self, document: str, size: _Size) -> bytes:
        try:
            return resvg.render(usvg.Tree.from_str(document, self._options), (1, 0, 0, 0, 1, 0), bg_size=size)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of resvg is not an Exception
            raise PictureFailed(" ".join(str(error).split())) from None

    def _keep(self, name: object, sprite: _Sprite) -> None:
        """Keep it in memory; what has not been needed for the longest time makes room."""
        if name not in self._kept:
            self.kept_bytes += _bytes(sprite)
            self._kept[name] = sprite
        self._kept.move_to_end(name)
        while self.kept_bytes > _MEMORY and len(self._kept) > 1:
            self.kept_bytes -= _bytes(self._kept.popitem(last=False)[1])


def _bytes(sprite: _Sprite) -> int:
    return sprite.image.width * sprite.image.height * len(sprite.image.getbands())


def _image(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png), formats=["PNG"])
    image.load()
    return image


def _named(svg: str) -> list[str]:
    """White, which has a short name, and the colors that are named in full."""
    return ["ffffff", *sorted(set(re.findall(r"#([0-9a-f]{6})\b", svg)) - {"ffffff"})]


def _in_colors(image: Image.Image, colors: list[str]) -> Image.Image:
    palette = Image.new("P", (1, 1))
    palette.putpalette(bytes.fromhex("".join(colors[:256])))
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def _numbered_lines(drawn: Image.Image, colors: list[str]) -> Image.Image:
    """The lines in these colors, opaque or half so, with a byte for each pixel."""
    color = Image.frombytes("L", drawn.size, _in_colors(drawn.convert("RGB"), colors).tobytes())
    found, palette = Image.new("L", drawn.size), ["00000000"]
    for least, alpha in ((_HALF, "80"), (_ALL, "ff")):
        where = drawn.getchannel("A").point([255 * (cover >= least) for cover in range(256)])
        found.paste(color.point([min(255, len(palette) + number) for number in range(256)]), mask=where)
        palette += [name + alpha for name in colors]
    found.putpalette(bytes.fromhex("".join(palette)), "RGBA")
    return found


def _pixels(wide: float, high: float, scale: float) -> _Size:
    return max(1, round(wide * scale)), max(1, round(high * scale))


def _document(svg: str, size: _Size, view: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" {view} {FRAME}>{svg}</svg>'


def _numbered(drawing: Drawing, first: int) -> str:
    """The areas from the first on, each in a color that is its number."""
    some = enumerate(drawing.areas[first : first + _NUMBERS], 1)
    paths = "".join(f'<path d="{area.path}" fill="#{number:06x}"/>' for number, area in some)
    return f'<g fill-rule="evenodd" shape-rendering="crispEdges">{paths}</g>'


def _colored(numbers: list[Image.Image], fills: list[str]) -> Image.Image:
    """The areas in these colors. The first bitmap has the sea, which is below all others."""
    layers = []
    for first, some in zip(range(0, len(fills), _NUMBERS), numbers, strict=True):
        layer = some.copy()
        layer.putpalette(bytes.fromhex("000000" + "".join(fill[1:] for fill in fills[first : first + _NUMBERS])))
        layers.append(layer.convert("RGB"))
    for layer, some in zip(layers[1:], numbers[1:], strict=True):
        layers[0].paste(layer, mask=some.point([0] + [255] * _NUMBERS))
    return layers[0]


# --- new elements on sheets ---


def _wish(element: Element, window: Box, scale: float) -> _Wish:
    """Of a line, which may lead out of the window, only what is in there."""
    left, top, right, bottom = element.box
    if element.at is None:
        left, top = max(left, window.left), max(top, window.top)
        right, bottom = min(right, window.right), min(bottom, window.bottom)
    x, y = floor(left * scale), floor(top * scale)
    return _Wish(element, x, y, (max(1, ceil(right * scale) - x), max(1, ceil(bottom * scale) - y)))


def _sheets(wishes: Mapping[object, _Wish]) -> Iterator[dict[object, tuple[_Wish, _Size]]]:
    """The wishes of each sheet with their places, in rows, the highest first."""
    sizes = [wish.size for wish in wishes.values()]
    square = min(sum(wide * high for wide, high in sizes), _SHEET_PIXELS) ** 0.5
    room = max([round(square * _SHEET_WIDTH), *(wide for wide, _ in sizes)])
    sheet: dict[object, tuple[_Wish, _Size]] = {}
    x = y = row = 0
    for name, wish in sorted(wishes.items(), key=lambda one: -one[1].size[1]):
        wide, high = wish.size
        if x + wide > room:
            x, y, row = 0, y + row, 0
        if sheet and room * (y + high) > _SHEET_PIXELS:
            yield sheet
            sheet, x, y = {}, 0, 0
        sheet[name] = wish, (x, y)
        x, row = x + wide, max(row, high)
    if sheet:
        yield sheet


def _on_sheet(wish: _Wish, at: _Size, scale: float) -> str:
    """The SVG text of an element, its first pixel at that of a sheet; a line is cut off where its pixels end."""
    (x, y), (wide, high), element = at, wish.size, wish.element
    clip, end = "", ""
    if element.at is None:
        clip, end = f'<svg x="{x}" y="{y}" width="{wide}" height="{high}">', "</svg>"
        x = y = 0
    move = f"translate({x - wish.left} {y - wish.top})scale({scale})"
    return f'{clip}<g transform="{move}" {element.style}>{element.svg}</g>{end}'


# --- the cache folder ---


def _is_private(folder: Path) -> bool:
    """Whether the folder, made if it is missing, is ours and nobody else may write into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        about = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.geteuid() and not about.st_mode & 0o022


def _save(png: bytes, file: Path) -> None:
    """Write the file whole before it gets its name, and delete the oldest ones if there are too many."""
    draft = file.with_suffix(f".{os.getpid()}")
    try:
        draft.write_bytes(png)
        draft.replace(file)
        files = sorted(file.parent.iterdir(), key=lambda one: one.stat().st_mtime)
        for old in files[: max(0, len(files) - _FILES)]:
            old.unlink()
    except OSError:  # it is drawn again
        pass
