"""A master corrects: retreats and winters, the clock, what a rollback brings back, and who may do it."""

from datetime import timedelta

import pytest

from tests.commands.deskatwork import DeskAtWork

KIM, FAY = "kim@example.org", "france@example.org"


def rules(desk: DeskAtWork, *lines: str) -> str:
    return desk.replies(KIM, "\n".join(["SIGNON Mheron gm", *lines])).text


def test_everybody_and_observers_are_told_who_corrected_what(heron: DeskAtWork):
    heron.observes("otto@example.org", "OBSERVE heron")
    mails = heron.writes(KIM, "SIGNON Mheron gm\nCORRECT POSITION France: A PAR - PIC")
    told = [mail for mail in mails if mail.subject == "JUDG:heron - S1901M Position Corrected"]
    assert len({mail.to for mail in told}) == 9
    for mail in told:
        assert "The master has corrected the position before" in mail.text
        assert "France: Army Paris is in Picardy now." in mail.text
        assert "France:  Army Picardy." in mail.text and max(map(len, mail.text.splitlines())) <= 79


@pytest.mark.parametrize(("lines", "there"), [
    ("France: BEL", "No unit is there."),
    ("Nobody: PAR", "The unit there is the French Army in Paris."),
    ("France: STP", "The unit there is the Russian Fleet in St. Petersburg (south coast)."),
    ("Germany: PAR\nFrance: A PAR - PIC", "No unit is there."),
    ("England: A BEL\nFrance: BEL", "The unit there is the English Army in Belgium."),
])  # fmt: skip
def test_of_a_center_that_changes_hands_all_read_what_is_there(heron: DeskAtWork, lines: str, there: str):
    mails = heron.would_write(KIM, f"SIGNON Mheron gm\nCORRECT POSITION\n{lines}\nEND")
    assert all(f"). {there}" in mail.flat for mail in mails) and len(mails) == 9


def test_orders_that_stay_possible_stay_on_file_and_the_phase_waits_again(heron: DeskAtWork):
    for power, letter in (
        ("austria", "A"),
        ("england", "E"),
        ("france", "F"),
        ("germany", "G"),
        ("italy", "I"),
        ("russia", "R"),
        ("turkey", "T"),
    ):
        units = heron.phase().position["units"][power.title()]
        heron.writes(f"{power}@example.org", "\n".join([f"SIGNON {letter}heron pw{power}", *(f"{u} H" for u in units)]))
    assert heron.phase().due_at == heron.now + timedelta(minutes=10)
    rules(heron, "CORRECT POSITION France: A PAR - PIC")
    assert heron.phase().due_at == heron.phase().grace_ends_at
    heron.writes(FAY, "SIGNON Fheron pwfrance\nA PIC H")
    assert heron.phase().due_at == heron.now + timedelta(minutes=10)


def test_a_rollback_to_the_open_phase_takes_corrections_back_also_after_it_was_played(heron: DeskAtWork):
    start = heron.phase().position
    rules(heron, "CORRECT POSITION France: A PAR - PIC")
    rules(heron, "CORRECT POSITION Nobody: MAR", "PROCESS!")
    assert "A PIC" in heron.phase().position["units"]["France"]
    assert "has been rolled back to S1901M" in rules(heron, "ROLLBACK")
    assert "A PIC" in heron.phase().position["units"]["France"]
    assert "has been rolled back to S1901M" in rules(heron, "ROLLBACK S1901M")
    assert heron.phase().position == start
    assert "Nothing has been played yet" in rules(heron, "ROLLBACK")


def test_a_dislodged_unit_can_be_taken_off(heron: DeskAtWork):
    rules(heron, "CORRECT POSITION", "Germany: A MUN - BUR", "Germany: A RUH", "END")
    rules(
        heron,
        "CORRECT POSITION",
        "France: A GAS",
        "France: A PIC",
        "END",
        "CORRECT ORDERS",
        "France: A PAR - BUR",
        "France: A GAS S A PAR - BUR",
        "END",
        "PROCESS!",
    )
    assert heron.phase().name == "S1901R"
    assert "A dislodged unit can only be removed" in rules(heron, "CORRECT POSITION Germany: dislodged A BUR")
    assert "No Army Munich is dislodged." in rules(heron, "CORRECT POSITION Nobody: dislodged A MUN")
    removed = rules(heron, "CORRECT POSITION Nobody: dislodged A BUR")
    assert "Germany: the dislodged Army Burgundy has been removed." in removed
    assert "dislodged" not in heron.phase().position
    # Nobody has anything to retreat any more, so the phase does not wait for its deadline.
    due = heron.phase().due_at
    assert due and due < heron.phase().deadline_at


def test_in_a_winter_builds_beyond_what_is_due_go_off_the_file(heron: DeskAtWork):
    rules(heron, "CORRECT POSITION", "France: A PAR - SPA", "France: A MAR - POR", "END", "PROCESS!")
    rules(heron, "PROCESS!")
    assert heron.phase().name == "W1901A"
    heron.writes(FAY, "SIGNON Fheron pwfrance\nBUILD A PAR\nBUILD A MAR\n")
    mails = heron.writes(KIM, "SIGNON Mheron gm\nCORRECT POSITION Nobody: POR")
    (told,) = [mail for mail in mails if mail.to == FAY]
    assert "> BUILD A MAR\n  You have 1 build. This line is one too many." in told.text
    assert "Builds an army in Paris." in told.text


def test_players_correct_nothing_even_without_a_master(heron: DeskAtWork):
    rules(heron, "SET UNMODERATED", "EJECT kim@example.org")
    lines = "CORRECT POSITION France: BEL\nBORDER REMOVE ARMY PAR - BUR\nSET DEADLINE 2026-05-20 21:00"
    text = f"SIGNON Fheron pwfrance\n{lines}"
    said = heron.replies(FAY, text).text
    for words in ("CORRECT POSITION", "BORDER"):
        assert f"{words} is for a master, and heron has none." in said
    assert "The deadline of S1901M" in said


def test_a_correction_sent_before_the_phase_opened_is_not_made(heron: DeskAtWork):
    sent = heron.now
    rules(heron, "PROCESS!")
    late = heron.replies(KIM, "SIGNON Mheron gm\nCORRECT POSITION France: A PAR - PIC", received_at=sent).text
    assert "F1901M opened after you sent this email" in late
    assert "A PAR" in heron.phase().position["units"]["France"]


def test_orders_given_by_a_master_stay_secret_but_for_their_player(heron: DeskAtWork):
    mails = heron.writes(KIM, "SIGNON Mheron gm\nCORRECT ORDERS France: A PAR - BUR")
    notices = {mail.to: mail.text for mail in mails if "Orders Corrected" in mail.subject}
    assert len(notices) == 8
    assert "Army Paris -> Burgundy." in notices.pop(FAY)
    assert not [text for text in notices.values() if "Burgundy" in text]


def test_all_others_are_the_units_without_an_order_on_an_earlier_line(heron: DeskAtWork):
    """As in a player's own email; the units with orders on file, too, are not among the others."""
    heron.writes(FAY, "SIGNON Fheron pwfrance\nF BRE - MAO")
    rules(heron, "CORRECT ORDERS", "France: A PAR - BUR", "France: all others hold", "END")
    said = heron.replies(FAY, "SIGNON Fheron pwfrance\nSTATUS").flat
    assert "Army Paris -> Burgundy." in said and "Army Marseilles HOLD." in said
    assert "Fleet Brest -> Mid-Atlantic Ocean." in said
