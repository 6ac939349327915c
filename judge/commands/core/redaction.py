"""The passwords of one letter, and texts without them: in its reply, in its subject, in the log and where it is kept.

A password is masked because it is known: the words that the letter's own sign-ons, CREATE, OBSERVE and SET PASSWORD
gave, right or wrong, wherever they stand as whole words. A line that is only like one of these (misspelt, quoted, below
SIGNOFF) is masked itself, and its words nowhere else. Everything else stays as it was written.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from judge.commands.core.command import Call, Place
from judge.commands.core.line_forms import AROUND_PASSWORDS, BETWEEN, forms, without_greeting
from judge.letters import Letter
from judge.letters.signon_lines import new_password, possible_games, signon_line
from judge.letters.text import fold, is_miswritten
from judge.rules import VariantError, variant_names
from judge.rules.variant.registry import variant_called

MASK = "****"
_LEFT_OPEN = re.compile(r"<[^<>]{0,60}>?|\.{2,}|\*{4}")
_PARTS = re.compile(r"[,:;/|=]+")
# Older emails say "mail".
_KEPT = ": keep this "
_OF_JUDGE = re.compile(rf"[^\s:]{{4,60}}(?={_KEPT}e?mail)")
# Their names are words of prose: without a game they give no password that is masked elsewhere.
_OF_PROSE = ("CREATE", "OBSERVE", "WATCH", "MONITOR", "JOIN", "HELLO", "TAKE", "RESIGN", "WITHDRAW", "LOGIN", "LOGON")
_WORDS = re.compile(r"\w+")
_TELLING = frozenset({
    "password", "passwd", "passwort", "kennwort", "pw", "pwd", "pass", "passphrase", "passcode", "signon", "login",
    "logon", "contraseña", "clave", "senha", "parola", "wachtwoord", "lösenord", "losenord", "hasło", "haslo", "heslo",
    "jelszó", "jelszo", "salasana", "пароль", "şifre", "sifre", "σύνθημα", "密码", "パスワード",
})  # fmt: skip
_MASKS = re.compile(r"\*{4}(?: \*{4}){1,20}")
_LONGEST_NAME = 20
_LONGEST_LINE = 2000
_SIGNON = re.compile(r"(?<!\w)sign[ -]?on(?=\s)", re.IGNORECASE)
# So much of a line is looked at for a sign-on; beyond that, for so many.
_READ, _MOST_PIECES = 150, 20
_SHORTEST_BELOW = 4
# What is shorter may be a typing error in the name of the game.
_SHORTEST_GLUED = 3

Existing = Callable[[Collection[str]], Collection[str]]

@dataclass(frozen=True)
class Redaction:
    """What is masked in the texts of one letter.

    `words`: {a password: what stands in its place}. `lines`: {a line that was read as almost a command: the words that
    are masked on it alone}. `games`: the names of games that exist, of all that the letter's lines may mean.
    """

    words: Mapping[str, str] = field(default_factory=dict, repr=False)
    lines: Mapping[str, str] = field(default_factory=dict, repr=False)
    games: frozenset[str] = frozenset()

    def __call__(self, text: str) -> str:
        """The text without the letter's passwords, line by line; a line without one stays as it is."""
        return "\n".join("".join(map(self._piece, _pieces(line))) for line in text.split("\n"))

    def about(self, line: str, text: str) -> str:
        """`text`, which is about `line` and may quote pieces of it, without the passwords in these."""
        told = '"'.join(self(piece) if piece in line else piece for piece in text.split('"'))
        return self._glued.sub(lambda found: self.words[found[0]], told) if self._glued else told

    def joined(self, other: "Redaction") -> "Redaction":
        """What either of them masks."""
        return Redaction({**self.words, **other.words}, {**self.lines, **other.lines}, self.games | other.games)

    def holds_password(self, text: str) -> bool:
        """Return whether a password of the letter stands in the text as a whole word."""
        return self._known is not None and self._known.search(fold(text)) is not None

    def giving_away(self, text: str, game: str) -> str:
        """Return the line that would give a password away to the readers of the text; "" if there is none.

        That is a sign-on to a game that exists, or a password of the letter next to the word password, a sign-
        on word or the name of `game`.
        """
        return next((line.strip() for line in text.split("\n") if self._gives_away(fold(line), game)), "")

    def _gives_away(self, line: str, game: str) -> bool:
        found = signon_line(line)
        # "Join heron soon" is what people write to each other, as long as it is not in capitals.
        meant = found and (found.of_family or found.certain or found.verb.isupper())
        if found and meant and found.secret is not None and not self.games.isdisjoint(possible_games(found.named)):
            return True
        if not self._known or not self._known.search(line):
            return False
        beside = _WORDS.findall(line.lower())
        named = any(
            word in _TELLING or is_miswritten(word, "password") or word[-len(game) :] == game for word in beside
        )
        return bool(found) or named or new_password(line) is not None

    def is_near_miss(self, line: str) -> bool:
        """Whether the line is like a sign-on or a new password that is none, with what may be a password on it."""
        return self._secret(fold(line)) is not None

    def _piece(self, text: str) -> str:
        folded = line = fold(text)
        place = self._secret(line)
        if place is not None and not (self._known and self._known.search(line, place)):
            line = line[:place] + MASK
        if self.lines and len(line) <= _LONGEST_LINE:
            whole = " ".join(line.split())
            for form in (whole, *forms(whole), *forms(without_greeting(whole))):
                if secret := self.lines.get(form) or self.lines.get(form.partition(" //")[0].rstrip()):
                    line = _whole_words([secret, *secret.split()]).sub(MASK, line)
                    break
        line = _OF_JUDGE.sub(MASK, line) if _KEPT in line else line
        # Most lines hold none: a search for plain text says so a hundred times as fast as the pattern.
        if self._known and any(word in line for word in self.words):
            masked = self._known.sub(lambda found: self.words[found[0]], line)
            line = line if masked == line else _MASKS.sub(MASK, masked)
        return text if line == folded else line

    def _secret(self, line: str) -> int | None:
        """Where a password may begin on a line that is like a sign-on, or like SET PASSWORD."""
        found = signon_line(line)
        if found and _is_power_and_game(found.words, self.games):
            return None
        is_signon = found and (found.certain or not self.games.isdisjoint(possible_games(found.named)))
        place = found.secret if found and is_signon else None
        return new_password(line) if place is None else place

    @cached_property
    def _known(self) -> re.Pattern[str] | None:
        return _whole_words(self.words) if self.words else None

    @cached_property
    def _glued(self) -> re.Pattern[str] | None:
        glued = [word for word, instead in self.words.items() if instead != MASK]
        return _whole_words(glued) if glued else None


def _is_power_and_game(words: tuple[str, ...], games: frozenset[str]) -> bool:
    """Return whether a sign-on is a power and a game in two words, without a password: SIGNON France heron."""
    return len(words) == 2 and words[1].lower() in games and games.isdisjoint(possible_games(words[:1]))


def redaction_of(letter: Letter, calls: Sequence[Call], existing: Existing) -> Redaction:
    """Return what is masked in the texts of this letter, whose commands are `calls`.

    `existing`: returns those of some names that games have.
    """
    pieces = (piece for line in (letter.subject, *(one.text for one in letter.lines)) for piece in _pieces(line))
    near = [found for piece in pieces if (found := signon_line(piece)) and found.secret is not None]
    names = {name for found in near for name in possible_games(found.named)}
    given = [call for call in calls if "password" in call.arguments or call.command.place is Place.OPENING]
    for call in given:
        names |= _names(call)
    games = frozenset(existing(names)) if names else frozenset[str]()
    words: dict[str, str] = {}
    lines = _below_signon(letter, calls)
    for call in given:
        secret, behind, target = call.arguments.get("password"), call.arguments.get("words"), _target(call)
        named, in_lobby = _names_game(target, games), call.command.place is Place.LOBBY
        # A line that cannot be read, or prose that a command was seen in, gives a password only perhaps.
        misread = in_lobby and not call.is_command
        prose = call.line.upper().startswith(_OF_PROSE) and "?" not in call.line and "@" not in call.line
        apart = bool(behind and len(behind.split()) == 1 and behind.upper() != "GUNBOAT")
        if apart:
            with suppress(VariantError):
                apart = variant_called(behind or "") not in variant_names()
        if secret and behind and not named and _names_game(secret, games):
            words |= dict.fromkeys(_written(behind), MASK)  # TAKEOVER France heron hush
        elif secret and behind and apart and named:
            words |= dict.fromkeys(_written(behind), MASK)  # TAKEOVER heron France hush
            lines |= {call.line: secret}
        elif secret and (misread or target and prose and not named):
            # A word behind a command in capitals, or no word of prose ("Watch Italy closely").
            in_capitals = in_lobby or call.line.partition(" ")[0].isupper()
            if in_capitals or not secret.strip(AROUND_PASSWORDS).isalpha():
                lines |= {call.line: secret}
        elif secret is None:
            words |= _glued(target, games)
        elif _is_power_and_game((target, *secret.split()), games):
            continue
        elif call.command.place is not Place.OPENING or target or "game" in call.arguments:
            words |= dict.fromkeys(_written(secret), MASK)
        else:
            words |= _among(secret.split(), games)
    return Redaction(words, lines, games)


def _pieces(line: str) -> list[str]:
    """The line; one that is too long for `signon_line` (a damaged page may be one line) is cut before each SIGNON."""
    cuts = [found.start() for found in _SIGNON.finditer(line, _READ + 1)][:_MOST_PIECES] if len(line) > _READ else []
    return [line[begin:end] for begin, end in pairwise([0, *cuts, len(line)])]


def _below_signon(letter: Letter, calls: Sequence[Call]) -> dict[str, str]:
    """The single words on lines right below a sign-on without a password, which were meant as one: {line: word}."""
    commands = {call.line for call in calls}
    texts = [line.text.strip() for line in letter.lines]
    return {
        below: below
        for line, below in pairwise(texts)
        if below and len(below.split()) == 1 and below not in commands and len(below) >= _SHORTEST_BELOW
        and (found := signon_line(line)) and found.of_family and found.secret is None
    }  # fmt: skip


def _names(call: Call) -> set[str]:
    """The names of games that the call may mean; a single word may be a game and a password."""
    said = f"{_target(call)} {call.arguments.get('password') or ''}".split()
    parts = [_PARTS.split(word.strip(AROUND_PASSWORDS)) for word in said]
    words = tuple(word for part in parts for word in part if word)
    names = possible_games(words)
    if len(words) == 1:
        names |= {name[:end] for name in names for end in range(1, min(len(name), _LONGEST_NAME) + 1)}
    return names


def _target(call: Call) -> str:
    """The word that names the game, in whichever command; "" if it is among other words."""
    return call.arguments.get("target") or call.arguments.get("game") or ""


def _written(secret: str) -> Iterator[str]:
    """The password as it was written, and each of its words without what people put around them."""
    for word in (secret, *secret.split()):
        bare = word.strip(AROUND_PASSWORDS)
        if not _LEFT_OPEN.fullmatch(word):
            yield from filter(None, {word if len(word) > 1 else "", bare if len(bare) > 1 else ""})


def _among(words: list[str], games: frozenset[str]) -> dict[str, str]:
    """The passwords among the words behind SIGNON, where these are not only power, game and password.

    Its target is one word, or a power and a game; what stands behind it may be the password.
    """
    if len(words) == 1:
        parts = _PARTS.split(words[0].strip(AROUND_PASSWORDS), maxsplit=1)
        glued = _glued(words[0], games)
        return glued or dict.fromkeys(_written(parts[-1]), MASK)
    named = next((at for at, word in enumerate(words) if _names_game(word, games)), 0)
    if named == 0 and len(words) > 2 and words[0].strip(AROUND_PASSWORDS).lower() in games:
        named = 1  # the game, then the power
    secrets = [word for word in words[named + 1 :] if word.strip(AROUND_PASSWORDS).lower() not in BETWEEN]
    first = _PARTS.split(words[named].strip(AROUND_PASSWORDS), maxsplit=1)
    secrets += first[1:] or list(_glued(words[named], games))
    return {**{word: MASK for secret in secrets for word in _written(secret)}, **_glued(words[named], games)}


def _names_game(word: str, games: frozenset[str]) -> bool:
    return not games.isdisjoint(possible_games((word.strip(AROUND_PASSWORDS),)))


def _glued(target: str, games: frozenset[str]) -> dict[str, str]:
    """The password that was written into one word with its game, SIGNON Fheronhush, and what takes its place."""
    names = possible_games((target,))
    if not target or not games.isdisjoint(names):
        return {}
    for name in sorted(names, key=len):
        begun = max((game for game in games if name.startswith(game)), key=len, default="")
        if begun:
            end = target.lower().index(name) + len(begun)
            whole = {target: target[:end] + MASK, target.lower(): target[:end].lower() + MASK, name: begun + MASK}
            return {**whole, target[end:]: MASK} if len(target) - end >= _SHORTEST_GLUED else whole
    return {}


def _whole_words(words: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of these where no letter or digit stands right beside it; of two, the longer one."""
    found = sorted(set(words) - {""}, key=lambda word: (-len(word), word))
    # At its ends a word has a letter or digit on one side at most.
    return re.compile(rf"(?:(?<!\w)|(?!\w))(?:{'|'.join(map(re.escape, found))})(?:(?<!\w)|(?!\w))")
