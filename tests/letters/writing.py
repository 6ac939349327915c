"""Letters for the tests, put together from their parts."""

ANNA = "Anna Berg <anna@example.org>"


def letter(body: str | bytes = "", *headers: str, sender: str = ANNA, end: str = "\r\n") -> bytes:
    """The bytes of a letter with these further header lines; the body's line ends become `end`."""
    lines = [f"From: {sender}"] if sender else []
    lines += ["To: judge@example.net", "Subject: orders", "Message-ID: <1@example.org>", *headers]
    head = end.join(lines).encode() + end.encode() * 2
    if isinstance(body, str):
        body = body.replace("\n", end).encode()
    return head + body


def multipart(kind: str, *parts: bytes, boundary: str = "=_frontier") -> bytes:
    """A letter that is multipart/`kind`; each part brings its own header fields."""
    delimiter = b"\r\n--" + boundary.encode()
    body = b"".join(delimiter + b"\r\n" + part for part in parts) + delimiter + b"--\r\n"
    return letter(body, "MIME-Version: 1.0", f'Content-Type: multipart/{kind}; boundary="{boundary}"')


def part(body: str | bytes, content_type: str = "text/plain; charset=utf-8", *headers: str) -> bytes:
    """One part of a multipart."""
    head = "\r\n".join([f"Content-Type: {content_type}", *headers, "", ""]).encode()
    return head + (body.replace("\n", "\r\n").encode() if isinstance(body, str) else body)
