"""A variant's map compiled for the adjudicator: for each unit there can be, where it may go.

A *place* is what a unit stands on: a province or, for a fleet in a split province, one of its coasts
("STP/NC"). Borders are frozen sets of province names, made once per variant; whether a unit reaches a province
is then one look-up.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.rules.orders import Unit

if TYPE_CHECKING:
    from judge.rules.variant import Province

Reach = frozenset[str]


@dataclass(frozen=True, slots=True)
class Spot:
    """What a unit at a place can do. `reach`: the provinces it could move to, convoys aside; `landings`: for a
    fleet, the places in each of them that it comes to; `afloat`: whether it may convoy.
    """

    unit: Unit
    army: bool
    afloat: bool
    reach: Reach
    landings: Mapping[str, tuple[str, ...]]


class Board:
    """The compiled map; never changed after it is made."""

    def __init__(self, provinces: Mapping[str, "Province"]):
        self.province_of = {name: name for name in provinces}
        for province in provinces.values():
            for coast in province.coasts:
                self.province_of[f"{province.abbr}/{coast}"] = province.abbr
        self.land: Reach = frozenset(name for name, p in provinces.items() if p.takes_armies)
        # Where armies never come though it is land.
        self.closed: Reach = frozenset(name for name, p in provinces.items() if not p.armies)
        self.seas: Reach = frozenset(name for name, p in provinces.items() if p.convoys)
        self.split: Reach = frozenset(name for name, p in provinces.items() if p.coasts)
        # Every unit that there can be, by its text.
        self.spots: dict[str, Spot] = {}
        # lanes[province]: the convoying provinces beside it, by any coast.
        self.lanes: dict[str, Reach] = {}
        # Every border is a step, for either kind of unit (DATC 4.D.8).
        self.steps: dict[str, Reach] = {}
        for province in provinces.values():
            self._add(province)

    def _add(self, province: "Province") -> None:
        name = province.abbr
        by_water = frozenset(self.province_of[place] for places in province.fleet.values() for place in places)
        self.lanes[name] = by_water & self.seas
        self.steps[name] = by_water | frozenset(province.army)
        if name in self.land:
            self._add_spot(Unit("A", name), frozenset(province.army), {})
        if province.kind in ("sea", "coast"):
            for coast, places in province.fleet.items():
                landings: dict[str, tuple[str, ...]] = {}
                for place in places:
                    target = self.province_of[place]
                    landings[target] = (*landings.get(target, ()), place)
                self._add_spot(Unit("F", f"{name}/{coast}" if coast else name), frozenset(landings), landings)

    def _add_spot(self, unit: Unit, reach: Reach, landings: Mapping[str, tuple[str, ...]]) -> None:
        army = unit.kind == "A"
        self.spots[unit.text] = Spot(unit, army, not army and unit.province in self.seas, reach, landings)

    def connected(self, start: str, goal: str, fleets: Collection[str]) -> bool:
        """Whether a chain of fleets, each beside the next, leads from shore to shore."""
        ends = self.lanes[goal].intersection(fleets)
        front = self.lanes[start].intersection(fleets)
        seen: set[str] = set()
        while front and ends:
            if not front.isdisjoint(ends):
                return True
            seen |= front
            beyond = {sea for fleet in front for sea in self.lanes[fleet]}
            front = frozenset(beyond.intersection(fleets) - seen)
        return False
