"""What the sign of a supply center says: who owns it, who builds there, and whether its owner does.

A center is a small house with its owner's letter. Its top says where units are built: a roof is on a home
center, one with a flag on a home that was named or won during play, a dome on a colony, half a roof on a place in
which a single power builds, battlements on a vassal. The top is dark while the owner builds there, else white.
"""

from collections.abc import Iterator
from typing import NamedTuple

from judge.maps.geometry import Geometry, Point
from judge.rules import Position, Variant
from judge.rules.board.orders import occupants, owners
from judge.rules.board.power import NEUTRAL
from judge.rules.mechanisms.build_places import BuildSites, measures
from judge.rules.mechanisms.diplomacy_points import Vassals
from judge.rules.phases.retreats_and_winters import homes_of

# The tops of centers.
HOME, NAMED, COLONY, SPECIAL, VASSAL = "home", "named", "colony", "special", "vassal"
# A roof without a house: no center, but a power builds there in its emergency.
SITE = "site"


class Center(NamedTuple):
    """A center on the board.

    `owner`: a power's name, "" if it has none; `top`: one of the words above, "" for a center like any other; `builds`:
    whether its owner builds there.
    """

    at: Point
    scale: float
    owner: str
    top: str
    builds: bool


def centers(variant: Variant, geometry: Geometry, position: Position) -> Iterator[Center]:
    """The centers in the window, and the other places in which a power builds in an emergency.

    In an overview units hide the centers that they are in.
    """
    owner = owners(position)
    hidden = occupants(position) if geometry.overview else {}
    tops = usual_tops(variant) | {home: NAMED for named in position.homes.values() for home in named}
    homes = {power: homes_of(variant, position, power) for power in position.centers if power in variant.power_named}
    for abbr in variant.centers:
        spot = geometry.spots[abbr]
        if spot.center and abbr not in hidden and geometry.window.meets([spot.center], geometry.dot):
            whose = "" if owner.get(abbr) == NEUTRAL else owner.get(abbr, "")
            yield Center(spot.center, spot.unit_scale, whose, tops.get(abbr, ""), abbr in homes.get(whose, ()))
    for power in variant.powers:
        for site in measures(variant, position, power.name).sites:
            at = geometry.place(site)
            if site not in variant.centers and geometry.window.meets([at], geometry.dot):
                yield Center(at, geometry.spots[site].unit_scale, "", SITE, True)


def usual_tops(variant: Variant) -> dict[str, str]:
    """{center: its top, unless it is named a home during play}; of several the one that says most."""
    sites, vassals = variant.rule(BuildSites), variant.rule(Vassals)
    tops = {center: VASSAL for some in (vassals.of.values() if vassals else ()) for center in some}
    if sites:
        tops |= {center: SPECIAL for some in sites.special.values() for center in some}
        tops |= dict.fromkeys(sites.colonies, COLONY)
    return tops | {home: HOME for power in variant.powers for home in power.homes}
