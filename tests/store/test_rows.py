"""A password is found and masked behind any transfer encoding."""

import base64
import quopri
from email import message_from_bytes

import pytest

from judge.store.rows import mask

SECRET = "kelp-otter-7"
TEXT = "Grüße! Your password is kelp-otter-7, again: kelp-otter-7.\r\n.\r\n"


def _mail(encoding: str, body: bytes) -> bytes:
    header = f"Subject: hello\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}"
    return header.encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("8bit", TEXT.encode()),
        ("base64", base64.encodebytes(TEXT.encode()).replace(b"\n", b"\r\n")),
        ("Quoted-Printable", quopri.encodestring(TEXT.encode())),
        ("quoted-printable", TEXT.encode().replace(b"kelp-otter-7", b"kelp=2Dot=\r\nter-7")),
    ],
)
def test_a_password_is_masked_and_nothing_else_changed(encoding: str, body: bytes) -> None:
    masked = mask(_mail(encoding, body), SECRET)
    message = message_from_bytes(masked)
    assert message.get_payload(decode=True).decode() == TEXT.replace(SECRET, "****")  # type: ignore[union-attr]
    assert masked.partition(b"\r\n\r\n")[0] == _mail(encoding, b"").partition(b"\r\n\r\n")[0]


def test_a_password_is_masked_in_every_part_and_in_the_header() -> None:
    part = b"\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(TEXT.encode())
    raw = b"Subject: kelp-otter-7\r\nContent-Type: multipart/mixed; boundary=b\r\n" + 2 * part + b"\r\n--b--\r\n"
    masked = mask(raw, SECRET)
    bodies = [each.get_payload(decode=True) for each in message_from_bytes(masked).walk()][1:]
    assert [SECRET.encode() in body for body in bodies] == [False, False]
    assert masked.startswith(b"Subject: ****\r\n")


def test_a_mail_without_the_password_stays_as_it_is() -> None:
    raw = _mail("base64", base64.encodebytes(TEXT.encode()).replace(b"\n", b"\r\n"))
    assert mask(raw, "another") == raw
