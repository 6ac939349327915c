"""The throw-away Dovecot does what the other tests rely on."""

import smtplib
import ssl
from datetime import UTC, datetime

import pytest
from imapclient import IMAPClient

from tests.servers.dovecot import Dovecot

LETTER = b"From: jo@example.org\r\nTo: judge@judge.test\r\nSubject: orders\r\n\r\nA PAR - BUR\r\n"


def test_lmtp_delivers_to_the_judge_at_any_domain_and_to_nobody_else(dovecot: Dovecot):
    dovecot.deliver(LETTER, "judge@anywhere.example", sender="jo@example.org")
    [mail] = dovecot.mails()
    assert mail.startswith(b"Return-Path: <jo@example.org>") and mail.endswith(LETTER)
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        dovecot.deliver(LETTER, "nobody@judge.test")


def test_an_appended_mail_has_the_time_that_was_asked_for(dovecot: Dovecot):
    then = datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC)
    dovecot.append(LETTER, then)
    with dovecot.client() as client:
        client.select_folder("INBOX")
        [mail] = client.fetch(client.search(), ["INTERNALDATE"]).values()
    assert mail[b"INTERNALDATE"] == then


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_tls_and_starttls_are_trusted_with_the_authority_and_only_with_it(dovecot: Dovecot, name: str):
    trusting = ssl.create_default_context(cafile=str(dovecot.ca_file))
    with IMAPClient(name, dovecot.imaps_port, ssl=True, ssl_context=trusting, timeout=5) as client:
        client.login(dovecot.user, dovecot.password)
    with IMAPClient(name, dovecot.imap_port, ssl=False, timeout=5) as client:
        client.starttls(trusting)
        client.login(dovecot.user, dovecot.password)
    with pytest.raises(ssl.SSLCertVerificationError):
        IMAPClient(name, dovecot.imaps_port, ssl=True, timeout=5)


def test_killed_and_restarted_it_still_has_its_mail_under_the_same_uids(dovecot: Dovecot):
    def uids() -> tuple[object, list[int]]:
        with dovecot.client() as client:
            return client.select_folder("INBOX")[b"UIDVALIDITY"], client.search()

    dovecot.deliver(LETTER, "judge@judge.test")
    before = uids()
    dovecot.kill()
    with pytest.raises(ConnectionRefusedError):
        dovecot.client()
    dovecot.restart()
    assert uids() == before and len(before[1]) == 1


def test_wiped_it_has_no_mail_and_no_folders(dovecot: Dovecot):
    dovecot.deliver(LETTER, "judge@judge.test")
    with dovecot.client() as client:
        client.create_folder("Processed")
    dovecot.wipe()
    assert dovecot.mails() == []
    with dovecot.client() as client:
        assert not client.folder_exists("Processed")


def test_failed_logins_cost_little_however_many(dovecot: Dovecot):
    started = datetime.now(UTC)
    for _ in range(4):
        client = IMAPClient("127.0.0.1", dovecot.imap_port, ssl=False, timeout=10)
        with pytest.raises(IMAPClient.Error):
            client.login(dovecot.user, "wrong")
        client.logout()
    assert (datetime.now(UTC) - started).total_seconds() < 4


def test_frozen_it_says_nothing_until_it_is_thawed(dovecot: Dovecot):
    client = IMAPClient("127.0.0.1", dovecot.imap_port, ssl=False, timeout=0.3)
    dovecot.freeze()
    with pytest.raises(TimeoutError):
        client.noop()
    dovecot.thaw()
    assert dovecot.mails() == []
