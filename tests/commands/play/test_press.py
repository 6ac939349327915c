"""Whom a message names as those who get it: in its subject, in its first line and in HISTORY; and what carries none."""

from base64 import encodebytes
from datetime import timedelta

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted


def press(desk: DeskAtWork, command: str, sender: str = "france") -> list[Posted]:
    """The mails that carry what `sender` writes under this command."""
    signon = "SIGNON Mheron gm" if sender == "kim" else f"SIGNON {sender}@heron pw{sender}"
    mails = desk.writes(f"{sender}@example.org", f"{signon}\n{command}\nMeet me at the river.")
    return [mail for mail in mails if mail.subject.startswith("JUDG:heron - S1901M Press")]


def named(mails: list[Posted]) -> str:
    """The letters in the subjects, which are the same for all but the master's copy of grey press."""
    (letters,) = {mail.subject.rpartition(" to ")[2] for mail in mails}
    return letters


def test_all_but_one_names_those_who_get_it_and_nobody_else(heron):
    heron.writes("kim@example.org", "SIGNON Mheron gm\nEJECT Turkey")
    mails = press(heron, "PRESS TO ALL BUT Italy")
    assert {mail.to.partition("@")[0] for mail in mails} == {"austria", "england", "germany", "russia", "kim"}
    assert named(mails) == "AEGRM"
    assert {mail.first_line for mail in mails} == {
        "Press from France to Austria, England, Germany, Russia, the master:"
    }
    history = heron.replies("russia@example.org", "SIGNON Rheron pwrussia\nHISTORY BROAD").text
    assert "to Austria, England, Germany, Russia, the master" in " ".join(history.split())


def test_observers_are_named_where_there_are_some(heron):
    heron.observes("walter@example.org", "OBSERVE heron")
    for words in ("ALL BUT", "all except", "EVERYBODY EXCEPT FOR", "everyone but"):
        assert named(press(heron, f"PRESS TO {words} AEG")) == "IRTMO"
    assert named(press(heron, "PRESS TO RF, O")) == "RO"


def test_who_writes_grey_press_is_not_known_by_not_standing_there(desk):
    desk.seat_all("heron", "standard", "SET WHITE/GREY, GUNBOAT")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nEJECT Turkey")
    for sender in ("france", "russia"):
        assert named(press(desk, "PRESS GREY TO ALL BUT Italy", sender)) == "AEFGRM"
    assert named(press(desk, "PRESS GREY TO ALL BUT Italy", "kim")) == "AEFGRM"


def test_a_color_behind_the_names_is_answered_with_the_line_to_write(desk):
    desk.seat_all("heron", "standard", "SET WHITE/GREY")
    signon = "SIGNON Fheron pwfrance\n"
    for color in ("GREY", "Gray", "WHITE"):
        refused = desk.replies("france@example.org", f"{signon}PRESS TO Italy, Turkey, {color}\nHello\nENDPRESS").flat
        line = refused.partition("Nothing was sent: write ")[2].partition(".")[0]
        sent = desk.replies("france@example.org", f"{signon}{line}\nHello\nENDPRESS").flat
        assert "sent to Italy and Turkey." in sent


def test_a_quiet_game_does_not_tell_by_its_press_which_power_nobody_plays(desk):
    desk.seat_all("heron", "standard", "SET QUIET")
    before = named(press(desk, "PRESS TO ALL BUT Italy"))
    desk.writes("kim@example.org", "SIGNON Mheron gm\nEJECT Turkey")
    assert named(press(desk, "PRESS TO ALL BUT Italy")) == before == "AEGRTM"


def test_a_small_word_between_names_is_not_read_as_letters(heron):
    """TO could be Turkey and the observers, OR the observers and Russia."""
    for command in ("PRESS TO Italy and to Germany", "PRESS TO Italy or Germany", "PRESS TO from E"):
        assert not press(heron, command)
    assert "Meet me" not in heron.replies("russia@example.org", "SIGNON Rheron pwrussia\nHISTORY BROAD").text


# --- how much of it -------------------------------------------------------------------------------------------------

WALTER = "walter@example.org"


def carried(mails: list[Posted]) -> int:
    """How many mails with press."""
    return sum("Broadcast" in mail.subject or " Press " in mail.subject for mail in mails)


@pytest.mark.parametrize("signon", ["OBSERVE heron", "SIGNON Oheron {}"])
def test_observers_whom_nobody_knows_write_no_press(heron: DeskAtWork, signon: str):
    told = heron.observes(WALTER, "OBSERVE heron secret")[-1].text
    signon = signon.format(told.partition("Your password is ")[2].partition(":")[0])
    for command, copies in {"BROADCAST": 8, "PRESS TO F": 1, "PRESS TO M, F": 2}.items():
        mails = heron.would_write(WALTER, f"{signon}\n" + f"{command}\nHello!\nENDPRESS\n" * 40)
        assert carried(mails) == 0
        told = mails[-1].flat
        assert "until they register, observers can write press only to the master (PRESS TO M). Put this at the" in told
        registered = f"REGISTER\nName: Walter\nEND\nOBSERVE heron\n{command}\nHello!\nENDPRESS\n"
        assert carried(heron.would_write(WALTER, registered)) == copies
    # Since they have confirmed that it was them, they may ask the master.
    assert carried(heron.would_write(WALTER, f"{signon}\n" + "PRESS TO M\nHello!\nENDPRESS\n" * 40)) == 10


@pytest.mark.parametrize(
    ("sender", "signon", "most"),
    [(WALTER, "OBSERVE heron", 10), ("france@example.org", "SIGNON Fheron pwfrance", 100),
     ("kim@example.org", "SIGNON Mheron gm", 120)],
)  # fmt: skip
def test_press_has_a_limit_an_hour(heron: DeskAtWork, sender: str, signon: str, most: int):
    """In one letter or in several; masters may write any amount."""
    heron.writes(WALTER, "REGISTER\nName: Walter\nEND")
    press = f"{signon}\n" + "PRESS TO T\nHello!\nENDPRESS\n" * 60
    first, second = heron.writes(sender, press), heron.writes(sender, press)
    assert carried(first) + carried(second) == most
    if most < 120:
        refused = f"You have sent {most} messages within an hour, which is the limit in this game. Send this one later."
        assert refused in second[-1].flat
        heron.now += timedelta(hours=1)
        assert carried(heron.writes(sender, press)) == min(most, 60)


def test_a_message_has_a_limit_of_bytes(heron: DeskAtWork):
    """Everybody in the game gets it; nothing of one that is too long is sent, and the rest of the letter counts."""
    line = "Nobody knows how long this war will go on.\n"
    mails = heron.writes("france@example.org", f"SIGNON Fheron pwfrance\nBROADCAST\n{line * 1200}ENDBROADCAST\nA PAR H")
    assert len(mails) == 1
    told = mails[0].flat
    assert "has 51599 bytes, and the limit is 50000. Send it in parts. Nothing was sent." in told
    assert "Army Paris HOLD" in told
    part = f"SIGNON Fheron pwfrance\nBROADCAST\n{line * 1100}ENDBROADCAST"
    assert carried(heron.writes("france@example.org", part)) == 7


@pytest.mark.parametrize("damage", ["", "#", "\x80"])
def test_a_letter_that_was_damaged_on_its_way_carries_no_press(heron, damage: str):
    """Where the mail begins that it answers, orders on file in it, may be just what was damaged (RFC 2045, 6.8)."""
    text = "SIGNON Fheron pwfrance\nPRESS TO Turkey\nMeet me at the river.\n\n-----Urspr\u00fcngliche Nachricht-----\n"
    body = encodebytes(f"{text}France: Army Marseilles -> Spain.\n".encode()).decode()
    head = "From: france@example.org\nTo: judge@example.org\nContent-Type: text/plain; charset=utf-8\n"
    letter = f"{head}Content-Transfer-Encoding: base64\n\n{body[:120]}{damage}{body[120:]}"
    mails = heron.receives(letter.encode("latin-1"))
    told = [mail for mail in mails if mail.to == "turkey@example.org"]
    if damage:
        assert not told and "was damaged on its way" in mails[0].flat
    else:
        assert "Meet me at the river." in told[0].text and "Marseilles" not in told[0].text


def test_a_master_sends_observers_so_many_messages_an_hour_and_players_any_number(heron: DeskAtWork):
    """Anybody may have entered an address as an observer's."""
    heron.observes("victim@example.net", "OBSERVE heron")
    mails = heron.writes("kim@example.org", "SIGNON Mheron gm\n" + "BROADCAST\nBuy!\nENDBROADCAST\n" * 30)
    assert sum(mail.to == "victim@example.net" for mail in mails) == 20
    mails = heron.writes("kim@example.org", "SIGNON Mheron gm\n" + "PRESS TO F\nHello\nENDPRESS\n" * 30)
    assert sum(mail.to == "france@example.org" for mail in mails) == 30


def test_a_message_that_holds_the_beginning_of_another_is_not_sent(heron: DeskAtWork):
    """Its end was forgotten: what is for Italy would go to Turkey."""
    for begins in ("PRESS TO Italy", "Press to Italy:", "BROADCAST", "PRESS GREY TO IE"):
        text = f"PRESS TO Turkey\nItaly must die.\n{begins}\nLet us be friends.\nENDPRESS"
        (mail,) = heron.would_write("france@example.org", f"SIGNON Fheron pwfrance\n{text}")
        assert mail.to == "france@example.org"
        assert f'"{begins}" starts another message inside this one, so nothing was sent' in mail.flat


def test_a_message_may_speak_of_press(heron: DeskAtWork):
    text = "PRESS TO Turkey\npress to the south, and\nPress to win.\nENDPRESS"
    mails = heron.writes("france@example.org", f"SIGNON Fheron pwfrance\n{text}")
    assert "turkey@example.org" in [mail.to for mail in mails]


def test_a_message_under_a_heading_of_its_own_is_not_dropped_in_silence(heron):
    for heading in ("Message to England:", "note to E and G:", "To England:"):
        reply = heron.would_reply("france@example.org", f"SIGNON Fheron pwfrance\n{heading}\nHello\n")
        assert reply.first_line.startswith("1 line refused."), heading
        assert "Nothing was sent: write PRESS TO <powers>, then the text, then ENDPRESS" in reply.flat
    for heading in ("BROADCAST: Hello all", "PRESS: Hello all"):
        reply = heron.would_reply("france@example.org", f"SIGNON Fheron pwfrance\n{heading}\nA PAR - BUR\n")
        assert reply.first_line.startswith(f"Your message was NOT sent: {heading}."), heading
    for heading in ("MESSAGE TO E", "MSG ENGLAND", "MAIL E, G", "DM E", "SEND TO England", "WRITE TO E AND G"):
        reply = heron.would_reply(
            "france@example.org", f"SIGNON Fheron pwfrance\n{heading}\nF BRE - ENG?\nF BRE - ENG\nEND"
        )
        assert reply.first_line.startswith(f"Your message was NOT sent: {heading}."), heading
        assert "Fleet Brest, no order" in reply.flat, heading
    assert named(press(heron, "PRESS TO: England")) == "E"
    for prose in ("To the judge:", "Message to judge:", "to Burgundy we go", "NOTE TO JUDGE", "SEND ME THE MAP"):
        reply = heron.would_reply("france@example.org", f"SIGNON Fheron pwfrance\n{prose}")
        assert "Nothing was sent" not in reply.flat


def test_sentences_in_capitals_are_no_commands_in_press_without_an_end(heron):
    text = "WE SHOULD TALK.\nI AGREE TO A DRAW.\nI NEED MORE TIME.\nAWAY UNTIL MONDAY.\nTELL ENGLAND THAT I HOLD."
    mails = heron.writes("france@example.org", f"SIGNON Fheron pwfrance\nPRESS TO G\n{text}")
    (told,) = [mail.text for mail in mails if mail.to == "germany@example.org"]
    assert all(line in told for line in text.split("\n"))


def test_a_province_is_no_reader_but_its_owner_is_suggested(heron: DeskAtWork) -> None:
    for named, said in (
        ("London", "England has London. Write PRESS TO England."),
        ("Germany and London", "England has London. Write PRESS TO Germany and England."),
        ("Belgium", "Write PRESS TO Austria, England or PRESS TO AE"),
    ):
        reply = heron.would_reply(
            "france@example.org", f"SIGNON Fheron pwfrance\nPRESS TO {named}\nhi\nENDPRESS\n"
        ).flat
        place = named.split()[-1]
        assert f'"{place}" is a province, not a power, so nothing was sent. {said}' in reply


def test_a_text_on_the_line_of_press_is_answered_with_the_line_to_write(heron: DeskAtWork) -> None:
    for written, line in (
        ("Germany: hello there", "PRESS TO Germany."),
        ("Germany, Italy: hello", "PRESS TO Germany, Italy."),
        ("GERMANY, hello", "PRESS TO GERMANY."),
        ("Italy and Belgium", "PRESS TO Italy."),
        ("ALL -E", "PRESS TO Austria, England or"),
        ("E re: G", "PRESS TO Austria, England or"),
    ):
        reply = heron.would_reply("france@example.org", f"SIGNON Fheron pwfrance\nPRESS TO {written}\nhi\nENDPRESS\n")
        assert "Your message was NOT sent" in reply.flat and f"Write {line}" in reply.flat, reply.text
