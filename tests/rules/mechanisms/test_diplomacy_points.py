"""Diplomacy Points: bids, what is refused on entry, and the auction. 1648, "Diplomacy Points"; Ambition & Empire, IV;
rulings, "Diplomacy Points" 1 to 8.
"""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules import (
    NEUTRAL,
    Bid,
    Move,
    OrderError,
    Position,
    adjudicate,
    auction,
    check_bid,
    income,
    legal_orders,
    load_variant,
    parse_order,
    start_position,
)
from judge.rules.board.board_state import BoardState, TakenMovement
from judge.rules.board.orders import sort_units
from judge.rules.describe import rules_in_words, rulings_of
from judge.rules.phases.movement import Movement
from tests.rules.lines import Board
from tests.rules.positions import random_position

EARLY, LATER, STANDARD = load_variant("1648"), load_variant("ambition_empire"), load_variant("standard")
WESTPHALIA, SEVEN_YEARS = Board("1648"), Board("ambition_empire")


def wish(variant, points: int, text: str) -> Bid:
    return Bid(points, parse_order(variant, "M", text))


def refused(
    variant, points: int, text: str, power: str = "France", earlier=(), position: Position | None = None
) -> str:
    """Why the bid is refused on entry."""
    with pytest.raises(OrderError) as refusal:
        check_bid(variant, position or start_position(variant), power, wish(variant, points, text), earlier)
    return str(refusal.value)


def accepted(variant, points: int, text: str, power: str = "France", earlier=()) -> str:
    return str(check_bid(variant, start_position(variant), power, wish(variant, points, text), earlier).order)


def outcome_of(variant, **bids):
    """The auction from the start; a bid is (points, text)."""
    given = {power.replace("_", " "): [wish(variant, *one) for one in own] for power, own in bids.items()}
    return auction(variant, start_position(variant), given)


# --- income ---------------------------------------------------------------------------------------------------


def test_1648_gives_three_points_and_france_six():
    start = start_position(EARLY)
    assert {power.name: income(EARLY, start, power.name) for power in EARLY.powers} == {
        **{power.name: 3 for power in EARLY.powers}, "France": 6,
    }  # fmt: skip


# --- on entry (rulings, "Diplomacy Points" 3) -------------------------------------------------------------------


def test_a_good_bid_is_completed():
    assert accepted(EARLY, 2, "swa s vie - bav", "Austria") == "A SWA S A VIE - BAV"
    assert accepted(EARLY, 1, "F SWI H") == "A SWI H"


# --- who wins -------------------------------------------------------------------------------------------------


FRENCH, AUSTRIAN = "A SWI S A MAR - SAV", "A SWI S A MIL - VEN"


def test_most_points_are_not_enough_they_must_be_more_than_each_other_order_has():
    three = outcome_of(LATER, France=[(1, FRENCH)], Austria=[(1, AUSTRIAN)], Spain=[(1, "A SWI H")])
    assert three.lots["SWI"].order is None
    most = outcome_of(LATER, France=[(2, FRENCH)], Austria=[(1, AUSTRIAN)], Spain=[(1, "A SWI H")])
    assert str(most.lots["SWI"].order) == FRENCH
    assert [(str(order), value) for order, value in most.lots["SWI"].tally] == [
        (FRENCH, 2), ("A SWI H", 1), (AUSTRIAN, 1),
    ]  # fmt: skip


def test_orders_that_differ_only_in_form_are_one_order():
    """Rulings, "Diplomacy Points" 1: unit letters and needless coasts do not matter."""
    result = outcome_of(
        LATER,
        France=[(1, "A PAP S F TWS")],
        Austria=[(1, "F pap s A tws")],
        Spain=[(1, "Papal States support Two Sicilies")],
    )
    assert [(str(order), value) for order, value in result.lots["PAP"].tally] == [("A PAP S F TWS", 3)]


def test_a_coast_that_the_fleet_must_take_is_needless_one_that_it_may_choose_is_not():
    """Rulings, "Diplomacy Points" 1, on the two coasts of Holstein in 1648: from the Bay of Luebeck only one can be
    meant, from Copenhagen both.
    """

    def tally(fleet: str, *orders: str) -> list[tuple[str, int]]:
        at = WESTPHALIA.position(
            "S1649M",
            units={"Denmark-Norway": [fleet], "Neutral": ["A MEC"]},
            centers={"Austria": ["VIE"], "Spain": ["MAD"]},
        )
        bids = {power: [wish(EARLY, 1, order)] for power, order in zip(("Austria", "Spain"), orders, strict=True)}
        return [(str(order), value) for order, value in auction(EARLY, at, bids).lots["MEC"].tally]

    assert tally("F BOL", "A MEC S F BOL - HOL", "A MEC S F BOL - HOL/EC") == [("A MEC S F BOL - HOL", 2)]
    assert tally("F COP", "A MEC S F COP - HOL", "A MEC S F COP - HOL/EC") == [
        ("A MEC S F COP - HOL", 1), ("A MEC S F COP - HOL/EC", 1),
    ]  # fmt: skip


# --- vassals --------------------------------------------------------------------------------------------------


def test_the_bonus_is_for_one_of_two_orders_of_a_vassal():
    two = outcome_of(EARLY, England=[(1, "A SCO H"), (1, "A SCO S F LON - YOR")])
    assert [one.value for one in two.bids] == [2, 1]
    same = outcome_of(EARLY, England=[(1, "A SCO H"), (1, "A SCO H")])
    assert [value for _, value in same.lots["SCO"].tally] == [3]


def test_the_bonus_goes_to_the_bid_with_more_points():
    """Two points on the second order, one on the first, on a board where a neutral may have three."""
    assert EARLY.points
    looser = EARLY.with_rule(replace(EARLY.points, per_neutral=3))
    two = outcome_of(looser, England=[(1, "A SCO H"), (2, "A SCO S F LON - YOR")])
    assert [one.value for one in two.bids] == [1, 3]


# --- properties -----------------------------------------------------------------------------------------------


def any_bids(variant, position: Position, dice: random.Random) -> dict[str, list[Bid]]:
    """Bids of every power, good and bad, often too many."""
    neutrals = position.units[NEUTRAL]
    table = BoardState(variant, position)
    bids: dict[str, list[Bid]] = {}
    for power in variant.powers:
        own = []
        for _ in range(dice.randint(0, 4)):
            unit = dice.choice(dice.choice([neutrals, *position.units.values()]))
            own.append(Bid(dice.choice([0, 1, 1, 1, 2, 3]), dice.choice(legal_orders(table, unit))))
        bids[power.name] = own
    return bids


def crowded(variant, dice: random.Random) -> Position:
    """Half of the centers are neutral, units of all powers stand everywhere else."""
    at = random_position(variant, dice, most=60)
    taken = {unit.province for units in at.units.values() for unit in units}
    neutrals = [unit for unit in variant.neutrals.units if unit.province not in taken]
    centers = {power.name: power.owns for power in variant.powers}
    units = {**at.units, NEUTRAL: sort_units(neutrals)} if neutrals else at.units
    return Position("F1700M", units, centers)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from([EARLY, LATER]))
def test_whatever_is_bid(seed, variant):
    dice = random.Random(seed)
    position = crowded(variant, dice)
    if NEUTRAL not in position.units:
        return
    bids = any_bids(variant, position, dice)
    result = auction(variant, position, bids)

    shuffled = list(bids)
    dice.shuffle(shuffled)
    other = auction(variant, position, {power: bids[power] for power in shuffled})
    assert other.lots == result.lots, "the order in which the bidders are listed does not matter"
    assert sorted(map(str, other.bids)) == sorted(map(str, result.bids))

    for power in variant.power_named:
        counted = [one for one in result.bids if one.bidder == power and not one.why]
        assert sum(one.bid.points for one in counted) <= income(variant, position, power)
        assert all(one.value >= one.bid.points > 0 for one in counted)
    assert all(one.value == 0 and not one.won for one in result.bids if one.why)
    assert len(result.bids) == sum(map(len, bids.values()))
    for province, lot in result.lots.items():
        assert lot.unit in position.units[NEUTRAL] and lot.unit.province == province
        values = [value for _, value in lot.tally]
        best = [order for order, value in lot.tally if value == max(values)]
        assert lot.order == (best[0] if len(best) == 1 else None)
    assert len({order.slot for order in result.orders}) == len(result.orders)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from([EARLY, LATER]))
def test_what_wins_can_be_carried_out_and_no_neutral_ever_moves(seed, variant):
    dice = random.Random(seed)
    position = crowded(variant, dice)
    if NEUTRAL not in position.units:
        return
    table = BoardState(variant, position)
    orders = {
        power: [dice.choice(legal_orders(table, unit)) for unit in units]
        for power, units in position.units.items()
        if power != NEUTRAL
    }
    outcome = adjudicate(variant, position, orders, any_bids(variant, position, dice))
    assert all(not one.why for one in outcome.results if one.power == NEUTRAL)
    homes = {unit.text for unit in variant.neutrals.units}
    assert {unit.text for unit in outcome.position.units.get(NEUTRAL, ())} <= homes
    assert all(places == () for _, places in outcome.dislodged.get(NEUTRAL, ()))


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from([EARLY, LATER]))
def test_each_neutral_fights_as_a_power_of_its_own(seed, variant):
    """Rulings, "Armed neutrals" 1: all happens as if each had a name of its own. (Moves aside: a neutral's fail.)"""
    dice = random.Random(seed)
    position = crowded(variant, dice)
    neutrals = position.units.get(NEUTRAL, ())
    alone = {f"neutral {unit.province}": (unit,) for unit in neutrals}
    named = replace(position, units={**{p: own for p, own in position.units.items() if p != NEUTRAL}, **alone})
    table = BoardState(variant, position)
    orders = {
        unit.province: dice.choice(
            [one for one in legal_orders(table, unit) if power != NEUTRAL or not isinstance(one, Move)]
        )
        for power, units in position.units.items()
        for unit in units
    }

    def moved(at: Position) -> dict[str, bool | None]:
        table = BoardState(variant, at)
        given = [(power, [orders[unit.province] for unit in units]) for power, units in at.units.items()]
        return Movement(table, TakenMovement(table, given)).states

    assert moved(position) == moved(named)


# --- coasts in supports (rulings, "Diplomacy Points" 1) ---------------------------------------------------------


def of_naples(move: str, **bids: list[tuple[int, str]]):
    """The auction for Tuscany in 1648, with Spain's fleet in Naples ordered to make the move."""
    start = start_position(EARLY)
    given = {power: [wish(EARLY, *one) for one in own] for power, own in bids.items()}
    return auction(EARLY, start, given, {"Spain": [parse_order(EARLY, "M", move)]})


def test_a_support_without_the_coast_is_the_same_as_one_with_the_coast_of_the_move():
    """1648, "Diplomacy Points"; rulings, "Diplomacy Points" 1: together they have more points than the hold."""
    bare, full = "A TUS S F NAP - PAP", "A TUS S F NAP - PAP/WC"
    for first, second in ((bare, full), (full, bare)):
        held = of_naples("F NAP - PAP/WC", Spain=[(1, first)], France=[(1, second)], Austria=[(1, "A TUS H")])
        assert [(str(order), value) for order, value in held.lots["TUS"].tally] == [(full, 2), ("A TUS H", 1)]
        assert [one.won for one in held.bids] == [True, True, False]


def test_a_support_that_names_the_other_coast_is_another_order():
    held = of_naples("F NAP - PAP/EC", Spain=[(1, "A TUS S F NAP - PAP")], France=[(1, "A TUS S F NAP - PAP/WC")])
    assert held.lots["TUS"].order is None
    assert {str(order): value for order, value in held.lots["TUS"].tally} == {
        "A TUS S F NAP - PAP/EC": 1,
        "A TUS S F NAP - PAP/WC": 1,
    }


def test_without_such_a_move_a_missing_coast_stays_missing():
    held = of_naples("F NAP H", Spain=[(1, "A TUS S F NAP - PAP")])
    assert str(held.lots["TUS"].order) == "A TUS S F NAP - PAP"


def test_one_order_in_two_forms_keeps_to_the_limits_of_one_order():
    """Intercontinental, 11.3: two points on an order, on entry too, where the move is not known yet."""
    assert EARLY.points
    limited = EARLY.with_rule(replace(EARLY.points, per_neutral=0, full=0, per_order=2))
    bare, full = "A TUS S F NAP - PAP", "A TUS S F NAP - PAP/WC"
    assert "A player can put at most 2 points on one order" in refused(
        limited, 1, bare, earlier=[wish(limited, 2, full)]
    )
    start, order = start_position(limited), parse_order(limited, "M", "F NAP - PAP/WC")
    given = {"France": [wish(limited, 2, full), wish(limited, 1, bare)]}
    first, second = auction(limited, start, given, {"Spain": [order]}).bids
    assert (first.value, second.value) == (2, 0)
    assert "This is 3" in second.why


def test_a_support_of_a_neutral_takes_the_coast_of_the_move_that_wins():
    """Intercontinental: neutrals may move too, and their move is settled by the same auction."""
    world = load_variant("intercontinental")
    one, other = [seat.name for seat in world.seats][:2]
    given = {
        one: [wish(world, 1, "F Sing - Ligo/WC"), wish(world, 1, "F Rang S F Sing - Ligo/WC")],
        other: [wish(world, 1, "F Rang S F Sing - Ligo")],
    }
    held = auction(world, start_position(world), given)
    assert [str(order) for order, _ in held.lots["Rang"].tally] == ["F Rang S F Sing - Ligo/WC"]
    assert all(result.won for result in held.bids)


def test_overspending_is_told_in_the_same_words_wherever_players_read_of_it():
    """HELP points, GET and GET RULES; the ruling says it too (rulings, "Diplomacy Points" 3)."""
    said = "that would spend more points than you have changes none of your bids"
    folder = Path(__file__).parents[3]
    helped = " ".join((folder / "templates/help/points.txt.j2").read_text().split())
    assert said in helped
    for variant in (EARLY, LATER, load_variant("intercontinental")):
        assert any(said in sentence for sentence in rules_in_words(variant))
        assert any(said in ruling.says for group in rulings_of(variant) for ruling in group.rulings)
