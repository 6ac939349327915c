"""The provinces of a map, changes to their borders and coasts, and the board that the adjudicator uses.

A change is kept as a text that people can also read: `ADD FLEET BAL SGK`, `REMOVE ARMY KIE MOS`, `COASTS EGY` (Egypt
gets one coast), `COASTS LON EC:NTH+YOR WC:ENG+WAL`.

The `Board` says where each possible unit may go. A *place* is where a unit is: a province or, for fleets, a coast of a
split province ("STP/NC"). Borders are frozen sets of province names, made once per variant. The adjudicator then finds
with one look-up whether a unit can reach a province.
"""

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from operator import attrgetter

from judge.rules.board.orders import Places, Unit, place_of, province_of

_WORD, _SMALL_WORDS = re.compile(r"[\w'’]+"), frozenset(("of", "the", "and"))
COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}


@dataclass(frozen=True)
class Province:
    """A province of the map. `fleet` maps each coast to its neighbors. A coast that is not split has the key "".

    `doubtful_for_armies` and `doubtful_for_fleets` list neighbors whose border no published source gives. The two lists
    differ if a source gives a border only for armies or only for fleets. `one_way` lists the neighbors from which no
    unit can come back.
    """

    abbr: str
    name: str
    kind: str
    center: bool = False
    aliases: tuple[str, ...] = ()
    army: Places = ()
    fleet: Mapping[str, Places] = field(default_factory=dict)
    doubtful_for_armies: Places = ()
    doubtful_for_fleets: Places = ()
    port: bool = False
    armies: bool = True
    one_way: Places = ()

    @property
    def other_names(self) -> tuple[str, ...]:
        """Return the aliases of the province as people write them: `Bay of Biscay`, `MAO`."""
        return tuple(map(_as_name, self.aliases))

    @property
    def coasts(self) -> tuple[str, ...]:
        """Return the names of the province's coasts, like "NC", or none if the coast is not split."""
        return tuple(coast for coast in self.fleet if coast)

    @property
    def takes_armies(self) -> bool:
        """Return whether an army can ever be in the province."""
        return self.kind in ("land", "coast") and self.armies

    @property
    def takes_fleets(self) -> bool:
        """Return whether a fleet can ever be in the province."""
        return self.kind in ("sea", "coast")

    @property
    def fleet_ways(self) -> dict[str, Places]:
        """Return {place of a fleet in the province: the places to which the fleet can go}."""
        return {place_of(self.abbr, coast): near for coast, near in self.fleet.items()}

    @property
    def by_water(self) -> Places:
        """Return the places to which fleets can go from any coast of the province."""
        return tuple(place for places in self.fleet.values() for place in places)

    @property
    def neighbours(self) -> frozenset[str]:
        """Return the provinces to which armies or fleets can go from this province."""
        return frozenset(map(province_of, (*self.army, *self.by_water)))

    @property
    def convoys(self) -> bool:
        """Return whether a fleet in the province may convoy.

        A fleet may convoy at sea and in a port. A port is a province that armies can enter too.
        """
        return self.kind == "sea" or self.port


# {abbreviation: province}.
Provinces = Mapping[str, Province]


@dataclass(frozen=True)
class BorderChange:
    """A border for `unit` (ARMY or FLEET) between two places that a game adds or removes.

    Only fleets' places have coasts.
    """

    adds: bool
    unit: str
    one: str
    other: str

    def __str__(self) -> str:
        return f"{'ADD' if self.adds else 'REMOVE'} {self.unit} {self.one} {self.other}"

    @property
    def opposite(self) -> "BorderChange":
        """Return the change that undoes this change."""
        return replace(self, adds=not self.adds)


@dataclass(frozen=True)
class CoastChange:
    """New coasts of a province: {coast: the places to which fleets go from it}.

    `coasts` is empty if the province gets only one coast.
    """

    province: str
    coasts: Mapping[str, Places]

    def __str__(self) -> str:
        parts = [f"{coast}:{'+'.join(places)}" for coast, places in self.coasts.items()]
        return " ".join(["COASTS", self.province, *parts])


def parse_change(text: str) -> BorderChange | CoastChange:
    """Return the change that a text like `ADD FLEET BAL SGK` describes."""
    verb, first, *others = text.split()
    if verb != "COASTS":
        return BorderChange(verb == "ADD", first, *others)
    split = (part.partition(":") for part in others)
    return CoastChange(first, {coast: tuple(places.split("+")) for coast, _, places in split})


def with_changes(provinces: Provinces, changes: Iterable[str]) -> tuple[dict[str, Province], tuple[str, ...]]:
    """Return the provinces with the `changes` made, and the changes that cannot be made yet.

    A change must wait if it names a coast that the province does not have now. For example, a province has other coasts
    before its canal opens than after. A change that the map already shows has no effect. (The variant's own file may
    have been corrected meanwhile.)
    """
    after, waiting = dict(provinces), []
    for text in changes:
        change = parse_change(text)
        if isinstance(change, CoastChange):
            after = _with_coasts(after, change)
            continue
        ends = (change.one, change.other)
        if change.unit == "FLEET" and not all(place in after[province_of(place)].fleet_ways for place in ends):
            waiting.append(text)
            continue
        for here, there in (ends, ends[::-1]):
            abbr, _, coast = here.partition("/")
            province = after[abbr]
            if change.unit == "ARMY":
                after[abbr] = replace(province, army=_changed(province.army, there, change.adds))
            else:
                ways = {**province.fleet, coast: _changed(province.fleet[coast], there, change.adds)}
                after[abbr] = replace(province, fleet=ways)
    return after, tuple(waiting)


def _changed(places: Places, there: str, adds: bool) -> Places:
    """Return `places` with `there` added or removed, if that changes anything."""
    if (there in places) == adds:
        return places
    return tuple(sorted([*places, there])) if adds else tuple(place for place in places if place != there)


def _with_coasts(provinces: Provinces, change: CoastChange) -> dict[str, Province]:
    name = change.province
    after = with_coasts_joined(provinces, [name])
    if not change.coasts:
        return after
    after[name] = replace(after[name], fleet=dict(change.coasts))
    for other in {*map(province_of, itertools.chain.from_iterable(change.coasts.values()))}:
        fleet = {}
        for here, (coast, places) in zip(after[other].fleet_ways, after[other].fleet.items(), strict=True):
            instead = [f"{name}/{one}" for one, ways in change.coasts.items() if here in ways]
            fleet[coast] = tuple(there for place in places for there in (instead if place == name else [place]))
        after[other] = replace(after[other], fleet=fleet)
    return after


def with_coasts_joined(provinces: Provinces, names: Collection[str]) -> dict[str, Province]:
    """Return the provinces after each province in `names` has been given one coast.

    The new coast borders on every place that any of the old coasts bordered on. This change is made when a canal opens,
    and when the master corrects a province's coasts.
    """
    after = dict(provinces)
    for name in names:
        beside = set(provinces[name].by_water)
        after[name] = replace(provinces[name], fleet={"": tuple(sorted(beside))})
        for other in set(map(province_of, beside)):
            fleet = {
                coast: tuple(dict.fromkeys(without_coast(place, names) for place in places))
                for coast, places in after[other].fleet.items()
            }
            after[other] = replace(after[other], fleet=fleet)
    return after


def without_coast(place: str, names: Collection[str]) -> str:
    """Return the place, without its coast if its province is among `names`."""
    abbr = province_of(place)
    return abbr if abbr in names else place


# --- the board -------------------------------------------------------------------------------------------------------


Reach = frozenset[str]


class Landing(Enum):
    """Which armies lose strength when they land by sea beyond a border that weakens units.

    `NEVER` means that no army does. `BY_ROUTE` means an army that every convoy route lands across such a border.
    `ALWAYS` means every army.
    """

    NEVER = auto()
    BY_ROUTE = auto()
    ALWAYS = auto()


@dataclass(frozen=True)
class Crossing:
    """The borders that weaken units crossing them.

    `borders` lists pairs of provinces. `way` says for players where these borders are ("around the Cape of Good Hope").
    `lost` is the strength that the unit loses, in halves of a unit.
    """

    borders: tuple[tuple[str, str], ...] = ()
    way: str = ""
    lost: int = 1
    landing: Landing = Landing.BY_ROUTE

    @property
    def leaves_nothing(self) -> bool:
        """Return whether a unit that crosses one of the borders has only the strength of its supports."""
        return self.lost > 1

    @property
    def strength(self) -> str:
        """Return the strength that a unit keeps when it crosses one of the borders, in words."""
        return "no strength of its own" if self.leaves_nothing else "half strength"


@dataclass(frozen=True)
class Spot:
    """What a unit at a certain place can do: where it can move and support, and whether it can convoy.

    `reach` has the provinces that the unit can enter without a convoy. `support` has those into which it can support.
    For a fleet, `landings` maps each province in `reach` to the places there that the fleet can enter. `places` has all
    places that the unit can enter, as orders name them. `afloat` is true for a fleet that can convoy.
    """

    unit: Unit
    army: bool
    afloat: bool
    reach: Reach
    support: Reach
    landings: Mapping[str, Places]
    places: frozenset[str]


class Board:
    """The map, prepared for look-ups. A board never changes."""

    def __init__(self, provinces: Provinces, crossing: Crossing = Crossing()):

        def those(trait: Callable[[Province], object]) -> Reach:
            return frozenset(name for name, province in provinces.items() if trait(province))

        self.crossing = crossing
        self.province_of = {place: name for name, p in provinces.items() for place in (name, *p.fleet_ways)}
        self.land = those(attrgetter("takes_armies"))
        self.seas = those(attrgetter("convoys"))
        self.split = those(attrgetter("coasts"))
        # Every possible unit: {its text, such as "F STP/NC": what it can do}.
        self.spots: dict[str, Spot] = {}
        # {province: the provinces next to it across a border that weakens units}.
        self.beyond: dict[str, Reach] = {}
        for one, other in (*crossing.borders, *((other, one) for one, other in crossing.borders)):
            self.beyond[one] = self.beyond.get(one, frozenset()) | {other}
        # {province: the adjacent provinces, next to any of its coasts, in which fleets may convoy}. `short_lanes`
        # leaves out borders that weaken units.
        self.lanes: dict[str, Reach] = {}
        self.short_lanes: dict[str, Reach] = {}
        # {province: all adjacent provinces}. Distance counts each border as one step, for armies and fleets (DATC
        # 4.D.8).
        self.steps: dict[str, Reach] = {}
        for name, province in provinces.items():
            by_water = frozenset(map(self.province_of.__getitem__, province.by_water))
            self.lanes[name] = by_water & self.seas
            self.short_lanes[name] = self.lanes[name] - self.beyond.get(name, frozenset())
            self.steps[name] = by_water | frozenset(province.army)
            if name in self.land:
                self._add_spot(Unit("A", name), frozenset(province.army), {})
            if province.takes_fleets:
                for here, places in province.fleet_ways.items():
                    self._add_fleet(here, places)

    def _add_fleet(self, here: str, places: Iterable[str]) -> None:
        landings: dict[str, Places] = {}
        for place in places:
            target = self.province_of[place]
            landings[target] = (*landings.get(target, ()), place)
        self._add_spot(Unit("F", here), frozenset(landings), landings)

    def _add_spot(self, unit: Unit, reach: Reach, landings: Mapping[str, Places]) -> None:
        army = unit.kind == "A"
        afloat = not army and unit.province in self.seas
        support = reach - self.beyond.get(unit.province, frozenset())
        places = reach if army else frozenset(place for there in landings.values() for place in there)
        self.spots[unit.text] = Spot(unit, army, afloat, reach, support, landings, places)

    def connected(self, start: str, goal: str, fleets: Collection[str], short: bool = False) -> bool:
        """Return whether a chain of adjacent fleets leads from `start` to `goal`.

        If `short` is true, the chain must not cross a border that weakens units.
        """
        return bool(self.route(start, goal, fleets, short))

    def route(self, start: str, goal: str, fleets: Collection[str], short: bool = False) -> Places:
        """Return the shortest chain of fleets, or () if there is none.

        Of several such chains, the first by abbreviation is returned.
        """
        lanes = self.short_lanes if short else self.lanes
        ends, first = lanes[goal].intersection(fleets), lanes[start].intersection(fleets)
        chains: list[Places] = [(sea,) for sea in sorted(first)] if ends else []
        seen = set(first)
        for chain in chains:
            if chain[-1] in ends:
                return chain
            beyond = lanes[chain[-1]].intersection(fleets) - seen
            seen |= beyond
            chains += [(*chain, sea) for sea in sorted(beyond)]
        return ()


def _as_name(alias: str) -> str:
    """Return an alias with capitals. An alias of up to three letters is an abbreviation."""
    if len(alias) <= 3:
        return alias.upper()
    return _WORD.sub(lambda word: word[0] if word[0] in _SMALL_WORDS else word[0][:1].upper() + word[0][1:], alias)
