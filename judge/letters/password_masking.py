"""Letters are kept for appeal, passwords are not: `****` in their place, in the bytes of the letter itself.

Each part is decoded, masked and encoded again as it was, wherever it hides (base64, HTML, a forwarded letter, an opaque
signature, an attached file, what stands around the parts, quotes, the subject); a letter without passwords comes back
byte for byte. In doubt more is masked, not less.
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
# Text of two bytes a letter inside a file, as Outlook keeps it in winmail.dat.
_TWO_BYTE_TEXT = re.compile(rb"(?:[\x20-\x7e\t\r\n]\x00){12,}")


def _miswritten(word: str, beside: str) -> str:
    """A pattern for what becomes of a word by one slip: a letter too few, too many, another one, or two changed about.

    `beside`: what may stand in the place of the first letter, or before it: its neighbours on keyboards.
    """
    slips = {word[:at] + word[at + 1 :] for at in range(len(word))}
    slips |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    for at in range(len(word) + 1):
        other = r"\w" if at else f"[{beside}]"
        slips |= {f"{word[:at]}{other}{word[at + 1 :]}", f"{word[:at]}{other}{word[at:]}"}
    return "|".join(sorted(slips - {word}))


# SIGNON with a slip; of those that are words of a language a sentence may begin with.
_SLIPS = _miswritten("signon", "adewxz")
_WORDS = r"sinon|signor|signora|signos|signo|signons"


def _password_lines(gap: str, word: str) -> re.Pattern[str]:
    """Where passwords stand, in a text whose blanks are `gap` and whose words are `word`.

    SIGNON <game> and SET PASSWORD: all that follows, wherever on a line they stand, SIGNON even inside of a word. Words
    that prose uses too count at the beginning of a line: after OBSERVE <game> all goes, after CREATE <game> one word
    (then comes the variant), unless SIGNON or PASSWORD follows: "Hello signon Fheron …".
    A SIGNON with a slip counts there too; where that is a word (French "sinon") only if it is in capitals, or all that
    follows are a name and one word more.
    """
    phrase = rf"{word}(?:{gap}+{word})*"
    open_words = rf"(?:observe|sign{gap}+on|log{gap}*in|monitor|take{gap}*over)"
    next_words = r"(?:create|join|hello|watch|resign|withdraw)"
    password = r"(?:password|passwd|pw)"
    follows = rf"(?:signon{gap}|(?:set{gap}+)?{password}(?:{gap}|[:=]))"
    slip = rf"(?:sign-?[io]n[:,.]?|(?!(?:{_WORDS})\b)(?:{_SLIPS})|(?-i:SINON|SIGNOR|SIGNO))"
    return re.compile(
        # Few places of a text begin like any of these.
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
    """The new body, where there is one; of what says that it is base64, and may be plain text, that too."""
    if body is not None:
        yield part.start, part.end, body
    elif part.encoding == "base64":
        yield from _masked_bytes(part.raw, part.start, part.end)


def _masked_signed(part: Part, inside: Part) -> Iterator[tuple[int, int, bytes]]:
    """What an opaque signature holds; when it has changed, nobody has signed it."""
    masked = mask_passwords(inside.raw, inside)
    if masked != inside.raw:
        yield part.start, part.end, _encode_transfer(unsigned(masked), part.encoding)


def _masked_bytes(raw: bytes, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
    """What stands before, between and behind the parts of a multipart."""
    text = raw[start:end].decode("latin-1")
    masked = _mask(text, _PLAIN)
    if masked != text:
        yield start, end, masked.encode("latin-1")


def _masked_file(part: Part) -> bytes | None:
    """A file of any kind, as far as it holds text that can be seen without opening it; None if no password does."""
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
    """The body with its passwords masked, encoded as it was; None if there are none in it."""
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
        # What calls itself UTF-16 may be plain text all the same, for other eyes than ours.
        body = _mask(body.decode("latin-1"), pattern).encode("latin-1")
    return _encode_transfer(body, part.encoding) if body != part.payload else None


@cache
def _holds_ascii(codec: str) -> bool:
    """Whether ASCII text is the same bytes in this codec."""
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
