"""SVG on standard input, PNG on standard output: `renderer.py FONT WIDTH LIMIT SECONDS`, a process of its own.

A renderer that hangs or crashes takes nobody with it, and drawing holds up no letter. It is run as a file, so that
it loads nothing but what it needs, and ends itself after SECONDS, whether or not anybody waits for it. LIMIT is the
most bytes: few colours first, then fewer, then a smaller picture. The colours that the SVG names are kept as they
are, so that a power's units and its land are of one colour; where these are too many, those that cover most of it.
"""

import io
import os
import re
import signal
import sys
from collections.abc import Iterator

import resvg_py
from PIL import Image

# So many colours in all, those that the SVG names among them; then these alone; at last so many that cover most.
_COLOURS = (64, 0)
_FEWEST = 40
_MOST_TRIES = 4
_NAMED = re.compile(r"#([0-9a-f]{6})\b")


def render(svg: str, font: str, width: int, limit: int) -> bytes:
    """A palette picture of at most `limit` bytes, `width` pixels wide where that is enough room."""
    named = b"\xff\xff\xff" + b"".join(sorted({bytes.fromhex(colour) for colour in _NAMED.findall(svg)}))
    smallest = b""
    for _ in range(_MOST_TRIES):
        whole = _pixels(svg, font, width)
        for palette in _palettes(whole, named):
            smallest = _packed(whole, palette)
            if len(smallest) <= limit:
                return smallest
        width = max(1, int(width * (limit / len(smallest)) ** 0.5 * 0.97))
    raise ValueError(f"the picture does not fit into {limit} bytes")


def _pixels(svg: str, font: str, width: int) -> Image.Image:
    # A font of our own and no other: the same picture everywhere, and text where no font is installed.
    raw = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=[font], skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(raw))).convert("RGB")


def _palettes(image: Image.Image, named: bytes) -> Iterator[bytes]:
    """Colours for the picture, three bytes each: the named ones and more, these alone, at last those most seen."""
    for count in _COLOURS:
        yield named + _own(image, count - len(named) // 3)
    yield _most_seen(image, _FEWEST)


def _most_seen(image: Image.Image, count: int) -> bytes:
    counted = image.getcolors(image.width * image.height) or ()
    # In a palette picture colours are numbers; this one is not, and has three bytes for each.
    seen = sorted(((often, colour) for often, colour in counted if isinstance(colour, tuple)), reverse=True)
    return b"".join(bytes(colour) for _, colour in seen[:count])


def _own(image: Image.Image, count: int) -> bytes:
    """The `count` colours that stand for the image best."""
    if count <= 0:
        return b""
    few = image.quantize(count, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return bytes(few.getpalette() or ())[: count * 3]


def _packed(image: Image.Image, palette: bytes) -> bytes:
    paints = Image.new("P", (1, 1))
    paints.putpalette(palette)
    packed = io.BytesIO()
    image.quantize(palette=paints, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


if __name__ == "__main__":
    # A signal that stops the judge must not stop the picture that it waits for.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.nice(5)
    font, width, limit, seconds = sys.argv[1:]
    signal.alarm(int(seconds))
    sys.stdout.buffer.write(render(sys.stdin.buffer.read().decode(), font, int(width), int(limit)))
