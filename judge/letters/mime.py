"""MIME (RFC 2045, 2046): the bytes of a letter → a tree of parts, each with its place in the letter.

The judge has its own parser because no letter from outside may raise an error, and because a letter must be read in
microseconds. Broken letters are read as far as possible: a missing blank line, a boundary that never comes, CR as the
only line end, endless nesting.
"""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from judge.letters.smime import OPAQUE, signed_content

MAX_DEPTH = 20
MAX_PARTS = 300
MAX_SIGNATURES = 3    # that are opened, one inside the other
MAX_FIELDS = 2000     # that are kept; what stands below them is passed over
MAX_VALUE = 20_000    # characters of one header field

_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)(?:\n|\Z)")
_ENVELOPE_LINE = re.compile(rb">?From [^\n]*\n")
_BLANK_LINE = re.compile(rb"\r?(?:\n|\Z)")
_PARAMETER = re.compile(r';\s*([^\s=;"]+?)(\*\d*)?\*?\s*=\s*("[^"\\]*+(?:\\.[^"\\]*+)*"?|[^;]*)')
# RFC 2045, 6.7 (3): blanks at the end of an encoded line were added on its way.
_BLANKS_AT_SOFT_BREAK = re.compile(rb"=[ \t]++(?=\r?(?:\n|\Z))")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
NOT_BASE64 = bytes(set(range(256)) - set(_BASE64))

Headers = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Part:
    """One MIME part: `raw[head:start]` is its header, `raw[start:end]` its body, still transfer-encoded.

    The content of a signature (S/MIME) is a part below the signed part, with its own bytes in `raw`.

    Header names are lower-case; values are unfolded and hold one character for each byte (Latin-1).
    """

    raw: bytes = field(repr=False)
    headers: Headers
    head: int
    start: int
    end: int
    content_type: str
    parameters: dict[str, str]
    parts: tuple["Part", ...] = ()

    def header(self, name: str) -> str:
        """The topmost header field of that (lower-case) name, "" if there is none."""
        values = self.headers.get(name)
        return values[0] if values else ""

    @property
    def has_whole_header(self) -> bool:
        """Whether the header ends with a blank line, and not with a line that is not a field."""
        return self.start == self.end or self.raw.endswith((b"\n\n", b"\n\r\n"), max(self.head - 1, 0), self.start)

    @property
    def encoding(self) -> str:
        return self.header("content-transfer-encoding").strip().lower()

    @property
    def is_attachment(self) -> bool:
        return self.header("content-disposition").lower().lstrip().startswith("attachment")

    @property
    def payload(self) -> bytes:
        """The body with its transfer encoding decoded; what cannot be decoded is left as it is."""
        return decode_transfer(self.raw[self.start : self.end], self.encoding)

    @property
    def is_damaged(self) -> bool:
        """Whether its base64 has characters in it that do not belong there: something went wrong on the letter's way
        (RFC 2045, 6.8).
        """
        return self.encoding == "base64" and bool(self.raw[self.start : self.end].translate(None, _BASE64 + b" \t\r\n"))

    def walk(self) -> Iterator["Part"]:
        """This part and all below it, in the order of the letter."""
        yield self
        for part in self.parts:
            yield from part.walk()


def decode_transfer(body: bytes, encoding: str) -> bytes:
    """Decode base64 or quoted-printable (RFC 2045 §6), even with wrong characters in it."""
    if encoding == "base64":
        letters = body.translate(None, NOT_BASE64).partition(b"=")[0]
        letters = letters[:-1] if len(letters) % 4 == 1 else letters
        return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
    if encoding == "quoted-printable":
        return binascii.a2b_qp(_BLANKS_AT_SOFT_BREAK.sub(b"=", body))
    return body


def parse(raw: bytes) -> Part:
    """The letter's tree of parts. Never raises; `raw` of the parts has the length of the bytes given."""
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    envelope = _ENVELOPE_LINE.match(raw)
    return _Reader(raw).read(envelope.end() if envelope else 0, len(raw), 0)


def header_field(part_value: str) -> tuple[str, dict[str, str]]:
    """A field like Content-Type → its lower-case value and its parameters (RFC 2045 §5.1, RFC 2231 §3)."""
    value, _, rest = part_value.partition(";")
    parameters: dict[str, str] = {}
    if rest:
        for name, numbered, text in _PARAMETER.findall(";" + rest):
            text = re.sub(r"\\(.)", r"\1", text.strip('"')) if text.startswith('"') else text.strip()
            name = name.lower()
            parameters[name] = parameters.get(name, "") + text if numbered else parameters.get(name, text)
    return value.strip().lower(), parameters


class _Reader:
    """Reads one letter; counts its parts, so that a hostile letter cannot have too many. `signatures`: in how many
    opaque signatures it lies.
    """

    def __init__(self, raw: bytes, signatures: int = 0) -> None:
        self.raw = raw
        self.signatures = signatures
        self.count = 0

    def read(self, start: int, end: int, depth: int) -> Part:
        self.count += 1
        headers, body = self._headers(start, end)
        declared = headers.get("content-type")
        content_type, parameters = header_field(declared[0]) if declared else ("text/plain", {})
        parts: tuple[Part, ...] = ()
        if content_type.startswith("multipart/") and depth < MAX_DEPTH:
            spans = self._spans(parameters.get("boundary", ""), body, end)
            parts = tuple(self.read(s, e, depth + 1) for s, e in spans if self.count < MAX_PARTS)
            content_type = content_type if parts else "text/plain"
        elif content_type == "message/rfc822" and depth < MAX_DEPTH:
            parts = (self.read(body, end, depth + 1),)
        elif content_type in OPAQUE and depth < MAX_DEPTH and self.signatures < MAX_SIGNATURES:
            parts = self._signed(headers, body, end, depth)
        elif "/" not in content_type:
            content_type = "text/plain"
        return Part(self.raw, headers, start, body, end, content_type, parameters, parts)

    def _signed(self, headers: Headers, start: int, end: int, depth: int) -> tuple[Part, ...]:
        """The part inside an opaque signature; empty if the content is encrypted."""
        encoding = headers.get("content-transfer-encoding", [""])[0].strip().lower()
        content = signed_content(decode_transfer(self.raw[start:end], encoding))
        if content is None:
            return ()
        inside = _Reader(content, self.signatures + 1)
        inside.count = self.count
        part = inside.read(0, len(content), depth + 1)
        self.count = inside.count
        return (part,)

    def _headers(self, start: int, end: int) -> tuple[Headers, int]:
        """The header fields from `start` on, and where the body begins (also when no blank line marks it)."""
        headers: Headers = {}
        position, count = start, 0
        while found := _FIELD.match(self.raw, position, end):
            position = found.end()
            count += 1
            if count > MAX_FIELDS:
                continue
            name, value = found.groups()
            text = value[:MAX_VALUE].decode("latin-1")
            if "\n" in text:
                text = text.replace("\r", "").replace("\n", "")
            headers.setdefault(name.decode("ascii").lower(), []).append(text.strip())
        blank = _BLANK_LINE.match(self.raw, position, end)
        return headers, blank.end() if blank else position

    def _spans(self, boundary: str, start: int, end: int) -> list[tuple[int, int]]:
        """Where the parts of a multipart lie (RFC 2046 §5.1.1); the last may lack its closing line."""
        if not boundary:
            return []
        raw, delimiter = self.raw, b"--" + boundary.encode("latin-1", "replace")
        spans: list[tuple[int, int]] = []
        opened = -1
        position = raw.find(delimiter, start, end)
        while position >= 0:
            line_end = raw.find(b"\n", position, end)
            line_end = end if line_end < 0 else line_end
            tail = raw[position + len(delimiter) : line_end].strip()
            if (position == start or raw[position - 1 : position] == b"\n") and tail in (b"", b"--"):
                if opened >= 0:
                    spans.append((opened, self._before_line_end(position, opened)))
                opened = min(line_end + 1, end)
                if tail or len(spans) >= MAX_PARTS:
                    return spans
            position = raw.find(delimiter, line_end, end)
        if opened >= 0:
            spans.append((opened, end))
        return spans

    def _before_line_end(self, position: int, floor: int) -> int:
        """The place before the line end that belongs to a boundary line."""
        if position - 1 >= floor and self.raw[position - 1 : position] == b"\n":
            position -= 1
            if position - 1 >= floor and self.raw[position - 1 : position] == b"\r":
                position -= 1
        return position
