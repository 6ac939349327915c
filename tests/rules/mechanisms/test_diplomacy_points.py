"""Diplomacy Points: bids, what is refused on entry, and the auction. 1648, "Diplomacy Points"; Ambition & Empire, IV;
rulings, "Diplomacy Points" 1 to 8.
"""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
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
from judge.rules.board.board_state import BoardState
from judge.rules.board.position import sort_units
from judge.rules.describe import rules_in_words, rulings_of
from judge.rules.phases.movement import Movement
from judge.rules.phases.orders_given import TakenMovement
from tests.rules.lines import Board, bid, neutral_orders, results
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


@pytest.mark.parametrize(
    ("owned", "points"), [("", 0), ("STO", 1), ("STO ABO", 2), ("STO ABO COP", 3), ("STO ABO COP CHR", 3)]
)
def test_ambition_empire_gives_a_point_for_each_center_up_to_three(owned, points):
    at = SEVEN_YEARS.position("F1763M", centers={"Sweden": owned.split()} if owned else {})
    assert income(LATER, at, "Sweden") == points


def test_income_is_counted_from_what_is_owned_when_the_phase_begins():
    """Rulings, "Diplomacy Points" 7: standing in a center in the Fall is not yet owning it."""
    at = SEVEN_YEARS.position("F1763M", centers={"Sweden": ["STO"]}, units={"Sweden": ["A COP", "F STO"]})
    assert income(LATER, at, "Sweden") == 1


def test_the_eliminated_the_neutrals_and_other_phases_have_no_points():
    assert income(EARLY, WESTPHALIA.position("S1660M"), "France") == 0
    assert income(EARLY, start_position(EARLY), NEUTRAL) == 0
    assert income(EARLY, WESTPHALIA.position("W1649A", centers={"France": ["PAR"]}), "France") == 0
    assert income(STANDARD, start_position(STANDARD), "France") == 0


def test_a_power_without_centers_that_has_a_unit_left_still_has_its_points_in_1648():
    assert income(EARLY, WESTPHALIA.position("F1660M", units={"Sweden": ["A ABO"]}), "Sweden") == 3


# --- on entry (rulings, "Diplomacy Points" 3) -------------------------------------------------------------------


def test_a_good_bid_is_completed():
    assert accepted(EARLY, 2, "swa s vie - bav", "Austria") == "A SWA S A VIE - BAV"
    assert accepted(EARLY, 1, "F SWI H") == "A SWI H"


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("A SWI - SAV", "Army Switzerland is neutral: it can only hold or support."),
        ("F POR C A SEV - LEO", "Fleet Portugal is neutral: it can only hold or support."),
        ("A PAR H", "Army Paris is your own. Order it without points."),
        ("A VIE H", "Army Vienna is Austrian, not a neutral."),
        ("A HUN H", "There is no neutral unit in Hungary."),
        ("A SWI S A VIE - BAV", "Army Switzerland cannot reach Bavaria to support there."),
        ("A SWI S A BAV - TYR", "Army Bavaria is neutral: it never moves."),
        ("A SWI S A DAU - SAV", "There is no unit in Dauphiné to support."),
        ("A SWI S A SWI", "A unit cannot support itself."),
        ("A LOR S A PAR - LOR", "Army Lorraine cannot support an attack on its own province."),
    ],
)
def test_what_can_be_seen_on_entry_is_refused_with_its_reason(order, why):
    assert refused(EARLY, 1, order) == why


def test_a_neutral_without_its_unit_cannot_be_bid_for():
    start = start_position(EARLY)
    lost = tuple(unit for unit in start.units[NEUTRAL] if unit.province != "SWI")
    at = Position("F1649M", {**start.units, NEUTRAL: lost}, start.centers)
    assert refused(EARLY, 1, "A SWI H", position=at) == "There is no neutral unit in Switzerland."


def test_points_are_whole_and_spent_in_movement_phases_of_variants_that_have_them():
    assert refused(EARLY, 0, "A SWI H") == "A bid needs at least one point."
    assert refused(STANDARD, 1, "A PAR H") == "There are no Diplomacy Points in Standard Diplomacy."
    winter = WESTPHALIA.position("W1649A", units={"Neutral": ["A SWI"]})
    assert refused(EARLY, 1, "A SWI H", position=winter) == "Diplomacy Points can only be spent in movement phases."


def test_1648_lets_a_power_put_two_points_on_a_neutral():
    assert refused(EARLY, 3, "A SWI H", "Spain") == (
        "At most 2 of a power's points may be on one neutral; Switzerland would have 3."
    )
    one = wish(EARLY, 1, "A SWI H")
    assert accepted(EARLY, 1, "A SWI H", "Spain", [one]) == "A SWI H"
    assert "Switzerland would have 3" in refused(EARLY, 2, "A SWI S A MAR - SAV", "Spain", [one])


def test_france_may_put_two_points_on_two_neutrals_and_then_one_each_on_others():
    """1648, "Diplomacy Points"; rulings, "Diplomacy Points" 5."""
    twice = [wish(EARLY, 2, "A SWI H"), wish(EARLY, 2, "A LOR H")]
    why = "At most 2 neutrals may have 2 of a power's points; Savoy would be one more."
    assert refused(EARLY, 2, "A SAV H", earlier=twice) == why
    assert accepted(EARLY, 1, "A SAV H", earlier=twice) == "A SAV H"
    once_more = [*twice, wish(EARLY, 1, "A SAV H")]
    assert accepted(EARLY, 1, "A SWA H", earlier=once_more) == "A SWA H"
    assert refused(EARLY, 1, "A SAV S A MAR", earlier=once_more) == why


def test_ambition_empire_lets_all_points_go_into_one_order():
    """IV: consolidation."""
    assert accepted(LATER, 3, "A SWI S A MAR - SAV") == "A SWI S A MAR - SAV"


# --- who wins -------------------------------------------------------------------------------------------------


def test_1648_example_of_swabia():
    """ "Diplomacy Points": Spain backs Austria, so Swabia supports the Austrian attack on Bavaria and not the French
    one on Lorraine.
    """
    answered = WESTPHALIA.start(
        orders={"Austria": "A VIE - BAV", "France": "A PAR - LOR"},
        bids={
            "Austria": [bid(1, "A SWA S A VIE - BAV")],
            "France": [bid(1, "A SWA S A PAR - LOR")],
            "Spain": [bid(1, "Swabia supports Vienna to Bavaria")],
        },
    )
    assert neutral_orders(answered) == ["A SWA S A VIE - BAV"]
    assert results(answered)["A VIE - BAV"] == ["ok"]
    assert results(answered)["A PAR - LOR"] == ["bounce"]
    assert [(one["power"], one["value"], one["won"], one["why"]) for one in answered["bids"]] == [
        ("Austria", 1, True, ""), ("France", 1, False, ""), ("Spain", 1, True, ""),
    ]  # fmt: skip


FRENCH, AUSTRIAN = "A SWI S A MAR - SAV", "A SWI S A MIL - VEN"


@pytest.mark.parametrize(
    ("bids", "winner"),
    [
        pytest.param({"France": (1, FRENCH)}, FRENCH, id="example 1: nobody else"),
        pytest.param({"France": (1, FRENCH), "Austria": (1, AUSTRIAN)}, None, id="example 2: a tie, it holds"),
        pytest.param({"France": (2, FRENCH), "Austria": (1, AUSTRIAN)}, FRENCH, id="example 3: one point more"),
        pytest.param(
            {"France": (1, FRENCH), "Austria": (1, AUSTRIAN), "Turkey": (1, FRENCH)}, FRENCH, id="example 4: help"
        ),
    ],
)
def test_ambition_empire_examples(bids, winner):
    """IV, examples 1 to 4, played: what the Swiss do, and what becomes of the two attacks."""
    answered = SEVEN_YEARS.start(
        orders={"France": "A MAR - SAV", "Austria": "A MIL - VEN"},
        bids={power: [bid(*one)] for power, one in bids.items()},
    )
    assert neutral_orders(answered) == ([winner] if winner else [])
    assert results(answered)["A MAR - SAV"] == ["ok" if winner == FRENCH else "bounce"]
    assert results(answered)["A MIL - VEN"] == ["bounce"]


def test_most_points_are_not_enough_they_must_be_more_than_each_other_order_has():
    three = outcome_of(LATER, France=[(1, FRENCH)], Austria=[(1, AUSTRIAN)], Spain=[(1, "A SWI H")])
    assert three.lots["SWI"].order is None
    most = outcome_of(LATER, France=[(2, FRENCH)], Austria=[(1, AUSTRIAN)], Spain=[(1, "A SWI H")])
    assert str(most.lots["SWI"].order) == FRENCH
    assert [(str(order), value) for order, value in most.lots["SWI"].tally] == [
        (FRENCH, 2), ("A SWI H", 1), (AUSTRIAN, 1),
    ]  # fmt: skip


def test_a_bid_to_hold_is_a_bid():
    """Rulings, "Diplomacy Points" 2."""
    result = outcome_of(LATER, France=[(1, FRENCH)], Austria=[(2, "A SWI H")])
    assert [str(order) for order in result.orders] == ["A SWI H"]
    assert [one.won for one in result.bids] == [False, True]


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


def test_points_of_one_power_in_two_bids_for_one_order_add_up():
    result = outcome_of(EARLY, Spain=[(1, "A SWI H"), (1, "A SWI H")], Sweden=[(1, "A SWI S A MAR - SAV")])
    assert [str(order) for order in result.orders] == ["A SWI H"]


def test_a_power_may_back_two_orders_of_one_neutral():
    result = outcome_of(EARLY, Spain=[(1, "A SWI H"), (1, "A SWI S A MAR - SAV")])
    assert result.orders == ()
    assert [one.value for one in result.bids] == [1, 1]


# --- what counts nothing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "power", "bids"),
    [
        (LATER, "France", [(2, FRENCH), (2, "A BAW H")]),
        (LATER, "Sweden", [(3, "A MEC H")]),
        (EARLY, "Spain", [(2, "A SWI H"), (2, "F POR H")]),
        (EARLY, "France", [(2, "A SWI H"), (2, "A LOR H"), (1, "A SAV H"), (1, "A SWA H"), (1, "A RHI H")]),
    ],
)
def test_whoever_spends_more_than_he_has_loses_all_points_of_the_turn(variant, power, bids):
    """Ambition & Empire, IV; rulings, "Diplomacy Points" 3."""
    result = outcome_of(variant, **{power: bids})
    assert result.orders == ()
    assert all(one.value == 0 and "forfeited" in one.why for one in result.bids)


def test_void_bids_are_points_spent_too():
    """Rulings, "Diplomacy Points" 5: all that is written down counts, what cannot be read as well."""
    answered = SEVEN_YEARS.start(
        bids={"Sweden": [bid(1, "A MEC H"), bid(1, "A MEC - BER"), bid(1, "Mecklenburg, please")]}
    )
    assert [one["won"] for one in answered["bids"]] == [False] * 3
    assert all("they spend 3 points, but it has 2" in one["why"] for one in answered["bids"])


def test_a_bid_that_can_never_be_carried_out_is_void_by_itself():
    answered = SEVEN_YEARS.start(
        bids={"France": [bid(1, "A SWI S A MAR - GAS"), bid(1, "Switzerland, do something"), bid(1, FRENCH)]},
        orders={"France": "A MAR - SAV"},
    )
    assert [(one["value"], one["won"]) for one in answered["bids"]] == [(0, False), (0, False), (1, True)]
    assert answered["bids"][0]["why"] == "Army Marseilles cannot reach Gascony."
    why = answered["bids"][1]["why"]
    assert "not something the judge understands" in why or "not a province" in why
    assert answered["bids"][1]["order"] == "Switzerland, do something"


def test_a_bid_that_breaks_a_limit_is_void_and_the_earlier_ones_stand():
    """Rulings, "Diplomacy Points" 5."""
    result = outcome_of(EARLY, Spain=[(2, "A SWI H"), (1, "A SWI S A MAR - SAV")])
    assert [(one.value, one.won) for one in result.bids] == [(2, True), (0, False)]
    third = outcome_of(EARLY, France=[(2, "A SWI H"), (2, "A SWA H"), (2, "A SAV H")])
    assert [(one.value, one.won) for one in third.bids] == [(2, True), (2, True), (0, False)]


def test_a_bid_whose_order_comes_to_nothing_on_the_board_counts_in_the_auction():
    """Rulings, "Diplomacy Points" 4."""
    answered = SEVEN_YEARS.start(
        orders={"France": "A MAR H", "Austria": "A MIL - VEN"},
        bids={"France": [bid(2, FRENCH)], "Austria": [bid(1, AUSTRIAN)]},
    )
    assert results(answered)[FRENCH] == ["void"]
    assert [one["won"] for one in answered["bids"]] == [True, False]


def test_the_masters_order_for_a_neutral_is_taken_as_it_is():
    """Rulings, "Armed neutrals" 1."""
    answered = SEVEN_YEARS.start(
        orders={"Neutral": AUSTRIAN, "France": "A MAR - SAV", "Austria": "A MIL - VEN"},
        bids={"France": [bid(2, FRENCH), bid(1, "A BAW H")]},
    )
    assert neutral_orders(answered) == [AUSTRIAN, "A BAW H"]
    assert results(answered)["A MIL - VEN"] == ["ok"]
    assert [(one["won"], one["why"]) for one in answered["bids"]] == [
        (False, "The master ordered this neutral."), (True, ""),
    ]  # fmt: skip


def test_bids_outside_movement_phases_and_in_other_variants_count_nothing():
    winter = answer_in("ambition_empire", "W1763A")
    assert winter["bids"][0]["why"] == "Diplomacy Points can only be spent in movement phases."
    assert answer_in("standard", "S1901M")["bids"][0]["why"] == "There are no Diplomacy Points in Standard Diplomacy."


def answer_in(variant: str, phase: str) -> dict:
    return Board(variant).play(
        phase, units={"Neutral": ["A LON"]}, centers={"France": ["PAR"]}, bids={"France": [bid(1, "A LON H")]}
    )


# --- vassals --------------------------------------------------------------------------------------------------


def test_a_suzerains_points_on_its_vassal_are_worth_one_more():
    """1648, "Diplomacy Points"; rulings, "Vassals" 1."""
    assert [one.value for one in outcome_of(EARLY, England=[(1, "A SCO H"), (2, "A IRE H")]).bids] == [2, 3]
    contested = outcome_of(EARLY, England=[(1, "A SCO S F LON - YOR")], Spain=[(1, "A SCO H")])
    assert [str(order) for order in contested.orders] == ["A SCO S F LON - YOR"]
    assert [one.value for one in outcome_of(EARLY, France=[(1, "A SCO H")]).bids] == [1]


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


def test_a_void_bid_takes_no_bonus_away():
    result = outcome_of(EARLY, England=[(1, "A SCO - YOR"), (1, "A SCO H")])
    assert [one.value for one in result.bids] == [0, 2]


def test_crimea_has_two_suzerains():
    """Rulings, "Vassals" 1."""
    result = outcome_of(EARLY, Russia=[(1, "A CRI H")], Turkey=[(1, "A CRI S A VOR - ARM")])
    assert [one.value for one in result.bids] == [2, 2]
    assert result.lots["CRI"].order is None


# --- neutrals on the board ------------------------------------------------------------------------------------


def test_one_neutral_may_support_an_attack_on_another_and_cuts_nothing_by_it():
    """Rulings, "Armed neutrals" 1: each neutral is a power of its own."""
    answered = SEVEN_YEARS.start(
        orders={"Austria": "A MIL - TUS"},
        bids={"Austria": [bid(1, "A SAV S A MIL - TUS")], "Spain": [bid(1, "A PAP S A TUS")]},
    )
    assert results(answered)["A MIL - TUS"] == ["bounce"]
    alone = SEVEN_YEARS.start(orders={"Austria": "A MIL - TUS"}, bids={"Austria": [bid(1, "A SAV S A MIL - TUS")]})
    assert results(alone)["A MIL - TUS"] == ["ok"]


def test_a_neutral_supports_against_the_power_that_attacks_its_neighbour():
    answered = SEVEN_YEARS.start(
        orders={"France": "A MAR - SAV"}, bids={"France": [bid(1, FRENCH)], "Austria": [bid(2, "A SWI S A SAV")]}
    )
    assert results(answered)["A MAR - SAV"] == ["bounce"]


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
            own.append(Bid(dice.choice([0, 1, 1, 1, 2, 3]), dice.choice(legal_orders(variant, position, unit, table))))
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


@given(st.integers(0, 2**32 - 1), st.sampled_from([EARLY, LATER]))
def test_what_wins_can_be_carried_out_and_no_neutral_ever_moves(seed, variant):
    dice = random.Random(seed)
    position = crowded(variant, dice)
    if NEUTRAL not in position.units:
        return
    table = BoardState(variant, position)
    orders = {
        power: [dice.choice(legal_orders(variant, position, unit, table)) for unit in units]
        for power, units in position.units.items()
        if power != NEUTRAL
    }
    outcome = adjudicate(variant, position, orders, any_bids(variant, position, dice))
    assert all(not one.why for one in outcome.results if one.power == NEUTRAL)
    homes = {unit.text for unit in variant.neutrals.units}
    assert {unit.text for unit in outcome.position.units.get(NEUTRAL, ())} <= homes
    assert all(places == () for _, places in outcome.dislodged.get(NEUTRAL, ()))


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
            [
                one
                for one in legal_orders(variant, position, unit, table)
                if power != NEUTRAL or not isinstance(one, Move)
            ]
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
    assert "this is 3" in second.why


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
