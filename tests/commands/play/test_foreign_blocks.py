"""Blocks of other judges: refused, and their text is nobody's order and nobody's press."""

import pytest

from tests.commands.deskatwork import DeskAtWork

FRANCE = "SIGNON Fheron pwfrance\n"


def answer(desk: DeskAtWork, text: str, sender: str = "france") -> str:
    """The only mail that a letter brings."""
    (mail,) = desk.writes(f"{sender}@example.org", text)
    return mail.flat


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("POSTAL PRESS", "ENDPRESS"),
        ("postal press", "ENDPRESS"),
        ("PRESS FAKE TO T", "ENDPRESS"),
        ("press fake broadcast", "ENDBROADCAST"),
        ("PRESS", "ENDPRESS"),
        ("press:", "ENDPRESS"),
        ("PRESS T", "ENDPRESS"),
        ("Press Turkey", "ENDPRESS"),
        ("PRESS FROM Italy TO Turkey", "ENDPRESS"),
        ("PRESS NO FAKE +T", "ENDPRESS"),
        ("PRESS QUIET TO T", "ENDPRESS"),
        ("BROADCAST FAKE TO T", "ENDBROADCAST"),
        ("BROADCAST TO T", "ENDBROADCAST"),
        ("FAKE BROADCAST", "ENDBROADCAST"),
        ("PRESS TO T FROM E", "ENDPRESS"),
        ("PRESS TO T FAKE", "ENDPRESS"),
        ("FAKE TO T", "ENDPRESS"),
        ("GREY TO T", "ENDPRESS"),
        ("GREY BROADCAST", "ENDBROADCAST"),
        ("FAKE BROADCAST TO T", "ENDBROADCAST"),
        ("GREY PRESS TO T", "ENDPRESS"),
        ("GREY BROADCAST", "ENDBROADCAST"),
        ("white broadcast to T", "ENDBROADCAST"),
        ("ANONYMOUS PRESS TO T", "ENDPRESS"),
        ("PARTIAL BROADCAST +T", "ENDBROADCAST"),
        ("FAKE TO Turkey", "ENDPRESS"),
        ("DIARY", "ENDPRESS"),
        ("DIARY RECORD", "ENDPRESS"),
        ("IF A BUR THEN", "ENDIF"),
        ("if A BUR", "END IF"),
        ("IF (France A BUR) OR NOT F MAO", "ENDIF"),
        ("IF A BUR\nA PAR - PIC\nELSE IF A GAS\nA PAR - BRE\nIF F MAO\nA PAR - GAS\nENDIF", "ENDIF"),
    ],
)
def test_its_text_is_left_out_up_to_its_end(heron, first, last):
    told = answer(heron, f"{FRANCE}{first}\nA PAR - GAS\nMeet me.\n{last}\nA MAR - SPA")
    line = first.split("\n")[0]
    message = f"Your message was NOT sent: {line.rstrip(':')}."
    what = message if "IF" not in last else f"The orders below {line} were NOT recorded."
    assert told.startswith(what), told
    assert "Army Paris, no order (will HOLD)." in told
    assert "Army Marseilles -> Spain." in told
    assert "Meet me." not in told


@pytest.mark.parametrize("first", ["POSTAL PRESS", "PRESS FAKE TO T", "DIARY", "IF A BUR THEN", "IF A BUR"])
def test_without_its_end_it_goes_on_to_the_next_sign_on_or_to_signoff(heron, first):
    again = answer(heron, f"{FRANCE}{first}\nA PAR - GAS\n{FRANCE}A MAR - SPA")
    assert "Army Marseilles -> Spain." in again
    assert "Army Paris, no order (will HOLD)." in again
    assert "Army Paris, no order (will HOLD)." in answer(heron, f"{FRANCE}{first}\nA PAR - GAS\nSIGNOFF")


def test_the_verdict_names_them_all(heron):
    told = answer(heron, f"{FRANCE}POSTAL PRESS\nx\nENDPRESS\nDIARY\ny\nENDPRESS")
    assert told.startswith("2 messages were NOT sent: POSTAL PRESS, DIARY. 3 units without orders")


@pytest.mark.parametrize(
    "prose", ["If you help me I will help you.", "Press on with the attack!", "Official results, please.", "My diary"]
)
def test_prose_is_no_block(heron, prose):
    told = answer(heron, f"{FRANCE}{prose}\nA PAR - BUR")
    assert "Refused" not in told
    assert "Army Paris -> Burgundy." in told
