"""A game as an animated PNG: a picture for each phase, stored as the difference from the picture before."""

import io
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from PIL import Image, ImageChops
from PIL.PngImagePlugin import Blend

from judge.maps.document import PAPER
from judge.maps.render import render

# The maximum size of a film, in bytes. An email with it has up to 1.5 MB.
MOST_BYTES = 1_080_000
# The time for which each phase is shown, and the last phase, in milliseconds.
_SHOWN, _END = 1500, 6000


def film(scene: Mapping[str, Any]) -> bytes:
    """Return the animated PNG of the `frames` of a scene, each {position, outcome, occasion}.

    While the file is too large, every second frame is left out. Raises PictureFailed.
    """
    frames = [Image.open(io.BytesIO(render({**scene, **frame}, "film"))) for frame in scene["frames"]]
    while len(packed := _animated(frames)) > MOST_BYTES and len(frames) > 1:
        frames = frames[::-2][::-1]
    return packed


def _animated(frames: Sequence[Image.Image]) -> bytes:
    # With a few common colors, most of a picture equals the picture before, and is stored as transparent.
    found: dict[tuple[int, ...], None] = {}
    for one in frames:
        parts = one.getpalette() or []
        found |= dict.fromkeys(zip(parts[::3], parts[1::3], parts[2::3], strict=True))
    colors = [*found][:255]
    common = Image.new("P", (1, 1))
    palette = [*chain(*colors)]
    common.putpalette(palette)
    size = max(one.width for one in frames), max(one.height for one in frames)
    pages = [_page(one, size, common) for one in frames]
    for page in pages:
        # Fill the palette, since every index needs a color, and so does transparency.
        page.putpalette([*palette, 0, 0, 0])
    told = [pages[0], *(_changed(*two, len(colors)) for two in pairwise(pages))]
    packed = io.BytesIO()
    told[0].save(
        packed, "PNG", save_all=True, append_images=told[1:], loop=0, blend=Blend.OP_OVER, transparency=len(colors),
        duration=[*[_SHOWN] * (len(told) - 1), _END],
    )  # fmt: skip
    return packed.getvalue()


def _page(frame: Image.Image, size: tuple[int, int], common: Image.Image) -> Image.Image:
    """Return the picture in the common colors, on a page of that size."""
    page = Image.new("RGB", size, PAPER)
    page.paste(frame.convert("RGB"))
    return page.quantize(palette=common, dither=Image.Dither.NONE)


def _changed(before: Image.Image, after: Image.Image, transparent: int) -> Image.Image:
    """Return the second picture, transparent where it equals the first."""
    one, other = (Image.frombytes("L", page.size, page.tobytes()) for page in (before, after))
    same = ImageChops.difference(one, other).point(lambda differs: 0 if differs else 255)
    page = after.copy()
    page.paste(transparent, (0, 0, *page.size), same)
    return page
