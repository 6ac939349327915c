"""What a small letter can bring forth: no more than one mail of a bounded size, and few to others."""

from datetime import timedelta

import pytest
from sqlmodel import Session, select

from judge.store.engine import transaction
from judge.store.tables import Mail
from tests.commands.deskatwork import DeskAtWork

pytestmark = pytest.mark.slow

FRANCE = "france@example.org"
KIM = "Kim Doe <kim@example.org>"
HUGE = "9" * 20


def test_the_same_question_is_answered_once_a_letter(desk: DeskAtWork):
    once = desk.replies("jo@example.net", "HELP\n").text
    assert desk.replies("jo@example.net", "HELP\nhelp.\n" + "HELP\n" * 98).text == once


def test_a_reply_holds_a_hundred_kilobytes(heron: DeskAtWork):
    """What is left out is named; it comes in a letter of its own."""
    text = heron.replies(FRANCE, "SIGNON Fheron pwfrance\n" + "HELP\n" * 99).text
    assert len(text.encode()) <= 100_200
    assert "> HELP" in text and "Send it again in another email." in " ".join(text.split())
    assert "A PAR ..." in text  # the form stands at the end as ever


def test_long_lines_are_not_repeated_whole(heron: DeskAtWork):
    letter = "".join(f"SIGNON Fheron pwfrance\n{'A QQQ H x' * 200}\n" for _ in range(90))
    assert len(heron.replies(FRANCE, letter).text.encode()) <= 100_200


def test_history_stops_at_a_full_reply_and_says_where_it_goes_on(heron: DeskAtWork):
    for number in range(4):
        heron.writes(FRANCE, f"SIGNON Fheron pwfrance\nPRESS TO G\nNumber {number}.\n" + f"{'word ' * 14}\n" * 500)
    first = heron.replies(FRANCE, "HISTORY heron FROM S1901M BROAD LINES 9999").text
    said = " ".join(first.split())
    assert len(first.encode()) <= 100_200 and "Number 0." in first and "Number 3." not in first
    assert "The rest did not fit into a reply. To see it, send HISTORY heron FROM 2026-05-" in said
    again = said.partition("To see it, send ")[2].partition(". ")[0]
    assert "Number 2." in heron.replies(FRANCE, again + " LINES 9999").text


def _tokens(session: Session, to: str) -> list[str]:
    mails = session.exec(select(Mail).where(Mail.recipient == to, Mail.kind == "token")).all()
    return [mail.secret or "" for mail in mails]


@pytest.mark.parametrize("line", ["FORGOT heron", f"I AM ALSO {FRANCE}"])
def test_the_same_token_comes_thrice_a_day_at_most(heron: DeskAtWork, line: str):
    sender = FRANCE if line.startswith("FORGOT") else "jo@example.net"
    replies = {heron.replies(sender, line).first_line for _ in range(8)}
    with transaction(heron.engine) as session:
        words = _tokens(session, FRANCE)
    assert len(words) == 3 and len(set(words)) == 1 and len(replies) == 1
    assert "refused" not in heron.replies(FRANCE, f"CONFIRM {words[0]}").text
    assert "That code is not valid" in heron.replies(FRANCE, f"CONFIRM {words[0]}").text


def test_no_number_overflows(heron: DeskAtWork):
    for line in (
        f"UNSUBSCRIBE {HUGE}-a", f"CONFIRM {HUGE}", f"STATUS {HUGE}", f"FORGOT {HUGE}", f"HISTORY heron LINES {HUGE}",
        f"HISTORY heron FROM {HUGE}", "HISTORY heron FROM 9999-12-31", "HISTORY heron FROM 0001-01-01",
        "HISTORY heron FROM S0M TO W9999A", f"HISTORY heron EXCLSTART S{HUGE}M", f"MAP heron S{HUGE}M",
    ):  # fmt: skip
        assert heron.would_write("jo@example.net", line)
    for line in (
        f"SET MOVE NEXT {HUGE}", f"SET MOVE NEXT {'9' * 400}", f"SET MOVE CLOCK {HUGE}", "SET MOVE CLOCK ²",
        f"SET GRACE {HUGE}", "SET GRACE 9999d", f"SET MOVE GRACE {HUGE}d", f"SET REMIND {HUGE}",
        f"SET MAXABSENCE {HUGE}", "SET DEADLINE 9999-12-31 23:59", "SET DEADLINE 0001-01-01", "SET DEADLINE Jan 1 0000",
        f"SET DEADLINE {HUGE}", "SET GRACE 9999-12-31", "SET START 9999-12-31", "SET ABSENCE 9999-12-31 TO 9999-12-31",
        f"SET VICTORY {HUGE}", "SET VICTORY 999", f"SET LAST YEAR {HUGE}", f"PROCESS S{HUGE}M", "ROLLBACK S0001M",
        f"ROLLBACK F{HUGE}M", "BECOME France\nPHASE F9999M\nA PAR H", f"BECOME France\nDP {HUGE}: A SWI H",
        f"BECOME France\nWAIVE {HUGE}",
    ):  # fmt: skip
        assert "invalid literal" not in heron.would_reply("kim@example.org", f"SIGNON Mheron gm\n{line}").text


# --- mails to others ------------------------------------------------------------------------------------------------


def test_nobody_joins_and_leaves_a_game_all_day(desk: DeskAtWork):
    """Everybody who waits in it is told once; tomorrow is another day."""
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm")
    for number in range(4):
        desk.writes(f"p{number}@example.org", f"REGISTER\nName: P{number}\nEND\nSIGNON ?heron pw")
    mails = desk.writes("eve@example.org", "REGISTER\nName: Eve\nEND\n" + "SIGNON ?heron\nRESIGN heron\n" * 45)
    assert sum(mail.to == "kim@example.org" for mail in mails) == 1
    assert "You have left heron 3 times within a day, so you cannot join it again today" in mails[-1].flat
    again = desk.replies("eve@example.org", "SIGNON ?heron pw").text
    assert "so you cannot join it again today" in " ".join(again.split())
    desk.now += timedelta(days=1)
    assert "You are in heron." in desk.replies("eve@example.org", "SIGNON ?heron pw").text


def test_a_master_is_not_asked_without_end(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm\nSET APPROVAL")
    mails = []
    for number in range(25):
        desk.now -= timedelta(minutes=1)
        mails += desk.writes(f"x@house{number}.example", "REGISTER\nName: X\nEND\nSIGNON ?heron pw")
    assert sum(mail.to == "kim@example.org" for mail in mails) == 20
    refused = "Many people have asked to join heron in the last hour. Please try again in an hour."
    assert refused in mails[-1].flat
    desk.now += timedelta(hours=1)
    assert "has your request to join it" in desk.replies("x@house24.example", "SIGNON ?heron pw").flat
