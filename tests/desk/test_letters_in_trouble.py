"""Letters that might stall, crash or betray the judge: each is answered, and nothing of it goes where it should not."""

from pathlib import Path

from sqlmodel import Session, select

from judge.store.engine import transaction
from judge.store.lookups import game_named
from judge.store.tables import Mail
from tests.desk.deskatwork import DeskAtWork

FRANCE = "france@example.org"
KIM = "Kim Doe <kim@example.org>"
FORM = "REGISTER\nName: Kim Doe\nEND\n"


def test_one_password_for_several_seats_is_no_riddle(desk: DeskAtWork):
    """The master who plays too signs on twice in a letter, often with one password."""
    reply = desk.replies(KIM, FORM + "CREATE ?heron gm\nSIGNON ?heron gm\nCREATE ?egret other\nCREATE ?crane third")
    assert "Game heron is created" in reply.text and "You are in game heron. 6 more players needed." in reply.text
    assert "Game egret is created" in reply.text and "Game crane is created" in reply.text


def test_a_stranger_refused_in_one_game_may_observe_another(desk: DeskAtWork):
    desk.seat_seven()
    desk.writes(KIM, "CREATE ?egret gm")
    with transaction(desk.engine) as session:
        _finish(session, "heron")
    reply = desk.replies("jo@example.net", "OBSERVE heron\nOBSERVE egret\n")
    assert "Game heron has ended." in reply.text
    assert "You observe game egret from now on: its results come to jo@example.net." in reply.text


def test_a_forged_sender_can_neither_observe_nor_register(tmp_path: Path):
    """What needs no password needs an address that is really the sender's."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.net"})
    desk.seat_seven()
    forged = {"Authentication-Results": "mx.example.net; dmarc=fail header.from=example.org"}
    for text in ("OBSERVE heron", "REGISTER\nName: Somebody Else\nEND"):
        reply = desk.replies(FRANCE, text, headers=forged)
        assert "did not come from your address, so nothing was" in " ".join(reply.text.split())
    assert "Name: France" in desk.replies(FRANCE, "REGISTER\nTimezone: UTC\nEND").text


def test_a_generated_password_is_masked_also_when_another_block_was_refused(desk: DeskAtWork):
    """The outbox keeps the bytes of what was sent, and the password in them only until then."""
    text = desk.replies(KIM, FORM + "CREATE ?heron\nCREATE ?heron\nSIGNON Fnowhere pw\n").text
    password = text.partition("Your password is ")[2].partition(":")[0]
    with transaction(desk.engine) as session:
        (mail,) = session.exec(select(Mail)).all()
        assert len(password) == 12 and mail.secret == password


def _finish(session: Session, name: str) -> None:
    game = game_named(session, name)
    assert game
    game.state = "finished"
