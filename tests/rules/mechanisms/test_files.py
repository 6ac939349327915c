"""The tables of variant.toml that add to the standard rules: mistakes in them, reading and writing them."""

from dataclasses import replace

import pytest

from judge.rules import load_variant
from judge.rules.describe import mechanisms_in_words, rules_in_words
from judge.rules.game_options import GameOptions, with_house_rules
from judge.rules.mechanisms.build_places import ExtraHomeCenters
from judge.rules.mechanisms.groups import draw
from judge.rules.mechanisms.victory import Victory
from judge.rules.variant.loading import read_variant
from tests.rules.boards import files_of, mistakes
from tests.texts import table

NAMES = ("1648", "ambition_empire", "intercontinental")


# (variant, what stands in the good file, what stands there instead, the message)
WRONG = table("""
    1648 => "hold support" => "hold jump" => neutrals: an order is one of hold, support, convoy, move, not jump
    1648 => orders = "hold support" => order = "hold" => neutrals: there is no key order
    1648 => civil_disorder = true => civil_disorder = 1 => neutrals: civil_disorder must be true or false
    1648 => A BAV, A BRA => F BAV, A BRA => Neutral: F BAV: no fleet can be there
    1648 => A BAV, A BRA => A BAV, A BAV, A BRA => BAV has a unit of Neutral and one of Neutral
    1648 => A BAV, A BRA => A BAV, A BRA, A EXT => neutrals: EXT is not a supply center
    1648 => A BAV, A BRA => A BAV, A BRA, A PRA => PRA is owned by Austria and neutral
    1648 => A BAV, A BRA => A BAV, A BRA, A QQQ => Neutral: there is no province QQQ
    1648 => income = 3 => income = 0 => points: income must be a number, 1 or more
    1648 => income = 3 => incme = 3 => points: there is no key incme
    1648 => { France = 6 } => { Gaul = 6 } => points: there is no power Gaul
    1648 => { France = 6 } => { France = "many" } => points: France must be a number, 1 or more
    1648 => income = 3 => income = 3 / per_center = 1 / most = 3 => points needs either income or per_center
    ambition_empire => most = 3 =>  => points: most belongs to per_center
    1648 => per_neutral = 2 =>  => points: full belongs to per_neutral
    1648 => France = "LOR" => Gaul = "LOR" => vassals: there is no power Gaul
    1648 => France = "LOR" => France = "PAR" => vassals: PAR is not the center of a neutral
    1648 => France = "LOR" => France = 1 => vassals: France must be text: centers
    ambition_empire => ["Turkey"] => ["Turk"] => religion: there is no power Turk
    ambition_empire => "ALG CRI MOR TUN" => "ALG CRI MOR LON" => religion: LON is not the center of a neutral
    ambition_empire => for_catholics_only = "PAP" =>  => religion: for_catholics_only is missing
    ambition_empire => powers = ["Denmark-Norway" => powers = ["Denmark" => extra_home: there is no power Denmark
    ambition_empire => ["Turkey"] => "Turkey" => religion: muslim_powers must be a list of names
    ambition_empire => [extra_home] => [extra_homes] => there is no table extra_homes""")


@pytest.mark.parametrize(("name", "good", "bad", "message"), WRONG, ids=[one[3] for one in WRONG])
def test_a_mistake_is_found_with_its_line(name, good, bad, message):
    rules, provinces = files_of(name)
    changed = rules.replace(good, bad, 1)
    assert changed != rules
    assert message in [mistake.text for mistake in mistakes(changed, provinces)]


def test_points_without_neutrals_and_a_table_that_is_none_are_mistakes():
    rules, provinces = files_of("1648")
    start, end = rules.index("[neutrals]"), rules.index("# Diplomacy Points")
    found = [mistake.text for mistake in mistakes(rules[:start] + rules[end:], provinces)]
    assert "points need neutrals" in found
    assert "vassals must be a table" in [one.text for one in mistakes("vassals = 1\n", provinces)]


def test_a_last_year_and_both_kinds_of_extra_homes_are_read():
    """No variant of ours has these tables in full."""
    rules, provinces = files_of("ambition_empire")
    rules = rules.replace("[victory]\n", "[victory]\nyear_cap = 1790\n")
    rules = rules.replace("[extra_home]\n", "[extra_home]\nby_building = true\n")
    assert mistakes(rules, provinces) == []
    full, homes = read_variant("full", rules, provinces), load_variant("ambition_empire").rule(ExtraHomeCenters)
    assert homes and full.year_cap == 1790
    assert full.rule(ExtraHomeCenters) == replace(homes, by_building=True)


def test_standard_diplomacy_has_no_terms():
    standard = load_variant("standard")
    assert mechanisms_in_words(standard) == []
    assert [type(one) for one in standard.mechanisms] == [Victory]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_told_are_whole_sentences(name):
    told = mechanisms_in_words(load_variant(name))
    assert len(told) > 6
    assert all(sentence[0].isupper() or sentence[0].isdigit() for sentence in told)
    assert all(sentence.endswith(".") for sentence in told)


def told_of(name: str) -> str:
    return " ".join(mechanisms_in_words(load_variant(name)))


def test_only_where_civil_disorder_makes_neutrals_it_is_told():
    assert load_variant("1648").neutrals.civil_disorder and load_variant("ambition_empire").neutrals.civil_disorder
    assert "permanent civil disorder" in told_of("1648") and "permanent civil disorder" in told_of("ambition_empire")
    assert not load_variant("intercontinental").neutrals.civil_disorder
    assert "civil disorder" not in told_of("intercontinental")


def test_points_are_a_players_where_he_has_several_powers():
    told = told_of("intercontinental")
    assert "each power of a group adds to its player's Diplomacy Points: 1 for each center that it owns, 3 at" in told
    assert "a power has Diplomacy Points" not in told and "a power has Diplomacy Points: 3, France 6" in told_of("1648")
    assert "A player can put at most 2 points on one order." in told
    assert "A player's points for a neutral have no effect in a phase in which any" in told
    assert "After the game all bids are published, unless the master has set otherwise before the start," in told
    assert "After the game all bids are kept secret, unless the master has set otherwise" in told_of("1648")


def test_groups_and_draws_are_told():
    told = told_of("intercontinental")
    assert "A player orders the powers of a group: Blue, Teal, Green, Olive, Yellow, Red, Maroon or Violet." in told
    assert "Drawn by lot: Mexico, for Red or Teal." in told
    assert (
        "Đại Nam, Dutch East Indies, Japan and Rattanakosin, one each for Green, Maroon, Red, Teal and Violet, but not "
        "for the one that has Iran." in told
    )
    board = load_variant("intercontinental")
    assigned = board.grouped(draw(board.groups, board.draws, 1))
    settled = " ".join(mechanisms_in_words(assigned))
    assert "Drawn by lot" not in settled and "the player who has" not in settled, "in a game that has begun"


def test_sorties_sponsors_canals_and_the_additional_home_are_told():
    told = told_of("intercontinental")
    assert "its move, a sortie, always bounces" in told and "sortie" not in told_of("1648")
    assert "count double. Blue: Aden, Auckland" in told
    assert "the player who has Dutch East Indies: Amsterdam, Boma, Elmina and Paramaribo" in told
    assert "until its canal opens in Spring 1870" in told
    later = with_house_rules(load_variant("intercontinental"), GameOptions(canals=(("Suez", 1880),), year_cap=1890))
    assert "until its canal opens in Spring 1880" in " ".join(mechanisms_in_words(later))
    assert "by the end of the Fall of 1890, the game is a draw of all survivors" in " ".join(rules_in_words(later))
    assert "A power can get one more permanent home center by building there" in told
