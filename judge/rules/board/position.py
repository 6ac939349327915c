"""Everything on the board before a phase.

Powers appear under their own names and only where they have something; units are sorted by text, so equal positions are
equal values. Armed neutrals stand under the label "Neutral", but each of them counts as a power of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter

from judge.rules.board.orders import Places, Unit, Units

# {power: its centers}, owned or named as homes.
Centers = Mapping[str, Places]

_TEXT = attrgetter("text")


@dataclass(frozen=True)
class Dislodged:
    """A unit that was dislodged, the province its attacker came from, and whether the attacker came by convoy."""

    unit: Unit
    attacker_from: str
    by_convoy: bool = False


@dataclass(slots=True)
class Position:
    """The board at the beginning of a phase. It is shared by all of its users, so it is never changed.

    It is not a frozen dataclass, because making one takes three times as long.

    `homes`: home centers named during play; `contested`: provinces closed to retreats because of a stand-off;
    `neutrals`: centers that became neutrals through civil disorder, in addition to the variant's own neutrals, each
    with the kind of its unit.
    """

    phase: str
    units: Mapping[str, Units]
    centers: Centers
    dislodged: Mapping[str, tuple[Dislodged, ...]] = field(default_factory=dict)
    contested: Places = ()
    homes: Centers = field(default_factory=dict)
    neutrals: Mapping[str, str] = field(default_factory=dict)


def sort_units(units: Iterable[Unit]) -> Units:
    """Return the units sorted, as positions keep them."""
    return tuple(sorted(units, key=_TEXT))


def occupants(position: Position) -> dict[str, tuple[str, Unit]]:
    """{province: (power, unit)} of the units on the board, without the dislodged ones."""
    return {unit.province: (power, unit) for power, units in position.units.items() for unit in units}


def owners(position: Position) -> dict[str, str]:
    """{center: its owner}."""
    return {center: power for power, centers in position.centers.items() for center in centers}
