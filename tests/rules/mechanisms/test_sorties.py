"""Sorties: moves of units that never leave their place (Intercontinental, 10; rulings, "Intercontinental" 3 and 4).

Northeast Asia, where Urga, Mukden and Hanseong are neutral. The small positions of test_against_reference.py are
judged by brute force; here each sentence of the rules is one position that a reader can follow.
"""

import random
from dataclasses import replace
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.rules import NEUTRAL, Move, Position, adjudicate, legal_orders, load_variant
from judge.rules.board.position import sort_units
from tests.rules.lines import Board, results

BOARD = Board("intercontinental")
NEUTRALS = ["A Mukd", "A Urga", "F Hans"]


class Orders(TypedDict, total=False):
    """Of some powers, to be shared by several tests."""

    China: str
    Japan: str
    Siberia: str


def play(phase: str = "S1866M", neutrals: list[str] | None = None, **orders: str) -> dict:
    """The answer to orders; each unit stands where its order says, neutrals without one as well."""
    given = {power: texts.split(", ") for power, texts in orders.items()}
    own = [order for order in given.pop("Neutral", []) if order]
    units = {power: [" ".join(text.split()[:2]) for text in texts] for power, texts in given.items()}
    return BOARD.play(
        phase,
        units=units | {"Neutral": NEUTRALS if neutrals is None else neutrals},
        orders=given | {"Neutral": own},
    )


def stands(answered: dict, power: str) -> list[str]:
    return answered["units"].get(power, [])


# --- 10.1: it always bounces ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["A Urga - Kiri", "A Mukd - Chah", "F Hans - Yell", "F Hans - East"])
def test_a_sortie_bounces_even_unopposed(order):
    answered = play(Neutral=order)
    assert results(answered) == {order: ["bounce"]}
    assert sorted(stands(answered, "Neutral")) == NEUTRALS
    assert answered["contested"] == [order.rpartition(" ")[2]]
    assert answered["dislodged"] == {}


def test_a_sortie_is_bid_for():
    answered = BOARD.play(
        "S1866M",
        units={"Siberia": ["A Irku"], "Neutral": NEUTRALS},
        centers={"China": ["Peki"]},
        orders={"Siberia": "A Irku - Kiri"},
        bids={"Yellow": [{"points": 1, "order": "A URGA - KIRI"}]},
    )
    assert results(answered) == {"A Irku - Kiri": ["bounce"], "A Urga - Kiri": ["bounce"]}


def test_a_sortie_keeps_an_invader_out_of_an_empty_province():
    answered = play(Siberia="A Irku - Kiri", Neutral="A Urga - Kiri")
    assert results(answered) == {"A Irku - Kiri": ["bounce"], "A Urga - Kiri": ["bounce"]}
    assert answered["contested"] == ["Kiri"]


def test_an_invader_with_support_gets_in():
    answered = play(Siberia="A Irku - Kiri, A Amur S A Irku - Kiri", Neutral="A Urga - Kiri")
    assert results(answered)["A Irku - Kiri"] == ["ok"] and answered["contested"] == []


@pytest.mark.parametrize("helper", ["A Mukd S A Urga - Kiri", "F Hans S A Urga - Kiri"])
def test_a_sortie_keeps_others_out_with_the_strength_of_its_supports(helper):
    answered = play(
        Siberia="A Irku - Kiri, A Amur S A Irku - Kiri", Neutral=f"A Urga - Kiri, {helper}"
    )
    assert results(answered) == {
        "A Irku - Kiri": ["bounce"], "A Amur S A Irku - Kiri": ["ok"], "A Urga - Kiri": ["bounce"], helper: ["ok"],
    }  # fmt: skip


def test_a_player_supports_a_sortie():
    answered = play(
        Siberia="A Irku - Kiri, A Amur S A Irku - Kiri", Japan="F East S A Urga - Kiri", Neutral="A Urga - Kiri"
    )
    assert results(answered)["A Irku - Kiri"] == ["bounce"]
    assert results(answered)["F East S A Urga - Kiri"] == ["ok"]


def test_the_support_of_a_sortie_that_is_not_made_is_void():
    answered = play(Japan="F East S A Urga - Kiri", Neutral="A Urga H")
    assert results(answered) == {"F East S A Urga - Kiri": ["void"], "A Urga H": ["ok"]}


# --- it cuts support ------------------------------------------------------------------------------------------------


def test_a_sortie_cuts_support():
    answered = play(Siberia="A Amur - Kiri, A Irku S A Amur - Kiri", China="A Kiri H", Neutral="A Urga - Irku")
    assert results(answered)["A Irku S A Amur - Kiri"] == ["cut"]
    assert results(answered)["A Amur - Kiri"] == ["bounce"]
    without = play(Siberia="A Amur - Kiri, A Irku S A Amur - Kiri", China="A Kiri H")
    assert results(without)["A Amur - Kiri"] == ["ok"]


def test_a_sortie_cuts_support_in_place():
    answered = play(
        Siberia="A Irku S A Amur, A Amur H", China="A Kiri - Amur, F East S A Kiri - Amur", Neutral="A Urga - Irku"
    )
    assert results(answered)["A Irku S A Amur"] == ["cut"]
    assert results(answered)["A Amur H"] == ["ok", "dislodged"]


def test_a_sortie_does_not_cut_a_support_against_itself():
    answered = play(Siberia="A Irku - Urga, A Kiri S A Irku - Urga", Neutral="A Urga - Kiri")
    assert results(answered) == {
        "A Irku - Urga": ["ok"], "A Kiri S A Irku - Urga": ["ok"], "A Urga - Kiri": ["bounce", "dislodged"],
    }  # fmt: skip
    assert answered["dislodged"]["Neutral"] == [{"unit": "A Urga", "from": "Irku", "by_convoy": False, "retreats": []}]


def test_a_sortie_that_is_driven_out_cuts_all_the_same():
    answered = play(
        Siberia="A Irku - Urga, A Ulia S A Irku - Urga",
        China="A Amur - Kiri",
        Japan="A Kiri S F East - Amur, F East - Amur",
        Neutral="A Urga - Kiri",
    )
    assert results(answered)["A Urga - Kiri"] == ["bounce", "dislodged"]
    assert results(answered)["A Kiri S F East - Amur"] == ["cut"]


# --- it never dislodges, and meets head-to-head -----------------------------------------------------------------------


def test_a_sortie_never_dislodges():
    answered = play(
        China="A Irku H, A Kiri S A Urga - Irku, A Ulia S A Urga - Irku, A Amur S A Urga - Irku",
        Neutral="A Urga - Irku",
    )
    assert results(answered)["A Urga - Irku"] == ["bounce"]
    foreign = play(
        Russia="A Irku H", China="A Kiri S A Urga - Irku, A Ulia S A Urga - Irku", Neutral="A Urga - Irku"
    )
    assert foreign["dislodged"] == {} and stands(foreign, "Russia") == ["A Irku"]
    assert results(foreign)["A Kiri S A Urga - Irku"] == ["ok"]


def test_head_to_head_of_equals_both_stay():
    answered = play(Siberia="A Irku - Urga", Neutral="A Urga - Irku")
    assert results(answered) == {"A Irku - Urga": ["bounce"], "A Urga - Irku": ["bounce"]}
    assert answered["contested"] == []


def test_head_to_head_the_sortie_defends_with_its_strength_in_attack():
    attack = "A Irku - Urga, A Ulia S A Irku - Urga"
    alone = play(Siberia=attack, Neutral="A Urga - Irku")
    assert results(alone)["A Irku - Urga"] == ["ok"] and "A Urga" not in stands(alone, "Neutral")
    helped = play(Siberia=attack, China="A Kiri S A Urga - Irku", Neutral="A Urga - Irku")
    assert results(helped)["A Irku - Urga"] == ["bounce"]
    assert stands(helped, "Neutral") == sorted(NEUTRALS) and helped["dislodged"] == {}
    stronger = play(
        Siberia=attack, China="A Kiri S A Urga - Irku", Russia="A Lanc S A Irku - Urga", Neutral="A Urga - Irku"
    )
    assert results(stronger)["A Irku - Urga"] == ["ok"]


def test_the_winner_of_a_head_to_head_by_strength_does_not_get_in_if_it_is_a_sortie():
    answered = play(Siberia="A Irku - Urga", China="A Kiri S A Urga - Irku", Neutral="A Urga - Irku")
    assert results(answered) == {
        "A Irku - Urga": ["bounce"], "A Kiri S A Urga - Irku": ["ok"], "A Urga - Irku": ["bounce"],
    }  # fmt: skip
    assert answered["dislodged"] == {}


def test_a_sortie_beaten_head_to_head_keeps_nobody_out():
    """DATC 4.A.7: it has no effect where its attacker came from."""
    answered = play(
        Siberia="A Irku - Urga, A Ulia S A Irku - Urga", Russia="A Yaku - Irku", Neutral="A Urga - Irku"
    )
    assert results(answered)["A Yaku - Irku"] == ["ok"]
    alone = play(Siberia="A Irku - Urga, A Ulia S A Irku - Urga", Neutral="A Urga - Irku")
    assert alone["contested"] == [], "nor does it close the province"


def test_a_sortie_beaten_by_a_third_still_keeps_others_out():
    answered = play(
        Siberia="A Irku - Urga, A Ulia S A Irku - Urga", Japan="F East - Kiri", Neutral="A Urga - Kiri"
    )
    assert results(answered)["A Irku - Urga"] == ["ok"]
    assert results(answered)["F East - Kiri"] == ["bounce"] and answered["contested"] == ["Kiri"]


# --- a unit that sorties does not hold --------------------------------------------------------------------------------


def test_the_support_in_place_of_a_sortieing_unit_is_void():
    answered = play(
        Siberia="A Irku - Urga, A Ulia S A Irku - Urga", China="A Chah S A Urga", Neutral="A Urga - Kiri"
    )
    assert results(answered)["A Chah S A Urga"] == ["void"]
    assert results(answered)["A Irku - Urga"] == ["ok"]
    held = play(Siberia="A Irku - Urga, A Ulia S A Irku - Urga", China="A Chah S A Urga", Neutral="A Urga H")
    assert results(held)["A Irku - Urga"] == ["bounce"]


# --- rings, leavers, garrisons ----------------------------------------------------------------------------------------


def test_a_ring_with_a_sortie_in_it_does_not_turn():
    answered = play(Siberia="A Irku - Kiri", China="A Kiri - Urga", Neutral="A Urga - Irku")
    assert all(result == ["bounce"] for result in results(answered).values())
    turning = play(neutrals=[], Siberia="A Irku - Kiri", China="A Kiri - Urga, A Urga - Irku")
    assert all(result == ["ok"] for result in results(turning).values())


def test_a_sortie_at_a_province_that_a_unit_leaves():
    answered = play(China="A Kiri - Amur", Siberia="A Irku - Kiri", Neutral="A Urga - Kiri")
    assert results(answered) == {
        "A Kiri - Amur": ["ok"], "A Irku - Kiri": ["bounce"], "A Urga - Kiri": ["bounce"],
    }  # fmt: skip
    assert answered["contested"] == ["Kiri"]
    alone = play(China="A Kiri - Amur", Neutral="A Urga - Kiri")
    assert results(alone) == {"A Kiri - Amur": ["ok"], "A Urga - Kiri": ["bounce"]}
    assert alone["contested"] == ["Kiri"]


def test_a_unit_that_cannot_leave_is_not_driven_out_by_a_sortie():
    answered = play(
        China="A Kiri - Amur, A Chah S A Urga - Kiri", Siberia="A Amur H", Japan="F East S A Urga - Kiri",
        Neutral="A Urga - Kiri, A Mukd S A Urga - Kiri",
    )  # fmt: skip
    assert answered["dislodged"] == {} and stands(answered, "China") == ["A Chah", "A Kiri"]


def test_a_beleaguered_garrison():
    siege = "A Irku - Kiri, A Amur S A Irku - Kiri"
    sortie = "A Urga - Kiri, A Mukd S A Urga - Kiri"
    assert play(Siberia=siege, China="A Kiri H", Neutral=sortie)["dislodged"] == {}
    assert "China" in play(Siberia=siege, China="A Kiri H", Neutral="A Urga - Kiri")["dislodged"]
    stronger = play(Siberia=siege, Japan="F East S A Irku - Kiri", China="A Kiri H", Neutral=sortie)
    assert results(stronger)["A Irku - Kiri"] == ["ok"]


def test_two_sorties_at_one_province():
    answered = play(Neutral="A Urga - Kiri, A Mukd - Kiri")
    assert results(answered) == {"A Urga - Kiri": ["bounce"], "A Mukd - Kiri": ["bounce"]}
    assert answered["contested"] == ["Kiri"]


# --- neutral against neutral ------------------------------------------------------------------------------------------


def test_a_neutral_cuts_the_support_of_another():
    """Rulings, "Armed neutrals" 1."""
    attack = "A Peki - Mukd, A Chah S A Peki - Mukd"
    defended = play(China=attack, Neutral="A Urga S A Mukd")
    assert results(defended)["A Peki - Mukd"] == ["bounce"]
    answered = play(China=attack, Neutral="F Hans - Kiri, A Mukd H, A Urga S A Mukd", Siberia="A Irku - Urga")
    assert results(answered)["A Urga S A Mukd"] == ["cut"]
    by_neutral = play(
        China=attack, neutrals=[*NEUTRALS, "A Kiri"], Neutral="A Urga S A Mukd, A Kiri - Urga, A Mukd H"
    )
    assert results(by_neutral)["A Urga S A Mukd"] == ["cut"]
    assert results(by_neutral)["A Peki - Mukd"] == ["ok"]


def test_neutrals_at_each_other():
    answered = play(Neutral="A Urga - Mukd, A Mukd - Urga")
    assert results(answered) == {"A Urga - Mukd": ["bounce"], "A Mukd - Urga": ["bounce"]}
    helped = play(
        China="A Chah S A Urga - Mukd, A Kiri S A Urga - Mukd", Neutral="A Urga - Mukd, A Mukd - Urga"
    )
    assert helped["dislodged"] == {} and stands(helped, "Neutral") == sorted(NEUTRALS)


# --- by convoy --------------------------------------------------------------------------------------------------------


CUT_BY_SEA: Orders = {
    "Japan": "F Edo H",
    "China": "F Osak S F East - Edo",
    "Siberia": "F East - Edo",
}


def test_a_sortie_by_convoy_cuts():
    """10.1: they can be ordered to move by convoy; the fleets are players'."""
    answered = play(**CUT_BY_SEA, Russia="F Yell C A Mukd - Osak", Neutral="A Mukd - Osak")
    assert results(answered) == {
        "F Edo H": ["ok"], "F Osak S F East - Edo": ["cut"], "F East - Edo": ["bounce"],
        "F Yell C A Mukd - Osak": ["ok"], "A Mukd - Osak": ["bounce"],
    }  # fmt: skip


def test_a_sortie_by_convoy_that_is_disrupted_does_nothing():
    answered = play(
        **CUT_BY_SEA,
        Russia="F Yell C A Mukd - Osak",
        Canada="F Okin - Yell, F Tien S F Okin - Yell",
        Neutral="A Mukd - Osak",
    )
    assert results(answered)["A Mukd - Osak"] == ["disrupted"]
    assert results(answered)["F Yell C A Mukd - Osak"] == ["disrupted", "dislodged"]
    assert results(answered)["F East - Edo"] == ["ok"]


def test_a_sortie_by_convoy_without_a_convoy_does_nothing():
    answered = play(**CUT_BY_SEA, Russia="F Yell H", Neutral="A Mukd - Osak")
    assert results(answered)["A Mukd - Osak"] == ["no convoy"]
    assert results(answered)["F East - Edo"] == ["ok"]


def test_a_sortie_by_convoy_closes_an_empty_province_unless_it_is_disrupted():
    carried = play(Russia="F Yell C A Mukd - Osak", Neutral="A Mukd - Osak")
    assert carried["contested"] == ["Osak"]
    sunk = play(
        Russia="F Yell C A Mukd - Osak", Canada="F Okin - Yell, F Tien S F Okin - Yell", Neutral="A Mukd - Osak"
    )
    assert sunk["contested"] == []
    assert play(Russia="F Yell H", Neutral="A Mukd - Osak")["contested"] == []


def test_a_sortie_by_convoy_keeps_others_out_and_never_dislodges():
    answered = play(Russia="F Yell C A Mukd - Osak", Japan="F Edo - Osak", Neutral="A Mukd - Osak")
    assert results(answered)["F Edo - Osak"] == ["bounce"]
    held = play(
        Russia="F Yell C A Mukd - Osak, F East S A Mukd - Osak, F Edo S A Mukd - Osak", Japan="F Osak H",
        Neutral="A Mukd - Osak",
    )  # fmt: skip
    assert held["dislodged"] == {} and results(held)["F East S A Mukd - Osak"] == ["ok"]


def test_a_sortie_past_a_neighbour_by_convoy_meets_nobody_head_to_head():
    """VIA: both arrive or not without meeting on the way; the sortie is sure to stay."""
    answered = play(
        China="A Peki - Mukd, A Chah S A Peki - Mukd", Japan="F Yell C A Mukd - Peki", Neutral="A Mukd - Peki VIA"
    )
    assert results(answered)["A Peki - Mukd"] == ["ok"]
    assert answered["contested"] == ["Peki"], "it got there, and not head-to-head"
    assert play(China="A Peki - Mukd, A Chah S A Peki - Mukd", Neutral="A Mukd - Peki")["contested"] == []


def test_a_neutral_fleet_does_not_send_another_neutral_by_sea():
    """DATC 4.A.3 for neutrals, each of which is a power of its own: without VIA the army goes on foot."""
    carried = play(
        neutrals=["A Mukd", "F Yell"], China="A Peki - Mukd, A Chah S A Peki - Mukd",
        Neutral="A Mukd - Peki, F Yell C A Mukd - Peki",
    )  # fmt: skip
    assert carried["contested"] == [], "they met head-to-head"


# --- 10.2: retreats ---------------------------------------------------------------------------------------------------

BEATEN: Orders = {"Siberia": "A Irku H", "China": "A Ulia - Irku, A Yeni S A Ulia - Irku"}


def retreats(answered: dict, power: str = "Siberia") -> list[str]:
    [one] = answered["dislodged"][power]
    return one["retreats"]


def test_a_sortie_closes_a_province_to_retreats():
    assert retreats(play(**BEATEN)) == ["Amur", "Kiri", "Yaku"]
    answered = play(**BEATEN, Neutral="A Urga - Kiri")
    assert (retreats(answered), answered["next"], answered["contested"]) == (["Amur", "Yaku"], "S1866R", ["Kiri"])
    refused = BOARD.play(
        "S1866R", units=answered["units"], dislodged=answered["dislodged"], contested=answered["contested"],
        orders={"Siberia": "A Irku - Kiri"},
    )  # fmt: skip
    assert refused["orders"][0]["why"] == "Kirin is closed to retreats, because there was a stand-off."


def test_a_sortie_at_where_somebody_came_closes_nothing():
    answered = play(**BEATEN, Japan="F East - Kiri, F Amur S F East - Kiri", Neutral="A Urga - Kiri")
    assert retreats(answered) == ["Yaku"] and answered["contested"] == []


def test_a_stationary_unit_can_only_disband():
    beaten = {"Neutral": [{"unit": "A Urga", "from": "Irku"}], "China": [{"unit": "A Chah", "from": "Lanc"}]}
    at = BOARD.position("S1866R", units={"Siberia": ["A Urga", "A Chah"]}, dislodged=beaten)
    neutral, chinese = (at.dislodged[power][0].unit for power in ("Neutral", "China"))
    assert [str(order) for order in legal_orders(BOARD.variant, at, neutral)] == ["A Urga D"]
    assert len(legal_orders(BOARD.variant, at, chinese)) > 1


def test_a_stationary_unit_never_retreats():
    answered = play(Siberia="A Irku - Urga, A Ulia S A Irku - Urga")
    assert answered["dislodged"] == {
        "Neutral": [{"unit": "A Urga", "from": "Irku", "by_convoy": False, "retreats": []}]
    }
    assert answered["next"] == "F1866M"


# --- properties -------------------------------------------------------------------------------------------------------

STANDARD = load_variant("standard")


def crowd(dice: random.Random) -> Position:
    """Many units on the standard board, half of them neutrals that stand anywhere."""
    places = [spot.unit for spot in STANDARD.board.spots.values()]
    dice.shuffle(places)
    taken: set[str] = set()
    units: dict[str, list] = {}
    for unit in places[:40]:
        if unit.province not in taken:
            taken.add(unit.province)
            units.setdefault(dice.choice([NEUTRAL, NEUTRAL, "France", "Turkey"]), []).append(unit)
    return Position("F1901M", {power: sort_units(own) for power, own in sorted(units.items())}, {})


def any_orders(position: Position, dice: random.Random) -> dict[str, list]:
    def one(unit):
        options = legal_orders(STANDARD, position, unit)
        moves = [order for order in options if isinstance(order, Move)]
        return dice.choice(moves if moves and dice.random() < 0.6 else options)

    return {power: [one(unit) for unit in units] for power, units in position.units.items()}


@given(st.integers(0, 2**32 - 1))
def test_no_neutral_ever_moves_or_dislodges(seed):
    dice = random.Random(seed)
    position = crowd(dice)
    outcome = adjudicate(STANDARD, position, any_orders(position, dice))
    before, after = (set(at.units.get(NEUTRAL, ())) for at in (position, outcome.position))
    gone = {one.unit for one, _ in outcome.dislodged.get(NEUTRAL, ())}
    assert after == before - gone
    homes = {unit.province for unit in before}
    beaten = [(one, places) for by_power in outcome.dislodged.values() for one, places in by_power]
    assert not any(one.attacker_from in homes for one, _ in beaten)
    goals = {
        result.order.target for result in outcome.results
        if result.power == NEUTRAL and isinstance(result.order, Move) and result.results[0] == "bounce"
    }  # fmt: skip
    taken = {unit.province for units in outcome.position.units.values() for unit in units}
    assert goals - taken <= set(outcome.contested) | {one.attacker_from for one, _ in beaten}
    for one, places in beaten:
        assert not set(places) & set(outcome.contested), one


@given(st.integers(0, 2**32 - 1))
def test_neither_the_order_of_neutrals_nor_what_stands_first_matters(seed):
    dice = random.Random(seed)
    position = crowd(dice)
    orders = any_orders(position, dice)
    outcome = adjudicate(STANDARD, position, orders)
    shuffled = {power: dice.sample(orders[power], len(orders[power])) for power in reversed(orders)}
    units = {power: tuple(dice.sample(own, len(own))) for power, own in position.units.items()}
    again = adjudicate(STANDARD, replace(position, units=units), shuffled)
    assert (again.position, again.dislodged, again.contested) == (
        outcome.position, outcome.dislodged, outcome.contested,
    )  # fmt: skip
