"""Phase names: what people write, what they mean, what comes next."""

import pytest

from judge.rules import PhaseError, read_phase, words
from judge.rules.board.phase import following, kind, season, split_phase, year
from tests.texts import table


@pytest.mark.parametrize(
    ("text", "name"),
    table("""
        S1901M                  => S1901M
        f1901r                  => F1901R
        w1901a                  => W1901A
        F1901B                  => W1901A
        W1901B                  => W1901A
        Spring 1901             => S1901M
        fall 1904 retreat       => F1904R
        Fall of 1904, retreats  => F1904R
        autumn 1904             => F1904M
        Winter 1904             => W1904A
        winter 1904 adjustments => W1904A
        fall 1904 builds        => W1904A
        S 1901 M                => S1901M
        S1901                   => S1901M
        spring 800 movement     => S800M"""),
)
def test_phases_are_read_in_many_forms(text, name):
    assert read_phase(text) == name


@pytest.mark.parametrize(
    "text", ["", "1901", "Spring", "summer 1901", "S1901X", "S19011M", "Spring 1901 1902", "spring builds 1901",
             "winter 1901 retreats", "spring 1901 nonsense", "spring ²", "spring 190①", "s²m"]
)  # fmt: skip
def test_what_is_no_phase_is_refused_with_an_example(text):
    with pytest.raises(PhaseError, match="S1901M|built and removed in the winter"):
        read_phase(text)


def test_the_parts_of_a_name():
    assert split_phase("F1901R") == ("F", 1901, "R")
    assert (season("F1901R"), year("F1901R"), kind("F1901R")) == ("Fall", 1901, "R")
    with pytest.raises(PhaseError):
        split_phase("W1901M")


def test_a_phase_in_words():
    assert words("F1901M") == "Movement for Fall of 1901"
    assert words("S1902R") == "Retreats for Spring of 1902"
    assert words("W1902A") == "Adjustments for Winter of 1902"


def test_the_phases_of_a_year_follow_each_other():
    names = ["S1901M"]
    while len(names) < 6:
        names.append(following(names[-1]))
    assert names == ["S1901M", "S1901R", "F1901M", "F1901R", "W1901A", "S1902M"]
