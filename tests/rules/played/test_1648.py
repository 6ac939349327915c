"""1648, rule by rule; each test names the section of the rules, or the ruling, that it checks."""

import pytest

from judge.rules import (
    NEUTRAL,
    adjudicate,
    civil_disorder,
    needs,
    parse_order,
    position_from_json,
    position_to_json,
    start_position,
)
from judge.rules.board.phase import PhaseKind
from judge.rules.describe import portrait
from judge.rules.json_lines import answer
from judge.rules.phases.retreats_and_winters import build_sites
from tests.rules.lines import Board, bid, neutral_orders, results
from tests.texts import table

BOARD = Board("1648")
VARIANT = BOARD.variant
FLEETS = {"ALG", "CND", "COU", "POR", "TUN", "UPR", "VEN"}


def orders(kind: PhaseKind, **given: list[str]):
    return {
        power.replace("_", "-"): [parse_order(VARIANT, kind, text) for text in texts] for power, texts in given.items()
    }


# --- Initial Setup, Home Supply Centers, Minor Powers -----------------------------------------------------------


def test_initial_setup():
    start = start_position(VARIANT)
    assert start.phase == "S1649M"
    units = {power: ", ".join(map(str, units)) for power, units in start.units.items() if power != NEUTRAL}
    assert units == {
        "Austria": "A PRA, A VIE, F TRI",
        "Denmark-Norway": "A HOL, F CHR, F COP",
        "England": "F BRI, F LON",
        "France": "A MAR, A PAR, F BRE",
        "Poland-Lithuania": "A CRA, A VIL, A WAR",
        "Russia": "A MOS, A NOV, A VOR",
        "Spain": "A FLA, A MAD, F NAP, F SEV",
        "Sweden": "A ABO, A RIG, A STE, F STO/EC",
        "Turkey": "A BEL, A DAM, F CON",
    }
    assert start.centers["Spain"] == ("FLA", "MAD", "NAP", "SEV")
    assert sum(map(len, start.centers.values())) == 28


def test_minor_powers():
    neutrals = start_position(VARIANT).units[NEUTRAL]
    assert len(neutrals) == 31
    assert {unit.province for unit in neutrals if unit.kind == "F"} == FLEETS
    owned = {center for power in VARIANT.powers for center in power.owns}
    assert owned | {unit.province for unit in neutrals} == set(VARIANT.centers)


def test_the_summary_of_the_map():
    assert (len(VARIANT.provinces), len(VARIANT.centers)) == (135, 59)


# --- Minor Powers -----------------------------------------------------------------------------------------------


def without(*centers: str) -> list[str]:
    """The neutrals but these."""
    return [unit.text for unit in VARIANT.neutrals.units if unit.province not in centers]


# --- vassals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "vassals"),
    table("""
        England          => IRE SCO
        France           => LOR
        Poland-Lithuania => COU DPR UKR
        Russia           => CRI
        Turkey           => ALG CRI CRO TUN
        Austria          =>
        Spain            =>
        Sweden           =>
        Denmark-Norway   =>"""),
)
def test_a_suzerain_builds_in_its_vassals_centers_and_in_no_other_minor_power(power, vassals):
    minors = sorted(unit.province for unit in VARIANT.neutrals.units)
    at = BOARD.position("W1650A", centers={power: minors})
    assert build_sites(VARIANT, at, power) == tuple(vassals.split())


# --- settings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"victory": 60}, "from 1 to 59"),
        ({"victory": "many"}, "from 1 to 59"),
        ({"suez": 1870}, '"suez" is not a setting of variant 1648'),
        (18, "must be an object"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, why):
    with pytest.raises(ValueError, match=why):
        BOARD.play("F1650M", settings=settings)


# --- Map Clarifications, Changelog --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "places"),
    [
        ("F CON", "AEG BLA BUL ION"),  # a canal, with the Ionian Sea to its west
        ("F COP", "BAL BOL HEL SKA SCA"),
        ("F ING", "GOB LLA"),
        ("F SCA", "BAL SKA"),
        ("F ATL", "IND"),
        ("F DPR", "COU"),
        ("A DPR", "COU SAM"),
        ("A MOR", "SEV"),
        ("F SEV", "MOR ATL BAR"),
        ("F DAM/SC", "IND"),
    ],
)
def test_map_clarifications(unit, places):
    assert set(places.split()) <= VARIANT.board.spots[unit].reach


@pytest.mark.parametrize(("unit", "place"), [("F BAL", "SAM"), ("F BRI", "IRE"), ("F DAM/WC", "IND"), ("F VOR", "BLA")])
def test_what_does_not_touch(unit, place):
    spot = VARIANT.board.spots.get(unit)
    assert spot is None or place not in spot.reach


def test_warsaw_alone_is_safe_in_the_opening_year():
    """Brief introduction, Poland-Lithuania: a rival reaches every other home center within two moves."""
    board, start = VARIANT.board, start_position(VARIANT)

    def within_two_moves(unit) -> set[str]:
        spots = [board.spots[unit.text]]
        first = [
            board.spots.get(f"{unit.kind} {place}")
            for spot in spots
            for target in spot.reach
            for place in (spot.landings.get(target) or (target,))
        ]
        return {target for spot in (*spots, *first) if spot for target in spot.reach}

    safe = set()
    for power in VARIANT.powers:
        threatened = {
            province
            for other, units in start.units.items()
            if other not in (power.name, NEUTRAL)
            for unit in units
            for province in within_two_moves(unit)
        }
        safe |= set(power.homes) - threatened
    assert safe == {"WAR"}


# --- Civil Disorder ---------------------------------------------------------------------------------------------


def test_all_units_of_a_power_in_civil_disorder_are_disbanded():
    at = BOARD.position(
        "F1650R",
        units={"Sweden": ["A ABO", "F BAL"], "Russia": ["A KAR"]},
        dislodged={"Sweden": [{"unit": "A STE", "from": "BRA"}], "Russia": [{"unit": "A ING", "from": "PSK"}]},
        centers={"Sweden": ["ABO", "STE"], "Russia": ["MOS"]},
    )
    after = civil_disorder(at, "Sweden")
    assert [unit.text for unit in after.vanished] == ["A ABO", "A STE", "F BAL"]
    assert "Sweden" not in after.position.units and "Sweden" not in after.position.centers
    assert list(after.position.dislodged) == ["Russia"]
    assert after.position.phase == "F1650R"


def test_its_unoccupied_centers_become_minor_powers_with_an_army():
    """Those in which only its own units stood are unoccupied, since these are disbanded first; so is a fleet's port."""
    at = BOARD.position(
        "S1651M",
        units={"Spain": ["F SEV", "A EXT"], "France": ["A MAD"], "Neutral": ["A SWI"]},
        centers={"Spain": ["FLA", "MAD", "POR", "SEV"], "France": ["PAR"]},
    )
    after = civil_disorder(at, "Spain")
    assert after.independent == ("FLA", "POR", "SEV")
    assert [unit.text for unit in after.position.units[NEUTRAL]] == ["A FLA", "A POR", "A SEV", "A SWI"]
    assert after.position.neutrals == {"FLA": "A", "MAD": "A", "POR": "A", "SEV": "A"}


def occupied_madrid():
    """Spain has fallen into disorder while a Frenchman stands in Madrid."""
    at = BOARD.position(
        "S1651M", units={"Spain": ["A SEV"], "France": ["A MAD"]}, centers={"Spain": ["MAD", "SEV"], "France": ["PAR"]}
    )
    return civil_disorder(at, "Spain")


def test_a_center_in_which_another_power_stands_is_unaffected():
    after = occupied_madrid()
    assert after.later == ("MAD",)
    assert after.position.units["France"] == at_madrid()
    fall = adjudicate(VARIANT, after.position, {}).position
    assert fall.phase == "F1651M"
    kept = adjudicate(VARIANT, fall, {}).position
    assert kept.centers["France"] == ("MAD", "PAR"), "who still stands there after the Fall owns it"


def at_madrid():
    return BOARD.position("S1651M", units={"France": ["A MAD"]}).units["France"]


def test_a_center_that_is_left_becomes_a_minor_power_when_it_is_empty_after_a_fall():
    spring = adjudicate(VARIANT, occupied_madrid().position, orders("M", France=["A MAD - LEO"])).position
    assert "A MAD" not in {unit.text for unit in spring.units[NEUTRAL]}, "not yet: it is Fall"
    winter = adjudicate(VARIANT, spring, orders("M", France=["A LEO H"])).position
    assert winter.phase == "W1651A"
    outcome = adjudicate(VARIANT, winter, {})
    assert "A MAD" in {unit.text for unit in outcome.rebuilt}
    assert "A MAD" in {unit.text for unit in outcome.position.units[NEUTRAL]}
    assert "MAD" not in {center for centers in outcome.position.centers.values() for center in centers}


def test_a_new_minor_power_obeys_points_and_is_rebuilt_as_an_army():
    after = occupied_madrid().position
    fall = position_to_json(VARIANT, after) | {"phase": "F1651M"}
    answered = answer(
        fall | {"units": {"France": ["A MAD", "A EXT"], "Neutral": ["A SEV", "F POR"]}}
        | {"orders": {"France": ["A EXT - POR"]}, "bids": {"France": [bid(1, "A SEV S A EXT - POR")]}}
    )  # fmt: skip
    assert neutral_orders(answered) == ["A SEV S A EXT - POR"]
    assert results(answered)["A EXT - POR"] == ["ok"]
    lost = BOARD.play("W1652A", units={"Neutral": without()}, neutrals={"SEV": "A", "POR": "A"})
    assert "A SEV" in lost["units"]["Neutral"]
    assert "A POR" in BOARD.play("W1652A", neutrals={"POR": "A"})["units"]["Neutral"], (
        "an army, where a fleet was before"
    )
    assert lost["neutrals"] == {"SEV": "A", "POR": "A"}


def test_a_power_in_civil_disorder_has_nothing_to_do_and_no_points():
    after = occupied_madrid().position
    assert list(needs(VARIANT, after)) == ["France"]
    answered = answer(position_to_json(VARIANT, after) | {"bids": {"Spain": [bid(1, "A SEV H")]}})
    assert not answered["bids"][0]["won"]


def test_a_position_with_new_minor_powers_is_written_and_read():
    after = occupied_madrid().position
    assert position_from_json(VARIANT, position_to_json(VARIANT, after)) == after


@pytest.mark.parametrize("neutrals", [{"MAD": "X"}, {"EXT": "A"}, {"Nowhere": "A"}, ["MAD"], {"MAD": "F"}])
def test_neutrals_that_cannot_be_are_refused(neutrals):
    with pytest.raises(ValueError):
        BOARD.position("S1650M", neutrals=neutrals)


# --- in words ----------------------------------------------------------------------------------------------------


def test_the_portrait_tells_the_rules_of_the_game():
    told = portrait(VARIANT)
    assert "In each Spring and Fall a power has Diplomacy Points: 3, France 6." in told
    assert "at most 2 points each on 2 neutrals, and 1 on others" in told
    assert "Turkey: Algiers, Crimea, Croatia and Tunis" in told
    assert "31 centers are neutral" in told
