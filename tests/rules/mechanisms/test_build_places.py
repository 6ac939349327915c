"""Builds in any owned, vacant center: the variant of that name, the standard game in all else."""

import pytest

from judge.rules import adjudicate, load_variant, needs, position_from_json
from judge.rules.describe import rules_in_words
from judge.rules.mechanisms.build_places import BuildAnywhere
from judge.rules.phases.needs import legal_builds
from judge.rules.phases.retreats_and_winters import balance
from judge.rules.variant.loading import read_variant
from tests.rules.boards import files_of, mistakes
from tests.rules.lines import read_order

STANDARD, ANYWHERE = load_variant("standard"), load_variant("build_anywhere")
# France has lost its homes, but for an occupied one, and owns four centers with two units.
WINTER = {
    "phase": "W1903A",
    "units": {"France": ["A PAR", "F SPA/SC"], "Germany": ["A BUR", "A MAR"]},
    "centers": {"France": ["PAR", "MUN", "POR", "SPA", "STP"], "Germany": ["BER", "MAR"]},
}


def winter(variant=ANYWHERE):
    return position_from_json(variant, WINTER)


def test_every_owned_and_vacant_center_is_a_site():
    assert needs(ANYWHERE, winter())["France"].sites == ("MUN", "POR", "STP")
    assert balance(ANYWHERE, winter(), "France") == 3
    assert "France" not in needs(STANDARD, winter(STANDARD)), "there it has no vacant home"


def test_the_legal_builds_are_those_of_the_sites():
    assert {str(order) for order in legal_builds(ANYWHERE, winter(), "France")} == {
        "BUILD A MUN", "BUILD A POR", "BUILD F POR", "BUILD A STP", "BUILD F STP/NC", "BUILD F STP/SC", "WAIVE",
    }  # fmt: skip


def test_all_else_is_the_standard_game():
    assert ANYWHERE.provinces == STANDARD.provinces and ANYWHERE.powers == STANDARD.powers
    assert set(ANYWHERE.mechanisms) - {BuildAnywhere()} == set(STANDARD.mechanisms)


def test_it_is_told_in_place_of_the_usual_sentence():
    told = rules_in_words(ANYWHERE)
    assert "A power can build in any vacant center it owns, whatever else is said about builds." in told
    assert not [sentence for sentence in told if "home centers" in sentence]


def test_its_file_may_switch_it_off():
    rules, provinces = files_of("build_anywhere")
    off = rules.replace("anywhere = true", "anywhere = false")
    assert read_variant("off", off, provinces).rule(BuildAnywhere) is None


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ("anywhere = true", "anywhere = 1", "builds: anywhere must be true or false"),
        ("anywhere = true", "anywere = true", "builds: there is no key anywere"),
        ("[builds]\nanywhere = true", "", ""),
    ],
)
def test_a_mistake_is_found_with_its_line(good, bad, message):
    rules, provinces = files_of("build_anywhere")
    line = rules.splitlines().index("anywhere = true") + 1
    found = [str(one) for one in mistakes(rules.replace(good, bad), provinces)]
    assert found == ([f"variant.toml:{line}: {message}"] if message else [])


def test_builds_that_are_no_table_are_a_mistake():
    assert "variant.toml:1: builds must be a table" in map(str, mistakes("builds = true\n", ""))


def test_who_builds_anywhere_names_no_additional_home_by_it():
    """Intercontinental, 9.1, in a game with SET ANYCENTERS."""
    world = load_variant("intercontinental").with_rule(BuildAnywhere())
    written = {
        "phase": "W1867A",
        "units": {"France": ["A Pari", "A Toul", "F Bres"]},
        "centers": {"France": ["Pari", "Bres", "Toul", "Stoc", "Brus", "Bern"]},
    }
    position = position_from_json(world, written)
    need = needs(world, position)["France"]
    assert (need.builds, sorted(need.sites), need.claims) == (3, ["Bern", "Brus", "Stoc"], ())
    texts = ["BUILD F Stoc", "BUILD A Brus", "BUILD A Bern"]
    outcome = adjudicate(world, position, {"France": [read_order(world, position, "France", text) for text in texts]})
    assert [one.results for one in outcome.results] == [("ok",)] * 3 and not outcome.position.homes
