"""Letters of a player without a password that come again: whoever has a copy can send a signed letter once more."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.people.test_passwordless import CHOOSE, FRANCE, GERMANY, KIM, SERVER, VERIFIED, orders

SIGNED = "v=1; a=rsa-sha256; d=example.org; s=key; h=from:to:subject:date:message-id; bh=abc; b=def"
# After the games of these tests have begun.
START = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
PASSWORD = "Write the password after the SIGNON."


@pytest.fixture
def heron(tmp_path: Path) -> DeskAtWork:
    """A judge whose mail server checks who wrote a letter; France has chosen to play without the password."""
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_seven()
    desk.goes_on("France plays without the password", lambda: signed(desk, CHOOSE, minute=1))
    return desk


def signed(desk: DeskAtWork, text: str, *, minute: int, **fields: str) -> str:
    """The letter's answer to France, who wrote it so many minutes after START; `fields` replace fields, and what begins
    with a line of its own is put above them.
    """
    head = {
        "Authentication-Results": VERIFIED["Authentication-Results"], "DKIM-Signature": SIGNED, "From": FRANCE,
        "To": desk.settings.address, "Subject": "orders", "Message-ID": f"<{minute}.{len(text)}@example.org>",
        "Date": format_datetime(START + timedelta(minutes=minute)),
    }  # fmt: skip
    desk.now = max(desk.now, START + timedelta(minutes=minute))
    above = fields.pop("above", "")
    head |= {name.replace("_", "-"): value for name, value in fields.items()}
    lines = "".join(f"{name}: {value}\n" for name, value in head.items() if value)
    return answer(desk, f"{above}{lines}\n{text}\n")


def answer(desk: DeskAtWork, raw: str) -> str:
    mails: list[Posted] = desk.receives(raw.replace("\n", "\r\n").encode())
    return " ".join(mail.flat for mail in mails if mail.to == FRANCE and mail.answers)


def test_the_same_letter_counts_once_whatever_is_changed_around_it(heron: DeskAtWork):
    """Also with blanks that a relay has changed, or with the Message-ID alone."""
    text = "SIGNON Fheron\nA PAR - BUR"
    signed(heron, text, minute=5)
    signed(heron, "SIGNON Fheron\nA PAR - PIC", minute=15)
    for again, changed in (
        (text, {"Subject": "again"}), (text, {"Message_ID": "<other@example.org>"}), (text, {"Message_ID": ""}),
        (text, {"Message_ID": "<third@example.org>", "Content_Type": "text/plain; charset=utf-8"}),
        ("SIGNON  Fheron \nA PAR  - BUR\n\n\n", {"Message_ID": "<fourth@example.org>"}),
        ("SIGNON Fheron\nCLEAR", {"Message_ID": f"<5.{len(text)}@example.org>"}),
    ):  # fmt: skip
        told = signed(heron, again, minute=5, **changed)
        assert "This email has already taken effect. On file for S1901M: A PAR - PIC." in told and PASSWORD in told
    assert orders(heron) == ["A PAR - PIC"]


def test_the_same_words_written_later_count(heron: DeskAtWork):
    for minute in (5, 15, 25):
        assert "WAIT is set" in signed(heron, "SIGNON Fheron\nSET WAIT", minute=minute)


def test_what_is_older_by_an_hour_than_what_counted_changes_nothing(heron: DeskAtWork):
    signed(heron, "SIGNON Fheron\nA PAR - BUR", minute=90)
    told = signed(heron, "SIGNON Fheron\nCLEAR", minute=20)
    assert "older than one that has already taken effect. On file for S1901M: A PAR - BUR." in told and PASSWORD in told
    signed(heron, "SIGNON Fheron\nA MAR H", minute=45)
    assert orders(heron) == ["A MAR H", "A PAR - BUR"]


@pytest.mark.parametrize(("late", "counts"), [(60, True), (61, False)])
def test_an_hour_exactly_is_not_older(heron: DeskAtWork, late: int, counts: bool):
    signed(heron, "SIGNON Fheron\nA PAR - BUR", minute=late + 5)
    signed(heron, "SIGNON Fheron\nA MAR H", minute=5)
    assert ("A MAR H" in orders(heron)) == counts


@pytest.mark.parametrize(("more", "counts"), [(0, True), (1, False)])
def test_a_letter_may_be_three_days_on_its_way(heron: DeskAtWork, more: int, counts: bool):
    heron.now = START + timedelta(days=3, minutes=4, seconds=more)  # it comes a minute later
    signed(heron, "SIGNON Fheron\nA PAR - BUR", minute=5)
    assert (orders(heron) == ["A PAR - BUR"]) == counts


def test_a_clock_that_is_a_year_fast_locks_nobody_out(heron: DeskAtWork):
    signed(heron, "SIGNON Fheron\nA PAR - BUR", minute=5, Date="Tue, 04 May 2027 09:05:00 +0000")
    signed(heron, "SIGNON Fheron\nA PAR - PIC", minute=10)
    assert orders(heron) == ["A PAR - PIC"]


def test_with_the_password_a_letter_counts_however_old(heron: DeskAtWork):
    signed(heron, "SIGNON Fheron\nA PAR - BUR", minute=90)
    signed(heron, "SIGNON Fheron pwfrance\nA PAR - PIC", minute=3)
    assert orders(heron) == ["A PAR - PIC"]


@pytest.mark.parametrize(
    "field",
    [
        "Message-ID",
        "Subject",
        "Date",
        "Content-Type",
        "From",
        "To",
        "In-Reply-To",
        "References",
        "MIME-Version",
        "Content-Transfer-Encoding",
    ],
)
def test_a_field_that_decides_stands_once(heron: DeskAtWork, field: str):
    own = {
        "Content_Type": "text/plain",
        "In_Reply_To": "<x@y>",
        "References": "<x@y>",
        "MIME_Version": "1.0",
        "Content_Transfer_Encoding": "7bit",
    }
    value = {
        "Date": "Mon, 04 May 2026 09:30:00 +0000",
        "Content-Type": "text/html",
        "From": FRANCE,
        "MIME-Version": "1.0",
        "Content-Transfer-Encoding": "8bit",
    }.get(field, "<new@example.org>")
    told = signed(heron, "SIGNON Fheron\nA PAR - BUR", minute=5, above=f"{field}: {value}\n", **own)
    assert orders(heron) == [] and (PASSWORD in told or field in ("From", "To"))


@pytest.mark.parametrize("signature", [
    SIGNED.replace("h=", "l=20; h="), SIGNED.replace(":date", ""), SIGNED.replace("to:", ""),
    SIGNED.replace("d=example.org", "d=mail.example.org").replace(":date", ""),
    f"{SIGNED.replace('h=', 'L = 20; h=')}",
])  # fmt: skip
def test_a_signature_that_leaves_something_open_does_not_vouch(heron: DeskAtWork, signature: str):
    told = signed(heron, "SIGNON Fheron\nA PAR - BUR", minute=5, DKIM_Signature=signature)
    assert "The signature of your mail provider" in told and PASSWORD in told and orders(heron) == []


def test_the_signature_of_a_list_says_nothing_against_a_letter(heron: DeskAtWork):
    of_list = "v=1; d=lists.example.net; l=20; h=from; b=x"
    signed(heron, "SIGNON Fheron\nA PAR - BUR", minute=5, above=f"DKIM-Signature: {of_list}\n")
    assert orders(heron) == ["A PAR - BUR"]


def test_a_reply_without_a_signon_counts_once_too(heron: DeskAtWork):
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    about = [mail for mail in heron.all_mails() if mail.to == FRANCE][-1].message["Message-ID"]
    for minute, text, subject in ((65, "A PAR - BUR", ""), (75, "A PAR - PIC", ""), (65, "A PAR - BUR", "again")):
        told = signed(heron, text, minute=minute, In_Reply_To=about, Message_ID="", Subject=subject)
    assert "Send it again with SIGNON Fheron <password> above your lines." in told


def test_press_that_was_answered_is_not_carried_again(heron: DeskAtWork):
    heron.writes(GERMANY, "SIGNON Gheron pwgermany\nPRESS TO FRANCE\nPeace?\nENDPRESS")
    about = [mail for mail in heron.all_mails() if mail.to == FRANCE][-1].message["Message-ID"]
    signed(heron, "Peace it is.", minute=5, In_Reply_To=about)
    told = signed(heron, "Peace it is.", minute=5, In_Reply_To=about, Message_ID="<x@example.org>")
    sent = [mail for mail in heron.all_mails() if mail.to == GERMANY and "Peace it is." in mail.text]
    assert len(sent) == 1 and "This email has already taken effect." in told


def test_a_form_names_its_phase_so_that_it_does_nothing_in_the_next(heron: DeskAtWork):
    shown = signed(heron, "SIGNON Fheron\nA PAR - BUR", minute=5)
    assert "SIGNON Fheron PHASE S1901M" in shown
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    told = signed(heron, "SIGNON Fheron\nPHASE S1901M\nA BUR - MUN\nSET WAIT\nSIGNOFF", minute=80)
    assert "S1901M is over" in told.split("PHASE")[0] + told and orders(heron) == []
    assert "WAIT is set" not in told
