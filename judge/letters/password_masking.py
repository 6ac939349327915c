"""Letters are kept for appeal, passwords are not: `****` in their place, in the bytes of the letter itself.

Each text part is decoded, masked and encoded again as it was, wherever it hides (base64, HTML, a forwarded letter,
quotes, the subject); a letter without passwords comes back byte for byte. In doubt more is masked, not less.
"""

import binascii
import re
from collections.abc import Iterator
from email.header import Header

from judge.letters.headers import words
from judge.letters.mime import Part
from judge.letters.text import decode_as

MASK = "****"

_FIELD = re.compile(rb"^[!-9;-~]+[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE)


def _password_lines(gap: str, word: str) -> re.Pattern[str]:
    """Where passwords stand, in a text whose blanks are `gap` and whose words are `word`.

    SIGNON <game> and SET PASSWORD: all that follows, wherever on a line they stand. Words that prose uses too count
    at the beginning of a line: after OBSERVE <game> all goes, after CREATE <game> one word (then comes the variant),
    unless SIGNON or PASSWORD follows: "Hello signon Fheron …".
    """
    phrase = rf"{word}(?:{gap}+{word})*"
    open_words = rf"(?:observe|sign{gap}+on|log{gap}*in|monitor|take{gap}*over)"
    next_words = r"(?:create|join|hello|watch|resign|withdraw)"
    password = r"(?:password|passwd|pw)"
    follows = rf"(?:signon{gap}|(?:set{gap}+)?{password}(?:{gap}|[:=]))"
    return re.compile(
        rf"(?<![^\W_])(?:"
        rf"signon{gap}+{word}{gap}+(?P<anywhere>{phrase})"
        rf"|(?:set{gap}+(?:{password}|p)|{password})(?:{gap}*[:=]{gap}*|{gap}+)(?P<new>{phrase})"
        rf"|{open_words}{gap}+{word}{gap}+(?P<begin_all>{phrase})"
        rf"|{next_words}{gap}+(?!{follows}){word}{gap}+(?!{follows})(?P<begin_one>{word})"
        rf")",
        re.IGNORECASE,
    )


_PLAIN = _password_lines(r"[^\S\r\n]", r"\S+")
# format=flowed: a line that ends in a blank goes on in the next.
_FLOWED = _password_lines(r"(?:[^\S\r\n]|(?<=[ ])\r?\n[> ]*(?=\S))", r"\S+")
_HTML = _password_lines(
    r"(?:\s|&nbsp;|&\#160;|&\#xa0;|</?(?:a|b|code|em|font|i|ins|o:p|small|span|strong|tt|u)\b[^<>]*>)",
    r"(?:(?!&nbsp;|&\#160;|&\#xa0;)[^\s<>])+",
)
# How mail programs mark the subject of an answer or a forwarded letter, in the languages they speak.
_ANSWERED = r"(?:re|fwd?|aw|wg|sv|vs|vl|vb|tr|ref|rv|res|enc|rif|r|i|antw|doorst|odp|pd|ynt|ilt)(?:\[\d+\])?[ \t]*:"
# What may stand before the first word of a line: such marks, quote marks, bold marks, in HTML a tag.
_LINE_BEGINS = re.compile(rf"(?:^|[\r\n>])(?:[\s>|*]|&nbsp;|&\#160;|{_ANSWERED})*\Z", re.IGNORECASE)


def mask_passwords(raw: bytes, root: Part) -> bytes:
    """The letter, its parts those of `root`, with every password on a SIGNON, CREATE, OBSERVE, SET PASSWORD … line
    replaced. Never raises.
    """
    pieces: list[bytes] = []
    position = 0
    for start, end, masked in _replacements(root):
        pieces += [raw[position:start], masked]
        position = end
    return b"".join([*pieces, raw[position:]]) if pieces else raw


def without_passwords(text: str) -> str:
    """Lines of a letter, or its subject, as a mail or a table may repeat them: in the place of a password ****."""
    return _mask(text, _PLAIN)


def _replacements(part: Part) -> Iterator[tuple[int, int, bytes]]:
    """(start, end, new bytes) for all that must change, in the order of the letter."""
    yield from _masked_fields(part)
    for child in part.parts:
        yield from _replacements(child)
    if not part.parts and part.content_type.startswith(("text/", "multipart/", "message/")):
        body = _masked_body(part)
        if body is not None:
            yield part.start, part.end, body


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
    """The body with its passwords masked, encoded as it was; None if there are none in it."""
    text, codec = decode_as(part.payload, part.parameters.get("charset", ""))
    if part.content_type == "text/html":
        pattern = _HTML
    elif part.parameters.get("format", "").lower() == "flowed":
        pattern = _FLOWED
    else:
        pattern = _PLAIN
    masked = _mask(text, pattern)
    if masked == text:
        return None
    return _encode_transfer(masked.encode(codec, "replace"), part.encoding)


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
