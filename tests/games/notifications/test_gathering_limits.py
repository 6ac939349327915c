"""What a small letter can bring forth: no more than one mail of a bounded size, and few to others."""

from collections import Counter
from datetime import timedelta

import pytest
from sqlmodel import Session, select

from judge.store.engine import transaction
from judge.store.tables import Mail
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import mapped

pytestmark = pytest.mark.slow

FRANCE = "france@example.org"
KIM = "Kim Doe <kim@example.org>"
AS_KIM = "SIGNON Mheron gm\n"
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
    assert "The rest did not fit into a reply. To see the rest, send HISTORY heron FROM 2026-05-" in said
    again = said.partition("To see the rest, send ")[2].partition(". ")[0]
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
        "HISTORY heron FROM S0M TO W9999A", f"HISTORY heron FROM S{HUGE}M", f"MAP heron S{HUGE}M",
    ):  # fmt: skip
        assert heron.would_write("jo@example.net", line)
    for line in (
        f"SET MOVE NEXT {HUGE}", f"SET MOVE NEXT {'9' * 400}", f"SET MOVE CLOCK {HUGE}", "SET MOVE CLOCK ²",
        "EXTEND 61 days", "EXTEND 9999w", f"SET GRACE {HUGE}", "SET GRACE 9999d",
        f"SET MOVE GRACE {HUGE}d", f"SET REMIND {HUGE}",
        f"SET MAXABSENCE {HUGE}", "SET DEADLINE 9999-12-31 23:59", "SET DEADLINE 0001-01-01", "SET DEADLINE Jan 1 0000",
        f"SET DEADLINE {HUGE}", "SET GRACE 9999-12-31", "SET START 9999-12-31", "SET ABSENCE 9999-12-31 TO 9999-12-31",
        f"SET VICTORY {HUGE}", "SET VICTORY 999", f"SET LAST YEAR {HUGE}", f"PROCESS! S{HUGE}M", "ROLLBACK S0001M",
        f"ROLLBACK F{HUGE}M", "BECOME France\nPHASE F9999M\nA PAR H", f"BECOME France\nDP {HUGE}: A SWI H",
        f"BECOME France\nWAIVE {HUGE}",
    ):  # fmt: skip
        assert "invalid literal" not in heron.would_reply("kim@example.org", f"SIGNON Mheron gm\n{line}").text


# --- mails to others ------------------------------------------------------------------------------------------------


def test_nobody_joins_and_leaves_a_game_all_day(desk: DeskAtWork):
    """Everybody who waits in it is told once an hour; tomorrow is another day."""
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm")
    for number in range(4):
        desk.writes(f"p{number}@example.org", f"REGISTER\nName: P{number}\nEND\nSIGNON ?heron pw")
    desk.now += timedelta(hours=1)
    mails = desk.writes("eve@example.org", "REGISTER\nName: Eve\nEND\n" + "SIGNON ?heron\nRESIGN heron\n" * 45)
    assert sum(mail.to == "kim@example.org" for mail in mails) == 1
    refused = "You have joined and left heron 3 times within a day, so you cannot join it again today"
    assert refused in mails[-1].flat and mails[-1].flat.count("You have left heron.") == 3
    assert refused in desk.replies("eve@example.org", "SIGNON ?heron pw").flat
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


# {what happens, again and again, in one letter of the master: how many mails each other reader gets of it}
IN_TURNS = mapped("""
    PROCESS! / ROLLBACK => 1
    PROCESS! / ROLLBACK / PROCESS! => 2
    PAUSE / RESUME => 1
    RESUME / PAUSE => 1
    PAUSE / SET DEADLINE 2026-05-20 21:00 / RESUME / SET COMMENT x => 1
    UNSTART / FORCE BEGIN => 1
    UNSTART / FORCE BEGIN / UNSTART => 1
    UNSTART / FORCE BEGIN / UNSTART / SET PRESS GREY => 1
    SET PRESS GREY / SET PRESS WHITE => 0
    SET PRESS GREY / SIGNON Mheron gm / SET PRESS WHITE / SIGNON Mheron gm => 0
    SET MOVE NEXT 48 / SIGNON Mheron gm / SET MOVE NEXT 49 / SIGNON Mheron gm => 1
    SET DEADLINE 2026-05-20 21:00 / SET DEADLINE 2026-05-21 21:00 / CORRECT POSITION France: A PAR - BUR => 1
    CORRECT POSITION France: A PAR - BUR / CORRECT POSITION France: A BUR - PAR => 1
    CORRECT POSITION France: A PAR - BUR / PROCESS! / ROLLBACK => 1
    SET DISORDER France / SET NO DISORDER France => 1
    TERMINATE heron => 1
    PROCESS! / TERMINATE heron => 2
    PROCESS! / TERMINATE heron / ROLLBACK S1901M => 1
    TERMINATE heron / ROLLBACK => 1
    SET NMR / PAUSE / EJECT Italy / RESUME => 1
    """)


@pytest.mark.parametrize("lines", IN_TURNS)
def test_a_letter_brings_each_reader_one_mail_and_results(heron: DeskAtWork, lines: str):
    """However often it repeats what it does; results of a phase that is open again are not sent."""
    heron.goes_on("nobody plays France", lambda: heron.writes(KIM, AS_KIM + "EJECT France"))
    for times in (1, 15):
        mails = heron.would_write(KIM, AS_KIM + f"{lines}\n" * times)
        told = Counter(mail.to for mail in mails if not mail.answers)
        assert [told["england@example.org"], told["russia@example.org"]] == [int(IN_TURNS[lines])] * 2, times
        assert not any("Results" in mail.subject for mail in mails) or "PROCESS!" in lines


def test_what_is_told_at_the_end_is_what_then_holds(heron: DeskAtWork):
    heron.writes(KIM, AS_KIM + "EJECT France")
    for lines, told, untold in (
        ("PROCESS! / ROLLBACK", "rolled back heron to S1901M", "Movement results"),
        ("PROCESS! / ROLLBACK / PROCESS!", "Movement results", ""),
        ("PAUSE / RESUME", "has resumed heron at S1901M", "has paused heron"),
        ("RESUME / PAUSE / RESUME / PAUSE", "has paused heron", "has resumed"),
        ("UNSTART / FORCE BEGIN", "You have been selected as", "has returned heron to forming"),
        ("UNSTART / FORCE BEGIN / UNSTART", "has returned heron to forming", "You have been selected as"),
        ("SET DISORDER France / SET NO DISORDER France", "it is now open to a replacement", "its units hold"),
        ("TERMINATE heron / ROLLBACK", "reopened and rolled back heron to S1901M", "has terminated"),
        ("SET MOVE NEXT 48 / SIGNON Mheron gm / SET MOVE NEXT 49", "49 hours (was 71 hours)", "48 hours"),
        ("CORRECT POSITION France: A PAR - BUR / TERMINATE heron", "has corrected the position", "Orders are due"),
    ):
        mails = heron.would_write(KIM, AS_KIM + lines.replace(" / ", "\n"))
        text = " ".join(mail.flat for mail in mails if mail.to == "england@example.org")
        assert told in text, lines
        assert not untold or untold not in text, lines
    lines = "CORRECT POSITION France: A PAR - BUR\nPROCESS\nROLLBACK\nPROCESS"
    for mail in heron.would_write(KIM, AS_KIM + lines):
        assert mail.answers or mail.text.count("PHASE F1901M") == mail.text.count("SIGNOFF")


def _stranger(number: int) -> str:
    return f"v{number}@victim{number}.example"


def _lobby(desk: DeskAtWork, strangers: int = 6) -> None:
    """Kim's game heron is forming, and somebody has written for these people without proving anything."""

    def begin() -> None:
        desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm")
        for number in range(strangers):
            desk.writes(_stranger(number), f"REGISTER\nName: V{number}\nEND\nSIGNON ?heron pw")

    desk.goes_on(("a lobby", strangers), begin)


def _to_strangers(mails: list[Posted]) -> Counter[str]:
    return Counter(mail.to for mail in mails if mail.to.startswith("v") and not mail.answers)


def test_who_is_put_on_the_standby_list_is_asked_first(desk: DeskAtWork):
    """A forged letter puts nobody on it; a mail sent back, or our mail server's word, does."""
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm\nSIGNON ?heron mine")
    for number in range(30):
        asks = desk.replies(_stranger(number), f"REGISTER\nName: V{number}\nEND\nSTANDBY")
        assert "One more step: reply to this email to join the standby list." in asks.flat
    lines = AS_KIM + "FORCE BEGIN\nUNSTART\nFORCE BEGIN\n"
    assert not _to_strangers(desk.would_write(KIM, lines))
    answer = desk.replies(_stranger(29), "", subject=asks.subject)
    assert "You are on the standby list." in answer.text
    mails = desk.writes(KIM, lines)
    assert _to_strangers(mails) == {_stranger(29): 1}
    assert len(mails) <= 4


def test_the_standby_list_is_asked_once_a_day_of_a_game_and_thrice_in_all(heron: DeskAtWork):
    (asks,) = heron.writes(_stranger(1), "REGISTER\nName: V\nEND\nSTANDBY")
    heron.writes(_stranger(1), "", subject=asks.subject)
    open_seats = ("France", "Italy", "Turkey", "Russia", "Austria", "Germany")
    counts = []
    for power in open_seats:
        counts.append(_to_strangers(heron.writes(KIM, AS_KIM + f"EJECT {power}"))[_stranger(1)])
        heron.now += timedelta(hours=13)
    assert counts == [1, 0, 1, 0, 1, 0]
    heron.now += timedelta(days=3)
    lines = AS_KIM + "SET DISORDER Italy\nSET NO DISORDER Italy\n" * 49
    assert not _to_strangers(heron.would_write(KIM, lines))
    assert "standby" in heron.replies(_stranger(1), "STANDBY").text
    assert _to_strangers(heron.would_write(KIM, lines)) == {_stranger(1): 1}


def test_who_is_put_into_a_game_gets_few_mails_until_they_write(desk: DeskAtWork):
    _lobby(desk)
    ends = desk.would_write(KIM, AS_KIM + "FORCE BEGIN\nUNSTART\n" * 20)
    assert set(_to_strangers(ends).values()) == {1}
    start = desk.would_write(KIM, AS_KIM + "FORCE BEGIN\nUNSTART\nFORCE BEGIN\n")
    assert set(_to_strangers(start).values()) == {1}, "their power is told"
    assert all("Game Starting" in mail.subject for mail in start if not mail.answers)
    told: Counter[str] = Counter()
    for day in range(6):
        for comment in "ab":
            desk.writes(_stranger(0), "SIGNON ?heron pw" if day == 5 else "")
            today = _to_strangers(desk.writes(KIM, AS_KIM + f"SET PRESS {'GREY' if comment == 'a' else 'WHITE'}"))
            told += today
        desk.now += timedelta(days=1)
    assert told[_stranger(1)] == 3
    assert told[_stranger(0)] >= 4


def test_joins_and_leaves_of_a_forming_game_are_told_once_an_hour(desk: DeskAtWork):
    _lobby(desk, 5)
    desk.now += timedelta(days=2)
    mails = []
    for number in range(10, 40):
        desk.now -= timedelta(seconds=30)
        join = f"REGISTER\nName: V{number}\nEND\nSIGNON ?heron pw\nRESIGN heron"
        mails += desk.writes(_stranger(number), join)
    lobby = {"kim@example.org", *map(_stranger, range(5))}
    assert max(Counter(mail.to for mail in mails if mail.to in lobby).values()) == 1
    desk.now += timedelta(hours=1)
    assert Counter(mail.to for mail in desk.ring(desk.now))["kim@example.org"] == 1


def test_players_of_one_domain_are_told_of_once_an_hour(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm")
    told = []
    for number in range(12):
        join = f"REGISTER\nName: V{number}\nEND\nSIGNON ?heron pw\n"
        told += desk.writes(f"v{number}@victim.example", join + "RESIGN heron" * (number > 1))
    assert sum("Players of One Domain" in mail.subject for mail in told) == 1


def test_a_third_start_within_a_day_is_refused(desk: DeskAtWork):
    _lobby(desk, 2)
    for _ in range(2):
        assert "has started" in desk.replies("kim@example.org", AS_KIM + "FORCE BEGIN").text
        desk.writes(KIM, AS_KIM + "UNSTART")
    third = desk.replies("kim@example.org", AS_KIM + "FORCE BEGIN").flat
    assert "heron has already started 2 times within a day" in third
    desk.now += timedelta(days=1)
    assert "has started" in desk.replies("kim@example.org", AS_KIM + "FORCE BEGIN").text
