"""STATUS ALL: every game of the sender in one mail."""

import pytest

from tests.commands.deskatwork import DeskAtWork

FRANCE = "france@example.org"


@pytest.fixture
def two(desk: DeskAtWork) -> DeskAtWork:
    """France plays in heron, waits in crane for others, and observes swan, whose deadline is the first."""
    desk.seat_seven("swan")
    desk.seat_seven()
    desk.goes_on("crane forms and Nina observes", lambda: goes_on(desk))
    return desk


def goes_on(desk: DeskAtWork) -> None:
    kim = "kim@example.org"
    desk.writes(kim, "SIGNON Mswan gm\nSET DEADLINE Tue 21:00\nSIGNOFF\nCREATE ?crane gm")
    desk.writes(FRANCE, "SIGNON ?crane pwfrance")
    desk.observes("nina@example.org", "REGISTER\nName: Nina\nTimezone: UTC\nEND\nOBSERVE swan")


def test_all_games_are_told_the_next_deadline_first(two: DeskAtWork) -> None:
    two.writes(FRANCE, "SIGNON Fswan pwfrance\nA PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MID")
    reply = two.replies(FRANCE, "STATUS ALL")
    assert reply.first_line == "You are in 3 games. 1 game waits for your orders."
    swan, heron, crane = (reply.text.index(f"\n{game}: ") for game in ("swan", "heron", "crane"))
    assert swan < heron < crane
    assert "swan: Movement for Spring of 1901. You play France.\n" in reply.text
    assert "Your orders are complete." in reply.text[swan:heron]
    assert "Missing:\n  Army Marseilles\n  Army Paris\n  Fleet Brest\n" in reply.text[heron:crane]
    assert "crane: forming. You play.\n6 more players are needed." in reply.text
    assert reply.page.index("<b>swan</b>") < reply.page.index("<b>heron</b>")
    assert reply.page.count("Missing:") == 1


def test_a_master_is_told_how_many_orders_are_missing(two: DeskAtWork) -> None:
    reply = two.replies("kim@example.org", "STATUS ALL")
    assert "swan: Movement for Spring of 1901. You are its master.\n" in reply.text
    assert "Orders are missing from 7 powers." in reply.text
    assert "Missing:" not in reply.text


def test_an_observer_owes_nothing(two: DeskAtWork) -> None:
    reply = two.replies("nina@example.org", "STATUS ALL")
    assert reply.first_line == "You are in 1 game."
    assert "swan: Movement for Spring of 1901. You observe it.\n" in reply.text and "missing" not in reply.text


def test_strangers_have_no_games(two: DeskAtWork) -> None:
    assert "not in any game from this address" in two.replies("who@example.org", "STATUS ALL").text
    two.writes("who@example.org", "REGISTER\nName: Who\nTimezone: UTC\nEND")
    assert two.replies("who@example.org", "STATUS ALL").first_line == "You are in 0 games."


def test_who_signs_on_for_another_reads_the_own_games(two: DeskAtWork) -> None:
    """The copy for the seat's holder tells nothing of them."""
    mails = {mail.to: mail for mail in two.writes("italy@example.org", "SIGNON Fheron pwfrance\nSTATUS ALL")}
    assert "You play Italy." in mails["italy@example.org"].text
    assert "You play Italy." not in mails[FRANCE].text
