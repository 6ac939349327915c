"""Letters that might stall, crash or betray the judge: each is answered, and nothing of it goes where it should not."""

from pathlib import Path

import pytest
from sqlmodel import Session, col, select

from judge.store.engine import transaction
from judge.store.games import game_named
from judge.store.tables import LetterRow, Mail
from tests.commands.deskatwork import DeskAtWork

FRANCE = "france@example.org"
KIM = "Kim Doe <kim@example.org>"
FORM = "REGISTER\nName: Kim Doe\nEND\n"


def test_one_password_for_several_seats_is_no_riddle(desk: DeskAtWork):
    """The master who plays too signs on twice in a letter, often with one password."""
    reply = desk.replies(KIM, FORM + "CREATE ?heron gm\nSIGNON ?heron gm\nCREATE ?egret other\nCREATE ?crane third")
    assert "heron has been created" in reply.text and "You are in heron. 6 more players needed." in reply.text
    assert "egret has been created" in reply.text and "crane has been created" in reply.text


def test_a_stranger_refused_in_one_game_may_observe_another(heron: DeskAtWork):
    heron.writes(KIM, "CREATE ?egret gm")
    with transaction(heron.engine) as session:
        _finish(session, "heron")
    reply = heron.replies("jo@example.net", "OBSERVE heron\nOBSERVE egret\n")
    assert "heron has ended." in reply.text
    reply = heron.replies("jo@example.net", "", subject=reply.subject)
    assert "You are now observing egret. Its results will be sent to jo@example.net." in reply.text


def test_a_generated_password_is_masked_also_when_another_block_was_refused(desk: DeskAtWork):
    """The outbox keeps the bytes of what was sent, and the password in them only until then."""
    text = desk.replies(KIM, FORM + "CREATE ?heron\nCREATE ?heron\nSIGNON Fnowhere pw\n").text
    password = text.partition("Your password is ")[2].partition(":")[0]
    with transaction(desk.engine) as session:
        (mail,) = session.exec(select(Mail)).all()
        assert len(password) == 12 and mail.secret == password


def test_the_player_of_record_sees_only_what_concerns_that_seat(heron: DeskAtWork):
    """Who signs on for two people in one letter shows neither the orders of the other."""
    text = "SIGNON Fheron pwfrance\nA PAR - BUR\nSIGNON Gheron pwgermany\nA MUN - RUH\n"
    mails = {mail.to: mail.text for mail in heron.writes("jo@example.net", text)}
    assert sorted(mails) == [FRANCE, "germany@example.org", "jo@example.net"]
    assert "Burgundy" in mails[FRANCE] and "Ruhr" not in mails[FRANCE]
    assert "Ruhr" in mails["germany@example.org"] and "Burgundy" not in mails["germany@example.org"]
    assert "Ruhr" in mails["jo@example.net"] and "Burgundy" in mails["jo@example.net"]


def test_a_thousand_bad_lines_get_ten_answers(heron: DeskAtWork):
    """Also when all of them are the same."""
    reply = heron.replies(FRANCE, "SIGNON Fheron pwfrance\n" + "A PAR - LOM\n" * 1000)
    assert reply.text.count("> A PAR - LOM") == 10
    assert "(990 more remarks are left out.)" in reply.text


def test_orders_below_a_miswritten_sign_on_do_not_strike_the_game_above(heron: DeskAtWork):
    heron.seat_seven("egret")
    heron.new_mails()
    text = "SIGNON Fheron pwfrance\nA PAR - BUR\nSIGNON Fegret pwfrance please\nA PAR - PIC\n"
    reply = heron.replies(FRANCE, text)
    assert "Army Paris -> Burgundy." in reply.text and "Picardy" not in reply.text
    assert "> SIGNON Fegret ****\n  Write SIGNON F<game> <password>" in reply.text
    assert "The lines after it were not read" in reply.flat


@pytest.mark.parametrize("line", ["SIGNON", "SIGNON F heron pw", "CREATE heron gm", "CREATE ?he-ron", "OBSERVE ?heron"])
def test_a_miswritten_opening_is_answered_with_how_to_write_it(desk: DeskAtWork, line: str):
    word = line.split()[0]
    reply = desk.replies(KIM, FORM + line)
    assert f"Write {word} " in reply.text


def test_a_letter_full_of_commands_is_read_up_to_a_measure(heron: DeskAtWork):
    """Neither a mail of megabytes nor a thousand mails come of one letter; the reply says where it stopped."""
    mails = heron.writes(KIM, "SIGNON Mheron gm\n" + "SET DEADLINE 2026-05-20 21:00\n" * 200)
    assert len(mails) == 7 + 1  # one for each player, and the reply
    assert "Note: Only the first 100 commands in your email were read." in mails[-1].text
    reply = heron.replies(FRANCE, "SIGNON Fheron pwfrance\nA PAR - BUR\n" + "STATUS\n" * 4000 + "A MAR - SPA\n")
    assert len(reply.text) < 200_000
    assert "Army Paris -> Burgundy." in reply.text and "A MAR - SPA" not in reply.text


def test_a_name_fits_into_a_table_of_players(desk: DeskAtWork):
    reply = desk.replies(KIM, f"REGISTER\nName: {'K' * 61}\nEND")
    assert "A name can have up to 60 characters. Please shorten yours." in reply.text
    assert desk.replies(KIM, "REGISTER\nName: Ķįm Ðœ 金\nEND").first_line == "You are registered, Ķįm Ðœ 金."


@pytest.mark.parametrize("line", ["SIGNON Fheron pwfrance.", "signon fHERON PWFRANCE ;", "Sign on fra@heron pwfrance"])
def test_a_sign_on_may_end_like_a_sentence(heron: DeskAtWork, line: str):
    assert heron.replies(FRANCE, f"{line}\nA PAR - BUR").first_line.startswith("2 units without")


def test_a_form_without_end_stops_above_the_old_mail_that_it_answers(desk: DeskAtWork):
    """The judge's own reply has lines like those of the form, and some mail programs quote without marks."""
    old = desk.replies(KIM, FORM).text
    heading = "-----Original Message-----\nFrom: JUDG <judge@example.org>\nSent: Monday\nSubject: Re: hello\n\n"
    reply = desk.replies(KIM, f"REGISTER\nName: Kim Roe\nTimezone: Europe/Berlin\n\n{heading}{old}")
    asked = "reply to this email to change your name to Kim Roe and your time zone to Europe/Berlin."
    assert asked in reply.flat


def _finish(session: Session, name: str) -> None:
    game = game_named(session, name)
    assert game
    game.state = "finished"


def test_a_forged_sender_can_neither_observe_nor_register(tmp_path: Path):
    """What needs no password needs an address that is really the sender's."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.net"})
    desk.seat_seven()
    forged = {"Authentication-Results": "mx.example.net; dmarc=fail header.from=example.org"}
    for text in ("OBSERVE heron", "REGISTER\nName: Somebody Else\nEND"):
        reply = desk.replies(FRANCE, text, headers=forged)
        assert "did not come from your address." in " ".join(reply.text.split())
    assert "Name: France" in desk.replies(FRANCE, "REGISTER\nTimezone: UTC\nEND").text


def test_no_password_is_repeated_wherever_it_was_written(desk: DeskAtWork):
    desk.seat_seven()
    desk.new_mails()
    text = "SIGNON Fheron pwfrance\nA PAR - BUR\nSET PASSWORD sesame street\nCREATE ?egret poppy please now\n"
    reply = desk.replies(FRANCE, text, subject="Re: SIGNON Fheron pwfrance")
    everything = reply.message.as_string() + reply.text
    assert "Re: SIGNON Fheron ****" in everything
    assert not any(word in everything for word in ("pwfrance", "sesame", "poppy"))
    with transaction(desk.engine) as session:
        letter = session.exec(select(LetterRow).order_by(col(LetterRow.id).desc())).first()
        assert letter and letter.subject == "Re: SIGNON Fheron ****"
        assert b"pwfrance" not in letter.raw


@pytest.mark.parametrize("line", ["Create havoc, friends, all over the board.", "Observe that I have never been late!"])
def test_prose_that_begins_like_a_command_is_no_command(desk: DeskAtWork, line: str):
    assert "which found no command in yours." in desk.replies(KIM, line).text
