"""What holds for every position and every set of orders."""

import json
import random
import time
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules import (
    Convoy,
    Hold,
    Move,
    Outcome,
    Position,
    Support,
    Unit,
    Variant,
    adjudicate,
    answer_line,
    load_variant,
    needs,
    position_to_json,
    start_position,
)
from judge.rules.board.board_state import BoardState
from judge.rules.board.orders import Order, sort_units
from judge.rules.json_lines import answer
from judge.rules.selfplay import play, random_orders
from tests.rules.boards import POWERS, grid_variant, is_sea, ocean_variant
from tests.rules.positions import random_orders as orders_at_random
from tests.rules.positions import random_position
from tests.texts import listed

pytestmark = pytest.mark.slow

STANDARD = load_variant("standard")
GRID = grid_variant()
SEEDS = st.integers(0, 2**32 - 1)


def a_game(seed: int, years: int = 5) -> list[tuple[Position, Outcome]]:
    """The phases of a game of random orders, each with what it came to."""
    dice = random.Random(seed)
    position = start_position(STANDARD)
    phases = []
    while int(position.phase[1:-1]) < 1901 + years:
        orders = {
            power: random_orders(BoardState(STANDARD, position), power, need, dice)
            for power, need in needs(STANDARD, position).items()
        }
        outcome = adjudicate(STANDARD, position, orders)
        phases.append((position, outcome))
        position = outcome.position
    return phases


def count(position: Position) -> int:
    return sum(map(len, position.units.values()))


@settings(max_examples=6)
@given(SEEDS)
def test_units_never_share_a_province_and_never_get_lost(seed):
    for position, outcome in a_game(seed):
        provinces = [unit.province for units in outcome.position.units.values() for unit in units]
        assert len(provinces) == len(set(provinces))
        stuck = sum(not places for beaten in outcome.dislodged.values() for _, places in beaten)
        waiting = sum(map(len, outcome.position.dislodged.values()))
        match position.phase[-1]:
            case "M":
                gone = stuck if not waiting else 0
                assert count(outcome.position) + waiting + gone == count(position)
            case "R":
                arrived = sum("ok" in result.results and " - " in str(result.order) for result in outcome.results)
                assert count(outcome.position) == count(position) + arrived
            case "A":
                for power, due in {p.name: 0 for p in STANDARD.powers}.items():
                    units = len(outcome.position.units.get(power, ()))
                    assert units <= max(len(position.centers.get(power, ())), due)


@settings(max_examples=6)
@given(SEEDS)
def test_centers_have_one_owner_and_are_never_given_up(seed):
    for position, outcome in a_game(seed):
        owned = [center for centers in outcome.position.centers.values() for center in centers]
        assert len(owned) == len(set(owned))
        before = {center for centers in position.centers.values() for center in centers}
        assert before <= set(owned) <= set(STANDARD.centers)


@settings(max_examples=20)
@given(SEEDS)
def test_the_order_of_orders_and_powers_changes_nothing(seed):
    dice = random.Random(seed)
    position = random_position(STANDARD, dice)
    orders = orders_at_random(STANDARD, position, dice)
    outcome = adjudicate(STANDARD, position, orders)
    powers = list(orders)
    dice.shuffle(powers)
    shuffled = {power: dice.sample(orders[power], len(orders[power])) for power in powers}
    units = {power: tuple(dice.sample(position.units[power], len(position.units[power]))) for power in powers}
    again = adjudicate(STANDARD, replace(position, units=units), shuffled)
    assert again.position == outcome.position
    assert again.dislodged == outcome.dislodged
    assert Counter(again.results) == Counter(outcome.results)


@settings(max_examples=20)
@given(SEEDS)
def test_the_names_of_the_powers_change_nothing(seed):
    """What a power is called has no part in movement: everybody takes his neighbour's name."""
    dice = random.Random(seed)
    position = random_position(STANDARD, dice)
    orders = orders_at_random(STANDARD, position, dice)
    names = [power.name for power in STANDARD.powers]
    other = dict(zip(names, names[1:] + names[:1], strict=True))
    outcome = adjudicate(STANDARD, position, orders)
    renamed = adjudicate(
        STANDARD,
        replace(position, units={other[power]: units for power, units in position.units.items()}),
        {other[power]: given for power, given in orders.items()},
    )
    assert {other[power]: units for power, units in outcome.position.units.items()} == renamed.position.units
    assert [(other[one.power], one.order, one.results) for one in outcome.results] == [
        (one.power, one.order, one.results) for one in renamed.results
    ]


@settings(max_examples=20)
@given(SEEDS)
def test_every_order_has_a_result_and_a_void_one_a_reason_or_no_partner(seed):
    dice = random.Random(seed)
    position = random_position(STANDARD, dice)
    orders = orders_at_random(STANDARD, position, dice)
    outcome = adjudicate(STANDARD, position, orders)
    assert [(one.power, one.order) for one in outcome.results] == [
        (power, order) for power, given in orders.items() for order in given
    ]
    for one in outcome.results:
        assert one.results[0] in {"ok", "bounce", "cut", "no convoy", "disrupted", "void"}
        assert one.results[1:] in {(), ("dislodged",)}
        assert not one.why  # legal orders all
        if "void" in one.results:
            assert isinstance(one.order, Support | Convoy)


KEYS = listed("""
    variant
    phase
    units
    centers
    dislodged
    contested
    orders
    homes
    France
    unit
    from""")
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["A PAR", "PAR", "F1901M", "A PAR - BUR"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=10,  # to make up hundreds costs a hundred times what answering them does
)


@settings(max_examples=15)
@given(st.dictionaries(st.sampled_from(KEYS), ANYTHING))
def test_no_line_is_too_strange_to_be_answered(data):
    text, _ = answer_line(json.dumps({"variant": "standard", "phase": "F1901R"} | data))
    assert json.loads(text)


@pytest.mark.parametrize("phase", ["F1901M", "F1901R", "W1901A"])
@settings(max_examples=20)
@given(seed=SEEDS)
def test_orders_of_any_kind_in_any_phase_are_answered(phase, seed):
    """Orders for other phases, for other people's units and for empty provinces are void, never an error."""
    dice = random.Random(seed)
    position = random_position(STANDARD, dice, phase=phase)
    names = list(STANDARD.board.spots)
    texts = [
        dice.choice(["{} H", "{} - " + dice.choice(names)[2:], "{} S " + dice.choice(names), "{} D", "BUILD {}",
                     "REMOVE {}", "{} C " + dice.choice(names) + " - LON", "WAIVE"]).format(dice.choice(names))
        for _ in range(30)
    ]  # fmt: skip
    out = answer(position_to_json(STANDARD, position) | {"orders": {"France": texts}})
    assert len(out["orders"]) == 30


def test_a_game_plays_itself_the_same_from_the_same_seed():
    game = list(play(STANDARD, years=3, seed=7))
    assert game == list(play(STANDARD, years=3, seed=7))
    assert game != list(play(STANDARD, years=3, seed=8))
    assert [line["phase"] for line in game][0] == "S1901M"
    assert int(game[-1]["phase"][1:-1]) == 1903


def test_a_game_that_played_itself_is_adjudicated_again_from_its_lines():
    game = list(play(STANDARD, years=4, seed=3))
    for line, following in zip(game, game[1:], strict=False):
        out = answer(line)
        assert (out["next"], out["units"], out["centers"]) == tuple(
            following[key] for key in ("phase", "units", "centers")
        )


# --- bounded time -------------------------------------------------------------------------------------------------

LIMIT = 0.05


def seconds(variant: Variant, position: Position, orders: dict[str, list[Order]]) -> float:
    """The best of three: what the adjudication takes, not what else the machine does."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        adjudicate(variant, position, orders)
        times.append(time.perf_counter() - start)
    return min(times)


def cell(column: int, row: int) -> str:
    return f"{chr(65 + column)}{row:02d}"


def test_a_ring_of_thirty_four_goes_round_at_once():
    path = [(2, y) for y in range(17)] + [(3, y) for y in reversed(range(17))]
    units = [Unit("A", cell(*at)) for at in path]
    orders: list[Order] = [Move(a, b.place) for a, b in zip(units, units[1:] + units[:1], strict=True)]
    position = Position("F1901M", {"Red": sort_units(units)}, {})
    outcome = adjudicate(GRID, position, {"Red": orders})
    assert all(one.results == ("ok",) for one in outcome.results)
    assert seconds(GRID, position, {"Red": orders}) < LIMIT


def test_two_hundred_units_on_four_hundred_and_sixty_provinces_take_no_time():
    dice = random.Random(1)
    spots = list(GRID.board.spots.values())
    dice.shuffle(spots)
    units: dict[str, Unit] = {}
    for spot in spots:
        if len(units) < 200:
            units.setdefault(spot.unit.province, spot.unit)
    owner = {province: dice.choice(POWERS) for province in units}
    orders: dict[str, list[Order]] = {power: [] for power in POWERS}
    for province, unit in units.items():
        near = sorted(GRID.board.spots[unit.text].reach)
        friends = [units[other] for other in near if other in units]
        goal = dice.choice(near)
        order = Support(unit, dice.choice(friends)) if friends and dice.random() < 0.4 else Move(unit, goal)
        orders[owner[province]].append(order)
    by_power = {power: sort_units(unit for at, unit in units.items() if owner[at] == power) for power in POWERS}
    assert len(units) == 200
    assert len(GRID.provinces) == 460
    assert seconds(GRID, Position("F1901M", by_power, {}), orders) < 0.01


def test_one_army_and_twenty_fleets_in_a_row_take_no_time():
    fleets = [Unit("F", cell(1, y)) for y in range(20)]
    army = Unit("A", cell(0, 0))
    orders: list[Order] = [Convoy(fleet, army, cell(2, 19)) for fleet in fleets]
    orders.append(Move(army, cell(2, 19)))
    position = Position("F1901M", {"Red": sort_units([*fleets, army])}, {})
    assert adjudicate(GRID, position, {"Red": orders}).results[-1].results == ("ok",)
    assert seconds(GRID, position, {"Red": orders}) < LIMIT


def test_an_ocean_of_fleets_that_all_convoy_one_army_takes_no_time():
    ocean = ocean_variant()
    fleets = [Unit("F", name) for name, province in ocean.provinces.items() if province.kind == "sea"]
    army = Unit("A", "AAA")
    orders: list[Order] = [Move(army, "ZZZ"), *(Convoy(fleet, army, "ZZZ") for fleet in fleets)]
    position = Position("F1901M", {"Red": sort_units([*fleets, army])}, {})
    assert len(fleets) == 144
    assert adjudicate(ocean, position, {"Red": orders}).results[0].results == ("ok",)
    assert seconds(ocean, position, {"Red": orders}) < LIMIT


@pytest.mark.parametrize("seed", range(10))
def test_webs_of_convoys_and_attacks_on_them_take_no_time(seed):
    position, orders = web(random.Random(seed))
    assert seconds(GRID, position, orders) < LIMIT


def web(dice: random.Random) -> tuple[Position, dict[str, list[Order]]]:
    """A corner of the grid full of armies under way by sea, fleets that carry them, attacks on these, and supports."""
    board = GRID.board
    region = [cell(x, y) for x in range(dice.randint(3, 6)) for y in range(dice.randint(6, 18))]
    units = {at: Unit("F" if is_sea(at) else "A", at) for at in region if dice.random() < 0.9}
    owner = {at: dice.choice(POWERS) for at in units}
    orders: dict[str, Order] = {}
    for at, unit in units.items():
        free = sorted(fleet for fleet in board.lanes[at] if fleet in units and fleet not in orders)
        if unit.kind == "A" and free and dice.random() < 0.5:
            fleet = dice.choice(free)
            goal = dice.choice(sorted((board.steps[fleet] & board.land) - {at}))
            orders[at] = Move(unit, goal, via=True)
            orders[fleet] = Convoy(units[fleet], unit, goal)
    carriers = [at for at, order in orders.items() if isinstance(order, Convoy)]
    for at, unit in units.items():
        prey = sorted(board.spots[unit.text].reach.intersection(carriers))
        if at not in orders and prey and dice.random() < 0.5:
            orders[at] = Move(unit, dice.choice(prey))
    moves = [order for order in orders.values() if isinstance(order, Move)]
    for at, unit in units.items():
        if at not in orders:
            reach = board.spots[unit.text].reach
            helped = [move for move in moves if move.target in reach and at not in (move.target, move.slot)]
            chosen = dice.choice(helped) if helped else None
            orders[at] = Support(unit, chosen.unit, chosen.to) if chosen else Hold(unit)
    powers = sorted(set(owner.values()))
    return (
        Position("F1901M", {p: sort_units(u for at, u in units.items() if owner[at] == p) for p in powers}, {}),
        {p: [order for at, order in orders.items() if owner[at] == p] for p in powers},
    )
