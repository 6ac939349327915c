"""Bytes of letters: header fields, transfer encodings and MIME parts, as mail programs put them on the wire."""

import base64
import binascii
import quopri
from collections.abc import Sequence
from email.header import Header

FAY = "Fay <france@example.org>"
JUDGE = "Judge <judge@example.org>"
SENT = "Mon, 04 May 2026 12:05:00 +0200"
Fields = Sequence[tuple[str, str]]


def letter(entity: bytes, *fields: tuple[str, str], subject: str = "Re: heron", sender: str = FAY) -> bytes:
    """A letter to the judge: the usual fields, then these, then an entity with fields of its own."""
    own = {name.lower() for name, _ in fields}
    usual = [("From", sender), ("To", JUDGE), ("Subject", words(subject)), ("Date", SENT), ("MIME-Version", "1.0")]
    head = [field for field in usual if field[0].lower() not in own]
    return b"".join(_field(name, value) for name, value in [*head, *fields]) + entity


def words(text: str, charset: str = "utf-8") -> str:
    """A field in encoded words (RFC 2047), where it needs them."""
    return text if text.isascii() else Header(text, charset, maxlinelen=75).encode(linesep="\r\n")


def plain(
    text: str, charset: str = "utf-8", cte: str = "quoted-printable", *parameters: str, fields: Fields = ()
) -> bytes:
    """A text/plain entity; `parameters` such as format=flowed stand behind the charset."""
    return text_entity("text/plain", text, charset, cte, *parameters, fields=fields)


def html(
    text: str, charset: str = "utf-8", cte: str = "quoted-printable", *parameters: str, fields: Fields = ()
) -> bytes:
    """A text/html entity."""
    return text_entity("text/html", text, charset, cte, *parameters, fields=fields)


def text_entity(kind: str, text: str, charset: str, cte: str, *parameters: str, fields: Fields = ()) -> bytes:
    """An entity of text, its lines ended by CR LF."""
    declared = "; ".join([kind, *([f"charset={charset}"] if charset else []), *parameters])
    data = text.replace("\n", "\r\n").encode(charset or "utf-8")
    return entity(declared, data, cte, *fields)


def entity(kind: str, data: bytes, cte: str = "", *fields: tuple[str, str]) -> bytes:
    """An entity of any kind in a transfer encoding ("" writes no such field)."""
    head = [("Content-Type", kind), *([("Content-Transfer-Encoding", cte)] if cte else []), *fields]
    return b"".join(_field(name, value) for name, value in head) + b"\r\n" + encoded(data, cte)


def multipart(
    kind: str, boundary: str, *parts: bytes, parameters: str = "", preamble: bytes = b"", epilogue: bytes = b""
) -> bytes:
    """A multipart entity around these entities."""
    declared = f'multipart/{kind}; boundary="{boundary}"{parameters}'
    mark = b"--" + boundary.encode()
    body = b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts)
    return _field("Content-Type", declared) + b"\r\n" + preamble + body + mark + b"--\r\n" + epilogue


def _field(name: str, value: str) -> bytes:
    return f"{name}: {value}\r\n".encode()


def encoded(data: bytes, cte: str) -> bytes:
    """A body in this transfer encoding."""
    if cte == "base64":
        return base64.encodebytes(data).replace(b"\n", b"\r\n")
    if cte == "quoted-printable":
        if b"\0" in data:    # two bytes a letter: the bytes of a line end are none
            return binascii.b2a_qp(data, istext=False).replace(b"=\n", b"=\r\n")
        return quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    return data
