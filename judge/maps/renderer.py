"""SVG to PNG, a process of its own that makes one picture after the other: `renderer.py FONT`.

A request on standard input is a line "WIDTH LIMIT SECONDS SIZE" and SIZE bytes of SVG; the answer on standard output
is a line "png SIZE" or "failed SIZE" and so many bytes: the picture, or the reason why there is none. The process ends
when there are no more requests, or after SECONDS with one picture, even if nobody waits for it. If it hangs or crashes,
the daemon is not affected, and no letter waits while a picture is made. It is run as a file, so that it loads only what
it needs.

LIMIT is the maximum size in bytes: to keep it, the picture first has few colours, then fewer, and then is made smaller.
The colours named in the SVG are kept exactly, so that a power's units and its land have the same colour; if there are
too many, only those that cover most of the picture are kept.
"""

import io
import os
import re
import signal
import sys
from collections.abc import Iterator

import resvg
from PIL import Image
from resvg import usvg

# How many colours to try: first so many in all, with those that the SVG names; then only the named ones; at last so
# many of those that cover most.
_COLOURS = (64, 0)
_FEWEST = 40
_MOST_TRIES = 4
_NAMED = re.compile(r"#([0-9a-f]{6})\b")
# Every so many-th pixel in a row, of every so many-th row, says enough of an image's colours.
_SAMPLED = 3
# How hard to compress: the last levels take five times as long for eight hundredths of the bytes, so first without.
_QUICKLY, _BEST = 7, 9


def render(svg: str, options: usvg.Options, width: int, limit: int) -> bytes:
    """A palette picture of at most `limit` bytes, `width` pixels wide if that keeps the limit."""
    named = b"\xff\xff\xff" + b"".join(sorted({bytes.fromhex(colour) for colour in _NAMED.findall(svg)}))
    tree = usvg.Tree.from_str(svg, options)
    smallest = b""
    for _ in range(_MOST_TRIES):
        whole = _pixels(tree, width)
        for few in _in_few_colours(whole, named):
            for level in (_QUICKLY, _BEST):
                smallest = _packed(few, level)
                if len(smallest) <= limit:
                    return smallest
        width = max(1, int(width * (limit / len(smallest)) ** 0.5 * 0.97))
    raise ValueError(f"the picture does not fit into {limit} bytes")


def _pixels(tree: usvg.Tree, width: int) -> Image.Image:
    across, down = tree.int_size()
    scale = width / across
    raw = resvg.render(tree, (scale, 0, 0, 0, scale, 0), bg_size=(width, max(1, round(down * scale))))
    return Image.open(io.BytesIO(raw)).convert("RGB")


def _in_few_colours(image: Image.Image, named: bytes) -> Iterator[Image.Image]:
    """The picture in the named colours and more, then only in the named ones, at last in those that cover most."""
    for count in _COLOURS:
        yield _painted(image, named + _own(image, count - len(named) // 3))
    yield _painted(image, _most_seen(image, _FEWEST))


def _most_seen(image: Image.Image, count: int) -> bytes:
    counted = image.getcolors(image.width * image.height) or ()
    # This image has no palette: it has three bytes for each pixel.
    seen = sorted(((often, colour) for often, colour in counted if isinstance(colour, tuple)), reverse=True)
    return b"".join(bytes(colour) for _, colour in seen[:count])


def _own(image: Image.Image, count: int) -> bytes:
    """The `count` colours that represent the image best."""
    if count <= 0:
        return b""
    sample = image.resize((image.width // _SAMPLED + 1, image.height // _SAMPLED + 1), Image.Resampling.NEAREST)
    few = sample.quantize(count, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return bytes(few.getpalette() or ())[: count * 3]


def _painted(image: Image.Image, palette: bytes) -> Image.Image:
    """The picture in these colours, three bytes each."""
    paints = Image.new("P", (1, 1))
    paints.putpalette(palette)
    return image.quantize(palette=paints, dither=Image.Dither.NONE)


def _packed(image: Image.Image, level: int) -> bytes:
    packed = io.BytesIO()
    image.save(packed, "PNG", compress_level=level)
    return packed.getvalue()


def main(font: str) -> None:
    """Until there are no more requests."""
    options = usvg.Options.default()
    # Only our own font is used: the same picture everywhere, and text where no font is installed.
    options.load_font_file(font)
    while request := sys.stdin.buffer.readline():
        width, limit, seconds, size = map(int, request.split())
        signal.alarm(seconds)
        svg = sys.stdin.buffer.read(size).decode()
        try:
            kind, answer = "png", render(svg, options, width, limit)
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
