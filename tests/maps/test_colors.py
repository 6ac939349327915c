"""Colours are told apart by everybody: by normal eyes, and by those without the cones for red, green or blue."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from judge.foreign_maps import PALETTE
from judge.maps import colors
from judge.maps.palette import SIGNS, distance, doubts
from judge.rules import load_variant
from judge.rules.variant.registry import variant_names
from tests.maps.boards import DRAWN

ROOT = Path(__file__).parents[2]
EVERY = pytest.mark.parametrize("name", variant_names())
GROUPED = [name for name in variant_names() if load_variant(name).groups]
# The least distance of owned land and land that is nobody's.
FREE = 6.0


def whites(name: str) -> list[str]:
    """The players whose colour is white."""
    return [seat.name for seat in load_variant(name).seats if min(bytes.fromhex(seat.colour[1:])) > 225]


@EVERY
def test_no_two_players_look_alike_to_anybody(name):
    assert list(doubts(load_variant(name))) == []


def test_colours_that_only_some_can_tell_apart_are_doubted():
    variant = load_variant("standard")
    first, second, *others = variant.powers
    red, green = replace(first, colour="#b8352f"), replace(second, colour="#3d9a4c")
    found = list(doubts(replace(variant, powers=(red, green, *others))))
    alike = f"{first.name} and {second.name} look alike"
    assert found[0] == f"{alike} on units and centers to eyes without green: 9.7 apart, 15 are needed."
    assert distance("#b8352f", "#3d9a4c")[1] == "deutan"


def test_an_imported_board_begins_with_colours_that_everybody_can_tell_apart():
    assert min(distance(one, other)[0] for one, other in combinations(PALETTE[:9], 2)) >= SIGNS


@pytest.mark.parametrize("name", GROUPED)
def test_the_powers_of_one_player_have_shades(name):
    for group in load_variant(name).groups:
        for seen, least in ((str, 8), (colors.tint, 4)):
            shades = [seen(shade) for shade in group.shades.values()]
            assert min(distance(one, other)[0] for one, other in combinations(shades, 2)) >= least, group.name


@EVERY
def test_owned_land_is_told_from_free_land(name):
    variant = load_variant(name)
    for seat in variant.seats:
        assert distance(colors.tint(seat.colour), colors.PAPER)[0] >= FREE, seat.name


@pytest.mark.parametrize(("name", "power"), [(name, seat) for name in variant_names() for seat in whites(name)])
def test_a_white_power_does_not_look_like_the_neutrals(name, power):
    """Neither its units, nor its arrows, nor its land."""
    colour = load_variant(name).seat_named[power].colour
    for seen, grey, least in (
        (colour, colors.NEUTRAL, SIGNS), (colors.arrow(colour), colors.NEUTRAL, SIGNS),
        (colors.tint(colour), colors.NEUTRAL_LAND, FREE),
    ):  # fmt: skip
        assert distance(seen, grey)[0] >= least


@EVERY
def test_letters_and_names_can_be_read_on_every_colour(name):
    variant = load_variant(name)
    owned = {power.colour for power in variant.powers}
    owned |= {shade for group in variant.groups for shade in group.shades.values()}
    for colour in owned:
        assert colors.contrast(colour, colors.ink_on(colour)) >= colors.LEGIBLE
        assert colors.contrast(colors.tint(colour), colors.INK) >= colors.LEGIBLE


@EVERY
def test_no_two_owners_share_a_letter_so_that_colour_alone_tells_nothing(name):
    variant = load_variant(name)
    letters = [power.letter for power in variant.powers] + [group.letter for group in variant.groups]
    assert len(set(letters)) == len(letters)


@pytest.mark.parametrize("name", [name for name in DRAWN if name != "build_anywhere"])
def test_the_contact_sheets_show_each_power_in_its_own_colour(name):
    """Small pictures have few colours; that of a power with few units is one of them."""
    for width in (1400, 390):
        sheet = Image.open(ROOT / f"docs/maps/{name}-{width}.png").convert("RGB")
        shown = {colour for _, colour in sheet.getcolors(sheet.width * sheet.height) or ()}
        for power in load_variant(name).powers:
            wanted = tuple(bytes.fromhex(power.colour[1:]))
            assert not power.units or wanted in shown, (power.name, width)
