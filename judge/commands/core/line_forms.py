"""The forms in which people write commands, and the end of a message's text.

A command may be in bold, after a bullet or a greeting, and a sign-on may have orders after it.

The ends of messages are found before commands are read, because inside a message nothing is a command. A message ends
with ENDPRESS or ENDBROADCAST, with or without punctuation around the word. A line that is nearly an end word is also
accepted. Without an end word, the message ends at SIGNOFF, a signature, a sign-on, or the end of the email. Then
`MessageEnd.ended` is False, so that the caller can examine the text.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from judge.commands.core.command import Call
from judge.letters import Line
from judge.letters.signon_lines import signon_line
from judge.letters.text import fold as fold_line
from judge.letters.text import is_miswritten
from judge.letters.words import WORDS_OF_GREETINGS
from judge.letters.written_passwords import AROUND, MARKS
from judge.rules.board.names import fold
from judge.rules.parsing.decoration import without_bullets
from judge.rules.parsing.vocabulary import BUILD, KIND_WORDS, ORDER_WORDS, REMOVE, TO, WAIVE

_FENCE = "```"
_SHORTEST_RULE = 3
# Words that people write between the parts of a sign-on.
BETWEEN = {"in", "game", "as", "for", "to", "with", "and", "my", "is", "power", "password", "passwd", "pw"}
# Characters that people write between the parts of a sign-on: "F heron / hush", "Fheron | hush".
_PARTING = "/|=-–:,;"
# Characters that may be between a greeting and the sign-on after it.
_PAUSE = ",.!:;-"
_GREETINGS = frozenset(map(str.upper, WORDS_OF_GREETINGS))
_MOST_GREETING = 40
_SIGNON = re.compile(r"(?<![^\s*_`\"])SIGNON(?=[\s*_`\"])", re.IGNORECASE | re.ASCII)
# The beginning of a sign-on in other words than SIGNON, up to the power. Quoted text (after ">") does not match.
_IN_OTHER_WORDS = re.compile(r"[^>]{0,60}?(?<!\w)(?:sign|log)(?:ing)?[-_ ]?(?:on|in)\W{0,9}", re.IGNORECASE)
_OPENS = ("SIGNON", "LOGIN", "LOGON")
# Words for signing on and joining that also begin sentences.
_OPENS_TOO = ("CREATE", "OBSERVE", "WATCH", "MONITOR", "JOIN", "HELLO", "TAKEOVER", "RESIGN", "WITHDRAW")
# The maximum number of words in a sign-on, such as SIGNON Great Britain heron hush, with one word to spare.
_MOST_WORDS = 6
# The maximum number of words in a power and a game together, such as GREAT BRITAIN HERON.
_MOST_NAMED = 4
# A sign-on may have its power, game and password on the next line. That line has at most this many words.
_ALONE, _MOST_BELOW = {"SIGNON", "LOGIN", "LOGON"}, 5
# Words that may be between a sign-on and the orders on the same line.
_LINKS = {"AND", "WITH", "ORDERS", "MY", "THEN"}


def forms(line: str) -> Iterator[str]:
    """Yield the line as written, without bullets and punctuation around it, and without punctuation around each word.

    The last form also lacks punctuation between the words of a sign-on. A single word in such punctuation may be an
    item of a list, or emphasized prose. Further forms of such a word are yielded only if it is in capitals.
    """
    yield line
    rest = without_bullets(line).lstrip(MARKS)
    before = line[: len(line) - len(rest)]
    around, behind = (len(text) - len(text.rstrip(MARKS)) for text in (before, rest))
    rest = rest[: len(rest) - min(around, behind)]
    for form in dict.fromkeys((rest, _bare(rest))):
        word, _, more = form.partition(" ")
        is_marked = line[:1] in MARKS or form[:1].isupper() or word.upper() in _OPENS
        if form != line and (word.isupper() or more and is_marked):
            yield form


def _bare(line: str) -> str:
    """Return the line without punctuation around each word, and without signs between the words of a sign-on."""
    first, *others = [word.strip(MARKS) for word in line.split(" ")]
    # Read "SIGNON: Fheron hush" as SIGNON without the colon.
    first = first.rstrip(_PAUSE) if first.rstrip(_PAUSE).upper() in _OPENS else first
    if first.upper() in _OPENS:
        others = [word for word in others if word.strip(_PARTING)]
    elif first.upper() in _OPENS_TOO:
        others[1:] = [word for word in others[1:] if word.strip(_PARTING)]
    return " ".join(filter(None, (first, *others)))


def is_ornament(line: str) -> bool:
    """Return whether the line only separates or frames other lines, as a row of punctuation does.

    A single dash is not an ornament, because a table may have one.
    """
    if line.startswith(_FENCE):
        return " " not in line
    return not any(map(str.isalnum, line)) and (len(line) >= _SHORTEST_RULE or not set("->") & set(line))


def is_greeting(line: str) -> bool:
    """Return whether a short line begins like a greeting or like thanks."""
    words = line.split()
    return 0 < len(words) <= _MOST_WORDS and fold(words[0].strip(_PAUSE + MARKS)) in _GREETINGS


def without_greeting(line: str) -> str:
    """Return the sign-on after a greeting, as in "Hello judge, SIGNON Fheron hush". Any other line is unchanged."""
    found = _SIGNON.search(line, 0, _MOST_GREETING + len("SIGNON "))
    greeting = line[: found.start()].rstrip(MARKS + " ") if found else ""
    words = [fold(word.strip(_PAUSE + MARKS)) for word in greeting.split()]
    greets = bool(words) and words[0] in _GREETINGS
    if found and greets and (greeting[-1] in _PAUSE or all(word in _GREETINGS for word in words)):
        return line[found.start() :]
    return line


def as_signon(line: str, games: Collection[str]) -> str:
    """Return a sign-on in other words, such as "Log on to Fheron hush", as SIGNON and the rest.

    Any other line is returned unchanged. Words that prose also uses are a sign-on only if one of the existing `games`
    follows them. The passwords on such lines are masked by the same rule.
    """
    found, folded = signon_line(line), fold_line(line)
    if not (found and found.is_whole and _IN_OTHER_WORDS.fullmatch(folded, 0, found.start)):
        return line
    is_named = found.names(games)
    if not (found.certain or is_named):
        return line
    text = line if len(line) == len(folded) else folded
    whole = f"SIGNON {text[found.start :]}"
    if not is_named or run_on(whole):
        return whole
    *words, last = whole.split()
    said = [word for word in words if word.strip(AROUND + _PARTING).lower() not in BETWEEN | {""}]
    return " ".join([*said, last]) if len(said) <= _MOST_NAMED else whole


def run_on(line: str) -> tuple[str, str] | None:
    """Return a sign-on and the orders on its line, as in ("SIGNON Fheron hush", "A MAR H"), or None."""
    words = line.split(" ", _MOST_WORDS + 1)
    if words[0].upper() not in _OPENS:
        return None
    places = range(2, len(words))
    units = (at for at in places if begins_with_unit(words[at:]))
    others = (at for at in places[1:] if begins_with_move(words[at:]))
    end = at = next(chain(units, others), 0)
    if not at:
        return None
    while end > 3 and (fold(words[end - 1].strip(_PAUSE)) in _LINKS or not without_bullets(words[end - 1])):
        end -= 1
    return " ".join(words[:end]), " ".join(words[at:])


def begins_with_unit(words: Sequence[str]) -> bool:
    """Return whether the words begin like "A PAR - BUR" or "BUILD A PAR".

    The last of the `words` may be the whole rest of a line.
    """
    words = " ".join(words).split(" ", 5)
    first, second, *others = [*(fold(word.strip(MARKS + ",;")) for word in words), ""]
    if first in BUILD | REMOVE | WAIVE | ORDER_WORDS and len(first) > 1:
        return second in KIND_WORDS
    if first not in KIND_WORDS or len(second) < 2 or second in KIND_WORDS:
        return False
    return "-" in words[1] or any(map(_follows_unit, others[:-1]))


def _follows_unit(word: str) -> bool:
    return word in ORDER_WORDS | TO or not word.lstrip(AROUND)[:1].isalnum()


def begins_with_move(words: list[str]) -> bool:
    """Return whether the words begin like "PAR - BUR"."""
    return len(words) > 1 and words[0].isalpha() and words[1][:1] == "-" and len(words[0]) > 1


def whole_signon(lines: Sequence[Line], number: int) -> str:
    """Return SIGNON with the power, game and password on the next line, or "" if they are not there."""
    pair = lines[number : number + 2]
    if (
        "G" not in pair[0].text.upper()
        or bare_word(pair[0].text) not in _ALONE
        or [line.kind for line in pair] != ["text", "text"]
    ):
        return ""
    words = pair[1].text.split()
    is_meant = 0 < len(words) <= _MOST_BELOW and (words[-2:-1] in (["/"], ["|"]) or not begins_with_unit(words))
    return f"SIGNON {' '.join(words)}" if is_meant else ""


# ENDPRESS in bold, or after a bullet, a number or a quote mark. A comment or other words may follow it.
_END_WORD = re.compile(
    r"[\W_]*+(?:(?:\d{1,2}[.)]|[a-z]\))[\W_]*+)?END[\s_-]{0,3}(?:PRESS|BROADCAST)(?![^\W_])"
    r"(?:[^\w/#(\[{-]|_){0,9}(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
# Characters that begin a comment, which is the rest of the line.
_COMMENT = re.compile(r"//|#|--|[(\[{]")
_LETTERS = re.compile(r"[^\W\d_]+")
_END_WORDS = ("ENDPRESS", "ENDBROADCAST")
# Lines that people write in place of ENDPRESS.
_PHRASES = frozenset(
    f"{first} {second}"
    for first, second in [
        *(("END OF", what) for what in ("PRESS", "BROADCAST", "MESSAGE", "MSG", "LETTER", "TEXT", "MAIL")),
        *(("END", what) for what in ("MESSAGE", "MSG", "LETTER", "TEXT", "OFPRESS", "OFFICIAL")),
        *((what, end) for what in ("PRESS", "BROADCAST", "MESSAGE") for end in ("END", "ENDS", "ENDED", "OVER")),
    ]
) | {"END", "ENDOFPRESS", "PRESSEND", "BROADCASTEND", "ENDMESSAGE", "ENDMSG", "ENDOFFICIAL", "EOM",
     "END OF THE PRESS", "END OF THE MESSAGE", "END OF MY PRESS", "END OF MY MESSAGE"}  # fmt: skip
# Ordinary English words that differ from an end word by at most two typing errors.
_DICTIONARY = frozenset({"EXPRESS", "EMPRESS", "ENDLESS", "ENDORSES", "ENDURES", "UNDRESS"})
_LONGEST_WORD = 40
# Characters of a frame around an end word.
_RULE = " -_="
# A line longer than this is not an end word with a comment.
_LONGEST_LINE = 200


@dataclass(frozen=True)
class MessageEnd:
    """The end of a message."""

    # The number of the line after the text.
    at: int
    # True if line `at` has an end word such as ENDPRESS, perhaps misspelled.
    ended: bool
    # Other text on line `at`.
    rest: str = ""
    # For a message without an end word, the end of the lines that may belong to the message. A mail program puts a
    # forwarded email after the signature.
    below: int = 0


class MessageEnds:
    """Finds the ends of the messages in `lines`.

    `press` returns the command after which a message begins. `signs_on` returns whether a line is a sign-on in any
    form. Each function is called once for each line of a letter that has a message.
    """

    def __init__(self, lines: Sequence[Line], press: Callable[[Line], Call | None], signs_on: Callable[[Line], bool]):
        self._lines, self._press, self._signs_on = lines, press, signs_on

    def of(self, position: int) -> MessageEnd:
        """Return the end of the message whose text begins in line `position`."""
        stop, signon, exact, near = (self._next(kind, position) for kind in ("stop", "signon", "exact", "near"))
        opens = min(signon, self._next("beginning", position))
        if exact < opens:
            return MessageEnd(exact, True)
        if near < min(opens, stop):
            found = _END_WORD.fullmatch(self._lines[near].text)
            return MessageEnd(near, True, found["rest"].strip() if found else "")
        # A later end word belongs to this message, unless a sign-on and another message begin before that word.
        if exact < stop and not (signon < exact and self._next("beginning", signon) < exact):
            return MessageEnd(exact, True)
        below = min(signon, self._next("signoff", position))
        return MessageEnd(min(below, stop), False, below=below)

    def rest(self, position: int) -> int:
        """Return the number of the line after a text that begins in line `position` and has no end word."""
        return min(self._next(kind, position) for kind in ("stop", "signoff", "signon"))

    def _next(self, kind: str, position: int) -> int:
        """Return the first line of this kind from `position` on, or the number of all lines if there is none."""
        found = self._found[kind]
        at = bisect_left(found, position)
        return found[at] if at < len(found) else len(self._lines)

    @cached_property
    def _found(self) -> Mapping[str, list[int]]:
        """The numbers of the lines of each kind.

        "exact" is an end word, and "near" is a line that is meant as an end word. "signoff" is SIGNOFF, which is part
        of the message if an end word follows. "stop" is another line that ends the message.
        """
        found: dict[str, list[int]] = defaultdict(list)
        before = ""
        for number, line in enumerate(self._lines):
            text, kind = line.text, line.kind
            # A mail program may put a quote mark before a single line of the sender's own.
            own = kind == "text" or kind == "quote" and before != "quote"
            signoff, end = bare_word(text) == "SIGNOFF", _end_of(text) if own else ""
            is_of = {
                end: end,
                "signoff": signoff,
                "stop": kind == "signature" or signoff and text.isupper(),
                "signon": kind == "text" and self._signs_on(line),
                "beginning": not end and self._press(line),
            }
            for name in filter(is_of.get, is_of):
                found[name].append(number)
            before = kind
        return found


def ends_below_signature(lines: Sequence[Line], press: Callable[[Line], Call | None]) -> list[int]:
    """Return the numbers of the lines that end a message with a signature or an older email in it.

    Otherwise the end word would be taken for a part of the signature or older email. A message within the older email
    has its own end word. `press` returns the command after which a message begins.
    """
    found = []
    is_open = is_open_within = False
    for number, line in enumerate(lines):
        if line.kind == "text":
            # A misspelled end word is assumed to end the message.
            is_open = not _end_of(line.text) if is_open else press(line) is not None
            is_open_within = False
        if not is_open or line.kind not in ("history", "signature"):
            continue
        is_end = _end_of(line.text) == "exact"
        if is_open_within:
            is_open_within = not is_end
        elif is_end:
            found.append(number)
            is_open = False
        else:
            call = press(replace(line, kind="text"))
            is_open_within = call is not None and call.is_command
    return found


_SANDBOX, _END_OF_SANDBOX = "WHATIF", "ENDWHATIF"


def is_like_sandbox(text: str) -> bool:
    """Return whether a line is meant as WHATIF or ENDWHATIF in any form."""
    word = _box_word(text)
    # Test this first, because it is quick and most lines have too few of the letters in WHATIF.
    may_be = len(set(_SANDBOX).intersection(word)) > 3
    near = may_be and (is_miswritten(word, _SANDBOX, 1) or is_miswritten(word, _END_OF_SANDBOX))
    return near or _FIRST_OF_SANDBOX.match(text) is not None


def is_sandbox_end(text: str) -> bool:
    """Return whether a line is ENDWHATIF."""
    return _box_word(text) == _END_OF_SANDBOX


def ends_sandbox(text: str) -> bool:
    """Return whether a line is like ENDWHATIF rather than like WHATIF."""
    return _box_word(text).startswith("E")


# The word WHATIF with more text on its line, such as an order, a phase or a question.
_FIRST_OF_SANDBOX = re.compile(r"[\W_]*+(?:END\W?)?(?:WHATIF|(?-i:WHAT[- ]IF))(?![^\W_])", re.IGNORECASE)


def _box_word(text: str) -> str:
    """Return the letters and digits of a short line as one word in capitals, or "" for a long line."""
    return "".join(filter(str.isalnum, text)).upper() if len(text) < _LONGEST_WORD else ""


def bare_word(text: str) -> str:
    """Return a short line as one word in capitals, without punctuation, or "" for a long line.

    For example, the line "*Sign off*." is SIGNOFF.
    """
    if len(text) >= _LONGEST_WORD:
        return ""
    return text.replace(" ", "").replace("-", "").upper().strip("*_`").rstrip(".;:!*_`")


def _end_of(text: str) -> str:
    """Return "exact" for an end word in any punctuation, and "near" for a line meant as one.

    Returns "" for other lines.
    """
    if len(text) > _LONGEST_LINE:
        return ""
    if found := _END_WORD.fullmatch(text):
        rest = found["rest"]
        return "near" if rest.strip(_RULE) and not _COMMENT.match(rest) else "exact"
    return "near" if len(text) <= _LONGEST_WORD and _is_nearly_end(_LETTERS.findall(text.upper())) else ""


def _is_nearly_end(words: Sequence[str]) -> bool:
    said = "".join(words)
    if " ".join(words) in _PHRASES:
        return True
    # The first of several words must begin with END, because "and press" and "I'd press" are ends of sentences.
    if said in _DICTIONARY or len(words) > 1 and not words[0].startswith("END"):
        return False
    return any(is_miswritten(said, word) for word in _END_WORDS)
