"""Pictures in pieces to PNG, a process of its own that makes one after the other: `renderer.py FONT FOLDER`.

A request on standard input is a line "WIDTH LIMIT SECONDS SIZE GROUND", then SIZE bytes of JSON, the `order` of a
Picture (pieces.py), and GROUND bytes, that of its ground; the answer on standard output is a line "png SIZE" or "failed
SIZE" and so many bytes: the picture, or the reason why there is none. The process ends when there are no more requests,
or after SECONDS with one picture, even if nobody waits for it. If it hangs or crashes, the daemon is not affected, and
no letter waits while a picture is made. It is run as a file, so that it loads only what it needs.

The picture has the colours that are named in the SVG, exactly, so that a power's units and its land have the same
colour. LIMIT is the maximum size in bytes: to keep it, only the colours that cover most of the picture are kept, and
then it is made smaller.

Every pixel leaves resvg in a PNG, which takes longer than the drawing, and every call of it as long as some thousands
of pixels. So it draws only what is new, and that together on one sheet; and the lines of orders, which are new most
often, are drawn by ThorVG, which gives pixels as they are. Of the ground it keeps of which kind each pixel is, by its
area and what lies above that, and a palette gives kinds the colours of a moment; and each stamp as pixels; as much as
there is room for. In FOLDER the next process finds them too (shelf.py).
"""

import io
import os
import re
import runpy
import signal
import struct
import sys
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from math import ceil, floor
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import orjson
import resvg
from PIL import Image, ImageChops, _imaging
from resvg import _resvg, usvg
from thorvg_python.base import Colorspace, Result
from thorvg_python.canvas.sw import SwCanvas
from thorvg_python.engine import Engine
from thorvg_python.paint.picture import Picture
from zlib_ng import zlib_ng

# The shades between the ink and white: with the colours that the SVG names they are enough for every edge.
_GREYS = bytes.fromhex("4f565f 838990 b8bbc0 dcdee0")
# If these are too many, so many of those that cover most.
_FEWEST = 40
_MOST_TRIES = 4
_NAMED = re.compile(rb"#([0-9a-f]{6})\b")
# How hard to compress: the best level takes seven times as long as the quick one and saves six hundredths of the bytes,
# so it is tried only where the quick one is not enough. With all the memory that zlib may have (memLevel) either is a
# tenth faster.
_QUICKLY, _BEST = 5, 9
_ALL_MEMORY = 9
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INDEXED = 3    # a pixel is a number in the palette
# How many bytes of pixels are kept: enough for the grounds and stamps of the largest board and all its parts.
_ROOM = 80_000_000
# How much of a pixel the lines of the ground cover: nothing, half of it, or all. More shades would cost a tenth of a
# picture's bytes.
_COVERED = [0 if share < 48 else 128 if share < 192 else 255 for share in range(256)]
# And how much signs and the lines of orders cover: their edges in two shades look the same as in all, and need a
# twentieth of the bytes less, for which the best compression would take as long as all the rest.
_SHADED = [255 * ((share + 42) // 85) // 3 for share in range(256)]
# A pixel of an image of numbers has one of 256. 0 means that nothing is there; _SOMETHING makes 255 of all others.
_NUMBERED = 255
_SOMETHING = [0] + [255] * _NUMBERED
# New signs are drawn side by side on sheets of so many pixels at most, so far apart; a sheet is so much wider than a
# square for all of them would be, which leaves the fewest pixels empty.
_SHEET_PIXELS, _APART, _WIDER = 4_000_000, 2, 1.15
# New signs are kept for later processes when there are so many, and so large a share of those kept already; no more
# than so many in one file.
_MANY, _SHARE, _MOST_KEPT = 16, 0.25, 1500
# The package around ThorVG keeps something for each length of a text or an image that it has met, for ever: there are
# only multiples of this.
_STEP = 64
# A line is drawn whole, though the frame cuts it off, if the whole has at most so many times as many pixels.
_WHOLE = 2

_Box = tuple[int, int, int, int]
_Window = tuple[float, float, float, float]
_Order = dict[str, Any]
# A function that makes pixels: of the content of an SVG document, its attributes and its size.
_Drawing = Callable[[str, str, tuple[int, int]], Image.Image]
_CRISP = 'shape-rendering="crispEdges"'


@dataclass(frozen=True)
class _View:
    """How a picture is looked at: the point that is its first pixel, its pixels, pixels per unit; and the attributes of
    its document.
    """

    origin: tuple[float, float]
    size: tuple[int, int]
    scale: float
    frame: str

    @property
    def all(self) -> _Box:
        return (0, 0, *self.size)

    def box(self, window: _Window) -> _Box:
        """The pixels that a window covers."""
        (x, y), scale = self.origin, self.scale
        left, top = floor((window[0] - x) * scale), floor((window[1] - y) * scale)
        right, bottom = ceil((window[0] + window[2] - x) * scale), ceil((window[1] + window[3] - y) * scale)
        return left, top, max(left + 1, right), max(top + 1, bottom)


class _Wish(NamedTuple):
    """What is to be drawn: SVG text with its style, and the box of its pixels in a view; `is_cut` if it goes on beyond.
    """

    svg: str
    style: str
    view: _View
    box: _Box
    is_cut: bool = False


# A name, what is drawn for it, and where it lies on its sheet.
_Laid = tuple["int | _Stamp", _Wish, tuple[int, int]]


class _Sign(NamedTuple):
    """Pixels, and where the first of them lies, seen from the point at which the sign stands."""

    image: Image.Image
    left: int
    top: int


class _Kind(NamedTuple):
    """Pixels of a ground that have the same colour at any moment: `area` covers so large a `share` of each, of 255, and
    `line` the rest.
    """

    area: int
    line: tuple[int, int, int]
    share: int

    def colour(self, areas: Sequence[bytes]) -> bytes:
        """Its colour, if these are those of the areas."""
        if not self.share:
            return bytes(self.line)
        sums = (a * self.share + b * (255 - self.share) for a, b in zip(areas[self.area], self.line, strict=True))
        return bytes((total + 127) // 255 for total in sums)


class _Land(NamedTuple):
    """The pixels of a ground: of which of its `kinds` each is, in `layers` of numbers from 1 on, 0 where the kind is
    that of another layer; `striped`: in which rows the second colour of stripes is.
    """

    kinds: list[_Kind]
    layers: tuple[Image.Image, ...]
    striped: Image.Image

    @property
    def images(self) -> tuple[Image.Image, ...]:
        return (*self.layers, self.striped)


class _Shelf(Protocol):
    """Keeps images, with what is told about them, for later processes."""

    def find(self, name: str) -> tuple[Any, list[Image.Image]] | None: ...

    def keep(self, name: str, told: Any, images: Iterable[Image.Image]) -> None: ...


class _Scale(NamedTuple):
    """What signs have in common that can stand in the same pictures: pixels per unit, and the attributes of the
    document.
    """

    scale: float
    frame: str


class _Stamp(NamedTuple):
    """What is drawn for a stamp; its name among what is kept."""

    scale: _Scale
    style: str
    svg: str


class Renderer:
    """Draws pictures, and keeps what the next ones may need again, those of later processes on a shelf."""

    def __init__(self, options: usvg.Options, shelf: _Shelf | None = None):
        self._options = options
        self._engine = Engine()
        self._shelf = shelf
        self._kept: OrderedDict[object, _Sign | _Land] = OrderedDict()
        self._taken = 0
        # Of the signs of a scale, how many are on the shelf, and how many are not.
        self._shelved: dict[_Scale, int] = {}
        self._new: Counter[_Scale] = Counter()

    def render(self, asked: bytes, ground: bytes, width: int, limit: int) -> bytes:
        """A palette picture of at most `limit` bytes, `width` pixels wide if that keeps the limit."""
        order = orjson.loads(asked)
        named = _named(asked + ground) + _GREYS
        smallest = b""
        for _ in range(_MOST_TRIES):
            whole = self._page(order, ground, width)
            for few in _in_few_colours(whole, named):
                rows = _rows(few)
                for level in (_QUICKLY, _BEST):
                    smallest = _packed(few, rows, level)
                    if len(smallest) <= limit:
                        return smallest
            width = max(1, int(width * (limit / len(smallest)) ** 0.5 * 0.97))
        raise ValueError(f"the picture does not fit into {limit} bytes")

    def _page(self, order: _Order, ground: bytes, width: int) -> Image.Image:
        across, down = order["size"]
        scale = width / across
        view = _View((0, 0), (width, max(1, round(down * scale))), scale, order["frame"])
        page = Image.new("RGB", view.size, order["paper"])
        page.paste(self._board(order, ground, scale), (0, round(order["top"] * scale)))
        self._lay(page, order["page"], view)
        return page

    def _board(self, order: _Order, ground: bytes, scale: float) -> Image.Image:
        x, y, wide, high = order["window"]
        size = max(1, round(wide * scale)), max(1, round(high * scale))
        view = _View((x, y), size, scale, order["frame"])
        board = self._ground(ground, order["fills"], view)
        self._lay(board, order["board"], view)
        return board

    # --- the ground ---

    def _ground(self, ground: bytes, fills: list[list[str]], view: _View) -> Image.Image:
        """The areas in their colours, and where no area is, what lies below them; lines above all."""
        name = (view, ground)
        land = self._known(name)
        if not isinstance(land, _Land):
            land = self._shelved_land(orjson.loads(ground), view)
            self._keep(name, land, land.images)
        board = _coloured(land, [fill[0] for fill in fills])
        if any(len(fill) > 1 for fill in fills):
            striped = land.striped.resize(view.size, Image.Resampling.NEAREST)
            board.paste(_coloured(land, [fill[-1] for fill in fills]), mask=striped)
        return board

    def _shelved_land(self, ground: _Order, view: _View) -> _Land:
        """The ground, drawn if no process has done so before."""
        if not self._shelf:
            return self._land(ground, view)
        name, striped = f"{view} {ground}", _striped(view, ground["stripe"])
        if found := self._shelf.find(name):
            told, layers = found
            kinds = [_Kind(area, (line[0], line[1], line[2]), share) for area, line, share in told]
            return _Land(kinds, tuple(layers), striped)
        land = self._land(ground, view)
        self._shelf.keep(name, land.kinds, land.layers)
        return land

    def _land(self, ground: _Order, view: _View) -> _Land:
        """The ground drawn. Below an area a pixel on the edge of a line has the colour of that line alone."""
        lines = self._drawn(ground["lines"], "", view)
        beside = lines.getchannel("A").point([255 - share for share in _COVERED])
        outlines = ground["outlines"]
        numbers = [
            self._numbered(outlines[first : first + _NUMBERED], ground["style"], view)
            for first in range(0, len(outlines), _NUMBERED)
        ]
        insides = [areas.point(_SOMETHING) for areas in numbers]
        bare = _painted(lines.convert("RGB"), _named(ground["lines"].encode())).convert("RGB")
        land = reduce(ImageChops.lighter, insides, Image.new("L", view.size))
        bare.paste(self._drawn(ground["base"], _CRISP, view), mask=ImageChops.subtract(beside, land))
        covers = [ImageChops.multiply(beside, inside) for inside in insides]
        return _Land(*_by_kind(bare, numbers, covers), _striped(view, ground["stripe"]))

    def _numbered(self, outlines: list[str], style: str, view: _View) -> Image.Image:
        """In each pixel the number of its area, from 1 on."""
        areas = (f'<path d="{outline}" fill="#{number:06x}"/>' for number, outline in enumerate(outlines, 1))
        return self._drawn(f"<g {style}>{''.join(areas)}</g>", _CRISP, view).getchannel("B")

    # --- what stands on it ---

    def _lay(self, on: Image.Image, pieces: list[Any], view: _View) -> None:
        """Stamps that are new and lines are drawn together first."""
        scale = _Scale(view.scale, view.frame)
        self._take_from_shelf(scale)
        names: list[int | _Stamp] = []
        stamps: dict[int | _Stamp, _Wish] = {}
        lines: dict[int | _Stamp, _Wish] = {}
        found: dict[int | _Stamp, _Sign] = {}
        for number, (svg, window, style, at) in enumerate(pieces):
            name = number if at is None else _Stamp(scale, style, svg)
            names.append(name)
            if name in found or name in stamps:
                continue
            kept = self._known(name) if at else None
            if isinstance(kept, _Sign):
                found[name] = kept
            elif wish := _wish(svg, style, view, window, is_stamp=at is not None):
                (stamps if at else lines)[name] = wish
        for name, sign in chain(_signs(stamps, self._document), _signs(lines, self._strokes)):
            found[name] = sign
            if isinstance(name, _Stamp):
                self._keep(name, sign, (sign.image,))
                self._new[scale] += 1
        self._put_on_shelf(scale)
        x, y = view.origin
        for name, (_, _, _, at) in zip(names, pieces, strict=True):
            if drawn := found.get(name):
                left, top = (round((at[0] - x) * scale.scale), round((at[1] - y) * scale.scale)) if at else (0, 0)
                on.paste(drawn.image, (left + drawn.left, top + drawn.top), drawn.image)

    def _take_from_shelf(self, scale: _Scale) -> None:
        """The signs that other processes have drawn in that scale, once."""
        if self._shelf and scale not in self._shelved:
            told, images = self._shelf.find(f"{scale}") or ([], [])
            self._shelved[scale] = len(images)
            for (style, svg, left, top), image in zip(told, images, strict=True):
                self._keep(_Stamp(scale, style, svg), _Sign(image, left, top), (image,))

    def _put_on_shelf(self, scale: _Scale) -> None:
        """Signs are kept in one file a scale, which is written anew when it is worth that."""
        if not self._shelf or self._new[scale] < max(_MANY, self._shelved[scale] * _SHARE):
            return
        signs = [
            (name, sign)
            for name, sign in self._kept.items()
            if isinstance(name, _Stamp) and name.scale == scale and isinstance(sign, _Sign)
        ][-_MOST_KEPT:]
        told = [(name.style, name.svg, sign.left, sign.top) for name, sign in signs]
        self._shelf.keep(f"{scale}", told, (sign.image for _, sign in signs))
        self._shelved[scale], self._new[scale] = len(signs), 0

    # --- pixels ---

    def _drawn(self, svg: str, style: str, view: _View) -> Image.Image:
        """All of the view."""
        return self._document(_placed(_Wish(svg, style, view, view.all), (0, 0)), view.frame, view.size)

    def _document(self, svg: str, frame: str, size: tuple[int, int]) -> Image.Image:
        """The pixels of an SVG document."""
        tree = usvg.Tree.from_str(_document(svg, frame, size), self._options)
        return Image.open(io.BytesIO(resvg.render(tree, (1, 0, 0, 0, 1, 0), bg_size=size)), formats=["PNG"])

    def _strokes(self, svg: str, frame: str, size: tuple[int, int]) -> Image.Image:
        """The same by ThorVG, which gives the pixels themselves: only of strokes, circles and the heads of arrows."""
        document = _document(svg, frame, size).encode()
        canvas, picture = SwCanvas(self._engine), Picture(self._engine)
        try:
            made_up = _made_up(size[0]), _made_up(size[1])
            canvas.set_target(*made_up, cs=Colorspace.ABGR8888S)
            if picture.load_data(document.ljust(_made_up(len(document))), "svg", None, True) != Result.SUCCESS:
                raise ValueError("the lines of the orders cannot be drawn")
            canvas.add(picture)
            canvas.draw(True)
            canvas.sync()
            # Its own `get_pillow` copies all of it twice. The types of Pillow do not know this kind of buffer.
            drawn = Image.frombuffer("RGBA", made_up, canvas.buffer_arr, "raw", "RGBA", 0, 1)  # type: ignore[arg-type]
            return drawn.crop((0, 0, *size))
        finally:
            canvas.destroy()

    def _known(self, name: object) -> _Sign | _Land | None:
        """What is kept under that name."""
        if name in self._kept:
            self._kept.move_to_end(name)
        return self._kept.get(name)

    def _keep(self, name: object, kept: _Sign | _Land, images: Iterable[Image.Image]) -> None:
        """Keep it under that name; if there is no room left, what was not needed for the longest goes."""
        self._kept[name] = kept
        self._taken += sum(map(_bytes, images))
        while self._taken > _ROOM and len(self._kept) > 1:
            gone = self._kept.popitem(last=False)[1]
            self._taken -= sum(map(_bytes, gone.images if isinstance(gone, _Land) else (gone.image,)))


def _signs(wishes: dict[int | _Stamp, _Wish], draw: _Drawing) -> Iterator[tuple[int | _Stamp, _Sign]]:
    """Everything wished for, drawn on as few sheets as it needs, without the empty pixels around it."""
    for sheet in _sheets(wishes):
        wide = max(at[0] + wish.box[2] - wish.box[0] for _, wish, at in sheet)
        high = max(at[1] + wish.box[3] - wish.box[1] for _, wish, at in sheet)
        frame = sheet[0][1].view.frame
        drawn = draw("".join(_placed(wish, at) for _, wish, at in sheet), frame, (wide, high))
        drawn.putalpha(drawn.getchannel("A").point(_SHADED))
        for name, wish, (x, y) in sheet:
            left, top, right, bottom = wish.box
            image = drawn.crop((x, y, x + right - left, y + bottom - top))
            inked = image.getbbox() or (0, 0, 1, 1)
            yield name, _Sign(image.crop(inked), left + inked[0], top + inked[1])


def _wish(svg: str, style: str, view: _View, window: _Window, is_stamp: bool) -> _Wish | None:
    """A piece that fills a window: a stamp as if it stood at the first pixel, a line where it is; None if that is
    beyond the frame, and if most of it is, what is to be seen of it.
    """
    if is_stamp:
        view = replace(view, origin=(0, 0))
        return _Wish(svg, style, view, view.box(window))
    whole = view.box(window)
    seen = max(0, whole[0]), max(0, whole[1]), min(view.size[0], whole[2]), min(view.size[1], whole[3])
    if seen[0] >= seen[2] or seen[1] >= seen[3]:
        return None
    is_cut = _area(whole) > _area(seen) * _WHOLE
    return _Wish(svg, style, view, seen if is_cut else whole, is_cut)


def _area(box: _Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _sheets(wishes: dict[int | _Stamp, _Wish]) -> Iterator[list[_Laid]]:
    """Everything wished for and where it lies on its sheet, the highest first. What is cut off lies alone."""
    sheet: list[tuple[int | _Stamp, _Wish]] = []
    pixels = 0
    for name, wish in sorted(wishes.items(), key=lambda one: one[1].box[1] - one[1].box[3]):
        if wish.is_cut:
            yield [(name, wish, (0, 0))]
            continue
        if sheet and pixels + _area(wish.box) > _SHEET_PIXELS:
            yield _laid(sheet)
            sheet, pixels = [], 0
        sheet.append((name, wish))
        pixels += _area(wish.box)
    if sheet:
        yield _laid(sheet)


def _laid(sheet: Sequence[tuple[int | _Stamp, _Wish]]) -> list[_Laid]:
    """Where each lies: as far up as it can, below those before it."""
    sizes = [(wish.box[2] - wish.box[0] + _APART, wish.box[3] - wish.box[1] + _APART) for _, wish in sheet]
    square = sum(wide * high for wide, high in sizes) ** 0.5
    room = max(round(square * _WIDER), *(wide for wide, _ in sizes))
    # The lower edge of what lies there already, from left to right: (from where on, how far down).
    edge = [(0, 0), (room, 0)]
    laid = []
    for (name, wish), (wide, high) in zip(sheet, sizes, strict=True):
        top, left = min(
            (max(down for at, down in edge[number:] if at < start + wide), start)
            for number, (start, _) in enumerate(edge)
            if start + wide <= room
        )
        laid.append((name, wish, (left, top)))
        right = left + wide
        beyond = [down for at, down in edge if at <= right][-1]
        kept = [step for step in edge if not left <= step[0] <= right]
        edge = sorted([*kept, (left, top + high), (right, beyond)])
    return laid


def _document(svg: str, frame: str, size: tuple[int, int]) -> str:
    """An SVG document of that size."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" {frame}>{svg}</svg>'


def _made_up(length: int) -> int:
    """The next length of those that are given to ThorVG."""
    return -(-length // _STEP) * _STEP


def _placed(wish: _Wish, at: tuple[int, int]) -> str:
    """The SVG text of what is wished for, its box beginning at a pixel."""
    (x, y), scale = wish.view.origin, wish.view.scale
    across, down = at[0] - wish.box[0] - x * scale, at[1] - wish.box[1] - y * scale
    return f'<g transform="translate({across} {down})scale({scale})"><g {wish.style}>{wish.svg}</g></g>'


def _coloured(land: _Land, fills: Sequence[str]) -> Image.Image:
    """The ground, its areas in these colours."""
    areas = [bytes.fromhex(fill[1:]) for fill in fills]
    colours = [kind.colour(areas) for kind in land.kinds]
    board = Image.new("RGB", land.layers[0].size)
    for number, layer in enumerate(land.layers):
        coloured = layer.copy()
        coloured.putpalette(bytes(3) + b"".join(colours[number * _NUMBERED : (number + 1) * _NUMBERED]))
        board.paste(coloured.convert("RGB"), mask=layer.point(_SOMETHING) if number else None)
    return board


class _Some(NamedTuple):
    """Some pixels of a ground, `where` this is 255: their numbers, and the kinds for which these stand."""

    numbers: Image.Image
    where: Image.Image
    kinds: list[_Kind]

    def put(self, layer: Image.Image, known: list[_Kind]) -> None:
        """On a layer their numbers among the kinds known there, from 1 on, and 0 for the others."""
        number_of = {kind: number for number, kind in enumerate(known, 1)}
        layer.paste(self.numbers.point([number_of.get(kind, 0) for kind in self.kinds]), mask=self.where)


def _by_kind(
    bare: Image.Image, areas: list[Image.Image], covers: list[Image.Image]
) -> tuple[list[_Kind], tuple[Image.Image, ...]]:
    """The kinds of pixels that there are, and layers of their numbers. `bare`: the ground without its areas; of which
    of these each pixel is, and how much of it they cover, in as many images as they need.
    """
    lines, colours = _indexed(bare)
    covered = reduce(ImageChops.lighter, covers, Image.new("L", bare.size))
    pixels = [_Some(lines, covered.point([255] + [0] * 255), [_Kind(0, colour, 0) for colour in colours])]
    for number, cover in enumerate(covers):
        for share, line, where in _shared(cover, lines):
            first = number * _NUMBERED - 1
            kinds = [_Kind(first + area, colours[line], share) for area in range(256)]
            pixels.append(_Some(areas[number], where, kinds))
    kinds = list(dict.fromkeys(some.kinds[value] for some in pixels for value in _values(some.numbers, some.where)))
    layers = []
    for first in range(0, len(kinds), _NUMBERED):
        layers.append(Image.new("L", bare.size))
        for some in pixels:
            some.put(layers[-1], kinds[first : first + _NUMBERED])
    return kinds, tuple(layers)


def _shared(cover: Image.Image, lines: Image.Image) -> Iterator[tuple[int, int, Image.Image]]:
    """How much of some pixels is covered, the number of the line there, and which they are: what is covered whole has
    no line.
    """
    for share in _values(cover):
        where = _equal(cover, share)
        if share == 255:
            yield share, 0, where
        elif share:
            for line in _values(lines, where):
                yield share, line, ImageChops.darker(where, _equal(lines, line))


def _equal(image: Image.Image, value: int) -> Image.Image:
    """255 where pixels have that value, else 0."""
    return image.point([255 * (one == value) for one in range(256)])


def _indexed(image: Image.Image) -> tuple[Image.Image, list[tuple[int, int, int]]]:
    """The numbers of the colours of an image that has few, and these, 256 with those that it does not have."""
    few = _painted(image, _most_seen(image, 256))
    palette = bytes(few.getpalette() or ()).ljust(3 * 256, b"\0")
    colours = [(palette[at], palette[at + 1], palette[at + 2]) for at in range(0, 3 * 256, 3)]
    return Image.frombytes("L", few.size, few.tobytes()), colours


def _values(image: Image.Image, where: Image.Image | None = None) -> list[int]:
    """The values that pixels have, where it is not 0."""
    return [value for value, often in enumerate(image.histogram(where)) if often]


def _striped(view: _View, step: int) -> Image.Image:
    """In which rows of pixels the second colour of stripes is: the upper half of each."""
    top, scale = view.origin[1], view.scale
    rows = bytes(255 if (top + (row + 0.5) / scale) % step < step / 2 else 0 for row in range(view.size[1]))
    return Image.frombytes("L", (1, view.size[1]), rows)


def _named(text: bytes) -> bytes:
    """The colours that are named in it, and white, three bytes each."""
    return b"\xff\xff\xff" + b"".join(sorted(bytes.fromhex(name.decode()) for name in set(_NAMED.findall(text))))


def _bytes(image: Image.Image) -> int:
    """The room that an image takes."""
    return image.width * image.height * (1 if image.mode in ("L", "P") else 4)


def _in_few_colours(image: Image.Image, named: bytes) -> Iterator[Image.Image]:
    yield _painted(image, named)
    yield _painted(image, _most_seen(image, _FEWEST))


def _most_seen(image: Image.Image, count: int) -> bytes:
    counted = image.getcolors(image.width * image.height) or ()
    # This image has no palette: it has three bytes for each pixel.
    seen = sorted(((often, colour) for often, colour in counted if isinstance(colour, tuple)), reverse=True)
    return b"".join(bytes(colour) for _, colour in seen[:count])


def _painted(image: Image.Image, palette: bytes) -> Image.Image:
    """The picture in these colours, three bytes each."""
    paints = Image.new("P", (1, 1))
    paints.putpalette(palette)
    return image.quantize(palette=paints, dither=Image.Dither.NONE)


def _rows(image: Image.Image) -> bytes:
    """The pixels of a palette image as a PNG has them: each row without a filter (PNG specification, 9)."""
    rows = Image.new("P", (image.width + 1, image.height))
    rows.paste(image, (1, 0))
    return rows.tobytes()


def _packed(image: Image.Image, rows: bytes, level: int) -> bytes:
    """The PNG of a palette image (PNG specification, third edition, 5.2 and 11.2)."""
    wide, high = image.size
    packer = zlib_ng.compressobj(level, memLevel=_ALL_MEMORY)
    return _SIGNATURE + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, _INDEXED, 0, 0, 0)),
            _chunk(b"PLTE", bytes(image.getpalette() or ())),
            _chunk(b"IDAT", packer.compress(rows) + packer.flush()),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))


def _shelf(font: str, folder: str) -> _Shelf:
    """The shelf in that folder. A file that is run, isolated, can import nothing that lies beside it."""
    here = Path(__file__)
    beside = here.with_name("shelf.py")
    engines = [Path(module.__file__) for module in (_resvg, _imaging) if module.__file__]
    shelf: _Shelf = runpy.run_path(str(beside))["Shelf"](Path(folder), [here, beside, Path(font), *engines])
    return shelf


def main(font: str, folder: str) -> None:
    """Until there are no more requests; with "" for a folder nothing is kept for later processes."""
    options = usvg.Options.default()
    # Only our own font is used: the same picture everywhere, and text where no font is installed.
    options.load_font_file(font)
    renderer = Renderer(options, _shelf(font, folder) if folder else None)
    while request := sys.stdin.buffer.readline():
        width, limit, seconds, *sizes = map(int, request.split())
        signal.alarm(seconds)
        order, ground = map(sys.stdin.buffer.read, sizes)
        try:
            kind, answer = "png", renderer.render(order, ground, width, limit)
        except BaseException as error:  # what resvg panics about is no Exception
            kind, answer = "failed", str(error).encode()
        signal.alarm(0)
        sys.stdout.buffer.write(f"{kind} {len(answer)}\n".encode() + answer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    # A signal that stops the judge must not stop the drawing of a picture that it waits for.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.nice(5)
    main(*sys.argv[1:])
