"""How many answers an address gets: programs that answer every mail, and letters in another person's name."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from sqlmodel import select

from judge.commands.handler import fingerprint_of
from judge.commands.replies import tell_set_aside
from judge.games.core.work import Work
from judge.games.people import rate_limits
from judge.store import sent_mails
from judge.store.engine import transaction
from judge.store.inbox import in_turn, keep
from judge.store.tables import Answered, LetterRow, Mail, Pause
from tests import rows
from tests.commands.deskatwork import DeskAtWork, Posted, Received
from tests.listening import listen

pytestmark = pytest.mark.slow

HELPDESK, JO, FRANCE = "help@desk.example.net", "jo@example.net", "france@example.org"
HOUR = timedelta(hours=1)
WAITS = "This is only the beginning of the reply. The rest will come on"
LATER = "You sent more emails in an hour"
VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.net"}
FORGED = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.net"}


def first_end(desk: DeskAtWork) -> datetime | None:
    with transaction(desk.engine) as session:
        return rows.first_end(session)


def to(address: str, mails: Iterable[Posted]) -> list[Posted]:
    return [mail for mail in mails if mail.to == address]


def at_once(desk: DeskAtWork, sender: str, text: str, **how) -> list[Posted]:
    """The mails that the letter makes; no time passes, so that all letters of a test are of one hour."""
    desk.now -= timedelta(minutes=1)
    return desk.writes(sender, text, **how)


def checking(folder: Path) -> DeskAtWork:
    """A judge whose mail server checks who wrote a letter."""
    return with_heron(DeskAtWork(folder, "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"}))


def with_heron(desk: DeskAtWork) -> DeskAtWork:
    """A game has begun some hours ago."""
    desk.seat_seven()
    desk.now += 3 * HOUR
    desk.new_mails()
    return desk


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    return with_heron(desk)


@pytest.fixture
def sparing(tmp_path: Path) -> DeskAtWork:
    """The same at a judge that answers registered people six letters an hour, so that few are too many."""
    return with_heron(DeskAtWork(tmp_path, "", {"JUDGE_LIMITS_REGISTERED": "6"}))


# --- programs that answer -------------------------------------------------------------------------------------------


class TicketSystem:
    """Answers every mail at once with its text, and bears no mark of a machine; `remembers`: with all earlier ones."""

    def __init__(self, desk: DeskAtWork, remembers: bool = False):
        self.desk, self.remembers = desk, remembers
        self.past = ""
        self.got = 0

    def gets(self, mails: list[Posted], most: int = 100) -> int:
        """How many mails it gets until nothing comes any more, or that many."""
        waiting, before = to(HELPDESK, mails), self.got
        while waiting and self.got < before + most:
            mail = waiting.pop(0)
            self.got += 1
            self.past = f"{mail.text}\n\n{self.past}" if self.remembers else mail.text
            text = f"Thank you. Your ticket is [#{self.got}].\n\n{self.past}"
            waiting += to(HELPDESK, self.desk.writes(HELPDESK, text, subject=f"[#{self.got}] {mail.subject}"))
        return self.got - before


@pytest.mark.parametrize("begun_by", ["HELP", "OBSERVE heron", "SIGNON Fheron x"])
def test_a_ticket_system_that_returns_our_text_is_left_alone(heron: DeskAtWork, begun_by: str):
    system = TicketSystem(heron)
    assert system.gets(heron.writes(HELPDESK, begun_by)) <= 12
    assert system.gets(heron.ring(heron.now + timedelta(days=1))) <= 13


def test_a_ticket_system_that_returns_all_it_ever_got_gets_less_and_less(tmp_path: Path):
    """What it returns always holds commands. Each pause is twice as long as the one before, up to a week."""
    desk = with_heron(DeskAtWork(tmp_path, "", {"JUDGE_LIMITS_STRANGERS": "2"}))
    system = TicketSystem(desk, remembers=True)
    most = 4
    assert system.gets(desk.writes(HELPDESK, "HELP press")) <= most
    ends = [desk.now]
    while ends_at := first_end(desk):
        assert 1 <= system.gets(desk.ring(ends_at)) <= most
        ends.append(ends_at)
        if len(ends) == 3:
            break
    waited = [(end - begin) / HOUR for begin, end in pairwise(ends)]
    assert len(waited) == 2 and waited[-1] >= 1.5


def test_a_mail_program_that_answers_a_player_does_not_keep_the_judge_talking(sparing: DeskAtWork):
    """A player's own program returns the results; orders with the password are answered all the while."""
    said = sum(len(to(FRANCE, at_once(sparing, FRANCE, "I am away.\nLIST\nHELP"))) for _ in range(20))
    assert said == 7
    (reply,) = at_once(sparing, FRANCE, "SIGNON Fheron pwfrance\nA PAR - BUR")
    assert "Burgundy" in reply.text


# --- what is beyond the limit ---------------------------------------------------------------------------------------


def test_a_stranger_is_told_once_and_gets_the_rest_together(heron: DeskAtWork):
    first = [at_once(heron, JO, f"HELP {word}") for word in ["press"] * 10]
    assert [len(mails) for mails in first] == [1] * 10
    (notice,) = at_once(heron, JO, "LIST heron", subject="What is heron?")
    assert WAITS in notice.flat and notice.subject == "Re: What is heron?"
    assert at_once(heron, JO, "GET draws") == at_once(heron, JO, "LIST") == []
    assert heron.ring(heron.now + HOUR - timedelta(seconds=1)) == []
    (later,) = heron.ring(heron.now + timedelta(seconds=1))
    assert later.to == JO and later.first_line.startswith(LATER)
    heads = [":: Judge: JUDG  Game: heron", "DRAW", "heron "]
    assert [head in later.text for head in heads] == [True] * 3
    assert heron.ring(heron.now + timedelta(days=3)) == []
    assert len(at_once(heron, JO, "LIST")) == 1


def test_a_letter_beyond_the_limit_does_what_it_says(sparing: DeskAtWork):
    """Once: only the answer waits."""
    at_once(sparing, JO, "REGISTER\nName: Jo Roe\nEND")
    for _ in range(7):
        at_once(sparing, JO, "HELP")
    assert "You observe" not in "".join(mail.text for mail in at_once(sparing, JO, "OBSERVE heron"))
    assert "Jo Roe" in sparing.replies("kim@example.org", "WHOGAME heron FULL").text
    (later,) = [mail for mail in sparing.ring(sparing.now + HOUR) if mail.first_line.startswith(LATER)]
    assert "You are now observing heron" in later.text


@pytest.mark.parametrize("letter", [
    "SIGNON Fheron wrong\nA PAR - BUR", "OBSERVE nowhere", "WHOIS jo@example.net", "LIST heron",
    "OBSERVE nowhere\nLIST\nHELP", "SIGNON Fheron wrong\nA PAR - BUR\nSIGNON Inowhere x\nA ROM H",
])  # fmt: skip
def test_the_notice_begins_as_the_reply_would(sparing: DeskAtWork, letter: str):
    """Nothing of it may have been carried out."""
    for _ in range(6):
        reply = at_once(sparing, FRANCE, letter)[0]
    (notice,) = at_once(sparing, FRANCE, letter)
    assert WAITS in notice.flat and "carried out, but" not in notice.flat
    said = notice.flat.partition(WAITS)[0].strip()
    assert said and said.partition(". ")[0] in reply.flat


def test_the_limits_are_settings(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_LIMITS_STRANGERS": "2", "JUDGE_LIMITS_REGISTERED": "3"})
    assert sum(len(at_once(desk, JO, "LIST")) for _ in range(9)) == 3
    desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND")
    assert sum(len(at_once(desk, "kim@example.org", "LIST")) for _ in range(9)) == 4


def test_what_waits_is_bounded(heron: DeskAtWork):
    """Long answers by their verdict, then by their number."""
    for _ in range(15):
        at_once(heron, JO, "GET RULES")
    for _ in range(60):
        at_once(heron, JO, "SIGNON Fnowhere x\nOBSERVE nowhere\nSIGNON Fnever y\nOBSERVE never\n" * 8)
    with transaction(heron.engine) as session:
        (pause,) = session.exec(select(Pause)).all()
        assert sum(len(answer["text"]) for answer in pause.answers) <= 80_000
    (later,) = heron.ring(heron.now + HOUR)
    assert len(later.text) < 100_000
    assert "more replies did not fit into this email." in later.flat


def test_a_pause_that_soon_follows_another_is_twice_as_long(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_LIMITS_STRANGERS": "2"})

    def paused_for() -> float:
        """Hours."""
        began = desk.now
        notices = [mail for _ in range(4) for mail in at_once(desk, JO, "LIST") if WAITS in mail.flat]
        assert len(notices) == 1
        ends_at = first_end(desk)
        assert ends_at and desk.ring(ends_at)
        return (ends_at - began) / HOUR

    assert [paused_for() for _ in range(9)] == [1, 2, 4, 8, 16, 32, 64, 128, 168]
    desk.now += timedelta(days=30)
    assert paused_for() == 1


# --- what is never counted ------------------------------------------------------------------------------------------


def test_a_signed_on_letter_is_always_answered_at_once(sparing: DeskAtWork):
    """Also while others write in the player's name, and from an address that the judge does not know."""
    for sender in (FRANCE, JO):
        for _ in range(12):
            at_once(sparing, sender, "LIST")
    for number in range(20):
        (reply,) = at_once(sparing, FRANCE, f"SIGNON Fheron pwfrance\nA PAR - BUR  // {number}")
        assert "Burgundy" in reply.text
    (copy, reply) = sorted(at_once(sparing, JO, "SIGNON Fheron pwfrance\nA PAR - PIC"), key=lambda mail: mail.to)
    assert (copy.to, reply.to) == (FRANCE, JO) and "Picardy" in copy.text and "Picardy" in reply.text
    assert len(to(FRANCE, at_once(sparing, FRANCE, "SIGNON Fheron wrong\nA PAR - BUR"))) == 1


def test_the_password_of_a_seat_does_not_flood_a_stranger(sparing: DeskAtWork):
    """A player can write in anybody's name; the seat's own address gets all the answers."""
    mails = [mail for _ in range(20) for mail in at_once(sparing, JO, "SIGNON Fheron pwfrance\nA PAR - BUR")]
    assert len(to(FRANCE, mails)) == 20
    assert len(to(JO, mails)) == 7


def test_a_token_is_answered_at_once(sparing: DeskAtWork):
    mails = sparing.writes(FRANCE, "FORGOT heron")
    (word,) = [line.split()[1] for mail in mails for line in mail.text.splitlines() if "    CONFIRM " in line]
    for _ in range(10):
        at_once(sparing, FRANCE, "LIST")
    (reply,) = at_once(sparing, FRANCE, f"CONFIRM {word}")
    assert "You have a new password in heron." in reply.text
    (reply,) = at_once(sparing, FRANCE, f"CONFIRM {word}")
    assert "That code is not valid" in reply.text


def test_a_signed_on_letter_costs_nothing(heron: DeskAtWork):
    asked: list[str] = []
    listen(heron.engine, lambda statement, _: asked.append(statement))
    heron.writes(FRANCE, "SIGNON Fheron pwfrance\nA PAR - BUR")
    assert asked and not [statement for statement in asked if "answered" in statement or "pause" in statement]
    heron.writes(JO, "LIST")
    assert len([statement for statement in asked if "answered" in statement or "pause" in statement]) == 3


# --- in another person's name ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sender", ["Jo@Example.NET", "jo+a@example.net", "JO+{}@example.net", '"Jo" <jo@EXAMPLE.net>'])
def test_one_mailbox_however_it_is_written(tmp_path: Path, sender: str):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_LIMITS_STRANGERS": "2"})
    mails = [mail for number in range(8) for mail in at_once(desk, sender.format(number), "LIST")]
    assert len(mails) == 3
    assert len(desk.ring(desk.now + HOUR)) == 1


def test_answers_wait_for_the_address_that_they_are_for(heron: DeskAtWork):
    """Addresses with tags may belong to different people, after all."""
    for _ in range(11):
        at_once(heron, JO, "LIST")
    at_once(heron, "jo+x@example.net", "SIGNON Fagent x")
    (later,) = heron.ring(heron.now + HOUR)
    assert later.to == JO and "agent" not in later.text and "1 more reply did not fit into this email." in later.flat


def test_a_domain_of_strangers_has_a_limit_for_all_letters_but_the_first_of_each(tmp_path: Path):
    """None of its people is told that an answer waits: that would be a mail to each of them. What waits comes in an
    hour, and whoever was not heard from in the last hour is answered at once.
    """
    desk = DeskAtWork(tmp_path, "", {"JUDGE_LIMITS_DOMAIN": "8"})
    victims = [f"victim{number}@example.com" for number in range(8)]
    assert [len(at_once(desk, victim, "LIST")) for victim in victims] == [1] * 8
    assert [len(at_once(desk, victim, "LIST")) for victim in victims * 2] == [0] * 16
    assert len(at_once(desk, "victim@example.org", "LIST")) == 1
    assert len(at_once(desk, "new@example.com", "LIST")) == 1
    assert len(at_once(desk, victims[0], "REGISTER\nName: Vic Tim\nEND")) == 1
    assert [len(desk.ring(desk.now + HOUR)) for _ in range(2)] == [8, 0]
    desk.now += HOUR
    assert len(at_once(desk, victims[1], "LIST")) == 1


def test_a_domain_has_no_limit_for_registered_and_for_verified_people(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org", "JUDGE_LIMITS_DOMAIN": "5"})
    for number in range(8):
        at_once(desk, f"victim{number}@example.net", "LIST")
    assert len(at_once(desk, "anna@example.net", "LIST", headers=VERIFIED)) == 1
    desk.writes("ben@example.net", "REGISTER\nName: Ben\nEND", headers=VERIFIED)
    assert len(at_once(desk, "ben@example.net", "LIST")) == 1


def test_letters_in_their_name_delay_no_answer_to_verified_people(tmp_path: Path):
    desk = checking(tmp_path)
    for _ in range(20):
        at_once(desk, JO, "LIST")
    assert len(at_once(desk, JO, "LIST", headers=VERIFIED)) == 1
    assert sum(len(at_once(desk, JO, "LIST", headers=VERIFIED)) for _ in range(20)) == 10


def test_a_forged_stranger_learns_nothing(tmp_path: Path):
    desk = checking(tmp_path)
    for text in (
        "LIST", "LIST heron", "SIGNON Fheron wrong\nA PAR - BUR", "SIGNON Fnowhere wrong", "OBSERVE heron",
        "REGISTER\nName: Jo\nEND", "FORGOT heron", f"I AM ALSO {FRANCE}", "INFO PLAYER france@example.org",
        "SIGNON ?heron pw", "CONFIRM abcdefghijkl", "UNSUBSCRIBE heron",
    ):  # fmt: skip
        assert desk.writes(JO, text, headers=FORGED) == []
        assert desk.would_write(JO, text)
    with transaction(desk.engine) as session:
        assert {row.state for row in session.exec(select(LetterRow).where(LetterRow.sender == JO))} == {"done"}


# --- other mails that a letter brings -------------------------------------------------------------------------------


def test_positions_for_new_observers_are_counted(tmp_path: Path):
    """Who observes is no stranger: they have what registered people have, of which positions use some up."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_LIMITS_STRANGERS": "4", "JUDGE_LIMITS_REGISTERED": "5"})
    for name in ("heron", "egret", "crane"):
        desk.seat_seven(name)
    desk.new_mails()
    (asks,) = at_once(desk, JO, "OBSERVE heron\nOBSERVE egret\nOBSERVE crane")
    mails = at_once(desk, JO, f"CONFIRM {asks.text.partition('CONFIRM ')[2].split()[0]}")
    assert [mail.subject.partition(" - ")[0] for mail in mails[:-1]] == ["JUDG:heron", "JUDG:egret", "JUDG:crane"]
    answers = [answer for _ in range(6) for answer in at_once(desk, JO, "LIST")]
    assert answers[0].first_line == "3 games on this judge." and WAITS in answers[-1].flat
    at_once(desk, JO, "OBSERVE heron")
    (late,) = at_once(desk, "al@example.net", "LIST\nOBSERVE heron")[-1:]
    assert "OBSERVE heron will be read when you reply" in late.text


def test_letters_that_fail_are_answered_within_the_limit(heron: DeskAtWork):
    for _ in range(15):
        at_once(heron, JO, "LIST")
    with transaction(heron.engine) as session:
        row = session.exec(select(LetterRow).where(LetterRow.sender == JO)).first()
        assert row
        work, letter = Work(session, heron.services, heron.now), heron.desk.readable(session, row)
        tell_set_aside(work, row, letter, "RuntimeError: broken on purpose")
    assert [mail.to for mail in heron.new_mails()] == [heron.settings.keeper]


def test_the_keeper_gets_ten_mails_an_hour_about_letters(heron: DeskAtWork):
    heron.writes(JO, "LIST")
    for _ in range(15):
        with transaction(heron.engine) as session:
            row = session.exec(select(LetterRow).where(LetterRow.sender == JO)).first()
            assert row
            work, letter = Work(session, heron.services, heron.now), heron.desk.readable(session, row)
            tell_set_aside(work, row, letter, "RuntimeError: broken on purpose")
    assert len(to(heron.settings.keeper, heron.new_mails())) == 10


# --- once, whatever happens -----------------------------------------------------------------------------------------


def test_a_password_that_waits_is_kept_no_longer_than_one_that_is_mailed(sparing: DeskAtWork):
    for _ in range(7):
        at_once(sparing, FRANCE, "CREATE ?heron")
    assert at_once(sparing, FRANCE, "CREATE ?egret") == []
    with transaction(sparing.engine) as session:
        (pause,) = session.exec(select(Pause)).all()
        secret = pause.secret
        assert secret and secret in str(pause.answers)
    (later,) = sparing.ring(sparing.now + HOUR)
    assert f"Your password is {secret}" in later.text
    with transaction(sparing.engine) as session:
        (pause,) = session.exec(select(Pause)).all()
        assert (pause.secret, pause.answers) == (None, [])
        (mail,) = session.exec(select(Mail).where(Mail.kind == "waited")).all()
        assert mail.secret == secret


def test_nobody_is_asked_to_confirm_by_a_mail_that_waits(tmp_path: Path):
    """It has to be sent back as it is, with its token in the subject."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes"})
    for _ in range(7):
        at_once(desk, JO, "CREATE ?heron")
    assert at_once(desk, JO, "REGISTER\nName: Jo\nEND\nCREATE ?heron") == []
    (later,) = desk.ring(desk.now + HOUR)
    assert "Please send your request again." in later.flat and "CONFIRM" not in later.text
    assert "CONFIRM" in desk.replies(JO, "REGISTER\nName: Jo\nEND").subject


def test_an_answer_that_was_rolled_back_has_not_waited(heron: DeskAtWork):
    """All that a letter does is in one transaction, what it leaves for later too."""
    at_once(heron, JO, "REGISTER\nName: Jo\nEND")
    for _ in range(61):
        at_once(heron, JO, "LIST")
    raw = f"From: {JO}\nMessage-ID: <killed@example.net>\n\nOBSERVE heron\n".encode()
    with transaction(heron.engine) as session:
        keep(session, [Received(raw, heron.now, 900)], fingerprint_of, now=heron.now)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt), transaction(heron.engine) as session:
            heron.desk.handle(session, in_turn(session)[0], heron.now)
            raise KeyboardInterrupt
    heron.handle_all()
    with pytest.raises(KeyboardInterrupt), transaction(heron.engine) as session:
        pause = sent_mails.next_ended_pause(session, heron.now + HOUR)
        assert pause
        rate_limits.end(Work(session, heron.services, heron.now + HOUR), pause)
        raise KeyboardInterrupt
    (later,) = [mail for mail in heron.ring(heron.now + HOUR) if mail.first_line.startswith(LATER)]
    assert later.text.count("You are now observing heron") == 1


def test_old_counts_are_forgotten(heron: DeskAtWork):
    for _ in range(12):
        at_once(heron, JO, "LIST")
    heron.ring(heron.now + HOUR)
    heron.now += 4 * HOUR
    with transaction(heron.engine) as session:
        rate_limits.forget(Work(session, heron.services, heron.now))
    with transaction(heron.engine) as session:
        assert (session.exec(select(Answered)).all(), session.exec(select(Pause)).all()) == ([], [])
