"""Pictures in pieces to PNG, a process of its own that makes one after the other: `renderer.py FONT`.

A request on standard input is a line "WIDTH LIMIT SECONDS SIZE" and SIZE bytes of JSON, the `order` of a Picture
(pieces.py); the answer on standard output is a line "png SIZE" or "failed SIZE" and so many bytes: the picture, or the
reason why there is none. The process ends when there are no more requests, or after SECONDS with one picture, even if
nobody waits for it. If it hangs or crashes, the daemon is not affected, and no letter waits while a picture is made. It
is run as a file, so that it loads only what it needs.

The picture has the colours that are named in the SVG, exactly, so that a power's units and its land have the same
colour. LIMIT is the maximum size in bytes: to keep it, only the colours that cover most of the picture are kept, and
then it is made smaller.

Every pixel leaves the engine in a PNG, which takes longer than the drawing. So it draws only what is new: the ground
without its areas, each area in each of its colours, and each stamp are kept as pixels, as many as there is room for.
"""

import io
import json
import os
import re
import signal
import struct
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, floor
from typing import Any

import resvg
from PIL import Image, ImageChops
from resvg import usvg
from zlib_ng import zlib_ng

# The shades between the ink and white: with the colours that the SVG names they are enough for every edge.
_GREYS = bytes.fromhex("4f565f 838990 b8bbc0 dcdee0")
# If these are too many, so many of those that cover most.
_FEWEST = 40
_MOST_TRIES = 4
_NAMED = re.compile(r"#([0-9a-f]{6})\b")
# How hard to compress: the last levels take five times as long for eight hundredths of the bytes, so first without.
_QUICKLY, _BEST = 5, 9
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INDEXED = 3    # a pixel is a number in the palette
# How many pixels are kept, four bytes each: enough for the seven grounds of the largest board.
_ROOM = 20_000_000
# How much of a pixel the lines of the ground cover: nothing, half of it, or all. More shades would cost a tenth of a
# picture's bytes.
_COVERED = [0 if share < 48 else 128 if share < 192 else 255 for share in range(256)]

_Box = tuple[int, int, int, int]
_Window = tuple[float, float, float, float]
_Order = dict[str, Any]
_CRISP = 'shape-rendering="crispEdges"'


@dataclass(frozen=True)
class _View:
    """How a picture is looked at: the point that is its first pixel, its pixels, pixels per unit; and the attributes
    and patterns of its document.
    """

    origin: tuple[float, float]
    size: tuple[int, int]
    scale: float
    frame: str
    patterns: str = ""

    @property
    def all(self) -> _Box:
        return (0, 0, *self.size)

    def box(self, window: _Window) -> _Box | None:
        """The pixels that a window covers, as far as they are in the picture."""
        (x, y), scale, (across, down) = self.origin, self.scale, self.size
        left, top = max(0, floor((window[0] - x) * scale)), max(0, floor((window[1] - y) * scale))
        right = min(across, ceil((window[0] + window[2] - x) * scale))
        bottom = min(down, ceil((window[1] + window[3] - y) * scale))
        return (left, top, right, bottom) if left < right and top < bottom else None


class Renderer:
    """Draws pictures, and keeps what the next ones may need again."""

    def __init__(self, options: usvg.Options):
        self._options = options
        self._kept: OrderedDict[object, tuple[Image.Image, ...]] = OrderedDict()
        self._taken = 0

    def render(self, order: _Order, width: int, limit: int) -> bytes:
        """A palette picture of at most `limit` bytes, `width` pixels wide if that keeps the limit."""
        named = _named(json.dumps(order)) + _GREYS
        smallest = b""
        for _ in range(_MOST_TRIES):
            whole = self._page(order, width)
            for few in _in_few_colours(whole, named):
                for level in (_QUICKLY, _BEST):
                    smallest = _packed(few, level)
                    if len(smallest) <= limit:
                        return smallest
            width = max(1, int(width * (limit / len(smallest)) ** 0.5 * 0.97))
        raise ValueError(f"the picture does not fit into {limit} bytes")

    def _page(self, order: _Order, width: int) -> Image.Image:
        across, down = order["size"]
        scale = width / across
        view = _View((0, 0), (width, max(1, round(down * scale))), scale, order["frame"])
        page = Image.new("RGB", view.size, order["paper"])
        page.paste(self._board(order, scale), (0, round(order["top"] * scale)))
        self._lay(page, order["page"], view)
        return page

    def _board(self, order: _Order, scale: float) -> Image.Image:
        x, y, wide, high = order["window"]
        size = max(1, round(wide * scale)), max(1, round(high * scale))
        board = self._ground(order, _View((x, y), size, scale, order["frame"], order["patterns"]))
        self._lay(board, order["board"], _View((x, y), size, scale, order["frame"]))
        return board

    # --- the ground ---

    def _ground(self, order: _Order, view: _View) -> Image.Image:
        """The areas in their colours, and where no area is, what lies below them; lines above all."""
        name = (view, order["base"], order["lines"])
        bare, beside = self._keep(name, lambda: self._bare(order, view))
        ground = bare.convert("RGB")
        for svg, window, style, _ in order["areas"]:
            if box := view.box(window):
                made = partial(self._area, f"<g {style}>{svg}</g>", view, box, ground, beside)
                area, inside = self._keep((*name, style, svg), made)
                ground.paste(area, box[:2], inside)
        return ground

    def _bare(self, order: _Order, view: _View) -> tuple[Image.Image, Image.Image]:
        """The ground without its areas; and how much of each pixel lies beside the lines. Below an area a pixel on the
        edge of a line has the colour of that line alone.
        """
        lines = self._drawn(order["lines"], "", view, view.all)
        beside = lines.getchannel("A").point([255 - share for share in _COVERED])
        areas = "".join(f"<g {style}>{svg}</g>" for svg, _, style, _ in order["areas"])
        below = self._drawn(areas, _CRISP, view, view.all).getchannel("A")
        bare = _painted(lines.convert("RGB"), _named(order["lines"])).convert("RGB")
        bare.paste(self._drawn(order["base"], _CRISP, view, view.all), mask=ImageChops.subtract(beside, below))
        return _small(bare), beside

    def _area(
        self, svg: str, view: _View, box: _Box, ground: Image.Image, beside: Image.Image
    ) -> tuple[Image.Image, Image.Image]:
        """An area between its lines, and which of the pixels of its box are in it."""
        drawn, area = self._drawn(svg, _CRISP, view, box), ground.crop(box)
        area.paste(drawn, mask=ImageChops.multiply(drawn.getchannel("A"), beside.crop(box)))
        return area, drawn.getchannel("A").convert("1")

    # --- what stands on it ---

    def _lay(self, on: Image.Image, pieces: list[Any], view: _View) -> None:
        for svg, window, style, at in pieces:
            if at is None:
                if box := view.box(window):
                    line = self._drawn(svg, style, view, box)
                    on.paste(line, box[:2], line)
            else:
                name = (view.scale, view.frame, style, svg)
                (sign,) = self._keep(name, partial(self._stamp, svg, style, view, window))
                left, top = floor(window[0] * view.scale), floor(window[1] * view.scale)
                x, y = round((at[0] - view.origin[0]) * view.scale), round((at[1] - view.origin[1]) * view.scale)
                on.paste(sign, (x + left, y + top), sign)

    def _stamp(self, svg: str, style: str, view: _View, window: _Window) -> tuple[Image.Image]:
        left, top = floor(window[0] * view.scale), floor(window[1] * view.scale)
        right, bottom = ceil((window[0] + window[2]) * view.scale), ceil((window[1] + window[3]) * view.scale)
        return (self._drawn(svg, style, replace(view, origin=(0, 0)), (left, top, right, bottom)),)

    # --- pixels ---

    def _drawn(self, svg: str, style: str, view: _View, box: _Box) -> Image.Image:
        """The pixels in that box."""
        (x, y), scale, (left, top, right, bottom) = view.origin, view.scale, box
        wide, high = right - left, bottom - top
        document = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="{x + left / scale} '
            f'{y + top / scale} {wide / scale} {high / scale}" preserveAspectRatio="none" {view.frame}>'
            f"{view.patterns}<g {style}>{svg}</g></svg>"
        )
        tree = usvg.Tree.from_str(document, self._options)
        return Image.open(io.BytesIO(resvg.render(tree, (1, 0, 0, 0, 1, 0), bg_size=(wide, high))), formats=["PNG"])

    def _keep(self, name: object, made: Callable[[], tuple[Image.Image, ...]]) -> tuple[Image.Image, ...]:
        """What is kept under that name, or else made and kept, in the room of what was not needed for the longest."""
        images = self._kept.get(name)
        if images:
            self._kept.move_to_end(name)
            return images
        images = self._kept[name] = made()
        self._taken += _pixels(images)
        while self._taken > _ROOM and len(self._kept) > 1:
            self._taken -= _pixels(self._kept.popitem(last=False)[1])
        return images


def _named(svg: str) -> bytes:
    """The colours that are named in it, and white, three bytes each."""
    return b"\xff\xff\xff" + b"".join(sorted(map(bytes.fromhex, set(_NAMED.findall(svg)))))


def _pixels(images: tuple[Image.Image, ...]) -> int:
    """The room that images take, in pixels of four bytes."""
    return sum(image.width * image.height * (4 if image.mode == "RGBA" else 1) for image in images) // 4


def _small(image: Image.Image) -> Image.Image:
    """The same in a quarter of the room, if it has few colours."""
    colours = [colour for _, colour in image.getcolors(256) or () if isinstance(colour, tuple)]
    return _painted(image, b"".join(map(bytes, colours))) if colours else image


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


def _packed(image: Image.Image, level: int) -> bytes:
    """The PNG of a palette image (PNG specification, third edition, 5.2 and 11.2)."""
    wide, high = image.size
    pixels = image.tobytes()
    rows = b"".join(b"\0" + pixels[at : at + wide] for at in range(0, len(pixels), wide))
    return _SIGNATURE + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, _INDEXED, 0, 0, 0)),
            _chunk(b"PLTE", bytes(image.getpalette() or ())),
            _chunk(b"IDAT", zlib_ng.compress(rows, level)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(kind + data))


def main(font: str) -> None:
    """Until there are no more requests."""
    options = usvg.Options.default()
    # Only our own font is used: the same picture everywhere, and text where no font is installed.
    options.load_font_file(font)
    renderer = Renderer(options)
    while request := sys.stdin.buffer.readline():
        width, limit, seconds, size = map(int, request.split())
        signal.alarm(seconds)
        data = sys.stdin.buffer.read(size)
        try:
            kind, answer = "png", renderer.render(json.loads(data), width, limit)
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
    main(sys.argv[1])
