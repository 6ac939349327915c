"""A third home center by letter: asked for, reminded of, named, or taken by default (Ambition & Empire, V.2)."""

from datetime import timedelta

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted

SPAIN = "spain@example.org"
SIGNON = "SIGNON Sswan pwspain\n"


@pytest.fixture
def winter(desk: DeskAtWork) -> DeskAtWork:
    """Game swan in Winter 1763: Spain has won Portugal and Morocco and may build one unit, nobody else has to order."""
    desk.seat_all("swan", "ambition_empire")
    desk.lay("W1763A", "swan", units={"Spain": ["F POR", "F MOR", "A MAD"], "France": ["A PAR"], "Neutral": ["F ALG"]},
             centers={"Spain": ["BRC", "MAD", "MOR", "POR"], "France": ["PAR"]})
    return desk


def says(desk: DeskAtWork, *lines: str) -> Posted:
    return desk.replies(SPAIN, SIGNON + "\n".join(lines))


def test_a_build_alone_is_not_all(winter):
    reply = says(winter, "BUILD F BRC")
    assert reply.first_line == "Your new home center is not named: write HOME and one of them."
    assert "    BUILD F BRC\n    HOME ...  // MOR or POR\n" in reply.text


def test_home_and_builds_come_in_letters_of_their_own(winter):
    says(winter, "BUILD F BRC")
    reply = says(winter, "HOME POR")
    assert reply.first_line == "Orders complete."
    assert "Spain: Builds a fleet in Barcelona.\nSpain: Names Portugal as a home center." in reply.text
    reply = says(winter, "BUILD A BRC")
    assert "Spain: Names Portugal as a home center." in reply.text and "Builds an army in Barcelona." in reply.text
    assert "Names Morocco" in says(winter, "HOME MOR").text


def test_only_one_home_is_named_in_a_letter(winter):
    reply = says(winter, "HOME POR", "HOME MOR")
    assert reply.first_line == "1 line refused. 1 build not ordered."
    assert "An earlier line of this email already names a home center." in reply.text


def test_a_center_that_was_not_won_is_refused(winter):
    reply = says(winter, "HOME ALG", "BUILD F BRC")
    assert "Your new home center can be Morocco or Portugal, not Algiers." in reply.text


def test_the_reminder_asks_for_it_and_tells_the_default(winter):
    says(winter, "BUILD F BRC")
    mails = [mail for day in range(1, 8) for mail in winter.ring(winter.now + timedelta(hours=6 * day))]
    reminder = next(mail for mail in mails if "Reminder" in mail.subject)
    assert reminder.to == SPAIN
    assert "your new home center: HOME Morocco (MOR) or Portugal (POR); else it is Morocco" in reminder.text


def test_without_a_word_it_is_the_first_by_abbreviation_and_the_results_say_so(winter):
    results = winter.ring(winter.now + timedelta(days=10))[-1]
    told = results.flat
    assert "Morocco is now a home center of Spain, the first by abbreviation, because none was named." in told
    assert "Spain: 1 unused build pending." in told


def test_it_is_a_build_site_from_then_on(winter):
    says(winter, "BUILD F BRC", "HOME POR")
    winter.ring(winter.now + timedelta(days=10))
    assert winter.phase("swan").position["homes"] == {"Spain": ["POR"]}
    winter.lay("W1764A", "swan", units={"Spain": ["A MAD", "F BRC"]})
    reply = says(winter, "BUILD F POR", "BUILD F MOR")
    assert "Spain: Builds a fleet in Portugal." in reply.text
    assert "Morocco is not one of your home centers." in reply.text
