"""Passwords that show only to another reader of mail: one that finds base64, quoted-printable or uuencoded text where
we find none.

Readers differ where a letter is damaged: which of two fields counts, what stands behind the padding of base64, where a
header ends. Such a letter is searched as a whole, whatever its fields say. Base64 may begin at any of its letters,
and go on behind "=" or begin anew there.
"""

import binascii
import re
from collections.abc import Callable
from functools import partial
from itertools import accumulate

from judge.letters.mime import MAX_FIELDS, NOT_BASE64, Part
from judge.letters.password_lines import starred

_FIELD_NAME = re.compile(rb"content-transfer-encoding", re.IGNORECASE)
_ENCODINGS = {"", "7bit", "8bit", "binary", "quoted-printable", "base64"}
_BLANKS = b" \t\r\n"
_PADDING = 2
_GROUP = 4
_BLANK_LINES = re.compile(rb"(\n(?:\r?\n)+)")
_SEGMENT = re.compile(rb"[^=]+")
_ESCAPE = re.compile(rb"=([0-9A-Fa-f]{2})|=[ \t]{0,9}\r?\n")
_UUENCODED = re.compile(rb"^begin [0-7]{3,4} ", re.MULTILINE)
_LINE = re.compile(rb"[^\r\n]+")

_Spans = list[tuple[int, int]]


def may_be_read_otherwise(root: Part) -> bool:
    """Whether another reader may decode anything in the letter in another way than its `root` shows."""
    parts = [part for part in root.walk() if part.raw is root.raw]
    fields = sum(len(part.headers.get("content-transfer-encoding", ())) for part in parts)
    named = sum(1 for _ in _FIELD_NAME.finditer(root.raw))
    return named > fields or _UUENCODED.search(root.raw) is not None or not all(map(_is_plain, parts))


def _is_plain(part: Part) -> bool:
    """Whether all readers find the same header and the same body."""
    fields = part.headers.get("content-transfer-encoding", ()), part.headers.get("content-type", ())
    if not part.has_whole_header or max(map(len, fields)) > 1 or sum(map(len, part.headers.values())) >= MAX_FIELDS:
        return False
    whole = part.content_type.startswith(("multipart/", "message/"))
    if part.encoding not in _ENCODINGS or whole and part.encoding in ("base64", "quoted-printable"):
        return False
    return part.encoding != "base64" or _is_regular(part.raw[part.start : part.end])


def _is_regular(body: bytes) -> bool:
    """Whether the body is whole groups of base64, with padding at the end only."""
    letters = body.translate(None, _BLANKS)
    own = letters.rstrip(b"=")
    is_whole = len(letters) % _GROUP == 0 and len(letters) - len(own) <= _PADDING
    return is_whole and b"=" not in own and own == own.translate(None, NOT_BASE64)


def mask_hidden(data: bytes) -> bytes:
    """The bytes with stars in place of every password that shows when they are decoded in any way; no byte moves."""
    for first in range(_GROUP):
        data = _masked_base64(data, NOT_BASE64 + b"=", partial(_all_from, first))
    # Where base64 begins anew behind padding, it matters where it began: below a blank line.
    data = b"".join(map(_masked_between_paddings, _BLANK_LINES.split(data)))
    return _masked_lines(_masked_escapes(data))


def _all_from(first: int, letters: bytes) -> _Spans:
    return [(first, max(first, len(letters)))]


def _masked_between_paddings(block: bytes) -> bytes:
    return _masked_base64(block, NOT_BASE64, _between_paddings) if b"=" in block else block


def _between_paddings(letters: bytes) -> _Spans:
    return [found.span() for found in _SEGMENT.finditer(letters)]


def _masked_base64(data: bytes, skipped: bytes, spans: Callable[[bytes], _Spans]) -> bytes:
    """The bytes with the passwords masked that show if all signs in `skipped` are passed over, and each of the `spans`
    of the others is decoded by itself.
    """
    letters = data.translate(None, skipped)
    pieces = [(start, end - ((end - start) % _GROUP == 1)) for start, end in spans(letters)]
    decoded = [_from_base64(letters[start:end]) for start, end in pieces]
    masked = _masked_pieces(decoded)
    if masked == decoded:
        return data
    new = bytearray(letters)
    for (start, end), piece in zip(pieces, masked, strict=True):
        new[start:end] = binascii.b2a_base64(piece, newline=False).rstrip(b"=")
    laid, gone = bytearray(data), set(skipped)
    for place, letter in zip((at for at, sign in enumerate(data) if sign not in gone), new, strict=True):
        laid[place] = letter
    return bytes(laid)


def _from_base64(letters: bytes) -> bytes:
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % _GROUP))


def _masked_pieces(pieces: list[bytes]) -> list[bytes]:
    """The pieces with the passwords masked that show in all of them together."""
    shown = b"".join(pieces)
    masked = _starred(shown)
    if masked == shown:
        return pieces
    ends = list(accumulate(map(len, pieces)))
    return [masked[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _starred(shown: bytes) -> bytes:
    return starred(shown.decode("latin-1")).encode("latin-1")


def _masked_escapes(data: bytes) -> bytes:
    """The bytes with the passwords masked that show in them as quoted-printable."""
    pieces, shown = [], []
    at = 0
    for found in _ESCAPE.finditer(data):
        pieces += [data[at : found.start()], found[0]]
        shown += [data[at : found.start()], bytes.fromhex(found[1].decode()) if found[1] else b""]
        at = found.end()
    masked = _masked_pieces([*shown, data[at:]])
    if masked == [*shown, data[at:]]:
        return data
    changed = zip([*pieces, data[at:]], [*shown, data[at:]], masked, strict=True)
    return b"".join(now.ljust(len(written), b"*") if now != said else written for written, said, now in changed)


def _masked_lines(data: bytes) -> bytes:
    """The bytes with the passwords masked that show in their uuencoded lines."""
    if not _UUENCODED.search(data):
        return data
    lines = [found.span() for found in _LINE.finditer(data)]
    decoded = [_from_uu(data[start:end]) for start, end in lines]
    masked = _masked_pieces(decoded)
    laid = bytearray(data)
    for (start, end), said, now in zip(lines, decoded, masked, strict=True):
        if now != said:
            laid[start:end] = binascii.b2a_uu(now).rstrip(b"\n").ljust(end - start)[: end - start]
    return bytes(laid)


def _from_uu(line: bytes) -> bytes:
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:
        return b""
