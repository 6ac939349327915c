"""Transfer encodings and MIME parts as bytes, as mail programs put them on the wire."""

import base64
import binascii
import quopri


def text_entity(kind: str, text: str, charset: str, cte: str, *parameters: str) -> bytes:
    """An entity of text, its lines ended by CR LF; `parameters` stand behind the charset."""
    declared = "; ".join([kind, f"charset={charset}", *parameters])
    return entity(declared, text.replace("\n", "\r\n").encode(charset), cte)


def entity(kind: str, data: bytes, cte: str) -> bytes:
    """An entity of any kind in a transfer encoding."""
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {cte}\r\n\r\n".encode() + encoded(data, cte)


def multipart(kind: str, boundary: str, *parts: bytes) -> bytes:
    """A multipart entity around these entities."""
    mark = f"--{boundary}".encode()
    body = b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode() + body + mark + b"--\r\n"


def encoded(data: bytes, cte: str) -> bytes:
    """A body in this transfer encoding."""
    if cte == "base64":
        return base64.encodebytes(data).replace(b"\n", b"\r\n")
    if cte == "quoted-printable":
        if b"\0" in data:  # two bytes a letter: the bytes of a line end are none
            return binascii.b2a_qp(data, istext=False).replace(b"=\n", b"=\r\n")
        return quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    return data
