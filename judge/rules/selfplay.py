"""Games that play themselves, with random legal orders from a seed, for tests, benchmarks and trying out a variant.

Each phase, with its orders, is written as an input line of `judge adjudicate`. So a game can be adjudicated again from
its lines.
"""

import random
from collections.abc import Iterator

from judge.rules.adjudicate import adjudicate
from judge.rules.board.board_state import BoardState
from judge.rules.board.orders import Home, Order, OrderError, Position
from judge.rules.board.phase import year
from judge.rules.board.power import NEUTRAL
from judge.rules.json_forms import Json, bids_to_json, in_text, position_to_json, start_position
from judge.rules.mechanisms.auction import Bid, check_bid, income
from judge.rules.mechanisms.groups import draw
from judge.rules.phases.needs import Need, legal_builds, legal_orders, needs
from judge.rules.phases.retreats_and_winters import claim_sites
from judge.rules.variant.variant import Variant


def play(variant: Variant, years: int, seed: int) -> Iterator[Json]:
    """Yield the phases of a game of this number of years, as input lines. A victory or a draw ends the game early."""
    dice = random.Random(seed)
    if variant.draws:
        variant = variant.grouped(draw(variant.groups, variant.draws, seed))
    position = start_position(variant)
    last = year(position.phase) + years - 1
    while year(position.phase) <= last:
        dated = variant.at(position.phase)
        table = BoardState(dated, position)
        orders = {power: random_orders(table, power, need, dice) for power, need in needs(dated, position).items()}
        line = position_to_json(variant, position)
        line["orders"] = in_text(orders)
        if variant.groups:
            line["groups"] = {group.name: list(group.powers) for group in variant.groups}
        bids = random_bids(dated, position, dice)
        if bids:
            line["bids"] = bids_to_json(bids)
        yield line
        outcome = adjudicate(variant, position, orders, bids)
        if outcome.over:
            return
        position = outcome.position


def random_orders(table: BoardState, power: str, need: Need, dice: random.Random) -> list[Order]:
    """Return a legal order for each unit that needs one, or the builds, removals and home that are due."""
    orders: list[Order] = [Home(dice.choice(need.homes))] if need.homes else []
    if need.builds > 0:
        ruleset, position = table.ruleset, table.position
        options, claims = legal_builds(ruleset, position, power), claim_sites(ruleset, position, power)
        for _ in range(need.builds):
            build = dice.choice(options)
            orders.append(build)
            # A power can make only one center its home.
            taken = {*(claims if build.slot in claims else (build.slot,))} - {"WAIVE"}
            options = [order for order in options if order.slot not in taken]
        return orders
    units = dice.sample(need.units, -need.builds) if need.builds else need.units
    return orders + [_random_order(legal_orders(table, unit), dice) for unit in units]


def random_bids(variant: Variant, position: Position, dice: random.Random) -> dict[str, list[Bid]]:
    """Return random bids of every power for neutrals, up to its income, without bids that would be refused."""
    neutrals = position.units_of(NEUTRAL)
    bids: dict[str, list[Bid]] = {}
    if not neutrals:
        return bids
    table = BoardState(variant, position)
    for power in variant.seat_named:
        left = income(variant, position, power)
        most = variant.points.per_order if variant.points else 0
        while left > 0:
            points = dice.randint(1, min(left, most or left))
            left -= points
            order = _random_order(legal_orders(table, dice.choice(neutrals)), dice)
            try:
                bid = check_bid(variant, position, power, Bid(points, order), bids.get(power, ()))
            except OrderError:
                continue
            bids.setdefault(power, []).append(bid)
    return bids


def _random_order(options: list[Order], dice: random.Random) -> Order:
    """Choose the kind of order first, then an order of that kind, because there are far more supports than moves."""
    kinds = sorted({type(order).__name__ for order in options})
    kind = dice.choice(kinds)
    return dice.choice([order for order in options if type(order).__name__ == kind])
