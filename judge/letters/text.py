"""Decode bytes of any charset, and normalize text as people paste it so that it can be matched.

Nothing here raises an error. With a wrong charset, a letter has some wrong characters, but is never lost.
"""

import codecs
import re
import unicodedata
from contextlib import suppress
from functools import cache
from os.path import commonprefix

# Charsets that are mislabeled in emails. Windows-1252 has long been sent as Latin-1, and browsers read it so. Eight-bit
# text that claims to be ASCII is mostly UTF-8.
_REALLY = {"iso8859-1": "cp1252", "ascii": "utf-8"}
# Codecs that are not charsets of emails. Some take quadratic time on hostile input.
_NOT_CHARSETS = {"punycode", "idna", "undefined", "unicode-escape", "raw-unicode-escape"}

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_ARROWS = "\u2192\u21a6\u21d2\u21e2\u21e8\u2794\u2799\u279c\u279d\u279e\u27a1\u27a4\u27f6\u27f9\U0001f852"
_BLANKS = "\t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u02bc\xb4"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\xab\xbb\u300c\u300d\u300e\u300f\u301d\u301e\u301f"
_ELLIPSIS = "\u2026"
_INVISIBLE = "\xad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufe0e\ufe0f\ufeff"
_DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_CONTROLS = [*range(0x09), *range(0x0A, 0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0xFFFE, 0xFFFF]

_FOLD: dict[int, str | None] = {
    **{ord(sign): "-" for sign in _DASHES + _ARROWS},
    **{ord(sign): " " for sign in _BLANKS},
    **{ord(sign): "'" for sign in _SINGLE_QUOTES},
    **{ord(sign): '"' for sign in _DOUBLE_QUOTES},
    ord(_ELLIPSIS): "...",
    **{wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)},
    **{ord(sign): None for sign in _INVISIBLE + _DIRECTIONS},
    **dict.fromkeys(_CONTROLS),
}
_CLEAN: dict[int, str | None] = dict.fromkeys([*_CONTROLS, *map(ord, _DIRECTIONS + "\ufeff")])


# Characters that some keyboards offer for a dash: letters of Japanese, Korean and Chinese, and box-drawing lines. Next
# to a character outside ASCII, they are not dashes.
_LIKE_DASHES = "\u30fc\uff70\u30a0\u3161\u4e00\u2500\u2501\u2574\u2576"
_LIKE_DASH = re.compile(rf"(?<![^\x00-\x7f])[{_LIKE_DASHES}]+(?![^\x00-\x7f])")
# The maximum number of combining marks per letter (UAX #15, Stream-Safe Text). Sorting them takes quadratic time.
_MOST_MARKS = 30


def _codec(charset: str) -> str:
    """Return the Python codec for a declared charset, or "" if it is unknown or not a charset of emails."""
    try:
        name = codecs.lookup(charset.strip().strip("'\"")).name
    except (LookupError, ValueError):
        return ""
    if name in _NOT_CHARSETS:
        return ""
    return _REALLY.get(name, name)


def decode(data: bytes, charset: str = "") -> str:
    """Decode bytes by the declared charset, else as UTF-8, else as Windows-1252, else as Latin-1.

    The result can be encoded again. Bytes that are valid UTF-8 beyond ASCII are taken for UTF-8 even under a
    single-byte label. Such a label fits all bytes, and real text in a single-byte charset is hardly ever valid UTF-8.
    """
    tried = [codec for codec in (_codec(charset), "utf-8", "cp1252") if codec]
    with suppress(LookupError, ValueError):
        # A charset with one byte per character fits all bytes, so UTF-8 is tried before it.
        if not data.isascii() and len(data.decode(tried[0], "replace")) == len(data):
            tried.insert(0, "utf-8")
    for codec in tried:
        with suppress(LookupError, ValueError):
            # UTF-7 and similar codecs let lone surrogates pass.
            return data.decode(codec).encode("utf-8", "replace").decode("utf-8")
    return data.decode("latin-1")


def fold(line: str) -> str:
    """Normalize a line for matching: plain dashes, quotes and blanks, nothing invisible, NFC, no blanks at the end."""
    if line.isascii() and line.isprintable():
        return line.rstrip()
    return _composed(_LIKE_DASH.sub("-", line.translate(_FOLD))).rstrip()


def clean(line: str) -> str:
    """Clean a line for passing on: without controls, NUL, changes of text direction, blanks at the end."""
    if line.isascii() and line.isprintable():
        return line.rstrip()
    return _composed(line.expandtabs(8).translate(_CLEAN)).rstrip()


def _composed(line: str) -> str:
    """Normalize to NFC, and drop surplus combining marks from a letter that has too many."""
    return unicodedata.normalize("NFC", _heaped_marks().sub(r"\1", line))


@cache
def _heaped_marks() -> re.Pattern[str]:
    marks = "".join(chr(code) for code in range(0x300, 0x1F000) if unicodedata.combining(chr(code)))
    return re.compile(f"([{marks}]{{{_MOST_MARKS}}})[{marks}]+")


def is_miswritten(said: str, word: str, most: int = 2) -> bool:
    """Return whether `said` is `word` with at most `most` typing errors.

    An error is a letter missing, added or replaced, or two letters swapped (optimal string alignment).
    """
    if abs(len(said) - len(word)) > most:
        return False
    same = len(commonprefix([said, word]))
    one, other = said[same:], word[same:]
    if not (one and other):
        return True
    swapped = one[:2] == other[1::-1] and is_miswritten(one[2:], other[2:], most - 1)
    rests = ((one[1:], other[1:]), (one[1:], other), (one, other[1:]))
    return swapped or any(is_miswritten(*rest, most - 1) for rest in rests)
