"""Everything on the board before a phase.

Powers appear under their own names and only where they have something; units are sorted by text, so equal positions are
equal values. Armed neutrals stand under the label "Neutral", but each of them counts as a power of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from judge.rules.board.orders import Places, Unit, Units

# {power: its centers}, owned or named as homes.
Centers = Mapping[str, Places]

_TEXT = attrgetter("text")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def nothing() -> Mapping[str, Any]:
    """An empty table that cannot be changed; all positions share it."""
    return _NOTHING


@dataclass(frozen=True)
class Dislodged:
    """A unit that was dislodged, the province its attacker came from, and whether the attacker came by convoy."""

    unit: Unit
    attacker_from: str
    by_convoy: bool = False


class Shared:
    """A value that is shared by all of its users, so that its tables cannot be changed.

    It is not a frozen dataclass, because making one takes three times as long.
    """

    __slots__: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.__slots__:
            table = getattr(self, name)
            if type(table) is dict:
                setattr(self, name, MappingProxyType(table))


@dataclass(slots=True)
class Position(Shared):
    """The board at the beginning of a phase.

    `homes`: home centers named during play; `contested`: provinces closed to retreats because of a stand-off;
    `neutrals`: centers that became neutrals through civil disorder, in addition to the variant's own neutrals, each
    with the kind of its unit.
    """

    phase: str
    units: Mapping[str, Units]
    centers: Centers
    dislodged: Mapping[str, tuple[Dislodged, ...]] = field(default_factory=nothing)
    contested: Places = ()
    homes: Centers = field(default_factory=nothing)
    neutrals: Mapping[str, str] = field(default_factory=nothing)


def sort_units(units: Iterable[Unit]) -> Units:
    """Return the units sorted, as positions keep them."""
    return tuple(sorted(units, key=_TEXT))


def occupants(position: Position) -> dict[str, tuple[str, Unit]]:
    """{province: (power, unit)} of the units on the board, without the dislodged ones."""
    return {unit.province: (power, unit) for power, units in position.units.items() for unit in units}


def owners(position: Position) -> dict[str, str]:
    """{center: its owner}."""
    return {center: power for power, centers in position.centers.items() for center in centers}
