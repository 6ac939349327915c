"""The grace that a warning advises is the one that is missing: whoever writes what it says is warned no more."""

import re

import pytest

from tests.commands.deskatwork import DeskAtWork

GONE = "players lose their power if they are late"
LITTLE = "late players get little warning"


def answer(desk: DeskAtWork, *lines: str) -> str:
    return desk.replies("kim@example.org", "SIGNON Mheron gm\n" + "\n".join(lines)).flat


def advised(text: str) -> list[str]:
    """The commands in the last warning."""
    return re.findall(r"SET (?:\w+ )?GRACE \d+", text.partition("grace")[2].partition(" help")[0])


@pytest.mark.parametrize(("has", "wants"), [
    ((), ["SET GRACE 48"]),
    (("SET MOVE GRACE 48",), ["SET RETREAT GRACE 48", "SET ADJUST GRACE 48"]),
    (("SET MOVE GRACE 48", "SET ADJUST GRACE 24"), ["SET RETREAT GRACE 48"]),
    (("SET RETREAT GRACE 24", "SET ADJUST GRACE 24"), ["SET MOVE GRACE 48"]),
    (("SET GRACE 24",), []),
])  # fmt: skip
@pytest.mark.parametrize(("switch", "before", "warning"), [("SET NONMR", "SET NMR", GONE), ("SET NMR", "", LITTLE)])
def test_the_missing_grace_is_named_and_cures(heron, has, wants, switch, before, warning):
    answer(heron, *has, before)
    text = answer(heron, switch)
    assert advised(text) == wants and (warning in text) == bool(wants)
    assert warning not in answer(heron, *wants, switch)


@pytest.mark.parametrize(("line", "wants"), [
    ("SET RETREAT GRACE 0", ["SET RETREAT GRACE 48"]),
    ("SET MOVE NEXT 48 GRACE 0", ["SET MOVE GRACE 48"]),
    ("SET GRACE 0", ["SET GRACE 48"]),
    ("SET ADJUST GRACE 12", []),
])  # fmt: skip
def test_taking_grace_away_says_how_to_give_it_back(heron, line, wants):
    answer(heron, "SET GRACE 24, NONMR")
    text = answer(heron, line)
    assert advised(text) == wants and (GONE in text) == bool(wants)


def test_where_the_master_ends_each_phase_nobody_loses_a_seat(heron):
    assert GONE not in answer(heron, "SET MANUALPROCESS", "SET NONMR")
