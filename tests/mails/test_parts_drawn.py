"""A board too large for one picture: an overview, and parts that show every province with its name."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import pytest

from judge.maps.colors import tint
from judge.maps.document import Drawing
from judge.maps.draw import is_named, page, page_names, tail
from judge.maps.geometry import Geometry, load_geometry, overview_of, part_of, path_along, path_around
from judge.maps.ground import seen_centers
from judge.maps.routes import Curve
from judge.maps.scene import scene_of
from judge.maps.text_metrics import names, shown
from judge.rules import Move, Position, adjudicate, load_variant, start_position
from tests.maps.boards import LAID_OUT, board, busiest, draw, sheets_of
from tests.texts import searched


def said(svg: str) -> set[str]:
    return set(re.findall(r"<text[^>]*>([^<]*)</text>", svg))


@lru_cache
def sheets(name: str, kind: str) -> list[Drawing]:
    """What goes with a mail: at the start (S), and of the busiest movement (M)."""
    return sheets_of(busiest(name)[kind], load_geometry(name))


@pytest.mark.parametrize("name", LAID_OUT)
def test_every_province_is_named_in_a_part_and_the_world_shows_seas_and_letters(name):
    variant, geometry = board(name)
    drawn = [said(sheet.svg) for sheet in sheets(name, "S")]
    provinces = {shown(geometry, abbr): variant.provinces[abbr].kind for abbr in geometry.spots}
    assert provinces.keys() <= set.union(*drawn[1:])
    if is_named(geometry):
        assert provinces.keys() <= drawn[0]
    else:
        seas = {abbr for abbr, kind in provinces.items() if kind == "sea"}
        assert provinces.keys() & drawn[0] <= seas
        assert len(seas & drawn[0]) > len(seas) * 0.7
    assert {power.letter for power in variant.powers if power.units} <= drawn[0]


# What only this sign has, and its words in the legend.
SIGNS = {
    '".55"/><circle': {"army"}, '".55"/><path': {"fleet"}, "M-.45-.45": {"failed", "cut"}, "M-.5.5.5-.5": {"void"},
    "½": {"half strength"}, "M0-1.75": {"dislodged"}, '".35 .25"': {"convoys"}, "M-.5.05": {"open to retreat"},
    "M-.6 0H": {"closed"}, "M-.55 0H": {"built"}, "M-1.2-1.2": {"disbanded", "removed"},
}  # fmt: skip


LINES = {
    "move": lambda svg: "Z" in svg and "dasharray" not in svg,
    "by convoy": lambda svg: "Z" in svg and "dasharray" in svg,
    "support": lambda svg: "Z" not in svg,
}


def points(svg: str) -> list[tuple[float, float]]:
    """Points along a line, close to each other."""
    aside = float((re.findall(r"translate\((-?\d+)", svg) or ["0"])[0])
    number = r"(-?\d+)"
    ways = re.findall(f"M{number} {number}Q{number} {number} {number} {number}", svg.split("/>")[0])
    return [
        (at.real + aside, at.imag)
        for numbers in ways
        for sx, sy, bx, by, ex, ey in [map(float, numbers)]
        for at in Curve(complex(sx, sy), complex(bx, by), complex(ex, ey)).points(50)
    ]


@pytest.mark.parametrize("name", LAID_OUT)
def test_each_row_of_a_legend_is_drawn_in_its_part_and_the_other_way_round(name):
    geometry = load_geometry(name)
    whole = geometry if is_named(geometry) else overview_of(geometry, geometry.width)
    for kind, scene in busiest(name).items():
        for sheet in sheets(name, kind):
            svg, letters = sheet.svg, {power.letter for power in scene.variant.powers}
            rows = {word for text in said(svg) - letters for word in text.split(", ")}
            for mark, words in SIGNS.items():
                at = [one.at for one in sheet.board if one.at and mark in one.svg]
                assert bool(at) or not words & rows, (sheet.part, words)
                assert words & rows or not any(sheet.window.meets([point]) for point in at), (sheet.part, words)
            for row, is_of in LINES.items() if scene.position.phase.endswith("M") else ():
                ways = [point for one in sheet.board if one.at is None and is_of(one.svg) for point in points(one.svg)]
                near, inside = (any(sheet.window.meets([at], room) for at in ways) for room in (20, -20))
                assert near if row in rows else not inside, (sheet.part, row)
            part = next((part_of(geometry, part) for part in geometry.parts if part.name == sheet.part), whole)
            seen = list(seen_centers(scene.variant, part, scene.newest))
            drawn = {"center": any(one.owner for one in seen), "home center": any(one.top == "home" for one in seen),
                     "free": any(not one.owner and one.top != "site" for one in seen)}  # fmt: skip
            assert {words: words in rows for words in drawn} == drawn, sheet.part
            link = 'stroke="#8a1c4a"' in sheet.lines.replace('#fff" stroke="#8a1c4a', "")
            assert link == ("neighbors" in rows), sheet.part
            told = {power.name for power in scene.variant.powers if re.search(rf">{power.name} \d+", svg)}
            if not sheet.part:
                everybody = told
            assert told <= everybody
        assert everybody


def test_a_sponsor_without_a_power_in_the_part_is_in_its_legend():
    """Perth is an affiliate of Blue, none of whose powers is near."""
    scene, geometry = busiest("intercontinental")["S"], load_geometry("intercontinental")
    sheet = page(scene, geometry, "png", "Australia")
    assert sheet
    assert any(text.startswith("Blue: ") for text in said(sheet.svg))
    assert not any(text.startswith("Great Britain") for text in said(sheet.svg))


def test_the_pacific_is_whole_in_its_part_of_colonia():
    """Its provinces are on both edges of the board; a fleet that crosses there has one arrow."""
    variant, geometry = board("colonia")
    pacific = next(part for part in geometry.parts if part.name == "Pacific")
    near = part_of(geometry, pacific)
    for abbr in ("HAW", "TAH", "SPC", "EPC", "SAM", "NPC", "JAP"):
        assert pacific.window.holds(names(near, abbr)[abbr].box)
    start = replace(start_position(variant), units={"Spain": (variant.board.spots["F EPC"].unit,)})
    order = Move(variant.board.spots["F EPC"].unit, "GIL")
    shown = scene_of(variant, start, adjudicate(variant, start, {"Spain": [order]}))
    sheet = page(shown, geometry, "png", "Pacific")
    assert sheet
    (arrow,) = [one for one in sheet.board if one.at is None and "Z" in one.svg]
    assert near.place("GIL")[0] < arrow.box.right and arrow.box.left < near.place("EPC")[0]
    assert pacific.window.holds(arrow.box)


def test_a_sign_outside_the_frame_is_not_in_the_legend():
    """Venice, whose fleet was dislodged, is just outside the West of 1648."""
    scene = busiest("1648")["M"]
    assert {*scene.beaten} == {"CRI", "VEN"}
    told = {sheet.part: "dislodged" in said(sheet.svg) for sheet in sheets("1648", "M")}
    assert told == {"": True, "West": False, "Center": True, "East": True}


@pytest.mark.parametrize("name", LAID_OUT)
def test_no_name_is_cut_off_by_the_frame(name):
    _, geometry = board(name)
    for sheet in sheets(name, "S"):
        if sheet.part:
            of = next(part_of(geometry, part) for part in geometry.parts if part.name == sheet.part)
            svg = sheet.svg
            for abbr in geometry.spots:
                if not of.window.holds(names(of, abbr)[abbr].box):
                    assert f">{shown(geometry, abbr)}</text>" not in svg


@pytest.mark.parametrize("name", LAID_OUT)
def test_the_sheets_of_each_form(name):
    geometry = load_geometry(name)
    for form in ("png", "small", "svg"):
        made = sheets(name, "M") if form == "png" else sheets_of(busiest(name)["M"], geometry, form)
        parts = [sheet.part for sheet in made]
        assert parts == page_names(geometry, form)
        assert len(parts) == (1 + len(geometry.parts) if form == "png" else 1)


def test_a_part_holds_what_lies_in_it_and_no_more():
    geometry = load_geometry("intercontinental")
    by_part = {sheet.part: sheet.svg for sheet in sheets("intercontinental", "S")}
    assert {"Pari", "Lond", "Madr"} <= said(by_part["Western Europe"])
    assert not {"Cape", "Peki", "Lima"} & said(by_part["Western Europe"])
    whole = draw(busiest("intercontinental")["S"], geometry)
    assert all(len(svg) < len(whole) / 2 for part, svg in by_part.items() if part)


def test_no_order_is_lost_between_the_parts():
    """The arrows of the whole board are those of its parts together."""
    scene, geometry = busiest("1648")["M"], load_geometry("1648")
    whole, *parts = (
        set(re.findall(r'<path d="(M\d+ \d+L[^"]*Z)" fill="#\w+" stroke="#fff"', svg))
        for svg in (
            draw(scene, geometry),
            *(draw(scene, replace(geometry, window=part.window)) for part in geometry.parts),
        )
    )
    assert len(whole) > 10
    assert set.union(*parts) == whole


def test_the_files_of_parts_have_names_of_their_own():
    geometry = load_geometry("intercontinental")
    tails = [tail(part) for part in page_names(geometry, "png")]
    assert tails[:3] == ["", "-western-europe", "-eastern-europe"]
    assert len(set(tails)) == len(tails)


# --- whose is what ----------------------------------------------------------------------------------------------


def test_affiliates_are_striped_in_their_sponsors_colour_until_somebody_owns_them():
    scene, geometry = busiest("intercontinental")["S"], load_geometry("intercontinental")
    variant = scene.variant
    colour = {group.name: group.colour for group in variant.groups}
    svg = draw(scene, geometry)
    dutch = variant.power_named["Dutch East Indies"].colour
    for of in (*colour.values(), dutch):
        assert f'fill="url(#stripes-{tint(of)[1:]})"' in svg
    for center, of in (("Dubl", colour["Blue"]), ("Amst", dutch), ("Oaxa", colour[variant.seat_of("Mexico")])):
        assert _fill(geometry, svg, center) == f"url(#stripes-{tint(of)[1:]})"
    taken = {**scene.position.centers, "France": ("Amst", "Pari")}
    owned = draw(scene_of(variant, _replaced(scene.position, taken)), geometry)
    assert _fill(geometry, owned, "Amst") == _fill(geometry, owned, "Pari") != _fill(geometry, svg, "Amst")


def test_affiliates_bear_their_sponsors_letters_and_minor_neutrals_none():
    scene, geometry = busiest("intercontinental")["S"], load_geometry("intercontinental")
    variant = scene.variant
    letters = re.findall(r">([A-Z]{1,2})</text>", draw(scene, geometry))
    for group in variant.groups:
        sponsored = [center for center in variant.sponsors if variant.sponsor(center) == group.name]
        # And one in the legend; another shows there what an affiliate is.
        assert letters.count(group.letter) == len(sponsored) + 1 + (group.letter == "B")
    for power in variant.powers:
        # On units, on centers, and in the legend; there the first one's are on the signs of centers too.
        told = len(power.units) + len(power.owns) + 1 + 2 * (power == variant.powers[0])
        assert letters.count(power.letter) == told


def test_before_groups_are_drawn_there_is_a_picture_too():
    variant, geometry = board("intercontinental")
    told = said(draw(scene_of(variant, start_position(variant)), geometry))
    assert {"Iran 2", "Mexico 2", "Blue: 10"} <= told


def test_players_are_told_what_their_powers_have_together():
    variant, geometry = busiest("intercontinental")["S"].variant, load_geometry("intercontinental")
    told = said(draw(busiest("intercontinental")["S"], geometry))
    for group in variant.groups:
        held = sum(len(variant.power_named[name].homes) for name in group.powers)
        assert f"{group.name}: {held}" in told


# --- the canal --------------------------------------------------------------------------------------------------


def test_suez_has_two_coasts_before_1870_and_a_canal_after():
    variant, geometry = load_variant("intercontinental"), load_geometry("intercontinental")
    start = start_position(variant)
    before, after = (
        draw(scene_of(variant, _replaced(start, start.centers, phase)), geometry) for phase in ("W1869A", "S1870M")
    )
    canal = path_along(geometry.canals["Suez"])
    assert canal not in before
    assert canal in after
    assert geometry.place("Suez/NC") != geometry.place("Suez/SC")


def test_where_the_canal_is_not_seen_the_ground_stays_the_same():
    """Else all parts of the board would be drawn again when it opens, and whenever games of both times take turns."""
    variant, geometry = load_variant("intercontinental"), load_geometry("intercontinental")
    start = start_position(variant)
    before, after = (
        {page.part: (page.lines, [area.outlines for area in page.areas]) for page in sheets_of(scene, geometry)}
        for phase in ("W1869A", "S1870M")
        for scene in [scene_of(variant, _replaced(start, start.centers, phase))]
    )
    changed = {part for part in before if before[part] != after[part] and part}
    seen = {part.name for part in geometry.parts if part.window.meets([geometry.place("Suez")])}
    assert changed == seen
    assert 0 < len(seen) < len(geometry.parts) / 2


def _fill(geometry: Geometry, svg: str, abbr: str) -> str:
    at = svg.index(path_around(geometry.areas[abbr]))
    return searched(r'fill="([^"]*)"', svg[at:])[1]


def _replaced(position: Position, centers: Mapping[str, tuple[str, ...]], phase: str = "") -> Position:
    return replace(position, centers=centers, phase=phase or position.phase)
