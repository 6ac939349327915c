"""What is left open when a game ends by its last adjudication."""

from tests.commands.deskatwork import DeskAtWork


def test_an_applicant_hears_that_the_game_has_been_won(tmp_path):
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_all("heron", "standard", "SET CENTERS 4")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nSET NO LIST")
    desk.observes("zoe@example.org", "OBSERVE heron")
    for _ in ("Spring", "Fall"):
        desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    (told,) = [mail.text for mail in desk.all_mails() if mail.to == "zoe@example.org" and "Joining" in mail.subject]
    assert told.startswith("heron has ended.")
