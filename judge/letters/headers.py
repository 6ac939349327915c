"""Header fields → words, addresses, Message-IDs and dates (RFC 5322, RFC 2047).

Values are given as `Part.header` has them. Addresses decide who the sender is, so they are read strictly: a text that
is not clearly one address is not an address.
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
# Text in which nothing separates addresses: an escaped character; a quoted string, a comment.
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_SHELTERED = re.compile(r'"[^"]*"|\([^()]*\)')
# Such text is moved to characters beyond Latin-1, which no value contains.
_SHIELD = {code: chr(0xE000 + code) for code in range(256)}
_UNSHIELD = {0xE000 + code: chr(code) for code in range(256)}
_COMMENT = re.compile("\ue028([\ue000-\ue027\ue02a-\ue0ff]*)\ue029")
_MARKS = re.compile(r'\\(.)|"', re.DOTALL)


def words(value: str) -> str:
    """Return an unstructured field (RFC 2047, bare eight-bit text) as a line of at most 500 characters."""
    return unencoded(value)[:MAX_TEXT].rstrip()


def unencoded(value: str) -> str:
    """Return an unstructured field as one line of text, however long it is."""
    if "=?" in value:
        value = _undo_encoded_words(value)
    elif not value.isascii():
        value = decode(value.encode("latin-1", "replace"))
    return clean(_BLANKS.sub(" ", value)).strip()


def _undo_encoded_words(value: str) -> str:
    """Decode encoded words; adjacent ones are joined as bytes, since some programs split characters."""
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
    """Return the mailboxes of a field: display name, and bare address in its one form, "" if it is unusable."""
    if len(value) > MAX_MAILBOXES:
        return [("", "")]
    sheltered = _SHELTERED.sub(_shelter, _ESCAPED.sub(_shelter, value))
    pieces = (piece.rpartition(":") for piece in re.split("[,;]", sheltered))
    return [_mailbox(group, mailbox) for group, _, mailbox in pieces if mailbox.strip()]


def _shelter(found: re.Match[str]) -> str:
    return found[0].translate(_SHIELD)


def _mailbox(group: str, mailbox: str) -> tuple[str, str]:
    """Read `name <address>`, `address (name)` or a bare address, perhaps after the name of a group."""
    name, opened, rest = mailbox.partition("<")
    address, closed, after = rest.partition(">")
    is_clear = closed and not _COMMENT.sub("", after).strip()
    if not opened:
        address, name = _COMMENT.sub(" ", mailbox), " ".join(_COMMENT.findall(mailbox))
        is_clear = set(group + mailbox).isdisjoint('"()\\>')
    is_clear = is_clear and set(group).isdisjoint("<>")
    display_name = words(_MARKS.sub(r"\1", name.translate(_UNSHIELD)))
    try:
        return display_name, normal(decode(address.strip().encode("latin-1"))) if is_clear else ""
    except UnicodeEncodeError:  # a sheltered character is in the address
        return display_name, ""


def message_ids(value: str) -> list[str]:
    """Return the Message-IDs of a field, with their angle brackets, in order."""
    return [clean(decode(found.encode("latin-1", "replace"))) for found in _MESSAGE_ID.findall(value)]


def message_id(value: str) -> str:
    """Return the letter's own Message-ID; one without brackets is returned as a line of text."""
    ids = message_ids(value)
    return ids[0] if ids else words(value)


def date(value: str) -> datetime | None:
    """Return a Date field in UTC, None if it is missing or cannot be read."""
    try:
        found = parsedate_to_datetime(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
