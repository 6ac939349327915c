"""The parts of a mail (RFC 2046): put together, and found again in the bytes that were put together here."""

from collections.abc import Sequence

END = b"\r\n"


def part(media_type: str, encoding: str, body: bytes, *about: str) -> bytes:
    """One part, with its header; `about`: further lines of that."""
    head = [f"Content-Type: {media_type}", f"Content-Transfer-Encoding: {encoding}", *about]
    return "\r\n".join(head).encode() + END * 2 + body


def heading(kind: str, boundary: str) -> bytes:
    """The line of the header that says that `boundary` is between the parts."""
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"'.encode()


def joined(boundary: str, parts: Sequence[bytes]) -> bytes:
    """The parts with the boundaries between them (RFC 2046, 5.1.1)."""
    return b"".join(_pieces(boundary, parts))


def _pieces(boundary: str, parts: Sequence[bytes]) -> list[bytes]:
    """What is joined: parts with pictures are long, and copied once."""
    between = b"--" + boundary.encode()
    return [piece for one in parts for piece in (between, END, one, END)] + [between, b"--", END]


def taken_apart(raw: bytes) -> tuple[list[bytes], bytes]:
    """(the lines of a mail's header that are not about its body, the whole body as a part)."""
    head, _, body = raw.partition(END * 2)
    lines = head.split(END)
    about = [line for line in lines if line.lower().startswith((b"content-type:", b"content-transfer-encoding:"))]
    return [line for line in lines if line not in about], END.join(about) + END * 2 + body


def nested(kind: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    """Parts that are one part of another mail or part."""
    return b"".join([heading(kind, boundary), END * 2, *_pieces(boundary, parts)])
