"""What is said of the settings of a game."""

from dataclasses import replace

import pytest

from judge.games.core.setting_fields import MOVE, RETREAT, days_words, timing_words
from tests.texts import table


@pytest.mark.parametrize(
    ("days", "said"),
    table("""
        -MTWTF- => Monday to Friday
        -mTWTF- => Monday to Friday, Mondays only after noon
        SMTWTFS => every day
        smtwtfs => every day, only after noon
        S-----s => Saturday and Sunday, Saturdays only after noon
        SMTWT-- => Sunday to Thursday
        S-T-T-S => Tuesday, Thursday, Saturday and Sunday
        --T---- => Tuesday
        s-----s => Saturday and Sunday, only after noon"""),
)
def test_days_are_said_in_words(days, said):
    assert days_words(days) == said


def test_a_time_of_day_says_which_half_of_a_day_is_open():
    half = "-mTWTF-"
    assert timing_words(replace(MOVE, days=half)) == "at the first 23:30 after 71 hours, Monday to Friday"
    assert timing_words(replace(MOVE, days=half, clock=600)) == "at the first 10:00 after 71 hours, Tuesday to Friday"
    assert timing_words(replace(RETREAT, days=half)) == "23 hours, Monday to Friday, Mondays only after noon"


def test_all_of_a_timing_is_said():
    timing = replace(MOVE, next=72, min=12, delay=1, grace=24)
    assert timing_words(timing) == (
        "at the first 23:30 after 72 hours, Monday to Friday, never in the first 12 hours, processed 1 hour after the "
        "last order, grace 24 hours"
    )
