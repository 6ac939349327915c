"""Mails that come back: counted once each, told to the master when there are too many, held until the owner writes."""

from collections.abc import Iterator

import pytest
from sqlmodel import col, select

from judge.games.core.turn import Turn
from judge.games.people import bounces
from judge.mails.delivery import Pump
from judge.mails.return_path import is_named, named_in, return_path
from judge.settings import SmtpSettings
from judge.store.engine import transaction
from judge.store.ids import id_of
from judge.store.lookups import person_at
from judge.store.tables import Address, BouncedAddress, Mail
from tests.desk.deskatwork import DeskAtWork, Posted
from tests.servers.smtpsink import SmtpSink

FRANCE = "france@example.org"
STATUS = "Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; x@y.test\nAction: {action}\nStatus: {status}\n{more}"


@pytest.fixture
def desk(tmp_path) -> Iterator[DeskAtWork]:
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_seven()
    yield desk
    desk.engine.dispose()


def mails_to(desk: DeskAtWork, address: str) -> list[Mail]:
    with transaction(desk.engine) as session:
        return list(session.exec(select(Mail).where(Mail.recipient == address).order_by(col(Mail.id))))


def report(cited: str, action: str = "failed", status: str = "5.1.1", *, to: str = "judge@example.org") -> bytes:
    """A report of RFC 3464 that a mail server writes."""
    said = STATUS.format(action=action, status=status, more="Diagnostic-Code: smtp; 550 5.1.1 no such\n user\n")
    text = f"""Return-Path: <>
From: MAILER-DAEMON@mx.test
To: {to}
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: text/plain

It did not arrive.
--x
Content-Type: message/delivery-status

{said}
--x
Content-Type: text/rfc822-headers

From: judge@example.org
Message-ID: {cited}
Subject: TEST

--x--
"""
    return text.replace("\n", "\r\n").encode()


def counted(desk: DeskAtWork, address: str = FRANCE) -> int:
    with transaction(desk.engine) as session:
        row = session.exec(select(BouncedAddress).where(BouncedAddress.address == address)).first()
        return row.bounces if row else 0


def make_dead(desk: DeskAtWork) -> None:
    for _ in range(3 - len(mails_to(desk, FRANCE))):
        desk.writes(FRANCE, "LIST")
    for mail in mails_to(desk, FRANCE)[:3]:
        desk.receives(report(mail.message_id))


def told(desk: DeskAtWork) -> list[Posted]:
    with transaction(desk.engine) as session:
        turn = Turn(session, desk.office, desk.now)
        if bounces.is_to_tell(turn):
            bounces.tell(turn)
    return desk.new_mails()


def test_a_mail_that_comes_back_is_counted_once(desk):
    mail = mails_to(desk, FRANCE)[0]
    assert desk.receives(report(mail.message_id)) == []
    desk.receives(report(mail.message_id) + b"\r\nagain\r\n")
    assert counted(desk) == 1


@pytest.mark.parametrize("changes", [{"action": "delayed"}, {"action": "relayed", "status": "2.0.0"}])
def test_what_has_not_failed_is_not_counted(desk, changes):
    desk.receives(report(mails_to(desk, FRANCE)[0].message_id, **changes))
    assert counted(desk) == 0


def test_nobody_can_have_mails_stopped_without_knowing_one(desk):
    mail = mails_to(desk, FRANCE)[0]
    for cited, to in [("<guess@example.org>", f"judge+b{mail.id}-0123456789ab@example.org"), ("<x@y>", "judge@z.test")]:
        desk.receives(report(cited, to=to))
    assert counted(desk) == 0


def test_a_mail_is_known_by_the_address_that_it_was_sent_from(desk):
    mail = mails_to(desk, FRANCE)[0]
    to = return_path("judge@example.org", id_of(mail), mail.message_id)
    assert named_in(to) == (mail.id, to[-24:-12]) and is_named(mail.message_id, to[-24:-12])
    desk.receives(report("<else@where>", to=to))
    assert counted(desk) == 1


def test_an_older_report_in_free_text_is_understood(desk):
    mail = mails_to(desk, FRANCE)[0]
    head = "Return-Path: <>\r\nFrom: MAILER-DAEMON@q.test\r\nSubject: failure notice\r\n"
    desk.receives(f"{head}\r\nSorry.\r\n\r\nMessage-ID: {mail.message_id}\r\n".encode())
    assert counted(desk) == 1


def test_the_master_is_told_of_a_dead_address_once(desk):
    assert told(desk) == []
    make_dead(desk)
    (mail,) = told(desk)
    assert mail.to == "kim@example.org" and "Mails to france@example.org come back" in mail.subject
    text = " ".join(mail.text.split())
    assert "who plays France in heron, come back" in text and "550 5.1.1 no such user" in text
    assert told(desk) == []


def test_mails_to_a_dead_address_are_held_until_its_owner_writes(desk):
    with SmtpSink() as sink:
        pump = Pump(desk.engine, SmtpSettings(sink.host, sink.port, "plain", "", "", "", 5), "judge@example.org")
        pump.pulse(desk.now)
        make_dead(desk)
        pump.pulse(desk.now)
        sink.reset()
        desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nPRESS TO F\nhello\nENDPRESS")
        pump.pulse(desk.now)
        assert not sink.to(FRANCE) and sink.to("turkey@example.org")
        answer = desk.replies(FRANCE, "LIST")
        assert "Mails to you had come back (550 5.1.1 no such user)" in " ".join(answer.text.split())
        pump.pulse(desk.now)
        pump.close()
        assert [("hello" in mail.text) for mail in sink.to(FRANCE)].count(True) == 1
        assert len(sink.to(FRANCE)) == 3  # what was held, and the two answers
    assert counted(desk) == 0


def test_who_signs_on_from_elsewhere_is_told_and_can_have_the_mails_sent_there(desk):
    with SmtpSink() as sink:
        pump = Pump(desk.engine, SmtpSettings(sink.host, sink.port, "plain", "", "", "", 5), "judge@example.org")
        pump.pulse(desk.now)
        make_dead(desk)
        desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nPRESS TO F\nhello\nENDPRESS")
        pump.pulse(desk.now)
        signon = "SIGNON Fheron pwfrance"
        answer = desk.replies("fay@work.test", signon)
        assert "no copy goes to the address of the seat: mails to it come back" in " ".join(answer.text.split())
        with transaction(desk.engine) as session:
            fay = person_at(session, FRANCE)
            assert fay and fay.id
            session.add(Address(person_id=fay.id, address="fay@work.test", added_at=desk.now))
        pump.pulse(desk.now)
        sink.reset()
        texts = [" ".join(mail.text.split()) for mail in desk.writes("fay@work.test", f"{signon}\nSET ADDRESS")]
        assert sum("go to fay@work.test from now on; 2 that were held are on" in text for text in texts) == 1
        pump.pulse(desk.now)
        pump.close()
        assert [("hello" in mail.text) for mail in sink.to("fay@work.test")].count(True) == 1


def test_a_letter_between_two_that_come_back_begins_the_count_anew(desk):
    mails = mails_to(desk, FRANCE)
    desk.receives(report(mails[0].message_id))
    desk.writes(FRANCE, "LIST")
    assert counted(desk) == 0


def test_an_address_that_the_mail_server_does_not_know_counts_too(desk):
    with SmtpSink() as sink:
        sink.refuse_recipient(FRANCE)
        pump = Pump(
            desk.engine, SmtpSettings(sink.host, sink.port, "plain", "", "", "", 5), "judge@example.org", bounces=3
        )
        desk.writes(FRANCE, "LIST")
        pump.pulse(desk.now)
        pump.close()
    assert counted(desk) >= 1

