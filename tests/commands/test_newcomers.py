"""What newcomers write: it is understood where it can be, and else answered with what to write."""

import pytest

from tests.commands.deskatwork import DeskAtWork

FAY = "france@example.org"


def test_a_quoted_sign_on_in_press_is_not_sent(heron: DeskAtWork):
    text = "SIGNON Fheron pwfrance\nPRESS TO M\n> SIGNON Fheron pwfrance\nis that right?\nENDPRESS\n"
    (reply,) = heron.writes(FAY, text)
    assert '"> SIGNON Fheron ****" contains a password.' in reply.flat


def test_comments_may_stand_behind_orders_and_commands(heron: DeskAtWork):
    reply = heron.replies(FAY, "SIGNON Fheron pwfrance // it is me\nA PAR - BUR // go!\nSET WAIT // please\n")
    assert "Army Paris -> Burgundy." in reply.text
    assert "WAIT is set" in reply.text
    assert "ignored" not in reply.text


def test_a_deadline_is_not_told_twice_where_the_clocks_show_utc(heron: DeskAtWork):
    for zone, told in (("Africa/Abidjan", "23:30:00 +0000.\n"), ("Africa/Lagos", "00:30:00 +0100 (Mon 23:30 UTC).\n")):
        heron.replies(FAY, f"SIGNON Fheron pwfrance\nSET ZONE {zone}")
        assert told in heron.replies(FAY, "STATUS heron").text


@pytest.mark.parametrize(
    ("written", "now"),
    [("GMT+2", "12:01:00 +0200"), ("UTC-5", "05:01:00 -0500"), ("gmt +10:00", "20:01:00 +1000")],
)
def test_a_zone_written_as_an_offset_is_read_as_people_mean_it(desk: DeskAtWork, written: str, now: str):
    assert now in desk.replies(FAY, f"REGISTER\nName: Fay\nTimezone: {written}\nEND").text


@pytest.mark.parametrize("subject", ["HELP", "help."])
def test_a_letter_that_is_only_a_subject_is_read(desk: DeskAtWork, subject: str):
    assert desk.replies(FAY, "", subject=subject).first_line == "How to write to this judge."


def test_a_form_that_changes_nothing_says_so(desk: DeskAtWork):
    desk.writes(FAY, "REGISTER\nName: Fay\nEND")
    assert desk.replies(FAY, "REGISTER\nFay Roe\nEND").first_line == "Your registration is unchanged, Fay."


def test_a_master_writes_dates_in_the_zone_of_the_game_whatever_zone_their_mails_have(heron: DeskAtWork):
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET ZONE Europe/Berlin")
    reply = heron.replies("kim@example.org", "SIGNON Mheron gm\nSET DEADLINE 2026-05-20 21:00\n")
    assert ":: Deadline: S1901M Wed May 20 2026 23:00:00 +0200" in reply.text
    assert "S1901M: Wed May 20 2026 21:00:00 +0000" in reply.text
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET GAME ZONE Europe/Berlin")
    reply = heron.replies("kim@example.org", "SIGNON Mheron gm\nSET DEADLINE 2026-05-20 21:00\n")
    assert ":: Deadline: S1901M Wed May 20 2026 21:00:00 +0200" in reply.text


@pytest.mark.parametrize("name", ["Your Name", "your name", " Your  Name "])
def test_a_form_that_was_not_filled_in_registers_nobody(desk: DeskAtWork, name: str):
    """Programs that return our text do so."""
    (reply,) = desk.writes("jo@example.net", f"REGISTER\nName: {name}\nTimezone: Europe/Berlin\nEND")
    assert "Put your own name in the form, in place of Your Name." in reply.text
    assert desk.replies("jo@example.net", "REGISTER\nName: Jo\nEND").first_line == "You are registered, Jo."


def test_a_first_letter_in_plain_words_gets_a_welcome_with_one_block_to_copy(desk: DeskAtWork):
    text = "Dear judge, I would like to join a game.\nBest, Jo"
    join = "    REGISTER\n    Name: Your Name\n    Timezone: Europe/Berlin\n    END\n    {}\n"
    empty = desk.would_reply("jo@example.org", text).text
    assert "No game is looking for players" in empty and join.format("STANDBY") in empty
    desk.writes(FAY, "REGISTER\nName: Fay Fox\nEND\nCREATE ?boar gm\nSET NOLIST")
    desk.writes("kim@example.org", "REGISTER\nName: Kim Doe\nEND\nCREATE ?crane gm")
    desk.writes("al@example.org", "REGISTER\nName: Al Ray\nEND")
    known = desk.would_reply("al@example.org", text).text
    assert "To join the game crane" in known and "\n    SIGNON ?crane\n" in known and "REGISTER" not in known
    assert "SIGNON F<game>" in desk.would_reply("kim@example.org", text).text
    asked = desk.replies("jo@example.org", text)
    assert asked.first_line.startswith("Welcome to the Diplomacy judge") and "GET GUIDE" in asked.text
    assert "crane (Standard Diplomacy; 7 more players needed)" in asked.flat
    assert join.format("SIGNON ?crane") in asked.text and "boar" not in asked.text
    assert desk.writes("jo@example.org", text) == []  # one an hour, however much is written
    block = join.format("SIGNON ?crane").replace("Your Name", "Jo Fox")
    assert "You are in crane." in desk.replies("jo@example.org", block).text


def test_a_sign_on_ends_press_so_that_no_password_is_mailed_to_others(desk: DeskAtWork):
    desk.seat_seven()
    mails = desk.writes(FAY, "SIGNON Fheron pwfrance\nPRESS TO M\nshall we?\n\nSIGNON Fheron pwfrance\nA PAR - BUR\n")
    press = next(mail for mail in mails if mail.to == "kim@example.org")
    assert "shall we?" in press.text
    assert "SIGNON" not in press.text and "pwfrance" not in press.text
    assert "Army Paris -> Burgundy." in next(mail for mail in mails if mail.to == FAY).text
