"""Where the text of a message ends: found before anything else is read, since inside a message nothing is a command.

A message ends with ENDPRESS or ENDBROADCAST, in any dress that a line may have. Where its writer forgot that line or
misspelled it, it ends with a line that can hardly mean anything else, with SIGNOFF, a signature, a sign-on, or the
email. `MessageEnd.ended` says whether an end was written, so that the caller can look at what stands in a text that has
none.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from judge.letters import Line

# ENDPRESS in bold, after a bullet, a number or a quote mark, followed by a comment or other words.
_END_WORD = re.compile(
    r"[\W_]*+(?:(?:\d{1,2}[.)]|[a-z]\))[\W_]*+)?END[\s_-]{0,3}(?:PRESS|BROADCAST)(?![^\W_])"
    r"(?:[^\w/#(\[{-]|_){0,9}(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
# What makes the rest of the line a comment.
_COMMENT = re.compile(r"//|#|--|[(\[{]")
_LETTERS = re.compile(r"[^\W\d_]+")
_END_WORDS = ("ENDPRESS", "ENDBROADCAST")
# What people write in their place, alone on a line, with typing errors in ENDPRESS itself.
_PHRASES = frozenset(
    f"{first} {second}"
    for first, second in [
        *(("END OF", what) for what in ("PRESS", "BROADCAST", "MESSAGE", "MSG", "LETTER", "TEXT", "MAIL")),
        *(("END", what) for what in ("MESSAGE", "MSG", "LETTER", "TEXT", "OFPRESS")),
        *((what, end) for what in ("PRESS", "BROADCAST", "MESSAGE") for end in ("END", "ENDS", "ENDED", "OVER")),
    ]
) | {"END", "ENDOFPRESS", "PRESSEND", "BROADCASTEND", "ENDMESSAGE", "ENDMSG", "EOM", "END OF THE PRESS",
     "END OF THE MESSAGE", "END OF MY PRESS", "END OF MY MESSAGE"}  # fmt: skip
# Words of a dictionary that are two typing errors from an end word or less.
_DICTIONARY = frozenset({"EXPRESS", "EMPRESS", "ENDLESS", "ENDORSES", "ENDURES", "UNDRESS"})
_MOST_ERRORS = 2
_LONGEST_WORD = 40
# What may close the frame around an end word.
_RULE = " -_="
# Beyond this a line holds more than an end word with a comment.
_LONGEST_LINE = 200


@dataclass(frozen=True)
class MessageEnd:
    """Where a message ends.

    `at`: the number of the line after its text. `ended`: that line is an end word of some kind, and is not read.
    `rest`: what else is on that line.
    """

    at: int
    ended: bool
    rest: str = ""


class MessageEnds:
    """The ends of the messages in `lines`.

    `begins`: whether a message begins below the line; `signs_on`: whether a line is a sign-on, however it is written.
    Both are asked once for each line of a letter that holds a message.
    """

    def __init__(self, lines: Sequence[Line], begins: Callable[[Line], bool], signs_on: Callable[[Line], bool]):
        self._lines, self._begins, self._signs_on = lines, begins, signs_on

    def of(self, position: int) -> MessageEnd:
        """The end of the message whose text begins in line `position`."""
        stop, signon, exact, near = (self._next(kind, position) for kind in ("stop", "signon", "exact", "near"))
        opens = min(signon, self._next("beginning", position), stop)
        if exact < opens:
            return MessageEnd(exact, True)
        if near < opens:
            found = _END_WORD.fullmatch(self._lines[near].text)
            return MessageEnd(near, True, found["rest"].strip() if found else "")
        # An end word further below belongs to this message, unless a sign-on and another message begin before it.
        if exact < stop and not (signon < exact and self._next("beginning", signon) < exact):
            return MessageEnd(exact, True)
        return MessageEnd(min(signon, stop, self._next("signoff", position)), False)

    def rest(self, position: int) -> int:
        """The end of a text from line `position` on that has no end word of its own."""
        return min(self._next(kind, position) for kind in ("stop", "signoff", "signon"))

    def _next(self, kind: str, position: int) -> int:
        """The first line of this kind from `position` on; the number of lines if there is none."""
        found = self._found[kind]
        at = bisect_left(found, position)
        return found[at] if at < len(found) else len(self._lines)

    @cached_property
    def _found(self) -> Mapping[str, list[int]]:
        """The lines of each kind.

        "exact": an end word, whatever is around it; "near": a line that is meant as one; "signoff": with an end word
        below it, it is a word of the message; "stop": nothing below it is text.
        """
        found: dict[str, list[int]] = defaultdict(list)
        before = ""
        for number, line in enumerate(self._lines):
            text, kind = line.text, line.kind
            # A quote mark may have been put before a single line of the sender's own.
            own = kind == "text" or kind == "quote" and before != "quote"
            signoff, exact, near = bare_word(text) == "SIGNOFF", own and _is_exact(text), own and _is_near(text)
            is_of = {
                "exact": exact,
                "near": near,
                "signoff": signoff,
                "stop": kind == "signature" or signoff and text.isupper(),
                "signon": kind == "text" and self._signs_on(line),
                "beginning": not (exact or near) and self._begins(line),
            }
            for name in filter(is_of.get, is_of):
                found[name].append(number)
            before = kind
        return found


_SANDBOX, _END_OF_SANDBOX = "WHATIF", "ENDWHATIF"
_LETTERS_OF_SANDBOX, _LEAST_LETTERS = frozenset(_SANDBOX), 4


def sandbox_end(lines: Sequence[Line], position: int) -> int | None:
    """Return the line with ENDWHATIF that ends the sandbox whose text begins in line `position`; None without one.

    What is below a misspelt end, or another WHATIF, may be meant: so neither ends it, and none counts below it.
    """
    for number in range(position, len(lines)):
        if lines[number].kind != "text":
            continue
        if _box_word(lines[number].text) == _END_OF_SANDBOX:
            return number
        if is_like_sandbox(lines[number].text):
            return None
    return None


def is_like_sandbox(text: str) -> bool:
    """Return whether a line is meant as WHATIF or as ENDWHATIF, however it is written."""
    word = _box_word(text)
    # A quick first test: most lines have too few of the letters.
    near = len(_LETTERS_OF_SANDBOX.intersection(word)) >= _LEAST_LETTERS
    near = near and (is_miswritten(word, _SANDBOX, 1) or is_miswritten(word, _END_OF_SANDBOX))
    return near or _FIRST_OF_SANDBOX.match(text) is not None


def ends_sandbox(text: str) -> bool:
    """Return whether a line is like ENDWHATIF rather than like WHATIF."""
    return _box_word(text).startswith("E")


# WHATIF with more on its line: an order, a phase, a question.
_FIRST_OF_SANDBOX = re.compile(r"[\W_]*+(?:END\W?)?(?:WHATIF|(?-i:WHAT[- ]IF))(?![^\W_])", re.IGNORECASE)


def _box_word(text: str) -> str:
    """Return a short line as one word in capitals, of its letters and digits; "" for a long one."""
    return "".join(filter(str.isalnum, text)).upper() if len(text) < _LONGEST_WORD else ""


def bare_word(text: str) -> str:
    """Return a short line as one word in capitals without marks, SIGNOFF for "*Sign off*."; "" for a long one."""
    if len(text) >= _LONGEST_WORD:
        return ""
    return text.replace(" ", "").upper().strip("*_`").rstrip(".;:!*_`")


def _is_exact(text: str) -> bool:
    found = _END_WORD.fullmatch(text) if len(text) <= _LONGEST_LINE else None
    return found is not None and (not found["rest"].strip(_RULE) or _COMMENT.match(found["rest"]) is not None)


def _is_near(text: str) -> bool:
    if len(text) > _LONGEST_LINE:
        return False
    if _END_WORD.fullmatch(text):
        return True
    words = _LETTERS.findall(text.upper()[:_LONGEST_WORD]) if len(text) <= _LONGEST_WORD else []
    if " ".join(words) in _PHRASES:
        return True
    said = "".join(words)
    # Of several words the first must be END itself: "and press" and "I'd press" are ends of sentences.
    if said in _DICTIONARY or len(words) > 1 and not words[0].startswith("END"):
        return False
    return any(is_miswritten(said, word) for word in _END_WORDS)


def is_miswritten(said: str, word: str, most: int = _MOST_ERRORS) -> bool:
    """Return whether `said` is `word` with at most `most` typing errors.

    An error is a letter missing, added or replaced, or two letters swapped (optimal string alignment).
    """
    if abs(len(said) - len(word)) > most:
        return False
    before: list[int] = []
    row = list(range(len(word) + 1))
    for at, letter in enumerate(said, 1):
        earlier, before, row = before, row, [at]
        for place, other in enumerate(word, 1):
            cost = min(before[place] + 1, row[place - 1] + 1, before[place - 1] + (letter != other))
            if at > 1 and place > 1 and letter == word[place - 2] and said[at - 2] == other:
                cost = min(cost, earlier[place - 2] + 1)
            row.append(cost)
    return row[-1] <= most
