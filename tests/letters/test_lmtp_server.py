"""The letterbox, as a mail server sees it: what it takes, what it refuses, and when it says 250."""

import smtplib
import ssl
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from typing import Any

import pytest

from judge.letters import lmtp_server as module
from judge.letters.imap import Fetched
from judge.letters.lmtp_server import LmtpServer, LmtpServerError, arrival
from judge.settings import IntakeSettings
from tests.servers import plainuser

NOW = datetime(2026, 5, 4, 12, 0, 10, tzinfo=UTC)
LETTER = b"Received: from a.test by mx.test;\r\n Mon, 4 May 2026 14:00:01 +0200 (CEST)\r\nSubject: x\r\n\r\n.LIST\r\n"


def settings(**changes: Any) -> IntakeSettings:
    loopback = (ip_network("127.0.0.0/8"),)
    plain = IntakeSettings(protocol="lmtp", port=plainuser.free_port(), clients=loopback, catch_up=0)
    return plain.model_copy(update=changes)


class Storing:
    """A letterbox and a thread that stores what is handed in; what it has stored, and whether it can."""

    def __init__(self, intake: IntakeSettings) -> None:
        self.port = intake.port
        self.stored: list[Fetched] = []
        self.can_store = True
        self._rung = threading.Event()
        self._ends = False
        self.box = LmtpServer(intake, "judge@judge.test", 10_000, self._rung.set, lambda: NOW)
        self.box.open()
        self._thread = threading.Thread(target=self._store)
        self._thread.start()

    def _store(self) -> None:
        while not self._ends:
            self._rung.wait()
            self._rung.clear()
            try:
                with self.box.handed_in() as letters:
                    if letters and not self.can_store:
                        raise OSError("the disk is full")
                    self.stored += letters
            except OSError:
                pass

    def end(self) -> None:
        self._ends = True
        self._rung.set()
        self._thread.join()
        self.box.close()


@contextmanager
def storing(**changes: Any) -> Iterator[Storing]:
    at_work = Storing(settings(**changes))
    try:
        yield at_work
    finally:
        at_work.end()


@pytest.fixture(scope="module")
def at_work() -> Iterator[Storing]:
    with storing() as one:
        yield one


@pytest.fixture
def post(at_work: Storing) -> Iterator[smtplib.LMTP]:
    at_work.stored.clear()
    at_work.can_store = True
    with smtplib.LMTP("127.0.0.1", at_work.port, timeout=20) as client:
        client.ehlo_or_helo_if_needed()
        yield client


def test_a_letter_is_stored_with_its_envelope_and_as_early_as_our_mail_server_got_it(at_work, post):
    post.sendmail("fay@a.test", ["Judge@JUDGE.test"], LETTER)
    (letter,) = at_work.stored
    assert letter.raw == b"Return-Path: <fay@a.test>\r\nDelivered-To: judge@judge.test\r\n" + LETTER
    assert letter.received_at == datetime(2026, 5, 4, 12, 0, 1, tzinfo=UTC)


def test_a_letter_that_cannot_be_stored_is_put_off(at_work, post):
    at_work.can_store = False
    with pytest.raises(smtplib.SMTPDataError) as answer:
        post.sendmail("fay@a.test", ["judge@judge.test"], LETTER)
    assert answer.value.smtp_code == 451 and not at_work.stored
    at_work.can_store = True
    post.sendmail("fay@a.test", ["judge@judge.test"], LETTER)
    assert len(at_work.stored) == 1


def test_a_letter_to_others_is_refused_and_one_to_a_tag_is_not(at_work, post):
    with pytest.raises(smtplib.SMTPRecipientsRefused) as answer:
        post.sendmail("fay@a.test", ["fay@judge.test"], LETTER)
    assert answer.value.recipients["fay@judge.test"][0] == 550
    post.sendmail("", ["judge+heron@judge.test"], LETTER)
    assert at_work.stored[0].raw.startswith(b"Return-Path: <>\r\nDelivered-To: judge+heron@judge.test\r\n")


@pytest.mark.parametrize("sign", [b"\r", b"\x00", b"\x1b", b"\t", b"\x0b", b"\x7f", b"\xc2\x85", b"\xe2\x80\xa8"])
def test_a_sender_with_a_control_character_writes_no_field_of_the_letter(at_work, post, sign: bytes):
    """`Return-Path` names the sender: a bare CR would begin another field for some programs."""
    post.sock.sendall(b"MAIL FROM:<fay@a.test" + sign + b"Authentication-Results: mx; dmarc=pass> SMTPUTF8\r\n")
    code, _ = post.getreply()
    if code == 250:
        post.rcpt("judge@judge.test")
        post.data(LETTER)
    assert not any(sign in one.raw.partition(b"\r\nDelivered-To")[0] for one in at_work.stored)
    post.sendmail("fay@a.test", ["judge@judge.test"], LETTER)
    assert at_work.stored


def test_every_recipient_of_a_letter_gets_an_answer_over_lmtp(at_work, post):
    post.mail("fay@a.test")
    for recipient in ("judge@judge.test", "judge+x@judge.test"):
        assert post.rcpt(recipient)[0] == 250
    assert post.data(LETTER)[0] == 250
    assert post.getreply()[0] == 250
    assert len(at_work.stored) == 1


def test_a_letter_that_is_too_big_is_refused_whether_it_says_so_or_not(at_work, post):
    assert post.mail("fay@a.test", ["SIZE=10001"])[0] == 552
    post.mail("fay@a.test")
    post.rcpt("judge@judge.test")
    assert post.data(b"Subject: x\r\n\r\n" + b"A PAR - BUR\r\n" * 1000)[0] == 552
    assert not at_work.stored


def test_a_long_line_is_no_reason_to_refuse_a_letter(at_work, post):
    post.sendmail("fay@a.test", ["judge@judge.test"], b"Subject: x\r\n\r\n" + b"a" * 9000)
    assert len(at_work.stored) == 1


def test_strangers_are_turned_away():
    with storing(clients=(ip_network("10.0.0.0/8"),)) as one, pytest.raises(smtplib.SMTPResponseException) as answer:
        smtplib.LMTP("127.0.0.1", one.port, timeout=20)
    assert answer.value.smtp_code == 554


def test_by_smtp_with_starttls(certificates):
    intake = {"security": "starttls", "cert_file": certificates.chain_file, "key_file": certificates.key_file}
    trust = ssl.create_default_context(cafile=certificates.ca_file)
    with storing(protocol="smtp", **intake) as one, smtplib.SMTP("localhost", one.port, timeout=20) as client:
        assert client.docmd("EHLO me")[0] == 250 and client.docmd("MAIL FROM:<fay@a.test>")[0] == 451
        client.starttls(context=trust)
        client.sendmail("fay@a.test", ["judge@judge.test", "judge+x@judge.test"], LETTER)
        assert len(one.stored) == 1


def test_over_tls(certificates):
    intake = {"security": "tls", "cert_file": certificates.chain_file, "key_file": certificates.key_file}
    trust = ssl.create_default_context(cafile=certificates.ca_file)
    with (
        storing(protocol="smtp", **intake) as one,
        smtplib.SMTP_SSL("localhost", one.port, timeout=20, context=trust) as client,
    ):
        client.sendmail("fay@a.test", ["judge@judge.test"], LETTER)
        assert len(one.stored) == 1


def test_what_is_handed_in_while_nobody_stores_is_put_off_in_time(monkeypatch):
    monkeypatch.setattr(module, "ANSWER_WITHIN", 0.1)
    box = LmtpServer(intake := settings(), "judge@judge.test", 10_000, lambda: None)
    box.open()
    try:
        with smtplib.LMTP("127.0.0.1", intake.port, timeout=20) as client, pytest.raises(smtplib.SMTPDataError) as no:
            client.sendmail("fay@a.test", ["judge@judge.test"], LETTER)
        assert no.value.smtp_code == 451 and not box.has_letters
    finally:
        box.close()


def test_a_letter_counts_even_if_its_mail_server_hangs_up_before_it_is_stored():
    """Otherwise a deadline would not wait for it: the mail server may come again in an hour only."""
    box = LmtpServer(intake := settings(), "judge@judge.test", 10_000, (rung := threading.Event()).set)
    box.open()
    try:
        client = smtplib.LMTP("127.0.0.1", intake.port, timeout=20)
        client.ehlo_or_helo_if_needed()
        client.mail("fay@a.test")
        client.rcpt("judge@judge.test")
        client.docmd("DATA")
        client.send(LETTER + b".\r\n")
        assert rung.wait(20)
        client.close()
        until = time.monotonic() + 20
        while box.connections and time.monotonic() < until:
            time.sleep(0.01)
        assert box.has_letters
        with box.handed_in() as letters:
            assert [letter.raw.endswith(b"LIST\r\n") for letter in letters] == [True]
    finally:
        box.close()


def test_a_listener_that_has_ended_is_not_open_and_can_be_opened_again():
    with storing() as one:
        box = one.box
        assert box._controller
        loop = box._controller.loop
        loop.call_soon_threadsafe(loop.stop)
        until = time.monotonic() + 20
        while box.is_open or box.has_caught_up:
            assert time.monotonic() < until
        while not loop.is_closed():
            time.sleep(0.01)
        box.open()
        assert box.is_open
        with smtplib.LMTP("127.0.0.1", one.port, timeout=20) as client:
            assert client.ehlo_or_helo_if_needed() is None


def test_a_port_that_is_taken_is_named():
    with storing() as one, pytest.raises(LmtpServerError, match=f"cannot listen at 127.0.0.1:{one.port}: Address al"):
        LmtpServer(settings(port=one.port), "judge@judge.test", 10_000, lambda: None).open()


def test_deadlines_wait_until_a_mail_server_has_tried_again(monkeypatch):
    seconds = [1000.0]
    monkeypatch.setattr("judge.letters.lmtp_server.time.monotonic", lambda: seconds[0])
    box = LmtpServer(settings(catch_up=600), "judge@judge.test", 10_000, lambda: None)
    assert not box.has_caught_up
    box.open()
    try:
        seconds[0] += 599
        assert not box.has_caught_up
        seconds[0] += 1
        assert box.has_caught_up
        box._waiting.append((Fetched(0, 0, NOW, b""), Future()))
        with pytest.raises(OSError), box.handed_in():
            raise OSError
        assert not box.has_caught_up
    finally:
        box.close()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("Received: by mx; Mon, 4 May 2026 12:00:01 +0000", -9),
        ("Delivered-To: judge@x\r\nReceived: by mx; Mon, 4 May 2026 12:00:01 +0000", -9),
        ("Received-SPF: Pass\r\n (a)\r\nX-Spam: no\r\nReceived: by mx; Mon, 4 May 2026 12:00:01 +0000", -9),
        ("Subject: x\r\nReceived: by mx; Mon, 4 May 2026 12:00:01 +0000", 0),  # not on top: not our server's
        ("Received: by mx; Mon, 4 May 2026 12:00:11 +0000", 0),
        ("Received: by mx; Mon, 4 Apr 2026 12:00:01 +0000", 0),
        ("Received: by mx; yesterday", 0),
        ("Received: by mx", 0),
        ("", 0),
    ],
)
def test_a_letter_came_when_the_field_on_top_says(header, seconds):
    raw = f"{header}\r\nSubject: x\r\n\r\nLIST\r\n".encode()
    assert arrival(raw, NOW) == NOW + timedelta(seconds=seconds)
