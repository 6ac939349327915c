"""Winters and victories by letter: too many builds or too few, a third home center, a game with neutrals won."""

from datetime import timedelta
from functools import partial

import pytest

from judge.rules import load_variant
from tests.commands.deskatwork import DeskAtWork, Posted

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"


@pytest.fixture
def winter(heron: DeskAtWork) -> DeskAtWork:
    """Game heron in Winter 1901: France has three builds, Germany two removals, nobody else a unit."""
    heron.lay(
        "W1901A",
        units={"France": ["A BUR"], "Germany": ["A MUN", "F KIE", "A BER", "A RUH", "F HOL"]},
        centers={"France": ["PAR", "MAR", "BRE", "SPA"], "Germany": ["MUN", "KIE", "BER"]},
    )
    return heron


def test_builds_above_and_below_a_command_are_one_letters_builds(winter: DeskAtWork):
    reply = winter.replies(FRANCE, SIGNON + "BUILD A PAR\nSET WAIT\nBUILD F BRE\nSTATUS\nWAIVE\n")
    assert reply.first_line == "Orders complete."
    assert "France: Builds an army in Paris.\nFrance: Builds a fleet in Brest.\nFrance: Build waived." in reply.text


def test_waive_all_waives_what_the_builds_below_it_leave_also_if_it_was_kept(heron: DeskAtWork):
    centers = {"France": ["PAR", "MAR", "BRE"]}
    heron.lay("F1901M", units={"France": ["A SPA"], "Italy": ["A ROM"]}, centers=centers)
    heron.writes(FRANCE, f"{SIGNON}A SPA H\nPHASE W1901A\nWAIVE ALL\nBUILD A PAR")
    mails = heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    told = next(mail.text for mail in mails if "Pending Orders" in mail.subject)
    assert "Builds an army in Paris." in told and told.count("Build waived.") == 2 and "one too many" not in told


def test_a_later_letter_replaces_all_builds_of_the_earlier(winter: DeskAtWork):
    winter.replies(FRANCE, SIGNON + "BUILD A PAR\nBUILD F BRE\nWAIVE")
    reply = winter.replies(FRANCE, SIGNON + "BUILD A MAR")
    assert reply.first_line == "2 builds not ordered."
    assert "Paris" not in reply.text and "waived" not in reply.text


def test_of_too_many_builds_the_first_count(winter: DeskAtWork):
    reply = winter.replies(FRANCE, SIGNON + "BUILD A PAR\nBUILD F PAR\nWAIVE 2\nBUILD F BRE\nBUILD A SPA")
    assert reply.first_line == "3 lines refused. Orders complete."
    assert "You have 3 builds; this line is one too many." in reply.text
    assert "No fleet can be built in Paris: it is inland." in reply.text
    assert "Spain is not one of your home centers." in reply.text


def test_of_too_many_removals_the_first_count_and_one_unit_goes_once(winter: DeskAtWork):
    text = "SIGNON Gheron pwgermany\nREMOVE A MUN\nA MUN D\nD F KIE\nR A BER\n"
    reply = winter.replies("germany@example.org", text)
    assert reply.first_line == "2 lines refused. Orders complete."
    assert "An earlier line of this email already uses MUN." in reply.text
    assert "Germany: Removes the army in Munich.\nGermany: Removes the fleet in Kiel." in reply.text


def test_a_power_with_nothing_to_do_is_told_so(winter: DeskAtWork):
    reply = winter.replies("italy@example.org", "SIGNON Iheron pwitaly\nBUILD A ROM\nWAIVE")
    assert reply.first_line == "2 lines refused. You have nothing to order in W1901A."
    assert "You do not own Rome." in reply.text and "Italy: nothing to order in this phase." in reply.text


def test_what_nobody_ordered_is_waived_and_removed_and_the_results_say_so(winter: DeskAtWork):
    winter.replies(FRANCE, SIGNON + "BUILD A PAR")
    results = winter.ring(winter.now + timedelta(days=10))[0]
    assert "France:    Builds an army in Paris." in results.text
    assert "France:    2 unused builds pending." in results.text
    assert results.text.count("\nGermany:   Defaults, removing the ") == 2
    assert "Germany:    3 Supply centers,  3 Units:  Builds   0 units.\n" in results.text


SPAIN = "spain@example.org"
AS_SPAIN = "SIGNON Sswan pwspain\n"


@pytest.fixture
def spanish(desk: DeskAtWork) -> DeskAtWork:
    """Game swan in Winter 1763: Spain has won Portugal and Morocco and may build one unit, nobody else has to order."""
    desk.seat_all("swan", "ambition_empire")
    desk.lay(
        "W1763A",
        "swan",
        units={"Spain": ["F POR", "F MOR", "A MAD"], "France": ["A PAR"], "Neutral": ["F ALG"]},
        centers={"Spain": ["BRC", "MAD", "MOR", "POR"], "France": ["PAR"]},
    )
    return desk


def says(desk: DeskAtWork, *lines: str) -> Posted:
    return desk.replies(SPAIN, AS_SPAIN + "\n".join(lines))


def test_a_build_alone_is_not_all(spanish):
    reply = says(spanish, "BUILD F BRC")
    assert reply.first_line == "Your new home center is not named: write HOME and one of them."
    assert "    BUILD F BRC\n    HOME ...  // MOR or POR\n" in reply.text


def test_home_and_builds_come_in_letters_of_their_own(spanish):
    says(spanish, "BUILD F BRC")
    reply = says(spanish, "HOME POR")
    assert reply.first_line == "Orders complete."
    assert "Spain: Builds a fleet in Barcelona.\nSpain: Names Portugal as a home center." in reply.text
    reply = says(spanish, "BUILD A BRC")
    assert "Spain: Names Portugal as a home center." in reply.text and "Builds an army in Barcelona." in reply.text
    assert "Names Morocco" in says(spanish, "HOME MOR").text


def test_only_one_home_is_named_in_a_letter(spanish):
    reply = says(spanish, "HOME POR", "HOME MOR")
    assert reply.first_line == "1 line refused. 1 build not ordered."
    assert "An earlier line of this email already names a home center." in reply.text


def test_a_center_that_was_not_won_is_refused(spanish):
    reply = says(spanish, "HOME ALG", "BUILD F BRC")
    assert "Your new home center can be Morocco or Portugal, not Algiers." in reply.text


def test_the_reminder_asks_for_it_and_tells_the_default(spanish):
    says(spanish, "BUILD F BRC")
    mails = [mail for day in range(1, 8) for mail in spanish.ring(spanish.now + timedelta(hours=6 * day))]
    reminder = next(mail for mail in mails if "Reminder" in mail.subject)
    assert reminder.to == SPAIN
    assert "your new home center: HOME Morocco (MOR) or Portugal (POR); else it is Morocco" in reminder.text


def test_without_a_word_it_is_the_first_by_abbreviation_and_the_results_say_so(spanish):
    results = spanish.ring(spanish.now + timedelta(days=10))[-1]
    told = results.flat
    assert "Morocco is now a home center of Spain, the first by abbreviation, because none was named." in told
    assert "Spain: 1 unused build pending." in told


def test_it_is_a_build_site_from_then_on(spanish):
    says(spanish, "BUILD F BRC", "HOME POR")
    spanish.ring(spanish.now + timedelta(days=10))
    assert spanish.phase("swan").position["homes"] == {"Spain": ["POR"]}
    spanish.lay("W1764A", "swan", units={"Spain": ["A MAD", "F BRC"]})
    reply = says(spanish, "BUILD F POR", "BUILD F MOR")
    assert "Spain: Builds a fleet in Portugal." in reply.text
    assert "Morocco is not one of your home centers." in reply.text


def after_fall(desk: DeskAtWork, variant: str, owned: dict[str, int]) -> list[Posted]:
    """The mails after a Fall in which these powers own so many centers."""
    desk.seat_all("swan", variant)
    centers = sorted(load_variant(variant).centers)
    taken = {power: [centers.pop() for _ in range(number)] for power, number in owned.items()}
    units = {power: [f"A {next(filter(partial(inland, variant), own))}"] for power, own in taken.items()}
    desk.lay(f"F{desk.phase('swan').name[1:]}", "swan", units=units, centers=taken)
    desk.new_mails()
    return desk.ring(desk.now + timedelta(days=10))


def inland(variant: str, center: str) -> bool:
    return load_variant(variant).provinces[center].kind == "land"


@pytest.mark.parametrize(("variant", "enough"), [("1648", 18), ("ambition_empire", 15)])
def test_so_many_centers_win(desk, variant, enough):
    mails = after_fall(desk, variant, {"France": enough, "Spain": enough - 1})
    assert "\n\nFrance has won swan.\n\n" in mails[0].text
    assert {mail.subject.rpartition(" ")[2] for mail in mails} == {"Results", "France"}


@pytest.mark.parametrize(("variant", "enough"), [("1648", 18), ("ambition_empire", 15)])
def test_if_two_are_level_the_game_goes_on(desk, variant, enough):
    mails = after_fall(desk, variant, {"France": enough, "Spain": enough})
    assert not any("won" in mail.text for mail in mails)
    assert "The next phase of 'swan' will be" in mails[-1].text
