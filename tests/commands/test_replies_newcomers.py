"""What newcomers write: understood where it can be, else answered with the very thing that stands in its way."""

from email.message import EmailMessage

import pytest

from judge.rules import load_variant, start_position
from tests.commands.deskatwork import DeskAtWork
from tests.letters.corpus.wire import entity

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


FRANCE = "france@example.org"


def hint(desk: DeskAtWork, text: str, **how: str) -> str:
    return desk.replies(FRANCE, text, **how).flat


def hint_for(desk: DeskAtWork, raw: bytes) -> str:
    (mail,) = desk.receives(raw)
    return mail.flat


@pytest.mark.parametrize(
    ("text", "obstacle"),
    [
        ("> SIGNON Fheron pwfrance\n> A PAR - BUR", "a SIGNON line is in a quote"),
        ("Hi\n\n-----Original Message-----\nFrom: Fay\nSIGNON Fheron pwfrance\nA PAR - BUR", "of an older email"),
        ("Hi\n-- \nSIGNON Fheron pwfrance\nA PAR - BUR", "below the line that starts your signature"),
        ("Hello, how do I SIGNON Fheron pwfrance?\nA PAR - BUR", "a SIGNON is in the middle of a line"),
    ],
)
def test_the_place_of_a_sign_on_is_told(heron: DeskAtWork, text: str, obstacle: str):
    reply = hint(heron, text)
    assert obstacle in reply and "pwfrance" not in reply


def test_a_sign_on_in_the_subject_is_told(heron: DeskAtWork):
    for subject in ("Re: **SIGNON Fheron pwfrance**", "SIGNON Fheron pwfrance"):
        reply = hint(heron, "A PAR - BUR", subject=subject)
        assert reply.startswith('Your subject "') and "pwfrance" not in reply


def test_the_form_of_our_own_mail_below_a_reply_is_no_obstacle(heron: DeskAtWork):
    assert "is in a quote" not in hint(heron, "Thank you!\n\n> SIGNON Fheron <your password>\n> A PAR ...")


def test_an_attached_file_is_named(heron: DeskAtWork):
    for text, told in (
        ("My orders are attached.\n", "The file orders.txt was not read"),
        ("\nSent from my iPhone\n", "The file orders.txt was not read"),
    ):
        mail = EmailMessage()
        mail["From"] = FRANCE
        mail.set_content(text)
        mail.add_attachment("SIGNON Fheron pwfrance\nA PAR - BUR\n", cte="base64", filename="orders.txt")
        assert told in hint_for(heron, mail.as_bytes())


def test_a_letter_that_is_encrypted_is_told_so(heron: DeskAtWork):
    sealed = entity("application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", b"0\x80\x06\x09", "base64")
    assert "Your email is encrypted, so it was not read" in hint_for(heron, f"From: {FRANCE}\r\n".encode() + sealed)


def test_only_games_are_offered_whose_units_fit(heron: DeskAtWork):
    heron.writes("kim@example.org", "CREATE ?egret gm")
    dealt = heron.deal("egret")
    for power in reversed(dealt):
        heron.writes(f"{power.lower()}@example.org", f"SIGNON ?egret pw{power.lower()}")
    mine = dealt[-1 - dealt.index("France")]
    unit = start_position(load_variant("standard")).units[mine][0]
    assert mine != "France"
    heron.new_mails()
    reply = hint(heron, "A PAR - BUR\nF BRE - MAO")
    assert "SIGNON Fheron <password>" in reply and "egret <password>" not in reply
    reply = hint(heron, f"{unit} H")
    assert f"SIGNON {mine[0]}egret <password>" in reply and "heron <password>" not in reply
    others = next(power for power in dealt if power not in ("France", mine))
    assert (
        "<password>"
        not in hint(heron, f"{start_position(load_variant('standard')).units[others][0]} H").partition(
            "SIGNON F<game> <password>"
        )[0]
    )
    # Of orders that cannot be read nobody knows.
    assert "SIGNON Fheron <password>" in hint(heron, "A PAX - BUR")
