"""A variant's map compiled for the adjudicator: provinces are small integers, borders are bit masks.

Bit p of a mask stands for province p. A *place* is what a unit stands on: a province or, for a fleet in a split
province, one of its coasts. The first places are the provinces themselves, so an army's place is its province.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from judge.rules.orders import Unit

if TYPE_CHECKING:
    from judge.rules.variant import Province


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, lowest first."""
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers


class Board:
    """The compiled map; never changed after it is made."""

    def __init__(self, provinces: Mapping[str, "Province"]):
        self.provinces = tuple(provinces)
        self.places = self.provinces + tuple(
            f"{province.abbr}/{coast}" for province in provinces.values() for coast in province.coasts
        )
        self.place_number = {name: number for number, name in enumerate(self.places)}
        self.province_of = [self.place_number[name.partition("/")[0]] for name in self.places]
        # Masks of provinces: where an army may go from a province, a fleet from a place.
        self.army_reach = [0] * len(self.provinces)
        self.fleet_reach = [0] * len(self.places)
        # fleet_landings[place][province]: the places in it that a fleet from `place` may come to.
        self.fleet_landings: list[dict[int, list[int]]] = [{} for _ in self.places]
        self.split = 0  # provinces with more than one coast
        self.seas = 0  # where a fleet may convoy
        self.land = 0  # where an army may stand
        self.water = 0  # where a fleet may stand
        self.centers = 0
        for number, province in enumerate(provinces.values()):
            self._add(number, province)
        # shores[province]: the convoying provinces beside it, by any coast.
        self.shores = [0] * len(self.provinces)
        for place, reach in enumerate(self.fleet_reach):
            self.shores[self.province_of[place]] |= reach & self.seas
        # Every border is a step, for either kind of unit (DATC 4.D.8).
        self.steps = list(self.army_reach)
        for place, reach in enumerate(self.fleet_reach):
            self.steps[self.province_of[place]] |= reach
        # Every unit there can be, by its text, and what a table needs to know of it: province, place, reach, army.
        self.units: dict[str, Unit] = {}
        self.spots: dict[str, tuple[int, int, int, bool]] = {}
        for number, name in enumerate(self.places):
            for kind in "AF":
                if self.may_stand(kind, number):
                    reach = self.army_reach[number] if kind == "A" else self.fleet_reach[number]
                    unit = Unit(kind, name)
                    self.units[unit.text] = unit
                    self.spots[unit.text] = (self.province_of[number], number, reach, kind == "A")

    def _add(self, number: int, province: "Province") -> None:
        bit = 1 << number
        if province.kind in ("land", "coast"):
            self.land |= bit
        if province.kind in ("sea", "coast"):
            self.water |= bit
        if province.convoys:
            self.seas |= bit
        if province.center:
            self.centers |= bit
        if province.coasts:
            self.split |= bit
        for name in province.army:
            self.army_reach[number] |= 1 << self.place_number[name]
        for coast, names in province.fleet.items():
            place = self.place_number[f"{province.abbr}/{coast}"] if coast else number
            for name in names:
                landing = self.place_number[name]
                target = self.province_of[landing]
                self.fleet_reach[place] |= 1 << target
                self.fleet_landings[place].setdefault(target, []).append(landing)

    def may_stand(self, kind: str, place: int) -> bool:
        """Whether a unit of the kind may be at exactly this place (a fleet in a split province is on a coast)."""
        province = self.province_of[place]
        if kind == "A":
            return place == province and bool(self.land >> place & 1)
        return bool(self.water >> province & 1) and not (place == province and self.split >> province & 1)

    def connected(self, start: int, goal: int, fleets: int) -> bool:
        """Whether a chain of the provinces in `fleets`, each beside the next, leads from shore to shore."""
        ends = self.shores[goal] & fleets
        front = self.shores[start] & fleets
        seen = 0
        while front and ends:
            if front & ends:
                return True
            seen |= front
            beyond = 0
            for number in bits(front):
                beyond |= self.fleet_reach[number]
            front = beyond & fleets & ~seen
        return False
