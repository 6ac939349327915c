"""Lines like a sign-on or a new password, in any wording and decoration: the only module that recognizes them.

The words of sign-ons are also words of prose ("Watch Italy closely"). `signon_words` returns the words after them;
whether one of these names a game that exists is for the caller to find out. `SignonLine.certain` marks lines that are
not prose, whatever they name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from judge.letters.text import fold, is_miswritten
from judge.letters.words import PREFIXES, WORDS, WORDS_OF_GREETINGS, any_of
from judge.letters.written_passwords import is_left_open

# The characters of a line in which a sign-on begins, and the most words after its first one.
_MOST_DECORATION = 200
_MOST_WORDS = 6
_NAME = re.compile("[a-z0-9]{1,20}")
# Longer words are cut.
_MOST_LETTERS = 100
# The most words in which a sign-on is searched for.
_MOST_TOKENS = 24

# Words for signing on that prose uses too, or that may be a typing error for SIGNON and begin a sentence.
_FAMILY, _HALVES, _NEARLY = WORDS["sign_ons"], WORDS["sign_ons_of_two_words"], WORDS["nearly_sign_ons"]
_BETWEEN, _OTHERS = WORDS["within_sign_ons"], WORDS["other_openings"]
# Before one of these such a word begins a sentence.
_PROSE = frozenset(WORDS["in_sentences"])
_GREETINGS = WORDS_OF_GREETINGS | {"and", "so", "ok", "okay", "then", "now", "o"}
_PASSWORDS = WORDS["passwords"]
_NEW = WORDS["passwords_in_short"] + _PASSWORDS
_BEFORE_NEW = {"new", "my", "the", "a"}
_PASSWORD_COLON = re.compile(
    rf"(?<![^\W\d]){any_of(_PASSWORDS)}[^\w\s:=]{{0,9}}\s{{0,9}}[:=]\.{{0,9}}[:=\s]{{0,9}}", re.IGNORECASE
)
# A power with its game, or a game without a power, in a form that no sentence has.
_TARGET = re.compile(r"\?[A-Za-z0-9]{0,20}|[^\W_]{1,30}@[A-Za-z0-9]{1,20}")
_JOINED = re.compile(r"[^\w?@]{0,3}[?@\w]{1,60}(?=([,:;/|=]{1,3})[^,:;/|=])")
# An order in place of the password, from a player who needs none: SIGNON Fheron A PAR - BUR.
# A letter and one longer word may be a password of two words.
_ORDERS = re.compile(
    r"(?:(?:army|fleet)\s+\W{0,9}[^\W_]{3}|[af]\s+\W{0,9}[^\W_]{3}(?:[^\W_]{0,30}\W{1,9}[^\W_]|(?![^\W_])))",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\S+")
_BARE = re.compile(r"[^\W\d_](?:[\W_]*+[^\W_])*")
_ARGUMENT = re.compile(r"(?:[^\w?@]|_)*((?:[^\W_]|[?@])(?:[\W_]*+[^\W_])*)")
# SIGNONFheron hush, SIGNON:Fheron hush.
_GLUED = re.compile(r"signon[:=,;_*`\"'-]*(?=(?:[^\W_]|[?@])\S)", re.IGNORECASE)
# Cheap first test: a typing error leaves one half of SIGNON as it is, or swaps the letters in its middle.
_CUE = re.compile(
    r"sig|non|sin|sgi|sgn|\bs\w{1,4} on\b|log|creat|observ|watch|monitor|join|hello|take|resign|withdraw", re.IGNORECASE
)
_NEW_CUE = re.compile(r"set|pa?s|pw", re.IGNORECASE)


@dataclass(frozen=True)
class SignonLine:
    """A line that may be meant as a sign-on: the words behind its first word, bare of marks.

    `verb`: the first word, as it was written. `secret`: where what may be a password begins on the folded line, None if
    nothing stands there. `certain`: it is no line of prose. `of_family`: it signs on, in whatever words, and does not
    create, observe, join or resign. `start`: where the words behind begin on the folded line. `is_whole`: only
    decoration and greetings stand before the sign-on.
    """

    words: tuple[str, ...]
    verb: str
    secret: int | None
    certain: bool
    of_family: bool
    start: int
    is_whole: bool = True

    @property
    def named(self) -> tuple[str, ...]:
        """The words that may name the game."""
        if self.of_family:
            return self.words[:4]
        # TAKEOVER France heron hush: the power may stand before the game.
        return self.words[: 2 if self.words[0] == "?" or len(self.words) > 2 else 1]


@dataclass(frozen=True)
class _Word:
    """A word of the line. bare: from its first to its last letter. argument: without the marks around it."""

    text: str
    start: int

    @property
    def bare(self) -> str:
        return "".join(_BARE.findall(self.text))

    @property
    def letters(self) -> str:
        return self.bare.lower()

    @property
    def argument(self) -> str:
        found = _ARGUMENT.match(self.text)
        return found[1] if found else ""

    def cut(self, at: int) -> "_Word":
        return _Word(self.text[at:], self.start + at)


def signon_words(line: str) -> tuple[str, ...]:
    """Return the words after the sign-on word of a line that may be meant as a sign-on, bare of marks, else ()."""
    found = signon_line(line)
    return found.words if found else ()


def possible_games(words: tuple[str, ...]) -> set[str]:
    """Return the games that words of a sign-on may name: heron for heron, Fheron, ?heron and France@heron."""
    names: set[str] = set()
    for word in words:
        name = word.rpartition("@")[2].lstrip("?").lower()
        names |= {name, name[1:]} if "@" not in word and "?" not in word else {name}
    return set(filter(_NAME.fullmatch, names))


@lru_cache(maxsize=8192)
def signon_line(line: str) -> SignonLine | None:
    """Return the line, which is folded first, as a sign-on, None if it cannot be meant as one."""
    folded = fold(line)
    if not _CUE.search(folded[:_MOST_DECORATION]):
        return None
    words = _words(folded)
    begin = _decoration(words)
    beginning = (_signon_at(folded, words[at:]) for at in range(min(begin, len(words) - 1), -1, -1))
    within = (_signon_within(folded, words[at:]) for at in range(begin, len(words)))
    return next(filter(None, chain(beginning, within)), None)


def new_password(line: str) -> int | None:
    """Return where on the folded line a new password may begin, after SET PASSWORD and the like or "password: …"."""
    folded = fold(line)
    begins = folded[:_MOST_DECORATION]
    if not _NEW_CUE.search(begins):
        return None
    words = _words(folded)
    own = words[_decoration(words) :]
    said = [word.letters for word in own]
    behind = None
    if said[:1] == ["setpassword"] or _begins_with_password(own):
        behind = 1
    elif said[:1] == ["set"] and said[2:3] in (["password"], ["passwd"]) and said[1] in _BEFORE_NEW:
        behind = 3
    elif said[:1] == ["set"]:
        settings = (at for at in range(1, len(own)) if said[at] in _NEW or _is_slip(said[at], "password", "po0a"))
        listed = (at for at in settings if at == 1 or own[at - 1].text.endswith(",") and said[at] in {"p", *_PASSWORDS})
        behind = next((at + 1 for at in listed), None)
    if behind:
        return _secret_in(folded, own[behind:])
    named = _PASSWORD_COLON.search(begins)
    return _secret_in(folded, _words(folded, named.end())) if named else None


def _begins_with_password(words: Sequence[_Word]) -> bool:
    """Return whether the words are PASSWORD and a new one, perhaps with a word too many, and no sentence about it."""
    if len(words) < 2 or words[0].letters not in _PASSWORDS or words[1].letters in _PROSE:
        return False
    is_short = len(words) <= 3 or any(map(str.isdigit, words[1].text))
    return words[0].bare.isupper() or is_short


def _secret_in(line: str, words: Sequence[_Word]) -> int | None:
    """Return where the words begin, signs apart; None if there are none, or a placeholder was left."""
    said = (word for word in words if any(map(str.isalnum, word.text)) or is_left_open(word.text))
    first = next(said, None)
    return None if first is None or is_left_open(line[first.start :]) else first.start + (first.text[0] in ":=")


def _is_slip(said: str, word: str, begins: str) -> bool:
    """Whether `said` is the word with one typing error at most, which may be two letters swapped.

    begins: the letters with which it may begin, such as neighbors of the first letter on keyboards.
    """
    begun = said[:1] in set(begins) and said.replace("0", "o").isalpha()
    return begun and is_miswritten(said, word, 1)


def _words(line: str, start: int = 0) -> list[_Word]:
    """Return the first words from `start` on, without a comment at the end of the line."""
    found: list[_Word] = []
    for token in _TOKEN.finditer(line, start):
        if len(found) == _MOST_TOKENS or token.start() > _MOST_DECORATION or token[0].startswith("//"):
            break
        found.append(_Word(token[0][:_MOST_LETTERS], token.start()))
    return found


def _decoration(words: Sequence[_Word]) -> int:
    """Return the number of the first word that is neither decoration nor greeting."""
    for number, word in enumerate(words):
        letters = word.letters
        is_mark = letters in PREFIXES and ":" in word.text or len(letters) <= 3 and word.text[-1] in ":.)>]"
        if letters and not is_mark and letters not in _GREETINGS and not re.match(r"re\[\d", letters):
            return number
    return max(0, len(words) - 1)


def _signon_at(line: str, words: Sequence[_Word]) -> SignonLine | None:
    """Return the sign-on that begins with the first of the words."""
    letters = words[0].letters.replace("-", "").replace("_", "")
    pair = " ".join([letters, *(word.letters for word in words[1:2])])
    if letters not in _FAMILY and _is_slip(letters, "signon", "sadewxzi"):
        return _found(line, words[0], words[1:], literal=True)
    if letters in _FAMILY or pair in _HALVES:
        return _found(line, words[0], words[1 + (letters not in _FAMILY) :])
    if letters.startswith("signon") and (glued := _GLUED.search(words[0].text)):
        return _found(line, words[0], [words[0].cut(glued.end()), *words[1:]], literal=True)
    if letters in _OTHERS or pair == "take over":
        return _found(line, words[0], words[1 + (pair in ("take over", "create game")) :], of_family=False)
    joined = pair.replace(" ", "") if words[1:2] and words[1].letters in _BETWEEN else letters
    if letters in _NEARLY or is_miswritten(letters, "signon") or is_miswritten(joined, "signon"):
        # Power with game and a password, and nothing else, for it is a word of prose: "Signing on to Fstork hush".
        own = [word for word in words[1:] if word.argument and word.letters not in _BETWEEN]
        return _found(line, words[0], own, of_family=False) if len(own) == 2 else None
    return None


def _signon_within(line: str, words: Sequence[_Word]) -> SignonLine | None:
    """Return the sign-on inside the line, right before its target: "my line was: signon Fheron hush"."""
    letters = words[0].letters
    pair = " ".join([letters, *(word.letters for word in words[1:2])])
    is_whole = letters.replace("-", "").endswith("signon")
    if not is_whole and letters != "login" and pair not in ("sign on", "log in", "sign in"):
        return None
    found = _found(line, words[0], words[1 if is_whole or letters == "login" else 2 :], literal=is_whole)
    if not found or len(found.words) < 2 or found.words[0].lower() in _PROSE:
        return None
    certain = _TARGET.fullmatch(found.words[0]) or is_whole and len(found.words) == 2
    return replace(found, certain=bool(certain), is_whole=False)


def _found(
    line: str, first: _Word, others: Sequence[_Word], *, literal: bool = False, of_family: bool = True
) -> SignonLine | None:
    """Return the sign-on with this first word and these others, None if they are prose."""
    verb = first.bare
    if others and (joined := _JOINED.match(others[0].text)):
        # A sign may join the second to the first: Fheron:hush.
        others = [_Word(joined[0], others[0].start), others[0].cut(joined.end(1)), *others[1:]]
    said = [word for word in others if word.argument]
    texts = tuple(word.argument for word in said[:_MOST_WORDS])
    if not texts:
        return None
    prose, marked = texts[0].lower() in _PROSE, _TARGET.fullmatch(texts[0])
    secret = said[1].start if len(said) > 1 else None
    if secret is not None and (is_left_open(line[secret:]) or _ORDERS.match(line, secret)):
        texts, secret = texts[:1], None
    if not of_family and (len(texts) < 2 or prose or verb.lower() == "hello" and not (marked or verb.isupper())):
        return None
    capitals = of_family and verb.isupper() and not line.isupper()
    certain = len(texts) > 1 and not prose and bool(literal or marked or capitals)
    return SignonLine(texts, verb, secret, certain, of_family, said[0].start)
