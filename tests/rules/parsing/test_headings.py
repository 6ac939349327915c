"""What a heading says of the orders below it."""

import pytest

from judge.rules.parsing.decoration import UNPLACED
from judge.rules.parsing.headings import MEANT, UNMEANT, heading
from tests.texts import listed

NAMES = ["austria", "france", "italy", "french", "heron"]
NOT_MEANT = listed("""
    Cancelled:
    Old orders:
    Old orders
    Option 2:
    Option 1 (safe):
    Instead of:
    Instead of these:
    Alternatively:
    Plan B:
    Or else:
    or
    **Cancelled**
    [Cancelled:]
    # Old orders
    Orders - old:
    Last season's orders:
    Old orders for Spring 1901:
    Fall 1901 (cancelled):
    If Italy attacks:
    Unless Russia agrees:
    Only if Italy attacks:
    In case Italy moves:
    Next turn, if Italy agrees:
    Wenn Italien angreift:
    Alte Befehle:
    Anciens ordres:
    Отменено:
    --- OR ---
    else
    Please ignore the following:
    No longer valid:
    Draft - not final:
    Just in case:""")
ARE_MEANT = listed("""
    Orders:
    My orders:
    My plan:
    New orders:
    Corrected orders:
    Orders (new):
    Instead:
    [NEW]
    please:
    Neue Befehle:""")
NO_HEADINGS = listed("""
    cancelled
    France:
    Orders for France:
    My last orders:
    All hold except:
    These are not my final orders:
    Let me know if that's wrong:
    Ignore my earlier orders, here are new ones:
    Disregard previous orders
    Please ignore my previous email:
    Previous orders cancelled:
    Instead of my previous orders:
    Scratch that:
    Error
    Unless I write again, these are my orders:
    When you get this, please use:
    Provided below are my orders:
    Si, estas son mis ordenes:
    Version 2 (final):
    I hope this is not a mistake
    As agreed:
    A PAR - BUR""")


SAYS = [
    *((line, UNMEANT) for line in NOT_MEANT),
    *((line, MEANT) for line in ARE_MEANT),
    *((line, "") for line in NO_HEADINGS),
    ("Fall 1901:", "F1901M"),
    ("Moves:", "S1901M"),
    ("1902:", UNPLACED),
]


@pytest.mark.parametrize(("line", "says"), SAYS)
def test_a_heading_names_a_phase_or_says_whether_its_orders_are_meant(line: str, says: str):
    assert heading(line, "S1901M", NAMES) == says


def test_a_line_of_more_than_sixty_signs_is_no_heading():
    assert heading("Cancelled".ljust(59, "-") + ":", "S1901M") == UNMEANT
    assert heading("Cancelled".ljust(60, "-") + ":", "S1901M") == ""
