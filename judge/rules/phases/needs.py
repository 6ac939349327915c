"""Who must act in a phase: only this module says which powers have a choice, what it is, and who is still in the game.

A phase in which no power has a choice has one outcome, whatever is answered: nobody is asked, waited for or late. So a
power that must remove all its units has nothing to order, and one with a single unit that can retreat has.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from judge.rules.board.orders import Unit
from judge.rules.board.phase import kind
from judge.rules.board.position import Position
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.diplomacy_points import income
from judge.rules.mechanisms.extra_home_centers import home_choices
from judge.rules.phases.retreats import choices
from judge.rules.phases.winter import balances, build_sites, claim_sites


@dataclass(frozen=True)
class Need:
    """The orders that a phase asks of a power.

    Movement: `units` wait for orders. Retreats: `retreats`, {dislodged unit: the places it may go to}, at least one
    place each. Adjustments: if `builds` > 0, that many units may be built at `sites`; if `builds` < 0, that many of
    `units` must be removed, but not all of them. One of `homes` must be named as home center. The power may also build
    at one of `claims`, which makes that center its home.
    """

    units: tuple[Unit, ...] = ()
    retreats: Mapping[Unit, tuple[str, ...]] = field(default_factory=dict)
    builds: int = 0
    sites: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


def needs(ruleset: Ruleset, position: Position) -> dict[str, Need]:
    """{power: what it has to order}, for the powers that have a choice of orders; neutrals are never included."""
    of_kind = {"M": _movement, "R": _retreats, "A": _adjustments}[kind(position.phase)]
    return {power: need for power, need in of_kind(ruleset, position).items() if power != NEUTRAL}


def seats_asked(ruleset: Ruleset, position: Position) -> dict[str, dict[str, Need]]:
    """Who must act: {seat: {its power: what that has to order}}, the seats in the variant's order. A seat that has only
    points to spend is in it, with no power.
    """
    found: dict[str, dict[str, Need]] = {seat: {} for seat in ruleset.seat_named}
    for power, need in needs(ruleset, position).items():
        found.setdefault(ruleset.seat_of(power), {})[power] = need
    is_bought = bool(position.units.get(NEUTRAL))
    return {
        seat: asked for seat, asked in found.items() if asked or is_bought and income(ruleset, position, seat)
    }


def still_in(ruleset: Ruleset, position: Position) -> set[str]:
    """The powers (or groups) that have a center, or a unit that does not have to go in this phase."""
    alive = {power for power, owned in position.centers.items() if owned}
    gone = balances(ruleset, position) if kind(position.phase) == "A" else {}
    alive |= {power for power, units in position.units.items() if len(units) + min(0, gone.get(power, 0)) > 0}
    if position.dislodged:
        alive |= {power for power, places in choices(ruleset, position).items() if any(places.values())}
    return {ruleset.seat_of(power) for power in alive - {NEUTRAL}}


def _movement(ruleset: Ruleset, position: Position) -> dict[str, Need]:
    return {power: Need(units=units) for power, units in position.units.items() if units}


def _retreats(ruleset: Ruleset, position: Position) -> dict[str, Need]:
    found = {}
    for power, by_unit in choices(ruleset, position).items():
        open_units = {unit: places for unit, places in by_unit.items() if places}
        if open_units:
            found[power] = Need(units=tuple(open_units), retreats=open_units)
    return found


def _adjustments(ruleset: Ruleset, position: Position) -> dict[str, Need]:
    found = {}
    for power, due in balances(ruleset, position).items():
        units = position.units.get(power, ())
        if due > 0:
            sites, claims = (of(ruleset, position, power) for of in (build_sites, claim_sites))
            found[power] = Need(builds=due, sites=sites, claims=claims)
        elif -due < len(units):
            found[power] = Need(units=units, builds=due)
    for power, centers in home_choices(ruleset, position.centers, position.homes).items():
        found[power] = replace(found.get(power, Need()), homes=centers)
    return found
