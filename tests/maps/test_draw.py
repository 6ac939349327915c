"""The picture of a scene, as the SVG that it is."""

import re
import time
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from judge.maps import Scene, draw, load_geometry, read_scene, scene_of
from judge.maps.ground import shown
from judge.rules import (
    NEUTRAL,
    Position,
    adjudicate,
    load_variant,
    outcome_to_json,
    parse_order,
    position_from_json,
    position_to_json,
    start_position,
)
from tests.maps.boards import DRAWN, board, busiest

SVG = "{http://www.w3.org/2000/svg}"
SCENES = pytest.mark.parametrize("kind", "SMRA")
BOARDS = pytest.mark.parametrize("name", DRAWN)
QUICK = 0.1  # seconds


def picture(scene: Scene) -> ElementTree.Element:
    return ElementTree.fromstring(draw(scene, load_geometry(scene.variant.name)))


def texts(drawn: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in drawn.iter(f"{SVG}text")]


def scene(phase: str, units: dict[str, list[str]], orders: dict[str, list[str]], **data: object) -> Scene:
    variant = load_variant("standard")
    position = position_from_json(variant, {"phase": phase, "units": units, **data})
    given = {
        power: [parse_order(variant, phase[-1], text) for text in some] for power, some in orders.items()
    }
    return scene_of(variant, position, adjudicate(variant, position, given), name="heron", occasion="results")


def explained(scene: Scene) -> set[str]:
    """What the legend tells of orders."""
    said = " ".join(texts(picture(scene)))
    return {
        word
        for word in ("move", "by convoy", "support", "failed", "cut", "dislodged", "retreat", "disbanded", "built",
                     "removed", "neutral")
        if re.search(rf"\b{word}\b(?!m)", said)
    }


@BOARDS
@SCENES
def test_every_scene_is_a_whole_picture(name, kind):
    found = busiest(name)
    if kind not in found:
        pytest.skip(f"no phase of this kind in the games of {name}")
    said = texts(picture(found[kind]))
    geometry = load_geometry(name)
    assert {shown(geometry, abbr) for abbr in found[kind].variant.provinces} <= set(said)
    assert any(text.startswith("heron: ") for text in said)
    assert f"{found[kind].variant.title}, {found[kind].position.phase}" in said


@BOARDS
@SCENES
def test_a_picture_is_quickly_made(name, kind):
    found = busiest(name)
    if kind not in found:
        pytest.skip(f"no phase of this kind in the games of {name}")
    geometry = load_geometry(name)
    draw(found["S"], geometry)
    took = []
    for _ in range(3):
        began = time.process_time()
        draw(found[kind], geometry)
        took.append(time.process_time() - began)
    assert min(took) < QUICK


@BOARDS
def test_no_name_lies_upon_another(name):
    variant, geometry = board(name)
    boxes = {}
    for abbr, spot in geometry.spots.items():
        size = geometry.label * spot.label_scale
        (x, y), half = spot.label, len(abbr) * size * 0.33
        boxes[abbr] = (x - half, y - size * 0.4, x + half, y + size * 0.4)
    names = list(boxes)
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            a, b = boxes[one], boxes[other]
            apart = a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
            assert apart, f"{one} and {other}"


def test_units_bear_their_owners_letters_so_that_colour_alone_tells_nothing():
    said = texts(picture(busiest("standard")["S"]))
    letters = {power.letter: len(power.units) for power in load_variant("standard").powers}
    # One each in the legend.
    assert {letter: said.count(letter) - 1 for letter in letters} == letters


def test_the_counts_are_those_after_the_phase():
    variant = load_variant("standard")
    fall = scene("F1901M", {"France": ["A SPA"], "Germany": ["A BEL"]}, {}, centers={"France": ["PAR"]})
    assert fall.newest.centers["France"] == ("PAR", "SPA")
    assert {"France 2", "Germany 1"} <= set(texts(picture(fall)))
    before = scene_of(variant, fall.position)
    assert "France 1" in texts(picture(before))


def test_what_a_movement_came_to_is_told_in_signs():
    moved = scene("S1901M", {"France": ["A PAR"]}, {"France": ["A PAR - BUR"]})
    assert explained(moved) == {"move"}
    bounced = scene(
        "S1901M", {"France": ["A PAR"], "Germany": ["A MUN"]}, {"France": ["A PAR - BUR"], "Germany": ["A MUN - BUR"]}
    )
    assert explained(bounced) == {"failed"}
    helped = scene("S1901M", {"France": ["A PAR", "A MAR"]}, {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"]})
    assert explained(helped) == {"move", "support"}
    carried = scene(
        "S1901M", {"England": ["A LON", "F NTH"]}, {"England": ["A LON - NWY", "F NTH C A LON - NWY"]}
    )
    assert explained(carried) == {"by convoy"}


def test_a_support_that_is_cut_and_a_unit_that_is_dislodged():
    fight = scene(
        "S1901M",
        {"France": ["A PAR", "A MAR"], "Germany": ["A BUR", "A MUN", "A RUH"], "Italy": ["A PIE"]},
        {
            "France": ["A PAR - BUR", "A MAR S A PAR - BUR"],
            "Germany": ["A MUN S A BUR", "A RUH S A BUR"],
            "Italy": ["A PIE - MAR"],
        },
    )
    assert {"support", "cut", "failed"} <= explained(fight)
    beaten = scene(
        "S1901M",
        {"France": ["A PAR", "A MAR"], "Germany": ["A BUR"]},
        {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"]},
    )
    assert "dislodged" in explained(beaten)


def test_void_orders_are_not_drawn():
    void = scene("S1901M", {"France": ["A PAR"], "Italy": ["A ROM"]}, {"France": ["A PAR S A ROM - VEN"]})
    assert explained(void) == set()


def test_retreats_and_disbandings():
    units = {"Germany": ["A BUR", "A SER"]}
    dislodged = {"France": [{"unit": "A BUR", "from": "MUN"}], "Turkey": [{"unit": "A SER", "from": "BUD"}]}
    fled = scene("F1901R", units, {"France": ["A BUR - GAS"]}, dislodged=dislodged)
    assert explained(fled) == {"dislodged", "retreat", "disbanded"}
    waiting = scene_of(fled.variant, fled.position)
    assert explained(waiting) == {"dislodged"}


def test_builds_and_removals():
    winter = scene(
        "W1901A",
        {"France": ["A SPA"], "Germany": ["A BEL", "A HOL"]},
        {"France": ["BUILD F BRE"], "Germany": ["REMOVE A BEL"]},
        centers={"France": ["PAR", "BRE"], "Germany": ["BER"]},
    )
    assert explained(winter) == {"built", "removed"}


def test_neutrals_have_a_colour_of_their_own():
    variant = load_variant("standard")
    position = start_position(variant)
    armed = replace(position, units={**position.units, NEUTRAL: (variant.board.spots["A BUR"].unit,)})
    assert explained(scene_of(variant, armed)) == {"neutral"}


def test_a_name_is_no_markup():
    variant = load_variant("standard")
    drawn = picture(scene_of(variant, start_position(variant), name='<script>&"'))
    assert not list(drawn.iter(f"{SVG}script"))


@BOARDS
@SCENES
def test_a_scene_read_from_what_is_kept_is_the_same_picture(name, kind):
    found = busiest(name).get(kind)
    if not found or kind == "S":
        pytest.skip("nothing was adjudicated")
    variant, position = found.variant, found.position
    outcome = adjudicate(variant, position, _orders(found))
    kept = {
        "variant": name,
        "name": "heron",
        "occasion": "results",
        "position": position_to_json(variant, position),
        "outcome": outcome_to_json(variant, outcome),
    }
    geometry = load_geometry(name)
    assert draw(read_scene(kept), geometry) == draw(found, geometry)


def _orders(found: Scene) -> dict[str, list]:
    orders: dict[str, list] = {}
    for result in found.results:
        orders.setdefault(result.power, []).append(result.order)
    return orders


def test_an_empty_board_is_a_picture_too():
    variant = load_variant("standard")
    assert "BUR" in texts(picture(scene_of(variant, Position("S1901M", {}, {}))))
