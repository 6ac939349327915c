"""Contact sheets of the maps, to see whether they can be read: `make sheets`, or python -m docs.sheets [board …].

docs/maps/<board>-1400.png shows a board at its start, in its busiest movement, in a retreat that waits for orders, in a
winter and late in a game, as wide as on a screen; docs/maps/<board>-390.png shows the same on a phone held upright,
with the parts in which large boards are mailed. The games are those of the tests: eager players, dice of a fixed seed.
"""

import io
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from PIL import Image

from judge.maps import Scene, load_geometry, scene_of
from judge.maps.album import sheets
from judge.maps.png import Renderer
from judge.rules import start_position
from judge.rules.board.phase import kind, year
from tests.maps.boards import DRAWN, dealt, played

MAPS = Path(__file__).parent / "maps"
# Build Anywhere is played on the board of the standard game.
BOARDS = [name for name in DRAWN if name != "build_anywhere"]
SCREEN, PHONE = 1400, 390
_YEARS, _BUSY_YEARS, _SEED = 8, 3, 2
_GAP, _PAPER = 10, "#ffffff"
# Pictures in a row, by their width.
_ACROSS = {SCREEN: 2, PHONE: 5}
# The colours that cover most keep a sheet small enough for the repository.
_COLOURS = 40
_LIMIT = 100 * 1024 * 1024


def main(names: list[str]) -> None:
    """Draws the sheets of these boards, of all without a name."""
    with Renderer() as renderer:
        for name in names or BOARDS:
            scenes = list(_scenes(name))
            for width in (SCREEN, PHONE):
                file = MAPS / f"{name}-{width}.png"
                _sheet(_pictures(renderer, scenes, width), width).save(file, optimize=True)
                print(f"{file} {file.stat().st_size // 1024} kB")


def _scenes(name: str) -> Iterator[Scene]:
    """Start, busiest movement, most retreats, busiest winter, the last movement."""
    variant = dealt(name)
    yield scene_of(variant, start_position(variant), name="heron", occasion="start")
    game = list(played(variant, _YEARS, _SEED))
    early = [scene for scene in game if year(scene.position.phase) < year(variant.start) + _BUSY_YEARS]
    yield max(_of_kind(early, "M"), key=lambda scene: sum(len(result.results) for result in scene.results))
    for scene in sorted(_of_kind(game, "R"), key=lambda scene: -sum(map(len, scene.position.dislodged.values())))[:1]:
        yield scene_of(variant, scene.position, name="heron")
    yield max(_of_kind(game, "A"), key=lambda scene: len(scene.results))
    yield _of_kind(game, "M")[-1]


def _of_kind(game: Iterable[Scene], wanted: str) -> list[Scene]:
    return [scene for scene in game if kind(scene.position.phase) == wanted]


def _pictures(renderer: Renderer, scenes: list[Scene], width: int) -> Iterator[Image.Image]:
    """Each scene as its mail shows it: on a screen the whole board, on a phone its parts too."""
    for scene in scenes:
        for sheet in sheets(scene, load_geometry(scene.variant.name), "png"):
            if width == PHONE or not sheet.part:
                drawn = sheet.width if width == PHONE else width
                yield Image.open(io.BytesIO(renderer.png(sheet.picture, drawn, limit=_LIMIT))).convert("RGB")


def _sheet(pictures: Iterable[Image.Image], width: int) -> Image.Image:
    """The pictures in rows, each so wide, in the colours that cover most of them."""
    shown, across = list(pictures), _ACROSS[width]
    seen: Counter[tuple[int, ...]] = Counter()
    for image in shown:
        seen.update({colour: count for count, colour in image.getcolors(1 << 16)})
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour, _ in seen.most_common(_COLOURS) for part in colour])
    shown = [
        image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS) for image in shown
    ]
    rows = [shown[at : at + across] for at in range(0, len(shown), across)]
    heights = [max(image.height for image in row) + _GAP for row in rows]
    sheet = Image.new("RGB", (across * (width + _GAP) - _GAP, sum(heights)), _PAPER)
    top = 0
    for row, height in zip(rows, heights, strict=True):
        for number, image in enumerate(row):
            sheet.paste(image, (number * (width + _GAP), top))
        top += height
    return sheet.quantize(palette=palette, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main(sys.argv[1:])
