"""What a phase did to one player: the sentences with which their results mail begins."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.mails.results import own_results, results_of
from judge.mails.templates import day_and_time
from judge.rules import adjudicate, load_variant, position_from_json
from tests.rules.lines import read_order

STANDARD = load_variant("standard")


def told(
    phase: str,
    units: dict[str, list[str]],
    orders: dict[str, list[str]],
    seat: str,
    until: str = "",
    bids: str = "",
    **more: object,
) -> list[str]:
    """What an outcome means for the player of `seat`."""
    text = {"phase": phase, "units": units, "centers": {"Austria": ["TRI", "VIE"], "Italy": ["VEN"]}} | more
    position = position_from_json(STANDARD, text)
    given = {power: [read_order(STANDARD, position, power, line) for line in lines] for power, lines in orders.items()}
    return [*own_results(STANDARD, position, adjudicate(STANDARD, position, given), seat, until, bids)]


def test_a_dislodged_unit_comes_first_with_who_did_it_and_where_it_can_go():
    units = {"Austria": ["A VIE", "A TYR"], "Italy": ["A TRI", "A VEN"]}
    orders = {"Austria": ["A VIE - TRI", "A TYR S A VIE - TRI"], "Italy": ["A TRI H", "A VEN H"]}
    assert told("F1901M", units, orders, "Italy", "Thu 00:30") == [
        "Your A TRI was dislodged by Austria: retreat to ALB, BUD or SER by Thu 00:30.",
        "You have 1 center.",
    ]
    assert told("F1901M", units, orders, "Austria") == ["Both of your orders succeeded.", "You have 2 centers."]


def test_what_failed_is_said_with_the_reason():
    one = told("S1901M", {"Austria": ["A VIE"], "Italy": ["A VEN"]},
               {"Austria": ["A VIE - TYR"], "Italy": ["A VEN - TYR"]}, "Italy")  # fmt: skip
    assert one == ["Failed: A VEN - TYR (bounce).", "You have 1 center."]


def test_the_winter_is_told_with_the_centers_that_bring_it():
    one = told("F1901M", {"Italy": ["A SER"]}, {"Italy": ["A SER - GRE"]}, "Italy", "Thu 00:30")
    assert one[-1] == "You have 2 centers (+1): build 1 unit by Thu 00:30."
    gone = told("F1901M", {"Austria": ["A VIE"], "Italy": ["A VEN", "A TRI"]}, {"Italy": ["A TRI H"]}, "Austria")
    assert gone[-1] == "You have 1 center (-1)."


def test_a_player_of_several_powers_is_told_which_of_them_build_and_remove():
    globe = load_variant("intercontinental")
    centers = {"British Raj": ["Bomb", "Calc", "Delh"], "Canada": ["Hali", "Queb"], "Great Britain": ["Lond"]}
    units = {
        "British Raj": ["A Laho"],
        "Canada": ["A Queb"],
        "Cape Colony": ["A Durb"],
        "Great Britain": ["F Lond", "F Nort"],
    }
    for phase, said in (
        (
            "F1865M",
            "You have 7 centers (+1): build 3 units (British Raj 2, Canada 1) and remove 1 unit (Great Britain).",
        ),
        ("W1865A", "3 of your 3 builds (British Raj 2, Canada 1) were not used."),
    ):
        position = position_from_json(globe, {"phase": phase, "units": units, "centers": centers})
        assert said in own_results(globe, position, adjudicate(globe, position, {}), "Blue")


def test_a_unit_that_could_retreat_and_had_no_order_is_gone():
    beaten = {"Italy": [{"unit": "A TRI", "from": "VIE"}]}
    one = told("F1901R", {"Austria": ["A TRI"]}, {}, "Italy", dislodged=beaten)
    assert one[0] == "Your A TRI had no order and is disbanded."
    went = told("F1901R", {"Austria": ["A TRI"]}, {"Italy": ["A TRI - BUD"]}, "Italy", dislodged=beaten)
    assert went[0] == "Your order succeeded."


@pytest.mark.parametrize(("hours", "words"), [(37, "Thu 00:30"), (24 * 7, "Tue May 12 11:30")])
def test_the_deadline_is_said_as_people_say_it(hours, words):
    now = datetime(2026, 5, 5, 9, 30, tzinfo=UTC)
    assert day_and_time(now + timedelta(hours=hours), "Europe/Berlin", now) == words


def test_a_unit_with_nowhere_to_go_is_destroyed_and_what_can_still_retreat_comes_first():
    units = {"Austria": ["A TYR", "A VIE", "A BUD", "A GAL", "A SIL", "A VEN", "A APU"], "Germany": ["A MUN"],
             "Russia": ["A BOH", "A ROM"]}  # fmt: skip
    orders = {"Austria": ["A VIE - BOH", "A TYR S A VIE - BOH", "A VEN - ROM", "A APU S A VEN - ROM"]}
    one = told("F1901M", units, orders, "Russia", centers={"Austria": ["VIE"], "Russia": ["ROM", "MOS"]})
    assert one[:2] == [
        "Your A ROM was dislodged by Austria: retreat to NAP or TUS.",
        "Your A BOH was dislodged by Austria and destroyed, because it had no retreat.",
    ]


def test_a_winter_without_orders_takes_units_and_a_fall_says_how_many():
    fall = told("F1901M", {"Italy": ["A VEN", "A ROM", "A NAP"]}, {"Italy": ["A VEN H"]}, "Italy")
    assert fall[-1] == "You have 3 centers (+2)."
    changed = told("F1901M", {"Italy": ["A TRI"], "Austria": ["A VEN"]}, {"Italy": ["A TRI H"]}, "Italy")
    assert changed[-1] == "You have 1 center (won TRI, lost VEN)."
    more = told("F1901M", {"Italy": ["A TRI", "A VIE"], "Austria": ["A VEN"]}, {"Italy": ["A TRI H"]}, "Italy")
    assert more[-1] == "You have 2 centers (+1, won TRI and VIE, lost VEN)."
    lean = told("F1901M", {"Italy": ["A PIE", "A TUS"]}, {"Italy": ["A PIE H"]}, "Italy")
    assert lean[-1] == "You have 1 center: remove 1 unit."
    winter = told("W1901A", {"Italy": ["A PIE", "A TUS"]}, {}, "Italy")
    assert winter[0].endswith(" had no order and is removed.")


@pytest.mark.parametrize(("centers", "units", "said"), [
    (["ROM"], ["A ROM"], "Italy:    1 Supply center,   1 Unit:   Builds   0 units."),
    (["ROM", "VEN"], ["A ROM"], "Italy:    2 Supply centers,  1 Unit:   Builds   1 unit."),
    (["ROM"], ["A ROM", "A PIE"], "Italy:    1 Supply center,   2 Units:  Removes  1 unit."),
])  # fmt: skip
def test_one_center_and_one_unit_are_no_plurals(centers: list[str], units: list[str], said: str):
    text = {"phase": "F1901M", "units": {"Italy": units}, "centers": {"Italy": centers}}
    result = results_of(STANDARD, before := position_from_json(STANDARD, text), adjudicate(STANDARD, before, {}))
    assert said in [count.line for count in result.counts]


@pytest.mark.parametrize(("orders", "said"), [
    ([], "2 of your 2 builds were not used."), (["BUILD A VEN"], "1 of your 2 builds was not used."),
    (["BUILD A VEN", "WAIVE"], ""), (["BUILD A VEN", "BUILD A ROM"], "")])  # fmt: skip
def test_builds_that_are_not_used_are_counted(orders: list[str], said: str):
    centers = {"Italy": ["VEN", "ROM", "TUN"]}
    one = told("W1901A", {"Italy": ["A TUN"]}, {"Italy": orders}, "Italy", centers=centers)
    assert [sentence for sentence in one if "not used" in sentence] == [said] * bool(said)
    alone = told("W1901A", {"Italy": ["A TUN", "A ROM"]}, {}, "Italy", centers=centers)
    assert alone[0] == "Your build was not used."


@pytest.mark.parametrize(("units", "bids", "said"), [
    (["A VEN", "A ROM"], "", "NMR: you sent no orders, so your units held."),
    (["A VEN"], "", "NMR: you sent no orders, so your unit held."),
    (["A VEN"], "your bid won.", "You sent bids but no orders, so your unit held."),
])  # fmt: skip
def test_who_ordered_nothing_reads_whether_they_bid(units: list[str], bids: str, said: str):
    assert told("F1901M", {"Italy": units}, {}, "Italy", bids=bids)[0] == said


def test_the_end_of_a_game_is_the_first_word():
    centers = {"Italy": [one.abbr for one in STANDARD.provinces.values() if one.center][:17] + ["SER"]}
    won = told("F1901M", {"Italy": ["A SER"]}, {"Italy": ["A SER H"]}, "Italy", centers=centers)
    assert won[0] == "You have won." and won[-1] == "You have 18 centers."
