"""SVG on standard input, PNG on standard output: `renderer.py FONT WIDTH LIMIT SECONDS`, a process of its own.

If the renderer hangs or crashes, the daemon is not affected, and no letter waits while a picture is drawn. It is run as
a file, so that it loads only what it needs, and it ends itself after SECONDS, even if no process waits for it. LIMIT is
the maximum size in bytes: to keep it, the picture first has few colours, then fewer, and then is made smaller. The
colours named in the SVG are kept exactly, so that a power's units and its land have the same colour; if there are too
many, only those that cover most of the picture are kept.
"""

import io
import os
import re
import signal
import sys
from collections.abc import Iterator

import resvg_py
from PIL import Image

# How many colours to try: first so many in all, with those that the SVG names; then only the named ones; at last so
# many of those that cover most.
_COLOURS = (64, 0)
_FEWEST = 40
_MOST_TRIES = 4
_NAMED = re.compile(r"#([0-9a-f]{6})\b")


def render(svg: str, font: str, width: int, limit: int) -> bytes:
    """A palette picture of at most `limit` bytes, `width` pixels wide if that keeps the limit."""
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
    # Only our own font is used: the same picture everywhere, and text where no font is installed.
    raw = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=[font], skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(raw))).convert("RGB")


def _palettes(image: Image.Image, named: bytes) -> Iterator[bytes]:
    """Colours for the picture, three bytes each: the named ones and more, then only the named ones, at last those that
    cover most.
    """
    for count in _COLOURS:
        yield named + _own(image, count - len(named) // 3)
    yield _most_seen(image, _FEWEST)


def _most_seen(image: Image.Image, count: int) -> bytes:
    counted = image.getcolors(image.width * image.height) or ()
    # This image has no palette: it has three bytes for each pixel.
    seen = sorted(((often, colour) for often, colour in counted if isinstance(colour, tuple)), reverse=True)
    return b"".join(bytes(colour) for _, colour in seen[:count])


def _own(image: Image.Image, count: int) -> bytes:
    """The `count` colours that represent the image best."""
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
    # A signal that stops the judge must not stop the drawing of a picture that it waits for.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.nice(5)
    font, width, limit, seconds = sys.argv[1:]
    signal.alarm(int(seconds))
    sys.stdout.buffer.write(render(sys.stdin.buffer.read().decode(), font, int(width), int(limit)))
