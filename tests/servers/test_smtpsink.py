"""The SMTP sink does what the other tests rely on."""

import smtplib
import ssl
import threading
import time

import pytest

from tests.servers.certificates import Certificates
from tests.servers.smtpsink import SmtpSink, times_sent

RESULTS = b"Message-ID: <1@judge.test>\r\nSubject: heron:\r\n results\r\n\r\nAustria: Army Budapest -> Serbia.\r\n"


def send(sink: SmtpSink, *recipients: str, raw: bytes = RESULTS) -> dict[str, tuple[int, bytes]]:
    with smtplib.SMTP("127.0.0.1", sink.port, timeout=5) as smtp:
        return smtp.sendmail("judge@judge.test", recipients or ("jo@example.org",), raw)


def test_it_keeps_what_it_was_sent(smtp_sink: SmtpSink):
    threading.Timer(0.1, send, (smtp_sink, "jo@example.org", "mo@example.org")).start()
    mail = smtp_sink.wait_for(lambda mail: "results" in mail.subject, seconds=5)
    assert (mail.sender, mail.recipients) == ("judge@judge.test", ("jo@example.org", "mo@example.org"))
    assert mail.raw == RESULTS
    assert (mail.subject, mail.message_id) == ("heron: results", "<1@judge.test>")
    assert mail.text == "Austria: Army Budapest -> Serbia.\n"
    assert smtp_sink.to("MO@example.org") == [mail]
    assert times_sent(smtp_sink.mails)["<1@judge.test>", "jo@example.org"] == 1


def test_waiting_in_vain_fails_and_says_what_came(smtp_sink: SmtpSink):
    send(smtp_sink)
    with pytest.raises(AssertionError, match="heron: results"):
        smtp_sink.wait_for(lambda mail: mail.subject == "other", seconds=0.1)
    with pytest.raises(AssertionError, match="1 mails instead of 2"):
        smtp_sink.wait_for_count(2, seconds=0.1)


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA"])
def test_it_refuses_as_many_as_it_was_told(smtp_sink: SmtpSink, step: str):
    smtp_sink.refuse_next(2, "451 4.3.0 not now", at=step)
    for _ in range(2):
        with pytest.raises(smtplib.SMTPException, match="not now"):
            send(smtp_sink)
    send(smtp_sink)
    assert len(smtp_sink.mails) == 1


def test_it_refuses_one_recipient_and_takes_the_other(smtp_sink: SmtpSink):
    smtp_sink.refuse_recipient("Mo@example.org")
    refused = send(smtp_sink, "jo@example.org", "mo@example.org")
    assert refused == {"mo@example.org": (550, b"5.1.1 no such user here")}
    assert smtp_sink.mails[0].recipients == ("jo@example.org",)


@pytest.mark.parametrize("taken", [True, False])
def test_it_drops_the_connection_after_the_data(smtp_sink: SmtpSink, taken: bool):
    smtp_sink.drop_next(taken=taken)
    with pytest.raises((smtplib.SMTPServerDisconnected, ConnectionError)):
        send(smtp_sink)
    assert len(smtp_sink.mails) == taken
    send(smtp_sink)
    assert len(smtp_sink.mails) == taken + 1


def test_it_takes_its_time(smtp_sink: SmtpSink):
    smtp_sink.be_slow(0.3)
    begun = time.monotonic()
    send(smtp_sink)
    assert time.monotonic() - begun >= 0.3


def test_stopped_it_refuses_connections_and_started_again_it_takes_mail_on_the_same_port(smtp_sink: SmtpSink):
    smtp_sink.stop()
    with pytest.raises(ConnectionRefusedError):
        send(smtp_sink)
    smtp_sink.start()
    send(smtp_sink)
    assert len(smtp_sink.mails) == 1


# aiosmtpd is blind to TLS that was there from the first byte, and warns.
@pytest.mark.filterwarnings("ignore:Requiring AUTH")
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_it_speaks_tls_and_wants_a_login(certificates: Certificates, security: str):
    trusting = ssl.create_default_context(cafile=str(certificates.ca_file))
    with SmtpSink(security=security, certificates=certificates, login=("judge", "secret")) as sink:
        smtp = (smtplib.SMTP_SSL("localhost", sink.port, timeout=5, context=trusting) if security == "tls"
                else smtplib.SMTP("localhost", sink.port, timeout=5))
        with smtp:
            if security == "starttls":
                smtp.starttls(context=trusting)
            with pytest.raises(smtplib.SMTPException, match="Authentication required"):
                smtp.sendmail("judge@judge.test", ["jo@example.org"], RESULTS)
            with pytest.raises(smtplib.SMTPAuthenticationError):
                smtp.login("judge", "wrong")
            smtp.login("judge", "secret")
            smtp.sendmail("judge@judge.test", ["jo@example.org"], RESULTS)
        assert len(sink.mails) == 1
