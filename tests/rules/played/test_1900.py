"""1900: each rule of its text has a test named after the section that it stands in.

Positions are told as their orders, each with what must become of it; the units stand where their orders begin.
"""

import json
from itertools import combinations
from random import Random

import pytest

from judge.rules import (
    Move,
    OrderError,
    Unit,
    answer_line,
    legal_orders,
    load_variant,
    looks_like_order,
    needs,
    parse_order,
    position_from_json,
    position_to_json,
    read_order,
    start_position,
)
from judge.rules.board.board_state import BoardState
from judge.rules.board.legality import useful_fleets
from judge.rules.describe import portrait
from judge.rules.json_lines import answer
from judge.rules.phases.needs import legal_builds
from judge.rules.phases.retreats import choices
from judge.rules.selfplay import play

BOARD = load_variant("1900")
START = start_position(BOARD)


def outcome(**line) -> dict:
    """What `judge adjudicate` answers to a line about 1900; nothing stands or is owned that is not given."""
    text, good = answer_line(json.dumps({"variant": "1900", "units": {}, "centers": {}, **line}))
    assert good, text
    return json.loads(text)


def expect(text: str, phase: str = "F1900M", **line) -> dict:
    """Adjudicates lines "Britain: F MID - EGY => bounce"; fails where an order comes to something else."""
    orders: dict[str, list[str]] = {}
    expected = []
    for row in filter(str.strip, text.splitlines()):
        power, _, rest = row.strip().partition(": ")
        order, _, results = rest.partition(" => ")
        orders.setdefault(power, []).append(order)
        expected.append((order, results.split(", ")))
    units = {power: [" ".join(order.split()[:2]) for order in given] for power, given in orders.items()}
    out = outcome(phase=phase, units=units, orders=orders, **line)
    given = [entry["order"] for entry in out["orders"]]
    told = dict(zip(given, (entry["results"] for entry in out["orders"]), strict=True))
    assert told == dict(expected), json.dumps(out["orders"], indent=1)
    return out


def why(order: str, *others: str) -> str:
    """Why a British order is void; `others` are units that stand about."""
    with pytest.raises(OrderError) as refusal:
        at = position_from_json(
            BOARD, {"phase": "F1900M", "units": {"Britain": [" ".join(order.split()[:2]), *others]}, "centers": {}}
        )
        read_order(BOARD, at, "Britain", order)
    return str(refusal.value)


def reach(unit: str) -> set[str]:
    """Where the unit may go, convoys aside; coasts told apart."""
    at = position_from_json(BOARD, {"phase": "S1900M", "units": {"Britain": [unit]}, "centers": {}})
    return {order.to for order in legal_orders(BOARD, at, at.units["Britain"][0]) if isinstance(order, Move)}


# --- the short rules, the powers, the names -------------------------------------------------------------------

OWN = BOARD.centers


def test_short_rules_1_eighteen_centers_and_more_than_any_other_win():
    won = outcome(phase="F1910M", centers={"France": OWN[:18], "Italy": OWN[18:35]})
    assert won["winner"] == "France"
    more = outcome(phase="F1910M", centers={"France": OWN[:18], "Italy": OWN[18:37]})
    assert more["winner"] == "Italy"
    assert outcome(phase="F1910M", centers={"France": OWN[:17]})["winner"] is None


def test_short_rules_1_two_with_equally_many_play_on():
    tied = outcome(phase="F1910M", centers={"France": OWN[:18], "Italy": OWN[18:36]})
    assert tied["winner"] is None
    assert tied["next"] != "F1910M"


def test_victory_conditions_after_a_tie_the_first_to_have_more_wins():
    out = outcome(
        phase="F1911M",
        units={"France": ["A SWI"]},
        centers={"France": OWN[:18], "Italy": sorted({*OWN[18:35], "SWI"})},
    )
    assert "SWI" in out["centers"]["France"]
    assert out["winner"] == "France"


def test_short_rules_2_egypt_and_algeria_are_owned_but_no_build_sites():
    assert "EGY" in START.centers["Britain"] and "ALG" in START.centers["France"]
    winter = {"phase": "W1900A", "units": {"Britain": ["F GIB"], "France": ["A PAR"]}}
    centers = {"Britain": ["EDI", "EGY"], "France": ["ALG", "MAR"]}
    at = position_from_json(BOARD, {**winter, "centers": centers})
    assert needs(BOARD, at)["Britain"].sites == ("EDI",)
    assert needs(BOARD, at)["France"].sites == ("MAR",)
    out = outcome(**winter, centers=centers, orders={"Britain": ["BUILD F EGY"], "France": ["BUILD A ALG"]})
    assert [entry["results"] for entry in out["orders"]] == [["void"], ["void"]]
    assert out["orders"][0]["why"] == "Egypt is not one of your home centers."


def test_egypt_and_algeria_count_as_any_other_center_for_removals_that_nobody_ordered():
    out = outcome(
        phase="W1900A", units={"Britain": ["F CYR", "F NTH", "F BAR"]}, centers={"Britain": ["EGY", "LON"]}
    )
    assert out["units"]["Britain"] == ["F CYR", "F NTH"]


def test_short_rules_3_liverpool_is_vacant():
    assert "LVP" in BOARD.power_named["Britain"].homes
    assert "LVP" not in {unit.province for units in START.units.values() for unit in units}


def test_short_rules_4_gibraltar_joins_spain_and_morocco_for_armies_and_fleets():
    assert reach("A GIB") == {"SPA", "MOR"}
    assert reach("F GIB") == {"SPA/EC", "SPA/WC", "MOR", "MID", "WES"}
    assert "GIB" in reach("A SPA") & reach("A MOR") & reach("F MOR") & reach("F SPA/EC") & reach("F SPA/WC")
    assert "GIB" not in reach("F SPA/NC")


def test_short_rules_4_gibraltar_is_a_canal():
    """Fleets go through it between two seas that do not touch."""
    assert "GIB" in reach("F MID") & reach("F WES")
    assert "WES" not in reach("F MID")


def test_short_rules_4_gibraltar_breaks_the_coast_of_spain_not_that_of_morocco():
    assert BOARD.provinces["SPA"].coasts == ("NC", "EC", "WC")
    assert BOARD.provinces["MOR"].coasts == ()
    assert reach("F MOR") == {"ALG", "GIB", "MID", "WES"}


def test_short_rules_4_gibraltar_is_no_center_and_britain_begins_there():
    assert not BOARD.provinces["GIB"].center
    assert Unit("F", "GIB") in START.units["Britain"]


UNITS = {
    "Austria-Hungary": "A BUD, A TRI, A VIE",
    "Britain": "F EDI, F EGY, F GIB, F LON",
    "France": "A ALG, A MAR, A PAR, F BRE",
    "Germany": "A BER, A COL, A MUN, F KIE",
    "Italy": "A MIL, A ROM, F NAP",
    "Russia": "A MOS, A WAR, F SEV, F STP/SC",
    "Turkey": "A CON, A DAM, F ANK",
}


def test_powers_and_units_at_the_start():
    assert START.phase == "S1900M"
    assert {power: ", ".join(map(str, units)) for power, units in START.units.items()} == UNITS


NAMES = """
Adr Adriatic Sea; Aeg Aegean Sea; Alg Algeria*; Als Alsace; Ank Ankara*; Apu Apulia; Ara Arabia; Arm Armenia;
Bal Baltic Sea; Bar Barents Sea; Bel Belgium*; Ber Berlin*; Bla Black Sea; Boh Bohemia; Bos Bosnia; Bre Brest*;
Bud Budapest*; Bul Bulgaria*; Bur Burgundy; Cly Clyde; Col Cologne*; Con Constantinople*; Cyr Cyrenaica;
Dam Damascus*; Den Denmark*; Eas Eastern Mediterranean Sea; Edi Edinburgh*; Egy Egypt*; Eng English Channel;
Fin Finland; Gal Galicia; Gas Gascony; GBo Gulf of Bothnia; Gib Gibraltar; GLy Gulf of Lyon; Gre Greece*; Hej Hejaz;
Hel Helgoland Bight; Ice Iceland; Ion Ionian Sea; Ire Ireland; Iri Irish Sea; Kie Kiel*; Kon Konya; Lon London*;
Lvo Livonia; Lvp Liverpool*; Mac Macedonia; Mar Marseilles*; Mid Mid-Atlantic Ocean; Mil Milan*; Mor Morocco*;
Mos Moscow*; Mun Munich*; Nap Naples*; NAt North Atlantic Ocean; Net Netherlands*; Nth North Sea; Nwg Norwegian Sea;
Nwy Norway*; Pal Palestine; Par Paris*; Pic Picardy; Pie Piedmont; Por Portugal*; Pru Prussia; Rom Rome*;
Rum Rumania*; Ser Serbia*; Sev Sevastapol*; Sib Siberia; Sil Silesia; Ska Skagerrak; Sou Southern Algeria;
Spa Spain*; StP St. Petersburg*; Swe Sweden*; Swi Switzerland*; Tri Trieste*; Trp Tripolitania*; Tun Tunisia;
Tyr Tyrolia; TyS Tyrrhenian Sea; Ukr Ukraine; Ven Venetia; Vie Vienna*; Wal Wales; War Warsaw*;
Wes Western Mediterranean Sea; Yor Yorkshire
"""
LISTED = [entry.strip().partition(" ")[::2] for entry in NAMES.replace("\n", " ").split(";")]


def test_list_of_names_is_the_whole_board():
    listed = {abbr.upper(): (name.rstrip("*"), name.endswith("*")) for abbr, name in LISTED}
    assert listed == {province.abbr: (province.name, province.center) for province in BOARD.provinces.values()}


@pytest.mark.parametrize(("abbr", "name"), LISTED, ids=[abbr for abbr, _ in LISTED])
def test_list_of_names_is_understood_in_orders(abbr: str, name: str):
    for word in (abbr, name.rstrip("*"), name.rstrip("*").lower()):
        assert str(parse_order(BOARD, "M", f"A {word} - Sev")) == f"A {abbr.upper()} - SEV"


@pytest.mark.parametrize(
    ("power", "text", "order"),
    [
        ("Russia", "Fleet St. Petersburg (sc) - Gulf of Bothnia", "F STP/SC - GBO"),
        ("Russia", "F Sevastopol - Romania", "F SEV - RUM"),
        ("Britain", "F Gib - Spa/ec", "F GIB - SPA/EC"),
        ("Britain", "F Gibraltar - Spain (west coast)", "F GIB - SPA/WC"),
        ("Britain", "fleet egypt to mid-atlantic", "F EGY - MID"),
        ("Austria-Hungary", "A Vie S Austria-Hungary A Tri", "A VIE S A TRI"),
        ("Turkey", "A Syria - Palestine", "A DAM - PAL"),
    ],
)
def test_orders_in_words(power: str, text: str, order: str):
    assert str(read_order(BOARD, START, power, text)) == order


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("Austria-Hungary: A VIE - TYR", True),
        ("Austria: A VIE - TYR", True),
        ("Austria-Hungary A VIE - TYR", True),
        ("Austria is strong, I will support you", False),
        ("Hungary: nothing to say", False),
    ],
)
def test_a_name_of_two_words_begins_an_order(line: str, order: bool):
    assert looks_like_order(BOARD, line) is order


# --- map changes ----------------------------------------------------------------------------------------------


def test_map_changes_1_thirty_nine_centers_of_which_fourteen_are_nobodys():
    owned = {power: len(centers) for power, centers in START.centers.items()}
    assert len(BOARD.centers) == 39
    assert sorted(owned.values()) == [3, 3, 3, 4, 4, 4, 4]
    assert {power for power, count in owned.items() if count == 3} == {"Austria-Hungary", "Italy", "Turkey"}


NEIGHBOURS = {
    "3 Southern Algeria": ("A SOU", "ALG MOR TRP TUN"),
    "4 the Tyrrhenian Sea touches Algeria": ("F TYS", "ALG GLY ION NAP ROM TUN WES"),
    "5 Tunisia lies between Algeria and Tripolitania": ("A TUN", "ALG SOU TRP"),
    "7 Cyrenaica lies between Tripolitania and Egypt": ("A CYR", "EGY TRP"),
    "10 Palestine lies between Damascus and Egypt": ("A PAL", "ARA DAM EGY HEJ"),
    "10 Palestine has its Mediterranean coast only": ("F PAL", "DAM EAS EGY"),
    "11 Arabia lies between Damascus, Palestine and Hejaz": ("A ARA", "DAM HEJ PAL"),
    "12 Macedonia, by land": ("A MAC", "BOS BUL CON GRE SER"),
    "12 Macedonia, east coast": ("F MAC/EC", "AEG CON GRE"),
    "12 Macedonia, west coast": ("F MAC/WC", "ADR BOS GRE ION"),
    "13 Siberia": ("A SIB", "MOS SEV STP"),
    "14 Bosnia": ("A BOS", "MAC SER TRI"),
    "15 Vienna no longer touches Galicia": ("A VIE", "BOH BUD TRI TYR"),
    "15 Budapest touches Bohemia": ("A BUD", "BOH GAL RUM SER TRI VIE"),
    "17 Milan": ("A MIL", "PIE ROM SWI TYR VEN"),
    "18 Rome borders Piedmont and Milan": ("A ROM", "APU MIL NAP PIE VEN"),
    "18 Rome borders the Gulf of Lyon": ("F ROM", "GLY NAP PIE TYS"),
    "21 Alsace parts Burgundy from Cologne and Munich": ("A ALS", "BEL BUR COL MUN SWI"),
    "21 Burgundy": ("A BUR", "ALS BEL GAS MAR PAR PIC SWI"),
    "23 Switzerland": ("A SWI", "ALS BUR MAR MIL MUN PIE TYR"),
    "24 Ireland borders the Mid-Atlantic": ("F IRE", "CLY IRI MID NAT"),
    "24 a crossing joins Ireland and Clyde": ("A IRE", "CLY"),
}


@pytest.mark.parametrize(("unit", "expected"), NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_map_changes_neighbours(unit: str, expected: str):
    assert reach(unit) == set(expected.split())


def test_map_changes_12_macedonia_touches_eight_spaces():
    assert len(BOARD.board.steps["MAC"]) == 8


def test_map_changes_12_a_fleet_bound_for_macedonia_names_the_coast_where_two_are_possible():
    assert why("F GRE - MAC") == "Which coast of Macedonia? Write MAC/EC or MAC/WC."
    out = expect("Turkey: F AEG - MAC/EC => ok\nItaly: F GRE S F AEG - MAC/EC => ok\nItaly: A BOS - MAC => bounce")
    assert "F MAC/EC" in out["units"]["Turkey"]


def test_map_changes_19_an_army_in_gibraltar_keeps_a_fleet_out():
    out = expect("France: A GIB H => ok\nBritain: F MID - GIB => bounce")
    assert out["units"] == {"France": ["A GIB"], "Britain": ["F MID"]}


# --- rule changes: geography ----------------------------------------------------------------------------------


def test_geography_iceland_ireland_and_switzerland_are_passable():
    expect("France: A MAR - SWI => ok\nBritain: A CLY - IRE => ok")
    expect("Britain: A IRE - ICE => ok\nBritain: F NAT C A IRE - ICE => ok")


def test_geography_clyde_and_ireland_though_an_enemy_fleet_is_in_the_north_atlantic():
    out = expect("Britain: A CLY - IRE => ok\nGermany: F NAT H => ok")
    assert "A IRE" in out["units"]["Britain"]
    expect("Britain: F IRE - CLY => ok\nGermany: F NAT H => ok")


def test_geography_armies_walk_between_gibraltar_and_morocco():
    expect("France: A MOR - GIB => ok")
    expect("France: A GIB - MOR => ok")


def test_geography_a_fleet_in_gibraltar_convoys():
    out = expect("Britain: F GIB C A MOR - SPA => ok\nBritain: A MOR - SPA => ok")
    assert "A SPA" in out["units"]["Britain"]


def test_geography_gibraltar_is_part_of_a_chain_of_fleets():
    expect(
        """
        Britain: A WAL - ALG => ok
        Britain: F ENG C A WAL - ALG => ok
        Britain: F MID C A WAL - ALG => ok
        Britain: F GIB C A WAL - ALG => ok
        Britain: F WES C A WAL - ALG => ok
        """
    )


def test_geography_a_fleet_dislodged_in_gibraltar_carries_nobody():
    expect(
        """
        Britain: A POR - ALG => disrupted
        Britain: F MID C A POR - ALG => ok
        Britain: F GIB C A POR - ALG => disrupted, dislodged
        Britain: F WES C A POR - ALG => ok
        France: A SPA - GIB => ok
        France: A MOR S A SPA - GIB => ok
        """
    )


def test_geography_gibraltar_can_be_where_a_convoyed_army_ends_or_begins():
    expect("Britain: A BRE - GIB => ok\nBritain: F MID C A BRE - GIB => ok")
    expect("Britain: A GIB - ALG => ok\nBritain: F WES C A GIB - ALG => ok")


def test_geography_a_fleet_in_gibraltar_carries_nobody_to_gibraltar():
    refusal = why("F GIB C A MOR - GIB", "A MOR", "F WES")
    assert refusal == "Fleet Gibraltar is on no convoy route from Morocco to Gibraltar."


def test_geography_an_army_in_gibraltar_convoys_nobody():
    assert why("A GIB C A MOR - SPA", "A MOR") == "Only fleets convoy."


# --- rule changes: the Suez Canal Rules -----------------------------------------------------------------------


def test_suez_1_a_fleet_moves_back_and_forth_between_egypt_and_hejaz():
    expect("Britain: F EGY - HEJ => ok")
    expect("Britain: F HEJ - EGY => ok")


def test_suez_1_is_no_way_around_the_cape():
    """Full strength, support, and a cut."""
    expect("Britain: F HEJ - EGY => bounce\nTurkey: A PAL - EGY => bounce")
    expect(
        """
        Britain: F HEJ - EGY => bounce
        Turkey: F EGY S F CYR => cut
        Turkey: F CYR H => ok, dislodged
        Italy: F ION - CYR => ok
        Italy: A TRP S F ION - CYR => ok
        """
    )
    expect("Britain: F HEJ S F EAS - EGY => ok\nBritain: F EAS - EGY => ok\nTurkey: F EGY H => ok, dislodged")


def test_suez_2_egypt_or_hejaz_and_the_mid_atlantic():
    for order in ("F MID - EGY", "F MID - HEJ", "F EGY - MID", "F HEJ - MID"):
        expect(f"Britain: {order} => ok")


def test_suez_2_is_for_fleets():
    assert why("A EGY - MID") == "An army cannot end in Mid-Atlantic Ocean."


@pytest.mark.parametrize("near", ["A PAL - EGY", "A CYR - EGY", "F EAS - EGY", "F HEJ - EGY"])
def test_suez_3_a_unit_adjacent_to_egypt_succeeds_against_a_fleet_from_the_mid_atlantic(near: str):
    expect(f"Turkey: {near} => ok\nBritain: F MID - EGY => bounce")


@pytest.mark.parametrize("near", ["A PAL - HEJ", "A ARA - HEJ", "F EGY - HEJ"])
def test_suez_3_a_unit_adjacent_to_hejaz_succeeds_against_a_fleet_from_the_mid_atlantic(near: str):
    expect(f"Turkey: {near} => ok\nBritain: F MID - HEJ => bounce")


@pytest.mark.parametrize("far", ["EGY", "HEJ"])
def test_suez_3_a_fleet_adjacent_to_the_mid_atlantic_succeeds_against_one_from_egypt_or_hejaz(far: str):
    expect(f"France: F BRE - MID => ok\nBritain: F {far} - MID => bounce")


def test_suez_3_two_that_come_around_the_cape_bounce():
    out = expect("Turkey: F HEJ - MID => bounce\nBritain: F EGY - MID => bounce")
    assert out["contested"] == ["MID"]


def test_suez_3_half_strength_dislodges_nobody_alone():
    expect("Britain: F MID - EGY => bounce\nTurkey: F EGY H => ok")


def test_suez_3_half_strength_against_a_unit_that_fails_to_leave():
    expect("Britain: F MID - EGY => bounce\nTurkey: F EGY - CYR => bounce\nItaly: A TRP - CYR => bounce")


def test_suez_3_a_support_counts_in_full():
    """One and a half against one, though not against two."""
    expect("Britain: F MID - EGY => ok\nBritain: F EAS S F MID - EGY => ok\nTurkey: A EGY H => ok, dislodged")
    expect(
        """
        Britain: F MID - EGY => bounce
        Britain: F EAS S F MID - EGY => ok
        Turkey: A EGY H => ok
        Turkey: A PAL S A EGY => ok
        """
    )
    expect(
        """
        Britain: F MID - EGY => ok
        Britain: F EAS S F MID - EGY => ok
        Turkey: A PAL - EGY => bounce
        """
    )


def test_suez_3_half_strength_keeps_nobody_out_for_whom_two_are_too_many():
    """Two at full strength bounce; the third, who comes around the cape, changes nothing and gets nothing."""
    out = expect("Turkey: A PAL - EGY => bounce\nItaly: A CYR - EGY => bounce\nBritain: F MID - EGY => bounce")
    assert out["contested"] == ["EGY"]


def test_suez_3_fleets_do_not_change_places_around_the_cape():
    expect("Britain: F MID - EGY => bounce\nTurkey: F EGY - MID => bounce")


def test_suez_3_head_to_head_both_have_half_strength():
    expect(
        """
        Britain: F MID - EGY => ok
        Britain: F EAS S F MID - EGY => ok
        Turkey: F EGY - MID => bounce, dislodged
        """
    )


def test_suez_3_a_ring_around_the_cape_goes_round():
    expect("Britain: F MID - HEJ => ok\nTurkey: F HEJ - EGY => ok\nItaly: F EGY - MID => ok")


def test_suez_3_nobody_dislodges_his_own_unit():
    expect("Britain: F MID - EGY => bounce\nBritain: F EAS S F MID - EGY => ok\nBritain: A EGY H => ok")


ACROSS = "cannot support around the Cape of Good Hope: it can move to"


@pytest.mark.parametrize("far", ["EGY", "HEJ"])
def test_suez_4_a_fleet_in_egypt_or_hejaz_supports_nothing_in_or_to_the_mid_atlantic(far: str):
    assert ACROSS in why(f"F {far} S F MID", "F MID")
    assert ACROSS in why(f"F {far} S F BRE - MID", "F BRE")
    expect(
        f"""
        Britain: F MID H => ok, dislodged
        Britain: F {far} S F MID => void
        France: F BRE - MID => ok
        France: F GAS S F BRE - MID => ok
        """
    )


@pytest.mark.parametrize("far", ["EGY", "HEJ"])
def test_suez_5_a_fleet_in_the_mid_atlantic_supports_nothing_in_or_to_egypt_or_hejaz(far: str):
    assert ACROSS in why(f"F MID S A {far}", f"A {far}")
    assert ACROSS in why(f"F MID S A PAL - {far}", "A PAL")
    expect(f"Britain: A PAL - {far} => bounce\nBritain: F MID S A PAL - {far} => void\nTurkey: A {far} H => ok")


def test_suez_5_the_other_end_may_be_supported_from_near_by():
    """Egypt supports the move to Hejaz, Gibraltar the move to the Mid-Atlantic."""
    expect("Britain: F MID - HEJ => ok\nBritain: F EGY S F MID - HEJ => ok\nTurkey: A HEJ H => ok, dislodged")
    expect("Britain: F EGY - MID => ok\nBritain: F GIB S F EGY - MID => ok\nFrance: F MID H => ok, dislodged")


@pytest.mark.parametrize("far", ["EGY", "HEJ"])
def test_suez_6_a_move_to_the_mid_atlantic_does_not_cut_the_support_of_the_fleet_there(far: str):
    expect(
        f"""
        Britain: F {far} - MID => bounce
        France: F MID S F BRE - ENG => ok
        France: F BRE - ENG => ok
        Germany: F ENG H => ok, dislodged
        """
    )


def test_suez_6_unless_the_fleet_in_the_mid_atlantic_is_dislodged():
    expect(
        """
        Britain: F EGY - MID => ok
        Britain: F GIB S F EGY - MID => ok
        France: F MID S F BRE - ENG => cut, dislodged
        France: F BRE - ENG => bounce
        Germany: F ENG H => ok
        """
    )


@pytest.mark.parametrize("unit", ["F EGY", "A EGY"])
def test_suez_6_a_move_to_egypt_does_not_cut_the_support_of_the_unit_there(unit: str):
    expect(
        f"""
        Britain: F MID - EGY => bounce
        Turkey: {unit} S A PAL - HEJ => ok
        Turkey: A PAL - HEJ => ok
        Italy: A HEJ H => ok, dislodged
        """
    )


def test_suez_6_unless_the_unit_in_egypt_is_dislodged():
    expect(
        """
        Britain: F MID - EGY => ok
        Britain: F EAS S F MID - EGY => ok
        Turkey: A EGY S A PAL - HEJ => cut, dislodged
        Turkey: A PAL - HEJ => bounce
        Italy: A HEJ H => ok
        """
    )


def test_suez_6_a_cut_that_only_itself_would_make_possible_is_not_made():
    """If Egypt's support were cut, the convoy would sink that cuts the support for the attack on Egypt."""
    expect(
        """
        Britain: F MID - EGY => bounce
        Britain: A CYR S F MID - EGY => cut
        Turkey: F EGY S F EAS => ok
        Turkey: F EAS C A KON - CYR => ok
        Turkey: A KON - CYR => bounce
        Italy: F AEG - EAS => bounce
        Italy: F ION S F AEG - EAS => ok
        """
    )


def test_suez_6_a_convoy_that_would_be_its_own_ruin_stays_put():
    """The convoy would cut the support without which Egypt's support sinks the convoy: Szykman's rule."""
    expect(
        """
        Britain: F MID - EGY => ok
        Britain: A CYR S F MID - EGY => ok
        Italy: F EGY S F AEG - EAS => cut, dislodged
        Italy: F AEG - EAS => bounce
        Turkey: F EAS C A KON - CYR => ok
        Turkey: A KON - CYR => disrupted
        """
    )


def test_suez_7_an_army_is_convoyed_from_egypt_or_hejaz_at_full_strength():
    expect("Britain: A EGY - POR => ok\nBritain: F MID C A EGY - POR => ok")
    expect("Britain: A HEJ - POR => bounce\nBritain: F MID C A HEJ - POR => ok\nFrance: A SPA - POR => bounce")


@pytest.mark.parametrize("far", ["EGY", "HEJ"])
def test_suez_7_an_army_is_convoyed_to_egypt_or_hejaz_at_half_strength(far: str):
    expect(f"Britain: A WAL - {far} => ok\nBritain: F ENG C A WAL - {far} => ok\nBritain: F MID C A WAL - {far} => ok")
    expect(f"Britain: A POR - {far} => bounce\nBritain: F MID C A POR - {far} => ok\nTurkey: A PAL - {far} => ok")
    expect(f"Britain: A POR - {far} => bounce\nBritain: F MID C A POR - {far} => ok\nTurkey: A {far} H => ok")


def test_suez_7_with_a_support_it_dislodges():
    expect(
        """
        Britain: A POR - EGY => ok
        Britain: F MID C A POR - EGY => ok
        Britain: F EAS S A POR - EGY => ok
        Turkey: A EGY H => ok, dislodged
        """
    )


def test_suez_7_another_route_brings_it_to_egypt_at_full_strength():
    """With both routes ordered and neither broken; with the Mediterranean broken it is half again."""
    both = """
        Britain: A SPA - EGY => bounce
        Britain: F MID C A SPA - EGY => ok
        Britain: F WES C A SPA - EGY => ok
        Britain: F TYS C A SPA - EGY => ok
        Britain: F ION C A SPA - EGY => ok
        Britain: F EAS C A SPA - EGY => {east}
        Turkey: A PAL - EGY => {rival}
        {threat}
        """
    expect(both.format(east="ok", rival="bounce", threat=""))
    sunk = "Italy: F AEG - EAS => ok\nItaly: F KON S F AEG - EAS => ok"
    expect(both.format(east="disrupted, dislodged", rival="ok", threat=sunk))


MEDITERRANEAN = ("GIB", "WES", "TYS", "ION", "EAS")


@pytest.mark.parametrize(("start", "fleets"), [("BRE", ("MID",)), ("POR", ("MID",)), ("LON", ("ENG", "MID"))])
def test_suez_7_a_landing_around_the_cape_is_no_short_cut_of_the_route_through_the_mediterranean(start, fleets):
    carried = "".join(f"Britain: F {sea} C A {start} - EGY => ok\n" for sea in (*fleets, *MEDITERRANEAN))
    expect(f"Britain: A {start} - EGY => bounce\n{carried}Turkey: A PAL - EGY => bounce")
    # With less it goes around the cape, at half strength.
    around = "".join(f"Britain: F {sea} C A {start} - EGY => ok\n" for sea in fleets)
    expect(f"Britain: A {start} - EGY => bounce\n{around}Turkey: A PAL - EGY => ok")


def test_suez_7_to_hejaz_every_route_goes_around_the_cape():
    assert why("F EAS C A BRE - HEJ", "A BRE", "F MID", *(f"F {sea}" for sea in MEDITERRANEAN[:-1])) == (
        "Fleet Eastern Mediterranean Sea is on no convoy route from Brest to Hejaz."
    )


def _needed(start: str, goal: str, fleets: tuple[str, ...], short: bool) -> set[str]:
    """The fleets without which some set of fleets would be no route: every set is tried, the smallest first."""
    routes: list[frozenset[str]] = []
    for size in range(1, len(fleets) + 1):
        for some in map(frozenset, combinations(fleets, size)):
            if not any(route <= some for route in routes) and BOARD.board.connected(start, goal, some, short):
                routes.append(some)
    return set().union(*routes)


@pytest.mark.parametrize("seed", range(12))
def test_suez_7_fleets_convoy_where_a_route_at_any_strength_or_at_full_strength_needs_them(seed):
    dice = Random(seed)
    board = BOARD.board
    shores = sorted(board.land & {name for name, lanes in board.lanes.items() if lanes})
    near_africa = [*MEDITERRANEAN, "MID", "ENG", "ADR", "GLY", "IRI", "NAT"]
    fleets = tuple(dice.sample(near_africa, 9))
    units = {"Britain": [f"F {sea}" for sea in fleets]}
    table = BoardState(BOARD, position_from_json(BOARD, {"phase": "F1900M", "units": units, "centers": {}}))
    for start in dice.sample(shores, 8):
        for goal in {"EGY", "HEJ", *dice.sample(shores, 4)} - {start, *fleets}:
            if start not in fleets:
                wanted = _needed(start, goal, fleets, short=False)
                if goal in board.beyond:
                    wanted |= _needed(start, goal, fleets, short=True)
                assert useful_fleets(table, start, goal) == wanted, (start, goal, fleets)


def test_suez_7_an_army_convoyed_around_the_cape_cuts_support():
    expect(
        """
        Britain: A POR - EGY => bounce
        Britain: F MID C A POR - EGY => ok
        Turkey: F EGY S A PAL - HEJ => cut
        Turkey: A PAL - HEJ => bounce
        Italy: A HEJ H => ok
        """
    )


def retreat(**dislodged: list[tuple[str, str]]) -> dict:
    """Everybody retreats: {power: (unit, destination)}; the attackers came from places that nobody wants."""
    beaten = {power: [{"unit": unit, "from": "SWI"} for unit, _ in moves] for power, moves in dislodged.items()}
    orders = {power: [f"{unit} - {to}" for unit, to in moves] for power, moves in dislodged.items()}
    return outcome(phase="S1900R", dislodged=beaten, orders=orders)


def test_suez_8_who_does_not_travel_around_africa_may_retreat():
    out = retreat(Britain=[("F MID", "EGY")], Turkey=[("A PAL", "EGY")])
    assert out["units"] == {"Turkey": ["A EGY"]}
    assert {entry["order"]: entry["results"] for entry in out["orders"]} == {
        "F MID - EGY": ["bounce"],
        "A PAL - EGY": ["ok"],
    }
    assert retreat(Britain=[("F MID", "HEJ")], Turkey=[("F EGY", "HEJ")])["units"] == {"Turkey": ["F HEJ"]}
    assert retreat(Britain=[("F HEJ", "MID")], France=[("F BRE", "MID")])["units"] == {"France": ["F MID"]}


def test_suez_8_alone_it_gets_around_africa():
    assert retreat(Britain=[("F MID", "EGY")])["units"] == {"Britain": ["F EGY"]}


def test_suez_8_two_that_travel_around_africa_are_disbanded():
    assert retreat(Britain=[("F EGY", "MID")], Turkey=[("F HEJ", "MID")])["units"] == {}


def test_suez_8_two_that_do_not_are_disbanded_with_the_one_that_does():
    out = retreat(Britain=[("F MID", "EGY")], Turkey=[("A PAL", "EGY")], Italy=[("A CYR", "EGY")])
    assert out["units"] == {}


def test_suez_8_a_fleet_may_retreat_around_the_cape_but_not_to_where_its_attacker_came_from():
    at = position_from_json(
        BOARD,
        {
            "phase": "F1900R",
            "units": {"France": ["F MID"], "Turkey": ["A EGY"]},
            "centers": {},
            "dislodged": {"Britain": [{"unit": "F MID", "from": "BRE"}], "Italy": [{"unit": "F EGY", "from": "MID"}]},
        },
    )
    assert "HEJ" in choices(BOARD, at)["Britain"][at.dislodged["Britain"][0].unit]
    assert "MID" not in choices(BOARD, at)["Italy"][at.dislodged["Italy"][0].unit]


def test_suez_no_order_that_a_unit_can_be_given_supports_around_the_cape():
    at = position_from_json(
        BOARD, {"phase": "F1900M", "units": {"Britain": ["F MID", "F EGY", "F HEJ", "A PAL", "F BRE"]}, "centers": {}}
    )
    for unit in at.units["Britain"]:
        for order in map(str, legal_orders(BOARD, at, unit)):
            assert not (order.startswith("F MID S") and order.endswith(("EGY", "HEJ")))
            assert not (order.startswith(("F EGY S", "F HEJ S")) and order.endswith("MID"))


# --- rule changes: the Russian Emergency Measures Rule -----------------------------------------------------------


def winter(centers: str, units: str, **line) -> dict:
    """Russia's winter; another power owns what Russia does not."""
    return outcome(
        phase="W1905A", units={"Russia": units.split(", ")}, centers={"Russia": centers.split()}, **line
    )


def russia(centers: str, units: str):
    """What the winter asks of Russia."""
    at = position_from_json(
        BOARD,
        {"phase": "W1905A", "units": {"Russia": units.split(", ")}, "centers": {"Russia": centers.split()}},
    )
    return needs(BOARD, at).get("Russia")


@pytest.mark.parametrize("homes", ["MOS", "MOS SEV", "SEV STP WAR"])
def test_emr_one_extra_unit_with_some_but_not_all_home_centers(homes: str):
    count = len(homes.split())
    units = ", ".join(["A UKR", "A GAL", "A FIN"][:count])
    need = russia(homes, units)
    assert need.builds == 1
    assert russia(homes, f"{units}, A SIL") is None


@pytest.mark.parametrize("centers", ["MOS SEV STP WAR", "MOS SEV STP WAR RUM", "RUM", "RUM SWE"])
def test_emr_no_extra_unit_with_all_or_no_home_centers(centers: str):
    units = ", ".join(["A UKR", "A GAL", "A FIN", "A SIL", "A BOH"][: len(centers.split())])
    assert russia(centers, units) is None


def test_emr_siberia_is_a_build_site_in_the_emergency_if_unoccupied():
    assert russia("MOS SEV WAR", "A UKR").sites == ("MOS", "SEV", "SIB", "WAR")
    assert russia("MOS SEV WAR", "A SIB").sites == ("MOS", "SEV", "WAR")
    assert russia("MOS SEV STP WAR", "A UKR").sites == ("MOS", "SEV", "STP", "WAR")


def test_emr_any_build_may_go_to_siberia_and_the_extra_unit_anywhere():
    out = winter("MOS WAR", "A UKR, A GAL", orders={"Russia": ["BUILD A SIB"]})
    assert out["units"]["Russia"] == ["A GAL", "A SIB", "A UKR"]
    out = winter("MOS WAR", "A UKR, A GAL", orders={"Russia": ["BUILD A MOS"]})
    assert out["units"]["Russia"] == ["A GAL", "A MOS", "A UKR"]
    out = winter("MOS WAR", "A UKR", orders={"Russia": ["BUILD A SIB", "BUILD A WAR"]})
    assert out["units"]["Russia"] == ["A SIB", "A UKR", "A WAR"]


def test_emr_builds_are_bounded_by_the_sites_siberia_among_them():
    assert russia("MOS RUM SWE NWY", "A MOS").builds == 1
    assert russia("MOS RUM SWE NWY", "A MOS").sites == ("SIB",)


def test_emr_siberia_takes_one_army_and_no_fleet():
    out = winter("MOS WAR", "A UKR", orders={"Russia": ["BUILD F SIB", "BUILD A SIB", "BUILD A SIB"]})
    assert [entry["results"] for entry in out["orders"]] == [["void"], ["ok"], ["void"]]
    assert out["orders"][0]["why"] == "No fleet can be built in Siberia: it is inland."
    assert out["orders"][2]["why"] == "Siberia is occupied."


def test_emr_siberia_is_no_build_site_without_the_emergency():
    refusal = "You can build in Siberia only while you own some but not all of your home centers."
    for centers in ("MOS SEV STP WAR", "RUM"):
        out = winter(centers, "A GAL", orders={"Russia": ["BUILD A SIB"]})
        assert out["orders"][0]["why"] == refusal


def test_emr_siberia_is_no_build_site_for_anybody_else():
    out = outcome(
        phase="W1905A", units={"Germany": ["A MOS"]}, centers={"Germany": ["MOS", "BER"]},
        orders={"Germany": ["BUILD A SIB"]},
    )  # fmt: skip
    assert out["orders"][0]["why"] == "Siberia is not a supply center."


def test_emr_the_possible_orders_of_the_winter():
    at = position_from_json(
        BOARD, {"phase": "W1905A", "units": {"Russia": ["A UKR", "A MOS"]}, "centers": {"Russia": ["MOS", "WAR"]}}
    )
    assert [str(order) for order in legal_builds(BOARD, at, "Russia")] == ["BUILD A SIB", "BUILD A WAR", "WAIVE"]


def test_emr_is_tested_after_ownership_has_changed():
    """Russia loses Warsaw this Fall: three centers, four units, and nothing to remove."""
    out = outcome(
        phase="F1905M",
        units={"Russia": ["A MOS", "A SIB", "F SEV", "A STP"], "Germany": ["A WAR"]},
        centers={"Russia": ["MOS", "SEV", "STP", "WAR"]},
    )
    assert out["centers"]["Russia"] == ["MOS", "SEV", "STP"]
    assert out["next"] == "S1906M"


def test_emr_the_extra_unit_is_due_at_once():
    out = outcome(
        phase="F1905M",
        units={"Russia": ["A MOS", "F SEV", "A STP"], "Germany": ["A WAR"]},
        centers={"Russia": ["MOS", "SEV", "STP", "WAR"]},
    )
    assert (out["next"], out["adjust"]) == ("W1905A", {"Russia": 1})


def test_emr_regaining_all_four_home_centers_ends_it_and_the_excess_is_disbanded():
    fall = outcome(
        phase="F1906M",
        units={"Russia": ["A WAR", "A UKR", "A GAL", "F BLA", "A SIL"]},
        centers={"Russia": ["MOS", "SEV", "STP", "RUM"], "Germany": ["WAR"]},
    )
    assert len(fall["centers"]["Russia"]) == 5
    assert fall["next"] == "S1907M"
    fall = outcome(
        phase="F1906M",
        units={"Russia": ["A WAR", "A UKR", "A GAL", "F BLA", "A SIL"]},
        centers={"Russia": ["MOS", "SEV", "STP"], "Germany": ["WAR"]},
    )
    assert (fall["next"], fall["adjust"]) == ("W1906A", {"Russia": -1})
    after = winter("MOS SEV STP WAR", "A WAR, A UKR, A GAL, F BLA, A SIL", orders={"Russia": ["REMOVE A GAL"]})
    assert after["units"]["Russia"] == ["A SIL", "A UKR", "A WAR", "F BLA"]


def test_emr_losing_the_last_home_center_ends_it_and_the_excess_is_disbanded():
    fall = outcome(
        phase="F1906M",
        units={"Russia": ["A RUM", "A SIB", "A FIN"], "Germany": ["A MOS"]},
        centers={"Russia": ["MOS", "RUM"]},
    )
    assert (fall["next"], fall["adjust"]["Russia"]) == ("W1906A", -2)


def test_emr_the_excess_goes_though_russia_says_nothing():
    after = winter("MOS SEV STP WAR", "A WAR, A UKR, A GAL, F BLA, A BOH")
    assert after["units"]["Russia"] == ["A GAL", "A UKR", "A WAR", "F BLA"]


def test_emr_home_centers_are_russias_own_four():
    """Four centers, but one of them foreign: the emergency is in force."""
    assert russia("MOS SEV STP RUM", "A UKR, A GAL, A FIN, A SIL").builds == 1


def test_emr_siberia_never_is_a_center():
    out = expect("Turkey: A SIB H => ok", phase="F1905M")
    assert out["centers"] == {}
    assert not BOARD.provinces["SIB"].center


def test_emr_is_for_russia_alone():
    at = position_from_json(
        BOARD, {"phase": "W1905A", "units": {"Turkey": ["A ANK"]}, "centers": {"Turkey": ["ANK"]}}
    )
    assert needs(BOARD, at) == {}


# --- the whole ------------------------------------------------------------------------------------------------


def test_the_portrait_tells_the_rules():
    text = portrait(BOARD)
    for sentence in (
        "To win, own 18 of 39 centers and more than any other power after a Fall.",
        "Britain owns Egypt at the start, but does not build there.",
        "France owns Algeria at the start, but does not build there.",
        "A fleet in Gibraltar convoys as one at sea does; armies may go there too.",
        "Around the Cape of Good Hope, the Mid-Atlantic Ocean borders on Egypt and Hejaz.",
        "A move over such a border has half strength; supports for it have full strength.",
        "Units cannot support over such a border, either to hold or to attack.",
        "A convoyed army that lands over such a border attacks at half strength, but cuts support like any other. It "
        "attacks in full if it lands elsewhere, or if fleets that are not dislodged also give it a route without such "
        "a border.",
        "While Russia owns some but not all of Moscow, Sevastapol, St. Petersburg, Warsaw, it may have 1 unit more "
        "than it has centers and build in Siberia too.",
    ):
        assert sentence in text.splitlines()


def test_twenty_years_play_themselves():
    for seed in range(3):
        for line in play(BOARD, 20, seed):
            position = position_from_json(BOARD, line)
            out = answer(line)
            after = position_from_json(BOARD, {**out, "phase": out["next"], "contested": [], "dislodged": {}})
            assert not [entry for entry in out["orders"] if "why" in entry]
            assert position_to_json(BOARD, after)["units"] == out["units"]
            assert position.phase == out["phase"]
