"""The picture of a scene, as the SVG that it is."""

import re
import time
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from judge.maps.draw import drawing, page
from judge.maps.geometry import load_geometry
from judge.maps.ground import seen_centers
from judge.maps.scene import Scene, read_scene, scene_of
from judge.maps.text_metrics import shown
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
from judge.rules.board import phase as phases
from tests.maps.boards import DRAWN, board, busiest, draw, sheets_of

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = pytest.mark.parametrize("name", DRAWN)
QUICK = 0.1  # seconds
ROOT = Path(__file__).parent.parent.parent
# What tells two signs apart: the strokes of each.
MARKS = {"tick": "M-.5.05", "bar": "M-.6 0H"}


def picture(scene: Scene) -> ElementTree.Element:
    return ElementTree.fromstring(draw(scene, load_geometry(scene.variant.name)))


def texts(drawn: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in drawn.iter(f"{SVG}text")]


def scene(phase: str, units: dict[str, list[str]], orders: dict[str, list[str]], **data: object) -> Scene:
    variant = load_variant("standard")
    position = position_from_json(variant, {"phase": phase, "units": units, **data})
    given = {power: [parse_order(variant, phases.kind(phase), text) for text in some] for power, some in orders.items()}
    return scene_of(variant, position, adjudicate(variant, position, given), name="heron", occasion="results")


def explained(scene: Scene) -> set[str]:
    """What the legend tells of orders."""
    said = " ".join(texts(picture(scene)))
    return {
        word
        for word in (
            "move",
            "by convoy",
            "support",
            "failed",
            "cut",
            "dislodged",
            "retreat",
            "open to retreat",
            "closed",
            "disbanded",
            "built",
            "removed",
            "neutral",
            "void",
        )
        if re.search(rf"(?<!open to )\b{word}\b(?!m)", said)
    }


@BOARDS
def test_every_scene_is_a_whole_picture(name):
    """And every sign of its legend is explained in HELP and in the document."""
    geometry = load_geometry(name)
    explanations = [(ROOT / file).read_text() for file in ("docs/maps.md", "templates/help/signs.txt.j2")]
    for found in busiest(name).values():
        said = texts(picture(found))
        assert {shown(geometry, abbr) for abbr in geometry.spots} <= set(said)
        when = f"{phases.season(found.position.phase)} {phases.year(found.position.phase)}, "
        assert any(text.startswith(f"heron: {when}") for text in said)
        assert f"{found.variant.title}, {found.position.phase}" in said
        signs = [text for text in said[said.index("army") :] if not text.isupper()]
        for words in ", ".join(signs).split(", "):
            assert all(words in " ".join(told.split()) for told in explanations), words


@pytest.mark.benchmarks
@BOARDS
def test_a_picture_is_quickly_made(name):
    """Of the whole board with every detail, and each of those that go with mails."""
    geometry = load_geometry(name)
    for found in busiest(name).values():
        draw(found, geometry)  # what is remembered of a board is found out once
        for form in ("svg", "png"):
            for sheet in sheets_of(found, geometry, form):
                began = time.process_time()
                page(found, geometry, form, sheet.part)
                took = time.process_time() - began
                print(f"\n{form} {sheet.title}: SVG in {1000 * took:.0f} ms")
                assert took < QUICK


def test_units_bear_their_owners_letters_so_that_colour_alone_tells_nothing():
    said = texts(picture(busiest("standard")["S"]))
    powers = load_variant("standard").powers
    letters = {power.letter: len(power.units) + len(power.homes) for power in powers}
    # One each in the legend, and there the first power's in the signs of an owned and of a home center.
    letters[powers[0].letter] += 2
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
    assert explained(bounced) == {"move", "failed"}
    helped = scene("S1901M", {"France": ["A PAR", "A MAR"]}, {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"]})
    assert explained(helped) == {"move", "support"}
    carried = scene("S1901M", {"England": ["A LON", "F NTH"]}, {"England": ["A LON - NWY", "F NTH C A LON - NWY"]})
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


def test_void_orders_are_shown_as_void_and_without_a_line():
    void = scene("S1901M", {"France": ["A PAR"], "Italy": ["A ROM"]}, {"France": ["A PAR S A ROM - VEN"]})
    assert explained(void) == {"void"}


def test_retreats_and_disbandings():
    units = {"Germany": ["A BUR", "A SER"]}
    dislodged = {"France": [{"unit": "A BUR", "from": "MUN"}], "Turkey": [{"unit": "A SER", "from": "BUD"}]}
    fled = scene("F1901R", units, {"France": ["A BUR - GAS"]}, dislodged=dislodged)
    assert explained(fled) == {"dislodged", "retreat", "disbanded"}
    waiting = scene_of(fled.variant, fled.position)
    assert explained(waiting) == {"dislodged", "open to retreat", "closed"}


def test_builds_and_removals():
    winter = scene(
        "W1901A",
        {"France": ["A SPA"], "Germany": ["A BEL", "A HOL"]},
        {"France": ["BUILD F BRE"], "Germany": ["REMOVE A BEL"]},
        centers={"France": ["PAR", "BRE"], "Germany": ["BER"]},
    )
    assert explained(winter) == {"built", "removed"}


def test_a_center_tells_whether_its_owner_builds_there():
    variant = load_variant("standard")
    start = {"phase": "S1902M", "units": {}, "centers": {"France": ["BEL", "MUN", "PAR"]}}
    shown = seen_centers(variant, load_geometry("standard"), position_from_json(variant, start))
    assert sorted((one.top, one.builds) for one in shown if one.owner) == [("", False), ("home", False), ("home", True)]


@pytest.mark.parametrize(
    ("name", "power", "center", "top", "builds"),
    [
        ("1648", "Turkey", "ALG", "vassal", True),
        ("1648", "Spain", "ALG", "vassal", False),
        ("colonia", "France", "BRA", "colony", True),
        ("colonia", "Russia", "AMU", "special", True),
        ("colonia", "Spain", "AMU", "special", False),
        ("ambition_empire", "Sweden", "COU", "named", True),
        ("build_anywhere", "France", "BEL", "", True),
    ],
)
def test_the_sign_of_a_center_changes_with_what_it_is(name, power, center, top, builds):
    variant, geometry = board(name)
    homes = {power: [center]} if top == "named" else {}
    start = {"phase": variant.start, "units": {}, "centers": {power: [center]}, "homes": homes}
    (one,) = [one for one in seen_centers(variant, geometry, position_from_json(variant, start)) if one.owner]
    assert (one.top, one.builds) == (top, builds)


def test_where_russia_builds_in_its_emergency():
    variant, geometry = board("1900")
    for homes, sites in ((["MOS"], [geometry.place("SIB")]), (["MOS", "SEV", "STP", "WAR"], [])):
        start = {"phase": "W1901A", "units": {}, "centers": {"Russia": homes}}
        found = seen_centers(variant, geometry, position_from_json(variant, start))
        assert [one.at for one in found if one.top == "site"] == sites


def test_retreats_show_the_attacker_and_where_to_go():
    """From BUR, taken from MUN: MUN is closed to it, GAS by a stand-off; PAR is open, MAR occupied."""
    variant = load_variant("standard")
    waiting = position_from_json(variant, {
        "phase": "F1901R", "units": {"Germany": ["A BUR"], "France": ["A MAR"]}, "contested": ["GAS"],
        "dislodged": {"France": [{"unit": "A BUR", "from": "MUN"}]},
    })  # fmt: skip
    geometry = load_geometry("standard")
    shown = scene_of(variant, waiting)
    board = drawing(shown, geometry, 1000).board
    signs = {kind: {element.at for element in board if mark in element.svg} for kind, mark in MARKS.items()}
    assert signs["bar"] == {geometry.place("MUN"), geometry.place("GAS")}
    assert signs["tick"] == {geometry.place(abbr) for abbr in ("PAR", "PIC", "BEL", "RUH")}
    assert {"dislodged", "the attacker came this way", "open to retreat", "closed"} <= set(texts(picture(shown)))


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
def test_a_scene_read_from_what_is_kept_is_the_same_picture(name):
    geometry = load_geometry(name)
    played = {kind: found for kind, found in busiest(name).items() if kind != "S"}
    assert played.keys() >= {"M", "A"}
    for found in played.values():
        variant, position = found.variant, found.position
        outcome = adjudicate(variant, position, _orders(found))
        kept = {
            "variant": name,
            "holders": {power: group.name for group in variant.groups for power in group.powers},
            "name": "heron",
            "occasion": "results",
            "position": position_to_json(variant, position),
            "outcome": outcome_to_json(variant, outcome),
        }
        assert draw(read_scene(kept), geometry) == draw(found, geometry)


def _orders(found: Scene) -> dict[str, list]:
    orders: dict[str, list] = {}
    for result in found.results:
        orders.setdefault(result.power, []).append(result.order)
    return orders


def test_an_empty_board_is_a_picture_too():
    variant = load_variant("standard")
    assert "BUR" in texts(picture(scene_of(variant, Position("S1901M", {}, {}))))


def test_a_border_that_is_a_link_and_is_taken_away_is_none():
    variant = load_variant("1900")
    kept = {
        "variant": "1900",
        "name": "heron",
        "occasion": "",
        "position": position_to_json(variant, start_position(variant)),
        "outcome": None,
    }
    closed = picture(read_scene({**kept, "borders": ["REMOVE ARMY CLY IRE", "REMOVE FLEET CLY IRE"]}))
    assert "no border" in texts(closed) and "no border" not in texts(picture(read_scene(kept)))


def test_borders_that_a_master_has_corrected_are_drawn_as_they_are():
    """One that is taken away becomes a barrier, one that is added a link."""
    kept = {
        "variant": "standard",
        "name": "heron",
        "occasion": "",
        "position": position_to_json(load_variant("standard"), start_position(load_variant("standard"))),
        "outcome": None,
    }
    plain = picture(read_scene(kept))
    closed = picture(read_scene({**kept, "borders": ["REMOVE ARMY BUR PAR"]}))
    opened = picture(read_scene({**kept, "borders": ["ADD ARMY MUN PAR"]}))
    assert "no border" not in texts(plain)
    assert "no border" in texts(closed)
    assert "no border" not in texts(opened)
    assert ("neighbors" in texts(plain), "neighbors" in texts(opened)) == (False, True)
    assert len(list(opened.iter())) == len(list(plain.iter())) + 7  # the line, its ends, and the same in the legend
