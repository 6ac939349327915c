"""One function from a scene to a picture's bytes: it shows what its document shows, is small enough for a mail, and
quick from the second picture of a board on.
"""

import io
import pickle
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import resvg
from PIL import Image, ImageChops
from resvg import usvg

from judge.maps.document import PAPER, Area, Drawing
from judge.maps.draw import FOR_OTHERS, MOST, page, page_names, parts_to_see
from judge.maps.drawing_check import PHONE
from judge.maps.geometry import Box, Outline, load_geometry, part_of
from judge.maps.render import (
    PART_BYTES,
    WHOLE_BYTES,
    PictureFailed,
    Rasterizer,
    picture,
    render,
)
from judge.maps.text_metrics import FONT_FILE, tag_box, tag_size
from judge.rules import load_variant, position_to_json, start_position
from tests.maps.boards import DRAWN, LAID_OUT, board, busiest, crowded, sheets_of

# What all pictures of a mail may take before base64, of a small board and of a large one: the rest is its text.
FOR_PICTURES = 312_000, 490_000
# A pixel that differs more than this is another color, and not only the edge of the same.
UNLIKE = 110
# Of the time that resvg takes to draw the whole document once.
WARM, COLD = 0.5, 1.7
WITHOUT_LIMIT = 1 << 30


def told(name: str) -> dict[str, Any]:
    variant = load_variant(name)
    position = position_to_json(variant, start_position(variant))
    return {"variant": name, "name": "heron", "occasion": "start", "position": position, "outcome": None}


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def drawn_at_once(drawing: Drawing) -> bytes:
    options = usvg.Options.default()
    options.load_font_file(str(FONT_FILE))
    tree = usvg.Tree.from_str(drawing.svg, options)
    scale = drawing.pixels / tree.int_size()[0]
    size = (drawing.pixels, round(tree.int_size()[1] * scale))
    return resvg.render(tree, (scale, 0, 0, 0, scale, 0), bg_size=size)


def a_page(name: str, part: str = "", kind: str = "M") -> Drawing:
    shown = page(busiest(name)[kind], load_geometry(name), "png", part)
    assert shown
    return shown


@pytest.mark.parametrize(("name", "part"), [("standard", ""), ("intercontinental", "Australia"), ("1900", "West")])
def test_a_picture_shows_what_its_document_shows(name: str, part: str):
    shown = a_page(name, part)
    ours, plain = (
        opened(png).convert("RGB")
        for png in (Rasterizer().png(shown, shown.pixels, WITHOUT_LIMIT), drawn_at_once(shown))
    )
    assert abs(ours.height - plain.height) <= 1
    difference = ImageChops.difference(ours, plain.crop((0, 0, *ours.size))).convert("L")
    unlike = sum(difference.histogram()[UNLIKE:]) / (ours.width * ours.height)
    assert unlike < 0.005, f"{unlike:.2%} of the pixels are of another color"


@pytest.mark.parametrize("name", LAID_OUT)
def test_no_tag_leaves_the_edge_of_a_picture(name: str):
    whole = load_geometry(name)
    for geometry in (whole, *(part_of(whole, part) for part in whole.parts)):
        for abbr, tag in geometry.tags.items():
            box = tag_box(geometry, abbr)
            edge = tag_size(geometry) * 0.09 / 2
            outer = Box(box.left - edge, box.top - edge, box.right + edge, box.bottom + edge)
            assert not geometry.window.meets([tag.at]) or geometry.window.holds(outer), abbr


def test_the_tag_of_a_way_that_is_not_drawn_is_white():
    """White has a short name in the document, and is in the ground of the board."""
    shown = a_page("1900", "East")
    ours = opened(Rasterizer().png(shown, shown.pixels, WITHOUT_LIMIT)).convert("RGB")
    part = next(part for part in load_geometry("1900").parts if part.name == "East")
    box, scale = tag_box(part_of(load_geometry("1900"), part), "EGY"), shown.pixels / shown.size[0]
    x, y = (box.left - shown.window.left) * scale, (box.middle[1] - shown.window.top + shown.top) * scale
    assert ours.getpixel((round(x) + 5, round(y))) == (255, 255, 255)


def test_what_was_drawn_before_does_not_change_a_picture():
    """Nor does it whose land it was, or what did not fit into memory any more."""
    one, other = a_page("standard"), a_page("standard", kind="S")
    used = Rasterizer()
    for shown in (other, one, a_page("standard", "West"), other):
        used.png(shown, 600, WITHOUT_LIMIT)
    again, fresh = (opened(by.png(one, 600, WITHOUT_LIMIT)).convert("RGB") for by in (used, Rasterizer()))
    # The shade of an edge may depend on where a sign was drawn.
    assert sum(ImageChops.difference(again, fresh).convert("L").histogram()[1:]) < 50


def test_the_memory_for_bitmaps_is_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("judge.maps.render._MEMORY", 1_500_000)
    small, shown = Rasterizer(), a_page("standard")
    for width in (350, 400, 450):
        small.png(shown, width, WITHOUT_LIMIT)
        assert small.kept_bytes <= 1_500_000
    assert small.png(shown, 350, WITHOUT_LIMIT) == Rasterizer().png(shown, 350, WITHOUT_LIMIT)


def rectangle(left: int, top: int, right: int, bottom: int, is_hole: bool = False) -> Outline:
    return Outline(((left, top), (right, top), (right, bottom), (left, bottom)), is_hole)


def test_areas_are_drawn_as_in_the_document():
    """The last ones are drawn above the first; stripes and holes too. There may be more than a byte can number."""
    areas = [Area((rectangle(2 * at, 0, 2 * at + 2, 10),), (f"#{at % 50 * 5:02x}0080",)) for at in range(300)]
    areas.append(Area((rectangle(100, 0, 200, 20), rectangle(130, 12, 150, 18, is_hole=True)), ("#ffffff", "#c8102e")))
    shown = Drawing("", "", (600, 20), 600, Box(0, 0, 600, 20), 0, 0, tuple(areas), 4, "", (), ())
    ours = opened(Rasterizer().png(shown, 600, WITHOUT_LIMIT)).convert("RGB")
    assert [ours.getpixel((150, row)) for row in (1, 3)] == [(200, 16, 46), (255, 255, 255)]
    assert ours.getpixel((560, 15)) == ours.getpixel((140, 15)) == (207, 224, 236)
    for at in (20, 280, 299):
        assert ours.getpixel((2 * at, 5)) == (at % 50 * 5, 0, 128)


@pytest.mark.slow
@pytest.mark.parametrize("name", LAID_OUT)
def test_every_board_fits_into_a_mail(name: str):
    """Also late in a game, without being made smaller: all that a reader gets, whoever it is."""
    _, geometry = board(name)
    late, by = crowded(name), Rasterizer()
    bytes_of = {}
    for shown in sheets_of(late, geometry):
        limit = PART_BYTES if shown.part else WHOLE_BYTES
        data = by.png(shown, shown.pixels, limit)
        bytes_of[shown.part] = len(data)
        assert len(data) <= limit
        image = opened(data)
        assert (image.format, image.mode) == ("PNG", "P")
        assert image.width == shown.pixels >= 2 * PHONE
    for powers in ([], *([power.name] for power in late.variant.powers)):
        parts = parts_to_see(geometry, late, powers)
        assert len(parts) <= 1 + MOST
        assert sum(bytes_of[part] for part in parts) <= FOR_PICTURES[len(geometry.parts) > FOR_OTHERS], powers


def test_every_name_is_legible_where_it_is_read():
    """At the width of its picture a letter is at least so many pixels high, the smallest 10."""
    for name in DRAWN:
        _, geometry = board(name)
        views = [(part.window, part.pixels / part.window.width) for part in geometry.parts] or [
            (geometry.window, geometry.width / geometry.box[0])
        ]
        for abbr, spot in geometry.spots.items():
            heights = [
                geometry.label * spot.label_scale * scale for window, scale in views if window.meets([spot.label])
            ]
            assert max(heights) >= (13 if spot.label_scale == 1 and geometry.parts else 5.5), f"{name}: {abbr}"


def test_a_picture_may_be_of_another_width_or_made_smaller():
    scene = busiest("standard")["S"]
    whole, small = picture(scene, "png", width=800), picture(scene, "png", width=500)
    assert opened(small).width == 500
    assert len(small) < len(whole) * 0.7
    squeezed = picture(scene, "png", width=800, limit=20_000)
    assert len(squeezed) <= 20_000
    assert 200 < opened(squeezed).width < 800


def test_the_text_is_there_whatever_fonts_the_machine_has():
    """Without its font resvg leaves text out and says nothing."""
    shown = a_page("standard", kind="S")
    spoken, silent = (
        opened(Rasterizer().png(one, 1400, WITHOUT_LIMIT)).convert("L") for one in (shown, replace(shown, page=()))
    )
    dark = [sum(value < 90 for value in image.crop((0, 0, 700, 40)).tobytes()) for image in (spoken, silent)]
    assert dark[0] > 500 > dark[1] == 0


def test_a_scene_is_rendered_in_each_form():
    for part in page_names(load_geometry("standard"), "png")[:2]:
        turn = pickle.loads(pickle.dumps(partial(render, told("standard"), "png", part)))
        assert opened(turn()).format == "PNG"
    assert render(told("standard"), "svg").startswith(b"<svg")
    assert opened(render(told("standard"), "small")).width < opened(render(told("standard"), "png")).width


@pytest.mark.parametrize(
    ("scene", "part", "reason"),
    [
        (told("standard"), "Atlantis", "has no part Atlantis"),
        (told("standard") | {"variant": "atlantis"}, "", "atlantis"),
        ({"variant": "standard"}, "", "position"),
    ],
    ids=["part", "variant", "scene"],
)
def test_what_cannot_be_drawn_is_a_reason(scene: dict[str, Any], part: str, reason: str):
    with pytest.raises(PictureFailed, match=reason):
        render(scene, "png", part)


def test_what_is_no_svg_and_a_limit_that_nothing_fits_are_reasons():
    dot = Drawing("", "", (9, 9), 9, Box(0, 0, 9, 9), 0, 0, (Area((rectangle(0, 0, 9, 9),), (PAPER,)),), 1, "", (), ())
    with pytest.raises(PictureFailed, match="ParsingFailed"):
        Rasterizer().png(replace(dot, lines="<this is no picture"), 9, WITHOUT_LIMIT)
    with pytest.raises(PictureFailed, match="does not fit"):
        Rasterizer().png(dot, 9, 10)


# --- how long it takes ---


@pytest.mark.benchmarks
@pytest.mark.parametrize(("name", "number"), [(name, number) for name in DRAWN for number in (0, 1)])
def test_a_picture_takes_a_share_of_drawing_its_document(name: str, number: int):
    """The same work in one run, in seconds of the processor: with everything kept but the orders, and with nothing."""
    part = page_names(load_geometry(name), "png")[number]
    shown, warm = a_page(name, part), Rasterizer()
    warm.png(shown, shown.pixels, WITHOUT_LIMIT)
    plain = _took(lambda: drawn_at_once(shown))
    first = _took(lambda: Rasterizer().png(shown, shown.pixels, WITHOUT_LIMIT))
    again = _took(lambda: warm.png(shown, shown.pixels, WITHOUT_LIMIT))
    print(
        f"\n{name} {part or 'whole'}: resvg alone {1000 * plain:.0f} ms; a picture of ours {1000 * again:.0f} ms "
        f"({again / plain:.2f}), the first of its board {1000 * first:.0f} ms ({first / plain:.2f})"
    )
    assert again < plain * WARM
    assert first < plain * COLD


def _took(turn: Callable[[], object]) -> float:
    took = []
    for _ in range(5):
        began = time.process_time()
        turn()
        took.append(time.process_time() - began)
    return min(took)
