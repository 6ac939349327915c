"""Whether a line is like a sign-on or a new password, in any wording and dress: the one module that answers this.

The words of sign-ons are also words of prose ("Watch Italy closely"). `signon_words` gives what stands behind them;
whether one of these names a game that exists here is for the caller to find out. `SignonLine.certain` marks lines that
are no prose, whatever they name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from judge.letters.text import fold

# A sign-on begins within so many characters of its line, and has at most so many words behind its first one.
_MOST_DECORATION = 200
_MOST_WORDS = 6
_LONGEST_NAME = 20
# No word that matters here is longer.
_MOST_LETTERS = 100
# After so many words a line begins with nothing but decoration.
_MOST_TOKENS = 24


def _slips(word: str, beside: str) -> set[str]:
    """The word with one typing error: a letter missing, added or replaced, or two letters swapped. `beside`: the
    neighbors of its first letter on keyboards, which may replace or precede it.
    """
    letters = "abcdefghijklmnopqrstuvwxyz0"
    slips = {word[:at] + word[at + 1 :] for at in range(len(word))}
    slips |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    for at in range(len(word) + 1):
        others = letters if at else beside
        slips |= {f"{word[:at]}{other}{word[at:]}" for other in others}
        slips |= {f"{word[:at]}{other}{word[at + 1 :]}" for other in others if at < len(word)}
    return slips - {word}


# Typing errors that are words with which a sentence may begin.
_REAL_WORDS = {"sinon", "signor", "signora", "signos", "signo", "signons"}
# Words for signing on that prose uses too, without the blank, dash or underscore between their halves.
_FAMILY = {"signin", "login", "logon", "singon", "singin", "sinon", *_REAL_WORDS}
_SLIPS = _slips("signon", "adewxz") - _FAMILY | {"singon", "sgnon"}
_HALVES = {("sign", "on"), ("sign", "in"), ("log", "in"), ("log", "on"), ("sing", "on"), ("sing", "in"), ("sign", "no"),
           ("sin", "on"), ("sigh", "on"), ("sgin", "on")}  # fmt: skip
_OTHERS = {"create", "observe", "watch", "monitor", "join", "hello", "takeover", "resign", "withdraw"}
# With these behind it, such a word begins a sentence.
_PROSE = frozenset({
    "us", "me", "my", "the", "this", "that", "them", "there", "their", "it", "him", "her", "your", "you",
    "yourself", "our", "in", "at", "a", "an", "all", "as", "if", "or", "and", "to", "from", "for", "on", "out",
    "now", "with", "by", "of", "up", "is", "was", "be", "are", "has", "had", "no", "not", "off", "so", "please",
    "dear", "judge", "again", "everybody", "everyone", "folks", "friends", "friend", "sir", "i", "we", "he",
    "she", "they", "forces", "hands", "over", "both", "back", "here",
})  # fmt: skip
_GREETINGS = frozenset({
    "hello", "hi", "hey", "hallo", "dear", "greetings", "good", "morning", "afternoon", "evening", "day", "judge",
    "bonjour", "bonsoir", "salut", "guten", "tag", "morgen", "abend", "moin", "servus", "lieber", "ciao", "hola",
    "please", "bitte", "there", "again", "sir", "madam", "all", "and", "so", "ok", "okay", "then", "now",
})  # fmt: skip
_ANSWERED = frozenset({
    "re", "fw", "fwd", "aw", "wg", "sv", "vs", "vl", "vb", "tr", "ref", "rv", "res", "enc", "rif", "r", "i",
    "antw", "doorst", "odp", "pd", "ynt", "ilt",
})  # fmt: skip
_PASSWORDS = {"password", "passwd", "passwort", "passord", "pw"}
_NEW = _PASSWORDS | {"p", "pas", "pass", "pswd"} | _slips("password", "o0") | _slips("passwort", "o0")
# A power or nobody with its game, as no sentence has it.
_TARGET = re.compile(r"\?[A-Za-z0-9]{0,20}|[^\W_]{1,30}@[A-Za-z0-9]{1,20}")
_JOINED = re.compile(r"([?@\w]{1,60})[,:;/|=]{1,3}(?=[^,:;/|=])")
_UNITS = {"a", "f", "army", "fleet"}
# In place of a password, in forms and in what the judge explains.
_LEFT_OPEN = re.compile(r"<[^<>]{0,40}password|\.\.|\*{4}(?!\S)", re.IGNORECASE)
_TOKEN = re.compile(r"\S+")
_COMMENT = re.compile(r"(?:^|(?<=\s))//")
# Cheap first test: a typing error leaves one half of SIGNON as it is, or swaps the letters in its middle.
_CUE = re.compile(
    "sig|non|sin|sgi|sgn|log|creat|observ|watch|monitor|join|hello|take|resign|withdraw", re.IGNORECASE
)
_NEW_CUE = re.compile(r"set|pa?s|pw", re.IGNORECASE)
_PASSWORD_CUE = re.compile(r"p|ass", re.IGNORECASE)


@dataclass(frozen=True)
class SignonLine:
    """A line that may be meant as a sign-on: the words behind its first word, bare of marks.

    `verb`: the first word, as it was written. `place`: where the first of the words begins on the folded line.
    `secret`: where what may be a password begins, None if nothing stands there. `certain`: it is no line of prose.
    `of_family`: it signs on, in whatever words, and does not create, observe, join or resign.
    """

    words: tuple[str, ...]
    verb: str
    secret: int | None
    certain: bool
    of_family: bool

    @property
    def named(self) -> tuple[str, ...]:
        """The words that may name its game."""
        if self.of_family:
            return self.words[:4]
        return self.words[:2] if self.words[0] == "?" else self.words[:1]


@dataclass(frozen=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def letters(self) -> str:
        """In small letters, without anything before its first letter and behind its last letter or digit."""
        return self.bare.lower()

    @property
    def bare(self) -> str:
        text = self.text
        first = next((at for at, sign in enumerate(text) if sign.isalpha()), len(text))
        last = next((at for at in range(len(text), first, -1) if text[at - 1].isalnum()), first)
        return text[first:last]

    @property
    def argument(self) -> str:
        """Without the marks around it; ? and @ are no marks."""
        text = self.text
        first = next((at for at, sign in enumerate(text) if sign.isalnum() or sign in "?@"), len(text))
        last = next((at for at in range(len(text), first, -1) if text[at - 1].isalnum()), first)
        return text[first:last] if last > first else text[first : first + 1]


def signon_words(line: str) -> tuple[str, ...]:
    """The words behind the sign-on word of a line that may be meant as a sign-on, bare of marks; () for any other."""
    found = signon_line(line)
    return found.words if found else ()


def possible_games(words: tuple[str, ...]) -> set[str]:
    """The names of games that these words of a sign-on may mean: heron for heron, Fheron, ?heron and France@heron."""
    names: set[str] = set()
    for word in words:
        name = word.rpartition("@")[2].lstrip("?").lower()
        names |= {name, name[1:]} if "@" not in word and "?" not in word else {name}
    return {name for name in names if name.isascii() and name.isalnum() and len(name) <= _LONGEST_NAME}


@lru_cache(maxsize=8192)
def signon_line(line: str) -> SignonLine | None:
    """The line as a sign-on, if it may be meant as one; for a line that `fold` changes, its folded form counts."""
    folded = fold(line)
    if not _CUE.search(folded[:_MOST_DECORATION]):
        return None
    words = _words(folded)
    begin, found = _decoration(words), None
    for at in range(begin + 1):
        found = _signon_at(folded, words, at) or found
    if found:
        return found
    within = (_signon_within(folded, words, at) for at in range(begin, len(words)))
    return next(filter(None, within), None)


def new_password(line: str) -> int | None:
    """Where on the folded line what may be a new password begins: SET PASSWORD and its like, "password: …"."""
    folded = fold(line)
    begins = folded[:_MOST_DECORATION]
    if not _NEW_CUE.search(begins) or not _PASSWORD_CUE.search(begins):
        return None
    words = _words(folded)
    begin = _decoration(words)
    own = words[begin:]
    said = [word.letters for word in own]
    if said[:1] == ["setpassword"] or said[:1] == ["set"] and said[1:2] and said[1] in _NEW:
        return _behind(folded, own, 1 if said[0] == "setpassword" else 2)
    if len(own) == 2 and own[0].bare.isupper() and said[0] in _PASSWORDS:
        return _behind(folded, own, 1)
    if said[:1] == ["set"] and any(word.text.endswith(",") for word in own):
        listed = (at for at in range(2, len(own)) if own[at - 1].text.endswith(",") and said[at] in {"p", *_PASSWORDS})
        if at := next(listed, 0):
            return _behind(folded, own, at + 1)
    return next(filter(None, (_password_colon(folded, words, at) for at in range(len(words)))), None)


def _password_colon(line: str, words: list[_Word], at: int) -> int | None:
    """Where a password begins behind "password:", "pw = "; None if word `at` is none of these."""
    word = words[at]
    mark = next((sign for sign in word.text if sign in ":="), "")
    name, _, rest = word.text.partition(mark) if mark else (word.text, "", "")
    if _Word(name, 0, 0).letters not in _PASSWORDS:
        return None
    if mark and any(map(str.isalnum, rest)):
        return word.end - len(rest)
    follows = mark or at + 1 < len(words) and words[at + 1].text[:1] in (":", "=")
    return _behind(line, words, at + 1) if follows else None


def _behind(line: str, words: list[_Word], at: int) -> int | None:
    """Where the words from `at` on begin, apart from signs alone; None if there are none, or a form was left open."""
    said = (word for word in words[at:] if any(map(str.isalnum, word.text)) or _LEFT_OPEN.match(word.text))
    first = next(said, None)
    if not first or _LEFT_OPEN.match(line, first.start):
        return None
    return first.start + (first.text[0] in ":=")


def _words(line: str) -> list[_Word]:
    """The words with which the line begins, without a comment at its end."""
    found: list[_Word] = []
    for token in _TOKEN.finditer(line):
        if len(found) == _MOST_TOKENS or token.start() > _MOST_DECORATION or _COMMENT.match(token[0]):
            break
        found.append(_Word(token[0][:_MOST_LETTERS], *token.span()))
    return found


def _decoration(words: list[_Word]) -> int:
    """The number of the first word that is neither decoration nor greeting."""
    for number, word in enumerate(words):
        letters = word.letters
        mark = word.text[-1] in ":.)>]"
        is_mark = not letters or letters in _ANSWERED and ":" in word.text or len(letters) <= 3 and mark
        if not (is_mark or letters in _GREETINGS or letters == "o" or re.match(r"re\[\d", letters)):
            return number
    return max(0, len(words) - 1)


def _signon_at(line: str, words: list[_Word], at: int) -> SignonLine | None:
    """The sign-on that begins with word `at`."""
    if at >= len(words):
        return None
    letters = words[at].letters.replace("-", "").replace("_", "")
    pair = letters, words[at + 1].letters if at + 1 < len(words) else ""
    if letters == "signon" or letters in _SLIPS:
        return _found(line, words, at, at + 1, literal=True, of_family=True)
    if letters in _FAMILY:
        return _found(line, words, at, at + 1, literal=False, of_family=True)
    if pair in _HALVES:
        return _found(line, words, at, at + 2, literal=False, of_family=True)
    if letters.startswith("signon"):
        return _glued(line, words, at)
    if pair == ("take", "over"):
        return _found(line, words, at, at + 2, literal=False, of_family=False)
    if letters in _OTHERS:
        behind = at + 1 + (letters == "create" and pair[1] == "game")
        return _found(line, words, at, behind, literal=False, of_family=False)
    return None


def _signon_within(line: str, words: list[_Word], at: int) -> SignonLine | None:
    """The sign-on inside the line, "my line was: signon Fheron hush": with its target right behind it."""
    letters = words[at].letters
    pair = letters, words[at + 1].letters if at + 1 < len(words) else ""
    end = letters.replace("-", "").endswith("signon")
    if not (end or letters == "login" or pair in {("sign", "on"), ("log", "in"), ("sign", "in")}):
        return None
    found = _found(line, words, at, at + (1 if end or letters == "login" else 2), literal=end, of_family=True)
    if not found or len(found.words) < 2 or found.words[0].lower() in _PROSE:
        return None
    return SignonLine(
        found.words, found.verb, found.secret, _is_target(found.words[0]) or end and len(found.words) == 2, True
    )


def _glued(line: str, words: list[_Word], at: int) -> SignonLine | None:
    """SIGNONFheron hush, SIGNON:Fheron hush."""
    word = words[at]
    begin = word.text.lower().index("signon") + len("signon") if "signon" in word.text.lower() else 0
    rest = word.text[begin:].lstrip(":=,;_-*`\"'")
    if not begin or len(rest) < 2 or not rest[:1].isalnum() and rest[:1] not in "?@":
        return None
    parted = [*words[: at + 1], _Word(rest, word.end - len(rest), word.end), *words[at + 1 :]]
    return _found(line, parted, at, at + 1, literal=True, of_family=True)


def _found(
    line: str, words: list[_Word], at: int, behind: int, *, literal: bool, of_family: bool
) -> SignonLine | None:
    """The sign-on whose first word is `at` and whose others begin at `behind`; None if they are those of prose."""
    verb = words[at].bare
    said = [word for word in _split(words[behind:]) if word.argument]
    texts = tuple(word.argument for word in said[:_MOST_WORDS])
    if not texts:
        return None
    prose = texts[0].lower() in _PROSE
    marked = _is_target(texts[0])
    if not of_family and (len(texts) < 2 or prose or verb.lower() == "hello" and not (marked or verb.isupper())):
        return None
    secret = said[1].start if len(said) > 1 else None
    if secret is not None and (_LEFT_OPEN.match(line, secret) or _orders(said)):
        return SignonLine(texts[:1], verb, None, False, of_family) if of_family else None
    capitals = of_family and verb.isupper() and not line.isupper()
    certain = len(texts) > 1 and not prose and (literal or marked or capitals)
    return SignonLine(texts, verb, secret, certain, of_family)


def _split(words: list[_Word]) -> Iterator[_Word]:
    """The words, of which the first may hold the second behind a sign: Fheron:hush."""
    for number, word in enumerate(words):
        joined = _JOINED.search(word.text) if number == 0 else None
        if joined and joined.start() <= 3:
            yield _Word(word.text[: joined.end(1)], word.start, word.start + joined.end(1))
            yield _Word(word.text[joined.end() :], word.start + joined.end(), word.end)
        else:
            yield word


def _orders(said: list[_Word]) -> bool:
    """Whether orders stand where the password would be: SIGNON Fheron A PAR - BUR, of a player who needs none."""
    return len(said) > 2 and said[1].text.lower() in _UNITS and len(said[2].argument) > 2


def _is_target(word: str) -> bool:
    return _TARGET.fullmatch(word) is not None
