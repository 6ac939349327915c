"""Pictures laid from pieces show what their document shows, and little of them is drawn anew."""

import io
import random
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
import resvg
from PIL import Image, ImageChops
from resvg import usvg

from judge.maps import load_geometry, picture, renderer, scene_of
from judge.maps.album import sheets
from judge.maps.lettering import FONT_FILE
from judge.maps.pieces import Picture
from judge.maps.png import LIMIT
from judge.rules import Position, load_variant, start_position
from tests.maps.boards import DRAWN, board, busiest

# A pixel that differs more than this is another colour, and not only the edge of the same.
UNLIKE = 110
# So many times as fast as the drawing of the whole document must it be.
FASTER = 2.5
# A pixel of a ground has a byte for its kind; two where there are more kinds than a byte can tell.
LAYERS = 2


@pytest.fixture(scope="module")
def options() -> usvg.Options:
    options = usvg.Options.default()
    options.load_font_file(str(FONT_FILE))
    return options


class Counting(renderer.Renderer):
    """Counts the pixels that it draws."""

    drawn = 0

    def _document(self, svg, frame, size):
        self.drawn += size[0] * size[1]
        return super()._document(svg, frame, size)


def whole(shown: Picture, options: usvg.Options) -> Image.Image:
    """The document drawn at once."""
    tree = usvg.Tree.from_str(shown.svg, options)
    scale = shown.pixels / tree.int_size()[0]
    size = (shown.pixels, round(tree.int_size()[1] * scale))
    return Image.open(io.BytesIO(resvg.render(tree, (scale, 0, 0, 0, scale, 0), bg_size=size))).convert("RGB")


def in_pieces(by: renderer.Renderer, shown: Picture) -> bytes:
    return by.render(shown.order, shown.ground.order, shown.pixels, LIMIT)


def position_with(centers: dict[str, tuple[str, ...]]) -> Position:
    start = start_position(load_variant("standard"))
    return replace(start, centers={**start.centers, **centers})


@pytest.mark.parametrize("name", ["standard", "intercontinental"])
def test_a_picture_in_pieces_is_the_same_as_its_document(name: str, options: usvg.Options):
    sheet = list(sheets(busiest(name)["M"], board(name)[1], "png"))[-1]
    data = in_pieces(renderer.Renderer(options), sheet.picture)
    ours, plain = Image.open(io.BytesIO(data)).convert("RGB"), whole(sheet.picture, options)
    assert abs(ours.height - plain.height) <= 1
    difference = ImageChops.difference(ours, plain.crop((0, 0, *ours.size))).convert("L")
    unlike = sum(difference.histogram()[UNLIKE:]) / (ours.width * ours.height)
    assert unlike < 0.005, f"{unlike:.2%} of the pixels are of another colour"


def test_the_ground_and_all_that_stands_on_it_are_drawn_once(options: usvg.Options):
    geometry, by = load_geometry("standard"), Counting(options)
    first, moved = busiest("standard")["S"], busiest("standard")["M"]
    in_pieces(by, picture(first, geometry))
    began, by.drawn = by.drawn, 0
    in_pieces(by, picture(first, geometry))
    assert by.drawn == 0
    in_pieces(by, picture(moved, geometry))
    assert by.drawn < began / 8


def test_an_owner_who_changes_draws_one_area_and_one_center(options: usvg.Options):
    geometry, by = load_geometry("standard"), Counting(options)
    variant = load_variant("standard")
    in_pieces(by, picture(scene_of(variant, position_with({})), geometry))
    began, by.drawn = by.drawn, 0
    taken = scene_of(variant, position_with({"Germany": ("BER", "KIE", "MUN", "BEL")}))
    ours = Image.open(io.BytesIO(in_pieces(by, picture(taken, geometry)))).convert("RGB")
    assert 0 < by.drawn < began / 50
    fresh = Image.open(io.BytesIO(in_pieces(renderer.Renderer(options), picture(taken, geometry)))).convert("RGB")
    assert ImageChops.difference(ours, fresh).getbbox() is None


def test_the_room_for_what_is_kept_is_bounded(options: usvg.Options, monkeypatch):
    monkeypatch.setattr(renderer, "_ROOM", 8_000_000)
    by, geometry = renderer.Renderer(options), load_geometry("standard")
    for width in (700, 800, 900):
        shown = replace(picture(busiest("standard")["M"], geometry), pixels=width)
        in_pieces(by, shown)
        images = [image for one in by._kept.values() for image in _images(one)]
        kept = sum(image.width * image.height for image in images)
        assert kept < by._taken <= renderer._ROOM


def test_a_ground_of_more_kinds_of_pixels_than_a_byte_can_tell_has_another_layer():
    """Five hundred areas side by side, each half covered by a line at its end, as they would be laid by themselves."""
    areas = [Image.new("L", (510, 2)) for _ in range(2)]
    covers = [Image.new("L", (510, 2)) for _ in range(2)]
    bare = Image.new("RGB", (510, 2), "#1d2530")
    for at in range(500):
        chunk, number = divmod(at, renderer._NUMBERED)
        areas[chunk].paste(number + 1, (at, 0, at + 1, 2))
        covers[chunk].paste(255, (at, 0, at + 1, 1))
        covers[chunk].paste(128, (at, 1, at + 1, 2))
    kinds, layers = renderer._by_kind(bare, areas, covers)
    assert len(kinds) == 1001 and len(layers) == 4
    fills = [f"#{number:02x}{number // 2:02x}ff" for number in range(250)] * 2
    ours = renderer._coloured(renderer._Land(kinds, layers, Image.new("L", (1, 2))), fills)
    plain = bare.copy()
    for at, fill in enumerate(fills):
        chunk = at // renderer._NUMBERED
        column = (at, 0, at + 1, 2)
        plain.paste(Image.new("RGB", (1, 2), fill), column, covers[chunk].crop(column))
    assert ImageChops.difference(ours, plain).getbbox() is None


@pytest.mark.parametrize("name", DRAWN)
def test_the_grounds_of_a_board_and_all_its_parts_are_kept_at_once(name: str):
    """And as much again for what stands on them: else every picture would throw away the ground of another."""
    pixels = [sheet.width**2 * high / wide for sheet in sheets(busiest(name)["S"], load_geometry(name), "png")
              for wide, high in [sheet.picture.size]]  # fmt: skip
    assert sum(pixels) * LAYERS < renderer._ROOM / 1.5


@pytest.mark.benchmarks
def test_it_is_faster_than_to_draw_the_whole(options: usvg.Options):
    """The same work in one run, in seconds of the processor."""
    shown, by = picture(busiest("standard")["M"], load_geometry("standard")), renderer.Renderer(options)
    in_pieces(by, shown)
    named = renderer._named(shown.svg.encode())
    plain = _took(lambda: packed(renderer._painted(whole(shown, options), named)))
    ours = _took(lambda: in_pieces(by, shown))
    print(f"\nthe whole {plain:.3f} s, in pieces {ours:.3f} s")
    assert ours * FASTER < plain


def _images(kept: renderer._Land | renderer._Sign) -> tuple[Image.Image, ...]:
    return kept.images if isinstance(kept, renderer._Land) else (kept.image,)


def packed(image: Image.Image) -> bytes:
    return renderer._packed(image, renderer._rows(image), 5)


def _took(work: Callable[[], object]) -> float:
    took = []
    for _ in range(5):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return min(took)


@pytest.mark.parametrize("count", [1, 2, 40, 300])
def test_new_signs_lie_side_by_side_on_a_sheet_little_larger_than_all_of_them(count: int) -> None:
    dice, view = random.Random(count), renderer._View((0, 0), (10, 10), 1.0, "")
    wishes: dict[int | renderer._Stamp, renderer._Wish] = {
        number: renderer._Wish("", "", view, (0, 0, dice.randint(1, 60), dice.randint(1, 60)))
        for number in range(count)
    }
    (sheet,) = renderer._sheets(wishes)
    assert {name for name, _, _ in sheet} == set(wishes)
    taken = Image.new("L", (2000, 2000))
    for _, wish, at in sheet:
        place = (*at, at[0] + wish.box[2], at[1] + wish.box[3])
        assert taken.crop(place).getbbox() is None
        taken.paste(255, place)
    _, _, right, bottom = taken.getbbox() or (0, 0, 0, 0)
    assert right * bottom <= 1.5 * taken.histogram()[255] + 60 * 60
