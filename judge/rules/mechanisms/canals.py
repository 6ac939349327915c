"""Canals that open in a year of the game: until then the province has two coasts, from its Spring on only one.

A fleet that lies on either coast when the canal opens is simply in the province. (Intercontinental, 5.2.)
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from judge.rules.board.orders import Unit

if TYPE_CHECKING:
    from judge.rules.variant.variant import Province

Canals = Mapping[str, int]


def opened(canals: Canals, year: int) -> tuple[str, ...]:
    """The canals that are open in the year."""
    return tuple(name for name, opens in canals.items() if year >= opens)


def with_canals(provinces: Mapping[str, "Province"], names: Collection[str]) -> dict[str, "Province"]:
    """The provinces once these canals are open: one coast each, which touches what either of the two touched."""
    after = dict(provinces)
    for name in names:
        beside = {place for places in provinces[name].fleet.values() for place in places}
        after[name] = replace(provinces[name], fleet={"": tuple(sorted(beside))}, anchors={})
        for other in {place.partition("/")[0] for place in beside}:
            after[other] = replace(after[other], fleet=_without_coasts(after[other].fleet, names))
    return after


def _without_coasts(fleet: Mapping[str, tuple[str, ...]], names: Collection[str]) -> dict[str, tuple[str, ...]]:
    return {
        coast: tuple(dict.fromkeys(without_coast(place, names) for place in places)) for coast, places in fleet.items()
    }


def without_coast(place: str, names: Collection[str]) -> str:
    """The place without its coast, where a canal has none any more."""
    abbr = place.partition("/")[0]
    return abbr if abbr in names else place


def shifted(units: Collection[Unit], names: Collection[str]) -> tuple[Unit, ...]:
    """The units, those on a coast of a canal that is open simply in it."""
    return tuple(Unit(unit.kind, without_coast(unit.place, names)) for unit in units)
