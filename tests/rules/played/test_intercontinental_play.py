"""Intercontinental, sections 9 to 11 and 1.6: builds, stationary units in winter, points; each test names its section.

What is sent to `judge adjudicate` and comes back is checked at the end.
"""

import json
import random
import time

import pytest

from judge.rules import (
    NEUTRAL,
    Bid,
    Build,
    OrderError,
    adjudicate,
    answer_line,
    check_bid,
    income,
    needs,
    outcome_to_json,
    parse_order,
    position_to_json,
    start_position,
)
from judge.rules.board.board_state import BoardState
from judge.rules.json_lines import answer
from judge.rules.mechanisms.groups import draw
from judge.rules.phases.needs import legal_builds
from judge.rules.selfplay import play, random_bids, random_orders
from tests.rules.eager import check_phase, play_eagerly
from tests.rules.lines import Board, bid
from tests.texts import table

BOARD = Board("intercontinental")
VARIANT = BOARD.variant
# Japan is Violet, Iran Red: as in the example of 11.4 and, for Iran, as it may be.
GROUPS = {
    "Blue": ["Cape Colony", "Great Britain", "Canada", "British Raj"],
    "Teal": ["Algeria", "France", "Mexico", "Đại Nam"],
    "Green": ["Angola", "Portugal", "Brazil", "Rattanakosin"],
    "Olive": ["Zanzibar", "Russia", "Argentina", "Siberia"],
    "Yellow": ["Sokoto", "Italy", "Colombia", "China"],
    "Red": ["Ethiopia", "Austria", "Shoshone", "Iran"],
    "Maroon": ["Egypt", "Turkey", "Peru", "Dutch East Indies"],
    "Violet": ["Liberia", "Prussia", "United States", "Japan"],
}
DRAWN = VARIANT.grouped({power: group for group, powers in GROUPS.items() for power in powers})


def without(*centers: str) -> list[str]:
    return [unit.text for unit in VARIANT.neutrals.units if unit.province not in centers]


# --- 9: builds and the additional home center -------------------------------------------------------------------------


STOCKHOLM = {"centers": {"Russia": ["Gury", "Mosc", "Rost", "StPe", "Stoc"]},
             "units": {"Russia": ["A Mosc", "A Rost", "F StPe/SC"], "Neutral": without("Gury", "Stoc")}}  # fmt: skip


def test_what_a_player_is_told_of_his_builds():
    at = BOARD.position("W1866A", **STOCKHOLM)
    need = needs(VARIANT, at)["Russia"]
    assert (need.builds, need.sites, need.claims) == (1, (), ("Gury", "Stoc"))
    assert [str(order) for order in legal_builds(VARIANT, at, "Russia")] == [
        "BUILD A Gury", "BUILD F Gury", "BUILD A Stoc", "BUILD F Stoc", "WAIVE",
    ]  # fmt: skip


# --- 11: Diplomacy Points ---------------------------------------------------------------------------------------------


def wish(points: int, text: str) -> Bid:
    return Bid(points, parse_order(VARIANT, "M", text))


def test_each_player_starts_with_nine_or_ten_points():
    """11.1, in every draw."""
    start = start_position(VARIANT)
    for seed in range(50):
        board = VARIANT.grouped(draw(VARIANT.groups, VARIANT.draws, seed))
        assert {income(board, start, group.name) for group in board.groups} <= {9, 10}
    assert income(DRAWN, start, "Blue") == 10


@pytest.mark.parametrize(
    ("owned", "points"),
    [
        ({"Russia": 3, "Siberia": 3, "Zanzibar": 3, "Argentina": 3}, 12),
        ({"Russia": 9, "Siberia": 5, "Zanzibar": 4, "Argentina": 30}, 12),
        ({"Russia": 9, "Siberia": 5, "Zanzibar": 4}, 9),
        ({"Russia": 40}, 3), ({"Russia": 1}, 1), ({"Russia": 2, "Argentina": 1}, 3), ({}, 0), ({"China": 3}, 0),
    ],
)  # fmt: skip
def test_a_point_for_each_center_of_a_power_but_no_more_than_three(owned, points):
    """11.1: three of each power at most, never more than twelve, at least one for who survives."""
    free = list(VARIANT.centers)
    at = BOARD.position("F1870M", centers={power: [free.pop() for _ in range(count)] for power, count in owned.items()})
    assert income(DRAWN, at, "Olive") == points


def test_powers_have_no_points_of_their_own():
    """11.1, 1.6: the player bids, not one of his powers."""
    start = start_position(VARIANT)
    assert income(DRAWN, start, "Siberia") == 0
    with pytest.raises(OrderError, match="Army Irkutsk is your own. Order it without points."):
        check_bid(DRAWN, start, "Olive", wish(1, "A Irku H"))
    with pytest.raises(OrderError, match="Army Buenos Aires is your own"):
        check_bid(DRAWN, start, "Olive", wish(1, "A Buen H"))
    with pytest.raises(OrderError, match="Army Peking is Chinese, not a neutral"):
        check_bid(DRAWN, start, "Olive", wish(1, "A Peki H"))


def bids(**by_bidder) -> dict[str, list[dict]]:
    """Each bid is (points, order)."""
    return {bidder: [bid(*one) for one in own] for bidder, own in by_bidder.items()}


# --- 11.2: attacking and allocating -----------------------------------------------------------------------------------

ATTACKED = "Players cannot order a neutral that their own units attack in this phase."


# --- judge adjudicate -------------------------------------------------------------------------------------------------


def line(**data) -> dict:
    text, good = answer_line(json.dumps({"variant": "intercontinental", "phase": "S1865M", **data}))
    assert good, text
    return json.loads(text)


def error(**data) -> str:
    text, good = answer_line(json.dumps({"variant": "intercontinental", "phase": "S1865M", **data}))
    assert not good
    return json.loads(text)["error"]


def test_a_line_may_name_everything_in_any_case():
    out = line(
        variant="Intercontinental",
        phase="s1866m",
        units={"great BRITAIN": ["f lond", "A LIVE"], "DAI NAM": ["f HUE"], "neutral": ["A MUKD", "f coma/nc"]},
        centers={"GREAT britain": ["LOND"], "đại nam": ["hano"]},
        groups={"tEAL": ["FRANCE", "dai nam"], "blue": ["Great Britain"]},
        orders={"Great Britain": ["F LOND - NORT"], "dai nam": ["F hue h"]},
        bids={"TEAL": [{"points": 1, "order": "a mukd - peki"}]},
    )
    assert out["phase"] == "S1866M"
    assert out["units"] == {
        "Great Britain": ["A Live", "F Nort"], "Đại Nam": ["F Hue"], "Neutral": ["A Mukd", "F Coma/NC"],
    }  # fmt: skip
    assert out["centers"] == {"Great Britain": ["Lond"], "Đại Nam": ["Hano"]}
    assert [entry["order"] for entry in out["orders"]] == ["F Lond - Nort", "F Hue H", "A Mukd - Peki"]
    assert out["bids"] == [{"power": "Teal", "points": 1, "value": 1, "order": "A Mukd - Peki", "won": True, "why": ""}]


def test_groups_that_are_left_out_are_what_is_always_so():
    """Contract: then only what is fixed is known: Siberia bids for Olive, Japan for nobody."""
    out = line(bids=bids(Olive=[(2, "A Gury H"), (2, "F Musc H")]), orders={"Zanzibar": ["A Momb H"]})
    assert [one["value"] for one in out["bids"]] == [4, 2], "Guryev is Olive's; whose Muscat is, is not known"
    told = line(groups=GROUPS, bids=bids(Olive=[(2, "A Gury H"), (2, "F Musc H")]))
    assert [one["value"] for one in told["bids"]] == [4, 4]
    five = bids(Olive=[(2, "A Gury H"), (2, "F Musc H"), (1, "F Hans H"), (1, "A Urga H")])
    assert "they spend 6 points, but it has 5" in line(bids=five)["bids"][0]["why"]
    assert line(groups=GROUPS, bids=five)["bids"][0]["why"] == ""


@pytest.mark.parametrize(
    ("data", "why"),
    table("""
        {"groups": {"Purple": ["China"]}} => "Purple" is not a group of Intercontinental.
        {"groups": {"Blue": ["Narnia"]}} => "Narnia" is not a power of Intercontinental.
        {"groups": {"Olive": ["Peru"], "Red": ["Peru"]}} => Peru cannot be in Red.
        {"groups": {"Olive": ["Neutral"]}} => Neutral cannot be in Olive.
        {"groups": {"Olive": "Peru"}} => "groups of Olive" must be a list.
        {"groups": ["Olive"]} => "groups" must be an object: a group, then a list of powers.
        {"bids": {"Purple": [{"points": 1, "order": "A Urga H"}]}} => "Purple" does not bid in Intercontinental.
        {"bids": {"China": [{"points": 1, "order": "A Urga H"}]}} => "China" does not bid in Intercontinental.
        {"bids": {"Neutral": [{"points": 1, "order": "A Urga H"}]}} => "Neutral" does not bid in Intercontinental.
        {"bids": {"Blue": [{"points":"1", "order": "A Urga H"}]}} => A bid is written {"points": 1, "order": "A SWI H"}.
        {"settings": {"suez": "soon"}} => The setting "suez" is a number from 1 to 9999.
        {"settings": {"suez": 0}} => The setting "suez" is a number from 1 to 9999.
        {"settings": {"suez": true}} => The setting "suez" is a number from 1 to 9999.
        {"settings": {"year_cap": -1}} => The setting "year_cap" is a number from 1 to 9999.
        {"settings": {"victory": 181}} => The setting "victory" is a number from 1 to 180.
        {"settings": {"panama": 1914}} => "panama" is not a setting of Intercontinental.
        {"settings": [1870]} => "settings" must be an object, like {"victory": 15}.
        {"units": {"Blue": ["A Live"]}} => "Blue" is not a power of Intercontinental.
        {"orders": {"Red": ["A Vien H"]}} => "Red" is not a power of Intercontinental.
        {"units": {"Egypt": ["F Suez"]}} => "F Suez": a fleet in Suez is on a coast, Suez/NC or Suez/SC.
        {"units": {"Egypt": ["A EMS"]}} => "A EMS": no army can be in East Mediterranean Sea."""),
)
def test_a_line_that_cannot_be_used_says_why(data, why):
    assert error(**json.loads(data)) == why


def test_settings_of_other_boards():
    text, good = answer_line(json.dumps({"variant": "standard", "phase": "S1901M", "settings": {"suez": 1870}}))
    assert not good and json.loads(text)["error"] == '"suez" is not a setting of Standard Diplomacy.'
    text, good = answer_line(json.dumps({"variant": "standard", "phase": "S1901M", "settings": {"year_cap": 1907}}))
    assert good
    text, good = answer_line(json.dumps({"variant": "standard", "phase": "S1901M", "groups": {"Blue": ["France"]}}))
    assert not good and json.loads(text)["error"] == '"Blue" is not a group of Standard Diplomacy.'


def test_settings_in_any_case_and_null():
    fleet = {"units": {"Egypt": ["F EMS"]}, "orders": {"Egypt": ["F EMS - SUEZ/NC"]}}
    assert line(settings={"Suez": 1865}, **fleet)["units"]["Egypt"] == ["F Suez"]
    assert line(settings={"suez": None, "year_cap": None, "victory": None}, **fleet)["units"]["Egypt"] == ["F Suez/NC"]


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_eight_years_play_themselves_and_each_phase_is_answered_again():
    """Bids, sorties, the canal: what the engine comes to, `judge adjudicate` comes to as well."""
    game = list(play(VARIANT, years=8, seed=1))
    assert game[0]["phase"] == "S1865M" and int(game[-1]["phase"][1:-1]) == 1872
    bid_for = sum(map(len, (own for phase in game for own in phase.get("bids", {}).values())))
    assert bid_for > 400
    assert max(sum(map(len, phase["units"].values())) for phase in game) > 170
    for phase, following in zip(game, game[1:], strict=False):
        answered = json.loads(answer_line(json.dumps(phase))[0])
        for key in ("units", "centers", "homes"):
            assert answered[key] == following.get(key, {}), (phase["phase"], key)
        assert answered["next"] == following["phase"]
        waiting = [{key: one[key] for key in ("unit", "from", "by_convoy")} for one in _dislodged(answered)]
        assert waiting == list(_dislodged(following)) or not following.get("dislodged")
        assert not any(entry.get("why") for entry in answered["orders"])
        assert {one["why"] for one in answered["bids"]} <= {"", ATTACKED}


def _dislodged(line: dict) -> list[dict]:
    return [one for units in line.get("dislodged", {}).values() for one in units]


@pytest.mark.slow
def test_seven_years_of_eager_players():
    """They take centers and name homes; each phase is sent through `judge adjudicate` as well."""
    board = VARIANT.grouped(draw(VARIANT.groups, VARIANT.draws, 1))
    lost = won = named = 0
    for position, offered, outcome in play_eagerly(board, 7, 1):
        check_phase(board, position, offered, outcome)
        line = in_line(board, position, offered, outcome)
        assert answer(line) == outcome_to_json(board, outcome) | {"groups": line["groups"]}
        lost += len(outcome.dislodged.get(NEUTRAL, ()))
        won += len(outcome.bids.orders)
        for power, homes in outcome.homes.items():
            assert not position.homes.get(power), "once"
            taken = {home for one in board.powers for home in (*one.homes, *position.homes.get(one.name, ()))}
            assert homes not in taken and any(
                one.power == power and isinstance(one.order, Build) and one.order.slot == homes
                for one in outcome.results
            )
            named += 1
        for power, kept in position.homes.items():
            assert outcome.position.homes[power] == kept, "for good"
    assert lost > 25 and won > 50 and named > 5


def in_line(board, position, offered, outcome) -> dict:
    """What led to the outcome, as a line."""
    orders: dict[str, list[str]] = {}
    for one in outcome.results:
        if one.power != NEUTRAL:
            orders.setdefault(one.power, []).append(str(one.order))
    return position_to_json(board, position) | {
        "groups": {group.name: list(group.powers) for group in board.groups},
        "orders": orders,
        "bids": {bidder: [bid(one.points, str(one.order)) for one in own] for bidder, own in offered.items()},
    }


def test_a_full_board_with_the_bids_of_everybody_takes_no_time():
    """Ten milliseconds for 180 units; the best of five, on the clock of the processor."""
    dice = random.Random(1)
    start = start_position(DRAWN)
    orders = {
        power: random_orders(BoardState(DRAWN, start), power, need, dice) for power, need in needs(DRAWN, start).items()
    }
    offered = random_bids(DRAWN, start, dice)
    assert sum(map(len, start.units.values())) == 180 and sum(map(len, offered.values())) > 40
    times = []
    for _ in range(5):
        begin = time.process_time()
        adjudicate(DRAWN, start, orders, offered)
        times.append(time.process_time() - begin)
    assert min(times) < 0.01


def test_self_play_is_the_same_from_the_same_seed():
    assert list(play(VARIANT, years=1, seed=9)) == list(play(VARIANT, years=1, seed=9))
    assert answer(next(play(VARIANT, years=1, seed=9)))["next"] in ("S1865R", "F1865M")
    assert adjudicate(VARIANT, start_position(VARIANT), {}).winner is None
