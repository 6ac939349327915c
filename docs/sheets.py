"""Contact sheets of the maps, to see whether they can be read: `make sheets`, or python -m docs.sheets [board …].

docs/maps/<board>-1400.png shows a board in its busiest movement as wide as on a screen, and below it, half as wide, its
start, a retreat that waits for orders, a winter and a movement late in a game. docs/maps/<board>-390.png shows them as
wide as a phone held upright, and below each the most crowded of the parts in which a large board is mailed. The games
are those of the tests: eager players, dice of a fixed seed. The pictures in README are drawn too.
"""

import io
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from judge.maps.draw import tail
from judge.maps.geometry import load_geometry
from judge.maps.render import PART_BYTES, picture
from judge.maps.scene import Scene, scene_of
from judge.rules import start_position
from judge.rules.board.phase import kind, year
from tests.maps.boards import DRAWN, dealt, played

MAPS = Path(__file__).parent / "maps"
# Build Anywhere is played on the board of the standard game.
BOARDS = [name for name in DRAWN if name != "build_anywhere"]
SCREEN, PHONE = 1400, 390
_YEARS, _BUSY_YEARS, _SEED = 8, 3, 2
_GAP, _PAPER = 10, "#ffffff"
# A sheet small enough for the repository has so many colours: those of the mails' own pictures first, else the units of
# a power with few of them would be grey where they were made smaller.
_COLOURS, _OWN = 256, 192
# What README shows: parts of boards, "" for the whole.
_IN_README = {"standard": ("",), "intercontinental": ("", "Western Europe")}


class _Shown(NamedTuple):
    """A picture as it is seen, and how many pixels have each colour in the one that is mailed."""

    image: Image.Image
    colours: dict[tuple[int, ...], int]


def main(names: list[str]) -> None:
    """Draws the sheets of these boards, of all without a name."""
    for name in names or BOARDS:
        start, busy, *others = _scenes(name)
        half = (SCREEN - _GAP) // 2
        small = [_picture(scene, half) for scene in (start, *others)]
        rows = [[_picture(busy, SCREEN)], small[:2], small[2:]]
        _save(rows, MAPS / f"{name}-{SCREEN}.png")
        scenes = (start, busy, *others)
        rows = [[_picture(scene, PHONE) for scene in scenes]]
        if part := _most_crowded(busy):
            rows.append([_picture(scene, PHONE, part) for scene in scenes])
        _save(rows, MAPS / f"{name}-{PHONE}.png")
        for part in _IN_README.get(name, ()):
            (MAPS / f"{name}{tail(part)}.png").write_bytes(picture(busy, "png", part, limit=PART_BYTES))


def _scenes(name: str) -> Iterator[Scene]:
    """Start, busiest movement, most retreats, busiest winter, the last movement."""
    variant = dealt(name)
    yield scene_of(variant, start_position(variant), name="heron", occasion="start")
    game = list(played(variant, _YEARS, _SEED))
    early = [scene for scene in game if year(scene.position.phase) < year(variant.start) + _BUSY_YEARS]
    yield max(_of_kind(early, "M"), key=lambda scene: sum(len(result.results) for result in scene.results))
    fled = max(_of_kind(game, "R"), key=lambda scene: sum(map(len, scene.position.dislodged.values())))
    yield scene_of(variant, fled.position, name="heron")
    yield max(_of_kind(game, "A"), key=lambda scene: len(scene.results))
    yield _of_kind(game, "M")[-1]


def _of_kind(game: Iterable[Scene], wanted: str) -> list[Scene]:
    return [scene for scene in game if kind(scene.position.phase) == wanted]


def _most_crowded(scene: Scene) -> str:
    """The part of the board with most units; "" if the board has none."""
    geometry = load_geometry(scene.variant.name)
    places = [geometry.place(unit.place) for units in scene.position.units.values() for unit in units]
    found = max(geometry.parts, key=lambda part: sum(part.window.meets([at]) for at in places), default=None)
    return found.name if found else ""


def _picture(scene: Scene, width: int, part: str = "") -> _Shown:
    """The picture that a mail would have, so wide; a phone makes it smaller itself."""
    png = picture(scene, "png", part, width=0 if width == PHONE else width)
    image = Image.open(io.BytesIO(png)).convert("RGB")
    seen: Any = image.getcolors(_COLOURS)
    size = (width, round(image.height * width / image.width))
    return _Shown(image.resize(size, Image.Resampling.LANCZOS), {colour: often for often, colour in seen})


def _save(shown: list[list[_Shown]], file: Path) -> None:
    """Writes the pictures in rows, in the colours that the mails' pictures have, and those that cover most."""
    rows = [[one.image for one in row] for row in shown]
    across = max(sum(image.width + _GAP for image in row) for row in rows) - _GAP
    sheet = Image.new("RGB", (across, sum(max(image.height for image in row) + _GAP for row in rows)), _PAPER)
    top = 0
    for row in rows:
        left = 0
        for image in row:
            sheet.paste(image, (left, top))
            left += image.width + _GAP
        top += max(image.height for image in row) + _GAP
    own: Counter[tuple[int, ...]] = Counter()
    for one in chain.from_iterable(shown):
        own.update(one.colours)
    seen: Any = sheet.getcolors(sheet.width * sheet.height)
    ordered = [colour for colour, _ in own.most_common(_OWN)] + [colour for _, colour in sorted(seen, reverse=True)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in list(dict.fromkeys(ordered))[:_COLOURS] for part in colour])
    sheet.quantize(palette=palette, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{file} {file.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
