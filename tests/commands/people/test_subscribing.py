"""Nobody gets the results of games for a letter that somebody else has written in their name."""

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from judge.store.engine import reading
from judge.store.tables import Game, Seat
from tests.commands.deskatwork import DeskAtWork, Posted

KIM, VICTIM = "kim@example.org", "victim@elsewhere.example"
VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=elsewhere.example"}
REGISTER = "REGISTER\nName: Vic Tim\nEND\n"
GAMES = 5


@pytest.fixture
def many(tmp_path) -> DeskAtWork:
    """A judge with some games that form, and one that is played."""
    settings = {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org", "JUDGE_GAMES_OPEN_GAMES": "20"}
    desk = DeskAtWork(tmp_path, "", settings)
    desk.seat_seven()
    create = "".join(f"CREATE ?game{number}\n" for number in range(GAMES))
    desk.goes_on("games form", lambda: desk.writes(KIM, create))
    return desk


def watched(desk: DeskAtWork) -> list[str]:
    with reading(desk.engine) as session:
        seats = select(Game.name).join(Seat).where(Seat.role == "observer", Seat.address == VICTIM)
        return sorted(session.exec(seats).all())


ALL = "".join(f"OBSERVE game{number}\n" for number in range(GAMES))


@pytest.mark.parametrize("before", ["", REGISTER])
def test_one_letter_brings_one_mail_however_many_games_it_names(many: DeskAtWork, before: str):
    (mail,) = many.writes(VICTIM, f"{before}OBSERVE heron\n{ALL}")
    assert re.search(r"CONFIRM \w{12}", mail.subject) and "If it wasn't you, ignore this email" in mail.text
    assert not watched(many)
    many.now += timedelta(days=40)
    assert not [late for late in many.ring(many.now) if late.to == VICTIM]


def test_once_it_is_sent_back_all_is_done(many: DeskAtWork):
    (mail,) = many.writes(VICTIM, "OBSERVE heron\nOBSERVE game3\nOBSERVE nowhere")
    many.writes(VICTIM, "No, who are you?", subject=mail.subject)
    assert not watched(many)
    mails = many.writes(VICTIM, "", subject=mail.subject)
    assert watched(many) == ["game3", "heron"]
    assert {one.to for one in mails} == {VICTIM} and "S1901M Position" in "".join(one.subject for one in mails)


def test_a_day_brings_one_such_mail_until_it_is_answered(many: DeskAtWork):
    (first,) = many.writes(VICTIM, "OBSERVE heron")
    again = many.replies(VICTIM, "OBSERVE game1")
    assert "CONFIRM" not in again.subject and "The judge sent an email to" in again.text
    many.writes(VICTIM, "yes", subject=first.subject)
    third = many.replies(VICTIM, "OBSERVE game2")
    assert "CONFIRM" in third.subject
    many.writes(VICTIM, "yes", subject=third.subject)
    assert watched(many) == ["game2", "heron"]


def test_verified_and_registered_senders_need_none(many: DeskAtWork):
    assert "You are now observing heron" in many.replies(VICTIM, "OBSERVE heron", headers=VERIFIED).text
    many.writes(VICTIM, REGISTER)
    assert "You are now observing game1" in many.replies(VICTIM, "OBSERVE game1").text


def test_a_password_for_it_is_made_up_if_it_waits(many: DeskAtWork):
    (mail,) = many.writes(VICTIM, "OBSERVE heron forgers")
    answer = many.replies(VICTIM, "", subject=mail.subject)
    password = re.search(r"Your password is (\w+): keep this email", answer.text)
    assert password
    assert "was refused" in many.replies(VICTIM, "SIGNON Oheron forgers").text
    assert "as observer" in many.replies(VICTIM, f"SIGNON Oheron {password[1]}").text


def test_who_is_asked_to_register_confirms_both_with_one_mail(tmp_path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes"})
    asks = desk.replies(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    desk.writes(KIM, "", subject=asks.subject)
    (mail,) = desk.writes(VICTIM, f"{REGISTER}OBSERVE heron\nSIGNON ?heron forgers")
    answer = desk.replies(VICTIM, "", subject=mail.subject)
    assert "You are registered, Vic Tim." in answer.text and watched(desk) == ["heron"]
    password = re.search(r"Your password is (\w+): keep this email", answer.text)
    assert password and "anyone could have sent that" in answer.flat
    assert "with another password" in desk.replies(VICTIM, "SIGNON ?heron forgers").flat
    assert "already in heron" in desk.replies(VICTIM, f"SIGNON ?heron {password[1]}").text


# Games that LIST does not show.


@pytest.fixture
def hidden(many: DeskAtWork) -> DeskAtWork:
    """Game heron is not shown in LIST."""
    many.writes(KIM, "SIGNON Mheron gm\nSET NO LIST")
    many.new_mails()
    return many


def asked(mails: list[Posted]) -> Posted:
    (mail,) = [mail for mail in mails if mail.to == KIM]
    return mail


def test_observing_a_game_that_is_not_listed_is_for_its_master_to_decide(hidden: DeskAtWork):
    mails = hidden.writes(f"Vic Tim <{VICTIM}>", "OBSERVE heron", headers=VERIFIED)
    assert not watched(hidden)
    assert f"Vic Tim <{VICTIM}> asks to observe heron." in asked(mails).flat
    word = re.search(r"APPROVE (\w{12})", asked(mails).text)
    assert word
    mails = hidden.writes(KIM, f"APPROVE {word[1]}")
    assert watched(hidden) == ["heron"]
    told = [mail.subject for mail in mails if mail.to == VICTIM]
    assert any("Position" in subject for subject in told) and any("Joining" in subject for subject in told)


def test_the_master_may_refuse(hidden: DeskAtWork):
    word = re.search(r"REFUSE (\w{12})", asked(hidden.writes(VICTIM, "OBSERVE heron", headers=VERIFIED)).text)
    assert word
    hidden.writes(KIM, f"REFUSE {word[1]}")
    assert not watched(hidden)


def test_a_stranger_confirms_before_the_master_is_asked(hidden: DeskAtWork):
    (mail,) = hidden.writes(VICTIM, "OBSERVE heron")
    assert mail.to == VICTIM
    assert "asks to observe" in asked(hidden.writes(VICTIM, "", subject=mail.subject)).text


def test_players_of_the_game_need_nobody(hidden: DeskAtWork):
    assert "You are now observing heron" in hidden.replies("france@example.org", "OBSERVE heron").text


def test_a_request_to_observe_outlives_the_beginning_of_the_game(many: DeskAtWork):
    many.writes(KIM, "CREATE ?crane gm\nSET NO LIST")
    many.writes(VICTIM, "OBSERVE crane", headers=VERIFIED)
    many.writes("al@example.org", "REGISTER\nName: Al\nEND\nSIGNON ?crane pw")
    mails = many.writes(KIM, "SIGNON Mcrane gm\nFORCE BEGIN")
    assert not [mail for mail in mails if mail.to == VICTIM]
    many.writes(KIM, f"SIGNON Mcrane gm\nAPPROVE {VICTIM}")
    assert watched(many) == ["crane"]
