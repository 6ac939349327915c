"""Winter by letter: what counts when too many builds or removals are ordered, or too few, and what replaces what."""

from datetime import timedelta

import pytest

from tests.commands.deskatwork import DeskAtWork

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"


@pytest.fixture
def winter(heron: DeskAtWork) -> DeskAtWork:
    """Game heron in Winter 1901: France has three builds, Germany two removals, nobody else a unit."""
    heron.lay("W1901A", units={"France": ["A BUR"], "Germany": ["A MUN", "F KIE", "A BER", "A RUH", "F HOL"]},
              centers={"France": ["PAR", "MAR", "BRE", "SPA"], "Germany": ["MUN", "KIE", "BER"]})
    return heron


def test_builds_above_and_below_a_command_are_one_letters_builds(winter: DeskAtWork):
    reply = winter.replies(FRANCE, SIGNON + "BUILD A PAR\nSET WAIT\nBUILD F BRE\nSTATUS\nWAIVE\n")
    assert reply.first_line == "Orders complete."
    assert "France: Builds an army in Paris.\nFrance: Builds a fleet in Brest.\nFrance: Build waived." in reply.text


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
