"""A results mail begins with what happened to its reader."""

import pytest

from tests.commands.deskatwork import DeskAtWork


@pytest.fixture
def mails(desk: DeskAtWork) -> dict[str, str]:
    """{reader: their results mail} of a phase in which France dislodged the German army in Munich."""
    desk.seat_seven()
    desk.writes(
        "kim@example.org",
        "SIGNON Mheron gm\nCORRECT POSITION\nFrance: A PAR - BUR\nItaly: A VEN - TYR\nAustria: A VIE - BOH\nEND",
    )
    desk.writes("germany@example.org", "SIGNON Gheron pwgermany\nSET ZONE Europe/Berlin")
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA BUR - MUN")
    desk.writes("italy@example.org", "SIGNON Iheron pwitaly\nA TYR S A BUR - MUN")
    told = desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS")
    return {mail.to.partition("@")[0]: mail.text for mail in told if "Results" in mail.subject}


def test_each_reader_has_it_right_below_the_heading_in_their_zone(mails):
    below = {reader: text.split("\n\n")[1] for reader, text in mails.items()}
    assert below["germany"] == (
        "Your A MUN was dislodged by France: retreat to RUH or SIL by Tue May 12 01:30.\n"
        "NMR: you sent no orders, so your units held. You have 3 centers."
    )
    assert below["france"] == (
        "No order for A MAR and F BRE: they held. Your order succeeded. You have 3\ncenters."
    )
    assert below["turkey"] == "NMR: you sent no orders, so your units held. You have 3 centers."
    assert all(text.startswith(":: Judge: JUDG  Game: heron  Variant: Standard") for text in mails.values())


def test_whoever_plays_nothing_reads_the_results_at_once(mails):
    assert mails["kim"].split("\n\n")[1].startswith("Movement results for Spring of 1901.")
