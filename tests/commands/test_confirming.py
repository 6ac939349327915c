"""Confirmed registration: who needs none, what becomes of tokens and of letters that wait, and crashes in between."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import SQLModel, select

from judge.games.life import forming
from judge.store import inbox, outbox
from judge.store.engine import reading, transaction
from judge.store.people import person_at
from judge.store.tables import LetterRow, Mail
from tests.commands.deskatwork import DeskAtWork

JO = "jo@example.org"
REGISTER = "REGISTER\nName: Jo Roe\nEND\n"
VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}


@pytest.fixture
def careful(tmp_path: Path) -> DeskAtWork:
    """A judge that confirms registrations, with a game that is forming."""
    settings = {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes", "JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"}
    desk = DeskAtWork(tmp_path, "", settings)
    create = "REGISTER\nName: Kim\nEND\nCREATE ?heron gm"
    desk.goes_on("heron forms", lambda: desk.writes("kim@example.org", create, headers=VERIFIED))
    return desk


def token_in(text: str) -> str:
    found = re.search(r"CONFIRM (\w{12})", text)
    assert found
    return found[1]


def is_registered(desk: DeskAtWork, address: str = JO) -> bool:
    with reading(desk.engine) as session:
        person = person_at(session, address)
        return person is not None and person.registered_at is not None


def kept(desk: DeskAtWork) -> str:
    """Every value of every row."""
    with reading(desk.engine) as session:
        return "\n".join(repr(tuple(row)) for table in SQLModel.metadata.sorted_tables
                         for row in session.execute(table.select()))  # fmt: skip


def test_a_letter_that_the_mail_server_verified_needs_no_confirmation(careful: DeskAtWork):
    reply = careful.replies(JO, REGISTER + "SIGNON ?heron sesame", headers=VERIFIED)
    assert reply.first_line == "You are registered, Jo Roe." and "You are in heron." in reply.text


def test_after_two_days_the_token_is_too_old_and_the_password_is_gone(careful: DeskAtWork):
    word = token_in(careful.replies(JO, REGISTER + "SIGNON ?heron Xyzzy-sesame").text)
    assert "Xyzzy" in kept(careful)
    careful.now += timedelta(days=2, minutes=1)
    with transaction(careful.engine) as session:
        careful.desk.forget_unconfirmed(session, careful.now)
    assert "Xyzzy" not in kept(careful)
    assert "That code is not valid" in careful.replies(JO, f"CONFIRM {word}").text
    assert not is_registered(careful)


def test_a_letter_that_waits_less_long_is_not_forgotten(careful: DeskAtWork):
    word = token_in(careful.replies(JO, REGISTER + "SIGNON ?heron sesame").text)
    careful.now += timedelta(days=1)
    with transaction(careful.engine) as session:
        careful.desk.forget_unconfirmed(session, careful.now)
    assert "You are in heron." in careful.replies(JO, f"CONFIRM {word}").text


def test_passwords_and_tokens_are_masked_once_all_is_done(careful: DeskAtWork):
    mail = careful.replies(JO, REGISTER + "SIGNON ?heron Xyzzy-sesame")
    careful.writes(JO, "yes", subject=mail.subject)
    with transaction(careful.engine) as session:
        for row in session.exec(select(Mail)).all():
            outbox.sent(session, row, now=careful.now)
    everything = kept(careful)
    assert "Xyzzy" not in everything
    with reading(careful.engine) as session:
        assert not [row.subject for row in session.exec(select(Mail)) if token_in(mail.text) in row.subject]
        assert not [row.id for row in session.exec(select(Mail)) if token_in(mail.text).encode() in row.raw]
        assert {row.state for row in session.exec(select(LetterRow))} == {"done"}


def test_a_player_who_writes_from_elsewhere_does_not_see_the_token_of_that_letter(careful: DeskAtWork):
    """The copy for the address of record says nothing of who else wishes to be registered."""
    careful.writes("kim@example.org", "SIGNON ?heron mine", headers=VERIFIED)
    mails = careful.writes(JO, REGISTER + "SIGNON ?heron other\nSIGNON Mheron gm\nSET COMMENT x")
    copy = next(mail for mail in mails if mail.to == "kim@example.org")
    assert "CONFIRM" not in copy.subject + copy.text


def test_a_crash_while_confirming_leaves_all_as_it_was(careful: DeskAtWork, monkeypatch: pytest.MonkeyPatch):
    mail = careful.replies(JO, REGISTER + "SIGNON ?heron sesame")

    def breaks(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    with monkeypatch.context() as broken:
        broken.setattr(forming, "missing_players", breaks)
        with pytest.raises(RuntimeError):
            careful.writes(JO, "", subject=mail.subject)
    assert not is_registered(careful)
    careful.handle_all()
    (reply,) = [new for new in careful.new_mails() if new.to == JO]
    assert "You are registered, Jo Roe.\nYou are in heron." in reply.text


def test_one_request_a_day_goes_to_an_address_however_often_somebody_writes_it(careful: DeskAtWork):
    """Who is asked again is told of the mail that waits; it takes the seat that was asked for with it, once."""
    first = careful.replies(JO, REGISTER + "SIGNON ?heron sesame")
    again = careful.replies(JO, REGISTER + "SIGNON ?heron sesame", subject="again")
    assert "CONFIRM" not in again.subject + again.text
    assert again.first_line.startswith("The judge sent an email to jo@example.org on Mon May 4 2026 10:02:00")
    assert "Confirm your registration first, then send this again." in again.text
    assert "after Tue May 5 2026 10:02:00 +0000" in again.flat
    assert "You are in heron. 6 more" in careful.replies(JO, "", subject=first.subject).text
    assert not is_registered(careful, "al@example.org")
    assert token_in(careful.replies("al@example.org", REGISTER).text)


def test_what_an_asked_stranger_asks_beside_is_answered(careful: DeskAtWork):
    careful.writes(JO, REGISTER)
    answer = careful.replies(JO, f"{REGISTER}LIST")
    assert "1 game on this judge." in answer.text and "CONFIRM" not in answer.text


def test_a_day_later_there_is_another_request_and_both_count_once(careful: DeskAtWork):
    first = careful.replies(JO, REGISTER + "SIGNON ?heron sesame")
    careful.now += timedelta(days=1, minutes=-2)
    assert "CONFIRM" not in careful.replies(JO, REGISTER).text
    second = careful.replies(JO, REGISTER + "SIGNON ?heron sesame", subject="again")
    assert "You are in heron. 6 more" in careful.replies(JO, "", subject=second.subject).text
    assert "You are already in heron." in careful.replies(JO, "", subject=first.subject).text


def test_what_waits_is_no_letter_that_waits_for_its_turn(careful: DeskAtWork):
    careful.writes(JO, REGISTER + "SIGNON ?heron sesame")
    with reading(careful.engine) as session:
        assert inbox.waiting(session) == 0 and not inbox.letters(session, "shunted")


def test_who_is_known_and_verified_changes_a_registration_without_a_token(careful: DeskAtWork):
    careful.writes(JO, REGISTER, headers=VERIFIED)
    answer = careful.replies(JO, "REGISTER\nName: Jo Bloggs\nEND", headers=VERIFIED)
    assert answer.first_line.startswith("Your registration has been changed")
