"""Ambition & Empire; each test names the section of the rules, or the ruling, that it checks.

The auction itself is in test_auction.py.
"""

import pytest

from judge.rules import (
    NEUTRAL,
    Bid,
    Home,
    Need,
    OrderError,
    adjudicate,
    check_bid,
    civil_disorder,
    describe_order,
    looks_like_order,
    needs,
    parse_order,
    position_to_json,
    read_order,
    start_position,
)
from judge.rules.describe import portrait
from judge.rules.json_lines import answer
from judge.rules.phases.winter import build_sites
from judge.rules.selfplay import play
from tests.rules.eager import check_phase, play_eagerly
from tests.rules.lines import Board, bid, neutral_orders, results

BOARD = Board("ambition_empire")
VARIANT = BOARD.variant


def without(*centers: str) -> list[str]:
    """The neutrals' units but these."""
    return [unit.text for unit in VARIANT.neutrals.units if unit.province not in centers]


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
    assert owned | {unit.province for unit in neutrals} == VARIANT.center_set
    assert (len(VARIANT.centers), len(VARIANT.provinces)) == (44, 95)


def test_a_minor_power_is_disbanded_when_it_is_driven_out_and_returns_in_winter():
    """III; rulings, "Armed neutrals" 2: a fleet comes back as a fleet."""
    spring = BOARD.play(
        "S1764M",
        units={"Britain & Hanover": ["F HEL", "F NTH"], "Neutral": without()},
        orders={"Britain & Hanover": ["F HEL - UPR", "F NTH S F HEL - UPR"]},
    )
    assert spring["dislodged"]["Neutral"][0]["retreats"] == []
    fall = BOARD.play("F1764M", units={"Britain & Hanover": ["F HEL"], "Neutral": without("UPR")})
    assert (fall["next"], fall["adjust"]) == ("W1764A", {"Britain & Hanover": -1})
    winter = BOARD.play("W1764A", units={"Neutral": without("UPR")})
    assert "F UPR" in winter["units"]["Neutral"]


def test_the_minor_power_of_a_center_that_somebody_owns_does_not_return():
    """III: a center once gained may be left vacant."""
    winter = BOARD.play("W1764A", units={"Neutral": without("UPR")}, centers={"France": ["UPR"]})
    assert "F UPR" not in winter["units"]["Neutral"]


# --- V.1: Austrian Netherlands and Crimea ---------------------------------------------------------------------------


def test_austria_never_builds_in_the_austrian_netherlands():
    at = BOARD.position("W1764A", centers={"Austria": ["ANE", "VIE", "BUD"]})
    assert build_sites(VARIANT, at, "Austria") == ("BUD", "VIE")
    with pytest.raises(OrderError, match="Austrian Netherlands is not one of your home centers"):
        read_order(VARIANT, at, "Austria", "build A ANE")


def test_crimea_is_a_home_of_russia_while_russia_owns_it():
    owned = BOARD.position("W1764A", centers={"Russia": ["CRI", "MOS"]})
    assert build_sites(VARIANT, owned, "Russia") == ("CRI", "MOS")
    lost = BOARD.position("W1764A", centers={"Russia": ["MOS"], "Turkey": ["CRI"]})
    assert build_sites(VARIANT, lost, "Russia") == ("MOS",)
    with pytest.raises(OrderError, match="You do not own Crimea"):
        read_order(VARIANT, lost, "Russia", "build F CRI")


# --- V.2: the third home center -------------------------------------------------------------------------------------


def homes(answered: dict) -> dict[str, list[str]]:
    return answered["homes"]


def test_example_1_portugal_is_spains_third_home():
    """Spain captures Portugal, then Morocco, loses Portugal to Britain and takes it again."""
    spain = ["BRC", "MAD"]
    first = BOARD.play("F1763M", units={"Spain": ["A POR", "F BRC"]}, centers={"Spain": spain})
    assert homes(first) == {"Spain": ["POR"]}
    built = BOARD.play(
        "W1764A", units={"Spain": ["A LEO"]}, centers={"Spain": [*spain, "POR"]}, homes={"Spain": ["POR"]},
        orders={"Spain": ["build F POR", "build A MAD"]},
    )  # fmt: skip
    assert results(built) == {"BUILD F POR": ["ok"], "BUILD A MAD": ["ok"]}

    morocco = BOARD.play(
        "F1764M", units={"Spain": ["A MOR"]}, centers={"Spain": [*spain, "POR"]}, homes={"Spain": ["POR"]}
    )
    assert "MOR" in morocco["centers"]["Spain"] and homes(morocco) == {"Spain": ["POR"]}

    lost = BOARD.play(
        "F1765M",
        units={"Britain & Hanover": ["A POR"]},
        centers={"Spain": [*spain, "MOR", "POR"]},
        homes={"Spain": ["POR"]},
    )
    assert homes(lost) == {"Spain": ["POR"]}, "Morocco does not take its place"
    at = BOARD.position(
        "W1765A", centers={"Spain": [*spain, "MOR"], "Britain & Hanover": ["POR"]}, homes={"Spain": ["POR"]}
    )
    assert build_sites(VARIANT, at, "Spain") == ("BRC", "MAD")

    again = BOARD.position("W1766A", centers={"Spain": [*spain, "MOR", "POR"]}, homes={"Spain": ["POR"]})
    assert build_sites(VARIANT, again, "Spain") == ("BRC", "MAD", "POR")


def test_example_2_stockholm_is_a_home_of_two_powers():
    """Denmark's first capture is Stockholm; Sweden takes it back, and captures Mecklenburg a year later."""
    danish = ["CHR", "COP"]
    first = BOARD.play(
        "F1763M", units={"Denmark-Norway": ["F STO"]}, centers={"Denmark-Norway": danish, "Sweden": ["ABO", "STO"]}
    )
    assert homes(first) == {"Denmark-Norway": ["STO"]}
    at = BOARD.position(
        "W1764A", centers={"Denmark-Norway": [*danish, "STO"], "Sweden": ["ABO"]}, homes={"Denmark-Norway": ["STO"]}
    )
    assert build_sites(VARIANT, at, "Denmark-Norway") == ("CHR", "COP", "STO")

    back = BOARD.play(
        "F1764M", units={"Sweden": ["F STO"]}, centers={"Denmark-Norway": [*danish, "STO"], "Sweden": ["ABO"]},
        homes={"Denmark-Norway": ["STO"]},
    )  # fmt: skip
    assert homes(back) == {"Denmark-Norway": ["STO"]}, "a lost home taken back is no third home"
    at = BOARD.position(
        "W1764A", centers={"Denmark-Norway": danish, "Sweden": ["ABO", "STO"]}, homes={"Denmark-Norway": ["STO"]}
    )
    assert build_sites(VARIANT, at, "Sweden") == ("ABO", "STO"), "it is Sweden's home again"
    assert build_sites(VARIANT, at, "Denmark-Norway") == ("CHR", "COP")

    third = BOARD.play(
        "F1765M", units={"Sweden": ["A MEC"]}, centers={"Denmark-Norway": danish, "Sweden": ["ABO", "STO"]},
        homes={"Denmark-Norway": ["STO"]},
    )  # fmt: skip
    assert homes(third) == {"Denmark-Norway": ["STO"], "Sweden": ["MEC"]}


POLISH = {
    "units": {"Poland & Saxony": ["A HEW", "A BRL"]},
    "centers": {"Poland & Saxony": ["BRL", "DRE", "HEW", "WAR"]},
}


def test_example_3_poland_must_say_which_of_two():
    fall = BOARD.play(
        "F1763M", units=POLISH["units"], centers={"Poland & Saxony": ["DRE", "WAR"], "Prussia": ["BRL", "BER"]}
    )
    assert (fall["next"], homes(fall)) == ("W1763A", {})
    at = BOARD.position("W1763A", **POLISH)
    assert needs(VARIANT, at)["Poland & Saxony"] == Need(builds=2, sites=("DRE", "WAR"), homes=("BRL", "HEW"))
    said = BOARD.play("W1763A", **POLISH, orders={"Poland & Saxony": ["HOME HEW", "build A DRE"]})
    assert results(said) == {"HOME HEW": ["ok"], "BUILD A DRE": ["ok"]}
    assert homes(said) == {"Poland & Saxony": ["HEW"]}


def test_who_does_not_say_gets_the_first_by_abbreviation():
    """Rulings, "Ambition & Empire" 1."""
    outcome = adjudicate(VARIANT, BOARD.position("W1763A", **POLISH), {})
    assert outcome.position.homes == {"Poland & Saxony": ("BRL",)}
    assert (outcome.homes, outcome.homes_by_default) == ({"Poland & Saxony": "BRL"}, ("Poland & Saxony",))
    said = adjudicate(VARIANT, BOARD.position("W1763A", **POLISH), {"Poland & Saxony": [Home("HEW")]})
    assert (said.homes, said.homes_by_default) == ({"Poland & Saxony": "HEW"}, ())


def test_a_winter_is_held_for_the_choice_alone():
    """Rulings, "Ambition & Empire" 1."""
    units = {"Spain": ["A POR", "F MOR", "F BRC", "A MAD"], "Neutral": without("POR", "MOR")}
    fall = BOARD.play("F1763M", units=units, centers={"Spain": ["BRC", "MAD"]})
    assert (fall["next"], fall["adjust"]) == ("W1763A", {})
    at = BOARD.position("W1763A", units=units, centers={"Spain": ["BRC", "MAD", "MOR", "POR"]})
    assert needs(VARIANT, at) == {"Spain": Need(homes=("MOR", "POR"))}


def test_a_capture_after_a_retreat_is_one_too():
    answered = BOARD.play(
        "F1763R",
        dislodged={"Turkey": [{"unit": "A BOS", "from": "CRO"}]},
        centers={"Turkey": ["ANK", "CON"], "Austria": ["BUD"]},
        orders={"Turkey": "A BOS - BUD"},
    )
    assert homes(answered) == {"Turkey": ["BUD"]}


def test_powers_that_start_with_three_or_more_get_none():
    answered = BOARD.play("F1763M", units={"Russia": ["A COU"], "Austria": ["A VEN"]}, centers={"Russia": ["MOS"]})
    assert homes(answered) == {}


def test_a_line_that_leaves_the_homes_out():
    """In a winter the only candidate is the home, of several the order decides."""
    data = {"variant": "ambition_empire", "phase": "W1764A", "units": {}, "centers": {"Spain": ["MAD", "POR"]}}
    assert results(answer(data | {"orders": {"Spain": ["build F POR"]}})) == {"BUILD F POR": ["ok"]}
    two = data | {"centers": {"Spain": ["MAD", "MOR", "POR"]}}
    assert results(answer(two | {"orders": {"Spain": ["build F POR", "home POR"]}})) == {
        "BUILD F POR": ["void"], "HOME POR": ["ok"],
    }  # fmt: skip
    assert homes(answer(data | {"phase": "F1764M"})) == {"Spain": ["POR"]}


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("HOME WAR", "Your new home center can be Breslau or Hesse-Westphalia, not Warsaw."),
        ("HOME NTH", "Your new home center can be Breslau or Hesse-Westphalia, not North Sea."),
    ],
)
def test_a_home_that_cannot_be_chosen_is_refused(order, why):
    with pytest.raises(OrderError) as refusal:
        read_order(VARIANT, BOARD.position("W1763A", **POLISH), "Poland & Saxony", order)
    assert str(refusal.value) == why


def test_whoever_has_no_choice_names_no_home():
    at = BOARD.position("W1763A", centers={"France": ["BAW", "PAR"], "Spain": ["MAD", "POR"]}, homes={"Spain": ["POR"]})
    for power in ("France", "Spain"):
        with pytest.raises(OrderError, match="You have no home center to name"):
            read_order(VARIANT, at, power, "HOME POR")


def test_the_first_of_two_names_counts():
    said = BOARD.play("W1763A", **POLISH, orders={"Poland & Saxony": ["HOME HEW", "HOME BRL"]})
    assert [entry["results"] for entry in said["orders"]] == [["ok"], ["void"]]
    assert said["orders"][1]["why"] == "You have already named Hesse-Westphalia."


def test_home_is_an_order_of_the_winter_in_words():
    home = parse_order(VARIANT, "A", "home hesse-westphalia")
    assert str(home) == "HOME HEW" and parse_order(VARIANT, "A", str(home)) == home
    described = describe_order(VARIANT, BOARD.position("W1763A", **POLISH), home)
    assert described == "Names Hesse-Westphalia as a home center."
    assert looks_like_order(VARIANT, "Home MEC") and looks_like_order(VARIANT, "HOME Republic of Venice")
    assert not looks_like_order(VARIANT, "Home by Monday, then I go to Berlin")
    with pytest.raises(OrderError, match="in a winter phase"):
        parse_order(VARIANT, "M", "HOME HEW")


# --- V.3: the Religious Rule ----------------------------------------------------------------------------------------


def religious(order: str, **units: list[str]) -> str:
    """Why France's bid for the order is refused on a board of these units, "" if it is not."""
    named = {power.replace("_", " "): own for power, own in units.items()}
    at = BOARD.position("S1764M", units=named, centers={"France": ["PAR"]})
    try:
        check_bid(VARIANT, at, "France", Bid(1, parse_order(VARIANT, "M", order)))
    except OrderError as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize("catholic", ["Austria", "France", "Poland_&_Saxony", "Spain"])
def test_the_papal_states_support_catholics(catholic):
    assert religious("A PAP S A TUS", **{catholic: ["A TUS"], "Neutral": ["A PAP"]}) == ""
    assert religious("A PAP S A TUS - VEN", **{catholic: ["A TUS"], "Neutral": ["A PAP"]}) == ""


@pytest.mark.parametrize("minor", ["A TUS", "F TWS", "F VEN"])
def test_the_papal_states_support_catholic_minor_powers(minor):
    assert religious(f"A PAP S {minor}", Neutral=["A PAP", minor]) == ""


@pytest.mark.parametrize("other", ["Britain_&_Hanover", "Prussia", "Russia", "Sweden", "Denmark-Norway", "Turkey"])
def test_the_papal_states_support_nobody_else_neither_in_place_nor_in_a_move(other):
    why = "Army Papal States may support Catholic units only (the Religious Rule)."
    assert religious("A PAP S A TUS", **{other: ["A TUS"], "Neutral": ["A PAP"]}) == why
    assert religious("A PAP S A TUS - VEN", **{other: ["A TUS"], "Neutral": ["A PAP"]}) == why


def test_the_papal_states_may_hold():
    assert religious("A PAP H", Neutral=["A PAP"]) == ""


MUSLIM = "Fleet Tunis is Muslim: it may not support a Christian attack on"


def test_a_muslim_minor_power_supports_no_christian_attack_on_a_muslim_unit():
    spain = {"Spain": ["F WES", "A MAR"]}
    refusal = f"{MUSLIM} Algiers, where there is a Muslim unit (the Religious Rule)."
    assert religious("F TUN S F WES - ALG", **spain, Neutral=["F TUN", "F ALG"]) == refusal
    assert MUSLIM in religious("F TUN S F WES - ION", **spain, Turkey=["F ION"], Neutral=["F TUN"])


def test_a_muslim_minor_power_may_do_everything_else():
    assert religious("F TUN S F WES - ION", Spain=["F WES"], Neutral=["F TUN"]) == "", "nobody stands there"
    assert religious("F TUN S F WES - ION", Spain=["F WES"], France=["F ION"], Neutral=["F TUN"]) == "", "a Christian"
    assert religious("F TUN S F WES - ALG", Turkey=["F WES"], Neutral=["F TUN", "F ALG"]) == "", "a Muslim attacks"
    assert religious("F TUN S F WES", Spain=["F WES"], Neutral=["F TUN"]) == "", "in place"


def test_a_christian_minor_power_supports_no_turkish_attack_on_a_christian_unit():
    why = (
        "Fleet Republic of Venice is Christian: it may not support a Muslim attack on Vienna, "
        "where there is a Christian unit (the Religious Rule)."
    )
    turkish = {"Turkey": ["A CRO"], "Neutral": ["F VEN"]}
    assert religious("F VEN S A CRO - VIE", **turkish, Austria=["A VIE"]) == why
    assert religious("F VEN S A CRO - VIE", **turkish) == "", "nobody stands there"
    assert religious("F VEN S A CRO - VIE", Russia=["A CRO"], Austria=["A VIE"], Neutral=["F VEN"]) == ""
    bavarian = {"Turkey": ["A VIE"], "Neutral": ["A TUS", "F VEN", "A BAV", "A SWI"]}
    assert "Christian" in religious("A SWI S A TYR - VEN", Turkey=["A TYR"], Neutral=["A SWI", "F VEN"])
    assert religious("A BAV S A VIE", **bavarian) == "", "in place"


def test_what_stands_there_when_the_turn_begins_counts_not_what_is_ordered():
    """V.3: the Frenchman in Vienna leaves, the support is refused all the same."""
    answered = BOARD.play(
        "S1764M",
        units={"Turkey": ["A CRO"], "France": ["A VIE"], "Neutral": ["F VEN"]},
        centers={"Turkey": ["CON"]},
        orders={"Turkey": "A CRO - VIE", "France": "A VIE - BOH"},
        bids={"Turkey": [bid(1, "F VEN S A CRO - VIE")]},
    )
    assert answered["bids"][0]["value"] == 0 and "Religious Rule" in answered["bids"][0]["why"]
    assert neutral_orders(answered) == []


def test_new_minor_powers_are_christian_unless_their_center_is_muslim():
    """Rulings, "Ambition & Empire" 3: Constantinople, once Turkish, is a Christian minor power, Tunis a Muslim one."""
    christian = religious("A CON S A BOS - WLA", Turkey=["A BOS"], Russia=["A WLA"], Neutral=["A CON"])
    assert christian.startswith("Army Constantinople is Christian")
    assert religious("A CON S A BOS - WLA", Russia=["A BOS"], Turkey=["A WLA"], Neutral=["A CON"]) == ""
    assert religious("A TUN S F WES - ALG", Spain=["F WES"], Neutral=["A TUN", "F ALG"]).startswith(
        "Army Tunis is Muslim"
    )
    assert religious("F TUN S F ION - ALG", Spain=["F ION"], Neutral=["F TUN", "F ALG"]) != ""


# --- VI, VII, VIII --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "winner"),
    [
        ({"France": 14, "Spain": 12}, None),
        ({"France": 15, "Spain": 12}, "France"),
        ({"France": 16, "Spain": 15}, "France"),
        ({"France": 15, "Spain": 15}, None),
        ({"France": 16, "Spain": 16, "Sweden": 12}, None),
    ],
)
def test_fifteen_centers_and_more_than_anybody_else_win(counts, winner):
    """VI."""
    centers = list(VARIANT.centers)
    owned = {power: [centers.pop() for _ in range(count)] for power, count in counts.items()}
    assert BOARD.play("F1780M", centers=owned)["winner"] == winner


def test_civil_disorder():
    """VII: Austria falls while a Prussian stands in Vienna. A third home that was Austria's stays the other's."""
    at = BOARD.position(
        "F1764M",
        units={"Austria": ["A MIL", "A TYR"], "Prussia": ["A VIE"], "Turkey": ["A CON"]},
        centers={"Austria": ["ANE", "MIL", "VIE"], "Turkey": ["BUD", "CON"], "Prussia": ["BER"]},
        homes={"Turkey": ["BUD"]},
    )
    after = civil_disorder(VARIANT, at, "Austria")
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


# --- whole games ----------------------------------------------------------------------------------------------------


def test_ten_years_of_eager_powers():
    lost = won = 0
    for position, bids, outcome in play_eagerly(VARIANT, 10, 1):
        check_phase(VARIANT, position, bids, outcome)
        lost += len(outcome.dislodged.get(NEUTRAL, ()))
        won += len(outcome.bids.orders)
        for power, named in position.homes.items():
            kept = outcome.position.homes.get(power)
            assert kept == named or power not in outcome.position.centers, "a third home is final"
    assert lost > 5 and won > 30


def test_self_play_is_what_judge_adjudicate_takes():
    for line in play(VARIANT, years=10, seed=5):
        answered = answer(line)
        assert all(one["why"] == "" for one in answered["bids"])


def test_the_portrait_tells_the_rules_of_the_game():
    told = portrait(VARIANT)
    assert "1 for each center that it owns, 3 at most" in told
    assert "Turkey, Algiers, Crimea, Morocco and Tunis are Muslim" in told
    assert "Papal States can support units of Catholics only: Austria, France, Poland & Saxony, Spain, Tuscany" in told
    assert "Denmark-Norway, Poland & Saxony, Spain, Sweden and Turkey each get one more permanent home center" in told


def test_a_position_with_homes_is_written_as_it_is():
    at = BOARD.position("S1764M", centers={"Spain": ["POR"]}, homes={"Spain": ["POR"]})
    assert position_to_json(VARIANT, at)["homes"] == {"Spain": ["POR"]}
