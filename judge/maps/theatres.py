"""Which parts of a board a player is to see: those in which most of their units and centers lie."""

from collections.abc import Iterable, Set
from functools import lru_cache

from judge.maps.geometry import Geometry, Part
from judge.rules import Position

# A mail has so many pictures at most: on a phone more are neither loaded nor looked at.
MOST = 3


def theatres(geometry: Geometry, position: Position, powers: Iterable[str] = ()) -> list[str]:
    """The names of the sheets for a player of these powers: the parts of the board with most of their units and
    centers, each time counting what no part before it shows, and the whole board ("") last; without powers (an
    observer, the master), the whole board first and the parts with most of everybody's. All parts, if so many fit.
    """
    own = set(powers)
    left = _places(position, own) or _places(position, ())
    chosen: list[str] = []
    waiting = list(geometry.parts)
    while waiting and len(chosen) < MOST - 1:
        best = max(waiting, key=lambda part: len(_in(geometry, part, left)))
        found = _in(geometry, best, left)
        if not found and chosen and len(geometry.parts) >= MOST:
            break
        chosen.append(best.name)
        waiting.remove(best)
        left -= found
    return [*chosen, ""] if own else ["", *chosen]


def showing(geometry: Geometry, ordered: Iterable[Set[str]]) -> list[str]:
    """The names of the parts that show some orders, given as the provinces of each: as few as possible, each order
    whole in one of them if a part has room for it; the whole board ("") if there are no parts, or no provinces.
    """
    left = [set(places) for places in ordered if places]
    chosen: list[str] = []
    while left and len(chosen) < min(MOST, len(geometry.parts)):
        everything = set.union(*left)
        found = {part.name: _in(geometry, part, everything) for part in geometry.parts if part.name not in chosen}
        best = max(found, key=lambda name: (sum(places <= found[name] for places in left), len(found[name])))
        rest = [places for places in left if not places <= found[best]]
        if len(rest) < len(left):
            chosen.append(best)
        elif max(map(len, left)) == 1:
            break
        else:  # no part has room for any of them
            rest = [{place} for place in sorted(everything)]
        left = rest
    return chosen or [""]


def _places(position: Position, powers: Iterable[str]) -> set[str]:
    """The provinces in which these powers, or if there are none all, have a unit or a center."""
    of = set(powers)
    stands = {unit.province for power in of or position.units for unit in position.units.get(power, ())}
    return stands.union(*(position.centers.get(power, ()) for power in of or position.centers))


def _in(geometry: Geometry, part: Part, provinces: Iterable[str]) -> Set[str]:
    """Those of the provinces that lie in a part, with their name and their unit."""
    return _all_in(geometry, part).intersection(provinces)


# Asked for every reader of every phase.
@lru_cache(maxsize=64)
def _all_in(geometry: Geometry, part: Part) -> frozenset[str]:
    """All provinces that lie in a part."""
    return frozenset(
        abbr
        for abbr, spot in geometry.spots.items()
        if all(part.window.meets([at], -geometry.radius(abbr)) for at in (spot.label, geometry.place(abbr)))
    )
