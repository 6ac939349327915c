"""What newcomers write: understood where it can be, else answered with the very thing that stands in its way."""

from email.message import EmailMessage

from judge.rules import load_variant, start_position
from tests.commands.deskatwork import DeskAtWork
from tests.letters.corpus.wire import entity

FAY = "france@example.org"


def test_a_deadline_is_not_told_twice_where_the_clocks_show_utc(heron: DeskAtWork):
    for zone, told in (("Africa/Abidjan", "23:30:00 +0000.\n"), ("Africa/Lagos", "00:30:00 +0100 (Mon 23:30 UTC).\n")):
        heron.replies(FAY, f"SIGNON Fheron pwfrance\nSET ZONE {zone}")
        assert told in heron.replies(FAY, "STATUS heron").text


def test_a_first_letter_in_plain_words_gets_a_welcome_with_one_block_to_copy(desk: DeskAtWork):
    text = "Dear judge, I would like to join a game.\nBest, Jo"
    join = "    REGISTER\n    Name: Your Name\n    Timezone: Europe/Berlin\n    END\n    {}\n"
    empty = desk.would_reply("jo@example.org", text).text
    assert "No new game is looking for players" in empty and join.format("STANDBY") in empty
    desk.writes(FAY, "REGISTER\nName: Fay Fox\nEND\nCREATE ?boar gm\nSET NOLIST")
    desk.writes("kim@example.org", "REGISTER\nName: Kim Doe\nEND\nCREATE ?crane gm")
    desk.writes("al@example.org", "REGISTER\nName: Al Ray\nEND")
    known = desk.would_reply("al@example.org", text).text
    assert "To join the game crane" in known and "\n    SIGNON ?crane\n" in known and "REGISTER" not in known
    assert "SIGNON Mcrane <password>" in desk.would_reply("kim@example.org", text).text
    asked = desk.replies("jo@example.org", text)
    assert asked.first_line.startswith("Welcome to the Diplomacy judge") and "GET GUIDE" in asked.text
    assert "crane (Standard Diplomacy; 7 more players needed)" in asked.flat
    assert join.format("SIGNON ?crane") in asked.text and "boar" not in asked.text
    assert desk.writes("jo@example.org", text) == []  # one an hour, however much is written
    block = join.format("SIGNON ?crane").replace("Your Name", "Jo Fox")
    assert "You are in crane." in desk.replies("jo@example.org", block).text


def test_a_power_without_a_player_is_offered_if_no_game_is_forming(heron: DeskAtWork):
    heron.replies("kim@example.org", "SIGNON Mheron gm\nEJECT Italy")
    for settings, is_offered in (("SET LIST", True), ("SET NOLIST", False), ("SET LIST\nSET QUIET", False)):
        heron.replies("kim@example.org", f"SIGNON Mheron gm\n{settings}")
        told = heron.would_reply("jo@example.org", "Hello, is there a game that needs someone?")
        offer = "To join the game heron (Standard Diplomacy; no one plays Italy), send this"
        assert (offer in told.flat and "\n    SIGNON Iheron <password>\n" in told.text) == is_offered
        assert ("No new game is looking for players" in told.text) != is_offered
        refused = heron.would_reply("jo@example.org", "REGISTER\nName: Jo\nEND\nSIGNON ? pwjo").flat
        assert ("no one plays Italy), send SIGNON Iheron <password>." in refused) == is_offered


FRANCE = "france@example.org"


def hint(desk: DeskAtWork, text: str, **how: str) -> str:
    return desk.replies(FRANCE, text, **how).flat


def hint_for(desk: DeskAtWork, raw: bytes) -> str:
    (mail,) = desk.receives(raw)
    return mail.flat


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


def test_a_player_reads_the_own_sign_ons(desk: DeskAtWork):
    """The letter of Poland & Saxony is not the first one of its name."""
    desk.seat_all("swan", "ambition_empire")
    for name, signon in (("poland", "Xswan"), ("kim", "Mswan"), ("sweden", "Wswan")):
        reply = desk.would_write(f"{name}@example.org", "Hello judge, what happened to my army?")[0]
        assert f"\n    SIGNON {signon} <password>\n\nPut nothing else on that line." in reply.text
