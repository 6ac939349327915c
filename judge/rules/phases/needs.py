"""Which powers have something to do in a phase, and what."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from judge.rules.board.orders import Unit
from judge.rules.board.phase import kind
from judge.rules.board.position import Position
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.extra_home_centers import home_choices
from judge.rules.phases.retreats import choices
from judge.rules.phases.winter import balances, build_sites, claim_sites


@dataclass(frozen=True)
class Need:
    """The orders that a phase asks of a power.

    Movement: `units` wait for orders. Retreats: `retreats`, {dislodged unit: the places it may go to}, at least one
    place each. Adjustments: if `builds` > 0, that many units may be built at `sites`; if `builds` < 0, that many of
    `units` must be removed. One of `homes` must be named as home center. The power may also build at one of `claims`,
    which makes that center its home.
    """

    units: tuple[Unit, ...] = ()
    retreats: Mapping[Unit, tuple[str, ...]] = field(default_factory=dict)
    builds: int = 0
    sites: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


def needs(ruleset: Ruleset, position: Position) -> dict[str, Need]:
    """{power: what it has to do}, for the powers that can do something; neutrals are never included."""
    found: dict[str, Need] = {}
    match kind(position.phase):
        case "M":
            found = {power: Need(units=units) for power, units in position.units.items()}
        case "R":
            for power, by_unit in choices(ruleset, position).items():
                open_units = {unit: places for unit, places in by_unit.items() if places}
                if open_units:
                    found[power] = Need(units=tuple(open_units), retreats=open_units)
        case "A":
            for power, due in balances(ruleset, position).items():
                if due > 0:
                    sites, claims = (of(ruleset, position, power) for of in (build_sites, claim_sites))
                    found[power] = Need(builds=due, sites=sites, claims=claims)
                else:
                    found[power] = Need(units=position.units[power], builds=due)
            for power, centers in home_choices(ruleset, position.centers, position.homes).items():
                found[power] = replace(found.get(power, Need()), homes=centers)
    found.pop(NEUTRAL, None)
    return found
