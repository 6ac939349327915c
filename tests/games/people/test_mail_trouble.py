"""Mails that come back: counted once each, told to the master when there are too many, held until the owner writes."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select

from judge.games.core.work import Work
from judge.games.people import mail_trouble
from judge.mails.smtp import named_in, return_path
from judge.shell import status
from judge.shell.calling import carry_out
from judge.shell.doctor import Look
from judge.store import stats
from judge.store.engine import reading, transaction
from judge.store.people import person_at
from judge.store.tables import Address, BouncedAddress, Mail
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.mails.conftest import settings_for
from tests.mails.senders import Sender
from tests.servers.smtpsink import SmtpSink

pytestmark = pytest.mark.slow

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


def report(
    cited: str,
    action: str = "failed",
    status: str = "5.1.1",
    *,
    to: str = "judge@example.org",
    said: str = "550 5.1.1 no such\n user",
    text: str = "It did not arrive.",
) -> bytes:
    """A report of RFC 3464 that a mail server writes."""
    said = STATUS.format(action=action, status=status, more=f"Diagnostic-Code: smtp; {said}\n")
    text = f"""Return-Path: <>
From: MAILER-DAEMON@mx.test
To: {to}
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: text/plain

{text}
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
        work = Work(session, desk.services, desk.now)
        is_to_tell, tell = mail_trouble.REPORTS[1]
        if is_to_tell(work):
            tell(work)
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
    for cited, to in [("<guess@example.org>", "judge+b0123456789abcdef0123@example.org"), ("<x@y>", "judge@z.test")]:
        desk.receives(report(cited, to=to))
    assert counted(desk) == 0


def test_a_mail_is_known_by_the_address_that_it_was_sent_from(desk):
    mail = mails_to(desk, FRANCE)[0]
    to = return_path("judge@example.org", mail.return_tag)
    assert named_in(to) == mail.return_tag
    desk.receives(report("<else@where>", to=to))
    assert counted(desk) == 1


def test_a_mail_from_before_an_upgrade_is_known_by_its_number_and_shorter_secret(desk):
    mail = mails_to(desk, FRANCE)[0]
    with transaction(desk.engine) as session:
        session.get_one(Mail, mail.id).return_tag = "0a1b2c3d4e5f"
    desk.receives(report("<else@where>", to=f"judge+b{mail.id}-0a1b2c3d4e5f@example.org"))
    assert counted(desk) == 1


@pytest.mark.parametrize("returned", ["text/rfc822-headers", "message/rfc822"])
def test_a_mail_with_another_message_id_is_known_by_its_return_path(desk, returned: str):
    """Its provider has changed the one, and delivers the report to the judge's plain address."""
    mail = mails_to(desk, FRANCE)[0]
    own = return_path("judge@example.org", mail.return_tag)
    for path, count in ((own.replace("+b", "+b9"), 0), (own, 1), (own, 1)):
        raw = report(f"<changed@provider.test>\nReturn-Path: <{path}>", text=f"It did not arrive {count}.")
        desk.receives(raw.replace(b"text/rfc822-headers", returned.encode()))
        assert counted(desk) == count, path


def test_an_older_report_in_free_text_is_understood(desk):
    mail = mails_to(desk, FRANCE)[0]
    head = "Return-Path: <>\r\nFrom: MAILER-DAEMON@q.test\r\nSubject: failure notice\r\n"
    desk.receives(f"{head}\r\nSorry.\r\n\r\nMessage-ID: {mail.message_id}\r\n".encode())
    assert counted(desk) == 0  # it does not say why
    mail = mails_to(desk, FRANCE)[1]
    said = "<france@example.org>:\r\nRemote host said: 550 5.1.1 no such user"
    desk.receives(f"{head}\r\n{said}\r\n\r\nMessage-ID: {mail.message_id}\r\n".encode())
    assert counted(desk) == 1


def test_the_master_is_told_of_a_dead_address_once(desk):
    assert told(desk) == []
    make_dead(desk)
    (mail,) = told(desk)
    assert mail.to == "kim@example.org" and "Emails to france@example.org bounce" in mail.subject
    text = mail.flat
    assert "who plays France in heron, bounce" in text and "550 5.1.1 no such user" in text
    assert told(desk) == []


def test_mails_to_a_dead_address_are_held_until_its_owner_writes(desk):
    with SmtpSink() as sink:
        sender = Sender(desk.engine, settings_for(sink), "judge@example.org")
        sender.run(desk.now)
        make_dead(desk)
        sender.run(desk.now)
        sink.reset()
        desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nPRESS TO F\nhello\nENDPRESS")
        sender.run(desk.now)
        assert not sink.to(FRANCE) and sink.to("turkey@example.org")
        answer = desk.replies(FRANCE, "LIST")
        assert "Emails to you bounced (550 5.1.1 no such user)" in answer.flat
        sender.run(desk.now)
        sender.close()
        assert [("hello" in mail.text) for mail in sink.to(FRANCE)].count(True) == 1
        assert len(sink.to(FRANCE)) == 3  # what was held, and the two answers
    assert counted(desk) == 0


def test_who_signs_on_from_elsewhere_is_told_and_can_have_the_mails_sent_there(desk):
    with SmtpSink() as sink:
        sender = Sender(desk.engine, settings_for(sink), "judge@example.org")
        sender.run(desk.now)
        make_dead(desk)
        desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nPRESS TO F\nhello\nENDPRESS")
        sender.run(desk.now)
        signon = "SIGNON Fheron pwfrance"
        answer = desk.replies("fay@work.test", signon)
        assert "no copy has gone to the player's own address: emails to it bounce" in answer.flat
        with transaction(desk.engine) as session:
            fay = person_at(session, FRANCE)
            assert fay and fay.id
            session.add(Address(person_id=fay.id, address="fay@work.test", added_at=desk.now - timedelta(days=40)))
        sender.run(desk.now)
        sink.reset()
        texts = [mail.flat for mail in desk.writes("fay@work.test", f"{signon}\nSET ADDRESS")]
        assert sum("go to fay@work.test from now on; 2 that were on hold are on" in text for text in texts) == 1
        sender.run(desk.now)
        sender.close()
        assert [("hello" in mail.text) for mail in sink.to("fay@work.test")].count(True) == 1


def test_a_letter_between_two_that_come_back_begins_the_count_anew(desk):
    mails = mails_to(desk, FRANCE)
    desk.receives(report(mails[0].message_id))
    desk.writes(FRANCE, "LIST")
    assert counted(desk) == 0


# --- what counts ----------------------------------------------------------------------------------------------------


def press_to_france(desk: DeskAtWork) -> Mail:
    desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nPRESS TO F\nX5O!P%@AP\nENDPRESS")
    return mails_to(desk, FRANCE)[-1]


def sender_of(desk: DeskAtWork, sink: SmtpSink, *, plus_addresses: bool = False) -> Sender:
    settings = settings_for(sink, plus_addresses=plus_addresses)
    return Sender(desk.engine, settings, "judge@example.org", bounces=3)


@pytest.mark.parametrize("status", ["5.7.1", "5.1.1"])
def test_press_that_comes_back_silences_nobody(desk, status):
    """A rival writes what the provider of their victim refuses."""
    for _ in range(4):
        press = press_to_france(desk)
        desk.receives(report(press.message_id, status=status, said=f"554 {status} virus found"))
    assert counted(desk) == 0
    (mail,) = told(desk)
    assert mail.to == "kim@example.org" and "Emails to france@example.org are refused" in mail.subject
    text = mail.flat
    assert "4 emails to france@example.org, who plays France in heron, were refused" in text and "virus found" in text


OF_ADDRESS = ["5.1.1", "5.1.0", "5.1.10", "5.2.1", "5.4.1"]
OF_MAIL = ["5.7.1", "5.7.26", "5.7.509", "5.6.0", "5.6.1", "5.3.4", "5.3.0"]
OF_MAIL += ["5.2.2", "5.2.3", "5.4.4", "5.5.2", "5.0.0", "5.1.7"]


def test_only_what_is_said_of_the_address_counts(desk):
    said = [(status, "550 refused", "", int(status in OF_ADDRESS)) for status in (*OF_ADDRESS, *OF_MAIL)]
    said += [
        ("5.0.0", "550 5.1.1 unknown", "", 1),  # as Exim writes it
        ("5.0.0", "550-5.7.1 blocked", "", 0),
        ("5.0.0", "550 unknown user", "(in reply to RCPT TO command)", 1),
        ("5.0.0", "554 no", "error after RCPT TO:<france@example.org>: 554 no", 1),
        ("5.0.0", "554 no", "(in reply to end of DATA command)", 0),
        ("5.7.1", "554 5.7.1 spam", "(in reply to RCPT TO command)", 0),
        ("5.1.1", "554 5.7.1 virus", "", 0),
        ("5.0.0", "550 host 5.1.1.20 says no", "", 0),
    ]
    for code, answer, text, counts in said:
        desk.writes(FRANCE, "LIST")  # begins the count anew
        desk.receives(report(mails_to(desk, FRANCE)[-1].message_id, status=code, said=answer, text=text))
        assert counted(desk) == counts, (code, answer, text)


def test_words_of_the_mail_that_came_back_are_not_those_of_the_server(desk):
    mail = mails_to(desk, FRANCE)[0]
    head = "Return-Path: <>\r\nFrom: MAILER-DAEMON@q.test\r\nSubject: failure notice\r\n"
    body = f"554 5.7.1 virus\r\n\r\nMessage-ID: {mail.message_id}\r\n\r\n550 5.1.1 (in reply to RCPT TO command)"
    desk.receives(f"{head}\r\n{body}\r\n".encode())
    assert counted(desk) == 0


def test_a_mail_that_was_answered_has_arrived_and_its_number_is_no_secret(desk):
    mails = mails_to(desk, FRANCE)
    desk.writes(FRANCE, "LIST", answering=mails[0].message_id)
    for mail in mails[:2]:
        desk.receives(report(mail.message_id))
    assert counted(desk) == 1


def test_where_mails_have_addresses_of_their_own_only_these_count(tmp_path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_SMTP_PLUS_ADDRESSES": "yes"})
    desk.seat_seven()
    mail = mails_to(desk, FRANCE)[0]
    desk.receives(report(mail.message_id))
    assert counted(desk) == 0
    with SmtpSink() as sink:
        sender = sender_of(desk, sink, plus_addresses=True)
        sender.run(desk.now)
        sender.close()
        (to,) = [sent.sender for sent in sink.to(FRANCE) if sent.message["Message-ID"] == mail.message_id]
    assert to == return_path("judge@example.org", mail.return_tag)
    desk.receives(report("<else@where>", to=to))
    assert counted(desk) == 1


def test_what_our_own_mail_server_refuses_counts_by_the_same_rule(desk):
    with SmtpSink() as sink:
        sender = sender_of(desk, sink)
        sender.run(desk.now)
        for at, answer, counts in (
            ("RCPT", "550 5.1.1 no such user", True), ("RCPT", "550 unknown", True),
            ("RCPT", "550 5.2.1 disabled", True), ("RCPT", "554 5.7.1 your host is blocked", False),
            ("RCPT", "552 5.2.2 mailbox full", False), ("DATA", "554 5.7.1 virus", False),
            ("DATA", "554 refused", False), ("DATA", "552 5.3.4 too big", False), ("DATA", "550 5.1.1 unknown", True),
        ):  # fmt: skip
            desk.now += timedelta(days=2)
            desk.writes(FRANCE, "LIST")  # begins the count anew
            sink.refuse_next(1, answer, at)
            sender.run(desk.now)
            assert counted(desk) == counts, (at, answer)
            assert [mail.to for mail in told(desk)] == ([] if counts else ["kim@example.org"]), (at, answer)
            sender.run(desk.now)
        sender.close()


# --- what a dead address gets ---------------------------------------------------------------------------------------


def phase_passes(desk: DeskAtWork, sender: Sender) -> None:
    """The master has the open phase processed."""
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    sender.run(desk.now)


def test_results_go_to_a_dead_address_once_a_phase_and_ten_times_at_most(desk):
    with SmtpSink() as sink:
        sender = sender_of(desk, sink)
        sender.run(desk.now)
        make_dead(desk)
        sink.reset()
        got = []
        for _ in range(12):
            phase_passes(desk, sender)
            press_to_france(desk)
            sender.run(desk.now)
            got.append(len(sink.to(FRANCE)))
        sender.close()
    assert got == [*range(1, 11), 10, 10]
    assert all("Results" in mail.subject for mail in sink.to(FRANCE))
    text = desk.replies(FRANCE, "LIST").flat
    assert "On hold: 12 messages, 2 results emails, 1 reply. 15 of them are on the way to you now." in text
    assert text.startswith("Emails to you bounced (550 5.1.1 no such user), so since")


def test_results_go_to_another_address_of_the_same_person_first(desk):
    with SmtpSink() as sink:
        sender = sender_of(desk, sink)
        sender.run(desk.now)
        make_dead(desk)
        with transaction(desk.engine) as session:
            fay = person_at(session, FRANCE)
            assert fay and fay.id
            session.add(Address(person_id=fay.id, address="fay@work.test", added_at=desk.now - timedelta(days=40)))
        sink.reset()
        phase_passes(desk, sender)
        phase_passes(desk, sender)
        assert [len(sink.to("fay@work.test")), len(sink.to(FRANCE))] == [2, 0]
        press_to_france(desk)
        sender.run(desk.now)
        assert [len(sink.to("fay@work.test")), len(sink.to(FRANCE))] == [2, 0]
        text = desk.replies("fay@work.test", "LIST").flat
        assert text.startswith("Emails to france@example.org bounce (550 5.1.1 no such user), so since")
        assert "On hold: 1 message, 1 reply. To get them here, send SET ADDRESS (after SIGNON)." in text
        for mail in mails_to(desk, "fay@work.test")[:3]:
            desk.receives(report(mail.message_id))
        sender.close()
    assert counted(desk, "fay@work.test") == 2 or counted(desk, "fay@work.test") == 3


def test_others_are_not_shown_what_was_withheld(desk):
    """A copy of the answer goes to the holder of the seat."""
    make_dead(desk)
    mails = desk.writes(FRANCE, "SIGNON Theron pwturkey\nA CON - BUL")
    assert [("bounce" in mail.text) for mail in sorted(mails, key=lambda mail: mail.to)] == [True, False]


# --- who is shown it ------------------------------------------------------------------------------------------------


def test_the_master_is_told_once_a_day_what_was_withheld(desk):
    with SmtpSink() as sink:
        sender = sender_of(desk, sink)
        sender.run(desk.now)
        make_dead(desk)
        (first,) = told(desk)
        assert "On hold now" not in first.text
        for _ in range(2):
            press_to_france(desk)
            sender.run(desk.now)
            assert told(desk) == []
        desk.now += timedelta(days=1)
        (second,) = told(desk)
        assert "On hold now: 2 messages, 1 reply." in second.text
        desk.now += timedelta(days=3)
        assert told(desk) == []
        sender.close()


def test_the_keeper_sees_and_mends_what_is_withheld(desk, capsys):
    with SmtpSink() as sink:
        sender = sender_of(desk, sink)
        sender.run(desk.now)
        make_dead(desk)
        assert [look.well for look in looks(desk)] == [True]
        press_to_france(desk)
        sender.run(desk.now)
        (look,) = looks(desk)
        assert not look.well and "emails to france@example.org have bounced" in look.says and "1 message" in look.says
        carry_out(status.list_mails, desk.settings)
        assert "france@example.org" in (said := capsys.readouterr().out) and "withheld: 1 message" in said
        assert carry_out(status.dismiss, desk.settings, [FRANCE]) == 0
        assert [look.well for look in looks(desk)] == [True]
        assert carry_out(status.retry, desk.settings, [FRANCE]) == 0
        assert "2 emails are being sent again" in capsys.readouterr().out
        assert looks(desk) == []
        sink.reset()
        sender.run(datetime.now(UTC))
        assert any("X5O!P" in mail.text for mail in sink.to(FRANCE))
        sender.close()
    assert carry_out(status.dismiss, desk.settings, [FRANCE]) == 1


def looks(desk: DeskAtWork) -> list[Look]:
    with reading(desk.engine) as session:
        looks = status.in_database(session, stats.take(session, desk.now), desk.settings, desk.now)
        return [look for look in looks if look.what == "withheld"]
