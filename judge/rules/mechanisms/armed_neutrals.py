"""Armed neutrals between the moves: when a lost unit comes back, and how a power's centers become neutrals.

What they do in a movement phase is decided in `auction`. A dislodged neutral never retreats: it is disbanded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from judge.rules.board.orders import Unit
from judge.rules.board.position import Position, sort_units
from judge.rules.variant.variant import NEUTRAL, Variant

T = TypeVar("T")


def returning(variant: Variant, position: Position) -> tuple[Unit, ...]:
    """The units that neutrals get back in this winter: no player owns the center and no unit stands in it.

    Each comes back as it was at the start; a neutral made by civil disorder has an army. (1648, "Minor Powers";
    Ambition & Empire, III; rulings, "All boards" 6.)
    """
    if not variant.neutrals.units and not position.neutrals:
        return ()
    neutrals = {unit.province: unit for unit in variant.neutrals.units}
    neutrals |= {center: Unit(kind, center) for center, kind in position.neutrals.items()}
    owned = {center for power, centers in position.centers.items() if power != NEUTRAL for center in centers}
    occupied = {unit.province for units in position.units.values() for unit in units}
    return sort_units(unit for center, unit in neutrals.items() if center not in owned and center not in occupied)


@dataclass(frozen=True)
class CivilDisorder:
    """What a power's permanent civil disorder makes of a position.

    `vanished`: its units that were on the board, dislodged ones among them; `independent`: its centers that became
    neutrals with an army; `later`: those in which another power's unit stands. Such a center belongs to nobody, and
    becomes a neutral if it is empty after a Fall.
    """

    position: Position
    vanished: tuple[Unit, ...]
    independent: tuple[str, ...]
    later: tuple[str, ...]


def civil_disorder(variant: Variant, position: Position, power: str) -> CivilDisorder:
    """The position after the power is declared to be in permanent civil disorder, in whatever phase that is.

    1648, "Civil Disorder"; Ambition & Empire, VII.
    """
    units = _without(position.units, power)
    dislodged = _without(position.dislodged, power)
    occupied = {unit.province for others in units.values() for unit in others}
    centers = position.centers.get(power, ())
    independent = tuple(center for center in centers if center not in occupied)
    armies = [Unit("A", center) for center in independent]
    if armies:
        units[NEUTRAL] = sort_units([*units.get(NEUTRAL, ()), *armies])
    vanished = [*position.units.get(power, ()), *(one.unit for one in position.dislodged.get(power, ()))]
    after = Position(
        phase=position.phase,
        units=units,
        centers=_without(position.centers, power),
        dislodged=dislodged,
        contested=position.contested,
        homes=_without(position.homes, power),
        neutrals=dict(sorted({**position.neutrals, **dict.fromkeys(centers, "A")}.items())),
    )
    later = tuple(center for center in centers if center in occupied)
    return CivilDisorder(after, sort_units(vanished), independent, later)


def _without(table: Mapping[str, T], power: str) -> dict[str, T]:
    return {name: entry for name, entry in table.items() if name != power}
