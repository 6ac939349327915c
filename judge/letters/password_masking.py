"""Letters are kept for appeals, passwords are not: `****` replaces them in the bytes of the letter itself.

Each part is decoded, masked and encoded again as it was, wherever the password is (base64, HTML, a forwarded letter, an
opaque signature, an attached file, the text around the parts, quotes, the subject); a letter without passwords comes
back byte for byte. In case of doubt more is masked, not less.
"""

import binascii
import re
from collections.abc import Iterator
from email.header import Header
from functools import cache

from judge.letters.headers import words
from judge.letters.mime import Part
from judge.letters.smime import OPAQUE, unsigned
from judge.letters.text import decode_as

MASK = "****"

_FIELD = re.compile(rb"^[!-9;-~]+[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE)
# Text with two bytes per letter inside a file, as Outlook writes it in winmail.dat.
_TWO_BYTE_TEXT = re.compile(rb"(?:[\x20-\x7e\t\r\n]\x00){12,}")


def _miswritten(word: str, beside: str) -> str:
    """A pattern for a word with one typing error: one letter missing, added or replaced, or two letters swapped.

    `beside`: letters that may replace the first letter or precede it: its neighbours on keyboards.
    """
    slips = {word[:at] + word[at + 1 :] for at in range(len(word))}
    slips |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    for at in range(len(word) + 1):
        other = r"\w" if at else f"[{beside}]"
        slips |= {f"{word[:at]}{other}{word[at + 1 :]}", f"{word[:at]}{other}{word[at:]}"}
    return "|".join(sorted(slips - {word}))


# SIGNON with a typing error; and those of its forms that are real words with which a sentence may begin.
_SLIPS = _miswritten("signon", "adewxz")
_WORDS = r"sinon|signor|signora|signos|signo|signons"


def _password_lines(gap: str, word: str) -> re.Pattern[str]:
    """A pattern for the places of passwords, in a text whose blanks match `gap` and whose words match `word`.

    After SIGNON <game> and SET PASSWORD the rest of the line is masked, wherever on the line they are, SIGNON even
    inside a word. Words that normal prose uses too count at the beginning of a line: after OBSERVE <game> the rest is
    masked, after CREATE <game> one word (then comes the variant), unless SIGNON or PASSWORD follows: "Hello signon
    Fheron …". A SIGNON with a typing error counts there too; if the result is a real word (French "sinon"), only if it
    is in capitals, or if only a name and one more word follow.
    """
    phrase = rf"{word}(?:{gap}+{word})*"
    open_words = rf"(?:observe|sign{gap}+on|log{gap}*in|monitor|take{gap}*over)"
    next_words = r"(?:create|join|hello|watch|resign|withdraw)"
    password = r"(?:password|passwd|pw)"
    follows = rf"(?:signon{gap}|(?:set{gap}+)?{password}(?:{gap}|[:=]))"
    slip = rf"(?:sign-?[io]n[:,.]?|(?!(?:{_WORDS})\b)(?:{_SLIPS})|(?-i:SINON|SIGNOR|SIGNO))"
    return re.compile(
        # A quick first test: few places in a text begin like any of these.
        rf"(?=[acdeghijlmoprstwxz])(?:"
        rf"signon[:,.]?{gap}+{word}{gap}+(?P<anywhere>{phrase})"
        rf"|(?<![^\W_])(?:"
        rf"(?:set{gap}+(?:{password}|p)|{password})(?:{gap}*[:=]{gap}*|{gap}+)(?P<new>{phrase})"
        rf"|{open_words}{gap}+{word}{gap}+(?P<begin_all>{phrase})"
        rf"|{next_words}{gap}+(?!{follows}){word}{gap}+(?!{follows})(?P<begin_one>{word})"
        rf"|{slip}{gap}+{word}{gap}+(?P<begin_slip>{phrase})"
        rf"|signon[?\w]+{gap}+(?P<begin_glued>{phrase})"
        rf"|(?:{_WORDS}){gap}+(?-i:[A-Z?]){word}{gap}+(?P<begin_word>{word})(?={gap}*(?:[\r\n<]|\Z))"
        rf"))",
        re.IGNORECASE,
    )


_PLAIN = _password_lines(r"[^\S\r\n]", r"\S+")
# format=flowed: a line that ends in a blank continues in the next.
_FLOWED = _password_lines(r"(?:[^\S\r\n]|(?<=[ ])\r?\n[> ]*(?=\S))", r"\S+")
_HTML = _password_lines(
    r"(?:\s|&nbsp;|&\#160;|&\#xa0;|</?(?:a|b|code|em|font|i|ins|o:p|small|span|strong|tt|u)\b[^<>]*>)",
    r"(?:(?!&nbsp;|&\#160;|&\#xa0;)[^\s<>])+",
)
# How mail programs mark the subject of an answer or a forwarded letter, in the languages they speak.
_ANSWERED = r"(?:re|fwd?|aw|wg|sv|vs|vl|vb|tr|ref|rv|res|enc|rif|r|i|antw|doorst|odp|pd|ynt|ilt)(?:\[\d+\])?[ \t]*:"
# What may come before the first word of a line: such marks, quote marks, bold marks, in HTML a tag.
_LINE_BEGINS = re.compile(rf"(?:^|[\r\n>])(?:[\s>|*]|&nbsp;|&\#160;|{_ANSWERED})*\Z", re.IGNORECASE)


def mask_passwords(raw: bytes, root: Part) -> bytes:
    """The letter whose parts are those of `root`, with every password on a SIGNON, CREATE, OBSERVE, SET PASSWORD … line
    replaced. Never raises.
    """
    pieces: list[bytes] = []
    position = 0
    for start, end, masked in _replacements(root):
        pieces += [raw[position:start], masked]
        position = end
    return b"".join([*pieces, raw[position:]]) if pieces else raw


def without_passwords(text: str) -> str:
    """Lines of a letter, or its subject, as a mail or a table may repeat them: each password replaced by ****."""
    return _mask(text, _PLAIN)


def _replacements(part: Part) -> Iterator[tuple[int, int, bytes]]:
    """(start, end, new bytes) for every place that must change, in the order of the letter."""
    yield from _masked_fields(part)
    if part.parts and part.content_type in OPAQUE:
        yield from _masked_signed(part, part.parts[0])
        return
    between = part.start
    for child in part.parts:
        yield from _masked_bytes(part.raw, between, child.head)
        yield from _replacements(child)
        between = child.end
    if part.parts:
        yield from _masked_bytes(part.raw, between, part.end)
    elif part.content_type.startswith(("text/", "multipart/", "message/")):
        yield from _replaced(part, _masked_body(part))
    else:
        yield from _replaced(part, _masked_file(part))


def _replaced(part: Part, body: bytes | None) -> Iterator[tuple[int, int, bytes]]:
    """The new body, if it must change. A body that claims to be base64 may be plain text, so it is searched as that
    too.
    """
    if body is not None:
        yield part.start, part.end, body
    elif part.encoding == "base64":
        yield from _masked_bytes(part.raw, part.start, part.end)


def _masked_signed(part: Part, inside: Part) -> Iterator[tuple[int, int, bytes]]:
    """The content of an opaque signature; if it had to be changed, it is written without a signature."""
    masked = mask_passwords(inside.raw, inside)
    if masked != inside.raw:
        yield part.start, part.end, _encode_transfer(unsigned(masked), part.encoding)


def _masked_bytes(raw: bytes, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
    """The text before, between and after the parts of a multipart."""
    text = raw[start:end].decode("latin-1")
    masked = _mask(text, _PLAIN)
    if masked != text:
        yield start, end, masked.encode("latin-1")


def _masked_file(part: Part) -> bytes | None:
    """A file of any kind, as far as its bytes hold readable text; None if there is no password in it."""
    payload = part.payload
    text = payload.decode("latin-1")
    masked = _mask(text, _PLAIN).encode("latin-1")
    if b"\0" in masked:
        masked = _TWO_BYTE_TEXT.sub(_masked_two_byte_text, masked)
    return _encode_transfer(masked, part.encoding) if masked != payload else None


def _masked_two_byte_text(found: re.Match[bytes]) -> bytes:
    return _mask(found[0].decode("utf-16-le"), _PLAIN).encode("utf-16-le")


def _masked_fields(part: Part) -> Iterator[tuple[int, int, bytes]]:
    """Header fields in which the sender wrote a sign-on: Subject, and what mail programs copy from it."""
    for field in _FIELD.finditer(part.raw, part.head, part.start):
        value = field[1]
        if len(value) < 10 or not (b"=?" in value or _PLAIN.search(value.decode("latin-1"))):
            continue
        text = words(value.decode("latin-1"))
        masked = _mask(text, _PLAIN)
        if masked != text:
            yield field.start(1), field.end(1), b" " + _written(masked) + (b"\r" if value.endswith(b"\r") else b"")


def _written(text: str) -> bytes:
    return text.encode() if text.isascii() else Header(text, "utf-8", maxlinelen=0).encode().encode()


def _masked_body(part: Part) -> bytes | None:
    """The body with its passwords masked, encoded as it was; None if it holds no passwords."""
    text, codec = decode_as(part.payload, part.parameters.get("charset", ""))
    if part.content_type == "text/html":
        pattern = _HTML
    elif part.parameters.get("format", "").lower() == "flowed":
        pattern = _FLOWED
    else:
        pattern = _PLAIN
    masked = _mask(text, pattern)
    body = masked.encode(codec, "replace") if masked != text else part.payload
    if not _holds_ascii(codec):
        # A body that claims to be UTF-16 may still be plain text to other readers.
        body = _mask(body.decode("latin-1"), pattern).encode("latin-1")
    return _encode_transfer(body, part.encoding) if body != part.payload else None


@cache
def _holds_ascii(codec: str) -> bool:
    """Whether ASCII text has the same bytes in this codec."""
    return "signon".encode(codec) == b"signon"


def _mask(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(_masked_line, text)


def _masked_line(found: re.Match[str]) -> str:
    group = found.lastgroup or "anywhere"
    if group.startswith("begin") and not _LINE_BEGINS.search(found.string[max(0, found.start() - 40) : found.start()]):
        return found[0]
    return found.string[found.start() : found.start(group)] + MASK


def _encode_transfer(body: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        lines = [binascii.b2a_base64(body[i : i + 57], newline=False) for i in range(0, len(body), 57)]
        return b"\r\n".join([*lines, b""])
    if encoding == "quoted-printable":
        return binascii.b2a_qp(body)
    return body
