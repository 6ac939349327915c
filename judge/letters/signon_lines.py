"""Lines like a sign-on or a new password, in any wording and decoration. Only this module recognizes such lines.

The words of sign-ons are also words of prose ("Watch Italy closely"). `signon_words` returns the words after the verb.
Its caller must find out whether one of them names an existing game. `SignonLine.certain` marks lines that are not
prose, whatever they name.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, dropwhile, pairwise

from judge.letters.text import fold, is_miswritten
from judge.letters.words import PREFIXES, WORDS, WORDS_OF_GREETINGS, any_of
from judge.letters.written_passwords import is_left_open

# The last column at which a sign-on may begin, and the number of words to read after its first word.
_MOST_DECORATION = 200
_MOST_WORDS = 8
_NAME = re.compile("[a-z0-9]{1,20}")
_RUN = re.compile("[a-z0-9]{1,21}")
# Characters that join two words, such as a game and its power.
_SIGNS, _JOINED_WORD = re.compile("[-@=:/|,._]"), re.compile("[^@=:/|,]+")
# The letter of a power that a character such as a hyphen joins to its game: F-heron.
_APART = re.compile("^([a-z])[-._]+")
# The maximum length of a word. A longer word is cut.
_MOST_LETTERS = 100
# The number of words on a line among which a sign-on is searched for.
_MOST_TOKENS = 24
# The minimum length of a word that is recognized with a typing error.
_LONG = 6
# A longer line is cut before each SIGNON after the first _READ characters, at most _MOST_PIECES times. A damaged HTML
# email may arrive as one line.
_READ, _MOST_PIECES = 150, 20

# Words for signing on that are also words of prose, or that may be SIGNON with a typing error.
_FAMILY, _HALVES, _NEARLY = WORDS["sign_ons"], WORDS["sign_ons_of_two_words"], WORDS["nearly_sign_ons"]
_HALVES_WITHIN = _HALVES + WORDS["signed_on"]
_BETWEEN, _OTHERS = WORDS["within_sign_ons"], WORDS["other_openings"]
# Words of sentences, such as "the". After a word like "watch" or "join", they show that a line is prose.
_PROSE = frozenset(WORDS["in_sentences"])
_GREETINGS = WORDS_OF_GREETINGS | {"and", "so", "ok", "okay", "then", "now", "o"}
_PASSWORDS = WORDS["passwords"]
_NEW = WORDS["passwords_in_short"] + _PASSWORDS
# Words that may be within a sign-on: "Sign me on to Fheron hush".
_WHOM = {"me", "us"}
_BEFORE_NEW = {"new", "my", "the", "a"}
_SAID_OF_THEM = frozenset(WORDS["said_of_passwords"])
# Words that are not taken for a password in a line that may be a sentence.
ORDINARY = _PROSE.union(_SAID_OF_THEM, WORDS["said_of_games"])
# Words between a sign-on and its game: "I want to sign on to the game Fheron".
_TOWARDS = {*_BETWEEN, "with", "game"}
# Endings of words that are not taken for a password: "The password is stored."
_OF_PARTICIPLES = ("ed", "en", "ing")
_MOST_BEFORE_IS, _STILL, _NEXT_CLAUSE = 4, {"still", "now", "just"}, {"and", "because", "but", "so", "thanks", "please"}
_BEFORE_OWN = {"new", "my", "change"}
# Words for a password after a comma, in a line with several settings.
_IN_LISTS = {"p", *_PASSWORDS}
_PASSWORD_COLON = re.compile(
    rf"(?<![^\W\d]){any_of(_PASSWORDS)}[^\w\s:=]{{0,9}}\s{{0,9}}[:=]\.{{0,9}}[:=\s]{{0,9}}", re.IGNORECASE
)
_JOINED_PASSWORD = re.compile(r"(?:set)?(?:password|passwd|pw)[-=:,;]+(?=\W{0,5}\w)", re.IGNORECASE)
# A game with its power, as only sign-ons have it (France@heron), or a game without a power (?heron).
_TARGET = re.compile(r"\?[A-Za-z0-9]{0,20}|[^\W_]{1,30}@[A-Za-z0-9]{1,20}")
_JOINED = re.compile(r"[^\w?@]{0,3}[?@\w]{1,60}(?=([,:;/|=]{1,3})[^,:;/|=])")
# An order in place of the password, from a player who needs no password: SIGNON Fheron A PAR - BUR. "A hush" is not an
# order, since it may be a password of two words.
_ORDERS = re.compile(
    r"(?:(?:army|fleet)\s+\W{0,9}[^\W_]{3}|[af]\s+\W{0,9}[^\W_]{3}(?:[^\W_]{0,30}\W{1,9}[^\W_]|(?![^\W_])))",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\S+")
_BARE = re.compile(r"[^\W\d_](?:[\W_]*+[^\W_])*")
_ARGUMENT = re.compile(r"(?:[^\w?@]|_)*((?:[^\W_]|[?@])(?:[\W_]*+[^\W_])*)")
# SIGNON written together with the next word: SIGNONFheron hush, SIGNON:Fheron hush.
_GLUED = re.compile(r"signon[:=,;_*`\"'-]*(?=(?:[^\W_]|[?@])\S)", re.IGNORECASE)
# Cheap first test: a typing error leaves one half of SIGNON unchanged, or swaps its middle letters.
_CUE = re.compile(
    r"sig|non|sin|sgi|sgn|\bs\w{1,4} on\b|log|creat|observ|watch|monitor|join|hello|take|resign|withdraw|\?\w",
    re.IGNORECASE,
)
_SIGNON = re.compile(r"(?<!\w)sign[ -]?on(?=\s)", re.IGNORECASE)
_NEW_CUE = re.compile(r"set|pa?s|pw", re.IGNORECASE)


@dataclass(frozen=True)
class SignonLine:
    """A line that may be meant as a sign-on.

    `verb` is its first word, as it was written. `said` has the words after the verb, without placeholders. `orders` has
    the words after these that may be orders. `comment` has the words of the comment.

    `certain` is true if the line is not prose. `of_family` is true if the line signs on, in whatever words, and does
    not create, observe, join or resign. `is_whole` is true if only decoration and greetings precede the sign-on.
    """

    verb: str
    said: tuple["Word", ...]
    certain: bool
    of_family: bool
    is_whole: bool = True
    orders: tuple["Word", ...] = ()
    comment: tuple["Word", ...] = ()

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return up to _MOST_WORDS words after the verb, without punctuation."""
        return tuple(word.argument for word in (*self.said, *self.orders)[:_MOST_WORDS])

    @property
    def start(self) -> int:
        """Return the position on the normalized line at which the words after the verb begin."""
        return self.said[0].start

    @property
    def is_literal(self) -> bool:
        """Return whether the verb is SIGNON, or another verb in capitals, which cannot be part of a sentence."""
        return self.verb.isupper() or self.verb.lower().endswith("signon")

    @property
    def is_apart(self) -> bool:
        """Return whether the sign-on is not part of a sentence such as "I cannot sign on to heron"."""
        return self.is_whole or self.is_literal

    @property
    def named(self) -> tuple[str, ...]:
        """Return the words that may name the game."""
        if self.of_family or self.verb.isupper():
            return self.words
        # The power may come before the game: TAKEOVER France heron hush.
        return self.words[:2]

    def names(self, games: Collection[str]) -> bool:
        """Return whether the sign-on names one of these games."""
        return not possible_games(self.named).isdisjoint(games)


@dataclass(frozen=True)
class Word:
    """A word of a line."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Return the position on the line after the word."""
        return self.start + len(self.text)

    @property
    def bare(self) -> str:
        """Return the word from its first to its last letter or digit."""
        return "".join(_BARE.findall(self.text))

    @property
    def letters(self) -> str:
        """Return the bare word in lowercase."""
        return self.bare.lower()

    @property
    def argument(self) -> str:
        """Return the word without the punctuation around it."""
        found = _ARGUMENT.match(self.text)
        return found[1] if found else ""

    def cut(self, at: int) -> "Word":
        """Return the rest of the word from that position on."""
        return Word(self.text[at:], self.start + at)

    def split(self) -> list["Word"]:
        """Return the parts of the word between characters that join words."""
        return [Word(one[0], self.start + one.start()) for one in _JOINED_WORD.finditer(self.text)]


# Words of one line, in order.
Words = Sequence[Word]


def signon_words(line: str) -> tuple[str, ...]:
    """Return the words after the verb of a line that may be a sign-on, or () for any other line.

    The words have no punctuation around them.
    """
    found = signon_line(line)
    return found.words if found else ()


def possible_games(words: tuple[str, ...]) -> set[str]:
    """Return the games that words of a sign-on may name: heron for heron, Fheron, ?heron and France@heron.

    A character may join the game to other words, on either side: hush@Fheron, game=heron.
    """
    said = [name for word in words for name in _SIGNS.split(word.lower())]
    names = {name.lstrip("?") for name in said}.union(name[1:] for name in said)
    return set(filter(_NAME.fullmatch, names))


def names_begun(word: str) -> set[str]:
    """Return the games that may begin a word in which a password follows: heron for Fheronhush."""
    begins = _RUN.match(_APART.sub(r"\1", word.rpartition("@")[2].lstrip("?").lower()))
    run = begins[0] if begins else ""
    runs = (run,) if "@" in word or "?" in word else (run, run[1:])
    return {one[:end] for one in runs for end in range(1, len(one) + 1)}


def pieces(line: str) -> list[str]:
    """Return the line. If it is too long for `signon_line`, return it cut before each SIGNON."""
    if len(line) <= _READ:
        return [line]
    cuts = [found.start() for found in _SIGNON.finditer(line, _READ + 1)][:_MOST_PIECES]
    return [line[begin:end] for begin, end in pairwise([0, *cuts, len(line)])]


@lru_cache(maxsize=8192)
def signon_line(line: str) -> SignonLine | None:
    """Normalize the line and return it as a sign-on, or None if it cannot be meant as one."""
    folded = fold(line)
    if not _CUE.search(folded[:_MOST_DECORATION]):
        return None
    words = _words(folded)
    found = _signon_in(folded, words)
    # The password may be in a comment after "//".
    whole = _words(folded, comment=True)
    comment = tuple(word for word in whole[len(words) :] if word.argument)
    return replace(found, comment=comment) if found else _signon_in(folded, whole)


def _signon_in(folded: str, words: Words) -> SignonLine | None:
    begin = _decoration(words)
    beginning = (_signon_at(folded, words[at:]) for at in range(min(begin, len(words) - 1), -1, -1))
    within = (_signon_within(folded, words[at:]) for at in range(begin, len(words)))
    return next(filter(None, chain(beginning, within)), None)


def new_password(line: str) -> int | None:
    """Return where a new password may begin on the normalized line, as after SET PASSWORD or "password:", or None."""
    folded = fold(line)
    begins = folded[:_MOST_DECORATION]
    if not _NEW_CUE.search(begins):
        return None
    words = _words(folded)
    own = _settings_apart(words[_decoration(words) :])
    if behind := _behind_password(own):
        return _secret_in(folded, own[behind:])
    named = _PASSWORD_COLON.search(begins)
    return _secret_in(folded, _words(folded, named.end())) if named else None


def stated_password(line: str) -> Word | None:
    """Return the word that a sentence calls a password, as in "my password for heron is hush", or None.

    The password must end the sentence, or a clause of it.
    """
    folded = fold(line)
    if not _NEW_CUE.search(folded):
        return None
    said, is_own = _said_of_password(_words(folded))
    if not said:
        return None
    secret, *others = said
    is_ordinary = secret.letters in ORDINARY or not is_own and secret.letters.endswith(_OF_PARTICIPLES)
    return secret if ends_clause(secret, others) and secret.argument and not is_ordinary else None


def _said_of_password(words: Words) -> tuple[Words, bool]:
    """Return the words after "password is" or "password:", and whether the password is called "my"."""
    said = [word.letters for word in words]
    named = next((at for at, word in enumerate(said) if word in _PASSWORDS), len(said))
    near = range(named, min(named + _MOST_BEFORE_IS, len(said)))
    linked = next((at for at in near if said[at] == "is" or words[at].text[-1] == ":"), len(said))
    is_own = "my" in said[max(named - 2, 0) : named]
    return [*dropwhile(lambda word: word.letters in _STILL, words[linked + 1 :])], is_own


def ends_clause(word: Word, others: Words) -> bool:
    """Return whether `word`, with the words `others` after it, ends a sentence or a clause."""
    return not others or word.text[-1] in ".,;!" or others[0].letters in _NEXT_CLAUSE


def _settings_apart(words: Words) -> Words:
    """Return the words, with PASSWORD split from a word that is joined to it: PASSWORD=hush."""
    for number, word in enumerate(words[:3]):
        if joined := _JOINED_PASSWORD.match(word.text):
            return [*words[:number], Word(joined[0], word.start), word.cut(joined.end()), *words[number + 1 :]]
    return words


def _behind_password(words: Words) -> int:
    """Return the index of the word after PASSWORD if the words set a password, else 0."""
    said = [word.letters for word in words]
    match said:
        case ["setpassword", *_]:
            return 1
        case ["set", before, "password" | "passwd", *_] if before in _BEFORE_NEW or words[0].text.isupper():
            return 3
        case ["set", *_]:
            return _behind_setting(words)
        case _:
            return _behind_own(words, said)


def _behind_own(words: Words, said: Sequence[str]) -> int:
    """Return the index of the word after "new password", "my password is" or the like, or 0 for prose."""
    at = next((number for number, word in enumerate(said[:3]) if word not in _BEFORE_OWN), 0)
    is_linked = said[at + 1 : at + 2] in (["to"], ["is"])
    behind = at + 1 + is_linked
    changes = said[:1] in (["new"], ["change"])
    # A statement about a password is prose: "My password does not work".
    is_statement = not changes and (at > 0 or is_linked)
    if is_statement and not (is_linked and len(words) == behind + 1):
        return 0
    return behind if _begins_with_password([*words[at : at + 1], *words[behind:]]) else 0


def _behind_setting(words: Words) -> int:
    """Return the index of the word after PASSWORD in a line of one or more settings, or 0."""
    for at, word in enumerate(words[1:], start=1):
        letters = word.letters
        is_listed = letters in _IN_LISTS and words[at - 1].text.endswith(",")
        is_first = at == 1 and (letters in _NEW or _is_slip(letters, "password", "po0a"))
        if is_first or is_listed:
            return at + 1
    return 0


def _begins_with_password(words: Words) -> bool:
    """Return whether the words are PASSWORD and a new password, and not a sentence.

    One word too many is allowed.
    """
    if len(words) < 2 or words[0].letters not in _PASSWORDS or words[1].letters in _PROSE:
        return False
    if words[0].bare.isupper():
        return True
    is_short = len(words) <= 3 or any(map(str.isdigit, words[1].text))
    return is_short and words[1].letters not in _SAID_OF_THEM


def _secret_in(line: str, words: Words) -> int | None:
    """Return the position of the first word that has a letter or a digit, or that is a placeholder.

    Return None if there is no such word, or if it is a placeholder.
    """
    said = (word for word in words if any(map(str.isalnum, word.text)) or is_left_open(word.text))
    first = next(said, None)
    return None if first is None or is_left_open(line[first.start :]) else first.start + (first.text[0] in ":=")


def _is_slip(said: str, word: str, begins: str) -> bool:
    """Return whether `said` is the word with at most one typing error, such as two swapped letters.

    `begins` has the letters that may begin the word, such as neighbors of the first letter on keyboards.
    """
    begun = said[:1] in set(begins) and said.replace("0", "o").isalpha()
    return begun and is_miswritten(said, word, 1)


def _words(line: str, start: int = 0, *, comment: bool = False) -> list[Word]:
    """Return the first words from `start` on. Words of a comment at the end are included only if `comment` is true."""
    found: list[Word] = []
    for token in _TOKEN.finditer(line, start):
        is_over = len(found) == _MOST_TOKENS or token.start() > _MOST_DECORATION
        if is_over or token[0].startswith("//") and not comment:
            break
        found.append(Word(token[0][:_MOST_LETTERS], token.start()))
    return found


def _decoration(words: Words) -> int:
    """Return the index of the first word that is neither decoration nor a greeting."""
    for number, word in enumerate(words):
        letters = word.letters
        is_mark = letters in PREFIXES and ":" in word.text or len(letters) <= 3 and word.text[-1] in ":.)>]"
        if letters and not is_mark and letters not in _GREETINGS and not re.match(r"re\[\d", letters):
            return number
    return max(0, len(words) - 1)


def _signon_at(line: str, words: Words) -> SignonLine | None:
    """Return the sign-on that begins with the first of the words, or None."""
    first, second = words[0], words[1].letters if len(words) > 1 else ""
    letters = first.letters.replace("-", "").replace("_", "")
    pair = f"{letters} {second}"
    if letters in _FAMILY:
        return _found(line, first, words[1:])
    if _is_slip(letters, "signon", "sadewxzi"):
        return _found(line, first, words[1:], literal=True)
    if behind := _behind_halves(words):
        return _found(line, first, words[behind:])
    glued = _GLUED.search(first.text)
    if glued and letters.startswith("signon"):
        return _found(line, first, [first.cut(glued.end()), *words[1:]], literal=True)
    if pair in _OTHERS:
        return _other(line, first, words[2:])
    if letters in _OTHERS or _is_like_other(letters):
        return _other(line, first, words[1:])
    return _nearly_signon(line, words, letters, second)


def _behind_halves(words: Words, halves: Collection[str] = _HALVES) -> int:
    """Return the index of the word after "sign on" or "sign me on", or 0 for other words."""
    said = [word.letters for word in words[:3]]
    if " ".join(said[:2]) in halves:
        return 2
    is_for_someone = len(said) > 2 and said[1] in _WHOM and f"{said[0]} {said[2]}" in halves
    return 3 if is_for_someone else 0


def _nearly_signon(line: str, words: Words, letters: str, second: str) -> SignonLine | None:
    """Return the sign-on whose first word is much like SIGNON but may also be prose, or None.

    Exactly a power with its game and a password must follow: "Signing on to Fstork hush".
    """
    joined = letters + second if second in _BETWEEN else letters
    if letters not in _NEARLY and not is_miswritten(letters, "signon") and not is_miswritten(joined, "signon"):
        return None
    own = [word for word in words[1:] if word.argument and word.letters not in _BETWEEN]
    return _other(line, words[0], own) if len(own) == 2 else None


def _is_like_other(letters: str) -> bool:
    """Return whether a word is CREATE, OBSERVE or the like with a typing error.

    A short word is too similar to other words to be recognized.
    """
    return any(len(word) >= _LONG and is_miswritten(letters, word, 1) for word in _OTHERS)


def _signon_within(line: str, words: Words) -> SignonLine | None:
    """Return the sign-on inside the line, as in "my line was: signon Fheron hush", or None."""
    letters = words[0].letters
    is_literal = letters.replace("-", "").endswith("signon")
    behind = 1 if is_literal or letters == "login" else _behind_halves(words, _HALVES_WITHIN)
    if not behind:
        return None
    others = words[behind:]
    if not is_literal:
        others = [*dropwhile(lambda word: word.letters in _TOWARDS, others)]
    found = _found(line, words[0], others, literal=is_literal)
    if not found or len(found.words) < 2 or found.words[0].lower() in _PROSE:
        return None
    certain = _TARGET.fullmatch(found.words[0]) or is_literal and len(found.words) == 2
    return replace(found, certain=bool(certain), is_whole=False)


def _found(
    line: str, first: Word, others: Words, *, literal: bool = False, of_family: bool = True
) -> SignonLine | None:
    """Return the sign-on with its `first` word and the `others`, or None if there are no others."""
    verb, said = first.bare, tuple(word for word in _parted(others) if word.argument)
    if not said:
        return None
    open_at = next((at for at, word in enumerate(said[1:], 1) if is_left_open(line[word.start :])), len(said))
    said = said[:open_at]
    orders: tuple[Word, ...] = ()
    if len(said) > 1 and _ORDERS.match(line, said[1].start):
        said, orders = said[:1], said[1:]
    is_literal = literal or verb.isupper() and not line.isupper() and (of_family or verb == "CREATE")
    return SignonLine(verb, said, _is_certain(said, is_literal), of_family, orders=orders)


def _is_certain(said: Words, is_literal: bool) -> bool:
    """Return whether prose never has the words `said` after a verb.

    `is_literal` is true if prose never has the verb itself.
    """
    target = said[0].argument
    if len(said) == 1 or target.lower() in _PROSE:
        return False
    return is_literal or _TARGET.fullmatch(target) is not None


def _other(line: str, first: Word, others: Words) -> SignonLine | None:
    """Return the line that creates, observes, joins or resigns, or None if it is prose."""
    found = _found(line, first, others, of_family=False)
    if not found or found.words[0].lower() in _PROSE or len(found.words) == 1 and "@" not in found.words[0]:
        return None
    is_greeting = found.verb.lower() == "hello" and not found.verb.isupper()
    return None if is_greeting and not _TARGET.fullmatch(found.words[0]) else found


def _parted(words: Words) -> Words:
    """Return the words, with the first two split if a character joins them: Fheron:hush."""
    joined = _JOINED.match(words[0].text) if words else None
    if not joined:
        return words
    return [Word(joined[0], words[0].start), words[0].cut(joined.end(1)), *words[1:]]
