"""Header fields → words, addresses, Message-IDs and dates (RFC 5322, RFC 2047).

Values come in as `Part.header` gives them. Addresses decide who the sender is, so they are read strictly: a text that
is not clearly one address counts as none.
"""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from judge.addresses import normal
from judge.letters.parsed import decode_transfer
from judge.letters.text import clean, decode

MAX_TEXT = 500
MAX_MAILBOXES = 2_000    # characters of an address field

_ENCODED_WORD = re.compile(r"=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bBqQ])\?([^?]*)\?=")
_BLANKS = re.compile(r"\s+")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,990}>")
# What has no sign of the field in it: an escaped character; a quoted string, a comment.
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_SHELTERED = re.compile(r'"[^"]*"|\([^()]*\)')
# Values have no characters beyond Latin-1: these stand for sheltered ones.
_SHIELD = {code: chr(0xE000 + code) for code in range(256)}
_UNSHIELD = {0xE000 + code: chr(code) for code in range(256)}
_COMMENT = re.compile("\ue028([\ue000-\ue027\ue02a-\ue0ff]*)\ue029")
_MARKS = re.compile(r'\\(.)|"', re.DOTALL)


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
        charset, encoding, text = found.groups()
        if (between := value[position : found.start()]).strip() or not pieces:
            pieces.append(("", between.encode("latin-1", "replace")))
        is_base64 = encoding in "bB"
        data = decode_transfer(
            (text if is_base64 else text.replace("_", " ")).encode("latin-1", "replace"),
            "base64" if is_base64 else "quoted-printable",
        )
        before = pieces.pop()[1] if pieces[-1][0] == charset else b""
        pieces.append((charset, before + data))
        position = found.end()
    pieces.append(("", value[position:].encode("latin-1", "replace")))
    return "".join(decode(piece, charset) for charset, piece in pieces)


def addresses(value: str) -> list[tuple[str, str]]:
    """The mailboxes of a field: (display name, bare address in its one form); the address is "" if unusable."""
    if len(value) > MAX_MAILBOXES:
        return [("", "")]
    for pattern in (_ESCAPED, _SHELTERED):
        value = pattern.sub(lambda found: found[0].translate(_SHIELD), value)
    pieces = (piece.rpartition(":") for piece in re.split("[,;]", value))
    return [_mailbox(group, mailbox) for group, _, mailbox in pieces if mailbox.strip()]


def _mailbox(group: str, mailbox: str) -> tuple[str, str]:
    """`name <address>`, `address (name)` or a bare address, perhaps behind the name of a group."""
    name, opened, rest = mailbox.partition("<")
    address, closed, after = rest.partition(">")
    is_clear = closed and not _COMMENT.sub("", after).strip()
    if not opened:
        address, name = _COMMENT.sub(" ", mailbox), " ".join(_COMMENT.findall(mailbox))
        is_clear = set(group + mailbox).isdisjoint('"()\\>')
    is_clear = is_clear and set(group).isdisjoint("<>")
    return words(_MARKS.sub(r"\1", name.translate(_UNSHIELD))), _usable(address) if is_clear else ""


def _usable(address: str) -> str:
    try:
        return normal(decode(address.strip().encode("latin-1")))
    except UnicodeEncodeError:    # a sheltered character stands in it
        return ""


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
        found = parsedate_to_datetime(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
