"""A retreat phase: whoever asks where a game stands sees the dislodged units, and who plays one what to write."""

import pytest

from tests.commands.deskatwork import DeskAtWork

SENTENCE = "The German Army in Munich can retreat to Ruhr or Silesia."
OWN = "Army Munich, dislodged: A MUN - RUH, A MUN - SIL or A MUN D"


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """France has dislodged the German army in Munich."""
    desk.seat_seven()
    desk.goes_on("Munich is taken", lambda: take_munich(desk))
    return desk


def take_munich(desk: DeskAtWork) -> None:
    desk.writes(
        "kim@example.org",
        "SIGNON Mheron gm\nCORRECT POSITION\nFrance: A PAR - BUR\nItaly: A VEN - TYR\nAustria: A VIE - BOH\nEND",
    )
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA BUR - MUN")
    desk.writes("italy@example.org", "SIGNON Iheron pwitaly\nA TYR S A BUR - MUN")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS")


def test_its_player_is_told_what_to_write_signed_on_or_not(heron):
    by_address = heron.replies("germany@example.org", "STATUS heron").text
    assert OWN in by_address and SENTENCE in by_address
    signed_on = heron.replies("germany@example.org", "SIGNON Gheron pwgermany\nSTATUS").text
    assert OWN in signed_on and SENTENCE in signed_on
    for order in OWN.partition(": ")[2].replace(" or ", ", ").split(", "):
        answer = heron.would_reply("germany@example.org", f"SIGNON Gheron pwgermany\n{order}")
        assert answer.first_line == "Orders complete."


def test_all_others_are_told_that_it_is_dislodged_and_a_new_observer_with_the_position(heron):
    for reader in ("france", "kim", "stranger"):
        for question in ("STATUS heron", "LIST heron"):
            text = heron.would_reply(f"{reader}@example.org", question).text
            assert SENTENCE in text and "Your" not in text
    mails = heron.observes("walter@example.org", "OBSERVE heron")
    assert [SENTENCE in mail.text for mail in mails if "Position" in mail.subject] == [True]
