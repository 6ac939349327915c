"""The engine against a brute-force adjudicator on thousands of small positions."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

import pytest

from judge.rules import NEUTRAL, Convoy, Hold, Move, Order, Position, Support, Variant, adjudicate, load_variant
from judge.rules.board.board_state import BoardState, TakenMovement
from judge.rules.board.orders import sort_units
from judge.rules.mechanisms.crossings import DifficultBorders
from judge.rules.phases.movement import Movement
from judge.rules.phases.needs import _conceivable, legal_orders
from tests.rules.reference import Reference, province

pytestmark = pytest.mark.slow

STANDARD = load_variant("standard")
CAPE = load_variant("1900")
WORLD = load_variant("intercontinental")
# Borders of the standard board as if each were difficult: between inland provinces, coasts, at sea.
DIFFICULT = STANDARD.with_rule(DifficultBorders((
    ("LON", "WAL"), ("BEL", "HOL"), ("NTH", "ENG"), ("PIC", "BRE"), ("NWY", "SWE"), ("SKA", "DEN"), ("ROM", "NAP"),
    ("NAP", "APU"), ("TUN", "NAF"), ("MAR", "SPA"), ("GAS", "SPA"), ("SMY", "CON"), ("GRE", "BUL"), ("GRE", "SER"),
)))  # fmt: skip

# Corners of the board where much can happen at once: convoys over one and several seas, rings, split coasts.
CORNERS = {
    "channel": "ENG NTH IRI MAO LON WAL YOR LVP BEL PIC BRE HOL",
    "north": "NTH NWG SKA BAL BOT HEL NWY SWE DEN EDI FIN STP KIE",
    "south": "ION AEG EAS ADR TYS GRE BUL SMY APU NAP TUN CON SER ALB",
    "west": "MAO WES LYO NAF SPA POR MAR GAS TUN TYS ROM",
}
# Where borders of half strength meet convoys, ports and each other.
FAR_CORNERS = {
    "cape": "MID EGY HEJ EAS CYR PAL GIB MOR SPA POR ION",
    "red sea": "MID EGY HEJ PAL ARA CYR EAS DAM",
    "suez and sicily": "MID EGY HEJ EAS ION TYS WES GIB CYR TRP KON",
}
# Where stationary units and others meet in numbers, over land and over several seas.
WORLDLY_CORNERS = {
    "northeast asia": "Irku Urga Mukd Peki Kiri Chah Hans Yell East Amur Osak",
    "south america": "Anto Asun LaPa Cusc Lima Buen Cord Mont Tucu Sant Conc Humb",
    "low countries": "Amst Brus Hann Colo Stut Pari Lond Nort Engl Kiel Iris",
}
POWERS = ("Germany", "France", "Italy", "Turkey")
WITH_NEUTRALS = ("France", "Turkey", NEUTRAL, NEUTRAL)
WORLDLY = ("China", "Japan", NEUTRAL, NEUTRAL)
CROWD = 9


def crowded(variant: Variant, corner: str, dice: random.Random, powers: Sequence[str] = POWERS) -> Position:
    names = set(corner.split())
    places = [spot.unit for spot in variant.board.spots.values() if spot.unit.province in names]
    dice.shuffle(places)
    units: dict[str, list] = {}
    taken: set[str] = set()
    for unit in places:
        if unit.province not in taken and len(taken) < CROWD:
            taken.add(unit.province)
            units.setdefault(dice.choice(powers), []).append(unit)
    return Position("F1901M", {power: sort_units(own) for power, own in sorted(units.items())}, {})


def entangled_orders(variant: Variant, position: Position, corner: str, dice: random.Random) -> dict[str, Order]:
    """Orders that meet: moves within the corner first, then supports and convoys of just these."""
    names = set(corner.split())
    units = [unit for own in position.units.values() for unit in own]
    dice.shuffle(units)
    orders: dict[str, Order] = {}
    waiting = []
    table = BoardState(variant, position)
    for unit in units:
        # Most units move, and all else that they might do is more to find than their moves, which come first.
        options = _conceivable(table, table.at[unit.province]) if dice.random() < 0.6 else iter(())
        moves = [
            order
            for order in takewhile(lambda order: not isinstance(order, Support), options)
            if isinstance(order, Move) and order.target in names
        ]
        if moves:
            walks = near(variant, unit.province)
            by_sea = [move for move in moves if move.unit.kind == "A" and move.to not in walks]
            orders[unit.province] = dice.choice(by_sea if by_sea and dice.random() < 0.6 else moves)
        else:
            waiting.append(unit)
    moving = {(at, order.target) for at, order in orders.items() if isinstance(order, Move)}
    for unit in waiting:
        useful = [
            order
            for order in legal_orders(table, unit)
            if (isinstance(order, Convoy) and (order.army.province, order.target) in moving)
            or (isinstance(order, Support) and (order.helped.province, order.target) in moving)
            or (isinstance(order, Support) and not order.to and order.helped.province not in orders)
        ]
        convoys = [order for order in useful if isinstance(order, Convoy)]
        orders[unit.province] = dice.choice(convoys or useful or [Hold(unit)])
    return orders


def near(variant: Variant, abbr: str) -> tuple[str, ...]:
    return variant.provinces[abbr].army


def engine_outcome(
    variant: Variant, position: Position, orders: dict[str, Order]
) -> tuple[frozenset[str], frozenset[str]]:
    """(the provinces whose units move, those whose convoys a paradox stopped)."""
    table = BoardState(variant, position)
    given = [(power, [orders[unit.province] for unit in units]) for power, units in position.units.items()]
    movement = Movement(table, TakenMovement(table, given))
    return frozenset(source for source, state in movement.states.items() if state), frozenset(movement.broken)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("corner", CORNERS.values(), ids=CORNERS)
def test_the_engine_finds_the_outcome_that_is_consistent(corner: str, seed: int) -> None:
    check_against_reference(STANDARD, corner, seed)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("corner", FAR_CORNERS.values(), ids=FAR_CORNERS)
def test_the_engine_finds_it_over_borders_of_half_strength_too(corner: str, seed: int) -> None:
    check_against_reference(CAPE, corner, seed)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("corner", CORNERS.values(), ids=CORNERS)
def test_the_engine_finds_it_over_difficult_borders(corner: str, seed: int) -> None:
    check_against_reference(DIFFICULT, corner, seed)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("corner", CORNERS.values(), ids=CORNERS)
def test_the_engine_finds_it_among_units_that_never_move(corner: str, seed: int) -> None:
    check_against_reference(STANDARD, corner, seed, WITH_NEUTRALS)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("corner", FAR_CORNERS.values(), ids=FAR_CORNERS)
def test_the_engine_finds_it_among_them_over_borders_of_half_strength(corner: str, seed: int) -> None:
    check_against_reference(CAPE, corner, seed, WITH_NEUTRALS)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("corner", WORLDLY_CORNERS.values(), ids=WORLDLY_CORNERS)
def test_the_engine_finds_it_among_the_neutrals_of_intercontinental(corner: str, seed: int) -> None:
    check_against_reference(WORLD, corner, seed, WORLDLY)


def check_against_reference(variant: Variant, corner: str, seed: int, powers: Sequence[str] = POWERS) -> None:
    dice = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(80):
        position = crowded(variant, corner, dice, powers)
        orders = entangled_orders(variant, position, corner, dice)
        reference = Reference(variant, position, orders)
        moved, broken = engine_outcome(variant, position, orders)
        seen[judged(reference, moved, broken)] += 1
        assert closed_to_retreats(variant, position, orders) == reference.contested(moved, broken)
    assert seen["plain"] > 60


def closed_to_retreats(variant: Variant, position: Position, orders: dict[str, Order]) -> set[str]:
    given = {
        power: [orders[unit.province] for unit in own if unit.province in orders]
        for power, own in position.units.items()
    }
    return set(adjudicate(variant, position, given).contested)


def judged(reference: Reference, moved: frozenset[str], broken: frozenset[str]) -> str:
    """What kind of position it was; fails when the outcome is not one that the rules allow."""
    outcomes = reference.outcomes()
    told = {at: str(order) for at, order in reference.orders.items()}
    assert reference.is_consistent(moved, broken), told
    selfish = {
        at
        for at in reference.moves
        if reference.detours(at) and 0 < sum(at in outcome for outcome in outcomes) < len(outcomes)
        if isinstance(reference.orders.get(province(reference.moves[at].to)), Support)
    }
    if broken:
        assert len(outcomes) != 1, told
        return "paradox"
    if selfish:
        assert moved in outcomes and not selfish & moved, told
        return "selfish"
    if len(outcomes) > 1:
        assert all(other < moved for other in outcomes if other != moved), told
        return "ring"
    assert outcomes == [moved], told
    return "plain"


def test_such_positions_hold_rings_and_paradoxes_too() -> None:
    """The comparison above would be worth little if it never met them."""
    seen: Counter[str] = Counter()
    for position, orders in met_above():
        moved, broken = engine_outcome(STANDARD, position, orders)
        seen["paradox"] += bool(broken)
        seen["by convoy"] += any(
            isinstance(order, Move) and at in moved and order.unit.kind == "A"
            and province(order.to) not in near(STANDARD, at)
            for at, order in orders.items()
        )  # fmt: skip
        if seen["by convoy"] > 50 and seen["paradox"]:
            return
    pytest.fail(f"no more than {seen}")


def met_above() -> Iterator[tuple[Position, dict[str, Order]]]:
    """What the engine is compared on, in the corners of the standard board."""
    for seed in range(6):
        for corner in CORNERS.values():
            dice = random.Random(seed)
            for _ in range(80):
                position = crowded(STANDARD, corner, dice)
                yield position, entangled_orders(STANDARD, position, corner, dice)


def test_such_positions_hold_sorties_of_every_kind() -> None:
    seen: Counter[str] = Counter()
    for seed in range(2):
        for corner in WORLDLY_CORNERS.values():
            dice = random.Random(seed)
            for _ in range(80):
                position = crowded(WORLD, corner, dice, WORLDLY)
                orders = entangled_orders(WORLD, position, corner, dice)
                reference = Reference(WORLD, position, orders)
                moved, broken = engine_outcome(WORLD, position, orders)
                sorties = reference.moves.keys() & reference.stationary
                seen["by convoy"] += len(sorties & reference.by_sea)
                seen["supported"] += sum(reference.support(at, moved, broken) > 0 for at in sorties)
                seen["head-to-head"] += sum(bool(reference.head_to_head(at)) for at in sorties)
                seen["driven out"] += sum(reference.invaded(at, moved) for at in sorties)
                goals = {province(reference.moves[at].to) for at in sorties}
                seen["cuts"] += sum(
                    isinstance(orders.get(goal), Support) and not reference.support_stands(goal, moved, broken)
                    for goal in goals
                )
                seen["closes"] += len(goals & reference.contested(moved, broken))
    assert len(seen) == 6 and min(seen.values()) > 10, seen
