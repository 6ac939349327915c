"""Letters that wait: answered in order, and one that cannot be handled harms no other."""

import threading
import time
from datetime import UTC, datetime, timedelta
from email import message_from_bytes

import pytest
from sqlmodel import col, select

from judge.commands.handler import LetterHandler
from judge.games.core.passwords import MOST_SLOW
from judge.shell import doctor
from judge.store import inbox
from judge.store.engine import transaction
from judge.store.games import all_games
from judge.store.tables import LetterRow, Mail
from tests.commands.deskatwork import DeskAtWork, Received
from tests.rows import first_end
from tests.service.daemonatwork import DaemonAtWork

NOW = datetime.now(UTC).replace(microsecond=0)


def letter(number: int, text: str) -> bytes:
    return (
        f"From: france@example.org\r\nTo: judge@example.org\r\nSubject: letter {number}\r\n"
        f"Message-ID: <{number}@example.org>\r\n\r\n{text}\r\n"
    ).encode()


@pytest.fixture
def daemon(tmp_path):
    desk = DeskAtWork(tmp_path, "", {})
    desk.now = NOW - timedelta(hours=1)
    desk.seat_seven()
    daemon = DaemonAtWork(desk)
    yield daemon
    daemon.end()


def post(daemon: DaemonAtWork, texts: list[str]) -> list[int]:
    letters = [Received(letter(number, text), NOW, number) for number, text in enumerate(texts)]
    with transaction(daemon.engine) as session:
        return inbox.keep(session, letters, lambda letter: str(hash(letter.raw)), now=NOW)


def states(daemon: DaemonAtWork, ids: list[int]) -> list[tuple[str, int]]:
    with transaction(daemon.engine) as session:
        rows = {row.id: row for row in session.exec(select(LetterRow))}
    return [(rows[letter_id].state, rows[letter_id].attempts) for letter_id in ids]


def replies(daemon: DaemonAtWork, ids: list[int]) -> list[int]:
    """The letters that replies answer, in the order in which these were written."""
    with transaction(daemon.engine) as session:
        mails = session.exec(select(Mail).order_by(col(Mail.id))).all()
    return [mail.letter_id for mail in mails if mail.letter_id in ids]


@pytest.mark.parametrize("bad", [0, 7])
def test_a_letter_that_breaks_us_harms_no_other(daemon, monkeypatch, bad):
    ids = post(daemon, ["SIGNON Fheron pwfrance\r\nA PAR H\r\nSIGNOFF"] * 8)
    handle, tries = LetterHandler.handle, []

    def breaking(handler, session, row, now):
        tries.append(row.id)
        done = handle(handler, session, row, now)
        if row.id == ids[bad]:
            raise RuntimeError("a mistake of ours")
        return done

    monkeypatch.setattr(LetterHandler, "handle", breaking)
    daemon.work()
    expected = [("done", 0)] * len(ids)
    expected[bad] = ("shunted", inbox.MAX_ATTEMPTS)
    assert states(daemon, ids) == expected
    answered = replies(daemon, ids)
    assert [letter_id for letter_id in answered if letter_id != ids[bad]] == [i for i in ids if i != ids[bad]]
    assert len(tries) <= len(ids) + inbox.MAX_ATTEMPTS


def test_a_letter_full_of_new_games_is_read_a_few_times_only(daemon, monkeypatch):
    """Each slow password begins the letter again: those beyond the first few are refused, the rest of it counts."""
    handle = LetterHandler.handle
    read: list[int] = []

    def noted(handler, session, row, now):
        read.append(row.id)
        return handle(handler, session, row, now)

    monkeypatch.setattr(LetterHandler, "handle", noted)
    games = "\r\n".join(f"CREATE ?game{number} secret{number}" for number in range(99))
    ids = post(daemon, [f"REGISTER\r\nName: Fay\r\nEND\r\n{games}", "LIST"])
    daemon.work()
    assert states(daemon, ids) == [("done", 0)] * 2
    assert read.count(ids[0]) <= MOST_SLOW + 1
    with transaction(daemon.engine) as session:
        assert {game.name for game in all_games(session)} == {"heron", *(f"game{number}" for number in range(5))}


def test_the_courier_comes_between_two_letters(daemon, monkeypatch):
    """Or mails would stand still while many letters and deadlines wait."""
    ids = post(daemon, ["LIST"] * 3)
    handle = LetterHandler.handle
    handled: list[int] = []
    courier: list[int] = []

    def note() -> None:
        with transaction(daemon.engine):
            courier.append(len(handled))

    waiting = threading.Thread(target=note)

    def attending(handler, session, row, now):
        if not handled:
            waiting.start()
            time.sleep(0.3)
        handled.append(row.id)
        return handle(handler, session, row, now)

    monkeypatch.setattr(LetterHandler, "handle", attending)
    daemon.work()
    waiting.join(10)
    assert courier == [1]
    assert handled == ids


# Seconds of the processor that a letter may use, many times what it needs, and of the clock between two looks at them.
LIMIT = 0.2
TICK = 0.05
ORDERS = "SIGNON Fheron pwfrance\r\nA PAR H\r\nSIGNOFF"


@pytest.fixture
def little_time(monkeypatch):
    monkeypatch.setattr("judge.service.work_queue.LETTER_SECONDS", LIMIT)
    monkeypatch.setattr("judge.time_limit._TICK", TICK)


def busy(daemon, monkeypatch, bad: int) -> list[int]:
    """Let the letter with that number use up its time; the letters tried, in order."""
    handle, tries = LetterHandler.handle, []

    def attending(handler, session, row, now):
        tries.append(row.id)
        done = handle(handler, session, row, now)
        while row.id == bad:
            pass
        return done

    monkeypatch.setattr(LetterHandler, "handle", attending)
    return tries


@pytest.mark.parametrize("bad", [2])
def test_a_letter_that_uses_up_its_time_is_put_aside_alone(daemon, little_time, monkeypatch, bad):
    ids = post(daemon, [ORDERS] * 5)
    tries = busy(daemon, monkeypatch, ids[bad])
    daemon.work()
    expected = [("done", 0)] * 5
    expected[bad] = ("shunted", 1)
    assert states(daemon, ids) == expected
    assert tries.count(ids[bad]) <= 3, "among others it may be one of them; alone it is charged at once"
    assert sorted(replies(daemon, ids)) == ids, "its writer is told, too"


def test_stopping_leaves_the_letters_in_the_mailbox_that_were_not_fetched_yet(daemon):
    class Mailbox:
        filed: list[Received] = []

        def new_letters(self):
            for number in range(3):
                if number == 1:
                    daemon.stop()
                yield [Received(letter(number, "LIST"), NOW, number)]

        def file_away(self, letters):
            self.filed += letters

    daemon.collect(Mailbox())
    assert [filed.uid for filed in Mailbox.filed] == [0]
    assert daemon.swept_at is None, "the mailbox was not looked through, so no deadline may ring"


def test_adjudicating_for_a_master_takes_the_time_it_takes(daemon, little_time, monkeypatch):
    processed = []

    def processing(*arguments, **named):
        until = time.thread_time() + 2.4 * LIMIT
        while time.thread_time() < until:
            pass
        processed.append(True)
        return False

    monkeypatch.setattr("judge.commands.master.run.lifecycle.process", processing)
    ids = post(daemon, ["SIGNON Mheron gm\r\nPROCESS!\r\nSIGNOFF"])
    daemon.work()
    assert processed and states(daemon, ids) == [("done", 0)]


def waited(daemon: DaemonAtWork) -> int:
    with transaction(daemon.engine) as session:
        return len(session.exec(select(Mail).where(Mail.kind == "waited")).all())


def test_answers_that_wait_come_when_their_pause_is_over(daemon):
    post(daemon, ["LIST"] * 65)
    daemon.work()
    with transaction(daemon.engine) as session:
        ends_at = first_end(session)
        assert ends_at
    daemon.now = ends_at - timedelta(seconds=1)
    daemon.work()
    assert waited(daemon) == 0
    daemon.now = ends_at
    daemon.work()
    daemon.work()
    assert waited(daemon) == 1
    with transaction(daemon.engine) as session:
        assert first_end(session) is None


def test_answers_that_cannot_be_written_wait_on_and_nothing_stops(daemon, monkeypatch):
    post(daemon, ["LIST"] * 65)
    daemon.work()
    later = datetime.now(UTC) + timedelta(hours=2)
    daemon.now = later
    with monkeypatch.context() as broken:
        broken.setattr("judge.games.people.rate_limits.end", lambda work, pause: 1 // 0)
        daemon.work()
    assert waited(daemon) == 0
    daemon.now = later + timedelta(hours=1)
    daemon.work()
    assert waited(daemon) == 1


def test_a_look_into_the_mailbox_before_the_clock_was_set_back_says_nothing(daemon):
    """Letters may have come since then that were in time by the clock as it is now."""
    hour = timedelta(hours=1)
    daemon.swept_at = daemon.now = NOW
    assert daemon.has_swept_since(NOW - hour)
    daemon.now = NOW - hour
    assert not daemon.has_swept_since(NOW - 2 * hour)


class Listing:
    """A mailbox that lists letters which its server does not hand out."""

    def __init__(self, daemon, *uids):
        self.daemon, self.uids = daemon, uids

    def new_letters(self):
        self.daemon.withheld.note("INBOX", 1, self.uids)
        return iter(())


def test_a_letter_that_the_server_lists_and_does_not_hand_out_is_told(daemon, capsys):
    """From the second look on: to the keeper, by mail and in `judge status`, until it is gone."""

    def looks(*uids):
        daemon.collect(Listing(daemon, *uids))
        daemon.look_at_health_again()
        daemon.work()
        with transaction(daemon.engine) as session:
            alerts = session.exec(select(Mail).where(Mail.kind == "alert")).all()
        found = [*doctor.troubles_told(daemon.settings)]
        return [message_from_bytes(mail.raw)["Subject"] for mail in alerts], " ".join(look.says for look in found)

    assert looks(7, 9) == ([], "")
    subjects, trouble = looks(7)
    assert subjects == ["JUDG: Emails in the mailbox cannot be read"]
    assert trouble.startswith("mailbox: emails that the server lists but does not deliver: 1 (INBOX: 7)")
    assert looks(7)[0] == subjects, "once a day"
    assert looks()[1] == ""
