"""A letter tells each reader all that it has done in a game in one mail, with the values at its end."""

from datetime import timedelta

import pytest

from judge.games.notifications.gathering import OF_POWERS, Announcement
from judge.store.tables import Game
from tests.commands.deskatwork import START, DeskAtWork, Posted

KIM, FRANCE = "kim@example.org", "france@example.org"
AS_KIM = "SIGNON Mheron gm\n"


@pytest.mark.parametrize(("kind", "about", "waits"), [
    ("news", "", True), ("changes", "x", True), ("news", OF_POWERS, False), ("start", "", False),
    ("deadline", "", False),
])  # fmt: skip
def test_what_may_wait_for_a_digest_says_nothing_of_the_board_a_power_or_a_deadline(kind, about, waits):
    game = Game(name="heron", variant="standard", state="active", zone="UTC", created_at=START)
    assert Announcement(game, None, kind, "", {}, about=about).may_wait == waits


def told(mails: list[Posted], address: str) -> list[Posted]:
    return [mail for mail in mails if mail.to == address and not mail.answers]


@pytest.mark.parametrize("line", [
    "SET NONMR", "SET MOVE NEXT 48, NO PARTIAL", "SET GAME ZONE Europe/Berlin", "SET DEADLINE 2026-05-13 21:00",
    "SET GRACE 2026-05-13 21:00", "SET START 2026-05-13 21:00\nSET NO START",
])  # fmt: skip
def test_a_setting_brings_its_master_the_reply_and_nothing_else(heron: DeskAtWork, line: str):
    heron.observes("olly@example.org")
    heron.writes(KIM, AS_KIM + "PROMOTE olly@example.org")
    mails = heron.would_write(KIM, AS_KIM + line)
    assert [mail.answers for mail in mails if mail.to == KIM] == [True]
    assert len(told(mails, "olly@example.org")) == len(told(mails, FRANCE)) == 1


def test_a_new_master_learns_it_from_one_mail(heron: DeskAtWork):
    heron.observes("olly@example.org")
    mails = heron.would_write(KIM, AS_KIM + "PROMOTE olly@example.org")
    assert [mail.subject for mail in mails if mail.to == "olly@example.org"] == ["JUDG:heron - You are a master"]
    assert len(told(mails, FRANCE)) == 1


def test_seven_commands_make_one_mail(heron: DeskAtWork):
    lines = (
        "SET DEADLINE 2026-05-13 21:00\nSET MOVE NEXT 48\nSET DEADLINE 2026-05-14 21:00\nSET MOVE NEXT 72\n"
        "SET NONMR\nSET GRACE 2026-05-15 21:00\nSET PARTIAL\nSET NO PARTIAL\nSET PARTIAL\n"
    )
    mails = heron.would_write(KIM, AS_KIM + lines)
    (mail,) = told(mails, FRANCE)
    assert mail.subject == "JUDG:heron - S1901M Deadline Adjustment, Parameter Change"
    text = mail.flat
    for said in (
        "The master has moved the deadline of S1901M in heron.",
        "(The deadline was Mon May 11 2026 23:30:00 +0000.)",
        "Orders are due by Thu May 14 2026 21:00:00 +0000.",
        "Grace for late orders ends Fri May 15 2026 21:00:00 +0000.",
        "Movement NEXT: 72 hours (was 71 hours).",
        "NoNMR: powers still late",
        ":: Deadline: S1901M Thu May 14 2026 21:00:00 +0000",
    ):
        assert text.count(said) == 1, said
    for between in ("May 13", "48 hours", "partial", "everybody"):
        assert between not in text, between
    (reply,) = [mail for mail in mails if mail.to == KIM and mail.answers]
    assert reply.flat.startswith(
        "The deadline of S1901M is now Thu May 14 2026 21:00:00 +0000 (was Mon May 11 2026 23:30:00 +0000). "
        "Grace for S1901M now ends Fri May 15 2026 21:00:00 +0000. 2 settings of heron have been changed. All players "
        "have been notified."
    )
    assert "48 hours" not in reply.text

    # A phase that is processed below needs no new deadline.
    mails = told(heron.would_write(KIM, AS_KIM + "SET DEADLINE 2026-05-13 21:00\nSET NONMR\nPROCESS!"), FRANCE)
    assert [mail.subject.partition(" - ")[2] for mail in mails] == ["S1901M Results", "Parameter Change"]
    # Corrections of the board and of orders come with the board as it is at the end, once; what is due comes along.
    lines = "CORRECT POSITION France: A PAR - BUR\nCORRECT ORDERS France: A BUR H\n"
    lines += "CORRECT POSITION France: A BUR - GAS\n"
    (mail,) = told(heron.would_write(KIM, AS_KIM + lines + "PAUSE"), FRANCE)
    assert mail.text.count("The position is now:") == 1
    assert "Army Gascony" in mail.text
    assert "The game is paused." in mail.text
    (mail,) = told(heron.would_write(KIM, AS_KIM + "CORRECT POSITION France: A PAR - BUR"), FRANCE)
    assert "You need to send other orders now." in mail.text
    assert "A BUR ..." in mail.text
    (other,) = told(heron.would_write(KIM, AS_KIM + "CORRECT POSITION France: A PAR - BUR"), "italy@example.org")
    assert "SIGNON" not in other.text


def test_what_is_undone_is_not_told(heron: DeskAtWork):
    """A seat that is taken over in vain: neither the newcomer nor the new deadline is announced."""
    heron.writes(KIM, AS_KIM + "EJECT France\nPROMOTE nobody@example.org")
    mails = heron.would_write("stranger@example.org", "SIGNON Fheron mine")
    assert not told(mails, "italy@example.org")


def test_two_games_are_two_mails(heron: DeskAtWork):
    heron.writes(KIM, "CREATE ?crane gm standard")
    heron.writes(FRANCE, "SIGNON ?crane pw")
    lines = AS_KIM + "SET NONMR\nSIGNOFF\nSIGNON Mcrane gm\nSET NONMR\nSET COMMENT x\nSIGNOFF"
    subjects = [mail.subject for mail in told(heron.would_write(KIM, lines), FRANCE)]
    assert subjects == ["JUDG:heron - Parameter Change", "JUDG:crane - Parameter Change"]


def test_what_stands_below_process_is_done(heron: DeskAtWork):
    """A correction or a deadline below PROCESS is for the phase that it opens; a second PROCESS is refused truly."""
    lines = "PROCESS!\nCORRECT POSITION France: A PAR - BUR\nSET DEADLINE 2026-05-20 21:00\nPROCESS!\n"
    mails = heron.would_write(KIM, AS_KIM + lines)
    (reply,) = [mail for mail in mails if mail.to == KIM and mail.answers]
    assert "The position before F1901M has been corrected." in reply.text
    assert "The deadline of F1901M is now Wed May 20 2026 21:00:00 +0000 (was" in reply.flat
    assert "This email opened F1901M itself, so this line was not carried out." in reply.flat
    results, news = told(mails, FRANCE)
    assert "S1901M Results" in results.subject
    assert news.subject == "JUDG:heron - F1901M Position Corrected, Deadline Adjustment"
    assert "Army Burgundy" in news.text


def test_sign_ups_are_told_once_a_day_until_the_game_is_full(desk: DeskAtWork):
    desk.writes("Kim Doe <kim@example.org>", "REGISTER\nName: Kim Doe\nEND\nCREATE ?crane gm standard")
    told_to_kim: list[str] = []
    for number in range(7):
        who = f"p{number}@example.org"
        mails = desk.writes(who, f"REGISTER\nName: P{number} Poe\nEND\nSIGNON ?crane pw{number}word")
        told_to_kim += [mail.subject.partition(" - ")[2] for mail in told(mails, KIM)]
        if number == 3:
            # Who has joined within the day is in the notice at its end.
            (mail,) = told(desk.ring(desk.now + timedelta(days=1)), "p0@example.org")
            assert "3 more players needed" in mail.text
    assert told_to_kim == ["New Player Signon: #1", "S1901M Game Starting"]


def test_the_end_comes_with_centers_a_picture_and_where_to_read_on(heron: DeskAtWork):
    (mail,) = told(heron.would_write(KIM, AS_KIM + "TERMINATE heron"), FRANCE)
    assert "Austria:   Budapest, Trieste, Vienna." in mail.text
    assert "send HISTORY heron" in mail.text
    assert mail.picture


def test_two_questions_keep_their_titles(heron: DeskAtWork):
    text = heron.would_reply(FRANCE, "INFO PAR heron\nINFO BUR heron").text
    paris, burgundy = text.index("Paris (PAR) in heron."), text.index("Burgundy (BUR) in heron.")
    assert paris < text.index("Kind:") < burgundy < text.rindex("Kind:")
    assert text.count("in heron.") == 2
    page = heron.would_reply(FRANCE, "INFO PAR heron\nINFO BUR heron").page
    assert page.index("Paris (PAR) in heron") < page.index("Kind") < page.index("Burgundy (BUR) in heron")
