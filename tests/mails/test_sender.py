"""The sender sends what is due, against a real SMTP server that misbehaves as told."""

import logging
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from judge.mails import smtp
from judge.mails.smtp import named_in
from judge.store import bounces, event_times, outbox
from judge.store.engine import reading, transaction
from judge.store.states import MailKind
from judge.store.tables import Event, Mail
from tests.forked import ROOT, Forked
from tests.mails.conftest import JUDGE, settings_for
from tests.mails.senders import Sender, Sent, composed
from tests.servers.certificates import Certificates
from tests.servers.smtpsink import SmtpSink, times_sent
from tests.texts import table

NOON = datetime(2026, 5, 15, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def _put(
    engine: Engine,
    *recipients: str,
    body: str = "Hello.\n",
    secret: str | None = None,
    kind: MailKind = "results",
    page: str = "",
) -> list[str]:
    """Queue a mail to each; their Message-IDs."""
    with transaction(engine) as session:
        mails = [composed(to, NOON, f"to {to}", body, page=page) for to in recipients]
        for mail in mails:
            outbox.put(session, mail, kind, NOON, secret=secret)
    return [mail.message_id for mail in mails]


def _rows(engine: Engine) -> list[Mail]:
    with reading(engine) as session:
        return list(session.exec(select(Mail).order_by(Mail.id)))  # type: ignore[arg-type]


def _people(count: int) -> list[str]:
    return [f"player{number}@example.org" for number in range(count)]


def test_what_is_due_goes_in_order_and_goes_once(engine: Engine, sender: Sender, smtp_sink: SmtpSink) -> None:
    ids = _put(engine, *_people(120))
    assert sender.run(NOON) == Sent(sent=120, deferred=0, failed=0)
    assert sender.run(NOON) == Sent(0, 0, 0)
    assert [mail.message_id for mail in smtp_sink.mails] == ids
    assert [mail.recipients for mail in smtp_sink.mails] == [(person,) for person in _people(120)]
    assert {mail.sender for mail in smtp_sink.mails} == {JUDGE}
    assert all(row.sent_at == NOON for row in _rows(engine))


@pytest.mark.parametrize("end", ["\r\nDATA", "\n", "\r", "\0"])
def test_an_address_with_a_line_break_is_refused_and_holds_nothing_up(
    end: str, engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    _put(engine, "kim@example.org", "jo@example.org")
    with transaction(engine) as session:
        first = session.exec(select(Mail).where(Mail.recipient == "kim@example.org")).one()
        first.recipient += end
    assert sender.run(NOON) == Sent(sent=1, deferred=0, failed=1)
    assert [mail.recipients for mail in smtp_sink.mails] == [("jo@example.org",)]


def test_a_mail_arrives_byte_for_byte(engine: Engine, sender: Sender, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org", body="Grüße\n.\n..\nFrom here\ntrailing   \n" + "x" * 3000 + "\n")
    raw = _rows(engine)[0].raw
    sender.run(NOON)
    assert smtp_sink.mails[0].raw == raw
    assert smtp_sink.mails[0].text.startswith("Grüße\n.\n..\nFrom here\ntrailing   \nxxx")


@pytest.mark.parametrize("until, says_so", [(NOON - SECOND, False), (NOON, True), (NOON + SECOND, True)])
def test_what_may_have_been_sent_before_a_backup_was_restored_says_what_it_replaces(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink, until: datetime, says_so: bool
) -> None:
    """With its text and its page as they are in the outbox, under their Message-ID."""
    page = '<html><body><div class="b w">Grüße</div></body></html>'
    (message_id,) = _put(engine, "kim@example.org", body="Grüße\n", page=page)
    with transaction(engine) as session:
        event_times.begin_replay(session, until)
        event_times.end_replay(session)
    sender.run(NOON + 60 * SECOND)
    (mail,) = smtp_sink.mails
    bodies = [body for kind in ("plain", "html") if (body := mail.message.get_body((kind,)))]
    text, html = (body.get_content().replace("\r\n", "\n") for body in bodies)
    said = "the email of Fri May 15 2026 12:00:00 +0000 says something else, this email\nreplaces it."
    assert mail.message_id == message_id
    assert [text.count(said), html.count(said)] == [says_so, says_so]
    assert text.endswith("Grüße\n") and '<div class="b w">Gr&#252;&#223;e</div>' in html


def test_each_mail_is_sent_from_an_address_of_its_own_where_the_provider_has_them(
    engine: Engine, smtp_sink: SmtpSink
) -> None:
    ids = _put(engine, *_people(2))
    sender = Sender(engine, settings_for(smtp_sink, plus_addresses=True), JUDGE)
    sender.run(NOON)
    sender.close()
    named = [named_in(mail.sender) for mail in smtp_sink.mails]
    assert named == [row.return_tag for row in _rows(engine)]
    assert len({*named}) == len(ids) == 2
    assert all(mail.message["From"].endswith(f"<{JUDGE}>") for mail in smtp_sink.mails)


@pytest.mark.parametrize("at", ["RCPT", "DATA"])
def test_a_mail_refused_for_now_goes_later_and_does_not_hold_up_the_others(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink, at: str
) -> None:
    ids = _put(engine, *_people(3))
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at=at)
    assert sender.run(NOON) == Sent(sent=2, deferred=1, failed=0)
    row = _rows(engine)[0]
    assert (row.attempts, row.error, row.next_try_at) == (1, "451 4.7.1 greylisted", NOON + 60 * SECOND)
    assert sender.run(NOON + 59 * SECOND) == Sent(0, 0, 0)
    assert sender.run(NOON + 60 * SECOND) == Sent(1, 0, 0)
    assert [mail.message_id for mail in smtp_sink.mails] == [ids[1], ids[2], ids[0]]
    assert _rows(engine)[0].error == ""


def _subjects(smtp_sink: SmtpSink) -> list[str]:
    return [str(mail.message["Subject"]) for mail in smtp_sink.mails]


def _put_in_order(engine: Engine, *subjects: str, kind: MailKind = "results") -> None:
    """Mails to one reader about one game."""
    with transaction(engine) as session:
        for subject in subjects:
            outbox.put(session, composed("kim@example.org", NOON, subject), kind, NOON)


def test_what_comes_after_a_mail_that_was_deferred_comes_after_it(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    """As servers defer what comes from strangers; whether it was queued already or comes in between."""
    _put_in_order(engine, "first", "second")
    _put(engine, "jo@example.org")
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at="RCPT")
    assert sender.run(NOON) == Sent(sent=1, deferred=1, failed=0)
    _put_in_order(engine, "third")
    assert sender.run(NOON + 30 * SECOND) == Sent(0, 0, 0)
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at="RCPT")
    assert sender.run(NOON + 60 * SECOND) == Sent(sent=0, deferred=1, failed=0)
    assert sender.run(NOON + 360 * SECOND)["sent"] + sender.run(NOON + 361 * SECOND)["sent"] == 3
    assert _subjects(smtp_sink) == ["to jo@example.org", "first", "second", "third"]


def test_a_mail_that_is_deferred_again_and_again_holds_up_no_other(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    _put_in_order(engine, "first", "second")
    smtp_sink.refuse_next(3, "451 4.3.0 not now", at="RCPT")
    for seconds in (0, 60, 360):
        assert _subjects(smtp_sink) == []
        sender.run(NOON + seconds * SECOND)
    assert _subjects(smtp_sink) == ["second"]


def test_answers_wait_for_no_deferred_mail(engine: Engine, sender: Sender, smtp_sink: SmtpSink) -> None:
    _put_in_order(engine, "first", "second", kind="reply")
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at="RCPT")
    assert sender.run(NOON) == Sent(sent=1, deferred=1, failed=0)


@pytest.mark.parametrize("at", ["RCPT", "DATA"])
def test_a_mail_refused_for_ever_fails_loudly(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink, caplog: pytest.LogCaptureFixture, at: str
) -> None:
    _put(engine, *_people(2))
    smtp_sink.refuse_next(1, "550 5.1.1 no such user", at=at)
    assert sender.run(NOON) == Sent(sent=1, deferred=0, failed=1)
    row = _rows(engine)[0]
    assert (row.failed_at, row.sent_at, row.error) == (NOON, None, "550 5.1.1 no such user")
    with reading(engine) as session:
        event = session.exec(select(Event)).one()
    assert event.kind == "mail failed"
    assert event.text == "results mail 1 to player0@example.org: 550 5.1.1 no such user"
    with transaction(engine) as session:
        mail = session.get_one(Mail, 1)
        assert not bounces.note(session, mail, "a report", NOON, 3), "a mail counts once"
    assert [record.levelname for record in caplog.records if "refused" in record.message] == ["ERROR"]
    assert sender.run(NOON + timedelta(days=9)) == Sent(0, 0, 0)


def test_a_mail_that_breaks_the_connection_is_deferred_and_the_rest_waits_untouched(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    _put(engine, *_people(4))
    smtp_sink.drop_next(1, taken=False)
    assert sender.run(NOON) == Sent(sent=0, deferred=1, failed=0)
    assert [row.attempts for row in _rows(engine)] == [1, 0, 0, 0]
    assert sender.run(NOON) == Sent()
    assert sender.run(NOON + SECOND) == Sent(sent=3, deferred=0, failed=0)
    assert sender.run(NOON + 60 * SECOND) == Sent(sent=1, deferred=0, failed=0)
    assert set(times_sent(smtp_sink.mails).values()) == {1}


def test_a_mail_taken_without_an_answer_is_sent_again_under_the_same_message_id(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    ids = _put(engine, "kim@example.org")
    smtp_sink.drop_next(1, taken=True)
    assert sender.run(NOON) == Sent(sent=0, deferred=1, failed=0)
    assert sender.run(NOON + 60 * SECOND) == Sent(sent=1, deferred=0, failed=0)
    assert [mail.message_id for mail in smtp_sink.mails] == ids * 2
    assert smtp_sink.mails[0].raw == smtp_sink.mails[1].raw


def test_a_server_out_of_reach_costs_no_attempt_and_is_asked_less_and_less(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    _put(engine, *_people(2))
    smtp_sink.stop()
    asked = []
    for second in range(0, 400, 5):
        sender.trouble = ""
        assert sender.run(NOON + second * SECOND) == Sent(0, 0, 0)
        if sender.trouble:
            asked.append(second)
            assert sender.trouble.startswith(f"the mail server localhost:{smtp_sink.port} cannot be used: ")
    assert asked == [0, 5, 20, 80, 380]
    assert [row.attempts for row in _rows(engine)] == [0, 0]
    smtp_sink.start()
    assert sender.run(NOON + 700 * SECOND) == Sent(2, 0, 0)
    assert sender.trouble == ""


@pytest.mark.parametrize(
    ("at", "answer", "told"),
    [
        ("MAIL", "550 5.7.1 sender not allowed", "rejects the sender judge@example.org"),
        ("HELO", "554 5.7.1 your address is blocked", "localhost:{port} cannot be used"),
    ],
)
def test_a_server_that_refuses_the_judge_itself_harms_no_mail(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink, at: str, answer: str, told: str
) -> None:
    """MAIL FROM and the greeting are the same for every mail: "sender not allowed" is not about this one."""
    _put(engine, *_people(2))
    smtp_sink.refuse_next(2 if at == "HELO" else 1, answer, at=at)  # EHLO, then HELO
    assert sender.run(NOON) == Sent(0, 0, 0)
    assert sender.trouble == f"the mail server {told.format(port=smtp_sink.port)}: {answer}"
    assert [(row.attempts, row.failed_at) for row in _rows(engine)] == [(0, None), (0, None)]
    assert sender.run(NOON + 5 * SECOND) == Sent(2, 0, 0)


def test_a_server_that_has_had_enough_of_us_is_given_a_rest(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    """421 ends the session (RFC 5321, 3.8): before a mail it is about nobody, within one it defers that one."""
    _put(engine, *_people(3))
    smtp_sink.refuse_next(1, "421 4.7.0 too many mails in one session", at="MAIL")
    assert sender.run(NOON) == Sent(0, 0, 0)
    assert [row.attempts for row in _rows(engine)] == [0, 0, 0]
    smtp_sink.refuse_next(1, "421 4.3.2 shutting down", at="RCPT")
    assert sender.run(NOON + 5 * SECOND) == Sent(0, 1, 0)
    assert [row.attempts for row in _rows(engine)] == [1, 0, 0]
    assert sender.run(NOON + 6 * SECOND) == Sent(2, 0, 0)


def test_a_mail_too_large_fails_alone(engine: Engine, sender: Sender, smtp_sink: SmtpSink) -> None:
    _put(engine, *_people(2))
    smtp_sink.refuse_next(1, "552 5.3.4 message too big", at="MAIL")
    assert sender.run(NOON) == Sent(sent=1, deferred=0, failed=1)


def test_a_server_that_hangs_is_left_after_the_timeout(engine: Engine, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org")
    smtp_sink.be_slow(3)
    began = time.monotonic()
    assert Sender(engine, settings_for(smtp_sink, timeout=0.3), JUDGE).run(NOON) == Sent(0, 1, 0)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("at", ["HELO", "DATA"])
@pytest.mark.parametrize("security", ["plain", "tls"])
def test_a_server_that_answers_byte_by_byte_is_left_after_a_while(
    engine: Engine, certificates: Certificates, security: str, at: str
) -> None:
    """Each byte comes before the timeout."""
    _put(engine, "kim@example.org")
    with SmtpSink(security=security, certificates=certificates) as sink:
        sink.drip(at)
        settings = settings_for(sink, timeout=0.5, security=security, ca_file=str(certificates.ca_file))
        sender = Sender(engine, settings, JUDGE)
        began = time.monotonic()
        sender.run(NOON)
        assert time.monotonic() - began < 5
        said = sender.trouble or _rows(engine)[0].error
        assert said.endswith("the exchange took longer than 1 seconds")
        sink.drip("")
        assert sender.run(NOON + timedelta(minutes=1)) == Sent(1, 0, 0)
        sender.close()


def test_a_reader_whose_server_is_slow_does_not_hold_up_others(engine: Engine, smtp_sink: SmtpSink) -> None:
    """Answers about other games, and notices: one of each is under way at a time, in the order of their writing."""
    answers = _put(engine, *["kim@example.org"] * 9, kind="reply")
    notices = _put(engine, *["kim@example.org"] * 8)
    others = _put(engine, *_people(20), kind="reply") + _put(engine, *_people(20))
    smtp_sink.hold("kim@example.org")
    sender = Sender(engine, settings_for(smtp_sink, connections=4, timeout=300), JUDGE)
    with ThreadPoolExecutor() as threads:
        run = threads.submit(sender.run, NOON)
        try:
            meanwhile = {mail.message_id for mail in smtp_sink.wait_for_count(42, seconds=120)}
        finally:
            smtp_sink.hold("kim@example.org", on=False)
        assert run.result()["sent"] == 57
    assert meanwhile == {answers[0], notices[0], *others}
    gone = [mail.message_id for mail in smtp_sink.to("kim@example.org")]
    assert [one for one in gone if one in answers] == answers and [one for one in gone if one in notices] == notices
    sender.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [*table("""
        next_try_at => never
        next_try_at => 0
        created_at => never
        created_at => 2026-13-41 12:00
        cited_at => never
        gathered => {
        attempts => several"""), ("next_try_at", ""), ("created_at", b"\xff")],
)  # fmt: skip
def test_a_mail_whose_row_cannot_be_read_is_set_aside_and_the_keeper_is_told(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink, column: str, value: str
) -> None:
    _put(engine, *_people(3))
    with transaction(engine) as session:
        session.execute(text(f"UPDATE mail SET {column} = :value WHERE id = 1"), {"value": value})
    done = sender.run(NOON)
    assert done["sent"] >= 2 and {"player1@example.org", "player2@example.org"} <= {
        mail.recipients[0] for mail in smtp_sink.mails
    }  # fmt: skip
    assert sender.run(NOON) == Sent(0, 0, 0)
    with reading(engine) as session:
        told = [(mail.recipient, mail.error) for mail in outbox.untold(session, "keeper@example.org")]
        assert outbox.next_due(session) is None and outbox.backlog(session)[0] == 0
    assert told == [("player0@example.org", f"its row in the database could not be read ({column})")]


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_mails_go_encrypted_after_a_login(engine: Engine, certificates: Certificates, security: str) -> None:
    _put(engine, "kim@example.org")
    with SmtpSink(security=security, certificates=certificates, login=("judge", "pa ss=+")) as sink:
        safe = {"security": security, "ca_file": str(certificates.ca_file), "user": "judge"}
        sender = Sender(engine, settings_for(sink, password="pa ss=+", **safe), JUDGE)
        assert sender.run(NOON) == Sent(1, 0, 0), sender.trouble


def test_a_wrong_password_is_told_without_the_password(
    engine: Engine, certificates: Certificates, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    _put(engine, "kim@example.org")
    with SmtpSink(security="tls", certificates=certificates, login=("judge", "right")) as sink:
        safe = {"security": "tls", "ca_file": str(certificates.ca_file), "user": "judge"}
        sender = Sender(engine, settings_for(sink, password="wr0ng-s3cret", **safe), JUDGE)
        assert sender.run(NOON) == Sent(0, 0, 0)
    assert sender.trouble.startswith(f"the mail server localhost:{sink.port} cannot be used: 535 ")
    assert "wr0ng-s3cret" not in caplog.text + sender.trouble
    assert _rows(engine)[0].attempts == 0


def test_a_password_that_cannot_be_sent_is_told(engine: Engine, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org")
    sender = Sender(engine, settings_for(smtp_sink, user="judge", password="s3crét"), JUDGE)
    assert sender.run(NOON) == Sent(0, 0, 0)
    assert sender.trouble.endswith("user and password must be ASCII")


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(engine: Engine, certificates: Certificates) -> None:
    _put(engine, "kim@example.org")
    with SmtpSink(security="tls", certificates=certificates) as sink:
        sender = Sender(engine, settings_for(sink, security="tls"), JUDGE)
        assert sender.run(NOON) == Sent(0, 0, 0)
    assert "CERTIFICATE_VERIFY_FAILED" in sender.trouble


def test_an_address_outside_ascii_goes_to_a_server_that_knows_them(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    _put(engine, "jörg@zürich.example", "kim@example.org")
    assert sender.run(NOON) == Sent(2, 0, 0)
    assert smtp_sink.mails[0].recipients == ("jörg@xn--zrich-kva.example",)


def test_a_password_in_a_mail_is_masked_once_it_has_gone(engine: Engine, sender: Sender, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org", body="Grüße! Your password: kelp-otter-7\n", secret="kelp-otter-7")
    sender.run(NOON)
    assert smtp_sink.mails[0].text == "Grüße! Your password: kelp-otter-7\n"
    row = _rows(engine)[0]
    assert b"kelp-otter-7" not in row.raw and b"****" in row.raw
    assert row.secret is None


def test_stopping_ends_a_run_between_two_mails(engine: Engine, sender: Sender, smtp_sink: SmtpSink) -> None:
    _put(engine, *_people(30))
    smtp_sink.be_slow(0.05)
    threading.Timer(0.3, sender.stop).start()
    gone = sender.run(NOON)["sent"]
    assert 0 < gone < 30
    assert [row.sent_at is not None for row in _rows(engine)] == [True] * gone + [False] * (30 - gone)
    assert sender.run(NOON) == Sent(0, 0, 0)


def test_a_database_that_takes_no_notes_does_not_make_a_mail_go_again_and_again(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    _put(engine, *_people(2))
    with transaction(engine) as session:
        full = "CREATE TRIGGER full BEFORE UPDATE OF sent_at ON mail BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        session.execute(text(full))
    for _ in range(3):
        with pytest.raises(DBAPIError, match="disk full"):
            sender.run(NOON)
    assert len(smtp_sink.mails) == 1
    with transaction(engine) as session:
        session.execute(text("DROP TRIGGER full"))
    assert sender.run(NOON) == Sent(2, 0, 0)  # the one that was sent before is noted, and counted, now
    assert set(times_sent(smtp_sink.mails).values()) == {1}
    assert all(row.sent_at for row in _rows(engine))


def test_an_outcome_that_cannot_be_stored_holds_up_no_other_and_is_not_logged(
    engine: Engine, smtp_sink: SmtpSink, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    _put(engine, *_people(3))
    with transaction(engine) as session:
        odd = session.exec(select(Mail.recipient)).all()[0]
        when = f"OF sent_at ON mail WHEN NEW.recipient = '{odd}' BEGIN SELECT RAISE(ABORT, 'odd'); END"
        session.execute(text(f"CREATE TRIGGER odd BEFORE UPDATE {when}"))
    smtp_sink.be_slow(0.2)
    sender = _sender_of(smtp_sink, engine, 3)
    with pytest.raises(DBAPIError, match="odd"):
        sender.run(NOON)
    gone = {mail.recipients[0] for mail in smtp_sink.mails}
    assert len(gone) == 3
    assert {row.recipient for row in _rows(engine) if row.sent_at} == gone - {odd}
    assert {line.rpartition("to=")[2] for line in caplog.messages if line.startswith("mail sent")} == gone - {odd}
    sender.close()


def _sender_of(sink: SmtpSink, engine: Engine, connections: int) -> Sender:
    return Sender(engine, settings_for(sink, connections=connections), JUDGE)


def test_answers_to_letters_go_before_all_others(engine: Engine, sender: Sender, smtp_sink: SmtpSink) -> None:
    _put(engine, *_people(24))
    _put(engine, "kim@example.org", kind="reply")
    _put(engine, "jo@example.org", kind="hint")
    sender.run(NOON)
    assert [mail.recipients[0] for mail in smtp_sink.mails[:2]] == ["kim@example.org", "jo@example.org"]
    assert len(smtp_sink.mails) == 26


def test_several_connections_send_at_a_time_and_are_kept_open(engine: Engine, smtp_sink: SmtpSink) -> None:
    _put(engine, *_people(12))
    smtp_sink.be_slow(0.1)
    sender = _sender_of(smtp_sink, engine, 3)
    assert sender.run(NOON)["sent"] == 12
    assert smtp_sink.connections == 3 and smtp_sink.most_at_once == 3
    _put(engine, *_people(3))
    assert sender.run(NOON)["sent"] == 3
    assert smtp_sink.connections == 3, "the same as before"
    assert set(times_sent(smtp_sink.mails).values()) == {1}
    sender.close()


def test_what_one_reader_gets_of_a_game_stays_in_order_on_several_connections(
    engine: Engine, smtp_sink: SmtpSink
) -> None:
    ids = _put(engine, *["kim@example.org"] * 4)
    others = _put(engine, *_people(4))
    smtp_sink.be_slow(0.05)
    sender = _sender_of(smtp_sink, engine, 4)
    assert sender.run(NOON)["sent"] == 8
    assert [mail.message_id for mail in smtp_sink.to("kim@example.org")] == ids
    assert {mail.message_id for mail in smtp_sink.mails} == {*ids, *others}
    sender.close()


@pytest.mark.parametrize("connections", [1, 3])
def test_a_connection_that_the_server_has_closed_is_opened_again_and_costs_no_mail_an_attempt(
    engine: Engine, smtp_sink: SmtpSink, connections: int
) -> None:
    sender = _sender_of(smtp_sink, engine, connections)
    _put(engine, *_people(6))
    assert sender.run(NOON)["sent"] == 6
    smtp_sink.hang_up()
    _put(engine, *_people(6))
    smtp_sink.refuse_next(1, "421 4.7.0 too many mails in one session", at="MAIL")
    sender.run(NOON)
    assert sender.run(NOON + 5 * SECOND)["deferred"] == 0
    assert len(smtp_sink.mails) == 12
    assert all(row.attempts == 1 for row in _rows(engine))
    sender.close()


@pytest.mark.parametrize("at", ["MAIL", "RCPT"])
def test_a_server_that_takes_so_many_mails_in_a_session_gets_the_next_at_once_in_another(
    engine: Engine, smtp_sink: SmtpSink, at: str
) -> None:
    """Exim answers 421 to MAIL after smtp_accept_max_per_connection mails, and knows RSET before that."""
    sender = _sender_of(smtp_sink, engine, 1)
    _put(engine, *_people(2))
    assert sender.run(NOON)["sent"] == 2
    smtp_sink.refuse_next(1, "421 4.7.0 too many mails in one session", at=at)
    _put(engine, *_people(2))
    assert sender.run(NOON) == Sent(2, 0, 0), sender.trouble
    assert smtp_sink.connections == 2 and set(times_sent(smtp_sink.mails).values()) == {1}
    sender.close()


def test_a_server_without_rset_gets_its_mails_on_one_connection(
    engine: Engine, smtp_sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp_sink, "handle_RSET", _unknown, raising=False)
    sender = _sender_of(smtp_sink, engine, 1)
    _put(engine, *_people(3))
    assert sender.run(NOON) == Sent(3, 0, 0), sender.trouble
    assert smtp_sink.connections == 1
    sender.close()


async def _unknown(*_: object) -> str:
    return "502 5.5.2 command not recognized"


def test_a_server_that_takes_fewer_connections_gets_fewer(engine: Engine, smtp_sink: SmtpSink) -> None:
    smtp_sink.take_at_most(2)
    _put(engine, *_people(12))
    smtp_sink.be_slow(0.05)
    sender = _sender_of(smtp_sink, engine, 5)
    assert sender.run(NOON) == Sent(12, 0, 0), sender.trouble
    assert smtp_sink.most_at_once == 2
    assert sender.trouble == ""
    sender.close()


def test_after_a_while_as_many_connections_as_before_are_tried(
    engine: Engine, smtp_sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have much to send all the while, so that none is ever closed."""
    smtp_sink.take_at_most(1)
    smtp_sink.be_slow(0.05)
    sender = _sender_of(smtp_sink, engine, 3)
    _put(engine, *_people(4))
    sender.run(NOON)
    smtp_sink.take_at_most(3)
    _put(engine, *_people(4))
    sender.run(NOON)
    assert smtp_sink.most_at_once == 1
    monkeypatch.setattr(smtp, "ALL_AGAIN", 0.0)
    _put(engine, *_people(9))
    sender.run(NOON)
    assert smtp_sink.most_at_once == 3
    sender.close()


def test_connections_that_have_nothing_to_send_are_closed(
    engine: Engine, smtp_sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.mails.sender.KEPT_OPEN", 0.0)
    sender = _sender_of(smtp_sink, engine, 3)
    for _ in range(2):
        _put(engine, "kim@example.org")
        sender.run(NOON)
        smtp_sink.wait_until_left()
    assert smtp_sink.connections == 2


_RUN = """
import sys
from datetime import datetime
from tests.mails.senders import Sender
from judge.settings import SmtpSettings
from judge.store.engine import open_engine
port, database, now = sys.argv[1:]
settings = SmtpSettings(host="localhost", port=int(port), security="plain", timeout=30, connections=1)
done = Sender(open_engine(database), settings, "judge@example.org").run(datetime.fromisoformat(now))
print(done["sent"], done["deferred"], done["failed"])
"""


def _start_sender(engine: Engine, sink: SmtpSink, program: str = _RUN) -> Forked:
    database = engine.url.render_as_string(hide_password=False)
    out = _output(engine)
    out.unlink(missing_ok=True)
    return Forked([str(sink.port), database, NOON.isoformat()], ROOT, (os.devnull, out, out), os.environ, program)


def _said(engine: Engine, sender: Forked) -> list[str]:
    """What the sender has printed when it has ended."""
    assert sender.wait(30) == 0
    return _output(engine).read_text().split()


def _output(engine: Engine) -> Path:
    return Path(f"{engine.url.database}.out")


def test_killed_between_the_server_s_250_and_the_note_a_mail_goes_twice_as_the_same(
    engine: Engine, sender: Sender, smtp_sink: SmtpSink
) -> None:
    """We hold the database's write lock: the sender has its 250 but cannot note it when it is killed."""
    ids = _put(engine, *_people(3))
    smtp_sink.be_slow(1)
    process = _start_sender(engine, smtp_sink)
    while not any(row.taken_by for row in _rows(engine)):
        time.sleep(0.01)
    with transaction(engine) as session:
        session.connection()
        smtp_sink.wait_for_count(1)
        smtp_sink.be_slow(0)
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
    assert len(smtp_sink.mails) == 1
    assert sender.run(NOON) == Sent(3, 0, 0)
    assert [mail.message_id for mail in smtp_sink.mails] == [ids[0], *ids]
    assert smtp_sink.mails[0].raw == smtp_sink.mails[1].raw


def test_killed_at_any_moment_nothing_is_lost_and_at_most_one_mail_per_kill_goes_twice(
    engine: Engine, smtp_sink: SmtpSink
) -> None:
    ids = _put(engine, *_people(60))
    smtp_sink.be_slow(0.01)
    kills = 4
    for number in range(kills):
        process = _start_sender(engine, smtp_sink)
        smtp_sink.wait_for_count(10 * (number + 1))
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
    assert _said(engine, _start_sender(engine, smtp_sink))[1:] == ["0", "0"]
    times = times_sent(smtp_sink.mails)
    assert {message_id for message_id, _ in times} == set(ids)
    assert sum(times.values()) <= len(ids) + kills


def test_a_rest_ends_where_the_clock_is_set_back(engine: Engine, sender: Sender, smtp_sink: SmtpSink) -> None:
    _put(engine, "kim@example.org")
    smtp_sink.stop()
    assert sender.run(NOON) == Sent(0, 0, 0) and sender.trouble
    smtp_sink.start()
    assert sender.run(NOON + SECOND) == Sent(0, 0, 0)
    assert sender.run(NOON - 3600 * SECOND) == Sent(1, 0, 0)
