"""A letter full of one structure takes memory in proportion to its size, whichever it is."""

import base64
import tracemalloc
from collections.abc import Callable

import pytest

from judge.letters import fingerprint, parse_letter, read_letter
from tests.letters.corpus.security import signed_data
from tests.letters.reading import as_kept

HEAD = b"From: france@example.org\r\nMessage-ID: <1@example.org>\r\nSubject: orders\r\n"
FLOWED = "text/plain; charset=utf-8; format=flowed"
AUTH = b"Authentication-Results: mx.example.net; dkim=pass"
# Bytes of memory for each byte of a letter of that size, beside what every letter needs. It is counted without noise.
# Of three bytes a line: each line as it was written, as it is matched and as a reader of quotes takes it.
COUNTED, MEMORY, BESIDE = 7_500, 80, 30_000
Make = Callable[[int], bytes]


def fill(piece: str | bytes, size: int) -> bytes:
    octets = piece.encode() if isinstance(piece, str) else piece
    return octets * (size // len(octets))


def body(piece: str, kind: str = "text/plain; charset=utf-8", before: str = "") -> Make:
    """A letter whose text is `before` and then many times the same."""
    head = HEAD + f"Content-Type: {kind}\r\n\r\n{before}".encode()
    return lambda size: head + fill(piece, size)


def field(piece: str | bytes, before: bytes = b"") -> Make:
    """A letter whose header is this field, or these fields."""
    return lambda size: b"Message-ID: <1@example.org>\r\n" + before + fill(piece, size) + b"\r\n\r\nSIGNON Fheron x\r\n"


def parts(piece: str, kind: str = "mixed") -> Make:
    head = HEAD + f"Content-Type: multipart/{kind}; boundary=b\r\n\r\n".encode()
    return lambda size: head + fill(piece, size) + b"--b--\r\n"


def alternatives(kind: str) -> Make:
    """Three hundred of them, none of which says anything."""
    head = HEAD + b"Content-Type: multipart/alternative; boundary=b\r\n\r\n"
    part = f"--b\r\nContent-Type: {kind}\r\n\r\n".encode()
    return lambda size: head + (part + fill("<b> ", size // 300) + b"\r\n") * 300


def transfer(encoding: str, piece: bytes, kind: str = "text/plain; charset=utf-8") -> Make:
    head = HEAD + f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode()
    if encoding == "base64":
        return lambda size: head + base64.encodebytes(fill(piece, size * 3 // 4))
    return lambda size: head + fill(piece, size)


def nested(size: int) -> bytes:
    """Multiparts in multiparts, far deeper than is read."""
    level = "Content-Type: multipart/mixed; boundary=b{0}\r\n\r\n--b{0}\r\n"
    return HEAD + "".join(map(level.format, range(size // 60))).encode()


def signed(inside: Callable[[int], bytes]) -> Make:
    """An opaque signature in BER, whose content has lengths that are not told."""

    def make(size: int) -> bytes:
        octets = inside(size * 3 // 4)
        data = b"0\x80\x06\x09" + bytes.fromhex("2a864886f70d010702") + b"\xa0\x800\x80\x02\x01\x011\x00"
        data += b"0\x80\x06\x09" + bytes.fromhex("2a864886f70d010701") + b"\xa0\x80" + octets + b"\0\0" * 3
        return transfer("base64", data + b"1\x00" + b"\0\0" * 3, "application/pkcs7-mime")(len(data) * 4 // 3 + 32)

    return make


WROTE = "On Mon, 3 Nov 2026 at 10:00, Anna <anna@example.org> wrote:\n"
STRUCTURES: dict[str, Make] = {
    "folded field": field("\r\n x", b"Subject:"),
    "fields": field("X-A: b\r\n"),
    "From with escaped comments": field(b"From: " + b"\\(" * 900 + b"\r\n"),
    "From with escaped quotes": field(b"From: " + b'\\"' * 900 + b"<\r\n"),
    "From with commas": field(b"From: " + b"a," * 900 + b"\r\n"),
    "encoded words": field("\r\n =?utf-8?q?a?= =?cp1252?q?b?=", b"Subject:"),
    "encoded words without an end": field("=?utf-8?q?", b"Subject: "),
    "parameters": field(";\r\n name*1=abc", b"Content-Type: text/plain"),
    "parameters in open quotes": field(';a="', b"Content-Type: text/plain"),
    "references": field("\r\n <1@a>", b"References:"),
    "references without an end": field("<a", b"References: "),
    "Authentication-Results": field("\r\n ; dkim=pass header.d=a.b", AUTH),
    "Authentication-Results in comments": field("(", AUTH),
    "Authentication-Results in escapes": field("\\(", AUTH + b" ("),
    "a foreign domain in Authentication-Results": field("ß", AUTH + b" header.d="),
    "boundaries": parts("--b\r\n"),
    "boundaries that are none": parts("--b x\r\n"),
    "parts": parts("--b\r\n\r\nsignon a b\r\n"),
    "nested multiparts": nested,
    "HTML alternatives": alternatives("text/html"),
    "flowed alternatives": alternatives(FLOWED),
    "quoted-printable": transfer("quoted-printable", b"=3D"),
    "soft line ends": transfer("quoted-printable", b"=\r\n"),
    "base64": transfer("base64", b"signon a b\n"),
    "two bytes a letter in a file": transfer("base64", b"s\0i\0g\0", "application/octet-stream"),
    "a signature of many pieces": signed(lambda size: b"\x24\x80" + b"\x04\0" * (size // 2) + b"\0\0"),
    "a signature of deep pieces": signed(lambda size: b"\x24\x80" * 9 + b"\x04\0" * (size // 2) + b"\0\0" * 9),
    "one line": body("A PAR - BUR; "),
    "empty lines": body("\n"),
    "short lines": body("--\nx\n"),
    "combining marks": body("e" + "\u0301\u0323" * 20),
    "invisible letters": body("s\u200bi\u200bgnon a b "),
    "quote headings": body(WROTE),
    "quote headings above quotes": body(WROTE + "> x\n"),
    "quote headings above blanks": body(WROTE + "\n" * 9),
    "verbs of headings": body("schrieb " * 48 + ":\n> x\n"),
    "fields of headings": body("From:" + "Sent:" * 70 + "\n"),
    "blocks of fields": body("From: a\nSent: b\nx\n"),
    "vendors' lines": body("Outlook Android https://" + "x" * 120 + "\n"),
    "format=flowed": body("x \n", FLOWED),
    "format=flowed, quoted deep": body(">" * 78 + " x \n", FLOWED),
    "format=flowed behind a sign-on": body(">", FLOWED, "signon \n"),
    "format=flowed, words behind a sign-on": body("a \n> ", FLOWED, "signon a "),
    "format=flowed, sign-ons": body("signon a b \n", FLOWED),
    "sign-ons in one line": body("signon a b "),
    "sign-ons in one word": body("signon?"),
    "words of commands": body("\ncreate signon "),
    "marks before a word": body("> > > > > > join "),
    "tags": body("<b>", "text/html"),
    "tags without an end": body("<a", "text/html"),
    "comments": body("<!--", "text/html"),
    "attributes": body(" class=signature", "text/html", "<div"),
    "entities": body("&amp;", "text/html"),
    "entities without an end": body("&a", "text/html"),
    "cells": body("<td><p>a</p></td>", "text/html", "<tr>"),
    "tables": body("<table><tr><td>", "text/html"),
    "tags in a sign-on": body("<i>", "text/html", "signon"),
    "entities in a sign-on": body("signon&nbsp;a&nbsp;", "text/html"),
    "sign-ons behind a letter as a number": body("signon a b\n", "text/html", "&#97;"),
}  # fmt: skip


def read(raw: bytes) -> None:
    """All that is done with a letter before its commands are carried out."""
    root = parse_letter(raw)
    read_letter(root, authserv_id="mx.example.net")
    assert fingerprint(root) and as_kept(raw)


@pytest.mark.slow
@pytest.mark.parametrize("make", STRUCTURES.values(), ids=STRUCTURES)
def test_the_memory_is_a_multiple_of_the_letter(make: Make):
    raw = make(COUNTED)
    read(make(COUNTED // 10))  # what is made once, for the first letter
    tracemalloc.start()
    try:
        read(raw)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEMORY * len(raw) + BESIDE


@pytest.mark.parametrize(("times", "opened"), [(3, True), (10, True), (11, False)])
def test_signatures_in_signatures_are_opened_as_deep_as_parts_are(times: int, opened: bool):
    """Each is longer by a third than what it holds, so there can hardly be more."""
    inside = b"Content-Type: text/plain\r\n\r\nA PAR - BUR\r\n"
    for _ in range(times):
        inside = b"Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n" + (
            base64.encodebytes(signed_data(inside))
        )
    lines = read_letter(parse_letter(HEAD + inside)).lines
    assert [line.text for line in lines] == (["A PAR - BUR"] if opened else [])
