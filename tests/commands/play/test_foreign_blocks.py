"""Blocks of other judges: refused, and their text is nobody's order and nobody's press."""

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import listed

FRANCE = "SIGNON Fheron pwfrance\n"


def answer(desk: DeskAtWork, text: str, sender: str = "france") -> str:
    """The only mail that a letter brings."""
    (mail,) = desk.writes(f"{sender}@example.org", text)
    return mail.flat


FIRST_LINES = """\
POSTAL PRESS
postal press
PRESS FAKE TO T
PRESS
press:
PRESS T
Press Turkey
PRESS FROM Italy TO Turkey
PRESS NO FAKE +T
PRESS QUIET TO T
PRESS TO T FROM E
PRESS TO T FAKE
FAKE TO T
GREY TO T
GREY PRESS TO T
ANONYMOUS PRESS TO T
FAKE TO Turkey
DIARY
DIARY RECORD
press fake broadcast
BROADCAST FAKE TO T
BROADCAST TO T
FAKE BROADCAST
GREY BROADCAST
FAKE BROADCAST TO T
white broadcast to T
PARTIAL BROADCAST +T
"""


def test_its_text_is_left_out_up_to_its_end(heron):
    first_lines = listed(FIRST_LINES)
    ends = ["ENDBROADCAST" if "broadcast" in line.lower() else "ENDPRESS" for line in first_lines]
    blocks = "".join(
        f"{first}\nA PAR - GAS\nMeet me.\n{end}\n" for first, end in zip(first_lines, ends, strict=True)
    )
    told = answer(heron, f"{FRANCE}{blocks}A MAR - SPA")
    assert told.startswith(f"{len(first_lines)} messages were NOT sent: POSTAL PRESS, postal press, "), told
    assert "Army Paris, no order (will HOLD)." in told
    assert "Army Marseilles -> Spain." in told
    assert "Meet me." not in told


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("IF A BUR THEN", "ENDIF"),
        ("if A BUR", "END IF"),
        ("IF (France A BUR) OR NOT F MAO", "ENDIF"),
        ("IF A BUR\nA PAR - PIC\nELSE IF A GAS\nA PAR - BRE\nIF F MAO\nA PAR - GAS\nENDIF", "ENDIF"),
    ],
)
def test_the_orders_of_a_condition_are_left_out_up_to_its_end(heron, first, last):
    told = answer(heron, f"{FRANCE}{first}\nA PAR - GAS\nMeet me.\n{last}\nA MAR - SPA")
    assert told.startswith(f"The orders below {first.partition(chr(10))[0]} were NOT recorded."), told
    assert "Army Paris, no order (will HOLD)." in told and "Army Marseilles -> Spain." in told


def test_without_its_end_it_goes_on_to_the_next_sign_on_or_to_signoff(heron):
    for first in ("POSTAL PRESS", "PRESS FAKE TO T", "DIARY", "IF A BUR THEN", "IF A BUR"):
        again = heron.would_reply("france@example.org", f"{FRANCE}{first}\nA PAR - GAS\n{FRANCE}A MAR - SPA").flat
        assert "Army Marseilles -> Spain." in again
        assert "Army Paris, no order (will HOLD)." in again
        told = heron.would_reply("france@example.org", f"{FRANCE}{first}\nA PAR - GAS\nSIGNOFF").flat
        assert "Army Paris, no order (will HOLD)." in told


def test_the_verdict_names_them_all(heron):
    told = answer(heron, f"{FRANCE}POSTAL PRESS\nx\nENDPRESS\nDIARY\ny\nENDPRESS")
    assert told.startswith("2 messages were NOT sent: POSTAL PRESS, DIARY. 3 units without orders")


def test_prose_is_no_block(heron):
    prose = "If you help me I will help you.\nPress on with the attack!\nOfficial results, please.\nMy diary"
    told = answer(heron, f"{FRANCE}{prose}\nA PAR - BUR")
    assert "Refused" not in told and "NOT" not in told
    assert "Army Paris -> Burgundy." in told
