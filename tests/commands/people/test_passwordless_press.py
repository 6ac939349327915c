"""A reply to a mail with press is press itself: for those who play without a password, and only where nothing else can
be meant.
"""

from base64 import encodebytes
from datetime import timedelta
from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.people.test_passwordless import FORGED, VERIFIED, mail_to, orders, verified

SERVER = {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org", "JUDGE_GAMES_EARLY_DELAY": "600"}
FRANCE, GERMANY, ITALY, KIM = (f"{name}@example.org" for name in ("france", "germany", "italy", "kim"))
AS_GERMANY = "SIGNON Gheron pwgermany\n"
QUOTE = "\n\nOn Mon, 4 May 2026 at 12:00, heron (JUDG) wrote:\n> Press from Germany to France:\n>\n> Hello.\n"


@pytest.fixture
def heron(tmp_path: Path) -> DeskAtWork:
    """White and grey press, and France plays without the password."""
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_all("heron", "standard", "SET WHITE/GREY")
    choose = "SIGNON Fheron pwfrance\nSET PASSWORDLESS ON"
    desk.goes_on("France plays without the password", lambda: verified(desk, FRANCE, choose))
    return desk


def press_for_france(desk: DeskAtWork, command: str = "PRESS TO France") -> str:
    """The Message-ID of the mail in which Germany's press reaches France."""
    desk.writes(GERMANY, f"{AS_GERMANY}{command}\nHello.\nENDPRESS")
    return mail_to(desk, FRANCE)


def replied(desk: DeskAtWork, text: str, answering: str, *, tried: bool = False) -> tuple[Posted, dict[str, Posted]]:
    """What France is told, and what others get; `tried`: it is undone."""
    writes = desk.would_write if tried else desk.writes
    mails = writes(FRANCE, text, answering=answering, headers=VERIFIED)
    (told,) = [mail for mail in mails if mail.to == FRANCE]
    return told, {mail.to: mail for mail in mails if mail is not told}


def test_a_reply_reaches_the_writer_and_nobody_else(heron: DeskAtWork) -> None:
    told, others = replied(heron, f"Shall we?\n\n-- by the river, Fay{QUOTE}", press_for_france(heron, "PRESS TO FI"))
    assert told.first_line == "Your reply in heron was sent to Germany."
    assert "  | Shall we?\n" in told.text and "This was done without your password." in told.text
    assert others.keys() == {GERMANY}
    mail = others[GERMANY]
    assert mail.first_line == "Press from France to Germany:" and "Press from F to G" in mail.subject
    assert "Shall we?" in mail.text and "Hello." not in mail.text and "wrote:" not in mail.text
    assert "Shall we?" in heron.replies(FRANCE, "SIGNON Fheron pwfrance\nHISTORY BROAD").text
    assert "Shall we?" not in heron.replies(ITALY, "SIGNON Iheron pwitaly\nHISTORY BROAD").text


def test_reply_all_goes_to_all_who_had_it(heron: DeskAtWork) -> None:
    answering = press_for_france(heron, "PRESS TO FI, M")
    told, others = replied(heron, f"PRESS REPLY ALL\nShall we?{QUOTE}", answering)
    assert others.keys() == {GERMANY, ITALY, KIM}
    assert {mail.first_line for mail in others.values()} == {"Press from France to Germany, Italy, the master:"}
    assert "PRESS REPLY" not in others[ITALY].text and "Germany, Italy and the master" in told.first_line


def test_a_broadcast_is_answered_to_its_writer_or_to_everybody(heron: DeskAtWork) -> None:
    answering = press_for_france(heron, "BROADCAST")
    _, others = replied(heron, "Only you.", answering)
    assert others.keys() == {GERMANY}
    _, others = replied(heron, "PRESS REPLY ALL\nAll of you.", answering)
    assert len(others) == 7 and others[ITALY].first_line == "Broadcast from France:"


@pytest.mark.parametrize("text", ["Shall we?", "PRESS REPLY ALL\nShall we?"])
def test_grey_stays_grey(heron: DeskAtWork, text: str) -> None:
    """Neither learns who the other is, also not from HISTORY, or by who is missing in a list."""
    answering = press_for_france(heron, "PRESS GREY TO FI")
    told, others = replied(heron, text, answering)
    every = text.startswith("PRESS")
    assert others.keys() == ({GERMANY, ITALY} if every else {GERMANY})
    names = "France, Italy, " if every else ""
    assert told.flat.startswith(f"Your reply in heron was sent to {names}whoever wrote the grey press.")
    for mail in others.values():
        assert mail.first_line == f"Press to {names}whoever wrote the grey press:"
        assert "from" not in mail.subject and "G" not in mail.subject.rpartition("Press")[2].replace("GREY", "")
    for reader, signon in ((FRANCE, "SIGNON Fheron pwfrance"), (ITALY, "SIGNON Iheron pwitaly")):
        assert "Germany" not in heron.replies(reader, f"{signon}\nHISTORY BROAD").text.partition("Press")[2]


def test_that_a_grey_writer_has_left_is_not_told(heron: DeskAtWork) -> None:
    answering = press_for_france(heron, "PRESS GREY TO France")
    heron.writes(GERMANY, f"{AS_GERMANY}RESIGN heron")
    told, others = replied(heron, "Shall we?", answering)
    assert told.first_line == "Your reply in heron was sent to whoever wrote the grey press." and not others


@pytest.mark.parametrize(("who", "letter", "why"), [
    (GERMANY, f"{AS_GERMANY}RESIGN heron", "has left the game"),
    (KIM, "SIGNON Mheron gm\nSET GREY", "This game allows grey press only"),
])  # fmt: skip
def test_what_the_game_does_not_allow_any_more_is_not_sent(heron: DeskAtWork, who: str, letter: str, why: str) -> None:
    answering = press_for_france(heron)
    heron.writes(who, letter)
    told, others = replied(heron, "Shall we?", answering)
    assert "was not sent" in told.first_line and why in told.flat and "  | Shall we?" in told.text and not others


def test_a_reply_keeps_to_the_times_of_press(heron: DeskAtWork) -> None:
    heron.writes(KIM, "SIGNON Mheron gm\nSET GRACE 24, NO LATE PRESS\nPROCESS!")
    answering = press_for_france(heron)
    heron.now = heron.phase().deadline_at
    heron.ring(heron.now)
    told, others = replied(heron, "Shall we?", answering)
    assert "late players cannot write press. Send your orders first" in told.flat and not others


def test_a_reply_that_was_damaged_is_not_sent(heron: DeskAtWork) -> None:
    """Its words and those that it quotes cannot be told apart."""
    body = encodebytes(f"Shall we?{QUOTE}".encode()).decode().replace("\n", "#\n", 1)
    head = {
        **VERIFIED, "From": FRANCE, "To": "judge@example.org", "Message-ID": "<damaged@example.org>",
        "In-Reply-To": press_for_france(heron), "Content-Transfer-Encoding": "base64",
    }  # fmt: skip
    fields = "".join(f"{name}: {value}\n" for name, value in head.items())
    mails = heron.receives(f"{fields}\n{body}".encode())
    assert [mail.to for mail in mails] == [FRANCE] and "was damaged on its way" in mails[0].flat


def test_a_line_that_may_be_for_the_judge_stops_all(heron: DeskAtWork) -> None:
    """It is neither sent nor done."""
    answering = press_for_france(heron)
    for line in (
        "A MAR - SPA", "a mar s a par - bur", "F BRE H", "SET WAIT", "WAIT", "HELP", "LIST", "DRAW", "CLEAR",
        "BROADCAST", "PRESS TO Italy", "STATUS heron", "REGISTER", "A PAR -", "SIGNOFF", "UNSUBSCRIBE heron",
    ):  # fmt: skip
        told, others = replied(heron, f"Dear friend,\n{line}\nTrust me.{QUOTE}", answering, tried=True)
        assert "was not sent, and nothing else was done" in told.flat and "reads as" in told.flat
        assert "If it is for the judge, send it after" in told.text
        assert f"  | {line}\n  | Trust me." in told.text and "PRESS TO" in told.text and "SIGNON Fheron" in told.text
        assert not others


def test_what_is_not_surely_the_sender_s_own_is_not_sent(heron: DeskAtWork) -> None:
    answering = press_for_france(heron)
    for text in (
        QUOTE, f"{QUOTE}\nShall we?", "> Shall we?",
        "Shall we?\n\n:: Judge: JUDG  Game: heron  Variant: Standard Diplomacy",
        "Shall we?\nSIGNON Fheron <your password>",
    ):  # fmt: skip
        for mail in heron.writes(FRANCE, text, answering=answering, headers=VERIFIED):
            assert mail.to == FRANCE and "was sent to" not in mail.flat
    assert orders(heron) == []


def test_a_vacation_note_is_not_press(heron: DeskAtWork) -> None:
    """It would tell who plays there. Its writer can send it all the same."""
    answering = press_for_france(heron)
    for subject, note in (
        ("Re: JUDG:heron", "I am out of the office until 5 June.\nIn urgent cases call Fay Roe, +44 20 7946 0018."),
        ("Re: JUDG:heron", "Ich bin bis zum 5. Juni nicht im Büro.\n\nFay Roe\nTel. 0241 4711"),
        ("AW: JUDG:heron", "Bonjour,\nJe suis absente jusqu'au 5 juin."),
        ("Out of office Re: JUDG:heron", "Call Fay Roe."), ("Abwesenheit", "Fay Roe, Tel. 0241 4711"),
        ("Re: JUDG:heron", "Estoy fuera de la oficina hasta el lunes."),
    ):  # fmt: skip
        how = {"subject": subject, "answering": answering, "headers": VERIFIED}
        (told,) = heron.would_write(FRANCE, f"{note}{QUOTE}", **how)
        assert told.to == FRANCE and "looks like an automatic reply" in told.flat and "was not sent" in told.first_line
        assert "PRESS TO" in told.text and "ENDPRESS" in told.text
    mails = heron.writes(FRANCE, f"SIGNON Fheron\nPRESS TO Germany\n{note}\nENDPRESS", headers=VERIFIED)
    assert note in next(mail.text for mail in mails if mail.to == GERMANY)


def test_nothing_quoted_is_carried(heron: DeskAtWork) -> None:
    """Also not the rest of a long quoted line that a mail program has wrapped."""
    long = "x" * 30 + " " + "y" * 40
    text = f"Yes.\n> {long}\nsecret rest\nAnd no.{QUOTE}\n-----Original Message-----\nsecret"
    _, others = replied(heron, text, press_for_france(heron))
    assert "Yes." in others[GERMANY].text and "And no." in others[GERMANY].text
    assert "secret" not in others[GERMANY].text and "yyy" not in others[GERMANY].text


@pytest.mark.parametrize("headers", [{}, FORGED], ids=["not verified", "forged"])
def test_what_is_not_verified_is_not_sent(heron: DeskAtWork, headers: dict[str, str]) -> None:
    mails = heron.writes(FRANCE, "Shall we?", answering=press_for_france(heron), headers=headers)
    assert all(mail.to == FRANCE and "was sent" not in mail.text for mail in mails)


def test_a_line_that_may_be_a_bid_stops_all(tmp_path: Path) -> None:
    """After SIGNON it is a bid that cannot be read; so it must not reach the writer of the press either."""
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_all("swan", "1648", "SET WHITE/GREY")
    verified(desk, FRANCE, "SIGNON france@swan pwfrance\nSET PASSWORDLESS ON")
    desk.writes("spain@example.org", "SIGNON spain@swan pwspain\nPRESS TO France\nHello.\nENDPRESS")
    for line in ("my points on this: A SWI S A MAR - SAV", "2 A SWI S A MAR - SAV"):
        told, others = replied(desk, f"Dear friend,\n{line}\nTrust me.{QUOTE}", mail_to(desk, FRANCE), tried=True)
        assert "reads as an order" in told.flat and not others


@pytest.mark.parametrize("text", [
    "I agree to a draw in Fall.", "I need more time for that.", "To be clear: Burgundy stays empty.",
    "Tell England that we are friends.", "May I have an extension of our pact?",
])  # fmt: skip
def test_sentences_that_could_be_meant_for_the_judge_are_press(heron: DeskAtWork, text: str) -> None:
    told, others = replied(heron, f"{text}{QUOTE}", press_for_france(heron))
    assert told.first_line == "Your reply in heron was sent to Germany." and text in others[GERMANY].text


@pytest.mark.parametrize("gunboat", [True, False])
def test_in_a_gunboat_game_a_reply_that_names_its_writer_is_asked_back(tmp_path: Path, gunboat: bool) -> None:
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_all("heron", "standard", f"SET WHITE/GREY{', GUNBOAT' * gunboat}")
    choose = "REGISTER\nName: Fay Will Roe\nEND\nSIGNON Fheron pwfrance\nSET PASSWORDLESS ON"
    verified(desk, FRANCE, choose)
    answering = press_for_france(desk)
    for text in (
        "Shall we?\nFay", "Shall we?\n\nBest regards,\n- Fay -", "Shall we?\nYours, Fay", "Shall we? Fay",
        "fay\nShall we?", "Roe", "I am Fay Will Roe, you know.", "FAY WILL ROE here.",
        "Write to me: france@example.org, friend.", "Cheers, Fay\nP.S. Trust me.",
    ):  # fmt: skip
        told, others = replied(desk, f"{text}{QUOTE}", answering, tried=True)
        if gunboat:
            assert "Your text names you. To send the text" in told.flat and not others, text
        else:
            assert others.keys() == {GERMANY}, text
    for text in ("Shall we? I hope you will", "Fay and Roe are words to me", "Will you?", "Yours,\nFrance"):
        _, others = replied(desk, f"{text}{QUOTE}", answering, tried=True)
        assert others.keys() == {GERMANY}, text


def test_what_a_mail_program_writes_is_not_press(heron: DeskAtWork) -> None:
    """It is answered once, and tells no one who plays there."""
    answering = press_for_france(heron)
    for subject, text in (
        ("Re: JUDG:heron", "👍 Jo Realname reacted via Gmail"),
        ("Re: JUDG:heron", "Jo Realname reacted to your message:\n👍"),
        ("Re: JUDG:heron", "❤️ Jo Realname reacted to your email"),
        ("Re: JUDG:heron", "Jo Realname liked your message."),
        ("Re: JUDG:heron", "Liked “Hello.”"),
        ("Re: JUDG:heron", "Loved \"Hello.\""),
        ("Re: JUDG:heron", "Jo Realname hat auf Ihre Nachricht reagiert"),
        ("Re: JUDG:heron", "👍 Jo Realname a réagi via Gmail"),
        ("Read: JUDG:heron", "Your message\n   To: Jo Realname\n   Subject: JUDG:heron\nwas read on Mon 4 May 2026."),
        ("Re: JUDG:heron", "Your message\n   To: Jo Realname\n   Subject: JUDG:heron\nwas read on Mon 4 May 2026."),
        ("Read: JUDG:heron", "Jo"),
        ("Gelesen: JUDG:heron", "Ihre Nachricht an Jo Realname wurde am 4. Mai gelesen."),
        ("Lu : JUDG:heron", "Votre message a été lu le 4 mai."),
        ("Return Receipt (displayed) - JUDG:heron", "This is a Return Receipt for the mail that you sent to Jo."),
        ("Recall: JUDG:heron", "Jo Realname would like to recall the message, \"JUDG:heron\"."),
        ("Re: JUDG:heron", "Jo Realname would like to recall the message, \"JUDG:heron\"."),
        ("Accepted: JUDG:heron", "See you there, Jo."),
        ("Tentative: JUDG:heron", "Jo Realname"),
        ("Declined: JUDG:heron", "Jo Realname has declined this invitation."),
        ("Re: JUDG:heron", "Jo Realname has accepted this invitation."),
        ("Re: JUDG:heron", "Your message to jo@example.org is being held. To deliver it, click on the link below."),
        ("Verify", "I use a spam filter. Please prove that you are human: https://example.com/c?17\nJo Realname"),
        ("Re: JUDG:heron", "Your email requires verification. You only need to do this once.\nJo"),
        ("Re: JUDG:heron", "My address has changed. Please write to jo.realname@example.com."),
        ("Re: JUDG:heron", "My email address has changed to jo.realname@example.com"),
        ("Re: JUDG:heron", "Please note my new email address: jo.realname@example.com."),
        ("Re: JUDG:heron", "This mailbox is no longer monitored. Jo Realname no longer works here."),
        ("Re: JUDG:heron", "Meine E-Mail-Adresse hat sich geändert: jo.realname@example.com"),
    ):  # fmt: skip
        how = {"subject": subject, "answering": answering, "headers": VERIFIED}
        (told,) = heron.would_write(FRANCE, f"{text}{QUOTE}", **how)
        assert told.to == FRANCE and "was not sent" in told.first_line, text
        assert "looks like an automatic reply" in told.flat, text


@pytest.mark.parametrize("text", [
    "I liked your message. Shall we?", "We reacted to your message too late, I am sorry.", "Read my lips: no.",
    "Your message was good to read on the train.", "He accepted it.", "I have read it.", "Yes 👍",
    "He disliked the message that I sent you.", "I would like to recall our pact.",
])  # fmt: skip
def test_what_people_write_of_messages_is_press(heron: DeskAtWork, text: str) -> None:
    told, others = replied(heron, f"{text}{QUOTE}", press_for_france(heron))
    assert told.first_line == "Your reply in heron was sent to Germany." and text in others[GERMANY].text


def test_a_note_of_a_mail_program_about_no_press_is_answered_once_an_hour(heron: DeskAtWork) -> None:
    """A filter that asks who wrote our answer would be answered for ever."""
    note = "Your email requires verification. Please prove that you are human: https://example.com/c?17"
    answers = [len(heron.writes(FRANCE, note, subject="Verify")) for _ in range(3)]
    assert answers == [1, 0, 0]


def test_of_notes_to_press_one_an_hour_is_answered(heron: DeskAtWork) -> None:
    answering = press_for_france(heron)

    def written(text: str) -> int:
        return len(heron.writes(FRANCE, f"{text}{QUOTE}", answering=answering, headers=VERIFIED))

    notes = "👍 Jo Realname reacted via Gmail", "❤️ Jo Realname reacted via Gmail", "Liked “Hello.”"
    assert [written(note) for note in notes] == [1, 0, 0]
    assert written("Shall we?") == 2
    heron.now += timedelta(hours=1)
    assert written("Liked “Shall we?”") == 1


REACTION = "text/vnd.google.email-reaction+json", ""
RFC_9078 = "text/plain; charset=utf-8", "Content-Disposition: reaction\n"
CALENDAR = "BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR"


@pytest.mark.parametrize(("kind", "field", "part"), [
    (*REACTION, '{"emoji": "👍", "version": 1}'), (*RFC_9078, "👍"), ("text/calendar; charset=utf-8", "", CALENDAR),
    ("text/calendar; method=REPLY", "", "BEGIN:VCALENDAR"), ("TEXT/Calendar; method=counter", "", ""),
    ("application/ics", "Content-Disposition: attachment; filename=invite.ics\n", CALENDAR),
])  # fmt: skip
@pytest.mark.parametrize("within", ["alternative", "mixed"])
def test_what_a_button_of_a_mail_program_sends_is_passed_over(
    heron: DeskAtWork, kind: str, field: str, part: str, within: str
) -> None:
    answering = press_for_france(heron)
    text = f"👍 Jo Realname{QUOTE}"
    head = {
        **VERIFIED, "From": FRANCE, "To": "judge@example.org", "Message-ID": "<b@example.org>",
        "In-Reply-To": answering, "Subject": "Re: JUDG:heron", "MIME-Version": "1.0",
        "Content-Type": f"multipart/{within}; boundary=xx",
    }  # fmt: skip
    fields = "".join(f"{name}: {value}\n" for name, value in head.items())
    first = f"--xx\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"
    parts = f"{first}--xx\nContent-Type: {kind}\n{field}\n{part}\n--xx--\n"
    assert heron.would_receive(f"{fields}\n{parts}".encode()) == []
    signed = parts.replace("👍 Jo Realname", "SIGNON Fheron pwfrance\nA PAR - BUR")
    assert "Army Paris -> Burgundy." in heron.would_receive(f"{fields}\n{signed}".encode())[0].text


def test_a_calendar_that_is_sent_or_forwarded_is_no_answer(heron: DeskAtWork) -> None:
    inner = f"Content-Type: text/calendar; method=REPLY\n\n{CALENDAR}\n"
    for kind, part in (("text/calendar; method=PUBLISH", "BEGIN:VCALENDAR\nMETHOD:PUBLISH"), ("message/rfc822", inner)):
        head = {
            **VERIFIED, "From": FRANCE, "To": "judge@example.org", "Message-ID": "<c@example.org>",
            "In-Reply-To": press_for_france(heron), "MIME-Version": "1.0",
            "Content-Type": "multipart/mixed; boundary=xx",
        }  # fmt: skip
        fields = "".join(f"{name}: {value}\n" for name, value in head.items())
        parts = f"--xx\n\nShall we?\n--xx\nContent-Type: {kind}\n\n{part}\n--xx--\n"
        assert GERMANY in [mail.to for mail in heron.would_receive(f"{fields}\n{parts}".encode())]
