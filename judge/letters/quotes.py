"""The writer's own text in a letter, in contrast to text that a mail program repeated from an older email.

Each line has its kind (`kinds`). Three uses need more:

- Orders are read from text. A line may belong to an older email though nothing marks it. It may be the wrapped end of a
quoted line (kind "rest"). It may also follow a line that only the judge writes (`doubtful`). The reader of orders, who
knows the position, decides.

- Press is sent whole or not at all. It is all text before its end word, such as ENDPRESS. Without an end word it is the
text, if only the email that it answers follows (`carried`). An email from the judge is never passed on, since most are
for one reader only (`of_judge`).

- Without a password, only text that is certainly the writer's own is used (`own_text`, `own_message`).
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress, dropwhile, islice
from typing import Literal

from judge.letters.mail_programs import (
    LONGEST,
    Texts,
    above_block,
    bare_heading,
    heading,
    is_boilerplate,
    is_link,
    last_said,
    may_open_block,
    opens_block,
)
from judge.letters.text import fold

Kind = Literal["text", "quote", "rest", "signature", "history", "struck"]
# The kinds of some lines, in order.
Kinds = list[Kind]

# The maximum number of lines in a signature after "--". Some programs strip blanks at line ends and turn "-- " into
# "--". But people also write "--" to separate parts of a text.
LONGEST_STRIPPED_SIGNATURE = 8
# The maximum distance between a heading and the beginning of its quote, in lines.
_NEXT = 10
# Quote marks that are valid only after a heading: initials in The Bat! ("J> "), and S-nail's bar.
_OTHER_MARK = re.compile(r"\s{0,2}(\w{1,3}>|\|)")
# Possible quote marks without a heading. They put a line of press, or of a letter without a password, in doubt.
_ANY_MARK = re.compile(r"\s{0,20}(?:[>|»›]|\w{1,3}>)")
# Cheap first test: only lines that match may be headings.
_CUE = re.compile(r"\s*(?:[-_*=]{2}|\*{0,2}[^\W\d_][^:\n]{0,20}:|\[?Original )|.*(?::\s*$|:\s+\S|@|\d:\d\d)")
_ARMOUR = "-----BEGIN PGP SIGNATURE-----"
_ARMOUR_ENDS = "-----END PGP SIGNATURE-----"
# The minimum length of a quoted line that a mail program may have wrapped.
_FULL_LINE = 60
# The end of a quoted line that breaks off within an order.
_WITHIN_ORDER = re.compile(r"(?:SUPPORT|CONVOY|\bArmy|\bFleet|->?|\bto)\s{0,9}$", re.IGNORECASE)
# The end of a line within a sentence: a punctuation mark, or a word of a common language.
_BREAKS_OFF = re.compile(
    r"(?:[,:(&/+-]|\b(?:and|or|but|nor|then|also|with|without|to|for|of|the|an?|in|on|at|by|from|as|that|than|via|into"
    r"|over|if|when|while|because|where|which|who|my|your|our|his|her|their|its|is|are|was|were|will|would|shall|should"
    r"|can|could|may|must|not|so|i|you|he|she|we|they|f|s|c|supports?|moves?|army|fleet"
    r"|und|oder|aber|mit|zu|für|von|vom|zum|der|die|das|den|dem|des|eine?[mnrs]?|auf|aus|bei|nach|dass|wenn|ist|ich"
    r"|et|ou|mais|avec|à|pour|de|du|les?|la|une?|dans|sur|par|que|qui|y|o|e|pero|con|para|el|los|las|en|por"
    r"|ed|ma|per|di|da|il|lo|gli|su|che|em|com|do|dos|das|na|no|um|uma|het|een|van|voor|met|op|dat|och|eller|men|med"
    r"|till|för|av|att|og|til|på|som))\s{0,9}$",
    re.IGNORECASE,
)
_SHORTEST_BROKEN = 40
# Lines that only the judge writes: headings, forms, and sentences about recorded orders and passwords.
_OF_JUDGE = re.compile(
    r"::\s{0,9}(?:Judge|Deadline)\s{0,9}:"
    r"|SIGN ?ON \S{1,60} <your"
    r"|\bTo (?:order|change your orders), write to \S"
    r"|\b(?:will HOLD|will be disbanded)\)"
    r"|:\s{1,9}(?:Army|Fleet) [^.:]{1,60}, no order\b"
    r"|\bYour password is \S{1,60}: keep this e?mail"
    r"|\b(?:Movement|Retreat|Adjustment) orders for \S{1,20} (?:of|in) \d{4}"
    r"|\bDP: \d{1,4} of \d{1,4} used"
    r"|\bTime (?:to the deadline|left): \d"
    r"|\bOrders complete\.\s{0,9}$|\b\d{1,3} units? without orders: ",
    re.IGNORECASE,
)
# The beginning of an order as the judge words it: "France: Army Paris -> Burgundy."
_TOLD_ORDER = re.compile(r"\s{0,9}[^\s:][^:]{0,40}:\s{1,30}(?:Army|Fleet)\b")
# The beginning of an order as the judge words it, with or without the name of the power.
_JUDGE_WORDED = re.compile(
    r"\s{0,9}(?:[^\s:][^:]{0,40}:\s{1,30})?(?:(?:Army|Fleet)\b|(?:Builds|Removes|Names) \w|Build waived)"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a letter.

    `text` is normalized for matching. `written` is the author's line, if it differs from `text`. `doubtful` is true if
    the line may belong to a quoted email of the judge that began above the line. It is also true if the line may be the
    rest of a quoted line that breaks off.
    """

    text: str
    kind: Kind = "text"
    written: str = ""
    doubtful: bool = False

    @property
    def verbatim(self) -> str:
        """Return the line as its author wrote it, for press."""
        return self.written or self.text

    @property
    def is_sure(self) -> bool:
        """Return whether the writer of the letter certainly wrote the line, and did not strike it out."""
        return self.kind == "text" and not self.doubtful


@dataclass(frozen=True)
class OwnText:
    """The lines that are certainly the sender's own, and the texts of lines that may be quoted."""

    lines: tuple[Line, ...]
    doubtful: tuple[str, ...]


def kinds(lines: Texts, ends: Sequence[int] = ()) -> Kinds:
    """Return the kind of each line, in order.

    Lines with `> ` are quotes wherever they are. A line such as "On Monday … wrote:" begins the history if unquoted
    text follows. If quoted lines follow, only the heading itself is history, so orders after a quote are read too.

    `ends` has the lines that end a message of the writer. An older email or a signature inside the message ends there
    too.
    """
    stops = [*ends, len(lines)]
    # A longer line is cut. Such a line is not a heading, but may begin with one. An ASCII line keeps the blank at the
    # end of "-- ".
    shown = [line if line.isascii() else fold(line[: LONGEST + 1]) for line in lines]
    result = [_kind_alone(line) for line in shown]
    marks = _mark_histories(shown, result, stops) - {None, ">"}
    if marks:
        for number, line in enumerate(shown):
            found = _OTHER_MARK.match(line)
            if found and found[1] in marks and result[number] == "text":
                result[number] = "quote"
    _mark_rests(shown, result)
    _mark_armour(shown, result)
    _mark_signatures(shown, result, stops)
    return result


def _kind_alone(line: str) -> Kind:
    """Return the kind of a line by itself, without regard to the lines around it."""
    if line.lstrip()[:1] == ">":
        return "quote"
    return "signature" if is_boilerplate(line) else "text"


def _mark_histories(lines: Texts, result: Kinds, stops: Sequence[int]) -> set[str | None]:
    """Mark older emails and headings of quotes as history.

    Return the quote marks of these quotes, with None for a quote without a quote mark.
    """
    marks = set()
    cues = [number for number, line in enumerate(lines) if result[number] == "text" and _CUE.match(line[:LONGEST])]
    # Look for headings with a colon first, since the verb of such a heading may be on the next line.
    for find in (_with_colon, _without_colon):
        for number in cues:
            if result[number] != "text":
                continue
            begin, mark = find(lines, number)
            if begin is not None:
                closes = stops[bisect_right(stops, number)] if mark is None else number + 1
                result[begin:closes] = ["history"] * (closes - begin)
                marks.add(mark)
    return marks


def _with_colon(lines: Texts, number: int) -> tuple[int | None, str | None]:
    """Return the first line of the heading that ends in line `number`, or None, and the mark of its quote."""
    mark = _quote_mark(lines, number)
    begin = heading(lines, number, mark is not None)
    if begin is None and opens_block(lines, number):
        return above_block(lines, number), None
    return begin, mark


def _without_colon(lines: Texts, number: int) -> tuple[int | None, str | None]:
    return bare_heading(lines, number), _quote_mark(lines, number)


def _texts(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines]


def ended_at(lines: Sequence[Line], ends: Sequence[int]) -> list[Line]:
    """Return the lines, now that a message is known to end at the lines `ends`. Later lines get new kinds."""
    sorts = kinds([line.verbatim for line in lines], ends)
    doubts = doubtful(_texts(lines), sorts)
    again = [*lines]
    for number in range(ends[0], len(lines)):
        line, kind = lines[number], sorts[number]
        if line.kind in ("history", "signature"):
            again[number] = replace(line, kind=kind, doubtful=doubts[number])
    return again


def doubtful(lines: Texts, sorts: Kinds) -> list[bool]:
    """Return for each line whether it is doubtful.

    A doubtful line may belong to an email of the judge, or be the rest of a broken quoted line.
    """
    begin = _repeated_from(lines, sorts)
    found: list[bool] = []
    for number, kind in enumerate(sorts):
        is_broken = number > 0 and (_breaks_off(lines[number - 1]) or sorts[number - 1] == "rest" and found[-1])
        found.append(kind == "text" and number >= begin or kind == "rest" and is_broken)
    return found


def _breaks_off(line: str) -> bool:
    return _BREAKS_OFF.search(line[-20:]) is not None


def _repeated_from(lines: Texts, sorts: Kinds) -> int:
    """Return the index of the first line that may repeat an email of the judge, or the number of lines."""
    for number, line in enumerate(lines):
        if sorts[number] == "text" and (may_open_block(lines, number) or _OF_JUDGE.search(line)):
            return _orders_above(lines, number)
    return len(lines)


def is_judge_worded(line: str) -> bool:
    """Return whether an order is worded as in the judge's own emails."""
    return _JUDGE_WORDED.match(line) is not None


def unquoted(line: Line) -> str:
    """Return the text of a line, without quote marks if the line is quoted."""
    text = line.text.lstrip("> ")
    if line.kind == "quote" and (other := _OTHER_MARK.match(text)):
        text = text[other.end() :].lstrip("> ")
    return text


def is_told_end(line: str) -> bool:
    """Return whether the line reads like an order in the judge's form, or the end of such an order."""
    return "->" in line or line.rstrip().endswith(".") or is_judge_worded(line)


def repeats_judge(lines: Sequence[Line]) -> bool:
    """Return whether the letter repeats an email of the judge so that it looks like the sender's own text."""
    return any(
        line.kind == "text" and not quoted and _OF_JUDGE.search(line.text)
        for line, quoted in zip(lines, _maybe_quoted(lines), strict=True)
    )


def holds_judge(lines: Sequence[Line]) -> bool:
    """Return whether one of the lines is a line that only the judge writes."""
    return any(_OF_JUDGE.search(line.text) or _TOLD_ORDER.match(line.text.lstrip("> ")) for line in lines)


def own_text(lines: Sequence[Line]) -> OwnText:
    """Return the text before an unmarked older email, without the wrapped ends of quoted lines."""
    texts, others = _texts(lines), _maybe_quoted(lines)
    end = next((number for number in range(len(lines)) if may_open_block(texts, number)), len(lines))
    # A wrapped line may be the last of its quote, so no quoted line has to follow.
    for begin, close in [*_wrapped_ends(texts, others, closed=False), (end, len(lines))]:
        others[begin:close] = [True] * (close - begin)
    pairs = list(zip(lines, others, strict=True))
    doubtful = (line.text for line, other in pairs if other and line.kind in ("text", "rest"))
    return OwnText(tuple(line for line, other in pairs if not other), tuple(doubtful))


def own_message(lines: Sequence[Line]) -> list[str]:
    """Return the lines that are certainly the sender's own message, beginning with the first line that is not blank."""
    end = next((at for at, line in enumerate(lines) if line.kind in ("signature", "history")), len(lines))
    own = set(map(id, own_text(lines).lines))
    there = (line for line in lines[:end] if line.kind != "struck")
    sure = [line if id(line) in own else replace(line, kind="quote") for line in there]
    quoted = _maybe_quoted(sure)
    above = range(_older_mail(sure, quoted, within=True))
    said = [sure[at].verbatim.rstrip() for at in above if not quoted[at]]
    return [*dropwhile(lambda line: not line, said)]


def carried(lines: Sequence[Line], *, ended: bool) -> tuple[tuple[str, ...], tuple[Line, ...]]:
    """Return the text of a message, and the lines after it that are not its writer's. Struck-out text is left out.

    `ended` is true if the message had an end word. No mail program writes an end word, so all text before it was meant
    to be sent, whoever wrote it.
    """
    lines = [line for line in lines if line.kind != "struck"]
    end = len(lines) if ended else _older_mail(lines, _maybe_quoted(lines), within=False)
    return tuple(line.verbatim.rstrip() for line in lines[:end]), tuple(lines[end:])


def of_judge(texts: Iterable[str]) -> str:
    """Return the first line that only the judge writes, or "" if there is none."""
    return next((text for text in texts if _OF_JUDGE.search(text)), "")


def _quote_mark(lines: Texts, number: int) -> str | None:
    """Return the mark of the quoted line that follows line `number`, or None if no quoted line follows."""
    following = next((line for line in lines[number + 1 : number + _NEXT] if line.strip()), "")
    if following.lstrip()[:1] == ">":
        return ">"
    other = _OTHER_MARK.match(following)
    return other[1] if other else None


def _mark_rests(lines: Texts, result: Kinds) -> None:
    """Mark each line that continues a quoted line wrapped by a mail program.

    Such a line follows a long quoted line, and a quoted line follows it. If the quoted line before it breaks off, no
    quoted line has to follow. If the quoted line certainly continues, the rest is a quote. For example, an order in
    the judge's form continues until a full stop.
    """
    for begin, end in _wrapped_ends(lines, [kind == "quote" for kind in result], closed=True):
        if set(result[begin:end]) != {"text"}:
            continue
        result[begin:end] = ["rest"] * (end - begin)
        above = lines[begin - 1]
        if result[end : end + 1] == ["quote"] and _WITHIN_ORDER.search(above[-20:]):
            result[begin] = "quote"
        is_open = _TOLD_ORDER.match(above.lstrip("> ")) and not above.rstrip().endswith((".", ")"))
        if is_open and is_told_end(lines[begin]):
            result[begin] = "quote"


def _wrapped_ends(lines: Texts, quoted: Sequence[bool], *, closed: bool) -> list[tuple[int, int]]:
    """Return where the wrapped ends of quoted lines may be, as (begin, end). A line may be wrapped several times.

    A quoted line may have been wrapped if it is long. It may also have been wrapped if it breaks off where the next
    word did not fit in. If `closed` is true, return only ends before a quoted line, or after a line that breaks off.
    """
    found = []
    width = max(map(len, compress(lines, quoted)), default=0)

    def is_broken(number: int) -> bool:
        line = lines[number]
        if len(line) < _SHORTEST_BROKEN or not _breaks_off(line):
            return False
        first = "".join(lines[number + 1 : number + 2]).split(maxsplit=1)[:1]
        return len(line) + 1 + len("".join(first)) > width

    for number in compress(range(len(lines)), quoted):
        end = number + 1
        while end < len(lines) and not quoted[end] and lines[end].strip():
            if len(lines[end - 1]) < _FULL_LINE and not is_broken(end - 1):
                break
            end += 1
        is_closed = any(quoted[end : end + 1])
        if is_closed or not closed or is_broken(number):
            found.append((number + 1, end))
    return found


def _mark_signatures(lines: Texts, result: Kinds, stops: Sequence[int]) -> None:
    """Mark the text from "-- " on (RFC 3676 §4.3), or from "--" if few lines follow, as a signature."""
    for number, line in enumerate(lines):
        if line.rstrip() != "--" or result[number] != "text":
            continue
        end = stops[bisect_right(stops, number)]
        written = (at for at in range(number + 1, end) if result[at] == "text" and lines[at].strip())
        is_long = next(islice(written, LONGEST_STRIPPED_SIGNATURE, None), None) is not None
        if line == "-- " or not is_long:
            result[number:end] = ["signature" if kind == "text" else kind for kind in result[number:end]]


def _mark_armour(lines: Texts, result: Kinds) -> None:
    """Mark signatures of OpenPGP, and a web address after a vendor's advertisement."""
    is_armour = False
    for number, line in enumerate(lines):
        if line.startswith(_ARMOUR):
            is_armour = True
        is_vendors = number > 0 and result[number - 1] == "signature" and is_link(line)
        if result[number] == "text" and (is_armour or is_vendors):
            result[number] = "signature"
        if line.startswith(_ARMOUR_ENDS):
            is_armour = False


def has_quote_mark(line: Line) -> bool:
    """Return whether a line begins with a character that mail programs put before quoted lines."""
    return _ANY_MARK.match(line.text) is not None


def _maybe_quoted(lines: Sequence[Line]) -> list[bool]:
    """Return for each line whether it may be quoted.

    Such a line has some quote mark, or may be the wrapped end of a quoted line.
    """
    quoted = [line.kind in ("quote", "rest") or has_quote_mark(line) for line in lines]
    for begin, end in _wrapped_ends(_texts(lines), quoted, closed=True):
        quoted[begin:end] = [True] * (end - begin)
    return quoted


def _older_mail(lines: Sequence[Line], quoted: Sequence[bool], *, within: bool) -> int:
    """Return the index of the first line of an older email, with its heading, or the number of all lines.

    If `within` is true, a quote without a heading is part of the text, and does not end it.
    """
    texts = _texts(lines)
    sorts = kinds(texts)
    for number, line in enumerate(lines):
        if "history" in (line.kind, sorts[number]):
            return number
        if quoted[number]:
            if number and quoted[number - 1]:
                continue
            begin = _attribution(texts, number)
            if begin < number or not within:
                return begin
        elif may_open_block(texts, number):
            return above_block(texts, number)
        elif _OF_JUDGE.search(texts[number]):
            return _mail_of_judge(texts, number)
    return len(lines)


def _mail_of_judge(texts: Texts, number: int) -> int:
    """Return the first line of the judge's email around line `number`: a heading, or its first sentence."""
    first = _paragraph(texts, number)
    if "::" in texts[number] and (verdict := last_said(texts, first)) >= 0:
        first = _paragraph(texts, verdict)
    return _attribution(texts, _orders_above(texts, first))


def _attribution(texts: Texts, below: int) -> int:
    """Return the first line of the "… wrote:" above line `below`, or `below` if there is none.

    Such an attribution ends with a colon.
    """
    last = last_said(texts, below)
    if last < 0 or not texts[last].rstrip().endswith((":", "：")):
        return below
    head = heading(texts, last, above_quote=True)
    return last if head is None else head


def _orders_above(texts: Texts, number: int) -> int:
    """Return the first line of the paragraph above if all its lines are orders in the judge's form, else `number`."""
    above = last_said(texts, number)
    first = _paragraph(texts, above)
    if above >= 0 and all(map(_TOLD_ORDER.match, texts[first : above + 1])):
        return first
    return number


def _paragraph(texts: Texts, number: int) -> int:
    """Return the first line of the paragraph that line `number` is in."""
    while number > 0 and texts[number - 1].strip():
        number -= 1
    return number
