"""The letters to be completed that stand at the end of the judge's mails: whose, with what, and what comes back."""

from datetime import timedelta
from typing import Any

from tests.commands.deskatwork import DeskAtWork, Posted

FAY, GUS, KIM = "france@example.org", "germany@example.org", "kim@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
BLANK = "    SIGNON Fheron <your password>\n    PHASE {phase}\n    A MAR ...\n    A PAR ...\n    F BRE ...\n    SIGNOFF"
RETREAT = {
    "units": {"France": ["A BUR"], "Germany": ["A MUN", "A PAR"]},
    "dislodged": {"France": [{"unit": "A PAR", "from": "PIC", "by_convoy": False}]},
}
WINTER = {
    "units": {"France": ["A BUR"], "Germany": ["A MUN", "A BER", "F KIE", "A RUH"]},
    "centers": {"France": ["PAR", "MAR", "BRE"], "Germany": ["MUN", "KIE", "BER"]},
}


def begin_at(desk: DeskAtWork, name: str, position: dict[str, Any]) -> None:
    """Game heron is in the phase `name`, from this position on."""
    desk.seat_seven()
    desk.lay(name, **position)


def form_in(mail: Posted, letter: str = "F") -> list[str]:
    """The lines between PHASE and SIGNOFF of the form in a mail."""
    lines = [line.strip() for line in mail.text.splitlines()]
    begin = lines.index(f"SIGNON {letter}heron <your password>") + 1
    assert lines[begin].startswith("PHASE ")
    return lines[begin + 1 : lines.index("SIGNOFF")]


def test_the_start_mail_and_the_results_bring_each_player_their_own_form(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    mails: list[Posted] = []
    for name in ("ann", "bob", "cat", "dan", "eve", "fox", "gus"):
        mails = desk.writes(f"{name}@example.org", f"REGISTER\nName: {name}\nEND\nSIGNON ?heron pw{name}")
    start = {mail.to: mail for mail in mails if "Game Starting" in mail.subject}
    [fay] = [address for address, mail in start.items() if "selected as France" in mail.text]
    [rex] = [address for address, mail in start.items() if "selected as Russia" in mail.text]
    assert BLANK.format(phase="S1901M") in start[fay].text
    results = {mail.to: mail for mail in desk.ring(desk.now + timedelta(days=9)) if "Results" in mail.subject}
    assert results[fay].text.rstrip().endswith(BLANK.format(phase="F1901M"))
    assert form_in(results[rex], "R") == ["A MOS ...", "A WAR ...", "F SEV ...", "F STP/SC ..."]
    for mail in (start[KIM], results[KIM]):
        assert "SIGNOFF" not in mail.text


def test_a_reply_that_concerns_no_power_has_no_form(heron: DeskAtWork):
    for sender, text in ((KIM, "SIGNON Mheron gm\nSTATUS"), (FAY, "STATUS heron"), ("al@example.org", "OBSERVE heron")):
        assert "SIGNOFF" not in heron.replies(sender, text).text


def test_a_master_who_acts_for_a_power_gets_no_form_to_sign_on_with(heron: DeskAtWork):
    assert "SIGNOFF" not in heron.replies(KIM, "SIGNON Mheron gm\nBECOME France\nA PAR - BUR").text


def test_there_is_no_form_where_nothing_can_be_ordered(desk: DeskAtWork):
    begin_at(desk, "W1901A", WINTER)
    assert "SIGNOFF" not in desk.replies("italy@example.org", "SIGNON Iheron pwitaly").text
    desk.writes(KIM, "SIGNON Mheron gm\nPAUSE")
    assert "SIGNOFF" not in desk.replies(FAY, SIGNON).text


def test_in_retreats_the_form_says_where_the_unit_may_go(desk: DeskAtWork):
    begin_at(desk, "S1901R", RETREAT)
    assert form_in(desk.replies(FAY, SIGNON)) == ["A PAR ...  // - BRE, - GAS or D"]
    reply = desk.replies(FAY, SIGNON + "A PAR ...  // - BRE, - GAS or D")
    assert reply.first_line == "1 unit without orders: A PAR."
    assert form_in(desk.replies(FAY, SIGNON + "A PAR - GAS // - BRE, - GAS or D")) == [
        "A PAR - GAS  // - BRE, - GAS or D"
    ]


def test_in_winter_the_form_holds_what_is_on_file_since_a_letter_replaces_it_all(desk: DeskAtWork):
    begin_at(desk, "W1901A", WINTER)
    assert form_in(desk.replies(FAY, SIGNON)) == ["BUILD ...  // in BRE, MAR, PAR; or WAIVE", "BUILD ..."]
    reply = desk.replies(FAY, SIGNON + "BUILD A PAR\nBUILD ...")
    assert reply.first_line == "1 build not ordered."
    assert form_in(reply) == ["BUILD A PAR", "BUILD ...  // in BRE, MAR; or WAIVE"]
    assert form_in(desk.replies(GUS, "SIGNON Gheron pwgermany"), "G") == ["REMOVE ...  // A BER, A MUN, A RUH, F KIE"]
    phase = desk.phase()
    moment = phase.notice_at
    reminders = [mail for mail in desk.ring(moment or desk.now) if mail.to == FAY]
    assert form_in(reminders[0]) == ["BUILD A PAR", "BUILD ...  // in BRE, MAR; or WAIVE"]


def test_a_reminder_lists_where_units_can_be_built(desk: DeskAtWork):
    begin_at(desk, "W1901A", WINTER)
    reminders = [mail for mail in desk.ring(desk.phase().notice_at or desk.now) if mail.to == FAY]
    assert "2 builds (in Brest, Marseilles or Paris), or WAIVE" in reminders[0].flat


def test_forms_of_two_games_make_one_letter(heron: DeskAtWork):
    heron.writes(FAY, "CREATE ?gull gm")
    reply = heron.replies(FAY, SIGNON + "A PAR - BUR\nSIGNON Fheron pwfrance\nF BRE - MAO\nSIGNON Mgull gm")
    assert reply.text.count("SIGNOFF") == 1
    assert form_in(reply) == ["A MAR ...", "A PAR - BUR", "F BRE - MAO"]


def test_a_form_without_a_password_alone_is_answered_with_what_is_missing(heron: DeskAtWork):
    for left_open in ("<your password>", "...", "…", "<a password of your own>      (to play France)"):
        reply = heron.replies(FAY, f"SIGNON Fheron {left_open}\nA PAR - BUR\n")
        assert reply.first_line.startswith("Your password is missing: put it in place of <your password>")
        assert "refused" not in reply.text
    assert form_in(heron.replies(FAY, SIGNON)) == ["A MAR ...", "A PAR ...", "F BRE ..."]
