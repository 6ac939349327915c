"""Ambition & Empire; each test names the section of the rules, or the ruling, that it checks.

The auction itself is in tests/rules/mechanisms/test_diplomacy_points.py.
"""

import pytest

from judge.rules import (
    NEUTRAL,
    Home,
    OrderError,
    adjudicate,
    civil_disorder,
    describe_order,
    looks_like_order,
    parse_order,
    position_to_json,
    start_position,
)
from judge.rules.describe import portrait
from tests.rules.lines import Board

BOARD = Board("ambition_empire")
VARIANT = BOARD.variant


# --- II, III: powers and minor powers -----------------------------------------------------------------------------


def test_great_powers():
    """II."""
    start = start_position(VARIANT)
    assert start.phase == "S1763M"
    assert {power: len(centers) for power, centers in start.centers.items()} == {
        "Austria": 4, "Britain & Hanover": 4, "Denmark-Norway": 2, "France": 3, "Poland & Saxony": 2, "Prussia": 3,
        "Russia": 3, "Spain": 2, "Sweden": 2, "Turkey": 2,
    }  # fmt: skip
    units = {power: ", ".join(map(str, units)) for power, units in start.units.items() if power != NEUTRAL}
    assert units == {
        "Austria": "A ANE, A BUD, A MIL, A VIE",
        "Britain & Hanover": "A HAN, F EDI, F GIB, F LON",
        "Denmark-Norway": "F CHR, F COP",
        "France": "A MAR, A PAR, F BRE",
        "Poland & Saxony": "A DRE, A WAR",
        "Prussia": "A BER, A BRL, A KON",
        "Russia": "A KEV, A MOS, F STP",
        "Spain": "A MAD, F BRC",
        "Sweden": "A ABO, F STO",
        "Turkey": "A ANK, F CON",
    }


def test_minor_powers():
    """III."""
    neutrals = start_position(VARIANT).units[NEUTRAL]
    assert len(neutrals) == 17
    fleets = {unit.province for unit in neutrals if unit.kind == "F"}
    assert fleets == {"ALG", "COU", "MOR", "POR", "TUN", "TWS", "UPR", "VEN"}
    owned = {center for power in VARIANT.powers for center in power.owns}
    assert owned | {unit.province for unit in neutrals} == set(VARIANT.centers)
    assert (len(VARIANT.centers), len(VARIANT.provinces)) == (44, 95)


# --- V.2: the third home center -------------------------------------------------------------------------------------


def homes(answered: dict) -> dict[str, list[str]]:
    return answered["homes"]


POLISH = {
    "units": {"Poland & Saxony": ["A HEW", "A BRL"]},
    "centers": {"Poland & Saxony": ["BRL", "DRE", "HEW", "WAR"]},
}


def test_who_does_not_say_gets_the_first_by_abbreviation():
    """Rulings, "Ambition & Empire" 1."""
    outcome = adjudicate(VARIANT, BOARD.position("W1763A", **POLISH), {})
    assert outcome.position.homes == {"Poland & Saxony": ("BRL",)}
    assert (outcome.homes, outcome.homes_by_default) == ({"Poland & Saxony": "BRL"}, ("Poland & Saxony",))
    said = adjudicate(VARIANT, BOARD.position("W1763A", **POLISH), {"Poland & Saxony": [Home("HEW")]})
    assert (said.homes, said.homes_by_default) == ({"Poland & Saxony": "HEW"}, ())


def test_home_is_an_order_of_the_winter_in_words():
    home = parse_order(VARIANT, "A", "home hesse-westphalia")
    assert str(home) == "HOME HEW" and parse_order(VARIANT, "A", str(home)) == home
    described = describe_order(VARIANT, BOARD.position("W1763A", **POLISH), home)
    assert described == "Names Hesse-Westphalia as a home center."
    assert looks_like_order(VARIANT, "Home MEC") and looks_like_order(VARIANT, "HOME Republic of Venice")
    assert not looks_like_order(VARIANT, "Home by Monday, then I go to Berlin")
    with pytest.raises(OrderError, match="in a winter phase"):
        parse_order(VARIANT, "M", "HOME HEW")


# --- VII, VIII ------------------------------------------------------------------------------------------------------


def test_civil_disorder():
    """VII: Austria falls while a Prussian stands in Vienna. A third home that was Austria's stays the other's."""
    at = BOARD.position(
        "F1764M",
        units={"Austria": ["A MIL", "A TYR"], "Prussia": ["A VIE"], "Turkey": ["A CON"]},
        centers={"Austria": ["ANE", "MIL", "VIE"], "Turkey": ["BUD", "CON"], "Prussia": ["BER"]},
        homes={"Turkey": ["BUD"]},
    )
    after = civil_disorder(at, "Austria")
    assert (after.independent, after.later) == (("ANE", "MIL"), ("VIE",))
    assert [unit.text for unit in after.vanished] == ["A MIL", "A TYR"]
    assert after.position.homes == {"Turkey": ("BUD",)}
    winter = adjudicate(VARIANT, after.position, {"Prussia": [parse_order(VARIANT, "M", "A VIE - BOH")]}).position
    assert "A VIE" in {unit.text for unit in adjudicate(VARIANT, winter, {}).rebuilt}


@pytest.mark.parametrize(
    ("army", "place", "walks"),
    [
        ("EDI", "IRE", True), ("ANK", "CON", True), ("COP", "SCA", True),  # crossings
        ("STP", "NOV", False), ("KAR", "MOS", False),  # Lake Ladoga
        ("COU", "KON", True),
    ],
)  # fmt: skip
def test_notes_on_the_map_for_armies(army, place, walks):
    """VIII."""
    assert (place in VARIANT.board.spots[f"A {army}"].reach) == walks


def test_notes_on_the_map_for_fleets():
    """VIII; rulings, "Ambition & Empire" 4."""
    spots = VARIANT.board.spots
    assert "IRE" not in spots["F EDI"].reach, "the crossing is for armies"
    assert "CON" in spots["F ANK"].reach and "SCA" in spots["F COP"].reach
    assert "F LIT" not in spots and "A GIB" not in spots
    assert VARIANT.provinces["HOL"].coasts == ("EC", "WC")
    assert VARIANT.provinces["AND"].coasts == VARIANT.provinces["MOR"].coasts == ()
    assert "A SAR" in spots and "A ICE" in spots


# --- in words --------------------------------------------------------------------------------------------------------


def test_the_portrait_tells_the_rules_of_the_game():
    told = portrait(VARIANT)
    assert "1 for each center that it owns, 3 at most" in told
    assert "Turkey, Algiers, Crimea, Morocco and Tunis are Muslim" in told
    assert "Papal States can support units of Catholics only: Austria, France, Poland & Saxony, Spain, Tuscany" in told
    assert "Denmark-Norway, Poland & Saxony, Spain, Sweden and Turkey each get one more permanent home center" in told


def test_a_position_with_homes_is_written_as_it_is():
    at = BOARD.position("S1764M", centers={"Spain": ["POR"]}, homes={"Spain": ["POR"]})
    assert position_to_json(VARIANT, at)["homes"] == {"Spain": ["POR"]}
