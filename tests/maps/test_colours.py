"""Colours of powers that one player orders are told apart, from each other and from everybody else's."""

from itertools import combinations

import pytest

from judge.maps import colours
from judge.rules import load_variant
from judge.rules.variant.catalogue import variant_names
from judge.rules.variant_files.powers import colour_distance

GROUPED = [name for name in variant_names() if load_variant(name).groups]
# How far two shades are apart (`colour_distance`, 0 to 765): of one group, and of two.
OF_ONE, OF_TWO = 95, 80
# The tints of two shades of one group, side by side, and a tint and land that is nobody's.
TINTS, LAND = 40, 25


@pytest.mark.parametrize("name", GROUPED)
def test_shades_are_told_apart(name):
    variant = load_variant(name)
    shades = [(group.name, shade) for group in variant.groups for shade in group.shades.values()]
    shades += [(power.name, power.colour) for power in variant.powers if not power.theatre]
    shades.append(("nobody", colours.NEUTRAL))
    for (one, colour), (other, another) in combinations(shades, 2):
        least = OF_ONE if one == other else OF_TWO
        assert colour_distance(colour, another) >= least, f"{one} {colour}, {other} {another}"


@pytest.mark.parametrize("name", GROUPED)
def test_so_are_the_tints_of_land(name):
    for group in load_variant(name).groups:
        tints = [colours.tint(shade) for shade in group.shades.values()]
        assert min(colour_distance(one, other) for one, other in combinations(tints, 2)) >= TINTS, group.name


@pytest.mark.parametrize("name", variant_names())
def test_owned_land_is_told_from_free_land(name):
    variant = load_variant(name)
    owners = [power.colour for power in variant.powers if power.colour != "#8c8c8c"]
    owners += [shade for group in variant.groups for shade in group.shades.values()]
    for colour in owners:
        for land in (colours.PAPER, colours.NEUTRAL_LAND):
            assert colour_distance(colours.tint(colour), land) >= LAND, colour


@pytest.mark.parametrize("name", variant_names())
def test_no_two_owners_share_a_letter_so_that_colour_alone_tells_nothing(name):
    variant = load_variant(name)
    letters = [power.letter for power in variant.powers] + [group.letter for group in variant.groups]
    assert len(set(letters)) == len(letters)
