"""The embedded mail system, as IMAPClient and smtplib see it."""

import imaplib
import smtplib
import socket
import struct
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from imapclient import IMAPClient

from judge.demo.mail_system import PASSWORD
from tests.servers.mailing import MailSystem

LETTER = b"From: jo@example.org\r\nTo: judge@judge.test\r\nSubject: orders\r\n\r\nA PAR - BUR\r\n"


def log_in(office: MailSystem, user: str = "judge") -> IMAPClient:
    client = IMAPClient(office.host, office.imap_port, ssl=False, timeout=5)
    client.normalise_times = False
    client.login(user, PASSWORD)
    client.select_folder("INBOX")
    return client


@pytest.fixture
def judge(mail_system: MailSystem) -> Iterator[IMAPClient]:
    client = log_in(mail_system)
    yield client
    client.shutdown()


def hang_up(connection: socket.socket) -> None:
    """Breaks a connection the rude way: the other end reads a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def test_mail_sent_by_smtp_is_in_the_inbox_when_the_sender_has_his_250(mail_system: MailSystem, judge: IMAPClient):
    before = datetime.now(UTC).replace(microsecond=0)
    with smtplib.SMTP(mail_system.host, mail_system.smtp_port, timeout=5) as smtp:
        smtp.sendmail("jo@example.org", ["judge@judge.test"], LETTER)
    [uid] = judge.search()
    mail = judge.fetch([uid], ["BODY.PEEK[]", "INTERNALDATE"])[uid]
    assert mail[b"BODY[]"].startswith(b"Return-Path: <jo@example.org>\r\nReceived: ")
    assert mail[b"BODY[]"].endswith(LETTER)
    assert before <= mail[b"INTERNALDATE"] <= datetime.now(UTC)


def test_the_date_of_an_envelope_is_that_of_the_header(mail_system: MailSystem) -> None:
    """As RFC 3501, 7.4.2 has it, and mail programs read it."""
    dated = b"Date: Mon, 04 May 2026 10:08:00 +0000\r\n" + LETTER
    with smtplib.SMTP(mail_system.host, mail_system.smtp_port, timeout=5) as smtp:
        smtp.sendmail("jo@example.org", ["dated@judge.test"], dated)
    with imaplib.IMAP4(mail_system.host, mail_system.imap_port, timeout=5) as client:
        client.login("dated", PASSWORD)
        client.select("INBOX")
        told = str(client.fetch("1", "(ENVELOPE)"))
    assert 'ENVELOPE ("Mon, 04 May 2026 10:08:00 +0000" "orders"' in told


def test_every_recipient_of_whatever_domain_gets_the_mail_and_the_hook_hears_of_it():
    heard: list[tuple[str, bytes]] = []
    with MailSystem(on_mail=lambda to, raw: heard.append((to, raw[-13:]))) as office:
        with smtplib.SMTP(office.host, office.smtp_port, timeout=5) as smtp:
            smtp.sendmail("judge@judge.test", ["Jo@example.org", "mo@example.net"], LETTER)
        assert [len(log_in(office, user).search()) for user in ("jo", "mo", "judge")] == [1, 1, 0]
    assert heard == [("Jo@example.org", b"A PAR - BUR\r\n"), ("mo@example.net", b"A PAR - BUR\r\n")]


def test_mail_between_the_last_look_and_the_idle_is_announced(mail_system: MailSystem, judge: IMAPClient):
    for number in range(1, 6):
        assert len(judge.search()) == number - 1
        mail_system.deliver(LETTER, "judge")
        judge.idle()
        assert (number, b"EXISTS") in judge.idle_check(timeout=2)
        judge.idle_done()


def test_clients_that_vanish_in_mid_sentence_do_no_harm(mail_system: MailSystem, judge: IMAPClient):
    for half_a_command in (b"", b"a1 IDLE\r\n", b"a1 APPEND INBOX {100}\r\nabc", b"\x00\xff\r\n", b"a1 FETCH"):
        client = log_in(mail_system)
        client.socket().sendall(half_a_command)
        hang_up(client.socket())
        sender = socket.create_connection((mail_system.host, mail_system.smtp_port))
        sender.sendall(b"EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<judge@c>\r\nDATA\r\nhalf a mail")
        hang_up(sender)
    judge.idle()
    mail_system.deliver(LETTER, "judge")
    assert (1, b"EXISTS") in judge.idle_check(timeout=2)
    judge.idle_done()
    assert len(judge.search()) == 1


def test_a_port_that_is_taken_is_refused_at_the_start():
    refused = pytest.raises(OSError, match="address already in use")
    with MailSystem() as first, refused, MailSystem(imap_port=first.imap_port):
        pass
