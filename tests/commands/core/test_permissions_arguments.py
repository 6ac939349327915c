"""A command with a wrong argument, or in other words, is answered with the line to send; settings can be taken back."""

import re
from itertools import product

import pytest

from judge.commands.command_table import COMMANDS
from judge.commands.core.command import Command
from tests.commands.deskatwork import DeskAtWork

KIM, FRANCE = "kim@example.org", "france@example.org"
AS_KIM = "SIGNON Mheron gm\n"


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_seven()
    return desk


WRONG = """
    REFUSE abc                => Write REFUSE <code> or REFUSE <address>.
    REJECT abc def            => Write REFUSE <code> or REFUSE <address>.
    APPROVE a1b2c3d4e5f       => Write APPROVE <code> or APPROVE <address>.
    APPROVE Hans              => Write APPROVE <code> or APPROVE <address>.
    PROCESS Spring            => Write PROCESS [<phase>].
    process Spring            => Write PROCESS [<phase>].
    PROCESS the phase now     => Write PROCESS [<phase>].
    PREDICT abc               => Write PREDICT.
    ROLLBACK -1               => Write ROLLBACK [<phase or turn>].
    ROLLBACK to the spring    => Write ROLLBACK [<phase or turn>].
    EJECT                     => Write EJECT
    EJECT 5                   => Write EJECT
    EJECT jo@                 => Write EJECT
    EJECT jo@a..b             => "jo@a..b" is not an address. Write EJECT jo@example.org.
    DENY jo@a,b               => "jo@a,b" is not an address. Write DENY jo@example.org.
    PROMOTE jo@a..b           => "jo@a..b" is not an address. Write PROMOTE jo@example.org.
    APPROVE jo@a..b           => "jo@a..b" is not an address. Write APPROVE jo@example.org.
    SET ADDRESS jo@a..b       => "jo@a..b" is not an address. Write SET ADDRESS jo@example.org.
    SET DISORDER Spain        => "Spain" is not
    SET GAME ZONE Burgundy    => "Burgundy" is not a time zone.
    PAUSE Friday              => Write PAUSE.
    UNSTART all               => Write UNSTART.
    FORCE BEGIN now           => Write FORCE BEGIN.
    SET MAXABSENCE 100        => up to 31 days
    SET MAXABSENCE -1         => up to 31 days
    SET MAXABSENCE 5000       => up to 31 days
    SET EXTENSIONS 21         => from 0 to 20 extensions
    SET EXTENSIONS -1         => from 0 to 20 extensions
    SET EXTENSIONS 1000       => from 0 to 20 extensions
    SET RELIABILITY 1000%     => from 0% to 100%
    SET RELIABILITY -5        => from 0% to 100%
"""


def test_a_command_with_a_wrong_argument_gets_its_form(heron: DeskAtWork) -> None:
    heron.expects(KIM, AS_KIM, WRONG)


@pytest.mark.parametrize("code", ["a1b2c3d4e5f", "a1b2c3d4e5f6a", "abc"])
def test_a_code_with_a_letter_lost_is_no_email_without_a_command(heron: DeskAtWork, code: str) -> None:
    """It is written above all sign-ons, as the mail has it."""
    for word in ("APPROVE", "REFUSE"):
        reply = heron.would_reply(KIM, f"{word} {code}").flat
        assert "copy the whole line with the code" in reply


WISHES = """\
DEADLINE Fri 21:00
Deadline: Friday 21:00
Deadline Friday
New deadline: Friday 21:00
New deadline = 8 May
The deadline is Friday 21:00
The new deadline is May 8, 21:00
Set the deadline to Friday 21:00
Move the deadline to Friday
Please change the deadline to tomorrow
EXTEND Fri 21:00
Extend to Friday 21:00
EXTEND until Monday
Extend the deadline to 2026-05-12 21:00
Postpone to next week""".splitlines()


def test_a_deadline_in_other_words_gets_the_line_to_send(heron: DeskAtWork) -> None:
    for line in WISHES:
        reply = heron.would_reply(KIM, AS_KIM + line)
        assert "SET DEADLINE Fri 21:00" in reply.flat and reply.first_line.startswith("1 line refused"), line


def test_such_words_are_text_in_a_message(heron: DeskAtWork) -> None:
    text = "\n".join(WISHES)
    mails = heron.would_write(FRANCE, f"SIGNON Fheron pwfrance\nPRESS TO M\n{text}")
    assert all(line in mails[0].text for line in WISHES) and "not carried out" not in mails[-1].flat


def test_a_setting_in_a_broadcast_is_named(heron: DeskAtWork) -> None:
    text = "BROADCAST\nWe all need time.\nSET DEADLINE Fri 21:00\nMap out your moves.\nENDBROADCAST"
    reply = heron.replies(KIM, AS_KIM + text).flat
    assert 'The line "SET DEADLINE Fri 21:00" was sent, not carried out' in reply
    assert "not carried out" not in heron.would_reply(KIM, AS_KIM + text.replace("SET DEADLINE", "the end:")).flat


def documented() -> list[tuple[str, str]]:
    """Each setting that is a word, as HELP has it, and its opposite where there is one."""
    forms = [form.strip() for command in COMMANDS if isinstance(command, Command) and command.names == ("SET",)
             for form in command.arguments.split("|")]  # fmt: skip
    found = []
    for form in forms:
        word = re.sub(r"^\[NO\] ?", "", form)
        optional = re.findall(r"\[(\w+)\]", word)
        for given in product((False, True), repeat=len(optional)):
            written = re.sub(r" \[(\w+)\]", r" \1" if any(given) else "", word)
            found.append((written, "NO" + " " * form.startswith("[NO] ") + written if form != word else ""))
    return found


# What nobody may take back or set while others are as they are.
OPPOSITES = {"MODERATED": "UNMODERATED", "UNMODERATED": "MODERATED", "MANUALSTART": "AUTOSTART",
             "MANUALPROCESS": "AUTOPROCESS", "REVEAL": "NOREVEAL"}  # fmt: skip


def test_every_setting_can_be_set_unset_and_set_again(desk: DeskAtWork) -> None:
    """Each in one letter, whose reply tells first if a line is refused."""
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm standard")
    for word, opposite in documented():
        opposite = opposite or OPPOSITES.get(word, "")
        on_and_off = [f"{word} ON", f"{word} OFF"] * bool(opposite)
        lines = [f"SET {line}" for line in filter(None, (word, opposite, word, *on_and_off))]
        reply = desk.would_reply(KIM, AS_KIM + "\n".join(lines))
        assert not re.search("refused|not understood", reply.first_line), (word, reply.text)


def test_press_without_a_colour_is_grey_where_all_press_is(heron: DeskAtWork) -> None:
    heron.writes(KIM, f"{AS_KIM}SET GREY")
    for command in ("PRESS TO G", "BROADCAST", "PRESS TO ALL BUT I", "PRESS GREY TO G", "PRESS TO G, M"):
        mails = heron.would_write(FRANCE, f"SIGNON Fheron pwfrance\n{command}\nhello\nENDPRESS")
        (got,) = [mail for mail in mails if mail.to == "germany@example.org"]
        reply = next(mail for mail in mails if mail.answers).flat
        assert "hello" in got.text and "from F" not in got.text + got.subject
        assert ("does not name you" in reply) is ("GREY" not in command)
    refused = heron.would_reply(FRANCE, "SIGNON Fheron pwfrance\nPRESS WHITE TO G\nhello\nENDPRESS").flat
    assert "grey press only" in refused and "NOT sent" in refused
    named = heron.would_write(FRANCE, "SIGNON Fheron pwfrance\nPRESS TO M\nhello\nENDPRESS")
    assert "Press from France to the master" in next(mail.text for mail in named if mail.to == KIM)
    by_master = heron.would_write(KIM, f"{AS_KIM}BROADCAST\nhello\nENDBROADCAST")
    assert "Broadcast from the master" in next(mail.text for mail in by_master if mail.to == FRANCE)
