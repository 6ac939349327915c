"""What a player must hear is silenced by no flood of letters in their name, and comes before their deadline."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.commands.replies import tell_set_aside
from judge.games.core.work import Work
from judge.store import sent_mails
from judge.store.engine import transaction
from judge.store.tables import LetterRow
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.rows import first_end

pytestmark = pytest.mark.slow

FRANCE, JO, KIM = "france@example.org", "jo@example.net", "kim@example.org"
HOUR = timedelta(hours=1)
WRONG = "SIGNON Fheron pwfrnace\nA PAR - BUR"
WAITS = "This is only the beginning of the reply. The rest will come on"
LATER = "You sent more emails in an hour"
NEEDED = {
    "a password that is mistyped": (WRONG, "password"),
    "orders without a sign-on": ("A PAR - BUR\nA MAR - SPA", "no SIGNON line"),
    "a game that is misspelt": ("SIGNON Fhron pwfrance\nA PAR - BUR", "hron"),
    "a token that does not work": ("CONFIRM abcdefghijkl", "code"),
}


DEADLINE = datetime(2026, 5, 11, 23, 30, tzinfo=UTC)


@pytest.fixture
def heron(tmp_path: Path) -> DeskAtWork:
    """A judge that answers other letters of registered people six times an hour, so that few are a flood."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_LIMITS_REGISTERED": "6"})
    desk.seat_seven()
    desk.now += 3 * HOUR
    desk.new_mails()
    return desk


def at_once(desk: DeskAtWork, sender: str, text: str) -> list[Posted]:
    """The mails to its sender that the letter makes; no time passes."""
    desk.now -= timedelta(minutes=1)
    return [mail for mail in desk.writes(sender, text) if mail.to == sender]


def flood(desk: DeskAtWork, text: str = "LIST", count: int = 9) -> int:
    """How many mails to France so many letters in her name make, all at once."""
    return sum(len(at_once(desk, FRANCE, text)) for _ in range(count))


def comes(desk: DeskAtWork, moment: datetime) -> None:
    """The time until then passes, with its reminders."""
    desk.ring(moment)


def ring(desk: DeskAtWork, at: datetime) -> list[Posted]:
    return [mail for mail in desk.ring(at) if mail.to == FRANCE]


def test_what_a_player_must_hear_is_answered_after_a_flood_of_other_letters(heron: DeskAtWork):
    assert flood(heron) == 7
    for text, said in NEEDED.values():
        (reply,) = at_once(heron, FRANCE, text)
        assert said in reply.text


def test_a_forgotten_password_is_mailed_after_a_flood(heron: DeskAtWork):
    flood(heron)
    flood(heron, WRONG)
    flood(heron, "I AM ALSO france@example.org", 1)
    for _ in range(5):
        at_once(heron, JO, f"I AM ALSO {FRANCE}")
    (token,) = at_once(heron, FRANCE, "FORGOT heron")
    assert "CONFIRM" in token.text


@pytest.mark.parametrize("other", ["LIST", "REGISTER\nName: F\nEND", "OBSERVE nowhere"])
def test_no_other_letters_use_up_what_a_player_must_hear(heron: DeskAtWork, other: str):
    flood(heron, other)
    assert flood(heron, WRONG, 6) == 6


def test_six_come_an_hour_and_then_one_mail_an_hour_with_all_of_them(heron: DeskAtWork):
    (*replies, notice) = [mail for _ in range(9) for mail in at_once(heron, FRANCE, WRONG)]
    assert len(replies) == 6 and WAITS in notice.flat
    for _ in range(4):
        (later,) = ring(heron, heron.now + HOUR)
        assert later.first_line.startswith(LATER)
        assert flood(heron, WRONG) == 0, "the next collected answer comes in an hour, and says all"
    (later,) = ring(heron, heron.now + HOUR)
    assert later.text.count("\n---- ") == 9
    assert ring(heron, heron.now + HOUR) == []
    (reply,) = at_once(heron, FRANCE, WRONG)
    assert "password" in reply.first_line or "SIGNON" in reply.text


@pytest.mark.parametrize("text", [WRONG, "LIST"])
def test_no_pause_of_a_player_reaches_past_the_hour_before_the_deadline(heron: DeskAtWork, text: str):
    """Whatever it is about, and however long it would be."""
    comes(heron, DEADLINE - timedelta(minutes=80))
    flood(heron, text)
    assert ring(heron, DEADLINE - HOUR - timedelta(seconds=1)) == []
    (later,) = ring(heron, DEADLINE - HOUR)
    assert later.first_line.startswith(LATER)


def test_a_long_pause_ends_before_the_deadline(heron: DeskAtWork):
    """Pauses that have grown to days."""
    while True:
        flood(heron)
        with transaction(heron.engine) as session:
            ends_at = first_end(session)
        assert ends_at and ends_at <= DEADLINE - HOUR
        ring(heron, ends_at)
        if ends_at == DEADLINE - HOUR:
            break


def test_in_the_last_hour_half_of_what_is_left_is_waited(heron: DeskAtWork):
    comes(heron, DEADLINE - timedelta(minutes=40))
    flood(heron, WRONG)
    (later,) = ring(heron, DEADLINE - timedelta(minutes=20))
    assert later.first_line.startswith(LATER)
    flood(heron, WRONG)
    (later,) = ring(heron, DEADLINE - timedelta(minutes=10))
    assert later.first_line.startswith(LATER)


def test_a_deadline_that_is_moved_ends_pauses_too(heron: DeskAtWork):
    for _ in range(5):  # until a pause lasts sixteen hours
        flood(heron)
        with transaction(heron.engine) as session:
            ends_at = first_end(session)
        assert ends_at
        if ends_at - heron.now > 12 * HOUR:
            break
        ring(heron, ends_at)
    moved = (heron.now + 6 * HOUR).replace(minute=0)
    heron.writes(KIM, f"SIGNON Mheron gm\nSET DEADLINE {moved:%Y-%m-%d %H:%M}")
    with transaction(heron.engine) as session:
        assert first_end(session) == moved - HOUR


def test_orders_in_a_letter_that_is_put_aside_are_told_after_a_flood(heron: DeskAtWork):
    flood(heron)
    with transaction(heron.engine) as session:
        row = session.get_one(LetterRow, 5)
        row.raw = f"From: {FRANCE}\nMessage-ID: <x@example.org>\n\nA PAR H\n".encode()
        work, letter = Work(session, heron.services, heron.now), heron.desk.readable(session, row)
        tell_set_aside(work, row, letter, "RuntimeError: broken on purpose")
    assert FRANCE in {mail.to for mail in heron.new_mails()}


def test_register_has_a_budget_of_each_address(heron: DeskAtWork):
    for _ in range(15):
        at_once(heron, JO, "LIST")
    (reply,) = at_once(heron, JO, "REGISTER\nName: Jo Roe\nEND")
    assert "You are registered, Jo Roe." in reply.text
    (reply,) = at_once(heron, JO, "CREATE ?egret")
    assert "egret has been created" in reply.flat


def test_what_waits_is_counted(heron: DeskAtWork):
    flood(heron, WRONG, 10)
    with transaction(heron.engine) as session:
        assert sum(sent_mails.answers_waiting(session).values()) == 4
    ring(heron, heron.now + HOUR)
    with transaction(heron.engine) as session:
        assert not sent_mails.answers_waiting(session)
