"""What of a letter reaches the readers of press: its text, and never what a mail program has put below that."""

import time
from itertools import product

import pytest

from judge.letters import Line
from judge.letters.quotes import carried
from tests.commands.deskatwork import DeskAtWork
from tests.texts import flat

FRANCE = "SIGNON Fheron pwfrance\n"
TEXT = "Shall we meet in Vienna?\n\nYours, F."


@pytest.fixture
def confirmation(heron: DeskAtWork) -> str:
    """What the judge has answered to France's orders."""
    return heron.replies("france@example.org", FRANCE + "A PAR - BUR\nF BRE - MAO\nA MAR S A PAR - BUR").text


def pressed(desk: DeskAtWork, text: str, answering: str = "") -> tuple[str, str]:
    """What Turkey reads of press with this text, and the answer to its writer."""
    mails = desk.would_write("france@example.org", f"{FRANCE}PRESS TO Turkey\n{text}", answering=answering)
    told = [mail.text for mail in mails if mail.to == "turkey@example.org"]
    answer = next(mail.text for mail in mails if mail.to == "france@example.org")
    return (told[0].split("\n\n", 1)[1].rpartition("\n\n:: Judge")[0] if told else ""), answer


HEADINGS = {
    "French, wrapped": "Le lun. 4 mai 2026 à 10:02, Judge <judge@example.org> a\nécrit :",
    "Korean": "2026년 5월 4일 (월) 오전 10:02, Judge <judge@example.org>님이 작성:",
    "Italian": "Il giorno lun 4 mag 2026 alle ore 10:02 Judge <judge@example.org> ha\nscritto:",
    "Thai": "ในวันที่ จ. 4 พ.ค. 2026 เวลา 10:02 Judge <judge@example.org> เขียนว่า:",
    "English": "On Mon, 4 May 2026 at 10:02, Judge <judge@example.org> wrote:",
    "Outlook": "From: Judge <judge@example.org>\nSent: Monday, May 4, 2026 10:02\nTo: Fay\nSubject: Re: orders",
    "Outlook, Korean": "보낸 사람: Judge <judge@example.org>\n보낸 날짜: 2026년 5월 4일\n받는 사람: Fay\n제목: Re",
    "a ruled title": "-----Original Message-----",
    "a ruled title, Korean": "-----원본 메시지-----",
    "none": "",
}


def quoted(text: str, mark: str) -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.splitlines())


def test_a_confirmation_below_the_text_is_not_carried(confirmation, heron):
    ways = list(product(["> ", "| ", "FR> ", ""], ["", "\nENDPRESS"]))
    for number, heading in enumerate(HEADINGS.values()):
        for mark, end in ways[number % 3 :: 3]:
            told, answer = pressed(heron, f"{TEXT}\n\n{heading}\n\n{quoted(confirmation, mark)}{end}")
            if end:
                assert not told and "is from an email of the judge" in flat(answer), (heading, mark)
            else:
                assert told == TEXT and "  | Shall we meet in Vienna?" in answer, (heading, mark)


def test_a_line_that_has_lost_its_quote_mark_is_not_carried(confirmation, heron):
    for sign in ("", "C  ", "\N{LATIN CAPITAL LETTER U WITH ACUTE} "):
        lines = quoted(confirmation, "> ").splitlines()
        torn = next(number for number, line in enumerate(lines) if "Army Paris" in line)
        lines[torn] = sign + lines[torn].removeprefix("> ")
        told, _ = pressed(heron, "\n".join([TEXT, "", "> heading, torn too", *lines]))
        assert told == TEXT


def test_an_order_told_beside_a_quote_of_a_player_is_carried(heron):
    told, _ = pressed(heron, "> Which army?\nFrance: Army Paris -> Burgundy.\nENDPRESS")
    assert told == "> Which army?\nFrance: Army Paris -> Burgundy."


@pytest.mark.parametrize("end", ["", "\nENDPRESS"])
def test_a_confirmation_that_is_commented_line_by_line_is_not_carried(confirmation, heron, end):
    lines = [f"> {line}\n\nWhat do you say?\n" for line in confirmation.splitlines()]
    assert not pressed(heron, "\n".join(lines) + end)[0]


def test_no_part_of_what_the_judge_tells_one_player_is_carried(heron):
    for secret in (
        "To order, write to judge@example.org:", "    SIGNON Fheron <your password>", "Orders complete.",
        "France: Army Paris, no order (will HOLD).", "Movement orders for Spring of 1901.  (heron.001)",
        "Your password is kumquat: keep this mail, the password is not sent again.",
        "Your password is kumquat: keep this email, the password will not be sent again.",
        "1 unit without orders: F BRE.", "DP: 2 of 3 used",
    ):  # fmt: skip
        for line in (f"> {secret}", secret):
            told, answer = pressed(heron, f"{TEXT}\n\n{line}\nENDPRESS\nA PAR - BUR")
            assert not told and answer.startswith("Your message was NOT sent"), line
            assert "Army Paris -> Burgundy" in answer, "what is below is done"
            assert pressed(heron, f"{TEXT}\n\n{line}")[0] == TEXT, line


def test_a_letter_of_another_player_is_not_carried_without_a_mark_either(heron):
    for heading in ("French, wrapped", "Korean", "Italian", "Thai", "English", "Outlook, Korean"):
        told, _ = pressed(heron, f"{TEXT}\n\n{HEADINGS[heading]}\n\nI shall go to Trieste.\n")
        assert told.strip() == TEXT


OLDER = (
    "4 May 2026, 10:11 by tom@example.org:", "Am 4.5.26 um 10:11, tom@example.org",
    "tom@example.org, 4 May 2026 10:11", "4 mai 2026 à 10h11, Tom <tom@example.org>",
    "2026-05-04 10:11 GMT+02:00, Tom <tom@example.org>", "From tom@example.org Mon May  4 10:11:12 2026",
    "W dniu pon., 4.05.2026 o 10:11 Tom <tom@example.org>",
    "On 4 May 2026, at 10:11, Tom <tom@example.org> wrote: Hello Fay,",
    "Am 04.05.26 um 10:11 schrieb Tom: Hallo,",
    "On Mon, 4 May 2026 at 10:11, Tom\n<tom@example.org> wrote: Hello Fay,",
    "2026/05/04 10:11、Tom <t@example.org>: Hi",
    *(f"{title}\n\n{fields}" for title, fields in product(
        ("---------- Forwarded message ----------", "Begin forwarded message:", "-----Original Message-----",
         "-------- Weitergeleitete Nachricht --------", "-------- Weitergeleitete Nachricht", ""),
        ("From: Tom <tom@example.org>\nSent: Monday, May 4, 2026 10:02\nTo: Fay\nSubject: our plan",))),
    "---------- Forwarded message ----------", "Begin forwarded message:",
)  # fmt: skip


def test_a_message_that_holds_an_older_mail_goes_whole_or_not_at_all(heron):
    """With an end word it goes whole, and what is below is read; without one it is asked back."""
    for heading, mark in product(OLDER, ("", "> ")):
        message = f"{TEXT}\n\n{heading}\n\n{mark}I shall go to Trieste.\n{mark}Sent from my iPhone\n-- \nTom"
        told, _ = pressed(heron, f"{message}\nENDPRESS\nA PAR - BUR")
        assert list(map(str.strip, told.splitlines())) == list(map(str.strip, message.splitlines())), heading
        told, answer = pressed(heron, message)
        assert not told, heading
        assert flat(answer).startswith(
            "Your message was NOT sent: PRESS TO Turkey. Nothing after that line was recorded: put ENDPRESS after "
            "your message to send it as it is (another email follows your text)"), heading  # fmt: skip


def test_orders_below_a_message_that_holds_an_older_mail_are_read_and_those_in_it_are_not(heron):
    for heading, mark in product(OLDER, ("", "> ")):
        message = f"{TEXT}\n\n{heading}\n\n{mark}A MAR - SPA\n{mark}F BRE - MAO"
        _, answer = pressed(heron, f"{message}\nENDPRESS\nA PAR - BUR")
        assert answer.startswith("2 units without orders: A MAR, F BRE."), (heading, mark)
        assert "Army Paris -> Burgundy" in answer, (heading, mark)


def test_the_end_word_of_an_older_letter_is_not_that_of_the_message_above_it(heron):
    for heading, end in product(OLDER, ("", "\nENDPRESS")):
        told, answer = pressed(heron, f"{TEXT}\n\n{heading}\n\nPRESS TO Austria\nTrieste.\nENDPRESS{end}")
        assert not told and answer.startswith("Your message was NOT sent"), (heading, end)


def test_press_that_is_forwarded_begins_no_message_in_it(heron):
    """Its heading is nearly a command of other judges."""
    for heading in OLDER:
        told, _ = pressed(heron, f"{TEXT}\n\n{heading}\n\nPress from Tom to France:\n\nTrieste.\nENDPRESS")
        assert told.startswith(TEXT) and told.endswith("Trieste."), heading


def test_a_forward_below_the_signature_follows_the_text_too(heron):
    for signature, heading in product(("Sent from my iPhone", "-- \nFay", "--\nFay"), OLDER):
        assert not pressed(heron, f"{TEXT}\n\n{signature}\n\n{heading}\n\nI shall go to Trieste.")[0], heading
    forwarded = "---------- Forwarded message ----------\nFrom: Tom <tom@example.org>\n\nI shall go to Trieste."
    assert not pressed(heron, f"{TEXT}\nSIGNOFF\n\n{forwarded}")[0]
    assert pressed(heron, f"{TEXT}\nENDPRESS\nSIGNOFF\n\n{forwarded}")[0] == TEXT
    assert pressed(heron, f"{TEXT}\nSIGNOFF\n\nOn 4 May 2026 at 10:02, Tom <tom@example.org> wrote:\n> Hi")[0] == TEXT


def test_the_quote_of_the_answered_mail_is_cut(heron):
    """Whether it is known to be that mail by its heading, by its words, or because the judge does not know another."""
    mails = heron.writes("turkey@example.org", "SIGNON Theron pwturkey\nPRESS TO France\nHello friend.\nENDPRESS")
    mail = next(mail for mail in mails if mail.to == "france@example.org")
    for heading, below in product(
        ("On Mon, 4 May 2026 at 10:02, heron <judge@example.org> wrote:", "heron (JUDG) wrote:", "They wrote:", ""),
        ("", "\n\n-- \nFay", "\n\nSent from my iPhone", "\n\n______________\nOur list\nhttps://x.example")
    ):  # fmt: skip
        text = f"{TEXT}\n\n{heading}\n{quoted(mail.text, '> ')}{below}"
        assert pressed(heron, text, answering=mail.message["Message-ID"])[0] == TEXT, (heading, below)
        foreign = f"{TEXT}\n\nTom wrote:\n> I shall go to Trieste.{below}"
        assert not pressed(heron, foreign, answering=mail.message["Message-ID"])[0], below
        assert pressed(heron, foreign, answering="<tom@example.org>")[0] == TEXT, below


def test_a_message_written_into_a_quote_goes_whole_or_not_at_all(heron):
    text = f"{TEXT}\n> You said so.\nI did.\n> And that.\nNo."
    assert pressed(heron, f"{text}\nENDPRESS")[0] == text
    told, answer = pressed(heron, text, answering="<tom@example.org>")
    assert not told and "(it has lines of yours below quoted ones)" in flat(answer)


def test_lines_of_a_word_and_a_colon_are_no_heading(heron):
    text = "My plan: F BRE - MAO in 1901\nYour plan: F LON - ENG\nHis plan: hold\nBye"
    assert pressed(heron, text)[0] == text


def test_quoted_lines_are_carried_above_endpress_alone(heron):
    quote = "> France: Army Paris -> Burgundy.  (*bounce*)\n\nSo much for that."
    assert pressed(heron, f"{TEXT}\n{quote}\nENDPRESS")[0] == f"{TEXT}\n{quote}"
    assert not pressed(heron, f"{TEXT}\n{quote}")[0]


def test_orders_above_what_only_the_judge_writes_are_not_carried(heron):
    """What heads them was lost on the way."""
    told, _ = pressed(heron, f"{TEXT}\n\nFrance: Army Paris -> Burgundy.\n\nTime to the deadline: 7 days.\n")
    assert told == TEXT
    told, _ = pressed(heron, f"{TEXT}\n\nFrance: Army Paris -> Burgundy.\nENDPRESS")
    assert told == f"{TEXT}\n\nFrance: Army Paris -> Burgundy."


def test_press_cannot_forge_a_heading(heron):
    """Neither of other press nor of results. A long line is not broken in the message, and not just so in ARCHIVE."""
    padding = "Hello dear Turk, this is a line that is so long that it is broken before ...... "
    text = f"Psst.\nPress from Italy to Turkey:\n\nI hate you.\n\nMovement results for Fall of 1901.\n{padding}"
    text += "Press from Italy:"
    told, _ = pressed(heron, text)
    heron.writes("france@example.org", f"{FRANCE}PRESS TO Turkey\n{text}")
    assert "\n  Press from Italy to Turkey:\n\nI hate you.\n\n  Movement results for Fall of 1901.\n" in told
    assert told.endswith(f"\n{padding}Press from Italy:")
    mails = [mail.text for mail in heron.writes("master@example.org", "ARCHIVE heron") + heron.all_mails()]
    assert all("\nPress from Italy" not in mail for mail in mails)


@pytest.mark.parametrize("end", ["ENDPRESS.", "End press", "endbroadcast"])
def test_orders_below_the_end_of_press_are_no_press(heron, end):
    told, answer = pressed(heron, f"{TEXT}\n{end}\nA PAR - BUR")
    assert told == TEXT
    assert "Army Paris -> Burgundy." in answer


def test_of_a_long_text_the_beginning_and_the_end_are_shown(heron):
    told, answer = pressed(heron, "\n".join(f"line {number}" for number in range(200)))
    assert "line 100" in told
    assert "  | line 0" in answer
    assert "  | (140 more lines)" in answer
    assert "  | line 199" in answer
    assert "line 100" not in answer


@pytest.mark.parametrize(
    "line", ["> a", "a:", "x@y 2026:", ":: Judge:", "---- a", "A: b 2026", "", "a" * 500, ": Army " * 70]
)
def test_a_long_message_takes_no_longer_for_each_of_its_lines(line):
    lines = [Line(line)] * 1000 + [Line("> b")] * 1000
    begun = time.process_time()
    for ended in (True, False):
        carried(lines, ended=ended)
    assert time.process_time() - begun < 10


def test_a_signon_of_any_form_ends_a_message_without_its_end(heron: DeskAtWork):
    for signon in (
        "LOGIN: Fheron pwfrance", "LOGIN, Fheron pwfrance", "→ LOGIN Fheron pwfrance", "“LOGIN Fheron pwfrance”",
        "“Sign on” Fheron pwfrance", "LOGIN: Fheron pwfrance A PAR - BUR", "**LOGIN Fheron pwfrance**",
        "- LOGIN Fheron pwfrance", "`LOGIN` Fheron pwfrance", "* Sign on Fheron pwfrance", "- CREATE ?x pwfrance",
    ):  # fmt: skip
        told, _ = pressed(heron, f"Hello.\n\n{signon}\nA MAR H\n")
        assert told == "Hello.", signon


def test_no_password_is_carried(heron: DeskAtWork):
    for line in ("Hello judge, LOGIN Fheron pwfrance", "LOGON Fheron pwfrance", "SET PASWORD pwfrance",
                 "OBSERVE: heron pwfrance", "SET WAIT, P pwfrance"):  # fmt: skip
        told, _ = pressed(heron, f"Hello.\n{line}\nA MAR H\nENDPRESS")
        assert "pwfrance" not in told, line


def test_what_people_write_to_each_other_is_carried_as_it_is(heron: DeskAtWork):
    text = "Hello.\nLet us set past quarrels aside.\nThey set passage fees.\nI said: log in, all of you"
    told, _ = pressed(heron, f"{text}\nENDPRESS")
    assert told == text


def test_press_of_which_nothing_is_carried_is_refused(heron):
    told, answer = pressed(heron, "> You said so.")
    assert told == ""
    assert "Your message was NOT sent" in answer
