"""Struck-out text, which is read as if it were not there.

In plain text, it is between ~~tildes~~ or has a stroke over each letter (U+0336). In HTML it is in <s> or the like, or
in a style with line-through. A line struck out as a whole keeps its tildes, since the reply quotes the line to its
writer.

Mail programs also send the text without HTML, where the strikes are lost. `struck_as` restores them from the HTML. The
HTML's struck text may be missing in the plain text. Then all lines that the HTML does not have are taken as struck.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import compress, groupby
from operator import itemgetter
from os.path import commonprefix

from judge.letters.quotes import kinds

_MARK = "~~"
# Struck-out words. The ~~ touch the words, as in Markdown. Struck text may continue in the next line, but not in the
# next paragraph.
_STRUCK = re.compile(r"(?<!~)(~~(?![\s~])[^~]*+(?<!\s)~~)(?!~)")
_PARTED = re.compile(r"\n[\s>]")
_STROKES = "\u0335\u0336"
_OVERLAID = re.compile(rf"(?:[^\n{_STROKES}][{_STROKES}])+")
# The number of an item of a list. The plain text has such numbers, but the HTML does not.
_LIST_NUMBER = re.compile(r"[\s>*-]{0,20}\d{1,3}[.)]\s")

_TAGS = frozenset({"s", "strike", "del"})
# If these elements are not closed, they also strike the text after the element around them, up to a table cell.
_GOING_ON = frozenset({"s", "strike"})
_OF_TABLE = frozenset({"td", "th", "tr", "tbody", "thead", "tfoot", "table"})
_NEVER_CLOSED = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_LINE_THROUGH = re.compile(r"text-decoration[a-z-]{0,20}\s{0,9}:[^;:\"'>}]{0,80}line-through", re.IGNORECASE)
_NO_LINE = re.compile(r"text-decoration(?:-line)?\s{0,9}:\s{0,9}none", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:class|id)\s{0,9}=\s{0,9}(?:\"([^\"]*)|'([^']*)|([^\s\"'>]*))", re.IGNORECASE)
# A selector in a style sheet: .old, p.old, #old, or the name of an element.
_SELECTED = re.compile(r"[.#]([\w-]+)|(?<!\S)([a-z]\w*)(?!\S)", re.IGNORECASE)
_MAY_STRIKE = re.compile(r"<(?:s|strike|del)[\s>]|line-through", re.IGNORECASE)


def may_strike(page: str) -> bool:
    """Return whether text may be struck out in this HTML, by a quick first test."""
    return _MAY_STRIKE.search(page) is not None


class Strikes:
    """Tracks the open elements of an HTML letter, to know whether the text at the current place is struck out."""

    def __init__(self) -> None:
        self._open: list[tuple[str, bool]] = []
        self._names: Counter[str] = Counter()
        self._striking = 0
        # The names of classes and elements whose text is struck out.
        self._names_struck: set[str] = set()

    def __bool__(self) -> bool:
        return self._striking > 0

    def learn(self, sheet: str) -> None:
        """Note the names whose text a style sheet strikes out."""
        for rule in sheet.split("}"):
            selectors, _, style = rule.rpartition("{")
            if _LINE_THROUGH.search(style):
                meant = [selector.split()[-1] for selector in selectors.split(",") if selector.strip()]
                self._names_struck.update(*_SELECTED.findall(" ".join(meant)))

    def begin(self, tag: str, attributes: str, *, is_block: bool) -> None:
        """Note that an element begins. A block ends an open paragraph, and a cell, row or item ends the one before."""
        if tag in _NEVER_CLOSED:
            return
        if is_block:
            self.end("p")
        if self._open and self._open[-1][0] == tag and tag in {"li", *_OF_TABLE}:
            self.end(tag)
        self._add(tag, self._strikes(tag, attributes))

    def end(self, tag: str) -> None:
        """Note that an element ends, and all elements open in it."""
        if not self._names[tag]:
            return
        goes_on, name = False, ""
        while name != tag:
            name, strikes = self._open.pop()
            self._names[name] -= 1
            self._striking -= strikes
            goes_on = goes_on or strikes and name != tag and name in _GOING_ON
        if goes_on and tag not in _OF_TABLE:
            self._add("s", True)

    def _add(self, tag: str, strikes: bool) -> None:
        self._open.append((tag, strikes))
        self._names[tag] += 1
        self._striking += strikes

    def _strikes(self, tag: str, attributes: str) -> bool:
        if _LINE_THROUGH.search(attributes):
            return True
        if self._names_struck:
            named = " ".join("".join(names) for names in _NAMED.findall(attributes))
            if not self._names_struck.isdisjoint([tag, *named.split()]):
                return True
        return tag in _TAGS and not _NO_LINE.search(attributes)


def marked(pieces: Iterable[tuple[bool, str]]) -> str:
    """Join pieces of (is struck out, text), with ~~ around struck text."""
    parts = []
    for is_struck, group in groupby(pieces, itemgetter(0)):
        text = "".join(piece for _, piece in group)
        words = text.strip()
        struck = f"{_MARK}{words.replace('~', '')}{_MARK}"
        parts.append(text.replace(words, struck, 1) if is_struck and words else text)
    return "".join(parts)


def without_struck(lines: Sequence[str]) -> tuple[list[str], dict[int, str]]:
    """Return the lines without struck-out text, and the changed lines by number, in which this text is between ~~."""
    text = "\n".join(lines)
    if _MARK not in text and not any(map(text.count, _STROKES)):
        return list(lines), {}
    text = _OVERLAID.sub(lambda found: marked([(True, found[0][::2])]), text)
    each = _STRUCK.sub(_line_by_line, text).split("\n")
    left = [_left(line) if _MARK in line else line for line in each]
    return left, {number: line for number, line in enumerate(each) if line != left[number]}


def _line_by_line(found: re.Match[str]) -> str:
    between = "\n" if _PARTED.search(found[0]) else f"{_MARK}\n{_MARK}"
    return found[0].replace("\n", between)


def _left(line: str) -> str:
    """Return the text of the line that is not struck out. Two blanks around struck words become one."""
    first, *others = _STRUCK.split(line)[::2]
    parts = [first]
    for part in others:
        goes_on = parts[-1][-1:].strip()
        parts.append(part if goes_on else part.lstrip(" "))
    left = "".join(parts)
    # Drop punctuation around struck words, except quote marks, since a remaining "--" would begin a signature.
    is_said = any(map(str.isalpha, left)) or left.lstrip().startswith(">")
    return left if is_said or not others else ""


def struck_as(lines: Sequence[str], page: Sequence[str]) -> list[str]:
    """Return the lines with ~~ around the text that is struck out in `page`, the same letter as HTML."""
    text = _Letters(lines)
    shown, flags = zip(*map(_flagged, page), strict=True) if page else ((), ())
    other = _Letters(shown)
    target = _places(text, other)
    struck = {*compress(target, (flags[row][column] for row, column in other.places))}
    if None in struck:
        known = set(target)
        struck.update(place for span in text.spans.values() if not known.issuperset(span) for place in span)
    columns: dict[int, set[int]] = defaultdict(set)
    for place in struck - {None}:
        number, column = text.places[place or 0]
        columns[number].add(column)
    return [_struck_at(line, columns[number]) for number, line in enumerate(lines)]


class _Letters:
    """The letters and digits of the writer's own lines in a row, with the place of each on its line."""

    def __init__(self, lines: Sequence[str]):
        self.places: list[tuple[int, int]] = []
        self.spans: dict[int, range] = {}
        own = (number for number, kind in enumerate(kinds(lines)) if kind == "text")
        for number in own:
            begin = len(self.places)
            listed = _LIST_NUMBER.match(lines[number])
            first = listed.end() if listed else 0
            signs = enumerate(lines[number][first:], first)
            self.places += [(number, column) for column, sign in signs if sign.isalnum()]
            self.spans[number] = range(begin, len(self.places))
        self.text = "".join(lines[number][column] for number, column in self.places)

    def ends(self) -> set[int]:
        """Return the number of letters before the end of each line, and also 0."""
        return {0, *(span.stop for span in self.spans.values())}

    def lengths(self) -> set[int]:
        """Return the number of letters from each line's beginning to the end of the last line, and also 0."""
        return {0, *(len(self.text) - span.start for span in self.spans.values())}

    def lines(self) -> dict[str, list[range]]:
        """Return {the letters of a line: the spans of all lines with these letters}."""
        found: dict[str, list[range]] = defaultdict(list)
        for span in self.spans.values():
            found[self.text[span.start : span.stop]].append(span)
        return found


def _places(text: _Letters, other: _Letters) -> list[int | None]:
    """Return for each letter of `other` the matching place in `text`, or None.

    Where the texts differ, a line is found by its letters, if both have it the same number of times.
    """
    head = len(commonprefix([text.text, other.text]))
    tail = len(commonprefix([text.text[head:][::-1], other.text[head:][::-1]]))
    # Of the beginning and the end that both texts share, keep only whole lines.
    head = max(end for end in text.ends() & other.ends() if end <= head)
    tail = max(length for length in text.lengths() & other.lengths() if length <= tail)
    target: list[int | None] = [None] * len(other.text)
    own = text.lines()
    for letters, spans in other.lines().items():
        if len(spans) == len(own[letters]):
            for span, same in zip(spans, own[letters], strict=True):
                target[span.start : span.stop] = same
    target[:head] = range(head)
    target[len(target) - tail :] = range(len(text.text) - tail, len(text.text))
    return target


def _flagged(row: str) -> tuple[str, list[bool]]:
    """Return the line without ~~, and for each character whether it is struck out."""
    pieces = [piece.strip("~") if number % 2 else piece for number, piece in enumerate(_STRUCK.split(row))]
    return "".join(pieces), [bool(number % 2) for number, piece in enumerate(pieces) for _ in piece]


def _struck_at(line: str, columns: set[int]) -> str:
    """Return the line with ~~ around the words that have letters in `columns`, unless the line has ~~ already."""
    if not columns or _STRUCK.search(line):
        return line
    first, last = min(columns), max(columns)
    letters = [column for column in range(first, last + 1) if line[column].isalnum()]
    pieces: list[tuple[bool, str]] = [(False, line[:first])]
    end = first
    for is_struck, group in groupby(letters, columns.__contains__):
        several = list(group)
        begin, end_before = several[0], end
        pieces.append((False, line[end_before:begin]))
        end = several[-1] + 1
        pieces.append((is_struck, line[begin:end]))
    return marked([*pieces, (False, line[end:])])
