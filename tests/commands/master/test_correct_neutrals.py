"""A master orders an armed neutral: it overrides the bids, with the checks and answers of any correction."""

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import table

KIM = "kim@example.org"


def rules(desk: DeskAtWork, *lines: str) -> str:
    return desk.replies(KIM, "\n".join(["SIGNON Mswan gm", *lines])).flat


FRANCE, SIGNON = "france@example.org", "SIGNON Fswan pwfrance\n"
FREE = "The master has ordered this neutral, so your points for it are free again."


def test_it_counts_in_place_of_the_bids(swan):
    swan.writes(FRANCE, SIGNON + "DP 2: A SWI H\nDP 1: F VEN H\nA MAR - SAV")
    mails = swan.writes(KIM, "SIGNON Mswan gm\nCORRECT ORDERS Neutral: A SWI S A MAR - SAV")
    (said,) = [mail.flat for mail in mails if mail.answers]
    assert said.startswith("The orders of neutrals (Switzerland) for S1649M have been changed. All players have been ")
    told = {mail.to: mail for mail in mails if FREE in mail.flat}
    assert told.keys() == {FRANCE} and FREE in told[FRANCE].page
    assert "> DP 2: A SWI H" in told[FRANCE].text and "DP: 1 of 6 used." in told[FRANCE].text
    assert "Switzerland: Army Switzerland SUPPORT French Army Marseille -> Savoy." in rules(swan, "PREDICT")
    mails = swan.writes(KIM, "SIGNON Mswan gm\nPROCESS!")
    (results,) = [mail.text for mail in mails if mail.to == "france@example.org" and "Results" in mail.subject]
    assert "Army Switzerland SUPPORT French Army Marseille -> Savoy." in results
    assert "DP 2" not in results


def test_no_one_can_bid_for_it_until_it_is_taken_back(swan):
    rules(swan, "CORRECT ORDERS Neutral: A SWI H")
    refused = swan.replies(FRANCE, SIGNON + "DP 2: A SWI S A MAR - SAV\nDP 1: F VEN H").flat
    assert "The master has ordered Switzerland in this phase, so no one can bid for it." in refused
    assert "DP: 1 of 6 used." in refused
    assert "Neutral: Army Switzerland HOLD." in rules(swan, "STATUS").partition("On file:")[2]
    assert "Army Switzerland HOLD" not in swan.replies(FRANCE, f"{SIGNON}STATUS").text
    assert "neutrals (Switzerland) for" in rules(swan, "CORRECT ORDERS Neutral: CLEAR")
    assert "DP: 3 of 6 used." in swan.replies(FRANCE, SIGNON + "DP 2: A SWI S A MAR - SAV").flat


def test_everybody_is_told_that_it_was_done_and_nobody_what(swan):
    mails = swan.writes(KIM, "SIGNON Mswan gm\nCORRECT ORDERS\nNeutral: A SWI H\nFrance: A PAR H\nEND")
    told = {mail.to: mail.flat for mail in mails if "Orders Corrected" in mail.subject}
    assert len(told) == 10
    changed = "changed orders of France and neutrals (Switzerland) for S1649M in swan"
    assert all(changed in text and "Army Switzerland" not in text for text in told.values())
    assert [to for to, text in told.items() if "Army Paris HOLD." in text] == ["france@example.org"]


def test_it_can_be_replaced_and_taken_back(swan):
    rules(swan, "CORRECT ORDERS neutral: A SWI S A MAR - SAV; A SWA H")
    rules(swan, "CORRECT ORDERS Neutral: A SWI S A SWA")
    assert "SUPPORT Army Swabia" in rules(swan, "PREDICT")
    assert "The orders of neutrals (Switzerland) for" in rules(swan, "CORRECT ORDERS Neutral: CLEAR A SWI")
    assert "SUPPORT Army Swabia" not in rules(swan, "PREDICT")
    assert "Neutral has no order for A SWI on file." in rules(swan, "CORRECT ORDERS Neutral: CLEAR A SWI")
    assert "The orders of neutrals (Swabia) for" in rules(swan, "CORRECT ORDERS Neutral: CLEAR")
    assert "Neutral has no orders on file." in rules(swan, "CORRECT ORDERS Neutral: CLEAR")


@pytest.mark.parametrize(
    ("order", "why"),
    table("""
        A SWI - SAV         => Army Switzerland is neutral: it can only hold or support.
        A PAR H             => Army Paris is French, not a neutral.
        A LUX H             => There is no neutral unit in Luxembourg.
        A SWI S A SWA - SAV => Army Swabia is neutral: it never moves.
        A SWI S A PAR - BRE => cannot reach Brest to support there.
        nonsense            => "nonsense" is not a province."""),
)
def test_what_a_neutral_cannot_do_is_refused_and_undoes_the_rest(swan, order, why):
    said = rules(swan, "CORRECT ORDERS", "Neutral: A SWA H", f"Neutral: {order}", "END")
    assert why in said and "so nothing was changed." in said
    assert not [mail for mail in swan.new_mails() if mail.to != KIM]
    assert "All of that is already on file" not in rules(swan, "CORRECT ORDERS Neutral: A SWA H")


def test_a_corrected_position_takes_it_off_the_file(swan):
    rules(swan, "CORRECT ORDERS Neutral: A SWI H")
    assert "Dropped, because they are no longer possible: 1 order of neutrals." in rules(
        swan, "CORRECT POSITION Nobody: A SWI"
    )


def test_neutrals_have_nothing_to_order_but_moves(swan):
    rules(swan, "CORRECT POSITION Nobody: A PAR", "PROCESS!")
    rules(swan, "PROCESS!")
    assert "Deadline: W1649A" in rules(swan, "STATUS")
    said = rules(swan, "CORRECT ORDERS Neutral: A SWI H")
    assert "Neutrals can only be ordered in movement phases. Nothing was changed." in said


def test_where_there_are_no_neutrals_there_is_nobody_of_that_name(desk):
    desk.seat_all("swan", "standard")
    assert '"Neutral" is not a power of Standard Diplomacy.' in rules(desk, "CORRECT ORDERS Neutral: A BEL H")
