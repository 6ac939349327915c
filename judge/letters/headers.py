"""Header fields → words, addresses, Message-IDs and dates (RFC 5322, RFC 2047).

Values come in as `Part.header` gives them. Addresses decide who the sender is, so they are read strictly: a text that
is not clearly one address counts as none.
"""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

from judge.addresses import normal
from judge.letters.parsed import decode_transfer
from judge.letters.text import clean, decode

MAX_TEXT = 500
MAX_MAILBOXES = 2_000    # characters of an address field

_ENCODED_WORD = re.compile(r"=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bBqQ])\?([^?]*)\?=")
_BLANKS = re.compile(r"\s+")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,990}>")
_PLAIN_MAILBOX = re.compile(r'(?:"([^"\\<>]*)"\s*|([^"<>(),:;@\\\[\]]*))<([^<>\s]+)>')


def words(value: str) -> str:
    """An unstructured field as one line of text (RFC 2047, bare eight-bit text), at most 500 characters."""
    return unencoded(value)[:MAX_TEXT].rstrip()


def unencoded(value: str) -> str:
    """The same, however long it is."""
    if "=?" in value:
        value = _undo_encoded_words(value)
    elif not value.isascii():
        value = decode(value.encode("latin-1", "replace"))
    return clean(_BLANKS.sub(" ", value)).strip()


def _undo_encoded_words(value: str) -> str:
    """Neighbouring words of one charset are joined as bytes: some programs split in the middle of a character."""
    pieces: list[tuple[str, bytes]] = []    # charset ("" outside the words) and bytes
    position = 0
    for found in _ENCODED_WORD.finditer(value):
        between = value[position : found.start()]
        if between.strip() or not pieces:
            pieces.append(("", between.encode("latin-1", "replace")))
        charset, encoding, text = found.groups()
        data = _undo_word(encoding.lower(), text.encode("latin-1", "replace"))
        if pieces and pieces[-1][0] == charset:
            data = pieces.pop()[1] + data
        pieces.append((charset, data))
        position = found.end()
    pieces.append(("", value[position:].encode("latin-1", "replace")))
    return "".join(decode(piece, charset) for charset, piece in pieces)


def _undo_word(encoding: str, body: bytes) -> bytes:
    if encoding == "b":
        return decode_transfer(body, "base64")
    return decode_transfer(body.replace(b"_", b" "), "quoted-printable")


def addresses(value: str) -> list[tuple[str, str]]:
    """The mailboxes of a field: (display name, bare address in its one form); the address is "" if unusable."""
    if len(value) > MAX_MAILBOXES:
        return [("", "")]
    simple = _PLAIN_MAILBOX.fullmatch(value.strip())
    if simple:
        quoted, plain, address = simple.groups()
        return [(words(quoted or plain or ""), _usable(address))]
    return [_mailbox(piece) for piece in _split_mailboxes(value)]


def _usable(address: str) -> str:
    address = address.strip()
    if not address.isascii():
        try:
            address = decode(address.encode("latin-1"))
        except UnicodeEncodeError:    # an escaped character stands in it
            return ""
    return normal(address)


def _split_mailboxes(value: str) -> list[str]:
    """Split at the commas that are outside quotes, comments and angle brackets; the name of an address group is
    dropped.
    """
    pieces: list[str] = []
    piece: list[str] = []
    comment, quoted, angle, escaped = 0, False, False, False
    for sign in value:
        if escaped:
            escaped = False
        elif sign == "\\" and (quoted or comment):
            escaped = True
        elif quoted:
            quoted = sign != '"'
        elif sign == "(":
            comment += 1
        elif sign == ")" and comment:
            comment -= 1
        elif not comment:
            if sign == '"':
                quoted = True
            elif sign in "<>":
                angle = sign == "<"
            elif not angle and sign in ",;":
                pieces.append("".join(piece))
                piece = []
                continue
            elif not angle and sign == ":":
                piece = []
                continue
        piece.append(sign)
    pieces.append("".join(piece))
    return [piece for piece in pieces if piece.strip()]


_COMMENT = re.compile(r"\(([^()]*)\)")
_QUOTED = re.compile(r'"([^"]*)"')
_ESCAPED = re.compile(r"\\(.)")
# Values have no characters beyond Latin-1: these stand for escaped ones, which are no signs of the field.
_SHIELD = 0xE000
_SHIELDED = {_SHIELD + code: chr(code) for code in range(256)}


def _mailbox(piece: str) -> tuple[str, str]:
    """`name <address>`, `address (name)` or a bare address."""
    piece = _ESCAPED.sub(lambda found: chr(_SHIELD + ord(found[1])), piece)
    bare = _QUOTED.sub(" ", piece)
    if "<" in bare:
        before, _, rest = bare.partition("<")
        address, closed, after = rest.partition(">")
        if not closed or _COMMENT.sub("", after).strip():
            return "", ""
        name = " ".join([*_QUOTED.findall(piece), before.strip()])
        return words(name.translate(_SHIELDED)), _usable(address)
    name = " ".join(_COMMENT.findall(piece))
    return words(name.translate(_SHIELDED)), _usable(_COMMENT.sub(" ", piece))


def message_ids(value: str) -> list[str]:
    """The Message-IDs of a field, with their angle brackets, in order."""
    return [clean(decode(found.encode("latin-1", "replace"))) for found in _MESSAGE_ID.findall(value)]


def message_id(value: str) -> str:
    """The letter's own Message-ID; one without brackets is taken as it is, up to a maximum length."""
    ids = message_ids(value)
    return ids[0] if ids else words(value)


def date(value: str) -> datetime | None:
    """A Date field in UTC; None if it is missing or cannot be read."""
    try:
        parsed = parsedate_tz(value) if value else None
        if parsed is None:
            return None
        zone = timezone(timedelta(seconds=parsed[9] or 0))
        return datetime(*parsed[:6], tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
