"""Lines on which a password stands, in texts as people write them, as HTML and as format=flowed: **** in its place.

What a reader sees counts, not how it is written: a sign-on in wide letters, with invisible characters in it or with
tags between its letters is a sign-on. In doubt more is masked, not less.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from judge.letters.html import html_to_lines, with_characters
from judge.letters.text import places_seen, seen

MASK = "****"
# The signs of bold letters, of code and of quotes, as phones write them too.
_QUOTES = "*_`\u1fef\"'“”„‟«»‘’‚"
# Where a line ends for people and for Python: at ends of lines, at tags, at signs that few programs write.
_LINE_ENDS = "\r\n>\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def _miswritten(word: str, beside: str) -> str:
    """A pattern for a word with one typing error: one letter missing, added or replaced, or two letters swapped.

    `beside`: letters that may replace the first letter or precede it: its neighbours on keyboards. Slips that begin
    alike stand together, so that most words differ from all of them at once.
    """
    slips = {word[:at] + word[at + 1 :] for at in range(len(word))}
    slips |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    for at in range(len(word) + 1):
        other = r"\w" if at else f"[{beside}]"
        slips |= {f"{word[:at]}{other}{word[at + 1 :]}", f"{word[:at]}{other}{word[at:]}"}
    by_first = {first: [slip[len(first) :] for slip in sorted(slips - {word}) if slip.startswith(first)]
                for first in (f"[{beside}]", word[1], word[0])}  # fmt: skip
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in by_first.items())


# SIGNON with a typing error; and those of its forms that are real words with which a sentence may begin.
_SLIPS = _miswritten("signon", "adewxz")
_WORDS = r"sinon|signor|signora|signos|signo|signons"

# What may stand alone below a sign-on, so it is no password.
_COMMANDS = r"(?:(?:no)?wait|clear|sign ?off|status|list|summary|history|map|help|whogame|predict|process|press)"


class _Kind(NamedTuple):
    """A kind of text: where passwords begin in it, and the next word on the same line."""

    lines: re.Pattern[str]
    next_word: re.Pattern[str]


def _kind(gap: str, word: str, within: str) -> _Kind:
    """A text with `gap` between its words and with the words `word`; `within`: a gap that can be no end of a line."""
    return _Kind(lines=_password_lines(gap, word, within), next_word=re.compile(gap + word))


def _password_lines(gap: str, word: str, within: str) -> re.Pattern[str]:
    """A pattern for the places of passwords, in a text with `gap` between its words and with the words `word`; words
    that prose uses too have `within` behind them.

    After SIGNON <game> and SET PASSWORD the rest of the line is masked, wherever on the line they are, SIGNON even
    inside a word. Words that normal prose uses too count at the beginning of a line: after OBSERVE <game> the rest is
    masked, after CREATE <game> one word (then comes the variant), unless SIGNON or PASSWORD follows: "Hello signon
    Fheron …". A SIGNON with a typing error counts there too; if the result is a real word (French "sinon"), only if it
    is in capitals, or if only a name and one more word follow. If a line ends after SIGNON <game>, a single word on the
    next line counts that is no command.
    """
    # What a reader passes over behind a word: the end of bold letters or quotes, and any marks between.
    closing = rf"[{_QUOTES}]{{0,3}}[,.!:;…‐−–—-]{{0,4}}[{_QUOTES}]{{0,3}}"
    open_words = rf"(?:observe|sign{gap}on|log(?:{gap})?[io]n|monitor|take(?:{gap})?over)"
    next_words = rf"(?:create(?:{gap}game)?|join|hello|watch|resign|withdraw)"
    password = r"(?:password|passwd|pw)"
    # SET PASSWORD with errors, and in German; not the command that does without one.
    new_slip = rf"set(?:{gap})?(?!password(?:{gap})?less\b)pass?(?:w\w{{1,9}})?"
    # In sign-ons of other judges these stand in capitals, or before a game with ? or @, and in sentences they do not.
    others = rf"(?:(?-i:HELLO|JOIN|RESIGN|WITHDRAW)|(?:hello|join|resign|withdraw)(?={gap}[^\s?@]*[?@]))"
    follows = rf"(?:(?:signon|login){closing}{gap}|(?:set{gap})?{password}(?:{gap}|[:=]))"
    slip = rf"(?:sign-?[io]n[:,.]?|(?!(?:{_WORDS})\b)(?:{_SLIPS})|(?-i:SINON|SIGNOR|SIGNO))"
    return re.compile(
        # Quick first tests: few places in a text begin like any of these, and most of those like few of them.
        rf"(?=[acdeghijlmoprstwxz])(?:"
        rf"(?=s)(?:signon{closing}{gap}[?@\w]+[,:;/|=](?P<stuck_all>{word})"
        rf"|signon{closing}{gap}{word}{gap}(?P<anywhere_all>{word})"
        rf"|signon{closing}{gap}{word}[^\S\r\n]*\r?\n[> ]{{0,9}}"
        rf"(?!{_COMMANDS}\b)(?P<below_one>{word})(?=[^\S\r\n]*(?:[\r\n]|\Z)))"
        rf"|(?<![^\W_])(?:"
        rf"(?=[ps])(?:set{gap}(?:{password}|p)|{password}){closing}(?:(?:{gap})?[:=](?:{gap})?|{gap})"
        rf"(?P<new_all>{word})"
        rf"|(?=s){new_slip}{closing}(?:(?:{gap})?[:=](?:{gap})?|{gap})(?P<begin_new_all>{word})"
        rf"|(?=s)set{gap}(?:[^,\r\n]{{1,40}},){{1,8}}(?:{gap})?p{closing}{gap}(?P<begin_listed_all>{word})"
        rf"|(?=[clmost])(?:{open_words}|create){closing}{gap}[?@\w]+[,:;/|=](?P<begin_stuck_all>{word})"
        rf"|(?<=[,.!:;] )login{closing}{gap}{word}{gap}(?P<greeted_all>{word})"
        rf"|(?=[lmost]){open_words}{closing}{gap}{word}{gap}(?P<begin_all>{word})"
        rf"|(?=[chjrw]){next_words}{closing}{within}\?{gap}(?P<begin_asked_all>{word})"
        rf"|(?=[hjrw]){others}{closing}{within}(?!{follows})(?:\?{gap})?{word}{within}(?!{follows})"
        rf"(?P<begin_other_all>{word})"
        rf"|(?=[chjrw]){next_words}{closing}{within}(?!{follows}){word}{within}(?!{follows})(?P<begin_one>{word})"
        rf"|(?=[adeiswxz]){slip}{closing}{gap}{word}{gap}(?P<begin_slip_all>{word})"
        rf"|(?=s)(?<!\?)signon_*(?:[^\W_]++|\?)+_*{gap}(?P<begin_glued_all>{word})"
        rf"|(?=s)(?:{_WORDS}){gap}(?-i:[A-Z?]){word}{gap}(?P<begin_word>{word})(?=(?:{gap})?(?:[\r\n\x1c<]|\Z))"
        rf"))",
        re.IGNORECASE,
    )


# Blanks that nothing takes for the end of a line.
_WITHIN = r"[^\S\r\n\x0b\x0c\x1d\x1e\x85\u2028\u2029]+"
_PLAIN = _kind(r"[^\S\r\n]+", r"\S+", _WITHIN)
# A line that ends in a blank continues in the next.
_GOES_ON = r"(?:(?<=[ ])\r?\n[> ]*+(?=\S))?"
_FLOWED = _kind(rf"[^\S\r\n]+{_GOES_ON}", r"\S+", _WITHIN + _GOES_ON)
_HTML = _kind(r"\s+", r"[^\s<>]+", r"\s+")
# What stands between words in HTML as blanks do, and what is read in place of a tag: a kind of blank.
_TAG = re.compile(
    r"&nbsp;|&\#160;|&\#xa0;|</?(?:a|b|code|em|font|i|ins|o:p|small|span|strong|tt|u)\b[^<>]*>", re.IGNORECASE
)
_READ_TAG = "\x1c"
# How mail programs mark the subject of an answer or a forwarded letter, in the languages they speak.
_ANSWERED = r"(?:re|fwd?|aw|wg|sv|vs|vl|vb|tr|ref|rv|res|enc|rif|r|i|antw|doorst|odp|pd|ynt|ilt)(?:\[\d+\])?[ \t]*:"
# What may come before the first word of a line: such marks, quote marks, bold marks, bullets, any other sign, in HTML a
# tag.
_BULLETS = r"[-*_`\"'ー]|[^\w\s\x00-\x7f]|\d{1,2} |\(?\d{1,2}[.):]{1,2}|\(?[a-z]\)|\[[ x]?\]|o(?=\s)"
_BEFORE_WORDS = re.compile(rf"(?:[\s>|]|{_BULLETS}|&nbsp;|&\#160;|{_ANSWERED})*", re.IGNORECASE)


def mask_plain(text: str) -> str:
    """The text with a mask for each password."""
    return _mask(text, _PLAIN)


def mask_flowed(text: str) -> str:
    """The same for format=flowed."""
    return _mask(text, _FLOWED)


def mask_html(source: str) -> str:
    """The same for HTML; where a password shows only to those who read the page, the page becomes its bare text.

    The source tells places as far as words and the commonest tags go; whatever else can stand between or within words
    (cells, lines, comments, tags and letters with names of their own) is left to the one reader of pages. The page also
    becomes its bare text where it signs on out of sight: in a link, a title, a comment.
    """
    masked = _replaced(source, _html_places(source))
    shown = _shown(masked)
    if mask_plain(shown) == shown and _sign_ons(unquote(with_characters(masked))) == _sign_ons(shown):
        return masked
    # Of the source: a mask may have swallowed the end of a tag.
    return f"<pre>{html.escape(mask_plain(_shown(source)))}</pre>"


def _shown(source: str) -> str:
    return "\n".join(html_to_lines(source))


def _sign_ons(text: str) -> int:
    return text.lower().count("signon")


def without_those_of(line: str, text: str) -> str:
    """`text`, which may quote pieces of `line`, without the passwords in them."""
    return '"'.join(mask_plain(piece) if piece in line else piece for piece in text.split('"'))


def starred(text: str) -> str:
    """The plain text with a star in place of each sign of its passwords."""
    pieces: list[str] = []
    kept = 0
    for start, end in _places(text, _PLAIN):
        pieces += [text[kept:start], "*" * (end - start)]
        kept = end
    return "".join([*pieces, text[kept:]]) if pieces else text


def _mask(text: str, kind: _Kind) -> str:
    return _replaced(text, _places(text, kind))


def _replaced(text: str, places: Iterable[tuple[int, int]]) -> str:
    pieces: list[str] = []
    kept = 0
    for start, end in places:
        pieces += [text[kept:start], MASK]
        kept = end
    return "".join([*pieces, text[kept:]]) if pieces else text


def _html_places(source: str) -> Iterator[tuple[int, int]]:
    """Where passwords begin and end in HTML, which is read with one blank for each tag inside a line."""
    shown = _TAG.sub(lambda found: " " if found[0][0] == "&" else _READ_TAG, source)
    # Behind each tag, by how much the source is ahead of what is shown.
    ends, ahead = [0], [0]
    for tag in _TAG.finditer(source):
        ahead.append(ahead[-1] + len(tag[0]) - len(_READ_TAG))
        ends.append(tag.end() - ahead[-1])

    def in_source(place: int) -> int:
        return place + ahead[bisect_right(ends, place) - 1]

    return ((in_source(start), in_source(end)) for start, end in _places(shown, _HTML))


def _places(text: str, kind: _Kind) -> Iterator[tuple[int, int]]:
    """Where passwords begin and end that are not masked yet."""
    shown, at = seen(text), 0
    places: Sequence[int] = ()
    while found := kind.lines.search(shown, at):
        group = found.lastgroup or ""
        if group.startswith("begin") and not _begins_line(shown, found.start()):
            # What stands there may hold another: "join us, signon Fheron …".
            at = found.start() + 1
            continue
        start, end = found.span(group)
        if group.endswith("all"):
            end = _end_of_line(kind, shown, end)
        at = end
        if shown[start:end] != MASK:
            places = places or places_seen(text)  # most texts hold no password
            yield places[start], places[end]


def _end_of_line(kind: _Kind, text: str, start: int) -> int:
    """Where the last word on the line ends whose words up to `start` are known."""
    while found := kind.next_word.match(text, start):
        start = found.end()
    return start


def _begins_line(text: str, place: int) -> bool:
    before = text[max(0, place - 40) : place]
    line = max(map(before.rfind, _LINE_ENDS)) + 1
    return _BEFORE_WORDS.fullmatch(before, line) is not None
