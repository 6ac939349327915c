"""The lines of orders: where they run, and how they look."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations
from math import dist, hypot

import pytest

from judge.maps import ground, symbols
from judge.maps.document import Element
from judge.maps.draw import drawing
from judge.maps.geometry import Box, Geometry, load_geometry, part_of
from judge.maps.orders_layer import OrdersLayer
from judge.maps.routes import SMALLER, dislodged_unit_position
from judge.maps.scene import Scene, read_scene, scene_of
from judge.maps.symbols import letter_size
from judge.maps.text_metrics import tag_box, written
from judge.rules import Move, Variant, adjudicate, load_variant, parse_order, position_from_json, start_position
from judge.rules.board.orders import province_of
from tests.maps.boards import DRAWN, LAID_OUT, board, busiest, crowded, game
from tests.texts import searched, table


def scene(variant_name: str, units: dict[str, list[str]], orders: dict[str, list[str]]) -> Scene:
    variant = load_variant(variant_name)
    position = position_from_json(variant, {"phase": variant.start, "units": units})
    given = {power: [parse_order(variant, "M", line) for line in lines] for power, lines in orders.items()}
    return scene_of(variant, position, adjudicate(variant, position, given))


def elements(shown: Scene) -> tuple[Element, ...]:
    """What is on the board."""
    return drawing(shown, load_geometry(shown.variant.name), 1000).board


def lines(shown: Scene) -> list[str]:
    return [element.svg for element in elements(shown) if element.at is None]


def moves(shown: Scene) -> list[str]:
    """Lines with a head; a head alone shows again, above a name, that of another line."""
    return [svg for svg in lines(shown) if "Z" in svg and "Q" in svg]


def test_what_wanted_to_go_by_sea_is_dashed_though_no_fleet_carried_it():
    (alone,) = moves(scene("standard", {"England": ["A LON", "F NTH"]}, {"England": ["A LON - NWY"]}))
    assert "stroke-dasharray" in alone
    (by_land,) = moves(scene("standard", {"France": ["A PAR"]}, {"France": ["A PAR - BUR"]}))
    assert "stroke-dasharray" not in by_land


def test_a_convoy_that_is_broken_is_dashed_along_its_fleets():
    broken = scene(
        "standard",
        {"England": ["A LON", "F NTH"], "France": ["F ENG", "F BEL"]},
        {"England": ["A LON - NWY", "F NTH C A LON - NWY"], "France": ["F ENG - NTH", "F BEL S F ENG - NTH"]},
    )
    geometry = load_geometry("standard")
    x, y = geometry.place("NTH")
    (army,) = [svg for svg in moves(broken) if "stroke-dasharray" in svg]
    assert f" {x:.0f} {y:.0f}" in army


def test_of_moves_that_meet_each_failure_is_marked_beside_its_own_unit():
    swap = scene(
        "standard", {"France": ["A PAR"], "Germany": ["A BUR"]}, {"France": ["A PAR - BUR"], "Germany": ["A BUR - PAR"]}
    )
    geometry = load_geometry("standard")
    crosses = [at for svg, _, at, _ in elements(swap) if at and svg == symbols.sign("failed", geometry.unit * 0.5)]
    assert len(crosses) == 2
    for own, other in (("PAR", "BUR"), ("BUR", "PAR")):
        assert any(dist(at, geometry.place(own)) < dist(at, geometry.place(other)) - 1 for at in crosses)


def test_an_arrow_ends_at_the_rim_of_what_stands_at_its_target():
    geometry = load_geometry("standard")
    tips = {
        "empty": tip(scene("standard", {"France": ["A PAR"]}, {"France": ["A PAR - BUR"]})),
        "unit": tip(scene("standard", {"France": ["A PAR"], "Germany": ["A BUR"]}, {"France": ["A PAR - BUR"]})),
        "dislodged": tip(scene(
            "standard",
            {"France": ["A PAR", "A MAR"], "Germany": ["A BUR"]},
            {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"]},
        )),
    }  # fmt: skip
    away = {what: dist(at, geometry.place("BUR")) / geometry.radius("BUR") for what, at in tips.items()}
    assert away["empty"] < 1 < away["unit"] < 1.6 < away["dislodged"] < 2.2


def tip(shown: Scene) -> tuple[float, float]:
    """The point of the only arrow."""
    (arrow,) = moves(shown)
    x, y = searched(r'M(\d+) (\d+)L[^"]*Z"', arrow).groups()
    return float(x), float(y)


def test_dots_of_a_support_are_outlined():
    supported = scene("standard", {"France": ["A PAR", "A MAR"]}, {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"]})
    (dotted,) = [svg for svg in lines(supported) if svg not in moves(supported)]
    strokes = [part for part in dotted.split("<path")[1:] if "stroke-dasharray" in part]
    assert len(strokes) == 2
    assert "#1d2530" in strokes[0]


def test_a_link_is_long_enough_to_be_seen():
    geometry, variant = load_geometry("1900"), load_variant("1900")
    link = r'd="M\S+ \d+l(-?\d+) ?(-?\d+)" stroke="#\w+" stroke-width="\S+" stroke-dash'
    dotted = re.findall(link, ground.lines(variant, geometry)[0])
    lengths = [hypot(float(x), float(y)) for x, y in dotted]
    assert lengths
    assert min(lengths) >= geometry.unit * 1.5


def test_a_name_tells_where_fleets_can_convoy():
    """Gibraltar is a coast in which they can."""
    geometry, variant = load_geometry("1900"), load_variant("1900")
    inks = {label.svg.partition(">")[2].partition("<")[0]: label.style for label in ground.labels(variant, geometry)}
    assert inks["GIB"] == inks["MID"] != inks["MOR"]


def test_the_way_around_the_cape_runs_to_a_tag_and_from_a_tag_at_half_strength():
    geometry = load_geometry("1900")
    shown = scene("1900", {"Britain": ["F MID"]}, {"Britain": ["F MID - EGY"]})
    (line,) = moves(shown)
    points = [(float(x), float(y)) for x, y in re.findall(r"(\d+) (\d+)", line)]
    for place in ("MID", "EGY"):
        assert any(beside_tag(geometry, place, point) for point in points), place
    assert any("½" in element.svg for element in elements(shown))
    near = scene("1900", {"Britain": ["F MID"]}, {"Britain": ["F MID - ENG"]})
    assert not any("½" in element.svg for element in elements(near))


def beside_tag(geometry: Geometry, place: str, at: tuple[float, float]) -> bool:
    """Whether a point lies at the rim of the tag in that province, and not upon it."""
    box, room = tag_box(geometry, place), geometry.unit
    around = Box(box.left - room, box.top - room, box.right + room, box.bottom + room)
    (x, y), spot = at, Box(*at, *at)
    return around.overlaps(spot) and not box.overlaps(Box(x - 1, y - 1, x + 1, y + 1))


def test_a_ring_of_a_convoy_is_seen_though_its_fleet_was_dislodged():
    broken = scene(
        "standard",
        {"England": ["A LON", "F NTH"], "France": ["F ENG", "F BEL"]},
        {"England": ["A LON - NWY", "F NTH C A LON - NWY"], "France": ["F ENG - NTH", "F BEL S F ENG - NTH"]},
    )
    signs = [element.svg for element in elements(broken)]
    (ring,) = [at for at, svg in enumerate(signs) if 'stroke-dasharray=".35 .25"' in svg]
    star = symbols.sign("dislodged", load_geometry("standard").radius("NTH"))
    bursts = [at for at, svg in enumerate(signs) if svg == star]
    assert bursts
    assert max(bursts) < ring


def test_an_arrow_between_near_neighbours_is_seen():
    """From the rim of the unit it is longer than its head."""
    geometry = load_geometry("standard")
    for unit, target in (("A WAL", "LVP"), ("F LVP", "WAL"), ("A VEN", "TUS")):
        at = tip(scene("standard", {"France": [unit]}, {"France": [f"{unit} - {target}"]}))
        size = geometry.radius(unit[2:])
        assert dist(at, geometry.place(unit[2:])) > 2.5 * size, (unit, target)


def test_strokes_through_a_unit_leave_its_letter_free():
    """Of what was removed the owner must be told, too."""
    drawn = searched(r'd="([^"]*)"', symbols.sign("gone", 1))[1]
    reached = [abs(float(number)) for number in re.findall(r"-?\d*\.?\d+", drawn)]
    assert min(reached) > letter_size("A", "G") / 2


def test_a_convoy_around_the_cape_goes_by_the_tags_too():
    geometry = load_geometry("1900")
    shown = scene("1900", {"Britain": ["A LON", "F ENG", "F MID"]}, {
        "Britain": ["A LON - EGY", "F ENG C A LON - EGY", "F MID C A LON - EGY"]
    })  # fmt: skip
    (line,) = moves(shown)
    for x, y in (geometry.place("ENG"), geometry.place("MID")):
        assert f"{x:.0f} {y:.0f}" in line
    points = [(float(x), float(y)) for x, y in re.findall(r"(\d+) (\d+)", line)]
    for place in ("MID", "EGY"):
        assert any(beside_tag(geometry, place, point) for point in points), place
    assert any("½" in element.svg for element in elements(shown))


def test_moves_around_the_cape_do_not_hide_one_another():
    """Three meet at the tags of the Middle Atlantic: each has its arrow, and its cross and its ½ at both ends."""
    geometry = load_geometry("1900")
    shown = scene(
        "1900",
        {"Turkey": ["F EGY", "F HEJ"], "France": ["F MID"]},
        {"Turkey": ["F EGY - MID", "F HEJ - MID"], "France": ["F MID - HEJ"]},
    )
    marks = [at for svg, _, at, _ in elements(shown) if at and svg in _marks(geometry)]
    assert len(marks) == 12
    for one, other in combinations(marks, 2):
        assert dist(one, other) > geometry.unit, "one sign covers another"
    for part in geometry.parts:
        near = part_of(geometry, part)
        board = drawing(shown, near, 1000).board
        for mark in _marks(near):
            seen = [at for svg, _, at, _ in board if at and svg == mark and part.window.meets([at])]
            assert len(seen) == 3, part.name


@pytest.mark.parametrize("name", DRAWN)
def test_no_sign_hides_the_letter_of_a_unit(name):
    geometry = load_geometry(name)
    for shown in (*busiest(name).values(), crowded(name)):
        units = [unit for own in shown.position.units.values() for unit in own]
        stands = [(geometry.place(unit.place), geometry.radius(unit.place)) for unit in units]
        signs = [(at, searched(r"scale\(([\d.]+)\)", svg)[1]) for svg, _, at, _ in drawing(shown, geometry, 1000).board
                 if at and ("M-.45-.45" in svg or "½" in svg)]  # fmt: skip
        for at, radius in signs:
            for unit, size in stands:
                assert dist(at, unit) > float(radius) + size * 0.5, (shown.position.phase, unit)


def test_a_retreat_around_the_cape_and_the_attack_before_it_run_by_the_tags():
    variant, geometry = load_variant("1900"), load_geometry("1900")
    for beaten, came, orders in (("MID", "EGY", []), ("EGY", "CYR", []), ("MID", "IRI", ["F MID - EGY"])):
        dislodged = {"France": [{"unit": f"F {beaten}", "from": came}]}
        data = {"phase": "F1900R", "units": {"Britain": [f"F {beaten}"]}, "dislodged": dislodged}
        position = position_from_json(variant, data)
        given = {"France": [parse_order(variant, "R", line) for line in orders]}
        shown = scene_of(variant, position, adjudicate(variant, position, given) if orders else None)
        points = [(float(x), float(y)) for line in moves(shown) for x, y in re.findall(r"(\d+) (\d+)", line)]
        by_tag = [any(beside_tag(geometry, place, point) for point in points) for place in ("MID", "EGY")]
        assert all(by_tag) == (came != "CYR") == by_tag[0], (beaten, came)


def _marks(geometry: Geometry) -> tuple[str, str]:
    return symbols.sign("half", geometry.unit * 0.6), symbols.sign("failed", geometry.unit * 0.5)


@pytest.mark.parametrize(
    ("order", "fleets", "rival"),
    table("""
        F MID - EGY =>              => A CYR - EGY
        F EGY - MID =>              => F ENG - MID
        F MID - POR =>              => F SPA/WC - POR
        A LON - EGY => F ENG, F MID => A CYR - EGY
        A APU - EGY => F ION, F EAS => A CYR - EGY
        A EGY - GAS => F MID        => A MAR - GAS
        A EGY - APU => F EAS, F ION => A NAP - APU"""),
)
def test_a_half_is_drawn_where_the_outcome_shows_half_strength(order, fleets, rival):
    """Into an empty province, against one unit: at half strength a move loses to it, else both bounce."""
    own = [order.split(" - ")[0], *filter(None, fleets.split(", "))]
    given = [order, *(f"{fleet} C {order}" for fleet in own[1:])]
    shown = scene("1900", {"Britain": own, "France": [rival.split(" - ")[0]]}, {"Britain": given, "France": [rival]})
    results = {result.power: result.results for result in shown.results if isinstance(result.order, Move)}
    assert "bounce" in results["Britain"]
    assert ("½" in "".join(svg for svg, *_ in elements(shown))) == ("ok" in results["France"])


def test_a_carried_army_that_bounces_has_its_cross_where_it_landed():
    shown = scene(
        "standard",
        {"England": ["A LON", "F NTH"], "Russia": ["A SWE", "A FIN"]},
        {"England": ["A LON - NWY", "F NTH C A LON - NWY"], "Russia": ["A SWE - NWY"]},
    )
    geometry = load_geometry("standard")
    crosses = [at for svg, _, at, _ in elements(shown) if at and svg == symbols.sign("failed", geometry.unit * 0.5)]
    assert any(dist(at, geometry.place("NWY")) < dist(at, geometry.place("NTH")) for at in crosses)
    assert all(dist(at, geometry.place("LON")) > dist(at, geometry.place("NWY")) for at in crosses)


def test_support_for_a_move_that_is_not_shown_points_at_its_way():
    """Of a player's own orders those of others are not shown; in 1648 Wallachia is close to that way."""
    for name, units, order in (
        ("standard", ["A MAR"], "A MAR S A PAR - BUR"),
        ("1648", ["A WAL"], "A WAL S A BEL - TRA"),
    ):
        variant, geometry = load_variant(name), load_geometry(name)
        power = variant.powers[0].name
        others = variant.powers[1].name, [order.split(" S ")[1].split(" - ")[0]]
        position = {"phase": variant.start, "units": {power: units, others[0]: others[1]}}
        data = {"variant": name, "name": "", "occasion": "orders", "position": position, "outcome": None}
        shown = read_scene({**data, "orders": {power: [order]}})
        (drawn,) = [svg for svg in lines(shown) if "stroke-dasharray" in svg]
        x, y = map(float, searched(r'<circle cx="(\d+)" cy="(\d+)"', drawn).groups())
        assert dist((x, y), geometry.place(order.split()[1])) > geometry.unit * 1.5, name


def test_bids_are_drawn_hollow_in_the_color_of_the_player_and_marked_at_their_neutrals():
    variant, geometry = load_variant("1648"), load_geometry("1648")
    position = {"phase": variant.start, "units": {"France": ["A PAR"], "Neutral": ["A SWA", "A SAV", "A LOR"]}}
    data = {"variant": "1648", "name": "", "occasion": "orders", "position": position, "outcome": None}
    bids = {"France": ["A SWA S A PAR - LOR", "A SAV H"]}
    shown = read_scene({**data, "orders": {"France": ["A PAR - LOR"]}, "bids": bids})
    ordered = lines(read_scene({**data, "orders": {"France": ["A PAR - LOR"]}}))
    (added,) = [svg for svg in lines(shown) if svg not in ordered]
    assert added.count('" stroke="#fff" stroke-width') == 1 and 'fill="#fff"' in added
    rings = [element.at for element in elements(shown) if 'r="1.4" stroke="#fff"' in element.svg]
    assert rings == [geometry.place("SWA"), geometry.place("SAV")]
    assert "your bid" in drawing(shown, geometry, 1000).svg


# --- what hides an arrow ---


@pytest.mark.parametrize("name", LAID_OUT)
def test_between_the_nearest_units_an_arrow_is_seen(name):
    """It has room for a head and a shaft; one shorter than two units is above all units and names."""
    variant, geometry = board(name)
    seen = 0
    for move in nearest(variant, geometry):
        power, other = variant.powers[0].name, variant.powers[1].name
        target = next(one.unit for one in variant.board.spots.values() if one.unit.place == move.to)
        position = replace(start_position(variant), units={power: (move.unit,), other: (target,)}, centers={})
        layer = OrdersLayer(scene_of(variant, position, adjudicate(variant, position, {power: [move]})), geometry)
        (arrow,) = [one for one in (*layer.below, *layer.above) if one.at is None and "Z" in one.svg and "Q" in one.svg]
        start, tip = ends(arrow.svg)
        radius = min(map(geometry.radius, (move.unit.place, move.to)))
        assert dist(start, tip) > 1.1 * radius, move
        if dist(start, tip) < 1.95 * geometry.unit:
            last = max(number for number, one in enumerate(layer.above) if one.at == geometry.place(move.to))
            assert layer.above.index(arrow) > last, move
            seen += 1
    assert seen


@pytest.mark.parametrize("name", LAID_OUT)
def test_no_name_hides_the_head_of_an_arrow(name):
    """A head on which there is a name is drawn again above it."""
    geometry, again = load_geometry(name), 0
    for shown in (crowded(name), busiest(name)["R"]):
        layer = OrdersLayer(shown, geometry)
        above = "".join(one.svg for one in layer.above)
        boxes = [one.box for one in written(geometry).values()]
        for one in layer.below:
            for head in re.findall(r'<path d="M-?\d+ -?\d+L[^"]*Z"[^>]*>', one.svg if one.at is None else ""):
                corners = [(float(x), float(y)) for x, y in re.findall(r"(-?\d+) (-?\d+)", head.split("Z")[0])]
                if any(box.overlaps(Box.around(corners)) for box in boxes):
                    assert head in above
                    again += 1
    assert again


def nearest(variant: Variant, geometry: Geometry) -> Iterator[Move]:
    """Moves between places that are near to each other."""
    for spot in variant.board.spots.values():
        for to in spot.reach:
            here, there = geometry.place(spot.unit.place), geometry.place(to)
            is_tagged = frozenset((spot.unit.province, province_of(to))) in geometry.tagged
            names_coast = "/" in to or not variant.provinces[to].coasts or spot.unit.kind == "A"
            if dist(here, there) < 4 * geometry.unit and names_coast and not is_tagged:
                yield Move(spot.unit, to)


def ends(svg: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where an arrow begins, and the tip of its head."""
    start, tip = searched(r"M(-?\d+) (-?\d+)Q", svg), searched(r"M(-?\d+) (-?\d+)L", svg)
    return (float(start[1]), float(start[2])), (float(tip[1]), float(tip[2]))


@pytest.mark.parametrize("name", LAID_OUT)
def test_a_dislodged_unit_hides_no_center_and_its_mark_is_below_them(name):
    """The mark reaches to neighbors, whose owners could not be seen."""
    geometry = load_geometry(name)
    for view in [part_of(geometry, part) for part in geometry.parts]:
        for shown in [one for one in game(name) if one.position.dislodged]:
            marks, signs = OrdersLayer(shown, view).beneath, ground.centers(shown.variant, view, shown.newest)
            assert [*drawing(shown, view, 1000).board[: len(marks) + len(signs)]] == marks + signs
            for one in chain(*shown.position.dislodged.values()):
                at = dislodged_unit_position(view, one.unit.kind, one.unit.place)
                room = view.radius(one.unit.place) * SMALLER
                assert not [sign for sign in signs if sign.at and abs(complex(*sign.at) - at) < room], one


@pytest.mark.parametrize(("here", "there"), [("EDI", "YOR"), ("SMY", "CON"), ("VEN", "TYR")])
def test_a_cross_on_an_arrow_hides_no_center(here, there):
    geometry, order = load_geometry("standard"), f"A {here} - {there}"
    shown = scene("standard", {"France": [f"A {here}"], "Germany": [f"A {there}"]}, {"France": [order]})
    (cross,) = [one.at for one in elements(shown) if one.at and "M-.45-.45" in one.svg]
    center = geometry.spots[here].center
    assert cross and center
    assert dist(cross, center) > geometry.unit * 0.5 + geometry.dot


@pytest.mark.parametrize("name", LAID_OUT)
def test_few_lines_run_over_a_center(name):
    """Where there is another way, a line takes it."""
    geometry, crossed, ways = load_geometry(name), 0, 0
    for shown in game(name):
        centers = [complex(*one.at) for one in ground.seen_centers(shown.variant, geometry, shown.newest)]
        for curve in chain(*OrdersLayer(shown, geometry)._ways.values()):
            points = curve.points(24)
            crossed += any(abs(point - at) < geometry.dot for point in points for at in centers)
            ways += 1
    assert crossed < ways / 25, (crossed, ways)
