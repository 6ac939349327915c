"""What is settled for one game, beside what its variant says."""

import pytest

from judge.rules import load_variant
from judge.rules.game_options import GameOptions, with_house_rules
from judge.rules.mechanisms.victory import Victory

STANDARD = load_variant("standard")
SHORT = STANDARD.with_rule(Victory(18, year_cap=1907))


@pytest.mark.parametrize(
    ("house", "centers", "year_cap"),
    [
        (GameOptions(), 18, 1907),
        (GameOptions(victory=15), 15, 1907),
        (GameOptions(year_cap=1905), 18, 1905),
        (GameOptions(victory=15, year_cap=1910), 15, 1910),
        (GameOptions(borders=("REMOVE ARMY BUR PAR",)), 18, 1907),
    ],
)
def test_what_a_game_leaves_open_is_as_its_variant_has_it(house, centers, year_cap):
    settled = with_house_rules(SHORT, house)
    assert (settled.victory, settled.year_cap) == (centers, year_cap)


def test_a_game_that_settles_nothing_is_played_by_the_variant_itself():
    assert with_house_rules(STANDARD, GameOptions()) is STANDARD
    assert with_house_rules(STANDARD, GameOptions(victory=15)) is with_house_rules(STANDARD, GameOptions(victory=15))


def test_what_is_settled_of_a_canal_leaves_the_others_as_they_are():
    variant = load_variant("intercontinental")
    settled = with_house_rules(variant, GameOptions(canals=(("Suez", 1880),)))
    assert settled.canals == {**variant.canals, "Suez": 1880}
    assert settled.rule(Victory) == variant.rule(Victory)
