"""A picture shows the board as it is: who touches whom, by the file and by the pixels."""

import io
import re
from collections import Counter
from dataclasses import replace
from functools import reduce

import pytest
import resvg
from PIL import Image, ImageChops
from resvg import usvg

from judge.maps.drawing_check import check_drawing
from judge.maps.geometry import Geometry, contains, path_around
from judge.maps.ground import _link, borders, mark
from judge.rules import Variant, load_variant
from tests.maps.boards import LAID_OUT, board

BOARDS = pytest.mark.parametrize("name", LAID_OUT)
# When the board is 3000 pixels wide: a border is seen on at least so many of them; where four provinces meet, lines
# run into one point, and two that do not border come as close as this.
SEEN, CORNER = 5, 8


@BOARDS
def test_every_border_is_drawn_and_nothing_else_looks_like_one(name):
    drawing = check_drawing(*board(name))
    assert drawing.faults == ()
    assert drawing.pairs == drawing.touching + drawing.linked == len(borders(load_variant(name)))


@pytest.mark.slow
@BOARDS
def test_the_pixels_say_the_same(name):
    """Each province filled with a colour of its own: those that touch in the picture are those that border."""
    variant, geometry = board(name)
    seen = _touching(geometry)
    linked = {link.pair for link in geometry.links}
    walls = {frozenset(arc.sides) for arc in geometry.arcs if arc.barrier}
    for pair in borders(variant).keys() - linked:
        assert seen.get(pair, 0) >= SEEN, f"{sorted(pair)} hardly touch"
    shut = {abbr for abbr, province in variant.provinces.items() if province.kind == "impassable"}
    for pair, count in seen.items():
        if count > CORNER and not pair & shut:
            assert pair in borders(variant) or pair in walls, f"{sorted(pair)} touch on {count} pixels"


@BOARDS
def test_a_link_touches_both_its_provinces(name):
    variant, geometry = board(name)
    for link in (link for link in geometry.links if link.pair not in geometry.tagged):
        dots = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', _link(variant, geometry, link))
        drawn = [(float(x), float(y)) for x, y in dots]
        # To the mainland, not to an islet between; on a board that wraps maybe across the edge.
        ends = {abbr for x, y in drawn for shift in geometry.shifts for abbr in link.pair
                if contains([max(geometry.ways(abbr), key=len)], (x + shift, y))}  # fmt: skip
        assert ends == link.pair, link


def test_intercontinental_by_its_numbers_before_and_after_the_canal():
    variant, geometry = board("intercontinental")
    for phase, coasts in (("W1869A", ("NC", "SC")), ("S1870M", ())):
        dated = variant.at(phase)
        drawing = check_drawing(dated, geometry)
        assert dated.provinces["Suez"].coasts == coasts
        assert drawing.faults == ()
        assert (drawing.pairs, drawing.touching, drawing.linked, drawing.barriers) == (1331, 1324, 7, 5)


def test_the_standard_board_by_its_numbers():
    drawing = check_drawing(*board("standard"))
    assert (drawing.pairs, drawing.touching, drawing.linked, drawing.barriers) == (206, 206, 0, 0)
    assert (drawing.armies_only, drawing.fleets_only) == (12, 0)


def test_what_is_marked_is_open_to_one_kind_though_both_could_stand_there():
    variant = load_variant("standard")
    assert mark(variant, frozenset(("ROM", "VEN"))) == "A"
    assert mark(variant, frozenset(("ROM", "NAP"))) == ""  # both
    assert mark(variant, frozenset(("ROM", "TYS"))) == ""  # no army could be at sea
    assert mark(variant, frozenset(("MUN", "BER"))) == ""  # no fleet could be inland


def _without(variant: Variant, one: str, other: str) -> Variant:
    """The variant without the border between two provinces."""
    provinces = dict(variant.provinces)
    for here, there in ((one, other), (other, one)):
        province = provinces[here]
        provinces[here] = replace(
            province,
            army=tuple(place for place in province.army if place != there),
            fleet={
                coast: tuple(place for place in places if place.partition("/")[0] != there)
                for coast, places in province.fleet.items()
            },
        )
    return replace(variant, provinces=provinces)


def test_a_line_that_is_no_border_is_a_fault():
    variant, geometry = board("standard")
    faults = check_drawing(_without(variant, "PAR", "BUR"), geometry).faults
    assert faults == ("BUR-PAR is drawn as a border but is not one.",)


def test_a_border_without_a_line_is_a_fault():
    variant, geometry = board("standard")
    walled = replace(
        geometry,
        arcs=tuple(arc._replace(barrier=set(arc.sides) == {"PAR", "BUR"}) for arc in geometry.arcs),
    )
    assert set(check_drawing(variant, walled).faults) == {
        "BUR-PAR is a border but is drawn neither as a line nor as a link.",
        "BUR-PAR is drawn as a barrier but is a border.",
    }


def test_a_province_that_is_not_drawn_is_a_fault():
    variant, geometry = board("standard")
    some = {abbr: spot for abbr, spot in geometry.spots.items() if abbr != "SWI"}
    faults = check_drawing(variant, replace(geometry, spots=some)).faults
    assert faults == ("SWI is in the map or in its geometry, not in both.",)


def _touching(geometry: Geometry) -> dict[frozenset[str], int]:
    """{two provinces: on how many pixels they touch}."""
    names = list(geometry.spots)
    areas = "".join(
        f'<path d="{path_around(geometry.areas[abbr])}" fill="#{number + 1:06x}"/>' for number, abbr in enumerate(names)
    )
    width, height = geometry.box
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" fill-rule="evenodd" '
        f'shape-rendering="crispEdges">{areas}</svg>'
    )
    scale = 3000 / width
    tree = usvg.Tree.from_str(svg, usvg.Options.default())
    raw = resvg.render(tree, (scale, 0, 0, 0, scale, 0), bg_size=(3000, round(height * scale)))
    image = Image.open(io.BytesIO(raw)).convert("RGBA")
    cells, across = memoryview(image.tobytes()).cast("I"), image.width
    counts: Counter[tuple[int, int]] = Counter()
    for step, right, down in ((1, 1, 0), (across, 0, 1)):
        here = _unlike(image, right, down)
        counts.update(zip(map(cells.__getitem__, here), map(cells[step:].__getitem__, here), strict=True))
    colours = {
        int.from_bytes(bytes((*(number + 1).to_bytes(3, "big"), 255)), "little"): abbr
        for number, abbr in enumerate(names)
    }
    touching: Counter[frozenset[str]] = Counter()
    for pair, count in counts.items():
        if all(cell in colours for cell in pair):
            touching[frozenset(colours[cell] for cell in pair)] += count
    return touching


def _unlike(image: Image.Image, right: int, down: int) -> list[int]:
    """The numbers of the pixels that are not like the next one, so far to the right and down."""
    difference = ImageChops.difference(image, ImageChops.offset(image, -right, -down))
    unlike = reduce(ImageChops.lighter, difference.split())
    # Those at the edge have no next one there.
    unlike.paste(0, (image.width - 1, 0, *image.size) if right else (0, image.height - 1, *image.size))
    return [found.start() for found in re.finditer(rb"[^\0]", unlike.tobytes(), re.DOTALL)]
