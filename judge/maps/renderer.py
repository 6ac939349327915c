"""SVG on standard input, PNG on standard output: `renderer.py FONT WIDTH LIMIT`, run as a process of its own.

A renderer that hangs or crashes takes nobody with it, and drawing holds up no letter. It is run as a file, so that
it loads nothing but what it needs. LIMIT is the most bytes: few colours first, then fewer, then a smaller picture.
"""

import io
import os
import signal
import sys

import resvg_py
from PIL import Image

_COLOURS = (64, 40)
_MOST_TRIES = 4


def render(svg: str, font: str, width: int, limit: int) -> bytes:
    """A palette picture of at most `limit` bytes, `width` pixels wide where that is enough room."""
    smallest = b""
    for _ in range(_MOST_TRIES):
        whole = _pixels(svg, font, width)
        for colours in _COLOURS:
            smallest = _packed(whole, colours)
            if len(smallest) <= limit:
                return smallest
        width = max(1, int(width * (limit / len(smallest)) ** 0.5 * 0.97))
    raise ValueError(f"the picture does not fit into {limit} bytes")


def _pixels(svg: str, font: str, width: int) -> Image.Image:
    # A font of our own and no other: the same picture everywhere, and text where no font is installed.
    raw = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=[font], skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(raw))).convert("RGB")


def _packed(image: Image.Image, colours: int) -> bytes:
    packed = io.BytesIO()
    few = image.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(packed, "PNG", optimize=True)
    return packed.getvalue()


if __name__ == "__main__":
    # Whoever stops the judge stops it, not the picture that it waits for.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.nice(5)
    font, width, limit = sys.argv[1:]
    sys.stdout.buffer.write(render(sys.stdin.buffer.read().decode(), font, int(width), int(limit)))
