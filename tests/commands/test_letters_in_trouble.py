"""Letters that might stall, crash or betray the judge: each is answered, and nothing of it goes where it should not."""


import pytest
from sqlmodel import Session, select

from judge.store.engine import transaction
from judge.store.games import game_named
from judge.store.tables import Mail
from tests.commands.deskatwork import DeskAtWork

FRANCE = "france@example.org"
KIM = "Kim Doe <kim@example.org>"
FORM = "REGISTER\nName: Kim Doe\nEND\n"


def test_one_password_for_several_seats_is_no_riddle(desk: DeskAtWork):
    """The master who plays too signs on twice in a letter, often with one password."""
    reply = desk.replies(KIM, FORM + "CREATE ?heron gm\nSIGNON ?heron gm\nCREATE ?egret other\nCREATE ?crane third")
    assert "Game heron is created" in reply.text and "You are in game heron. 6 more players needed." in reply.text
    assert "Game egret is created" in reply.text and "Game crane is created" in reply.text


def test_a_stranger_refused_in_one_game_may_observe_another(heron: DeskAtWork):
    heron.writes(KIM, "CREATE ?egret gm")
    with transaction(heron.engine) as session:
        _finish(session, "heron")
    reply = heron.replies("jo@example.net", "OBSERVE heron\nOBSERVE egret\n")
    assert "Game heron has ended." in reply.text
    reply = heron.replies("jo@example.net", "", subject=reply.subject)
    assert "You observe game egret from now on: its results come to jo@example.net." in reply.text


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
    assert "The rest of your email" in reply.text


@pytest.mark.parametrize("line", ["SIGNON", "SIGNON F heron pw", "CREATE heron gm", "CREATE ?he-ron", "OBSERVE ?heron"])
def test_a_miswritten_opening_is_answered_with_how_to_write_it(desk: DeskAtWork, line: str):
    word = line.split()[0]
    reply = desk.replies(KIM, FORM + line)
    assert f"Write {word} " in reply.text


def test_a_letter_full_of_commands_is_read_up_to_a_measure(heron: DeskAtWork):
    """Neither a mail of megabytes nor a thousand mails come of one letter; the reply says where it stopped."""
    mails = heron.writes(KIM, "SIGNON Mheron gm\n" + "SET DEADLINE 2026-05-20 21:00\n" * 200)
    assert len(mails) == 8 + 1  # one for each reader, and the reply
    assert "Note: Only the first 100 commands were read." in mails[-1].text
    reply = heron.replies(FRANCE, "SIGNON Fheron pwfrance\nA PAR - BUR\n" + "STATUS\n" * 4000 + "A MAR - SPA\n")
    assert len(reply.text) < 200_000
    assert "Army Paris -> Burgundy." in reply.text and "Spain" not in reply.text


def test_a_name_fits_into_a_table_of_players(desk: DeskAtWork):
    reply = desk.replies(KIM, f"REGISTER\nName: {'K' * 61}\nEND")
    assert "A name has up to 60 letters; please shorten yours." in reply.text
    assert desk.replies(KIM, "REGISTER\nName: Ķįm Ðœ 金\nEND").first_line == "You are registered, Ķįm Ðœ 金."


@pytest.mark.parametrize("line", ["SIGNON Fheron pwfrance.", "signon fHERON PWFRANCE ;", "Sign on fra@heron pwfrance"])
def test_a_sign_on_may_end_like_a_sentence(heron: DeskAtWork, line: str):
    assert heron.replies(FRANCE, f"{line}\nA PAR - BUR").first_line.startswith("2 units without")


def test_a_form_without_end_stops_above_the_old_mail_that_it_answers(desk: DeskAtWork):
    """The judge's own reply has lines like those of the form, and some mail programs quote without marks."""
    old = desk.replies(KIM, FORM).text
    heading = "-----Original Message-----\nFrom: JUDG <judge@example.org>\nSent: Monday\nSubject: Re: hello\n\n"
    reply = desk.replies(KIM, f"REGISTER\nName: Kim Roe\nTimezone: Europe/Berlin\n\n{heading}{old}")
    asked = "reply to this email, and you are called Kim Roe, with times in Europe/Berlin."
    assert asked in reply.flat


def _finish(session: Session, name: str) -> None:
    game = game_named(session, name)
    assert game
    game.state = "finished"
