"""Who must act: a power has something to order if, and only if, its answers can come to different positions."""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

import pytest

from judge.rules import (
    NEUTRAL,
    Disband,
    Home,
    Position,
    Remove,
    Retreat,
    Variant,
    adjudicate,
    load_variant,
    needs,
    seats_asked,
    start_position,
    still_in,
)
from judge.rules.board.board_state import BoardState
from judge.rules.board.orders import Order
from judge.rules.phases.needs import legal_builds
from judge.rules.selfplay import random_orders
from tests.rules.phases.test_retreats_and_winters import dislodged, position

STANDARD = load_variant("standard")
VARIANTS = ["standard", "1900", "colonia", "1648", "ambition_empire", "intercontinental"]
MOST = 60


def answers(variant: Variant, at: Position, power: str) -> Iterator[Sequence[Order]]:
    """Answers of the power in a retreat or adjustment phase that could change something; none at all comes first."""
    yield ()
    if at.phase.endswith("A"):
        yield from ([order] for order in legal_builds(variant, at, power))
        yield from ([Home(center)] for center in at.centers.get(power, ()))
        # Each unit is the first to go in one of them.
        yield from ([Remove(unit)] for unit in at.units.get(power, ()))
    beaten = [one.unit for one in at.dislodged.get(power, ())]
    ways: list[list[Order]] = [
        [Disband(unit), *(Retreat(unit, place) for place in variant.board.spots[unit.text].reach)] for unit in beaten
    ]
    yield from product(*ways) if beaten else ()


def ends(variant: Variant, at: Position, power: str, others: Mapping[str, Sequence[Order]]) -> list[Position]:
    """The different positions that the power's answers come to."""
    found: list[Position] = []
    for answer in islice(answers(variant, at, power), MOST):
        after = adjudicate(variant, at, {**others, power: answer}).position
        if after not in found:
            found.append(after)
    return found


def short_games(variant: Variant, seeds: range, years: int) -> Iterator[Position]:
    """The retreats and winters of games in which all move at random, and now and then a power loses its centers."""
    for seed in seeds:
        dice = random.Random(seed)
        at = start_position(variant)
        last = int(at.phase[1:-1]) + years
        while int(at.phase[1:-1]) < last:
            dated = variant.at(at.phase)
            if at.phase.endswith("A") and dice.random() < 0.7:
                poor = dice.choice([power for power in at.units if power != NEUTRAL])
                keeps = dice.choice([(), at.centers.get(poor, ())[:1]])
                at = Position(at.phase, at.units, {**at.centers, poor: keeps}, homes=at.homes, neutrals=at.neutrals)
            if not at.phase.endswith("M"):
                yield at
            asked = needs(dated, at).items()
            orders = {power: random_orders(BoardState(dated, at), power, need, dice) for power, need in asked}
            at = adjudicate(variant, at, orders).position


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_no_retreat_or_winter_asks_for_what_changes_nothing(name: str) -> None:
    variant = load_variant(name)
    tried = {True: 0, False: 0}
    for at in short_games(variant, range(1 if variant.draws else 3), 2 if variant.draws else 3):
        dated = variant.at(at.phase)
        asked = needs(dated, at)
        for power in {*at.units, *at.centers, *at.dislodged} - {NEUTRAL}:
            choice = len(ends(dated, at, power, {})) > 1
            assert choice == (power in asked), (at, power)
            tried[choice] += 1
    assert min(tried.values()) > 3


def test_who_has_only_units_without_a_retreat_is_out() -> None:
    at = position(
        phase="S1901R",
        units={"Italy": ["A TUN"], "France": ["F NAF", "F WES"], "Germany": ["A PAR"]},
        dislodged={"England": [dislodged("F NAF", "MAO")], "Austria": [dislodged("A PAR", "BUR")]},
    )
    assert still_in(STANDARD, at) == {"Italy", "France", "Germany", "Austria"}
    assert seats_asked(STANDARD, at).keys() == {"Austria"}


def test_points_alone_are_a_choice() -> None:
    variant = load_variant("1648")
    start = start_position(variant)
    units = {power: units for power, units in start.units.items() if power != "France"}
    at = Position(start.phase, units, start.centers, homes=start.homes, neutrals=start.neutrals)
    assert "France" not in needs(variant, at)
    assert seats_asked(variant, at)["France"] == {}
    without = {power: units for power, units in units.items() if power != NEUTRAL}
    at = Position(start.phase, without, start.centers, homes=start.homes, neutrals=start.neutrals)
    assert "France" not in seats_asked(variant, at)
