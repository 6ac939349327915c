"""The board of a jDip pack is drawn out of the pack's own SVG file, of which only numbers are taken."""

import json
import shutil
import time
from math import dist
from pathlib import Path

import pytest

from judge.foreign_maps import pack_svg
from judge.foreign_maps.pack_board import traced
from judge.foreign_maps.pack_svg import read_board
from judge.foreign_maps.sketch import MapError
from judge.maps import colors
from judge.maps.drawing_check import check_drawing
from judge.maps.geometry import Geometry, path_around, read_geometry
from judge.maps.ground import borders
from judge.maps.scene import scene_of
from judge.rules import Variant, start_position
from judge.rules.variant.loading import read_folder
from judge.shell.calling import carry_out
from judge.shell.rules import import_variant
from tests.foreign_maps.test_sketch import SAMPLES, text_of
from tests.maps.boards import draw
from tests.texts import table

# From a place in lakes.svg to one on the board, 4000 wide.
SCALE = 4000 / 210


@pytest.fixture
def pack(tmp_path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    for name in ("variants.xml", "lakes.xml", "lakes.svg"):
        shutil.copy(SAMPLES / name, folder)
    return folder


@pytest.fixture(scope="module")
def lakes(tmp_path_factory) -> tuple[Variant, Geometry]:
    own = tmp_path_factory.mktemp("own")
    assert carry_out(import_variant, SAMPLES / "variants.xml", "", own, "lakes") == 0
    return read_folder(own / "lakes"), read_geometry(own / "lakes" / "geometry.json")


def test_borders_are_common_lines_or_links_and_what_is_shut_is_scenery(lakes):
    variant, geometry = lakes
    drawing = check_drawing(variant, geometry)
    assert drawing.faults == () and geometry.traced
    assert drawing.pairs == len(borders(variant)) == drawing.touching + drawing.linked
    assert [link.pair for link in geometry.links] == [frozenset(("AMB", "FAR"))]
    # The High Tops, not the ground below the board; a pond of the seas' look is water.
    assert "HIG" not in geometry.spots and len(geometry.scenery) == len(geometry.lakes) == 1


def test_units_and_centers_stand_where_the_pack_says(lakes):
    _, geometry = lakes
    for place, at in (("AMB", (130, 55)), ("CED", (110, 20)), ("ELM/EC", (85, 45)), ("ELM/WC", (65, 65))):
        assert dist(geometry.place(place), ((at[0] + 5) * SCALE, (at[1] + 5) * SCALE)) < 2
    assert {abbr for abbr, spot in geometry.spots.items() if spot.center} == {"AMB", "BIR", "DUN", "ELM", "FAR"}
    assert dist(geometry.spots["FAR"].center, (190 * SCALE, 80 * SCALE)) < 2


def test_units_can_be_seen_though_the_pack_has_two_of_them_side_by_side(lakes):
    near = text_of("lakes.svg").replace('<jdipNS:UNIT x="185" y="60"/>', '<jdipNS:UNIT x="131" y="55"/>')
    assert traced(lakes[0], near)["unit"] == 22


def test_a_curve_is_the_same_line_for_both_and_groups_move_what_is_in_them(lakes):
    _, geometry = lakes
    (shared,) = (arc for arc in geometry.arcs if set(arc.sides) == {"AMB", "BIR"})
    assert len(shared.points) > 6 and shared.kind == "l"
    ends = sorted([shared.points[0], shared.points[-1]])
    assert dist(ends[0], (105 * SCALE, 75 * SCALE)) < 60 and dist(ends[1], (165 * SCALE, 75 * SCALE)) < 60


def test_land_has_its_owners_colour_and_no_word_of_the_file_is_in_the_picture(lakes):
    variant, geometry = lakes
    svg = draw(scene_of(variant, start_position(variant), name="heron"), geometry)
    assert f'd="{path_around(geometry.areas["AMB"])}" fill="{colors.tint(variant.powers[0].colour)}"' in svg
    assert not [word for word in ("Welcome", "birches", "waves", "antiquewhite", "pond") if word in svg]


STRANGE = [
    *table("""
        <defs> => <script>alert(1)</script><defs> => it contains a <script>
        <defs> => <foreignObject/><defs> => it contains a <foreignObject>
        <g id="MapLayer" => <g id="MapLayer" onload="go()" => it contains a script (onload)
        <defs> => <image href="lakes.png"/><defs> => it refers to another file, lakes.png
        <defs> => <use href="https://example.org/x.svg#a"/><defs> => it refers to another file
        url(#waves) => url(https://example.org/waves) => its style refers to another file
        url(#waves) => red} @import 'x.css'; .a{ => its style refers to another file
        fill="#555555" => fill="url( //example.org/a)" => its fill refers to another file
        <title>Welcome => <title>&svgExt; => not XML: undefined entity
        translate(-10, 0) => matrix(1 2) => the <g> '' cannot be read
        id="MapLayer" => id="Map" => it has no MapLayer
        <jdipNS:UNIT x="185" y="60"/> => => it does not show where FAR are
        id="_bir" => id="_other" => it does not show where BIR are
        M110 70 C125 => M110 1e999 C125 => its shapes are too large
        M110 70 C125 => M110 C125 => the <path> '_bir' cannot be read
        M110 70 C125 => 110 70 C125 => it does not show where BIR are
        viewBox="-5 -5 => viewBox="-5 -1e999 => -1e999 is too large
        viewBox="-5 -5 => viewBox="-5 top => 'top' is not a number
        -5 -5 210 120 => 0 0 0 0 => it has no size"""),
    ('points="70,40', 'points="' + "200,40 0,40 " * 200 + "70,40", "its outlines are too fine or too long"),
    ("<defs>", "<g>" * 10_001 + "</g>" * 10_001 + "<defs>", "more than 10,000 elements"),
]


@pytest.mark.parametrize(("old", "new", "told"), STRANGE, ids=[told for _, _, told in STRANGE])
def test_a_file_that_cannot_be_used_is_refused_whole_and_says_why(lakes, old, new, told):
    text = text_of("lakes.svg")
    assert old in text
    with pytest.raises(MapError) as refused:
        traced(lakes[0], text.replace(old, new, 1))
    assert told in str(refused.value)


FAR = '<rect id="_far"'
BOX = 'viewBox="-5 -5 210 120"'
OUT_OF_REACH = [
    (FAR, f'<g transform="{"scale(1e6) " * 60}"><rect x="1" y="1" width="5" height="5"/></g>{FAR}', "are too large"),
    (BOX, 'viewBox="0 0 1e6 1e-6"', "too narrow"),
    (BOX, 'viewBox="0 0 1e-320 1e-320"', "too narrow"),
    (BOX, 'viewBox="0 0 1 900"', "too narrow"),
    (BOX, 'viewBox="-1e6 -1e6 9 9"', "does not show where"),
]


@pytest.mark.parametrize(("old", "new", "told"), OUT_OF_REACH, ids=[new[-25:] for _, new, _ in OUT_OF_REACH])
def test_numbers_that_no_board_has_are_refused_and_not_reckoned_with(lakes, old, new, told):
    text = text_of("lakes.svg")
    assert old in text
    with pytest.raises(MapError, match=told):
        traced(lakes[0], text.replace(old, new, 1))


ARC = '<path d="M0 0A1e6 1e6 0 0 1 1e-320 0L1 1 2 2 3 0z"/>'
SLOW = [
    ('<polygon points="', "1" * 400_000, "cannot be read"),
    ('<rect x="', "1" * 400_000, "too long"),
    ('<g transform="', "translate(1" * 40_000, "too long"),
    ('<path d="M0 0', " 1 1" * 5_000 + "z" * 50_000, "more than 100,000 points"),
]


@pytest.mark.parametrize(("element", "value", "told"), SLOW, ids=[element for element, _, _ in SLOW])
def test_what_would_keep_the_library_busy_for_minutes_is_refused(lakes, element, value, told):
    began = time.process_time()
    with pytest.raises(MapError, match=told):
        traced(lakes[0], text_of("lakes.svg").replace(FAR, f'{element}{value}"/>{FAR}'))
    assert time.process_time() - began < 20


def test_an_arc_that_is_too_short_for_numbers_is_a_line(lakes):
    assert traced(lakes[0], text_of("lakes.svg").replace(FAR, ARC + FAR))["traced"]


def test_names_that_lie_in_each_other_are_not_told_again_and_again(lakes):
    layer = '<g id="BriefLabelLayer" visibility="hidden">'
    nested = '<text x="1" y="1">abcdefghijklmn' * 9000 + "</text>" * 9000
    board = read_board(text_of("lakes.svg").replace(layer, layer + nested))
    assert max(map(len, board.names)) <= 40


def test_groups_that_lie_deep_in_each_other_are_refused(lakes):
    deep = text_of("lakes.svg").replace('<rect id="_far"', "<g>" * 40 + "</g>" * 40 + '<rect id="_far"')
    with pytest.raises(MapError, match="too deep"):
        traced(lakes[0], deep)


def test_a_file_of_more_points_than_any_board_has_is_refused(lakes, monkeypatch):
    monkeypatch.setattr(pack_svg, "_MOST_POINTS", 200)
    long = text_of("lakes.svg").replace("M110 70 C125", "M110 70 " + "c1 1 1 1 1 1" * 30 + "C125")
    with pytest.raises(MapError, match="more than 200 points"):
        traced(lakes[0], long)


def test_instead_of_a_refused_file_the_board_is_laid_out_and_the_import_says_so(pack, capsys):
    drawing = pack / "lakes.svg"
    drawing.write_text(drawing.read_text().replace("<defs>", '<image href="lakes.png"/><defs>'))
    assert carry_out(import_variant, pack / "variants.xml", "", pack, "lakes") == 0
    told = capsys.readouterr().out
    assert "lakes.svg was not used: it refers to another file, lakes.png" in told
    assert "Drawn as a schematic map" in told
    assert read_geometry(pack / "lakes" / "geometry.json").schematic


def test_a_drawing_outside_of_the_pack_is_not_read(pack, capsys):
    (pack.parent / "lakes.svg").write_text(text_of("lakes.svg"))
    rules = pack / "variants.xml"
    rules.write_text(rules.read_text().replace("lakes.svg", "../lakes.svg"))
    assert carry_out(import_variant, rules, "", pack, "lakes") == 0
    assert "../lakes.svg was not used: ../lakes.svg is outside" in capsys.readouterr().out


def test_a_drawing_that_a_keeper_made_stays(pack):
    drawing = pack / "lakes" / "geometry.json"
    assert carry_out(import_variant, pack / "variants.xml", "", pack, "lakes") == 0
    own = json.dumps({key: value for key, value in json.loads(drawing.read_text()).items() if key != "traced"})
    drawing.write_text(own)
    carry_out(import_variant, pack / "variants.xml", "", pack, "lakes")
    assert drawing.read_text() == own


def shape(element: str) -> list[tuple[float, float]]:
    layer = f'<g id="MapLayer">{element}</g>'
    board = read_board(f'<svg viewBox="0 0 100 100" xmlns="http://www.w3.org/2000/svg">{layer}</svg>')
    return [point for ring in board.shapes[0].rings for point in ring]


@pytest.mark.parametrize(
    ("element", "passes"),
    [
        ('<path d="m5 5 5 0 0 5z m20 20 1 0 0 1zl-3-3 0 3z"/>', [(10, 10), (25, 25), (26, 26), (22, 22)]),
        # The middle of a curve, and of the one that goes on smoothly.
        ('<path d="M0 0 C0 10 10 10 10 0 S20-10 20 0"/>', [(5, 7.5), (10, 0), (15, -7.5), (20, 0)]),
        ('<path d="M0 0 A10 10 0 1 1 10 10"/>', [(10, -10), (20, 0), (10, 10)]),
        ('<circle cx="5" cy="5" r="5"/>', [(0, 5), (10, 5), (5, 0), (5, 10)]),
        ('<ellipse cx="5" cy="5" rx="4" ry="2"/>', [(9, 5), (5, 3)]),
        ('<polyline points="1,2 3,4 5,0" transform="translate(10) scale(2,3)"/>', [(12, 6), (16, 12), (20, 0)]),
        ('<g transform="rotate(90)"><rect transform="matrix(1 0 0 1 1 1)" width="4" height="2"/></g>',
         [(-1, 1), (-1, 5), (-3, 5), (-3, 1)]),
    ],
)  # fmt: skip
def test_shapes_and_transformations_are_understood(element, passes):
    points = shape(element)
    assert all(min(dist(point, one) for one in points) < 1e-6 for point in passes)
