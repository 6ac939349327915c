"""Mask the passwords of one letter in its reply, its subject, the log and the stored letter.

A letter's passwords are those in its own sign-ons, CREATE, OBSERVE and SET PASSWORD, right or wrong. A password is
masked wherever it occurs as a whole word. A line may be only similar to one of these commands (misspelled, quoted,
after SIGNOFF). On such a line the possible password is masked, but usually not elsewhere in the letter. All other text
is unchanged. judge/commands/core/secrets.py finds the position of a password on a line.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from judge.commands.core.command import Call, Place
from judge.commands.core.line_forms import is_greeting, whole_signon
from judge.commands.core.secrets import Games, Span, is_filler, secret_in, secret_of_signon, told_in
from judge.letters import Letter
from judge.letters.signon_lines import pieces, signon_line
from judge.letters.text import fold, is_miswritten
from judge.letters.words import WORDS
from judge.letters.written_passwords import AROUND, bare, is_left_open, spellings

MASK = "****"
# Words, or lines, each with what replaces it or is masked on it.
Masks = dict[str, str]
# The judge's emails say "keep this email" after a password. Older ones say "keep this mail".
_KEPT = ": keep this "
_OF_JUDGE = re.compile(rf"[^\s:]{{4,60}}(?={_KEPT}e?mail)")
_WORDS = re.compile(r"\w+")
_TELLING = frozenset({
    "password", "passwd", "passwort", "kennwort", "pw", "pwd", "pass", "passphrase", "passcode", "signon", "login",
    "logon", "contraseña", "clave", "senha", "parola", "wachtwoord", "lösenord", "losenord", "hasło", "haslo", "heslo",
    "jelszó", "jelszo", "salasana", "пароль", "şifre", "sifre", "σύνθημα", "密码", "パスワード",
})  # fmt: skip
_SET_ALONE = {"SET PASSWORD", "SET PW", "SET P", "PASSWORD", "NEW PASSWORD"}
_MASKS = re.compile(r"\*{4}(?: \*{4}){1,20}")
_LONGEST_LINE = 2000
_SHORTEST_BELOW = 4
_LONGEST_BY_CHANCE = 6
# The minimum length of a password right after a game's name. Fewer letters may be a typing error in the name.
_SHORTEST_GLUED = 3
# Words of thanks next to a sign-on are not a password.
_COURTESIES = frozenset(WORDS["thanks"])
_TITLES = {"orders", "moves", "builds", "retreats", "adjustments", "press"}
# The number of words to mask on a line similar to a sign-on, since one of them is its password.
_MOST_DOUBTFUL = 3


@dataclass(frozen=True)
class Redaction:
    """The words to mask in the texts of one letter."""

    # Each password with its replacement.
    words: Mapping[str, str] = field(default_factory=dict, repr=False)
    # Lines that are almost commands, each with the words to mask on that line only.
    lines: Mapping[str, str] = field(default_factory=dict, repr=False)
    # The existing games that the letter's lines may name.
    games: Games = frozenset()

    def __call__(self, text: str) -> str:
        """Return the text without the letter's passwords. A line without a password is unchanged."""
        return "\n".join("".join(map(self._piece, pieces(line))) for line in text.split("\n"))

    def about(self, line: str, text: str) -> str:
        """Return `text`, which is about `line`, without the passwords that it repeats from the line."""
        written = line.lower()
        parts = text.split('"')
        for number, part in enumerate(parts):
            is_of_line = all(word in written for word in part.lower().split())
            if number % 2 or is_of_line:
                parts[number] = self(part)
        told = '"'.join(parts)
        return self._glued.sub(self._instead, told) if self._glued else told

    def joined(self, other: "Redaction") -> "Redaction":
        """Return a redaction that masks the passwords of this redaction and of the other one."""
        return Redaction({**self.words, **other.words}, {**self.lines, **other.lines}, self.games | other.games)

    def holds_password(self, text: str) -> bool:
        """Return whether a password of the letter is in the text as a whole word."""
        folded = fold(text)
        known = self._known_in(folded)
        return known is not None and known.search(folded) is not None

    def giving_away(self, text: str, game: str, is_of_game: Callable[[str], bool]) -> str:
        """Return the first line that would reveal a password to the readers of the text, or "".

        A line reveals a password if it says which word is the password, or has the letter's password in it. Some words
        reveal a password only next to the word "password", a sign-on word or the name of `game`. These are short words
        of letters, and words that `is_of_game` accepts.
        """
        return next((line.strip() for line in text.split("\n") if self._gives_away(fold(line), game, is_of_game)), "")

    def _gives_away(self, line: str, game: str, is_of_game: Callable[[str], bool]) -> bool:
        if told_in(line, self.games):
            return True
        known = self._known_in(line)
        passwords = known.findall(line) if known else []
        if not all(_is_by_chance(word) or is_of_game(word) for word in passwords):
            return True
        if not passwords:
            return False
        beside = _WORDS.findall(line.lower())
        named = any(
            word in _TELLING or is_miswritten(word, "password") or word[-len(game) :] == game for word in beside
        )
        return named or signon_line(line) is not None

    def _piece(self, text: str) -> str:
        folded = line = fold(text)
        secret, known = secret_in(line, self.games), self._known_in(line)
        # A known password at this position gets its own replacement, as on all other lines.
        if secret and not (known and known.match(line, secret[0])):
            begin, end = secret
            masked = _MASKS.sub(MASK, " ".join(map(_mask, line[begin:end].split(" "))))
            line = line[:begin] + masked + line[end:]
        line = self._without_doubtful(line)
        line = _OF_JUDGE.sub(MASK, line) if _KEPT in line else line
        if known:
            masked = known.sub(self._instead, line)
            line = line if masked == line else _MASKS.sub(MASK, masked)
        return text if line == folded else line

    def _without_doubtful(self, line: str) -> str:
        """Return the line without the words that are masked on this line only."""
        if not self.lines or len(line) > _LONGEST_LINE:
            return line
        whole = " ".join(line.split())
        for read, secret in self.lines.items():
            if read in whole:
                line = _whole_words([secret, *secret.split()]).sub(MASK, line)
        return line

    def _instead(self, found: re.Match[str]) -> str:
        """Return the replacement for the password in this match, in capitals or lowercase."""
        return self.words.get(found[0]) or self._any_case.get(found[0].lower(), MASK)

    @cached_property
    def _any_case(self) -> Mapping[str, str]:
        return {word.lower(): instead for word, instead in self.words.items()}

    @cached_property
    def _by_beginning(self) -> Mapping[str, Sequence[str]]:
        """The passwords, by the letters and digits at their beginning."""
        found: dict[str, list[str]] = {}
        for word in self.words:
            found.setdefault("".join(_WORDS.findall(word.lower())[:1]), []).append(word)
        return found

    def _known_in(self, line: str) -> re.Pattern[str] | None:
        """Return a pattern for the passwords that may be in the line, or None if the line has no password."""
        runs = {"", *_WORDS.findall(line.lower())} & self._by_beginning.keys()
        return _whole_words(word for run in runs for word in self._by_beginning[run]) if runs else None

    @cached_property
    def _glued(self) -> re.Pattern[str] | None:
        glued = [word for word, instead in self.words.items() if instead != MASK]
        return _whole_words(glued) if glued else None


def _mask(word: str) -> str:
    """Return the word with its password masked. Words that only introduce a password are unchanged."""
    return word if is_filler(word) or not any(map(str.isalnum, word)) else _dressed(word)


def _dressed(word: str) -> str:
    before, _, behind = word.partition(bare(word))
    return f"{before}{MASK}{behind}"


def _is_by_chance(word: str) -> bool:
    """Return whether a password is a word of prose, such as "river" in "Meet me at the river"."""
    return word.isalpha() and len(word) <= _LONGEST_BY_CHANCE


def redaction_of(letter: Letter, calls: Sequence[Call], games: Games) -> Redaction:
    """Return the redaction for the texts of this letter, whose commands are `calls`.

    `games` has the existing games that lines of the letter name.
    """
    told = {fold(line).strip() for call in calls for line in call.body}
    nearly: Masks = {}
    for text in (letter.subject, *(line.text for line in letter.lines)):
        for piece in map(fold, pieces(text)):
            nearly = _of_near_miss(piece, games, is_told=piece.strip() in told) | nearly
    below, alone_below = _below_signon(letter, told.union(call.line for call in calls), games)
    given, alone = _of_commands(calls, games)
    return Redaction({**nearly, **below, **given}, {**alone_below, **alone}, games)


def _of_commands(calls: Sequence[Call], games: Games) -> tuple[Masks, Masks]:
    """Return the passwords in commands, and the words to mask on one line only, because that line may be prose."""
    words: Masks = {}
    lines: Masks = {}
    for call in calls:
        if call.secret is None:
            continue
        secret = call.line[slice(*call.secret)]
        if not _may_be_prose(call, games):
            words |= _masked_at(call.line, call.secret)
        elif call.command.place is Place.LOBBY or call.is_in_capitals or not bare(secret).isalpha():
            # Mask the word after a command in capitals, and a word with digits or punctuation. In "Watch Italy
            # closely", no word is masked.
            lines[call.line] = secret
    return words, lines


def _of_near_miss(line: str, games: Games, *, is_told: bool) -> Masks:
    """Return the words that are probably the password of a line like a sign-on, to mask them on all lines.

    `is_told` is true if the line is in a message.
    """
    place = secret_in(line, games)
    if place is None:
        return {}
    found = signon_line(line)
    # In CREATE hush nest, either word may be the name of the game, so neither is surely the password.
    is_sure = not is_told and (found is None or (found.certain or found.verb.isupper()) and place[0] > found.start)
    written = [word for word in line[slice(*place)].split() if not is_filler(word)][:_MOST_DOUBTFUL]
    known: Masks = {}
    for number, word in enumerate(written):
        is_first = number == 0 and is_sure and not _is_by_chance(bare(word))
        if is_first or any(map(str.isdigit, word)):
            known |= _masked(word)
    return known


def _masked_at(line: str, place: Span) -> Masks:
    """Return the mask for the password at `place`. A word that only ends with the password keeps its beginning."""
    begin, end = place
    secret = line[begin:end]
    before = line[:begin].rpartition(" ")[2]
    if not before[-1:].isalnum():
        return _masked(secret)
    glued, *others = secret.split()
    words = {f"{one}{glued}": f"{one}{MASK}" for one in (before, before[1:])}
    alone = [glued] if len(glued) >= _SHORTEST_GLUED else []
    return _masked(" ".join([*alone, *others])) | words


def _may_be_prose(call: Call, games: Games) -> bool:
    if call.command.place is Place.LOBBY:
        return not call.is_command
    target = call.arguments.get("target") or call.arguments.get("game")
    if not target or call.line.upper().startswith("SIGN") or not {"?", "@"}.isdisjoint(call.line):
        return False
    found = signon_line(call.line)
    return found is None or not found.names(games)


def _below_signon(letter: Letter, known: Collection[str], games: Games) -> tuple[Masks, Masks]:
    """Return passwords on a separate line after a sign-on or SET PASSWORD, and words to mask on one line only.

    A single word that begins with a capital may be a heading, so it is masked on its line only. `known` has the lines
    that are commands or in messages.
    """
    texts = [fold(line.text).strip() for line in letter.lines]
    words: Masks = {}
    lines: Masks = {}
    for number in range(1, len(texts)):
        below = texts[number]
        above = whole_signon(letter.lines, number - 2) if number > 1 else ""
        is_open = below not in known and _is_open(above or texts[number - 1], games)
        said = _alone(below) if is_open else ""
        if said.isalpha() and any(map(str.isupper, said)):
            lines[below] = said
        elif said:
            words |= _masked(said)
    return words, lines


def _is_open(line: str, games: Games) -> bool:
    """Return whether a line is a sign-on without a password, or SET PASSWORD without an argument."""
    found = signon_line(line)
    if found and found.of_family and found.is_apart:
        secret = secret_of_signon(found, games)
        is_open = secret is None or is_filler(line[slice(*secret)])  # "SIGNON Fheron password:"
        return is_open and (found.verb.isupper() or found.names(games))
    return line.rstrip(AROUND).upper() in _SET_ALONE


def _alone(line: str) -> str:
    """Return the only word on a line besides courtesies and punctuation, or "" unless there is exactly one."""
    said = [word for word in line.split() if any(map(str.isalnum, word)) and not _is_beside(word)]
    is_password = len(said) == 1 and len(said[0]) >= _SHORTEST_BELOW and bare(said[0]).lower() not in _TITLES
    return said[0] if is_password else ""


def _is_beside(word: str) -> bool:
    """Return whether people write the word next to a password: "password:", "thanks", "Hello"."""
    return is_filler(word) or bare(word).lower() in _COURTESIES or is_greeting(word)


def _masked(secret: str) -> Masks:
    """Return the masks for the password, its words and their spellings, but no mask for a placeholder."""
    if is_left_open(secret):
        return {}
    words = secret.split()
    meant = [word for word in words if len(words) == 1 or not is_filler(word)]
    return {one: _dressed(one) for word in (secret, *meant) for one in spellings(word) if len(one) > 1}


def _whole_words(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for any of these words, in capitals or lowercase, as whole words.

    Longer words come first, because the first match wins.
    """
    found = sorted(set(words) - {""}, key=lambda word: (-len(word), word))
    # The match begins and ends where a letter or digit is on one side at most.
    return re.compile(rf"(?:(?<!\w)|(?!\w))(?:{'|'.join(map(re.escape, found))})(?:(?<!\w)|(?!\w))", re.IGNORECASE)
