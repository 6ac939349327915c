"""The powers that must act in a phase, and every order that a unit could be given.

Only this module decides which powers have a choice, what they can choose, and who is still in the game. A power without
a choice is not asked for orders and cannot be late. For example, a power that must remove all its units has no choice.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from judge.rules.board.board_state import BoardState, Piece, complete
from judge.rules.board.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    OrderError,
    Places,
    Position,
    Remove,
    Retreat,
    Support,
    Unit,
    Units,
    Waive,
    dislodged_units,
)
from judge.rules.board.phase import kind
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.auction import income, neutral_order
from judge.rules.mechanisms.build_places import home_choices
from judge.rules.phases.retreats_and_winters import balance, balances, build_sites, choices, claim_sites, open_places


@dataclass(frozen=True)
class Need:
    """The orders that a phase asks of a power.

    In a movement phase, `units` need orders. In retreats, `retreats` is {dislodged unit: the places it may go to}, at
    least one each.

    In a winter with `builds` > 0, that many units may be built at `sites`. With `builds` < 0, that many of `units` must
    be removed, but not all of them. One of `homes` must be named as home center. The power may also build at one of
    `claims`, which makes that center its home.
    """

    units: Units = ()
    retreats: Mapping[Unit, Places] = field(default_factory=dict)
    builds: int = 0
    sites: Places = ()
    homes: Places = ()
    claims: Places = ()


# {power: the orders asked of it}.
Needs = dict[str, Need]


def needs(ruleset: Ruleset, position: Position) -> Needs:
    """Return {power: the orders asked of it}, for the powers that have a choice of orders, without neutrals."""
    asked: Needs = {}
    match kind(position.phase):
        case "M":
            asked = {power: Need(units=units) for power, units in position.units.items() if units}
        case "R":
            for power, by_unit in choices(ruleset, position).items():
                if retreats := {unit: places for unit, places in by_unit.items() if places}:
                    asked[power] = Need(units=tuple(retreats), retreats=retreats)
        case "A":
            asked = _winter_needs(ruleset, position)
    asked.pop(NEUTRAL, None)
    return asked


def _winter_needs(ruleset: Ruleset, position: Position) -> Needs:
    asked: Needs = {}
    for power, due in balances(ruleset, position).items():
        units = position.units_of(power)
        if due > 0:
            sites, claims = build_sites(ruleset, position, power), claim_sites(ruleset, position, power)
            asked[power] = Need(builds=due, sites=sites, claims=claims)
        elif -due < len(units):
            asked[power] = Need(units=units, builds=due)
    for power, centers in home_choices(ruleset, position.centers, position.homes).items():
        asked[power] = replace(asked.get(power, Need()), homes=centers)
    return asked


def seats_asked(ruleset: Ruleset, position: Position) -> dict[str, Needs]:
    """Return {seat: {its power: the orders asked of it}} for the seats that must act, in the variant's order.

    A seat that can only bid points is included, with no powers.
    """
    found: dict[str, Needs] = {seat: {} for seat in ruleset.seat_named}
    for power, need in needs(ruleset, position).items():
        found.setdefault(ruleset.seat_of(power), {})[power] = need
    is_bought = bool(position.units.get(NEUTRAL))
    return {seat: asked for seat, asked in found.items() if asked or is_bought and income(ruleset, position, seat)}


def still_in(ruleset: Ruleset, position: Position) -> set[str]:
    """Return the powers (or groups) that have a center, or a unit that can stay beyond this phase."""
    alive = {power for power, owned in position.centers.items() if owned}
    gone = balances(ruleset, position) if kind(position.phase) == "A" else {}
    alive |= {power for power, units in position.units.items() if len(units) + min(0, gone.get(power, 0)) > 0}
    if position.dislodged:
        alive |= {power for power, places in choices(ruleset, position).items() if any(places.values())}
    return {ruleset.seat_of(power) for power in alive - {NEUTRAL}}


# --- every order of a unit -------------------------------------------------------------------------------------------


def legal_orders(table: BoardState, unit: Unit) -> list[Order]:
    """Return the orders in normal form that the unit can be given in this phase.

    If the unit needs no order, the list is empty.
    """
    ruleset, position = table.ruleset, table.position
    match kind(position.phase):
        case "M":
            return _legal_movements(table, unit)
        case "R":
            return _legal_retreats(table, unit)
    return [
        Remove(unit)
        for power, units in position.units.items()
        if unit in units and power in ruleset.power_named and balance(ruleset, position, power) < 0
    ]


def neutral_orders(ruleset: Ruleset, position: Position, unit: Unit) -> list[Order]:
    """Return the orders that a neutral unit can be given in a movement phase, each once."""
    table = BoardState(ruleset, position)
    found: dict[Order, None] = {}
    for order in _legal_movements(table, unit):
        with suppress(OrderError):
            found[neutral_order(table, table.at[unit.province], order)] = None
    return [*found]


def _legal_retreats(table: BoardState, unit: Unit) -> list[Order]:
    power, one = dislodged_units(table.position).get(unit.province, ("", None))
    if one is None or one.unit != unit:
        return []
    places = open_places(table, one) if power != NEUTRAL else ()
    return [*(Retreat(unit, place) for place in places), Disband(unit)]


def _legal_movements(table: BoardState, unit: Unit) -> list[Order]:
    piece = table.at.get(unit.province)
    if piece is None or piece.unit != unit:
        return []
    found = []
    for order in _conceivable(table, piece):
        try:
            found.append(complete(table, piece.power, order))
        except OrderError:
            continue
    return found


def legal_builds(ruleset: Ruleset, position: Position, power: str) -> list[Order]:
    """Return the builds that the power could order in this winter, and a waive, if builds are due."""
    if balance(ruleset, position, power) <= 0:
        return []
    builds = []
    sites = (*build_sites(ruleset, position, power), *claim_sites(ruleset, position, power))
    for site in sites:
        province = ruleset.provinces[site]
        if province.takes_armies:
            builds.append(Build(Unit("A", site)))
        if province.kind == "coast":
            builds.extend(Build(Unit("F", place)) for place in province.fleet_ways)
    return [*builds, Waive()]


def _conceivable(table: BoardState, piece: Piece) -> Iterator[Order]:
    """Yield orders that the unit might be given. `complete` then decides which of them can be carried out."""
    unit, spot = piece.unit, piece.spot
    yield Hold(unit)
    yield from (Move(unit, place) for there in sorted(spot.reach) for place in spot.landings.get(there, (there,)))
    for target in table.shores.get(unit.province, ()):
        yield Move(unit, target, via=True)
        if target not in spot.reach:
            yield Move(unit, target)
    for helped in table.at.values():
        yield Support(unit, helped.unit)
        goals = {*helped.spot.reach, *table.shores.get(helped.unit.province, ())}
        for target in sorted(spot.support & goals):
            coasts = helped.spot.landings.get(target, ()) if target in table.board.split else ()
            yield from (Support(unit, helped.unit, place) for place in (target, *coasts))
    if spot.afloat:
        for start, shores in table.shores.items():
            yield from (Convoy(unit, table.at[start].unit, goal) for goal in shores)
