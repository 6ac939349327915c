"""Several processes send the mails of one database: each mail is sent by one of them, each reader's in order."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from judge.mails.pictures import PictureCache
from judge.rules import load_variant, position_to_json, start_position
from judge.store import outbox, pictures
from judge.store.engine import name_of, open_engine, reading, transaction
from judge.store.locks import take_back
from judge.store.states import MailKind
from judge.store.tables import Game, Mail, Picture
from tests.forked import ROOT, Forked
from tests.mails.conftest import JUDGE, settings_for
from tests.mails.senders import Sender, Sent, composed
from tests.servers.smtpsink import SmtpSink, times_sent
from tests.store.conftest import engine, url  # noqa: F401  # in the place of ours: on both databases

NOON = datetime(2026, 5, 15, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
# A worker in a container, of which there are others on machines with names as long.
_SENDS = """
import os, socket, sys
os.getpid, socket.gethostname = lambda: 1, lambda: "worker-of-the-judge-in-the-cluster-of-a-provider-with-long-names-1"
from judge.settings import SmtpSettings
from judge.store.engine import name_of, open_engine
from tests.mails.senders import Sender
from tests.mails.test_sender_several import NOON
settings = SmtpSettings(host="localhost", port=int(sys.argv[2]), security="plain", timeout=30, connections=2)
Sender(open_engine(sys.argv[1], "worker"), settings, "judge@example.org", name=name_of("worker")).run(NOON)
"""
# Another process that is stopped in the middle of taking a mail: the server ends its transaction after a while.
_FREEZES = """
import os, signal, sys
from judge.store import engine, outbox
from judge.store.engine import name_of, open_engine, transaction
from judge.store.tables import Mail
from tests.mails.test_sender_several import NOON
engine._SERVER["idle_in_transaction_session_timeout"] = "6s"
with transaction(open_engine(sys.argv[1], "worker")) as session:
    outbox.take(session, outbox.due(session, NOON, int(sys.argv[2])), name_of("worker"), NOON)
    print(True, flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""
# Another process that has a mail in hand, until it is killed.
_HOLDS = """
import sys, time
from judge.store import outbox
from judge.store.engine import name_of, open_engine, transaction
from judge.store.tables import Mail
from tests.mails.test_sender_several import NOON
with transaction(open_engine(sys.argv[1], "worker")) as session:
    outbox.take(session, [session.get_one(Mail, int(sys.argv[2]))], name_of("worker"), NOON)
print(True, flush=True)
time.sleep(60)
"""


def put(engine: Engine, *mails: tuple[str, MailKind, str]) -> None:  # noqa: F811
    """Queue mails of the game heron: to whom, of which kind, what they say."""
    with transaction(engine) as session:
        game = Game(name="heron", variant="standard", state="active", zone="UTC", created_at=NOON)
        session.add(game)
        session.flush()
        for to, kind, says in mails:
            mail = composed(f"{to}@example.org", NOON, says)
            outbox.put(session, mail, kind, NOON, game_id=game.id)


@contextmanager
def in_other_hands(engine: Engine, mail: int, program: str = _HOLDS) -> Iterator[None]:  # noqa: F811
    """Another process holds the mail meanwhile, and is killed over it."""
    address = engine.url.render_as_string(hide_password=False)
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        process = Forked([address, str(mail)], ROOT, (os.devnull, out, out), os.environ, program)
        try:
            until = time.monotonic() + 30
            while not (out.exists() and out.read_text() == "True\n"):
                assert process.poll() is None and time.monotonic() < until
                time.sleep(0.01)
            yield
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait(30)


def told(sink: SmtpSink, *people: str) -> list[list[str]]:
    return [[mail.subject.split("] ")[-1] for mail in sink.to(f"{who}@example.org")] for who in people]


@pytest.mark.postgres
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_a_mail_in_other_hands_holds_up_what_comes_after_it_and_is_free_after_a_kill(
    engine: Engine,  # noqa: F811
    smtp_sink: SmtpSink,
):
    put(engine, ("al", "results", "first"), ("bo", "results", "first"), ("al", "deadline", "second"),
        ("al", "reply", "answer"))  # fmt: skip
    sender = Sender(engine, settings_for(smtp_sink), JUDGE)
    smtp_sink.stop()
    assert sender.run(NOON) == Sent(0, 0, 0) and sender.trouble  # and nothing stays in our hands
    smtp_sink.start()
    sender = Sender(engine, settings_for(smtp_sink), JUDGE)
    with in_other_hands(engine, 1):
        assert sender.run(NOON) == Sent(2, 0, 0)
        assert [[one.split()[-1] for one in mails] for mails in told(smtp_sink, "al", "bo")] == [["answer"], ["first"]]
        assert sender.run(NOON) == Sent(0, 0, 0)
    assert sender.run(NOON) == Sent(2, 0, 0)
    assert [one.split()[-1] for one in told(smtp_sink, "al")[0]] == ["answer", "first", "second"]


@pytest.mark.postgres
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_a_process_frozen_while_it_takes_mails_holds_up_only_these_and_not_for_long(
    engine: Engine,  # noqa: F811
    smtp_sink: SmtpSink,
):
    put(engine, ("al", "results", "first"), ("bo", "results", "first"), ("al", "deadline", "second"),
        ("bo", "reply", "answer"), ("cy", "press", "hello"))  # fmt: skip
    sender = Sender(engine, settings_for(smtp_sink), JUDGE)
    with in_other_hands(engine, 2, _FREEZES):
        began = time.monotonic()
        assert sender.run(NOON) == Sent(2, 0, 0)
        assert sender.run(NOON) == Sent(0, 0, 0)
        assert time.monotonic() - began < 5
        time.sleep(7)
        assert sender.run(NOON) == Sent(3, 0, 0)
    assert set(times_sent(smtp_sink.mails).values()) == {1}


def _waits_for_no_one(statement: Callable[[Session], object], engine: Engine) -> None:  # noqa: F811
    with transaction(engine) as session:
        session.execute(text("SET LOCAL lock_timeout = '100ms'"))
        statement(session)


@pytest.mark.postgres
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
@pytest.mark.parametrize(
    "statement",
    [
        lambda session: outbox.clock_was_set_back(session, NOON - MINUTE),
        lambda session: outbox.note_held_up(session, NOON, by_limit=True),
        lambda session: outbox.note_held_up(session, NOON, by_limit=False),
        lambda session: take_back(session, Mail, "me", [], NOON + 60 * MINUTE),
        lambda session: outbox.due(session, NOON, 9),
        lambda session: outbox.due(session, NOON, 9, "but press"),
    ],
)
def test_no_statement_about_all_mails_waits_for_one_that_another_process_has_locked(
    engine: Engine,  # noqa: F811
    statement: Callable[[Session], object],
):
    put(engine, ("al", "results", "first"), ("al", "results", "second"), ("bo", "results", "taken"))
    with transaction(engine) as session:
        outbox.take(session, [session.get_one(Mail, 3)], "a process that has ended", NOON)
    with transaction(engine) as session:
        session.execute(text("SELECT * FROM mail FOR UPDATE"))
        _waits_for_no_one(statement, engine)


@pytest.mark.postgres
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_what_a_process_has_in_hand_that_does_not_move_is_taken_back(engine: Engine, smtp_sink: SmtpSink):  # noqa: F811
    put(engine, ("al", "results", "first"))
    sender = Sender(engine, settings_for(smtp_sink), JUDGE)
    with in_other_hands(engine, 1):
        assert sender.run(NOON + MINUTE) == Sent(0, 0, 0)
        assert sender.run(NOON + 5 * MINUTE) == Sent(1, 0, 0)


@pytest.mark.postgres
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_a_process_that_is_sending_for_long_says_so_and_keeps_its_mail(engine: Engine, smtp_sink: SmtpSink):  # noqa: F811
    put(engine, ("al", "results", "first"))
    smtp_sink.be_slow(2)
    here = open_engine(engine.url.render_as_string(hide_password=False), "worker")
    slow = Sender(here, settings_for(smtp_sink), JUDGE, name=name_of("worker"))
    other = Sender(engine, settings_for(smtp_sink), JUDGE)
    with ThreadPoolExecutor() as threads:
        run = threads.submit(slow.run, NOON)
        smtp_sink.wait_for_count(1)
        for minute in (1, 2, 3):
            slow.renew(NOON + minute * MINUTE)
            assert other.run(NOON + minute * MINUTE) == Sent(0, 0, 0)
        assert run.result() == Sent(1, 0, 0)
    here.dispose()
    assert len(smtp_sink.mails) == 1


@pytest.mark.postgres
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_workers_that_look_alike_send_each_mail_once(engine: Engine, smtp_sink: SmtpSink, tmp_path: Path):  # noqa: F811
    people = [f"player{number}" for number in range(20)]
    put(engine, *[(who, "results", "results") for who in people])
    smtp_sink.be_slow(0.1)
    address, out = engine.url.render_as_string(hide_password=False), tmp_path / "out"
    program = [address, str(smtp_sink.port)]
    processes = [Forked(program, ROOT, (os.devnull, out, out), os.environ, _SENDS) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0], out.read_text()
    assert len(smtp_sink.mails) == 20 and set(times_sent(smtp_sink.mails).values()) == {1}


def test_what_another_process_has_settled_meanwhile_stays_as_it_is(engine: Engine):  # noqa: F811
    put(engine, ("al", "results", "sent"))
    with transaction(engine) as session:
        (mail,) = outbox.due(session, NOON, 9)
        outbox.sent(session, mail, now=NOON)
    with transaction(engine) as session:
        outbox.deferred(session, mail, now=NOON, error="later")
    with reading(engine) as session:
        assert session.get_one(Mail, mail.id).sent_at == NOON


class DrawnJustThen(PictureCache):
    """Its picture is drawn by another thread just after the sender has seen that it is missing."""

    def __init__(self, engine: Engine, folder: Path):  # noqa: F811
        super().__init__(folder)
        self.drawing = threading.Thread(target=self._draw, args=(engine,))

    def has(self, session: Session, picture: Picture) -> bool:
        found = super().has(session, picture)
        if not found:
            self.drawing.start()
            self.drawing.join(0.5)
        return found

    def _draw(self, engine: Engine) -> None:  # noqa: F811
        with transaction(engine) as session:
            picture = session.get_one(Picture, 1)
            self.keep(session, picture, {"": b"a picture"}, NOON)
            outbox.picture_is_settled(session, 1, NOON)


def test_a_mail_does_not_begin_to_wait_for_a_picture_that_is_drawn_just_then(
    engine: Engine,  # noqa: F811
    smtp_sink: SmtpSink,
    tmp_path: Path,
):
    """It would wait for twenty minutes: nobody draws the picture again."""
    variant = load_variant("standard")
    shown = {
        "variant": variant.edition, "name": "heron", "occasion": "start", "outcome": None, "parts": [""],
        "position": position_to_json(variant, start_position(variant)),
    }  # fmt: skip
    with transaction(engine) as session:
        number = pictures.keep(session, shown, "png", NOON)
        outbox.put(session, composed("al@example.org", NOON, "board"), "start", NOON, picture_id=number)
    cache = DrawnJustThen(engine, tmp_path)
    sender = Sender(engine, settings_for(smtp_sink), JUDGE, cache)
    assert sender.run(NOON) == Sent(0, 0, 0)
    cache.drawing.join()
    assert sender.run(NOON) == Sent(1, 0, 0)
