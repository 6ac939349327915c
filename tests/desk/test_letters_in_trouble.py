"""Letters that might stall, crash or betray the judge: each is answered, and nothing of it goes where it should not."""

from tests.desk.deskatwork import DeskAtWork

KIM = "Kim Doe <kim@example.org>"
FORM = "REGISTER\nName: Kim Doe\nEND\n"


def test_one_password_for_several_seats_is_no_riddle(desk: DeskAtWork):
    """The master who plays too signs on twice in a letter, often with one password."""
    reply = desk.replies(KIM, FORM + "CREATE ?heron gm\nSIGNON ?heron gm\nCREATE ?egret other\nCREATE ?crane third")
    assert "Game heron is created" in reply.text and "You are in game heron. 6 more players needed." in reply.text
    assert "Game egret is created" in reply.text and "Game crane is created" in reply.text
