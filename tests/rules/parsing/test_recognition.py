"""Lines that are one order together, and lines that are not."""

import time

import pytest

from judge.rules import load_variant
from judge.rules.parsing.recognition import MOST_LINES, is_bare_unit, joined
from tests.texts import table

STANDARD = load_variant("standard")


@pytest.mark.parametrize(
    ("phase_kind", "lines", "whole"),
    table("""
        M => Fleet Brest|- Mid-Atlantic Ocean        => Fleet Brest - Mid-Atlantic Ocean
        M => A|PAR|-|BUR|F|BRE|-|MAO                 => A PAR - BUR|F BRE - MAO
        M => Army|Paris|Burgundy|Fleet|Brest|Picardy => Army Paris Burgundy|Fleet Brest Picardy
        M => Fleet|Brest|Mid-Atlantic Ocean          => Fleet Brest Mid-Atlantic Ocean
        M => F NTH|C|A LON|-|NWY|A PAR H             => F NTH C A LON - NWY|A PAR H
        M => A MAR|S|A PAR|-|BUR|A PIC|H             => A MAR S A PAR - BUR|A PIC H
        M => A PAR, F BRE|- MAO, A MAR - SPA         => A PAR, F BRE - MAO, A MAR - SPA
        M => A MAR S A PAR|-> BUR                    => A MAR S A PAR -> BUR
        M => A YOR - NWY|via convoy                  => A YOR - NWY via convoy
        M => A LON - NTH -|NWY                       => A LON - NTH - NWY
        M => A LON|- NTH|- NWY                       => A LON - NTH - NWY
        M => A LON|- NTH, A MAR H|- NWY              => A LON - NTH, A MAR H|- NWY
        M => DP 2: A MUN S A MAR|- BUR               => DP 2: A MUN S A MAR - BUR
        M => F NTH C A YOR|- BEL                     => F NTH C A YOR - BEL
        M => Support A PAR|- BUR with A MAR          => Support A PAR - BUR with A MAR
        R => A MUN|- BOH                             => A MUN - BOH
        R => A MUN|D                                 => A MUN D
        A => BUILD|A PAR                             => BUILD A PAR
        A => A PAR|BUILD|F BRE|BUILD                 => A PAR BUILD|F BRE BUILD"""),
)
def test_lines_are_put_together(phase_kind, lines, whole):
    assert joined(STANDARD, phase_kind, lines.split("|")) == whole.split("|")


@pytest.mark.parametrize(
    ("phase_kind", "lines"),
    table("""
        M => A PAR|A MAR - BUR
        M => PAR|MAR|BRE
        M => - A PAR|- BUR
        M => A MAR S A PAR|A BUR - MUN
        M => A PAR|MUN - BUR
        M => A PAR -|France: A BUR - MUN
        M => DP 2: A MUN S|DP 1: A BUR H
        M => A PAR - BUR|- MUN
        M => A PAR|Hold the line!
        M => A PAR H|Burgundy
        A => A PAR|BUILD F BRE"""),
)
def test_lines_of_their_own_stay_so(phase_kind, lines):
    assert joined(STANDARD, phase_kind, lines.split("|")) == lines.split("|")


def test_a_line_of_more_than_a_hundred_signs_is_joined_to_none() -> None:
    for long in (100, 101):
        for above, below in (("A PAR", "- BUR".ljust(long)), ("A PAR".rjust(long), "- BUR")):
            assert len(joined(STANDARD, "M", [above, below])) == long - 99


def test_what_stands_below_a_name_tells_whose_it_is():
    assert joined(STANDARD, "M", ["A PAR", "MAR", "- GAS"]) == ["A PAR", "MAR - GAS"]


@pytest.mark.parametrize(
    "text", ["A PAR", "par", "Fleet Brest", "French Army Paris.", "F STP/NC", "A PAR is", "+A PAR"]
)
def test_a_unit_alone_is_bare(text):
    assert is_bare_unit(STANDARD, "M", text)


@pytest.mark.parametrize("text", ["A PAR H", "A PAR holds", "A PAR - BUR", "A", "Cheers", ""])
def test_anything_more_is_not(text):
    assert not is_bare_unit(STANDARD, "M", text)


@pytest.mark.parametrize("line", ["A PAR -", "A", "S", "A PAR S A MAR"])
def test_lines_that_might_go_on_cost_little(line):
    """As many lines as a letter may have, each of which could begin an order."""
    begun = time.process_time()
    assert len(joined(STANDARD, "M", [line] * 5000)) >= 5000 // MOST_LINES
    assert time.process_time() - begun < 10
