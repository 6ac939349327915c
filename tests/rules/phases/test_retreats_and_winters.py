"""Retreats and adjustments beyond the test cases: who has something to do, what is allowed, what happens otherwise."""

import pytest

from judge.rules import (
    Build,
    Convoy,
    Disband,
    Hold,
    Home,
    Move,
    Order,
    OrderError,
    Position,
    Remove,
    Retreat,
    Support,
    Unit,
    Waive,
    adjudicate,
    legal_orders,
    load_variant,
    parse_order,
    position_from_json,
)
from judge.rules.board.board_state import BoardState
from judge.rules.phases.needs import legal_builds
from judge.rules.phases.retreats_and_winters import Adjustment

STANDARD = load_variant("standard")


def position(**data):
    return position_from_json(STANDARD, {"units": {}, "centers": {}, **data})


def results(at, **orders) -> list[tuple[str, ...]]:
    given = {power: [parse_order(STANDARD, at.phase[-1], text) for text in texts] for power, texts in orders.items()}
    return [one.results for one in adjudicate(STANDARD, at, given).results]


def dislodged(unit: str, source: str, by_convoy: bool = False) -> dict:
    return {"unit": unit, "from": source, "by_convoy": by_convoy}


def test_a_dislodged_unit_without_an_order_is_disbanded_and_reported():
    at = position(phase="F1901R", units={"Germany": ["A PAR"]}, dislodged={"France": [dislodged("A PAR", "PIC")]})
    outcome = adjudicate(STANDARD, at, {})
    assert outcome.removed == {"France": (Unit("A", "PAR"),)}
    assert outcome.position.units == {"Germany": (Unit("A", "PAR"),)}


def test_a_disband_that_was_ordered_is_not_reported_as_one_that_was_not():
    at = position(phase="F1901R", units={"Germany": ["A PAR"]}, dislodged={"France": [dislodged("A PAR", "PIC")]})
    outcome = adjudicate(STANDARD, at, {"France": [parse_order(STANDARD, "R", "A PAR D")]})
    assert outcome.removed == {}
    assert [one.results for one in outcome.results] == [("ok",)]


def test_a_power_without_centers_loses_every_unit():
    at = position(phase="W1901A", units={"Italy": ["A ROM", "F NAP"]}, centers={"France": ["ROM", "NAP"]})
    outcome = adjudicate(STANDARD, at, {})
    assert outcome.position.units == {}
    assert outcome.removed == {"Italy": (Unit("F", "NAP"), Unit("A", "ROM"))}


def test_what_is_ordered_goes_first_and_the_farthest_goes_next():
    at = position(phase="W1901A", units={"Italy": ["A ROM", "A MOS", "A VEN"]}, centers={"Italy": ["ROM"]})
    outcome = adjudicate(STANDARD, at, {"Italy": [parse_order(STANDARD, "A", "REMOVE A VEN")]})
    assert outcome.position.units == {"Italy": (Unit("A", "ROM"),)}
    assert outcome.removed == {"Italy": (Unit("A", "MOS"),)}


def test_legal_builds_and_removals():
    at = position(
        phase="W1901A",
        units={"Russia": ["A MOS"], "Germany": ["A BER", "F KIE"]},
        centers={"Russia": ["MOS", "STP", "WAR"], "Germany": ["BER"]},
    )
    assert [str(order) for order in legal_builds(STANDARD, at, "Russia")] == [
        "BUILD A STP", "BUILD F STP/NC", "BUILD F STP/SC", "BUILD A WAR", "WAIVE",
    ]  # fmt: skip
    assert [str(order) for order in legal_orders(BoardState(STANDARD, at), Unit("F", "KIE"))] == ["REMOVE F KIE"]
    assert legal_orders(BoardState(STANDARD, at), Unit("A", "MOS")) == []
    assert legal_builds(STANDARD, at, "Germany") == []


def test_legal_orders_of_a_unit_that_is_not_there_are_none():
    assert legal_orders(BoardState(STANDARD, position(phase="S1901M")), Unit("A", "PAR")) == []


def test_legal_retreats_end_with_a_disband():
    at = position(phase="F1901R", units={"France": ["A MUN"]}, dislodged={"Germany": [dislodged("A MUN", "BUR")]})
    orders = [str(order) for order in legal_orders(BoardState(STANDARD, at), Unit("A", "MUN"))]
    assert orders[0] == "A MUN - BER"
    assert orders[-1] == "A MUN D"


@pytest.mark.parametrize("phase", ["S1901M", "F1901R", "W1901A"])
@pytest.mark.parametrize("place", ["PAR", "MUN", "SPA/NC", "RUH"])
def test_an_order_of_any_kind_has_a_result_in_every_phase(phase, place):
    """No order makes the judge fail, whether its unit is France's, somebody else's, dislodged or not there at all."""
    at = position(
        phase=phase,
        units={"France": ["A PAR"], "Germany": ["A MUN"]},
        centers={"France": ["PAR", "MAR"]},
        dislodged={"France": [dislodged("F SPA/NC", "GAS")]} if phase == "F1901R" else {},
    )
    unit, other = Unit("F" if "/" in place else "A", place), Unit("A", "MUN")
    orders: list[Order] = [
        *(Hold(unit), Move(unit, "BUR"), Support(unit, other), Support(unit, other, "BUR"), Convoy(unit, other, "BUR")),
        *(Retreat(unit, "GAS"), Disband(unit), Build(unit), Remove(unit), Waive(), Home(place)),
    ]
    for order in orders:
        (result,) = adjudicate(STANDARD, at, {"France": [order]}).results
        assert result.order and set(result.results) <= {"ok", "void", "bounce", "no convoy", "dislodged"}
        if isinstance(order, Home):
            assert result.results == ("void",) and result.why


NO_HOMES = [
    # Ambition & Empire, V.2: a home center of Austria in which it may not build.
    ("ambition_empire", "Austria", "ANE", "No units can be built in Austrian Netherlands, although you began with it."),
    ("ambition_empire", "Austria", "MOS", "Moscow is not one of your home centers."),
    (
        "ambition_empire",
        "Poland & Saxony",
        "BRL",
        "Nothing can be built in Breslau yet: it can become your home center",
    ),
    ("1900", "Britain", "EGY", "No units can be built in Egypt, although you began with it."),
]


@pytest.mark.parametrize(("board", "power", "center", "why"), NO_HOMES)
def test_why_a_center_is_no_home_is_said_as_it_is(board: str, power: str, center: str, why: str) -> None:
    variant = load_variant(board)
    centers = (*variant.power_named[power].owns, "BRL", "HEW", center)
    position = Position("W1901A", {}, {power: tuple(dict.fromkeys(centers))})
    with pytest.raises(OrderError, match=why):
        Adjustment(BoardState(variant, position), power).take(Build(Unit("A", center)))
