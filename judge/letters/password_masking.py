"""Letters are kept for appeals, passwords are not: `****` replaces them in the bytes of the letter itself.

Each part is decoded, masked and encoded again as it was, wherever the password is (base64, HTML, a forwarded letter, an
opaque signature, an attached file, the text around the parts, quotes, the subject); a letter without passwords comes
back byte for byte. In case of doubt more is masked, not less: a letter of which another reader of mail may make
something else is searched once more as a whole.
"""

import binascii
import re
from collections.abc import Callable, Iterator
from email.header import Header
from functools import cache

from judge.letters.headers import words
from judge.letters.hidden_passwords import mask_hidden, may_be_read_otherwise
from judge.letters.mime import MAX_PARTS, Part, parse
from judge.letters.password_lines import mask_flowed, mask_html, mask_plain
from judge.letters.smime import OPAQUE, unsigned
from judge.letters.text import decode_as

_FIELD = re.compile(rb"^[!-9;-~]+[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE)
# A line of base64 that somebody has copied, perhaps behind quote marks.
_BASE64_LINE = re.compile(rb"^[> ]*[A-Za-z0-9+/]{24,}={0,2}[ \r]*$", re.MULTILINE)
# Text with two bytes per letter inside a file, as Outlook writes it in winmail.dat.
_TWO_BYTE_TEXT = re.compile(rb"(?:[\x20-\x7e\t\r\n]\x00){12,}")
# So many files are opened that lie one in the other: each time all that is left is read again.
_MOST_FILES = 3


def mask_passwords(raw: bytes, root: Part, *, files: int = 0) -> bytes:
    """The letter whose parts are those of `root`, with every password on a SIGNON, CREATE, OBSERVE, SET PASSWORD … line
    replaced. Never raises. `files`: in how many files the letter lies, one in the other.
    """
    pieces: list[bytes] = []
    position = 0
    has_all_parts = sum(1 for _ in root.walk()) < MAX_PARTS
    for start, end, masked in _replacements(root, has_all_parts, files):
        pieces += [raw[position:start], masked]
        position = end
    masked = b"".join([*pieces, raw[position:]]) if pieces else raw
    return mask_hidden(masked) if may_be_read_otherwise(root) else masked


def _replacements(part: Part, has_all_parts: bool, files: int) -> Iterator[tuple[int, int, bytes]]:
    """(start, end, new bytes) for every place that must change, in the order of the letter.

    If a letter has more parts than are read, nobody knows how the others are encoded, so they are not kept.
    """
    yield from _masked_fields(part)
    if part.parts and part.content_type in OPAQUE:
        yield from _masked_signed(part, part.parts[0], files)
        return
    between = part.start
    for child in part.parts:
        yield from _masked_bytes(part.raw, between, child.head)
        yield from _replacements(child, has_all_parts, files)
        between = child.end
    if part.parts and not has_all_parts:
        yield between, part.end, b""
    elif part.parts:
        yield from _masked_bytes(part.raw, between, part.end)
    elif part.content_type.startswith(("text/", "multipart/", "message/")):
        yield from _replaced(part, _masked_body(part))
    else:
        yield from _replaced(part, _masked_file(part, files))


def _replaced(part: Part, body: bytes | None) -> Iterator[tuple[int, int, bytes]]:
    """The new body, if it must change. A body that claims to be base64 may be plain text, so it is searched as that
    too.
    """
    if body is not None:
        yield part.start, part.end, body
    elif part.encoding == "base64":
        yield from _masked_bytes(part.raw, part.start, part.end)


def _masked_signed(part: Part, inside: Part, files: int) -> Iterator[tuple[int, int, bytes]]:
    """The content of an opaque signature; if it had to be changed, it is written without a signature."""
    masked = mask_passwords(inside.raw, inside, files=files)
    if masked != inside.raw:
        yield part.start, part.end, _encode_transfer(unsigned(masked), part.encoding)
    else:
        # What is no part of the structure may stand behind it.
        yield from _replaced(part, _masked_file(part, files))


def _masked_bytes(raw: bytes, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
    """The text before, between and after the parts of a multipart."""
    text = raw[start:end].decode("latin-1")
    masked = mask_plain(text)
    if masked != text:
        yield start, end, masked.encode("latin-1")


def _masked_file(part: Part, files: int) -> bytes | None:
    """A file of any kind, as far as its bytes hold readable text or a letter; None if there is no password in it."""
    payload = part.payload
    masked = _TWO_BYTE_TEXT.sub(_masked_two_byte_text, payload) if b"\0" in payload else payload
    masked = mask_plain(masked.decode("latin-1")).encode("latin-1")
    if part.content_type in OPAQUE or files == _MOST_FILES:
        masked = mask_hidden(masked)
    elif b"\0" not in masked:
        # It may be a letter.
        masked = mask_passwords(masked, parse(masked), files=files + 1)
    return _encode_transfer(masked, part.encoding) if masked != payload else None


def _masked_two_byte_text(found: re.Match[bytes]) -> bytes:
    return mask_plain(found[0].decode("utf-16-le")).encode("utf-16-le")


def _masked_fields(part: Part) -> Iterator[tuple[int, int, bytes]]:
    """Header fields in which the sender wrote a sign-on: Subject, and what mail programs copy from it."""
    for field in _FIELD.finditer(part.raw, part.head, part.start):
        value = field[1]
        if len(value) < 10:
            continue
        text = words(value.decode("latin-1"))
        masked = mask_plain(text)
        if masked != text:
            yield field.start(1), field.end(1), b" " + _written(masked) + (b"\r" if value.endswith(b"\r") else b"")


def _written(text: str) -> bytes:
    return text.encode() if text.isascii() else Header(text, "utf-8", maxlinelen=0).encode().encode()


def _masked_body(part: Part) -> bytes | None:
    """The body with its passwords masked, encoded as it was; None if it holds no passwords."""
    text, codec = decode_as(part.payload, part.parameters.get("charset", ""))
    mask = _mask_of(part)
    masked = mask(text)
    body = masked.encode(codec, "replace") if masked != text else part.payload
    if _BASE64_LINE.search(body):
        body = mask_hidden(body)
    if not _holds_ascii(codec):
        # A body that claims to be UTF-16 may still be plain text to other readers.
        body = mask(body.decode("latin-1")).encode("latin-1")
    return _encode_transfer(body, part.encoding) if body != part.payload else None


def _mask_of(part: Part) -> Callable[[str], str]:
    """How the text of this part is masked."""
    if part.content_type == "text/html":
        return mask_html
    return mask_flowed if part.parameters.get("format", "").lower() == "flowed" else mask_plain


@cache
def _holds_ascii(codec: str) -> bool:
    """Whether ASCII text has the same bytes in this codec."""
    return "signon".encode(codec) == b"signon"


def _encode_transfer(body: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        lines = [binascii.b2a_base64(body[i : i + 57], newline=False) for i in range(0, len(body), 57)]
        return b"\r\n".join([*lines, b""])
    if encoding == "quoted-printable":
        # In text of two bytes a letter, the bytes of a line end are no line end.
        return binascii.b2a_qp(body, istext=b"\0" not in body)
    return body
