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
    parse_order,
    position_from_json,
    position_to_json,
    start_position,
)
from judge.rules.board.board_state import BoardState, useful_fleets
from judge.rules.describe import portrait
from judge.rules.json_lines import answer
from judge.rules.phases.needs import legal_builds
from judge.rules.selfplay import play
from tests.rules.lines import read_order
from tests.texts import mapped, table

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
    return {
        order.to for order in legal_orders(BoardState(BOARD, at), at.units["Britain"][0]) if isinstance(order, Move)
    }


# --- the short rules, the powers, the names -------------------------------------------------------------------


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


UNITS = mapped("""
    Austria-Hungary => A BUD, A TRI, A VIE
    Britain         => F EDI, F EGY, F GIB, F LON
    France          => A ALG, A MAR, A PAR, F BRE
    Germany         => A BER, A COL, A MUN, F KIE
    Italy           => A MIL, A ROM, F NAP
    Russia          => A MOS, A WAR, F SEV, F STP/SC
    Turkey          => A CON, A DAM, F ANK""")


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
    table("""
        Russia          => Fleet St. Petersburg (sc) - Gulf of Bothnia => F STP/SC - GBO
        Russia          => F Sevastopol - Romania                      => F SEV - RUM
        Britain         => F Gib - Spa/ec                              => F GIB - SPA/EC
        Britain         => F Gibraltar - Spain (west coast)            => F GIB - SPA/WC
        Britain         => fleet egypt to mid-atlantic                 => F EGY - MID
        Austria-Hungary => A Vie S Austria-Hungary A Tri               => A VIE S A TRI
        Turkey          => A Syria - Palestine                         => A DAM - PAL"""),
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


NEIGHBOURS = table("""
    3 Southern Algeria                                   => A SOU    => ALG MOR TRP TUN
    4 the Tyrrhenian Sea touches Algeria                 => F TYS    => ALG GLY ION NAP ROM TUN WES
    5 Tunisia lies between Algeria and Tripolitania      => A TUN    => ALG SOU TRP
    7 Cyrenaica lies between Tripolitania and Egypt      => A CYR    => EGY TRP
    10 Palestine lies between Damascus and Egypt         => A PAL    => ARA DAM EGY HEJ
    10 Palestine has its Mediterranean coast only        => F PAL    => DAM EAS EGY
    11 Arabia lies between Damascus, Palestine and Hejaz => A ARA    => DAM HEJ PAL
    12 Macedonia, by land                                => A MAC    => BOS BUL CON GRE SER
    12 Macedonia, east coast                             => F MAC/EC => AEG CON GRE
    12 Macedonia, west coast                             => F MAC/WC => ADR BOS GRE ION
    13 Siberia                                           => A SIB    => MOS SEV STP
    14 Bosnia                                            => A BOS    => MAC SER TRI
    15 Vienna no longer touches Galicia                  => A VIE    => BOH BUD TRI TYR
    15 Budapest touches Bohemia                          => A BUD    => BOH GAL RUM SER TRI VIE
    17 Milan                                             => A MIL    => PIE ROM SWI TYR VEN
    18 Rome borders Piedmont and Milan                   => A ROM    => APU MIL NAP PIE VEN
    18 Rome borders the Gulf of Lyon                     => F ROM    => GLY NAP PIE TYS
    21 Alsace parts Burgundy from Cologne and Munich     => A ALS    => BEL BUR COL MUN SWI
    21 Burgundy                                          => A BUR    => ALS BEL GAS MAR PAR PIC SWI
    23 Switzerland                                       => A SWI    => ALS BUR MAR MIL MUN PIE TYR
    24 Ireland borders the Mid-Atlantic                  => F IRE    => CLY IRI MID NAT
    24 a crossing joins Ireland and Clyde                => A IRE    => CLY""")


@pytest.mark.parametrize(("change", "unit", "expected"), NEIGHBOURS)
def test_map_changes_neighbours(change: str, unit: str, expected: str):
    assert reach(unit) == set(expected.split())


def test_map_changes_12_macedonia_touches_eight_spaces():
    assert len(BOARD.board.steps["MAC"]) == 8


# --- rule changes: the Suez Canal Rules -----------------------------------------------------------------------


MEDITERRANEAN = ("GIB", "WES", "TYS", "ION", "EAS")


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


def test_suez_no_order_that_a_unit_can_be_given_supports_around_the_cape():
    at = position_from_json(
        BOARD, {"phase": "F1900M", "units": {"Britain": ["F MID", "F EGY", "F HEJ", "A PAL", "F BRE"]}, "centers": {}}
    )
    for unit in at.units["Britain"]:
        for order in map(str, legal_orders(BoardState(BOARD, at), unit)):
            assert not (order.startswith("F MID S") and order.endswith(("EGY", "HEJ")))
            assert not (order.startswith(("F EGY S", "F HEJ S")) and order.endswith("MID"))


# --- rule changes: the Russian Emergency Measures Rule -----------------------------------------------------------


def winter(centers: str, units: str, **line) -> dict:
    """Russia's winter; another power owns what Russia does not."""
    return outcome(phase="W1905A", units={"Russia": units.split(", ")}, centers={"Russia": centers.split()}, **line)


def test_emr_the_possible_orders_of_the_winter():
    at = position_from_json(
        BOARD, {"phase": "W1905A", "units": {"Russia": ["A UKR", "A MOS"]}, "centers": {"Russia": ["MOS", "WAR"]}}
    )
    assert [str(order) for order in legal_builds(BOARD, at, "Russia")] == ["BUILD A SIB", "BUILD A WAR", "WAIVE"]


def test_emr_siberia_never_is_a_center():
    out = expect("Turkey: A SIB H => ok", phase="F1905M")
    assert out["centers"] == {}
    assert not BOARD.provinces["SIB"].center


# --- the whole ------------------------------------------------------------------------------------------------


def test_the_portrait_tells_the_rules():
    text = portrait(BOARD)
    for sentence in (
        "To win, own 18 of 39 centers and more than any other power after a Fall.",
        "Britain owns Egypt at the start, but does not build there.",
        "France owns Algeria at the start, but does not build there.",
        "A fleet in Gibraltar can convoy as at sea, and armies can go there too.",
        "Around the Cape of Good Hope, the Mid-Atlantic Ocean borders on Egypt and Hejaz.",
        "A move over such a border has half strength. Supports for it have full strength.",
        "Units cannot support over such a border, either to hold or to attack.",
        "A convoyed army that lands over such a border attacks at half strength, but cuts support like any army. If "
        "another unbroken route leads there without such a border, the army attacks at full strength.",
        "While Russia owns some but not all of Moscow, Sevastapol, St. Petersburg, Warsaw, it may have 1 unit more "
        "than it has centers and build in Siberia too.",
    ):
        assert sentence in text.splitlines()


def test_twelve_years_play_themselves():
    for seed in range(2):
        for line in play(BOARD, 12, seed):
            position = position_from_json(BOARD, line)
            out = answer(line)
            after = position_from_json(BOARD, {**out, "phase": out["next"], "contested": [], "dislodged": {}})
            assert not [entry for entry in out["orders"] if "why" in entry]
            assert position_to_json(BOARD, after)["units"] == out["units"]
            assert position.phase == out["phase"]
