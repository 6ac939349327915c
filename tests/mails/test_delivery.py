"""The pump sends what is due, against a real SMTP server that misbehaves as told."""

import os
import signal
import threading
import time
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, select

from judge.mails import delivery as pumps
from judge.mails import lines
from judge.mails.compose import Draft, Letterhead, compose
from judge.mails.delivery import BATCH, MOST_UNNOTED, Pulse, Pump
from judge.mails.lines import Outcome
from judge.mails.return_path import named_in
from judge.store import outbox
from judge.store.engine import reading, transaction
from judge.store.states import MailKind
from judge.store.tables import Event, Mail
from tests.forked import ROOT, Forked
from tests.mails.conftest import JUDGE, settings_for
from tests.servers.certificates import Certificates
from tests.servers.smtpsink import SmtpSink, times_sent

NOON = datetime(2026, 5, 15, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
HEAD = Letterhead("NEWJ", JUDGE)


def _put(
    engine: Engine, *recipients: str, body: str = "Hello.\n", secret: str | None = None, kind: MailKind = "results"
) -> list[str]:
    """Queue a mail to each; their Message-IDs."""
    with transaction(engine) as session:
        mails = [compose(HEAD, Draft(to, f"to {to}", body), NOON) for to in recipients]
        for mail in mails:
            outbox.put(session, mail, outbox.Entry(kind, secret=secret), NOON)
    return [mail.message_id for mail in mails]


def _rows(engine: Engine) -> list[Mail]:
    with reading(engine) as session:
        return list(session.exec(select(Mail).order_by(Mail.id)))  # type: ignore[arg-type]


def _people(count: int) -> list[str]:
    return [f"player{number}@example.org" for number in range(count)]


def test_what_is_due_goes_in_order_and_goes_once(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    ids = _put(engine, *_people(120))
    assert pump.pulse(NOON) == Pulse(sent=120, deferred=0, failed=0)
    assert pump.pulse(NOON) == Pulse(0, 0, 0)
    assert [mail.message_id for mail in smtp_sink.mails] == ids
    assert [mail.recipients for mail in smtp_sink.mails] == [(person,) for person in _people(120)]
    assert {mail.sender for mail in smtp_sink.mails} == {JUDGE}
    assert all(row.sent_at == NOON for row in _rows(engine))


def test_nothing_due_asks_nothing_of_the_server(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    smtp_sink.stop()
    assert pump.pulse(NOON) == Pulse(0, 0, 0)
    assert pump.trouble == ""
    smtp_sink.start()


def test_a_mail_arrives_byte_for_byte(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org", body="Grüße\n.\n..\nFrom here\ntrailing   \n" + "x" * 3000 + "\n")
    raw = _rows(engine)[0].raw
    pump.pulse(NOON)
    assert smtp_sink.mails[0].raw == raw
    assert smtp_sink.mails[0].text.startswith("Grüße\n.\n..\nFrom here\ntrailing   \nxxx")


def test_each_mail_is_sent_from_an_address_of_its_own_where_the_provider_has_them(
    engine: Engine, smtp_sink: SmtpSink
) -> None:
    ids = _put(engine, *_people(2))
    pump = Pump(engine, settings_for(smtp_sink, plus_addresses=True), JUDGE)
    pump.pulse(NOON)
    pump.close()
    named = [named_in(mail.sender) for mail in smtp_sink.mails]
    assert named == [(row.id, row.return_tag) for row in _rows(engine)]
    assert len({name[1] for name in named if name}) == len(ids) == 2
    assert all(mail.message["From"].endswith(f"<{JUDGE}>") for mail in smtp_sink.mails)


@pytest.mark.parametrize("at", ["RCPT", "DATA"])
def test_a_mail_refused_for_now_goes_later_and_does_not_hold_up_the_others(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink, at: str
) -> None:
    ids = _put(engine, *_people(3))
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at=at)
    assert pump.pulse(NOON) == Pulse(sent=2, deferred=1, failed=0)
    row = _rows(engine)[0]
    assert (row.attempts, row.error, row.next_try_at) == (1, "451 4.7.1 greylisted", NOON + 60 * SECOND)
    assert pump.pulse(NOON + 59 * SECOND) == Pulse(0, 0, 0)
    assert pump.pulse(NOON + 60 * SECOND) == Pulse(1, 0, 0)
    assert [mail.message_id for mail in smtp_sink.mails] == [ids[1], ids[2], ids[0]]
    assert _rows(engine)[0].error == ""


def _subjects(smtp_sink: SmtpSink) -> list[str]:
    return [str(mail.message["Subject"]) for mail in smtp_sink.mails]


def _put_in_order(engine: Engine, *subjects: str, kind: MailKind = "results") -> None:
    """Mails to one reader about one game."""
    with transaction(engine) as session:
        for subject in subjects:
            outbox.put(session, compose(HEAD, Draft("kim@example.org", subject, "."), NOON), outbox.Entry(kind), NOON)


def test_what_comes_after_a_mail_that_was_deferred_comes_after_it(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink
) -> None:
    """As servers defer what comes from strangers; whether it was queued already or comes in between."""
    _put_in_order(engine, "first", "second")
    _put(engine, "jo@example.org")
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at="RCPT")
    assert pump.pulse(NOON) == Pulse(sent=1, deferred=1, failed=0)
    _put_in_order(engine, "third")
    assert pump.pulse(NOON + 30 * SECOND) == Pulse(0, 0, 0)
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at="RCPT")
    assert pump.pulse(NOON + 60 * SECOND) == Pulse(sent=0, deferred=1, failed=0)
    assert pump.pulse(NOON + 360 * SECOND).sent + pump.pulse(NOON + 361 * SECOND).sent == 3
    assert _subjects(smtp_sink) == ["to jo@example.org", "first", "second", "third"]


def test_another_courier_keeps_that_order_too(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    _put_in_order(engine, "first", "second")
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at="RCPT")
    pump.pulse(NOON)
    other = Pump(engine, settings_for(smtp_sink), JUDGE)
    assert other.pulse(NOON + 30 * SECOND) == Pulse(0, 0, 0)
    assert other.pulse(NOON + 60 * SECOND).sent + other.pulse(NOON + 61 * SECOND).sent == 2
    other.close()
    assert _subjects(smtp_sink) == ["first", "second"]


def test_a_mail_that_is_deferred_again_and_again_holds_up_no_other(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink
) -> None:
    _put_in_order(engine, "first", "second")
    smtp_sink.refuse_next(3, "451 4.3.0 not now", at="RCPT")
    for seconds in (0, 60, 360, 361):
        assert _subjects(smtp_sink) == []
        pump.pulse(NOON + seconds * SECOND)
    assert _subjects(smtp_sink) == ["second"]


def test_answers_wait_for_no_deferred_mail(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    _put_in_order(engine, "first", "second", kind="reply")
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at="RCPT")
    assert pump.pulse(NOON) == Pulse(sent=1, deferred=1, failed=0)


@pytest.mark.parametrize("at", ["RCPT", "DATA"])
def test_a_mail_refused_for_ever_fails_loudly(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink, caplog: pytest.LogCaptureFixture, at: str
) -> None:
    _put(engine, *_people(2))
    smtp_sink.refuse_next(1, "550 5.1.1 no such user", at=at)
    assert pump.pulse(NOON) == Pulse(sent=1, deferred=0, failed=1)
    row = _rows(engine)[0]
    assert (row.failed_at, row.sent_at, row.error) == (NOON, None, "550 5.1.1 no such user")
    with reading(engine) as session:
        event = session.exec(select(Event)).one()
    assert event.kind == "mail failed"
    assert event.text == "results mail 1 to player0@example.org: 550 5.1.1 no such user"
    assert [record.levelname for record in caplog.records if "refused" in record.message] == ["ERROR"]
    assert pump.pulse(NOON + timedelta(days=9)) == Pulse(0, 0, 0)


def test_a_mail_that_breaks_the_connection_is_deferred_and_the_rest_waits_untouched(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink
) -> None:
    _put(engine, *_people(4))
    smtp_sink.drop_next(1, taken=False)
    assert pump.pulse(NOON) == Pulse(sent=0, deferred=1, failed=0)
    assert [row.attempts for row in _rows(engine)] == [1, 0, 0, 0]
    assert pump.pulse(NOON) == Pulse(sent=3, deferred=0, failed=0)
    assert pump.pulse(NOON + 60 * SECOND) == Pulse(sent=1, deferred=0, failed=0)
    assert set(times_sent(smtp_sink.mails).values()) == {1}


def test_a_mail_taken_without_an_answer_is_sent_again_under_the_same_message_id(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink
) -> None:
    ids = _put(engine, "kim@example.org")
    smtp_sink.drop_next(1, taken=True)
    assert pump.pulse(NOON) == Pulse(sent=0, deferred=1, failed=0)
    assert pump.pulse(NOON + 60 * SECOND) == Pulse(sent=1, deferred=0, failed=0)
    assert [mail.message_id for mail in smtp_sink.mails] == ids * 2
    assert smtp_sink.mails[0].raw == smtp_sink.mails[1].raw


def test_a_server_out_of_reach_costs_no_attempt_and_is_asked_less_and_less(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink
) -> None:
    _put(engine, *_people(2))
    smtp_sink.stop()
    asked = []
    for second in range(0, 400, 5):
        pump.trouble = ""
        assert pump.pulse(NOON + second * SECOND) == Pulse(0, 0, 0)
        if pump.trouble:
            asked.append(second)
            assert pump.trouble.startswith(f"the mail server localhost:{smtp_sink.port} cannot be used: ")
    assert asked == [0, 5, 20, 80, 380]
    assert [row.attempts for row in _rows(engine)] == [0, 0]
    smtp_sink.start()
    assert pump.pulse(NOON + 700 * SECOND) == Pulse(2, 0, 0)
    assert pump.trouble == ""


def test_a_server_that_refuses_the_judge_itself_harms_no_mail(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    """MAIL FROM is the same for every mail: "sender not allowed" or "too many mails" is not about this one."""
    _put(engine, *_people(2))
    smtp_sink.refuse_next(1, "550 5.7.1 sender not allowed", at="MAIL")
    assert pump.pulse(NOON) == Pulse(0, 0, 0)
    assert pump.trouble == "the mail server refuses the sender judge@example.org: 550 5.7.1 sender not allowed"
    assert [row.attempts for row in _rows(engine)] == [0, 0]
    assert pump.pulse(NOON + 5 * SECOND) == Pulse(2, 0, 0)


def test_a_server_that_does_not_let_us_greet_it_harms_no_mail(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    """The greeting is the same for every mail, too: the judge's own address may be blocked for a while."""
    _put(engine, *_people(2))
    smtp_sink.refuse_next(2, "554 5.7.1 your address is blocked", at="HELO")  # EHLO, then HELO
    assert pump.pulse(NOON) == Pulse(0, 0, 0)
    where = f"localhost:{smtp_sink.port}"
    assert pump.trouble == f"the mail server {where} cannot be used: 554 5.7.1 your address is blocked"
    assert [(row.attempts, row.failed_at) for row in _rows(engine)] == [(0, None), (0, None)]
    assert pump.pulse(NOON + 5 * SECOND) == Pulse(2, 0, 0)


def test_a_server_that_has_had_enough_of_us_is_given_a_rest(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    """421 ends the session (RFC 5321, 3.8): before a mail it is about nobody, within one it defers that one."""
    _put(engine, *_people(3))
    smtp_sink.refuse_next(1, "421 4.7.0 too many mails in one session", at="MAIL")
    assert pump.pulse(NOON) == Pulse(0, 0, 0)
    assert [row.attempts for row in _rows(engine)] == [0, 0, 0]
    smtp_sink.refuse_next(1, "421 4.3.2 shutting down", at="RCPT")
    assert pump.pulse(NOON + 5 * SECOND) == Pulse(0, 1, 0)
    assert [row.attempts for row in _rows(engine)] == [1, 0, 0]
    assert pump.pulse(NOON + 5 * SECOND) == Pulse(2, 0, 0)


def test_a_mail_too_large_fails_alone(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    _put(engine, *_people(2))
    smtp_sink.refuse_next(1, "552 5.3.4 message too big", at="MAIL")
    assert pump.pulse(NOON) == Pulse(sent=1, deferred=0, failed=1)


def test_a_server_that_hangs_is_left_after_the_timeout(engine: Engine, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org")
    smtp_sink.be_slow(3)
    began = time.monotonic()
    assert Pump(engine, settings_for(smtp_sink, timeout=0.3), JUDGE).pulse(NOON) == Pulse(0, 1, 0)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_mails_go_encrypted_after_a_login(engine: Engine, certificates: Certificates, security: str) -> None:
    _put(engine, "kim@example.org")
    with SmtpSink(security=security, certificates=certificates, login=("judge", "pa ss=+")) as sink:
        safe = {"security": security, "ca_file": str(certificates.ca_file), "user": "judge"}
        pump = Pump(engine, settings_for(sink, password="pa ss=+", **safe), JUDGE)
        assert pump.pulse(NOON) == Pulse(1, 0, 0), pump.trouble


def test_a_wrong_password_is_told_without_the_password(
    engine: Engine, certificates: Certificates, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    _put(engine, "kim@example.org")
    with SmtpSink(security="tls", certificates=certificates, login=("judge", "right")) as sink:
        safe = {"security": "tls", "ca_file": str(certificates.ca_file), "user": "judge"}
        pump = Pump(engine, settings_for(sink, password="wr0ng-s3cret", **safe), JUDGE)
        assert pump.pulse(NOON) == Pulse(0, 0, 0)
    assert pump.trouble.startswith(f"the mail server localhost:{sink.port} cannot be used: 535 ")
    assert "wr0ng-s3cret" not in caplog.text + pump.trouble
    assert _rows(engine)[0].attempts == 0


def test_a_password_that_cannot_be_sent_is_told(engine: Engine, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org")
    pump = Pump(engine, settings_for(smtp_sink, user="judge", password="s3crét"), JUDGE)
    assert pump.pulse(NOON) == Pulse(0, 0, 0)
    assert pump.trouble.endswith("user and password must be ASCII")


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(engine: Engine, certificates: Certificates) -> None:
    _put(engine, "kim@example.org")
    with SmtpSink(security="tls", certificates=certificates) as sink:
        pump = Pump(engine, settings_for(sink, security="tls"), JUDGE)
        assert pump.pulse(NOON) == Pulse(0, 0, 0)
    assert "CERTIFICATE_VERIFY_FAILED" in pump.trouble


def test_an_address_outside_ascii_goes_to_a_server_that_knows_them(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink
) -> None:
    _put(engine, "jörg@zürich.example", "kim@example.org")
    assert pump.pulse(NOON) == Pulse(2, 0, 0)
    assert smtp_sink.mails[0].recipients == ("jörg@xn--zrich-kva.example",)


def test_a_password_in_a_mail_is_masked_once_it_has_gone(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org", body="Grüße! Your password: kelp-otter-7\n", secret="kelp-otter-7")
    pump.pulse(NOON)
    assert smtp_sink.mails[0].text == "Grüße! Your password: kelp-otter-7\n"
    row = _rows(engine)[0]
    assert b"kelp-otter-7" not in row.raw and b"****" in row.raw
    assert row.secret is None


def test_stopping_ends_a_run_between_two_mails(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    _put(engine, *_people(30))
    smtp_sink.be_slow(0.05)
    threading.Timer(0.3, pump.stop).start()
    gone = pump.pulse(NOON).sent
    assert 0 < gone < 30
    assert [row.sent_at is not None for row in _rows(engine)] == [True] * gone + [False] * (30 - gone)
    assert pump.pulse(NOON) == Pulse(0, 0, 0)


def test_a_database_that_takes_no_notes_does_not_make_a_mail_go_again_and_again(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink
) -> None:
    _put(engine, *_people(2))
    with transaction(engine) as session:
        full = "CREATE TRIGGER full BEFORE UPDATE ON mail BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        session.execute(text(full))
    for _ in range(3):
        with pytest.raises(DBAPIError, match="disk full"):
            pump.pulse(NOON)
    assert len(smtp_sink.mails) == 1
    with transaction(engine) as session:
        session.execute(text("DROP TRIGGER full"))
    assert pump.pulse(NOON) == Pulse(1, 0, 0)
    assert set(times_sent(smtp_sink.mails).values()) == {1}
    assert all(row.sent_at for row in _rows(engine))


def test_while_another_thread_writes_mails_go_on_and_are_noted_together(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink
) -> None:
    _put(engine, *_people(MOST_UNNOTED + 20))
    sending = threading.Thread(target=pump.pulse, args=(NOON,))
    with transaction(engine) as session:
        session.connection()
        sending.start()
        smtp_sink.wait_for_count(MOST_UNNOTED)
        # No more than a crash may make us send again.
        time.sleep(0.3)
        assert len(smtp_sink.mails) == MOST_UNNOTED
        assert not [row for row in _rows(engine) if row.sent_at]
    sending.join(10)
    assert all(row.sent_at for row in _rows(engine))
    assert set(times_sent(smtp_sink.mails).values()) == {1}


def test_what_was_sent_is_not_left_without_a_note_for_long(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pumps, "LONGEST_UNNOTED", 0.2)
    _put(engine, *_people(30))
    smtp_sink.be_slow(0.05)
    sending = threading.Thread(target=pump.pulse, args=(NOON,))
    with transaction(engine) as session:
        session.connection()
        sending.start()
        smtp_sink.wait_for_count(3)
        time.sleep(0.6)
        assert 3 < len(smtp_sink.mails) < 10
    sending.join(10)
    assert len(smtp_sink.mails) == 30


def _pump_of(sink: SmtpSink, engine: Engine, connections: int) -> Pump:
    return Pump(engine, settings_for(sink, connections=connections), JUDGE)


def test_answers_to_letters_go_before_all_others(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    _put(engine, *_people(BATCH + 20))
    _put(engine, "kim@example.org", kind="reply")
    _put(engine, "jo@example.org", kind="hint")
    pump.pulse(NOON)
    assert [mail.recipients[0] for mail in smtp_sink.mails[:2]] == ["kim@example.org", "jo@example.org"]
    assert len(smtp_sink.mails) == BATCH + 22


def test_a_pulse_that_is_called_ends_so_that_a_new_answer_goes_first(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pumps, "LONGEST_DEAF", 0.0)
    _put(engine, *_people(9))

    def called() -> bool:
        if len(smtp_sink.mails) == 2 and len(_rows(engine)) == 9:
            _put(engine, "kim@example.org", kind="reply")
        return len(smtp_sink.mails) >= 2

    assert pump.pulse(NOON, called).sent == 2
    assert pump.pulse(NOON).sent == 8
    assert [mail.recipients[0] for mail in smtp_sink.mails[:3]] == [*_people(2), "kim@example.org"]


def test_several_connections_send_at_a_time_and_are_kept_open(engine: Engine, smtp_sink: SmtpSink) -> None:
    _put(engine, *_people(12))
    smtp_sink.be_slow(0.1)
    pump = _pump_of(smtp_sink, engine, 3)
    assert pump.pulse(NOON).sent == 12
    assert smtp_sink.connections == 3 and smtp_sink.most_at_once == 3
    _put(engine, *_people(3))
    assert pump.pulse(NOON).sent == 3
    assert smtp_sink.connections == 3, "the same as before"
    assert set(times_sent(smtp_sink.mails).values()) == {1}
    pump.close()


def test_what_was_taken_at_the_same_time_is_recorded_together(
    engine: Engine, smtp_sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction for each takes longer than sending it."""
    pump = _pump_of(smtp_sink, engine, 4)
    together = list[int]()
    at_work, noting, outcome = pump._lines, pump._claims.noting, pump._lines.outcome

    def counted(ids: Collection[int], *, wait: bool = True) -> AbstractContextManager[Mapping[int, Session]]:
        together.append(len(ids))
        return noting(ids, wait=wait)

    def all_there() -> Outcome:
        until = time.monotonic() + 30
        while at_work._outcomes.qsize() < len(at_work._busy):
            assert time.monotonic() < until
            time.sleep(0.001)
        return outcome()

    monkeypatch.setattr(pump._claims, "noting", counted)
    monkeypatch.setattr(at_work, "outcome", all_there)
    smtp_sink.be_slow(0.1)
    _put(engine, *_people(12))
    assert pump.pulse(NOON).sent == 12
    # A connection may have had no mail yet when the others had sent theirs.
    assert sum(together) == 12 and len(together) <= 6
    assert all(row.sent_at == NOON for row in _rows(engine))
    pump.close()


def test_while_all_connections_send_what_they_have_sent_is_noted_together(
    engine: Engine, smtp_sink: SmtpSink
) -> None:
    _put(engine, *_people(40))
    smtp_sink.be_slow(0.02)
    commits: list[object] = []
    event.listen(engine, "commit", commits.append)
    assert _pump_of(smtp_sink, engine, connections=4).pulse(NOON) == Pulse(40, 0, 0)
    # One by one they would be forty. Which are together is chance: about half of that, now and then one more.
    assert 1 <= len(commits) <= 30
    assert all(row.sent_at for row in _rows(engine))


def test_what_one_reader_gets_of_a_game_stays_in_order_on_several_connections(
    engine: Engine, smtp_sink: SmtpSink
) -> None:
    ids = _put(engine, *["kim@example.org"] * 4)
    others = _put(engine, *_people(4))
    smtp_sink.be_slow(0.05)
    pump = _pump_of(smtp_sink, engine, 4)
    assert pump.pulse(NOON).sent == 8
    assert [mail.message_id for mail in smtp_sink.to("kim@example.org")] == ids
    assert {mail.message_id for mail in smtp_sink.mails} == {*ids, *others}
    pump.close()


@pytest.mark.parametrize("connections", [1, 3])
def test_a_connection_that_the_server_has_closed_is_opened_again_and_costs_no_mail_an_attempt(
    engine: Engine, smtp_sink: SmtpSink, connections: int
) -> None:
    pump = _pump_of(smtp_sink, engine, connections)
    _put(engine, *_people(6))
    assert pump.pulse(NOON).sent == 6
    smtp_sink.hang_up()
    _put(engine, *_people(6))
    smtp_sink.refuse_next(1, "421 4.7.0 too many mails in one session", at="MAIL")
    pump.pulse(NOON)
    assert pump.pulse(NOON + 5 * SECOND).deferred == 0
    assert len(smtp_sink.mails) == 12
    assert all(row.attempts == 1 for row in _rows(engine))
    pump.close()


def test_a_server_that_takes_fewer_connections_gets_fewer(engine: Engine, smtp_sink: SmtpSink) -> None:
    smtp_sink.take_at_most(2)
    _put(engine, *_people(12))
    smtp_sink.be_slow(0.05)
    pump = _pump_of(smtp_sink, engine, 5)
    assert pump.pulse(NOON) == Pulse(12, 0, 0), pump.trouble
    assert smtp_sink.most_at_once == 2
    assert pump.trouble == ""
    pump.close()


def test_after_a_while_as_many_connections_as_before_are_tried(
    engine: Engine, smtp_sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have much to send all the while, so that none is ever closed."""
    smtp_sink.take_at_most(1)
    smtp_sink.be_slow(0.05)
    pump = _pump_of(smtp_sink, engine, 3)
    _put(engine, *_people(4))
    pump.pulse(NOON)
    smtp_sink.take_at_most(3)
    _put(engine, *_people(4))
    pump.pulse(NOON)
    assert smtp_sink.most_at_once == 1
    monkeypatch.setattr(lines, "ALL_AGAIN", 0.0)
    _put(engine, *_people(9))
    pump.pulse(NOON)
    assert smtp_sink.most_at_once == 3
    pump.close()


def test_connections_that_have_nothing_to_send_are_closed(
    engine: Engine, smtp_sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "KEPT_OPEN", 0.0)
    pump = _pump_of(smtp_sink, engine, 3)
    for _ in range(2):
        _put(engine, "kim@example.org")
        pump.pulse(NOON)
        smtp_sink.wait_until_left()
    assert smtp_sink.connections == 2


_RUN = """
import sys
from datetime import datetime
from judge.mails.delivery import Pump
from judge.settings import SmtpSettings
from judge.store.engine import open_engine
port, database, now = sys.argv[1:]
settings = SmtpSettings(host="localhost", port=int(port), security="plain", timeout=30, connections=1)
print(*Pump(open_engine(database), settings, "judge@example.org").pulse(datetime.fromisoformat(now)))
"""


# The same beside a thread that never stops writing.
_RUN_BESIDE_A_WRITER = """
import threading
from judge.store import engine as engines
opened = engines.open_engine
def open_and_write(database):
    engine = opened(database)
    begun = threading.Event()
    def write():
        with engines.transaction(engine) as session:
            session.connection()
            begun.set()
            threading.Event().wait()
    threading.Thread(target=write, daemon=True).start()
    begun.wait()
    return engine
engines.open_engine = open_and_write
""" + _RUN


def _start_pump(engine: Engine, sink: SmtpSink, program: str = _RUN) -> Forked:
    database = engine.url.render_as_string(hide_password=False)
    out = _output(engine)
    out.unlink(missing_ok=True)
    return Forked([str(sink.port), database, NOON.isoformat()], ROOT, (os.devnull, out, out), os.environ, program)


def _said(engine: Engine, pump: Forked) -> list[str]:
    """What the pump has printed when it has ended."""
    assert pump.wait(30) == 0
    return _output(engine).read_text().split()


def _output(engine: Engine) -> Path:
    return Path(f"{engine.url.database}.out")


def test_killed_between_the_server_s_250_and_the_note_a_mail_goes_twice_as_the_same(
    engine: Engine, pump: Pump, smtp_sink: SmtpSink
) -> None:
    """We hold the database's write lock: the pump has its 250 but cannot note it when it is killed."""
    ids = _put(engine, *_people(3))
    with transaction(engine) as session:
        session.connection()
        process = _start_pump(engine, smtp_sink)
        smtp_sink.wait_for_count(1)
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
    assert len(smtp_sink.mails) == 1
    assert pump.pulse(NOON) == Pulse(3, 0, 0)
    assert [mail.message_id for mail in smtp_sink.mails] == [ids[0], *ids]
    assert smtp_sink.mails[0].raw == smtp_sink.mails[1].raw


def test_killed_at_any_moment_nothing_is_lost_and_at_most_one_mail_per_kill_goes_twice(
    engine: Engine, smtp_sink: SmtpSink
) -> None:
    ids = _put(engine, *_people(60))
    smtp_sink.be_slow(0.01)
    kills = 4
    for number in range(kills):
        process = _start_pump(engine, smtp_sink)
        smtp_sink.wait_for_count(10 * (number + 1))
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
    assert _said(engine, _start_pump(engine, smtp_sink))[1:] == ["0", "0"]
    times = times_sent(smtp_sink.mails)
    assert {message_id for message_id, _ in times} == set(ids)
    assert sum(times.values()) <= len(ids) + kills


def test_killed_beside_a_busy_writer_no_more_than_a_batch_goes_twice(engine: Engine, smtp_sink: SmtpSink) -> None:
    ids = _put(engine, *_people(2 * MOST_UNNOTED))
    process = _start_pump(engine, smtp_sink, _RUN_BESIDE_A_WRITER)
    smtp_sink.wait_for_count(MOST_UNNOTED)
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    assert len(smtp_sink.mails) == MOST_UNNOTED
    assert _said(engine, _start_pump(engine, smtp_sink)) == [str(2 * MOST_UNNOTED), "0", "0"]
    times = times_sent(smtp_sink.mails)
    assert {message_id for message_id, _ in times} == set(ids)
    assert sum(times.values()) == len(ids) + MOST_UNNOTED


def test_a_rest_ends_where_the_clock_is_set_back(engine: Engine, pump: Pump, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org")
    smtp_sink.stop()
    assert pump.pulse(NOON) == Pulse(0, 0, 0) and pump.trouble
    smtp_sink.start()
    assert pump.pulse(NOON + SECOND) == Pulse(0, 0, 0)
    assert pump.pulse(NOON - 3600 * SECOND) == Pulse(1, 0, 0)
