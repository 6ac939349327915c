"""Colonia: each rule of its text, by the number it has there, and the lists at its end."""

import json
import time
from pathlib import Path

import pytest

from judge.rules import (
    Need,
    OrderError,
    Position,
    PositionError,
    Support,
    adjudicate,
    answer_line,
    load_variant,
    looks_like_order,
    needs,
    parse_order,
    position_from_json,
    start_position,
)
from judge.rules.board.board_state import BoardState
from judge.rules.board.names import fold
from judge.rules.board.orders import Convoy, Move
from judge.rules.describe import rules_in_words
from judge.rules.json_lines import answer
from judge.rules.phases.needs import legal_builds, legal_orders
from judge.rules.phases.retreats_and_winters import choices
from judge.rules.selfplay import play
from judge.rules.variant.loading import read_folder
from judge.rules.variant.variant import variants_folder
from tests.rules.lines import read_order
from tests.texts import mapped

COLONIA = load_variant("colonia")
ISLANDS = ("FIJ", "SAM", "TAH", "TAR")
COLONIES = frozenset(
    ("ANG", "AUS", "BRA", "CPC", "DAK", "IFN", "JAV", "MAC", "MEX", "MNL", "NIG", "PDY", "QUE", "SUR", "VIR")
)
LISTED = [
    line.split(maxsplit=2)
    for line in (Path(__file__).parents[2] / "data" / "colonia" / "spaces.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def position(phase: str = "S1751M", **data) -> Position:
    return position_from_json(COLONIA, {"phase": phase, "units": {}, "centers": {}, **data})


def told(phase: str = "S1751M", *, orders: dict, **data) -> dict:
    """What `judge adjudicate` answers."""
    return answer({"variant": "colonia", "phase": phase, "units": {}, "centers": {}, "orders": orders, **data})


def results(out: dict) -> dict[str, list[str]]:
    return {entry["order"]: entry["results"] for entry in out["orders"]}


def refusal(at: Position, power: str, text: str) -> str:
    with pytest.raises(OrderError) as refused:
        read_order(COLONIA, at, power, text)
    return str(refused.value)


# --- rule 2: the starting positions ---------------------------------------------------------------------------------

START = mapped("""
    Austria        => A Budapest, A Cluj, A Prague, A Trieste, A Vienna, F Naples
    England        => A Nigeria, A Virginia, F Australia, F Liverpool(wc), F London, F Bristol
    France         => A Dakar, A Paris, A Pondicherry, A Quebec, A Toulon, F Bordeaux
    Netherlands    => A Antwerp, A Cape Colony, A Hauge, A Surinam, F Java, F Utrecht
    Ottoman Empire => A Baghdad, A Damascus, A Izmir, A Jerusalem, A Sofia, F Constantinople
    Portugal       => A Angola, A Brazil, A Lagos, A Macao, A Oporto, F Lisbon
    Russia         => A Irkutsk, A Kiev, A Moscow, A Omsk, A Smolensk, F Petrograd(sc)
    Spain          => A Ifni, A Madrid, A Mexico, A Valencia, F Cadiz, F Manila""")


@pytest.mark.parametrize("power", START)
def test_rule_2_the_units_at_the_start(power):
    read = [str(parse_order(COLONIA, "M", f"{text} H")) for text in START[power].split(",")]
    assert sorted(read) == [f"{unit} H" for unit in start_position(COLONIA).units[power]]


def test_rule_2_eight_powers_with_six_units_and_the_six_centers_they_stand_in():
    start = start_position(COLONIA)
    assert list(start.units) == list(START)
    for power, units in start.units.items():
        assert sorted(unit.province for unit in units) == list(start.centers[power])
        assert len(units) == 6
    assert start.phase == "S1751M"
    assert needs(COLONIA, start) == {power: Need(units=units) for power, units in start.units.items()}


# --- rule 3: the map has no edge ------------------------------------------------------------------------------------


def test_rule_3_both_borders_stand_in_the_rules_and_all_others_are_marked_as_reconstructed():
    for abbr, province in COLONIA.provinces.items():
        near = {*province.army, *(place[:3] for places in province.fleet.values() for place in places)}
        known = {"GIL": {"SPC"}, "SPC": {"GIL", "PRU"}, "PRU": {"SPC"}}.get(abbr, set())
        assert {*province.doubtful_for_armies, *province.doubtful_for_fleets} == near - known


# --- rule 4: four islands are closed to armies ----------------------------------------------------------------------

CLOSED = {
    island: f"{name} is closed to armies, even by convoy. Only fleets can go there."
    for island, name in zip(ISLANDS, ("Fiji", "Samoa", "Tahiti", "Tarawa"), strict=True)
}
# An army, and a fleet that could carry it to each island.
FERRIES = {"FIJ": "PYA", "SAM": "PYA", "TAH": "PYA", "TAR": "GIL"}


def beside(island: str) -> Position:
    return position(units={"England": ["A NWZ", f"F {FERRIES[island]}"], "France": ["A PAR", "F MEL"]})


@pytest.mark.parametrize("island", ISLANDS)
@pytest.mark.parametrize("text", ["A NWZ - {}", "A NWZ - {} VIA", "A NWZ - PYA - {}", "F {1} C A NWZ - {}",
                                  "F {1} S A NWZ - {}"])  # fmt: skip
def test_rule_4_no_order_brings_an_army_there(island, text):
    """Refused on entry with one and the same sentence; the engine calls it void for the same reason."""
    order = text.replace("{}", island).replace("{1}", FERRIES[island])
    assert refusal(beside(island), "England", order) == CLOSED[island]
    units = {"England": ["A NWZ", f"F {FERRIES[island]}"]}
    out = told(units=units, orders={"England": ["A NWZ - " + island, order]})
    assert [(entry["results"], entry["why"]) for entry in out["orders"]] == [(["void"], CLOSED[island])] * 2
    assert out["units"] == units


@pytest.mark.parametrize("island", ISLANDS)
def test_rule_4_an_army_far_away_is_told_the_same(island):
    assert refusal(beside(island), "France", f"A PAR - {island}") == CLOSED[island]


@pytest.mark.parametrize("island", ISLANDS)
def test_rule_4_nothing_offers_it_to_an_army(island):
    at = beside(island)
    for unit in at.units["England"]:
        for order in legal_orders(BoardState(COLONIA, at), unit):
            assert not (isinstance(order, Move | Convoy) and order.target == island and "A NWZ" in str(order))
    with pytest.raises(PositionError, match="no army can be in"):
        position(units={"England": [f"A {island}"]})
    with pytest.raises(PositionError, match="no army can be in"):
        position(units={"England": [f"army {COLONIA.provinces[island].name}"]})
    assert not COLONIA.provinces[island].army


def test_rule_4_no_army_retreats_there():
    at = position(
        "S1751R",
        units={"France": ["A NWZ"]},
        dislodged={"England": [{"unit": "A NWZ", "from": "PYA", "by_convoy": True}]},
    )
    assert choices(COLONIA, at)["England"][at.dislodged["England"][0].unit] == ()


# --- rule 5: colonies -----------------------------------------------------------------------------------------------


def test_rule_5_the_colonies_are_those_of_the_list_and_begin_with_who_stands_in_them():
    assert set(COLONIA.build_sites.colonies) == COLONIES
    homes = {home for power in COLONIA.powers for home in power.homes}
    owned = {center: power for power, centers in start_position(COLONIA).centers.items() for center in centers}
    assert not COLONIES & homes
    assert owned.keys() == COLONIES | homes
    assert owned["QUE"] == "France" and owned["MNL"] == "Spain" and owned["AUS"] == "England"


@pytest.mark.parametrize("colony", sorted(COLONIES))
def test_rule_5_whoever_owns_a_colony_builds_in_it(colony):
    """Austria, which has none at the start, here."""
    at = position("W1751A", centers={"Austria": [colony]})
    assert needs(COLONIA, at) == {"Austria": Need(builds=1, sites=(colony,))}
    assert str(read_order(COLONIA, at, "Austria", f"BUILD A {colony}")) == f"BUILD A {colony}"
    out = told("W1751A", centers={"Austria": [colony]}, orders={"Austria": [f"BUILD A {colony}"]})
    assert out["units"] == {"Austria": [f"A {colony}"]}


def test_rule_5_a_fleet_in_a_colony_with_two_coasts_names_one():
    at = position("W1751A", centers={"Spain": ["MEX"]})
    assert refusal(at, "Spain", "BUILD F MEX").startswith("Which coast of Mexico?")
    assert [str(order) for order in legal_builds(COLONIA, at, "Spain")] == [
        "BUILD A MEX", "BUILD F MEX/WC", "BUILD F MEX/EC", "WAIVE",
    ]  # fmt: skip


# --- rule 6: special centers ----------------------------------------------------------------------------------------


def test_rule_6_calls_the_ottoman_empire_turkey_and_so_may_players():
    for text in ("Turkey", "turkish", "T", "Ottoman", "ottoman empire", "Otto"):
        assert COLONIA.power(text).name == "Ottoman Empire"
    at = position(units={"Ottoman Empire": ["A BAG"], "Russia": ["A ARM"]})
    for owner in ("Ottoman", "Ottoman Empire", "Turkish", "Turkey's", "the Ottoman"):
        assert str(read_order(COLONIA, at, "Russia", f"A ARM S {owner} A BAG - DAM")) == "A ARM S A BAG - DAM"


# --- rules 7 and 8 are about the paper map and the designer's address -------------------------------------------------
# --- the lists ------------------------------------------------------------------------------------------------------


def test_the_list_has_the_provinces_of_the_board():
    assert len(LISTED) == len(COLONIA.provinces) == 270
    assert {"AGT" if name == "Argentina" else abbr for abbr, _, name in LISTED} == COLONIA.provinces.keys()


def test_every_name_and_abbreviation_of_the_list_is_understood():
    """And the class is that of the list; for Argentina, Bristol and Manila the variant's file says why not."""
    homes = {home for power in COLONIA.powers for home in power.homes}
    special = {center for centers in COLONIA.build_sites.special.values() for center in centers}
    for listed, listed_class, name in LISTED:
        abbr = "AGT" if name == "Argentina" else listed
        said = {"BTL": "hsc", "MNL": "csc"}.get(abbr, listed_class)
        province = COLONIA.provinces[abbr]
        for text in (abbr, name, name.lower(), name.upper()):
            assert COLONIA.names.find(fold(text)) == [abbr], text
        found = "hsc" if abbr in homes else "csc" if abbr in COLONIES else "ssc" if abbr in special else "nsc"
        if abbr == "ARC":
            assert province.kind == "impassable"
        elif said in ("s", "land"):
            assert (province.kind == "sea") == (said == "s") and not province.center, name
        else:
            assert province.center and found == said, name


def test_every_name_can_stand_in_an_order():
    """As the unit's place, as a destination, and beside another name."""
    for listed, _, name in LISTED:
        abbr = "AGT" if name == "Argentina" else listed
        for text in (abbr, name):
            assert parse_order(COLONIA, "M", f"F {text} H").slot == abbr, text
            assert parse_order(COLONIA, "M", f"{text} - Paris").slot == abbr, text
            move = parse_order(COLONIA, "M", f"A Paris - {text}")
            assert isinstance(move, Move) and move.target == abbr, text
            support = parse_order(COLONIA, "M", f"A Paris S A {text} - Toulon")
            assert isinstance(support, Support) and support.helped.province == abbr, text
            assert looks_like_order(COLONIA, f"F {text} H"), text


def test_names_that_are_words_of_orders_too():
    """AND is the Andaman Sea, SEA the Southeast Atlantic."""
    for text in ("A BMA - SUM VIA AND", "A BMA - SUM via sea", "A BMA - SUM VIA AND AND EIO", "A BMA - AND - SUM"):
        assert str(parse_order(COLONIA, "M", text)) == "A BMA - SUM VIA"
    for text in ("A ANG - CPC VIA SEA", "A ANG - CPC VIA SEA - SIO", "A ANG - CPC (via SEA)"):
        assert str(parse_order(COLONIA, "M", text)) == "A ANG - CPC VIA"


def test_other_spellings_are_understood():
    said = mapped("""
        Ligurian Sea       => LGN
        Tyrrhenian Sea     => TYR
        Philippine Sea     => PFP
        Brittany           => BRI
        Carniola           => CRA
        Cameroon           => KAM
        The Hague          => HAG
        St. Petersburg     => PTD
        Rumelia            => RUN
        Numidia            => NUM
        Utretch            => UTR
        Somlensk           => SMK
        Istanbul           => CNP
        Mid-Atlantic Ocean => MAT
        Tanganyika         => TAN""")
    assert {text: COLONIA.names.find(fold(text)) for text in said} == {text: [abbr] for text, abbr in said.items()}


def test_the_counts_at_the_end_of_the_list():
    """269 spaces in all; the rules' own sums for seas and lands are one off their list (see variant.toml)."""
    kinds = [province.kind for province in COLONIA.provinces.values()]
    assert len(kinds) - kinds.count("impassable") == 269
    assert (kinds.count("sea"), len(COLONIA.centers)) == (82, 121)
    assert sum(len(power.homes) for power in COLONIA.powers) == 33


# --- the board --------------------------------------------------------------------------------------------------------


def test_a_fleet_changes_seas_at_constantinople_denmark_and_sweden_only_through_them():
    at = position(units={"Russia": ["F BLA", "F BAL"]})
    for text in ("F BLA - AEG", "F BAL - SGK", "F BAL - NTH"):
        assert "cannot reach" in refusal(at, "Russia", text)
    for text in ("F BLA - CNP", "F BAL - DEN", "F BAL - SWE"):
        assert str(read_order(COLONIA, at, "Russia", text)) == text


def test_there_are_no_canals():
    at = position(units={"Spain": ["F EGY/NC", "F PAN/EC"]})
    for text in ("F EGY - RED", "F PAN - GOP"):
        assert "cannot reach" in refusal(at, "Spain", text)


def test_the_rules_in_words_tell_what_is_special():
    said = "\n".join(rules_in_words(COLONIA))
    assert "To win, own 50 of 121 centers" in said
    assert "Colonies are home centers of their owners: Angola (ANG), Australia (AUS)" in said
    assert "Russia also builds in these, while it owns them: Amur (AMU), Crimea (CRI)." in said
    assert "Closed to armies, by convoy too: Fiji (FIJ), Samoa (SAM), Tahiti (TAH), Tarawa (TAR)." in said


def test_it_loads_in_a_time_in_proportion_to_its_provinces():
    """A province takes at most twice as long as one of the standard board."""
    standard = load_variant("standard")
    assert _loading("colonia") / len(COLONIA.provinces) < 2 * _loading("standard") / len(standard.provinces)


def _loading(name: str) -> float:
    """Processor time in seconds, the least of three."""
    times = []
    for _ in range(3):
        began = time.process_time()
        read_folder(variants_folder() / name)
        times.append(time.process_time() - began)
    return min(times)


def test_it_plays_itself_for_twenty_years_and_every_phase_is_adjudicated_again():
    game = list(play(COLONIA, years=20, seed=20))
    assert int(game[-1]["phase"][1:-1]) == 1770
    built = {order.split()[2][:3] for line in game for given in line["orders"].values() for order in given
             if order.startswith("BUILD")}  # fmt: skip
    assert built & COLONIES
    for line, following in list(zip(game, game[1:], strict=False))[::7]:
        text, good = answer_line(json.dumps(line))
        assert good, text
        assert json.loads(text)["next"] == following["phase"]
        assert json.loads(text)["units"] == following["units"]
    for line in game:
        for units in line["units"].values():
            assert not {f"A {island}" for island in ISLANDS} & set(units)


def test_a_beaten_army_beside_the_islands_may_not_be_ordered_ashore_there_either():
    """A retreat by land would need a border that no army has."""
    outcome = adjudicate(
        COLONIA,
        position("S1751R", units={"France": ["A NWZ"]},
                 dislodged={"England": [{"unit": "A NWZ", "from": "PYA", "by_convoy": True}]}),
        {"England": [parse_order(COLONIA, "R", "A NWZ R TAH")]},
    )  # fmt: skip
    assert outcome.results[0].results == ("void",)
    assert "England" not in outcome.position.units
