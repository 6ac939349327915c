"""Check whether a variant's colors are distinct to all eyes, including color-blind ones.

Colors are compared as they look to normal eyes, and to eyes without cones for red, green or blue. `coloraide` simulates
such eyes. The distance of two colors is the smallest distance that any of the four kinds of eyes sees (CIEDE2000). A
trained eye can just see a distance of 1. `judge variants check` and tests use this module, but no picture needs it.
"""

from collections.abc import Iterator
from itertools import combinations

from coloraide import Color

from judge.maps import colors
from judge.rules import Variant

# The minimum distance between the colors of two powers: first on units and centers, then on land.
SIGNS, LAND = 15.0, 10.0
MOST = 10
_EYES = {"": "", "protan": "without red", "deutan": "without green", "tritan": "without blue"}


def doubts(variant: Variant) -> Iterator[str]:
    """Yield a sentence for each pair of players whose colors are hard to distinguish.

    If there are more than ten players, yield nothing. So many colors cannot all differ, so the letters on units
    distinguish the players.
    """
    if len(variant.seats) > MOST:
        return
    signs = {seat.name: seat.colour for seat in variant.seats}
    land = {seat.name: colors.tint(seat.colour) for seat in variant.seats}
    for where, least, shown in (("on units and centers", SIGNS, signs), ("on land", LAND, land)):
        for (name, colour), (other, another) in combinations(shown.items(), 2):
            found, eyes = distance(colour, another)
            if found < least:
                to = f" to eyes {_EYES[eyes]}" if eyes else ""
                yield f"{name} and {other} look alike {where}{to}: {found:.1f} apart, {least:g} are needed."


def distance(one: str, other: str) -> tuple[float, str]:
    """Return how far apart two colors look to the eyes that see the least difference, and the kind of eyes."""
    return min((_color(one, eyes).delta_e(_color(other, eyes), method="2000"), eyes) for eyes in _EYES)


def _color(colour: str, eyes: str) -> Color:
    color = Color(colour)
    return (color.filter(eyes) if eyes else color).convert("lab-d65")
