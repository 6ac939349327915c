"""Rulings: read from the files, every mistake found, shown for the boards that they concern."""

import pytest

from judge.rules import load_variant, variant_names
from judge.rules.describe import rulings_of
from judge.rules.variant.loading import read_variant
from judge.rules.variant.variant import MECHANISMS, Ruling, general_rulings, rulings_of_every_board
from tests.rules.boards import mistakes
from tests.rules.variant.test_loading import PROVINCES, RULES
from tests.texts import table

RULED = (
    RULES.replace("army_borders = 4", "army_borders = 3")
    + """
[[rulings]]
number = 1
says = \"\"\"
The bay
is deep.\"\"\"
because = "Ships were lost."

[[rulings]]
number = 4
says = "The lake is not."
because = "Nobody was."
cases = "4.A.1: 6.F.9"
mailed = false
"""
)


def test_rulings_are_read_in_a_line_each():
    rivers = read_variant("rivers", RULED, PROVINCES)
    assert rivers.rulings == (
        Ruling(1, "The bay is deep.", "Ships were lost."),
        Ruling(4, "The lake is not.", "Nobody was.", "4.A.1: 6.F.9", mailed=False),
    )
    assert mistakes(RULED, PROVINCES) == []


@pytest.mark.parametrize(
    ("good", "wrong", "told"),
    table("""
        number = 4                => number = 1      => variant.toml:35: rulings: 1 is there twice
        number = 4                => number = "four" => variant.toml:35: rulings: number must be a number, 1 or more
        number = 4                => number = true   => variant.toml:35: rulings: number must be a number, 1 or more
        says = "The lake is not." =>                 => variant.toml:34: rulings: says is missing
        because = "Nobody was."   => because = " "   => variant.toml:37: rulings: because must be a text
        mailed = false            => mailed = 0      => variant.toml:39: rulings: mailed must be true or false
        mailed = false            => mialed = false  => variant.toml:39: rulings: there is no key mialed
        cases = "4.A.1: 6.F.9"    => cases = 6       => variant.toml:38: rulings: cases must be a text"""),
)
def test_every_mistake_is_found_on_its_line(good, wrong, told):
    assert good in RULED
    assert [str(one) for one in mistakes(RULED.replace(good, wrong), PROVINCES)] == [told]


def test_rulings_that_are_no_tables_are_a_mistake():
    found = mistakes('rulings = "none"\n' + RULES.replace("army_borders = 4", "army_borders = 3"), PROVINCES)
    assert [str(one) for one in found] == ["variant.toml:1: rulings must be tables, [[rulings]]"]


def test_each_mechanism_s_rulings_name_a_table_that_there_is():
    tables = {table for one in MECHANISMS for table in one.TABLES}
    named = {one.table for one in general_rulings()} - {""}
    assert "points" in named and named <= tables


@pytest.mark.parametrize("name", variant_names())
def test_a_board_is_told_its_own_rulings_and_those_of_its_mechanisms_alone(name):
    variant = load_variant(name)
    titles = [one.title for one in rulings_of(variant)]
    assert ("Diplomacy Points" in titles) is (variant.points is not None)
    assert ("Several powers in one hand" in titles) is bool(variant.groups)
    assert ("Borders of half strength" in titles) is (name == "1900")
    assert (variant.title in titles) is bool(variant.rulings)
    assert not {*titles} & {one.title for one in rulings_of_every_board()}
