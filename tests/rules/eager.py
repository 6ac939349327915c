"""Games in which powers attack together and buy the neutrals' help: more happens in them than in games of chance."""

import random
from collections.abc import Iterator

from judge.rules import (
    NEUTRAL,
    Bid,
    Move,
    Order,
    OrderError,
    Outcome,
    Position,
    Support,
    Unit,
    Variant,
    adjudicate,
    check_bid,
    civil_disorder,
    income,
    needs,
    start_position,
)
from judge.rules.board.board_state import BoardState
from judge.rules.board.phase import kind, year
from judge.rules.mechanisms.auction import ATTACKED
from judge.rules.selfplay import random_orders

Bids = dict[str, list[Bid]]


def play_eagerly(variant: Variant, years: int, seed: int) -> Iterator[tuple[Position, Bids, Outcome]]:
    """The phases of a game: the position, the bids, what it came to. Now and then a power falls into civil disorder,
    where that makes neutrals of it.
    """
    dice = random.Random(seed)
    position = start_position(variant)
    end = year(position.phase) + years
    while year(position.phase) < end:
        alive = [power for power in position.centers if power != NEUTRAL]
        if variant.neutrals.civil_disorder and dice.random() < 0.03 and len(alive) > 2:
            position = civil_disorder(position, dice.choice(alive)).position
        dated = variant.at(position.phase)
        orders: dict[str, list[Order]] = {}
        bids: Bids = {}
        table = BoardState(dated, position)
        for power, need in needs(dated, position).items():
            orders[power] = random_orders(table, power, need, dice)
            if kind(position.phase) == "M":
                attack = _attack(dated, position, power, dice)
                orders[power] += attack
                seat = variant.seat_of(power)
                bids[seat] = _help(dated, table, seat, attack, bids.get(seat, []), dice)
        outcome = adjudicate(variant, position, orders, bids)
        yield position, bids, outcome
        position = outcome.position


def _attack(variant: Variant, position: Position, power: str, dice: random.Random) -> list[Order]:
    """One unit goes into a center that is not its power's, all that can support it."""
    units, spots = position.units[power], variant.board.spots
    goals = [
        (unit, center)
        for unit in units
        for center in sorted(spots[unit.text].reach & set(variant.centers))
        if center not in position.centers.get(power, ()) and not any(one.province == center for one in units)
    ]
    if not goals:
        return []
    mover, goal = dice.choice(goals)
    place = dice.choice(spots[mover.text].landings.get(goal, (goal,)))
    helpers = [unit for unit in units if unit != mover and goal in spots[unit.text].reach]
    return [Move(mover, place), *(Support(unit, mover, goal) for unit in helpers)]


def _help(
    variant: Variant, table: BoardState, bidder: str, attack: list[Order], earlier: list[Bid], dice: random.Random
) -> list[Bid]:
    """The bidder's bids with more for neutrals that can support the attack, as far as the points go."""
    bids, position = list(earlier), table.position
    left = income(variant, position, bidder) - sum(bid.points for bid in bids)
    neutrals: list[Unit] = list(position.units.get(NEUTRAL, ()))
    dice.shuffle(neutrals)
    for neutral in neutrals if attack else ():
        assert isinstance(attack[0], Move)
        order = Support(neutral, attack[0].unit, attack[0].target)
        points = min(left, dice.randint(1, 3))
        if points:
            try:
                bids.append(check_bid(variant, position, bidder, Bid(points, order), bids))
            except OrderError:
                continue
            left -= points
    return bids


def neutral_centers(variant: Variant, position: Position) -> set[str]:
    """The centers of all neutrals, those made by civil disorder among them."""
    return {unit.province for unit in variant.neutrals.units} | set(position.neutrals)


def check_phase(variant: Variant, position: Position, bids: Bids, outcome: Outcome) -> None:
    """What is so in every phase of every game with neutrals."""
    after = outcome.position
    spent = {power: sum(bid.points for bid in own) for power, own in bids.items()}
    assert all(points <= income(variant, position, power) for power, points in spent.items())
    assert all(one.why in ("", ATTACKED) for one in outcome.bids.bids), "all were good on entry"
    standing = {unit.province for unit in after.units.get(NEUTRAL, ())}
    assert standing <= neutral_centers(variant, after)
    owned = {center for power, centers in after.centers.items() for center in centers}
    if kind(after.phase) == "M" and kind(position.phase) != "M":
        assert not standing & owned, "no neutral stands in a center that somebody owns when a year begins"
    if kind(position.phase) == "A":
        occupied = {unit.province for units in after.units.values() for unit in units}
        assert neutral_centers(variant, after) <= owned | occupied, "every free neutral has its unit"
        assert needs(variant, position) or outcome.rebuilt, "a winter in which nothing happens is not held"
    everywhere = [unit.province for units in after.units.values() for unit in units]
    assert len(everywhere) == len(set(everywhere))
