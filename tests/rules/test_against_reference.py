"""The engine against a brute-force adjudicator on thousands of small positions."""

import random
from collections import Counter

import pytest

from judge.rules import Convoy, Hold, Move, Order, Position, Support, Variant, load_variant
from judge.rules.movement import Movement
from judge.rules.position import sort_units
from judge.rules.possible import legal_orders
from judge.rules.table import Table
from tests.rules.reference import Reference, province

STANDARD = load_variant("standard")
CAPE = load_variant("1900")

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
CROWD = 9


def crowded(variant: Variant, corner: str, dice: random.Random) -> Position:
    names = set(corner.split())
    places = [spot.unit for spot in variant.board.spots.values() if spot.unit.province in names]
    dice.shuffle(places)
    units: dict[str, list] = {}
    taken: set[str] = set()
    for unit in places:
        if unit.province not in taken and len(taken) < CROWD:
            taken.add(unit.province)
            units.setdefault(dice.choice(("Germany", "France", "Italy", "Turkey")), []).append(unit)
    return Position("F1901M", {power: sort_units(own) for power, own in sorted(units.items())}, {})


def entangled_orders(variant: Variant, position: Position, corner: str, dice: random.Random) -> dict[str, Order]:
    """Orders that meet: moves within the corner first, then supports and convoys of just these."""
    names = set(corner.split())
    units = [unit for own in position.units.values() for unit in own]
    dice.shuffle(units)
    orders: dict[str, Order] = {}
    waiting = []
    for unit in units:
        options = legal_orders(variant, position, unit)
        moves = [order for order in options if isinstance(order, Move) and province(order.to) in names]
        if moves and dice.random() < 0.6:
            by_sea = [move for move in moves if move.unit.kind == "A" and move.to not in near(variant, unit.province)]
            orders[unit.province] = dice.choice(by_sea if by_sea and dice.random() < 0.6 else moves)
        else:
            waiting.append((unit, options))
    moving = {(at, province(order.to)) for at, order in orders.items()}
    for unit, options in waiting:
        useful = [
            order
            for order in options
            if (isinstance(order, Convoy) and (province(order.army.place), province(order.to)) in moving)
            or (isinstance(order, Support) and (province(order.helped.place), province(order.to)) in moving)
            or (isinstance(order, Support) and not order.to and province(order.helped.place) not in orders)
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
    table = Table(variant, position)
    attacks = Movement(table, orders).attacks.items()
    return (
        frozenset(at for at, attack in attacks if attack.state),
        frozenset(at for at, attack in attacks if attack.broken),
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("corner", CORNERS.values(), ids=CORNERS)
def test_the_engine_finds_the_outcome_that_is_consistent(corner: str, seed: int) -> None:
    compare(STANDARD, corner, seed)


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("corner", FAR_CORNERS.values(), ids=FAR_CORNERS)
def test_the_engine_finds_it_over_borders_of_half_strength_too(corner: str, seed: int) -> None:
    compare(CAPE, corner, seed)


def compare(variant: Variant, corner: str, seed: int) -> None:
    dice = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(80):
        position = crowded(variant, corner, dice)
        orders = entangled_orders(variant, position, corner, dice)
        reference = Reference(variant, position, orders)
        seen[judged(reference, *engine_outcome(variant, position, orders))] += 1
    assert seen["plain"] > 60


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
    for seed in range(12):
        for corner in CORNERS.values():
            dice = random.Random(seed)
            for _ in range(80):
                position = crowded(STANDARD, corner, dice)
                orders = entangled_orders(STANDARD, position, corner, dice)
                moved, broken = engine_outcome(STANDARD, position, orders)
                seen["paradox"] += bool(broken)
                seen["by convoy"] += any(
                    isinstance(orders[at], Move) and at in moved and orders[at].unit.kind == "A"
                    and province(orders[at].to) not in near(STANDARD, at)
                    for at in orders
                )  # fmt: skip
    assert seen["by convoy"] > 50
    assert seen["paradox"] > 0
