"""From a scene to the bytes of a picture, which is all that a mail or a file needs.

resvg draws, Pillow puts together. What recurs in pictures is kept as bitmaps: the ground of a board, in numbers of its
areas, so that a palette gives them the colors of their owners; and every sign and every word. Only what is new in a
picture is drawn, mostly the lines of orders. The first picture of a board in a process takes as long as to draw the
whole document at once, all others a third of it.

Nothing here starts a thread or a process. Somebody who must not be held up calls it in a process of their own.
"""

import hashlib
import io
import os
import re
import stat
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import ceil, floor
from pathlib import Path
from typing import Any, NamedTuple

import resvg
from PIL import Image, ImageDraw
from resvg import usvg

from judge.maps.colors import INK
from judge.maps.document import FRAME, PAPER, Drawing, Element
from judge.maps.geometry import Box, load_geometry
from judge.maps.pages import Form, page_names, pages, tail
from judge.maps.scene import Scene, read_scene
from judge.maps.text_metrics import FONT_FILE

__all__ = ["SUFFIXES", "Form", "PictureFailed", "parts_of", "picture", "render", "tail", "user_cache"]

SUFFIXES: Mapping[Form, str] = {"png": "png", "small": "png", "svg": "svg"}
# Three pictures and the text of a mail stay small enough to be loaded over a slow mobile connection: the most bytes of
# a part of a board, and of a whole one.
PART_BYTES, WHOLE_BYTES = 106_000, 102_400
# The bytes of bitmaps that are kept in memory: the grounds of a dozen parts of boards, and the signs on them. And the
# number of files in the cache folder: a hundred kilobytes each.
_MEMORY, _FILES = 48_000_000, 400
# Quick compression first: the second takes three times as long and saves a twentieth.
_LEVELS = (6, 8)
_TRIES = 4
# The shades between the ink and white: with the colors that the document names they are enough for every edge.
_GREYS = ("4f565f", "838990", "b8bbc0", "dcdee0")
# Edges of lines in three shades and of signs in four look the same as in all, and need a tenth of the bytes less.
_LINE_SHADES = [0 if alpha < 48 else 128 if alpha < 192 else 255 for alpha in range(256)]
_SIGN_SHADES = [255 * ((alpha + 42) // 85) // 3 for alpha in range(256)]
# An area is a number from 1 to 255 in one of several bitmaps.
_NUMBERS = 255
_ANY_NUMBER = [0] + [255] * _NUMBERS
# New signs are drawn on sheets of at most so many pixels, so much as wide as a square: narrow ones waste the fewest.
_SHEET_PIXELS, _SHEET_WIDTH = 4_000_000, 0.5


class PictureFailed(Exception):
    """There is no picture: the message says why, in one line."""


class _Ground(NamedTuple):
    """The ground of a board: the number of the area of each pixel, in as many bitmaps as are needed, and the lines."""

    numbers: tuple[Image.Image, ...]
    lines: Image.Image


class _Sprite(NamedTuple):
    """The pixels of an element, and where the first of them is, seen from the point of the element."""

    image: Image.Image
    left: int
    top: int


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


def user_cache() -> Path | None:
    """The folder for bitmaps in the user's cache (XDG Base Directory Specification); None for a user without a home."""
    told = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(told) if told.startswith("/") else Path.home() / ".cache") / "judge" / "boards"
    except RuntimeError:
        return None


@lru_cache(maxsize=1)
def _rasterizer(cache_folder: Path | None) -> "Rasterizer":
    return Rasterizer(cache_folder)


class Rasterizer:
    """Makes PNGs of drawings, and keeps the bitmaps that the next ones may need again."""

    def __init__(self, cache_folder: Path | None = None):
        self._options = usvg.Options.default()
        # Only our own font is used: the same picture everywhere, and text where no font is installed.
        self._options.load_font_file(str(FONT_FILE))
        self._folder = cache_folder if cache_folder and _is_private(cache_folder) else None
        self._kept: OrderedDict[object, _Ground | _Sprite] = OrderedDict()
        self.kept_bytes = 0

    def png(self, drawing: Drawing, width: int, limit: int) -> bytes:
        """A picture in few colors, `width` pixels wide if that keeps the limit of bytes; raises PictureFailed.

        The colors are those that the document names, exactly, so that a power's units and its land have the same color.
        """
        named = sorted(set(re.findall(r"#([0-9a-f]{6})\b", drawing.svg)))
        palette = Image.new("P", (1, 1))
        palette.putpalette(bytes.fromhex("".join(["ffffff", *_GREYS, *named][:256])))
        for _ in range(_TRIES):
            page = self._page(drawing, width / drawing.size[0])
            page = page.quantize(palette=palette, dither=Image.Dither.NONE)
            for level in _LEVELS:
                packed = io.BytesIO()
                page.save(packed, "PNG", compress_level=level)
                if packed.tell() <= limit:
                    return packed.getvalue()
            width = max(1, int(width * (limit / packed.tell()) ** 0.5 * 0.97))
        raise PictureFailed(f"the picture does not fit into {limit} bytes")

    def _page(self, drawing: Drawing, scale: float) -> Image.Image:
        wide, high = drawing.size
        page = Image.new("RGB", _pixels(wide, high, scale), PAPER)
        board = self._ground(drawing, scale)
        self._lay(board, drawing.board, drawing.window, scale)
        top, border = round(drawing.top * scale), max(1, int(drawing.border * scale))
        page.paste(board, (0, top))
        ImageDraw.Draw(page).rectangle((0, top, page.width - 1, top + board.height - 1), outline=INK, width=border)
        self._lay(page, drawing.page, Box(0, 0, wide, high), scale)
        return page

    # --- the ground ---

    def _ground(self, drawing: Drawing, scale: float) -> Image.Image:
        """The areas in their colors, with the lines above them."""
        x, y, *_ = window = drawing.window
        size = _pixels(window.width, window.height, scale)
        view = f'viewBox="{x:g} {y:g} {window.width:g} {window.height:g}" preserveAspectRatio="none"'
        name = view, size, drawing.lines, tuple(area.path for area in drawing.areas)
        ground = self._kept.get(name)
        if not isinstance(ground, _Ground):
            numbers = tuple(
                self._kept_on_disk(_numbered(drawing, first), view, size).getchannel("B")
                for first in range(0, len(drawing.areas), _NUMBERS)
            )
            lines = self._kept_on_disk(drawing.lines, view, size)
            lines.putalpha(lines.getchannel("A").point(_LINE_SHADES))
            ground = _Ground(numbers, lines)
        self._keep(name, ground)
        board = _colored(ground, [area.fill[0] for area in drawing.areas])
        if any(len(area.fill) > 1 for area in drawing.areas):
            rows = ((y + (row + 0.5) / scale) % drawing.stripe < drawing.stripe / 2 for row in range(size[1]))
            upper = Image.frombytes("L", (1, size[1]), bytes(255 if is_upper else 0 for is_upper in rows))
            board.paste(_colored(ground, [area.fill[-1] for area in drawing.areas]), mask=upper.resize(size))
        board.paste(ground.lines, mask=ground.lines)
        return board

    def _kept_on_disk(self, svg: str, view: str, size: tuple[int, int]) -> Image.Image:
        """What is drawn in a view of the board, from the cache folder if another process has drawn it before."""
        document = _document(svg, view, size)
        if not self._folder:
            return _image(self._drawn(document, size))
        file = self._folder / f"{hashlib.sha256(document.encode()).hexdigest()}.png"
        try:
            found = _image(file.read_bytes())
            os.utime(file)
            return found
        except Exception:  # whatever is wrong with it, it is drawn again
            png = self._drawn(document, size)
            _save(png, file)
            return _image(png)

    # --- what is on it ---

    def _lay(self, on: Image.Image, elements: Iterable[Element], window: Box, scale: float) -> None:
        """Paste the elements in a window; those that are new are drawn together first."""
        found: dict[object, _Sprite] = {}
        new: dict[object, Element] = {}
        for element in elements:
            name = (scale, element.style, element.svg)
            kept = self._kept.get(name)
            if isinstance(kept, _Sprite):
                found[name] = kept
            else:
                new[name] = element
        for name, sprite in self._sprites(new, window, scale):
            found[name] = sprite
        for element in elements:
            name = (scale, element.style, element.svg)
            sprite = found[name]
            if element.at is not None:
                self._keep(name, sprite)
            x, y = (round((at - edge) * scale) for at, edge in zip(element.at or (0, 0), window, strict=False))
            on.paste(sprite.image, (x + sprite.left, y + sprite.top), sprite.image)

    def _sprites(
        self, new: Mapping[object, Element], window: Box, scale: float
    ) -> Iterator[tuple[object, _Sprite]]:
        for sheet in _sheets({name: _pixels_of(element, window, scale) for name, element in new.items()}):
            size = max(x + box[2] for _, box, (x, _) in sheet), max(y + box[3] for _, box, (_, y) in sheet)
            svg = "".join(_on_sheet(new[name], box, at, scale) for name, box, at in sheet)
            drawn = _image(self._drawn(_document(svg, "", size), size))
            drawn.putalpha(drawn.getchannel("A").point(_SIGN_SHADES))
            for name, (left, top, wide, high), (x, y) in sheet:
                yield name, _Sprite(drawn.crop((x, y, x + wide, y + high)), left, top)

    # --- pixels ---

    def _drawn(self, document: str, size: tuple[int, int]) -> bytes:
        try:
            return resvg.render(usvg.Tree.from_str(document, self._options), (1, 0, 0, 0, 1, 0), bg_size=size)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of resvg is not an Exception
            raise PictureFailed(" ".join(str(error).split())) from None

    def _keep(self, name: object, kept: _Ground | _Sprite) -> None:
        """Keep it in memory; what has not been needed for the longest time makes room."""
        if name not in self._kept:
            self.kept_bytes += _size(kept)
        self._kept[name] = kept
        self._kept.move_to_end(name)
        while self.kept_bytes > _MEMORY and len(self._kept) > 1:
            self.kept_bytes -= _size(self._kept.popitem(last=False)[1])


def _image(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png), formats=["PNG"])
    image.load()
    return image


def _size(kept: _Ground | _Sprite) -> int:
    """The bytes of pixels."""
    images = (kept.image,) if isinstance(kept, _Sprite) else (*kept.numbers, kept.lines)
    return sum(image.width * image.height * len(image.getbands()) for image in images)


def _pixels(wide: float, high: float, scale: float) -> tuple[int, int]:
    return max(1, round(wide * scale)), max(1, round(high * scale))


def _document(svg: str, view: str, size: tuple[int, int]) -> str:
    wide, high = size
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" {view} {FRAME}>{svg}</svg>'


def _numbered(drawing: Drawing, first: int) -> str:
    """The areas from the first on, each in a color that is its number."""
    some = enumerate(drawing.areas[first : first + _NUMBERS], 1)
    paths = "".join(f'<path d="{area.path}" fill="#{number:06x}"/>' for number, area in some)
    return f'<g fill-rule="evenodd" shape-rendering="crispEdges">{paths}</g>'


def _colored(ground: _Ground, fills: list[str]) -> Image.Image:
    """The areas in these colors."""
    board: Image.Image | None = None
    for first, numbers in zip(range(0, len(fills), _NUMBERS), ground.numbers, strict=True):
        some = numbers.copy()
        some.putpalette(bytes.fromhex("000000" + "".join(fill[1:] for fill in fills[first : first + _NUMBERS])))
        if board:
            board.paste(some.convert("RGB"), mask=numbers.point(_ANY_NUMBER))
        else:  # the sea is below all others
            board = some.convert("RGB")
    assert board
    return board


# The name of an element, its box in pixels (left, top, width, height), and where its sprite is on a sheet.
_Pixels = tuple[int, int, int, int]
_Placed = tuple[object, _Pixels, tuple[int, int]]


def _pixels_of(element: Element, window: Box, scale: float) -> _Pixels:
    """Of a line, which may lead out of the window, only what is in there."""
    left, top, right, bottom = element.box
    if element.at is None:
        left, top = max(left, window.left), max(top, window.top)
        right, bottom = min(right, window.right), min(bottom, window.bottom)
    x, y = floor(left * scale), floor(top * scale)
    return x, y, max(1, ceil(right * scale) - x), max(1, ceil(bottom * scale) - y)


def _sheets(boxes: Mapping[object, _Pixels]) -> Iterator[list[_Placed]]:
    """Where each box is drawn: in rows, the highest first."""
    pixels = sum(wide * high for _, _, wide, high in boxes.values())
    room = max([round(min(pixels, _SHEET_PIXELS) ** 0.5 * _SHEET_WIDTH), *(box[2] for box in boxes.values())])
    sheet: list[_Placed] = []
    x = y = row = 0
    for name, box in sorted(boxes.items(), key=lambda one: -one[1][3]):
        _, _, wide, high = box
        if x + wide > room:
            x, y, row = 0, y + row, 0
        if sheet and room * (y + high) > _SHEET_PIXELS:
            yield sheet
            sheet, x, y = [], 0, 0
        sheet.append((name, box, (x, y)))
        x, row = x + wide, max(row, high)
    if sheet:
        yield sheet


def _on_sheet(element: Element, box: _Pixels, at: tuple[int, int], scale: float) -> str:
    """The element with the first pixel of its box at that of the sheet; a line is cut off where its box ends."""
    (left, top, wide, high), (x, y) = box, at
    if element.at is None:
        clip = f'<svg x="{x}" y="{y}" width="{wide}" height="{high}">'
        return f'{clip}<g transform="translate({-left} {-top})scale({scale})" {element.style}>{element.svg}</g></svg>'
    return f'<g transform="translate({x - left} {y - top})scale({scale})" {element.style}>{element.svg}</g>'


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
