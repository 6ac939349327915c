"""Parse the bytes of a letter into its MIME parts, with the standard library's parser.

With its old policy (compat32), that parser never raises an error. This module limits the number and depth of parts,
since the parser's time grows with both. If a line in a header is not a field, the rest of the header is still read. A
broken transfer encoding is decoded as far as possible.

A signed letter may be inside its signature as a whole (S/MIME "opaque", RFC 8551 §3.5.2). Only the content of the
Cryptographic Message Syntax (RFC 5652 §5) is read. It may be DER, or BER with indefinite lengths (X.690 §8.1.3). The
signature itself is not checked, since it does not show which registered person wrote the letter.

Fields are read here too: words, addresses, Message-IDs and dates (RFC 5322, RFC 2047), from values as `Part.header`
returns them. Addresses decide who the sender is, so they are read strictly. A text that is not clearly one address is
not an address.
"""

import binascii
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.errors import MissingHeaderBodySeparatorDefect
from email.feedparser import FeedParser
from email.message import Message
from email.policy import compat32
from email.utils import parsedate_to_datetime
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

from judge.addresses import normal
from judge.letters.text import clean, decode

MAX_DEPTH = 10
MAX_PARTS = 300
MAX_FIELDS = 2000  # the maximum number of header fields to keep
MAX_VALUE = 20_000  # the maximum length of a header field

_AT_ONCE = 8192  # the characters to parse between two checks of the number of parts
# One field: its name, perhaps with blanks before the colon, the colon, and its value.
_FIELD = re.compile(rb"^([!-9;-~]+)([ \t]*)(:[^\n]*(?:\n|\Z)(?:[ \t][^\n]*(?:\n|\Z))*)", re.MULTILINE)
# The names of fields that only emails have. A form or a message in the text has no fields with these names.
_OF_MAIL = re.compile(
    rb"from|to|cc|bcc|subject|date|sender|reply-to|in-reply-to|references|message-id|mime-version|received|return-path"
    rb"|delivered-to|precedence|auto-submitted|user-agent|importance|priority|authentication-results|dkim-signature"
    rb"|(?:arc|content|list|mailing|received|resent|thread|x)-.+",
    re.IGNORECASE,
)
# The field that may not have a blank before its colon. A mail server that removes forged fields may not recognize a
# name with a blank.
_OF_SERVER = b"authentication-results"
_BLANK_LINE = re.compile(rb"^\r?(?:\n|\Z)", re.MULTILINE)
# Characters that end the value of a field. The semicolon before its parameters may be missing.
_ENDS = re.compile(r"[\s;,:()<>\"']")
_TYPE = re.compile(r"(?:application|audio|chemical|font|image|message|model|multipart|text|video|x-\w+)/[\w.+-]+")
_PARAMETER = re.compile(r';\s*([^\s=;"]+?)(\*\d*)?\*?\s*=\s*("[^"\\]*+(?:\\.[^"\\]*+)*"?|[^;]*)')
# RFC 2045, 6.7 (3): blanks at the end of an encoded line were added in transport, so they are removed.
_BLANKS_AT_SOFT_BREAK = re.compile(rb"=[ \t]++(?=\r?(?:\n|\Z))")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_NOT_BASE64 = bytes(set(range(256)) - set(_BASE64))

OPAQUE = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})

# The object identifiers (X.690) of a signature and of its signed content.
_SIGNED_DATA, _DATA = bytes.fromhex("2a864886f70d010702"), bytes.fromhex("2a864886f70d010701")
_NEAR = 32  # the number of bytes in which the mark of a signature is searched for
_EXPLICIT, _OCTETS, _CONSTRUCTED_OCTETS, _END = 0xA0, 0x04, 0x24, 0x00
_OPEN_LENGTH = 0x80

MAX_TEXT = 500
MAX_MAILBOXES = 2_000  # the maximum length of an address field

_ENCODED_WORD = re.compile(r"=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bBqQ])\?([^?]*)\?=")
_BLANKS = re.compile(r"\s+")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,990}>")
_ITSELF = ".itself@"
# Text in which commas do not separate addresses: an escaped character, a quoted string, a comment.
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_SHELTERED = re.compile(r'"[^"]*"|\([^()]*\)')
# Quoted text and the like is shifted beyond Latin-1, to characters that no value contains, until the field is split.
_SHIELD = {code: chr(0xE000 + code) for code in range(256)}
_UNSHIELD = {0xE000 + code: chr(code) for code in range(256)}
_COMMENT = re.compile("\ue028([\ue000-\ue027\ue02a-\ue0ff]*)\ue029")
_MARKS = re.compile(r'\\(.)|"', re.DOTALL)

Headers = dict[str, list[str]]


class Part(Message):
    """One MIME part. Until its charset is known, its texts have one character (Latin-1) for each byte.

    The root alone has `body`, the bytes after the header, still transfer-encoded. The content of an opaque signature
    (S/MIME) is a part of the signed part.
    """

    body = b""

    def __init__(self, policy: Any, depth: int):
        super().__init__(policy)
        self.depth = depth
        # {field name in lower case: its values, each on one line}.
        self.headers: Headers = {}
        self.fields = 0

    def set_raw(self, name: str, value: str) -> None:
        """Keep a field. The parser calls this."""
        self.fields += 1
        if self.fields <= MAX_FIELDS:
            unfolded = value[:MAX_VALUE].replace("\r", "").replace("\n", "").strip()
            self.headers.setdefault(name.lower(), []).append(unfolded)

    def attach(self, payload: Any) -> None:
        """Add a part to this part."""
        payload.depth = self.depth + 1
        super().attach(payload)

    def get_content_type(self) -> str:
        """Return the type for the parser, or text/plain if the parser must not look for parts inside."""
        kind = self._declared[0]
        has_parts = kind.startswith("multipart/") or kind == "message/rfc822"
        return kind if has_parts and self.depth < MAX_DEPTH else "text/plain"

    def get_boundary(self, failobj: Any = None) -> Any:
        """Return the boundary between parts. Never raises an error, unlike the method that it replaces."""
        return self.parameters.get("boundary") or failobj

    def header(self, name: str) -> str:
        """Return the topmost field of that lower-case name, or ""."""
        return self.headers.get(name, [""])[0]

    @cached_property
    def _declared(self) -> tuple[str, dict[str, str]]:
        return header_field(self.header("content-type")) if "content-type" in self.headers else ("text/plain", {})

    @property
    def content_type(self) -> str:
        """Return the type in lower case, or text/plain for a multipart without parts.

        For an invalid type, return text/html if "html" is in it, else text/plain.
        """
        kind = self._declared[0]
        if not _TYPE.fullmatch(kind):
            return "text/html" if "html" in kind else "text/plain"
        is_empty = kind.startswith("multipart/") and not self.parts and self.depth < MAX_DEPTH
        return "text/plain" if is_empty else kind

    @property
    def parameters(self) -> dict[str, str]:
        """Return the parameters of the type, such as charset."""
        return self._declared[1]

    @property
    def parts(self) -> Sequence["Part"]:
        """Return the parts directly inside this part."""
        payload: Any = self.get_payload()
        return payload if self.is_multipart() else ()

    def own_parts(self) -> Iterator["Part"]:
        """Yield this part and all parts in it, except the parts of an attached email."""
        yield self
        if self.content_type != "message/rfc822":
            for part in self.parts:
                yield from part.own_parts()

    @property
    def encoding(self) -> str:
        """Return the transfer encoding, in lower case."""
        return self.header("content-transfer-encoding").lower()

    @property
    def is_attachment(self) -> bool:
        """Return whether the part declares itself an attached file."""
        return self.header("content-disposition").lower().lstrip().startswith("attachment")

    @property
    def payload(self) -> bytes:
        """Return the body, decoded as far as possible."""
        return decode_transfer(self._encoded, self.encoding)

    @property
    def is_damaged(self) -> bool:
        """Return whether the base64 has invalid characters, a sign of a fault in transport (RFC 2045, 6.8)."""
        return self.encoding == "base64" and bool(self._encoded.translate(None, _BASE64 + b" \t\r\n"))

    @property
    def _encoded(self) -> bytes:
        payload: Any = self.get_payload()
        return payload.encode("latin-1") if isinstance(payload, str) else b""


def parse_letter(raw: bytes) -> Part:
    """Parse a letter into its tree of parts. Never raises an error."""
    made: list[Part] = []
    header, body = _split(raw if b"\n" in raw else raw.replace(b"\r", b"\n"))
    root = _tree(header, body, made, depth=0)
    root.body = body
    for part in made:  # the list grows, since signed content may be signed again
        if part.depth < MAX_DEPTH and len(made) < MAX_PARTS and not part.parts:
            if any(isinstance(defect, MissingHeaderBodySeparatorDefect) for defect in part.defects):
                _complete_header(part, made)
            if part.content_type in OPAQUE and (content := _signed_content(part.payload)) is not None:
                part.set_payload([])
                part.attach(_tree(*_split(content), made, part.depth + 1))
    return root


def _split(entity: bytes) -> tuple[bytes, bytes]:
    """Return the header, reduced to the lines that the parser takes for fields, and the body.

    A line that is not a field is skipped if a field of an email follows before the blank line. Mail programs do the
    same. Otherwise the body begins with that line, because the blank line above it is missing.
    """
    blank = _BLANK_LINE.search(entity)
    limit = blank.start() if blank else len(entity)
    fields = []
    end = last = 0
    for field in _FIELD.finditer(entity, 0, limit):
        name, blanks, value = field.groups()
        is_forged = blanks and name.lower() == _OF_SERVER
        fields.append(b"" if is_forged else name + value)
        if field.start() == end or _OF_MAIL.fullmatch(field[1]):
            end, last = field.end(), len(fields)
    # In a header, a CR inside a line does not end the line, although the parser thinks so.
    header = b"".join(fields[:last]).replace(b"\r\n", b"\n").replace(b"\r", b" ")
    return header, entity[blank.end() if blank and end == limit else end :]


def _tree(header: bytes, body: bytes, made: list[Part], depth: int) -> Part:
    """Parse a letter or signed content into parts, and add each to `made`. `depth` is the depth of the root."""
    whole = (header + b"\n" + body).decode("latin-1")
    first = len(made)

    def new_part(policy: Any) -> Part:
        made.append(Part(policy, depth))
        return made[-1]

    parser = FeedParser(policy=compat32.clone(message_factory=new_part))
    for place in range(0, len(whole), _AT_ONCE):
        if len(made) < MAX_PARTS:
            parser.feed(whole[place : place + _AT_ONCE])
    parser.close()
    return made[first]


def _complete_header(part: Part, made: list[Part]) -> None:
    """Parse a part again if its header continues after the line at which the parser ended it."""
    read = "".join(f"{name}: {value}\n" for name, values in part.headers.items() for value in values).encode("latin-1")
    header, body = _split(read + part._encoded)
    if len(header) > len(read):
        vars(part).update(vars(_tree(header, body, made, part.depth)))


def decode_transfer(body: bytes, encoding: str) -> bytes:
    """Decode base64 or quoted-printable (RFC 2045 §6), even with wrong characters in the body."""
    if encoding == "base64":
        letters = body.translate(None, _NOT_BASE64).partition(b"=")[0]
        letters = letters[:-1] if len(letters) % 4 == 1 else letters
        return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
    if encoding == "quoted-printable":
        return binascii.a2b_qp(_BLANKS_AT_SOFT_BREAK.sub(b"=", body))
    return body


def header_field(value: str) -> tuple[str, dict[str, str]]:
    """Return the lower-case value and the parameters of a field like Content-Type (RFC 2045 §5.1, RFC 2231 §3)."""
    whole = value.lstrip("\"'< ")
    kind = _ENDS.split(whole, maxsplit=1)[0]
    parameters: dict[str, str] = {}
    rest = whole[len(kind) :].lstrip(" ,;:\"'>")
    for name, numbered, text in _PARAMETER.findall(f";{rest}"):
        text = re.sub(r"\\(.)", r"\1", text.strip('"')) if text.startswith('"') else text.strip()
        name = name.lower()
        parameters[name] = parameters.get(name, "") + text if numbered else parameters.get(name, text)
    return kind.lower(), parameters


def _signed_content(data: bytes) -> bytes | None:
    """Return the MIME entity that was signed, or None for other `data`: encrypted, compressed or damaged."""
    head, _, content = data.partition(_DATA)
    if _SIGNED_DATA not in head[:_NEAR]:
        return None
    at, pieces = 0, []
    try:
        _value(data, 0)  # raises an error if the data is cut off at its end
        while at < len(content):
            tag, start, end = _value(content, at)
            if tag not in (_EXPLICIT, _OCTETS, _CONSTRUCTED_OCTETS, _END):
                break
            if tag == _OCTETS:
                pieces.append(content[start:end])
            at = end if tag == _OCTETS else start
    except (IndexError, ValueError):
        pass  # the pieces so far are the content, if there are any
    return b"".join(pieces) or None


def _value(data: bytes, at: int) -> tuple[int, int, int]:
    """Return the tag of the value at the index `at`, and where its contents begin and end.

    For an indefinite length, the end is the same as the beginning.
    """
    tag, length, start = data[at], data[at + 1], at + 2
    if length == _OPEN_LENGTH:
        return tag, start, start
    if length > _OPEN_LENGTH:
        size = length - _OPEN_LENGTH
        length, start = int.from_bytes(data[start : start + size], "big"), start + size
    if start + length > len(data):
        raise ValueError("cut off")
    return tag, start, start + length


# --- fields ---


def words(value: str) -> str:
    """Return an unstructured field (RFC 2047, or raw eight-bit text) as a line of at most 500 characters."""
    return unencoded(value)[:MAX_TEXT].rstrip()


def unencoded(value: str) -> str:
    """Return an unstructured field as one line of text, however long it is."""
    if "=?" in value:
        value = _undo_encoded_words(value)
    else:
        value = decode(value.encode("latin-1"))
    return clean(_BLANKS.sub(" ", value)).strip()


def _undo_encoded_words(value: str) -> str:
    """Decode encoded words.

    Adjacent words are joined as bytes first, since some programs split a character between two words.
    """
    pieces: list[tuple[str, bytes]] = []  # the charset of an encoded word, or "" for other text, and its bytes
    position = 0
    for found in _ENCODED_WORD.finditer(value):
        if (between := value[position : found.start()]).strip() or not pieces:
            pieces.append(("", between.encode("latin-1")))
        charset, encoding, text = found[1], found[2], found[3].encode("latin-1")
        coding = "base64"
        if encoding not in "bB":
            text, coding = text.replace(b"_", b" "), "quoted-printable"
        pieces.append((charset, decode_transfer(text, coding)))
        position = found.end()
    pieces.append(("", value[position:].encode("latin-1")))
    return "".join(
        decode(b"".join(data for _, data in group), charset) for charset, group in groupby(pieces, itemgetter(0))
    )


def addresses(value: str) -> list[tuple[str, str]]:
    """Return the mailboxes of a field as (display name, normalized address or "" if it is unusable)."""
    if len(value) > MAX_MAILBOXES:
        return [("", "")]
    sheltered = _SHELTERED.sub(_shelter, _ESCAPED.sub(_shelter, value))
    pieces = (piece.rpartition(":") for piece in _parted(sheltered))
    return [_mailbox(group, mailbox) for group, _, mailbox in pieces if mailbox.strip()]


def _parted(mailboxes: str) -> Iterator[str]:
    """Split a field at its commas and semicolons, but not at a comma in an unquoted name: Roe, Jo <jo@site>."""
    for several in mailboxes.split(";"):
        names = []
        for piece in several.split(","):
            if set(piece).isdisjoint("@:<>"):
                names.append(piece)
                continue
            yield from [",".join([*names, piece])] if "<" in piece else [*names, piece]
            names.clear()
        yield from names


def _shelter(found: re.Match[str]) -> str:
    return found[0].translate(_SHIELD)


def _mailbox(group: str, mailbox: str) -> tuple[str, str]:
    """Read `name <address>`, `address (name)` or an address alone, perhaps after the name of a group."""
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
    except UnicodeEncodeError:  # the address has a quoted character
        return display_name, ""


def message_ids(value: str) -> list[str]:
    """Return the Message-IDs of a field, with their angle brackets, in order."""
    return [clean(decode(found.encode("latin-1"))) for found in _MESSAGE_ID.findall(value)]


def in_references(message_id: str) -> str:
    """Return the id by which the judge's email names itself in its own References, which providers seldom rewrite.

    This id differs from the Message-ID, since programs that build threads would loop if an email referred to itself.
    """
    return message_id.replace("@", _ITSELF)


def referred_to(value: str) -> list[str]:
    """Return the Message-IDs in a field that refers to emails, including ids made by `in_references`."""
    return [name.replace(_ITSELF, "@") for name in message_ids(value)]


def date(value: str) -> datetime | None:
    """Return a Date field in UTC, or None if it is missing or cannot be read."""
    try:
        found = parsedate_to_datetime(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
