"""A variant's map made ready for the adjudicator: where each possible unit may go.

A *place* is what a unit stands on: a province or, for a fleet in a split province, one of its coasts
("STP/NC"). Borders are frozen sets of province names, made once per variant; whether a unit reaches a province
is then one look-up.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from judge.rules.board.orders import Unit
from judge.rules.board.province import Province

Reach = frozenset[str]


class Landing(Enum):
    """Which of the armies are weakened too that go by sea to where a border leads that weakens who crosses it.

    None, those that no route lands elsewhere, all.
    """

    NEVER = auto()
    BY_ROUTE = auto()
    ALWAYS = auto()


@dataclass(frozen=True)
class Crossing:
    """The borders that weaken who crosses them.

    `borders`: pairs of provinces; `way`: where they lead, or how ("around the Cape of Good Hope"); `lost`: how much
    less than a unit the unit itself is worth there, in halves of one.
    """

    borders: tuple[tuple[str, str], ...] = ()
    way: str = ""
    lost: int = 1
    landing: Landing = Landing.BY_ROUTE

    @property
    def leaves_nothing(self) -> bool:
        """Whether only supports give a move over such a border any strength."""
        return self.lost > 1

    @property
    def strength(self) -> str:
        """What is left to the unit, in words."""
        return "no strength of its own" if self.leaves_nothing else "half strength"


@dataclass(frozen=True, slots=True)
class Spot:
    """What a unit at a place can do.

    `reach`: the provinces that it could move to without a convoy; `support`: the provinces into which it may support;
    `landings`: for a fleet, the places that it can enter in each of these provinces; `places`: all places that it can
    enter, as an order in normal form names them; `afloat`: whether it may convoy.
    """

    unit: Unit
    army: bool
    afloat: bool
    reach: Reach
    support: Reach
    landings: Mapping[str, tuple[str, ...]]
    places: frozenset[str]


class Board:
    """The map, ready for look-ups; never changed after it is made."""

    def __init__(self, provinces: Mapping[str, Province], crossing: Crossing = Crossing()):
        self.crossing = crossing
        self.province_of = {name: name for name in provinces}
        for province in provinces.values():
            for coast in province.coasts:
                self.province_of[f"{province.abbr}/{coast}"] = province.abbr
        self.land: Reach = frozenset(name for name, p in provinces.items() if p.takes_armies)
        # Land provinces that armies can never enter.
        self.closed: Reach = frozenset(name for name, p in provinces.items() if not p.armies)
        self.seas: Reach = frozenset(name for name, p in provinces.items() if p.convoys)
        self.split: Reach = frozenset(name for name, p in provinces.items() if p.coasts)
        # Every possible unit, by its text, and by its kind and place.
        self.spots: dict[str, Spot] = {}
        self.units: dict[str, dict[str, Unit]] = {"A": {}, "F": {}}
        # beyond[province]: the provinces that can be reached from it over a border that weakens who crosses it.
        self.beyond: dict[str, Reach] = {}
        for one, other in (*crossing.borders, *((other, one) for one, other in crossing.borders)):
            self.beyond[one] = self.beyond.get(one, frozenset()) | {other}
        # lanes[province]: the provinces beside it, on any coast, in which fleets may convoy; short_lanes: the same
        # without such borders.
        self.lanes: dict[str, Reach] = {}
        self.short_lanes: dict[str, Reach] = {}
        # Every border counts as one step, for armies and for fleets (DATC 4.D.8).
        self.steps: dict[str, Reach] = {}
        for name, province in provinces.items():
            by_water = frozenset(map(self.province_of.__getitem__, province.by_water))
            self.lanes[name] = by_water & self.seas
            self.short_lanes[name] = self.lanes[name] - self.beyond.get(name, frozenset())
            self.steps[name] = by_water | frozenset(province.army)
            if name in self.land:
                self._add_spot(Unit("A", name), frozenset(province.army), {})
            for coast, places in province.fleet.items() if province.takes_fleets else ():
                landings: dict[str, tuple[str, ...]] = {}
                for place in places:
                    target = self.province_of[place]
                    landings[target] = (*landings.get(target, ()), place)
                self._add_spot(Unit("F", f"{name}/{coast}" if coast else name), frozenset(landings), landings)

    def _add_spot(self, unit: Unit, reach: Reach, landings: Mapping[str, tuple[str, ...]]) -> None:
        army = unit.kind == "A"
        afloat = not army and unit.province in self.seas
        support = reach - self.beyond.get(unit.province, frozenset())
        places = reach if army else frozenset(place for there in landings.values() for place in there)
        self.units[unit.kind][unit.place] = unit
        self.spots[unit.text] = Spot(unit, army, afloat, reach, support, landings, places)

    def connected(self, start: str, goal: str, fleets: Collection[str], short: bool = False) -> bool:
        """Whether a chain of fleets, each beside the next, leads from shore to shore.

        `short`: without a border that weakens who crosses it.
        """
        return bool(self.route(start, goal, fleets, short))

    def route(self, start: str, goal: str, fleets: Collection[str], short: bool = False) -> tuple[str, ...]:
        """The shortest such chain, () if there is none; of equal ones the first by abbreviations."""
        lanes = self.short_lanes if short else self.lanes
        ends, first = lanes[goal].intersection(fleets), lanes[start].intersection(fleets)
        chains: list[tuple[str, ...]] = [(sea,) for sea in sorted(first)] if ends else []
        seen = set(first)
        for chain in chains:
            if chain[-1] in ends:
                return chain
            beyond = lanes[chain[-1]].intersection(fleets) - seen
            seen |= beyond
            chains += [(*chain, sea) for sea in sorted(beyond)]
        return ()
