"""Retreats and adjustments beyond the test cases: who has something to do, what is allowed, what happens otherwise."""

import pytest

from judge.rules import (
    Build,
    Convoy,
    Disband,
    Hold,
    Home,
    Move,
    Need,
    Order,
    Remove,
    Retreat,
    Support,
    Unit,
    Waive,
    adjudicate,
    legal_orders,
    load_variant,
    needs,
    parse_order,
    position_from_json,
)
from judge.rules.phases.needs import legal_builds
from judge.rules.phases.retreats import choices

STANDARD = load_variant("standard")


def position(**data):
    return position_from_json(STANDARD, {"units": {}, "centers": {}, **data})


def results(at, **orders) -> list[tuple[str, ...]]:
    given = {power: [parse_order(STANDARD, at.phase[-1], text) for text in texts] for power, texts in orders.items()}
    return [one.results for one in adjudicate(STANDARD, at, given).results]


def dislodged(unit: str, source: str, by_convoy: bool = False) -> dict:
    return {"unit": unit, "from": source, "by_convoy": by_convoy}


def test_a_retreat_goes_where_nobody_stands_nobody_fought_and_nobody_came_from():
    at = position(
        phase="F1901R",
        units={"France": ["A MUN"], "Italy": ["A TYR"]},
        dislodged={"Germany": [dislodged("A MUN", "BUR")]},
        contested=["SIL"],
    )
    assert choices(STANDARD, at)["Germany"][at.dislodged["Germany"][0].unit] == ("BER", "BOH", "KIE", "RUH")


def test_an_attacker_that_came_by_convoy_leaves_his_province_open():
    at = position(
        phase="F1901R",
        units={"Russia": ["A SWE"]},
        dislodged={"Germany": [dislodged("A SWE", "NWY", by_convoy=True)]},
    )
    assert "NWY" in choices(STANDARD, at)["Germany"][at.dislodged["Germany"][0].unit]


def test_a_fleet_retreats_to_each_coast_it_can_reach():
    at = position(phase="F1901R", units={"France": ["F MAO"]}, dislodged={"England": [dislodged("F MAO", "NAO")]})
    assert {"SPA/NC", "SPA/SC"} <= set(choices(STANDARD, at)["England"][at.dislodged["England"][0].unit])


def test_an_empty_center_that_nobody_owns_is_open():
    at = position(phase="F1901R", units={"Austria": ["A SER"]}, dislodged={"Turkey": [dislodged("A SER", "BUD")]})
    assert "BUL" in choices(STANDARD, at)["Turkey"][at.dislodged["Turkey"][0].unit]


@pytest.mark.parametrize("second", ["A BUR - GAS", "A MAR - GAS"])
def test_units_that_retreat_to_one_province_are_all_disbanded(second):
    unit = second[:5]
    at = position(
        phase="F1901R",
        units={"Germany": ["A PAR", "A MAR", "A BUR"]},
        dislodged={"France": [dislodged("A PAR", "PIC"), dislodged(unit, "MUN" if unit == "A BUR" else "PIE")]},
    )
    assert results(at, France=["A PAR - GAS", second]) == [("bounce",), ("bounce",)]
    after = adjudicate(STANDARD, at, {"France": [parse_order(STANDARD, "R", t) for t in ("A PAR - GAS", second)]})
    assert "France" not in after.position.units


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


def test_only_units_with_a_choice_wait_for_a_retreat():
    at = position(
        phase="S1901R",
        units={"Italy": ["A TUN"], "France": ["F NAF", "F WES"], "Germany": ["A PAR"]},
        dislodged={"England": [dislodged("F NAF", "MAO"), dislodged("A PAR", "BUR")]},
    )
    need = needs(STANDARD, at)["England"]
    assert need.units == (Unit("A", "PAR"),)
    assert set(need.retreats) == {Unit("A", "PAR")}


def test_everybody_with_units_has_to_move():
    at = position(phase="S1901M", units={"France": ["A PAR"], "Neutral": ["A SER"]})
    assert needs(STANDARD, at) == {"France": Need(units=(Unit("A", "PAR"),))}


def test_a_winter_asks_for_builds_and_removals_only():
    at = position(
        phase="W1901A",
        units={"France": ["A PAR"], "Germany": ["A BER", "A MUN"], "Italy": ["A ROM"]},
        centers={"France": ["PAR", "BRE", "SPA"], "Germany": ["BER"], "Italy": ["ROM"]},
    )
    assert needs(STANDARD, at) == {
        "France": Need(builds=1, sites=("BRE",)),
        "Germany": Need(units=(Unit("A", "BER"), Unit("A", "MUN")), builds=-1),
    }


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


def test_equal_distances_are_settled_by_the_full_name_not_the_abbreviation():
    """BOT, the Gulf of Bothnia, stands before DEN, but Denmark before Gulf."""
    at = position(phase="W1901A", units={"England": ["F BOT", "F DEN"]}, centers={"England": ["SWE"]})
    assert adjudicate(STANDARD, at, {}).removed["England"] == (Unit("F", "DEN"),)


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        (["BUILD A PAR", "BUILD F BRE", "BUILD A MAR"], [("ok",), ("ok",), ("void",)]),
        (["WAIVE", "BUILD F BRE", "BUILD A MAR"], [("ok",), ("ok",), ("void",)]),
        (["BUILD A PAR", "BUILD F PAR", "BUILD A MAR"], [("ok",), ("void",), ("ok",)]),
        (["REMOVE A SPA", "BUILD A MAR"], [("void",), ("ok",)]),
        (["A SPA H", "BUILD A MAR"], [("void",), ("ok",)]),
    ],
)
def test_builds_are_taken_one_after_the_other(orders, expected):
    at = position(
        phase="W1901A",
        units={"France": ["A SPA"]},
        centers={"France": ["PAR", "MAR", "BRE"]},
    )
    assert results(at, France=orders) == expected


def test_builds_that_nobody_orders_are_not_built():
    at = position(phase="W1901A", units={"France": ["A SPA"]}, centers={"France": ["PAR", "MAR", "BRE"]})
    assert adjudicate(STANDARD, at, {}).position.units == {"France": (Unit("A", "SPA"),)}


def test_legal_builds_and_removals():
    at = position(
        phase="W1901A",
        units={"Russia": ["A MOS"], "Germany": ["A BER", "F KIE"]},
        centers={"Russia": ["MOS", "STP", "WAR"], "Germany": ["BER"]},
    )
    assert [str(order) for order in legal_builds(STANDARD, at, "Russia")] == [
        "BUILD A STP", "BUILD F STP/NC", "BUILD F STP/SC", "BUILD A WAR", "WAIVE",
    ]  # fmt: skip
    assert [str(order) for order in legal_orders(STANDARD, at, Unit("F", "KIE"))] == ["REMOVE F KIE"]
    assert legal_orders(STANDARD, at, Unit("A", "MOS")) == []
    assert legal_builds(STANDARD, at, "Germany") == []


def test_legal_orders_of_a_unit_that_is_not_there_are_none():
    assert legal_orders(STANDARD, position(phase="S1901M"), Unit("A", "PAR")) == []


def test_legal_retreats_end_with_a_disband():
    at = position(phase="F1901R", units={"France": ["A MUN"]}, dislodged={"Germany": [dislodged("A MUN", "BUR")]})
    orders = [str(order) for order in legal_orders(STANDARD, at, Unit("A", "MUN"))]
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


def test_the_engine_says_why_a_unit_cannot_support_itself():
    at = position(phase="S1901M", units={"France": ["A PAR"]})
    order = Support(Unit("A", "PAR"), Unit("A", "PAR"), "BUR")
    (result,) = adjudicate(STANDARD, at, {"France": [parse_order(STANDARD, "M", str(order))]}).results
    assert (result.results, result.why) == (("void",), "A unit cannot support itself.")
