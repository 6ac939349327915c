"""Powers and variants by the names that their rulebooks use."""

import pytest

from judge.rules import UnknownVariant, load_variant, parse_order
from judge.rules.variant.registry import built_in_names, variant_called
from tests.texts import table

# The source of each name is the rulebook of the board: the list of powers, or the text.
POWERS = table("""
    # "Russia (Muscovy)"
    1648             => Muscovy                        => Russia
    1648             => Ottoman Empire                 => Turkey
    1648             => OttomanEmpire                  => Turkey
    1648             => Poland                         => Poland-Lithuania
    1648             => Norway                         => Denmark-Norway
    1648             => Commonwealth of England        => England
    1900             => Ottoman Empire                 => Turkey
    1900             => Great Britain                  => Britain
    1900             => Austro-Hungarian               => Austria-Hungary
    1900             => AustriaHungary                 => Austria-Hungary
    # Ambition & Empire, Great Powers 1, 6, 5, 10
    ambition_empire  => Saxony                         => Poland & Saxony
    ambition_empire  => Polish-Lithuanian Commonwealth => Poland & Saxony
    ambition_empire  => Poland and Saxony              => Poland & Saxony
    ambition_empire  => Great Britain                  => Britain & Hanover
    ambition_empire  => Hanover                        => Britain & Hanover
    ambition_empire  => Hapsburg Empire                => Austria
    ambition_empire  => Ottoman Empire                 => Turkey
    ambition_empire  => Norway                         => Denmark-Norway
    colonia          => Great Britain                  => England
    colonia          => Turkey                         => Ottoman Empire
    intercontinental => Ottoman Empire                 => Turkey
    intercontinental => GreatBritain                   => Great Britain
    intercontinental => Dai Nam                        => Đại Nam
    standard         => Austria-Hungary                => Austria
    standard         => Great Britain                  => England
    standard         => Ottoman                        => Turkey""")


@pytest.mark.parametrize(("board", "text", "power"), POWERS)
def test_a_power_is_known_by_the_names_of_its_rulebook(board, text, power):
    assert load_variant(board).power(text).name == power


@pytest.mark.parametrize("board", built_in_names())
def test_every_word_for_a_power_means_that_power_also_without_blanks(board):
    variant = load_variant(board)
    for power in variant.powers:
        for word in power.words:
            assert variant.power(word).name == variant.power(word.replace(" ", "")).name == power.name


def test_a_name_of_a_power_that_is_also_a_province_is_a_power_only_before_a_unit():
    """Ambition & Empire: Hanover is a home of Britain & Hanover."""
    variant = load_variant("ambition_empire")
    assert str(parse_order(variant, "M", "Hanover H")) == "HAN H"
    assert str(parse_order(variant, "M", "A HES S Hanover A HAN")) == "A HEW S A HAN"
    assert str(parse_order(load_variant("1648"), "M", "Polish - SMO")).startswith("PLI -")


TITLES = table("""
    Ambition & Empire   => ambition_empire
    ambition and empire => ambition_empire
    Ambition Empire     => ambition_empire
    Ambition-Empire     => ambition_empire
    A&E                 => ambition_empire
    AE                  => ambition_empire
    Ambition            => ambition_empire
    Build Anywhere      => build_anywhere
    Standard Diplomacy  => standard
    Stand               => standard
    Inter               => intercontinental
    1900                => 1900
    COLONIA             => colonia""")


@pytest.mark.parametrize(("title", "name"), TITLES)
def test_a_variant_is_known_by_its_title(title, name):
    assert variant_called(title) == name
    assert load_variant(title) is load_variant(name)


def test_what_is_no_variant_or_could_be_two_is_refused():
    with pytest.raises(UnknownVariant, match="There are: 1648, 1900"):
        load_variant("Machiavelli")
    with pytest.raises(UnknownVariant):
        load_variant("in")


@pytest.mark.parametrize("board", built_in_names())
def test_names_of_powers_may_be_begun_and_aliases_may_not(board):
    variant = load_variant(board)
    for power in variant.powers:
        first = len(power.name.rpartition(" ")[0])
        begun = [power.name[:end] for end in range(max(3, first + 2), len(power.name))]
        assert all(power in found for text in begun if (found := variant.power_names.find(text))), power.name
        names = {word for one in variant.powers for word in one.shortened}
        for alias in power.words - power.shortened:
            text = alias[:4]
            if text != alias and not any(name.startswith(text) for name in names):
                assert not variant.power_names.find(text), alias
