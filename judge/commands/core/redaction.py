"""The passwords of one letter, and texts without them: in its reply, in its subject, in the log and where it is kept.

A password is masked because it is known: the words that the letter's own sign-ons, CREATE, OBSERVE and SET PASSWORD
gave, right or wrong, wherever they stand as whole words. A line that is only like one of these (misspelt, quoted, below
SIGNOFF) is masked itself, and its words nowhere else. Everything else stays as it was written.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import dropwhile, pairwise

from judge.commands.core.command import Call, Place
from judge.commands.core.line_forms import BETWEEN, forms, is_greeting, whole_signon, without_greeting
from judge.letters import Letter
from judge.letters.signon_lines import new_password, possible_games, signon_line
from judge.letters.text import fold, is_miswritten
from judge.letters.words import WORDS
from judge.letters.written_passwords import AROUND, bare, is_left_open, spellings
from judge.rules import VariantError, variant_names, variants
from judge.rules.variant.registry import variant_called

MASK = "****"
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
_SET_ALONE = {"SET PASSWORD", "SET PW", "SET P", "PASSWORD", "NEW PASSWORD"}
_MASKS = re.compile(r"\*{4}(?: \*{4}){1,20}")
_LONGEST_NAME = 20
_LONGEST_LINE = 2000
_SIGNON = re.compile(r"(?<!\w)sign[ -]?on(?=\s)", re.IGNORECASE)
# So much of a line is looked at for a sign-on; beyond that, for so many.
_READ, _MOST_PIECES = 150, 20
_SHORTEST_BELOW = 4
_LONGEST_BY_CHANCE = 6
# What people write below SIGNON that is no password.
_COURTESIES = frozenset(WORDS["thanks"])
_TITLES = {"orders", "moves", "builds", "retreats", "adjustments", "press"}
# The first words of a line that is only like a sign-on: its password is among them.
_MOST_DOUBTFUL = 3
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
        written = line.lower()
        pieces = ((piece, all(word in written for word in piece.lower().split())) for piece in text.split('"'))
        told = '"'.join(self(piece) if is_of_line else piece for piece, is_of_line in pieces)
        return self._glued.sub(self._instead, told) if self._glued else told

    def joined(self, other: "Redaction") -> "Redaction":
        """What either of them masks."""
        return Redaction({**self.words, **other.words}, {**self.lines, **other.lines}, self.games | other.games)

    def holds_password(self, text: str) -> bool:
        """Return whether a password of the letter stands in the text as a whole word."""
        return self._known is not None and self._known.search(fold(text)) is not None

    def giving_away(self, text: str, game: str, is_of_game: Callable[[str], bool]) -> str:
        """Return the line that would give a password away to the readers of the text; "" if there is none.

        That is a sign-on to a game that exists, or a password of the letter. A short word of letters, or one that is a
        word of the game as well, gives itself away only next to the word password, a sign-on word or the name of
        `game`.
        """
        return next((line.strip() for line in text.split("\n") if self._gives_away(fold(line), game, is_of_game)), "")

    def _gives_away(self, line: str, game: str, is_of_game: Callable[[str], bool]) -> bool:
        found = signon_line(line)
        # "Join heron soon" is what people write to each other, as long as it is not in capitals.
        meant = found and (found.of_family or found.certain or found.verb.isupper())
        if found and meant and found.secret is not None and not self.games.isdisjoint(possible_games(found.named)):
            return True
        passwords = self._known.findall(line) if self._known else []
        if not all(_is_by_chance(word) or is_of_game(word) for word in passwords):
            return True
        if not passwords:
            return False
        beside = _WORDS.findall(line.lower())
        named = any(
            word in _TELLING or is_miswritten(word, "password") or word[-len(game) :] == game for word in beside
        )
        return bool(found) or named or new_password(line) is not None

    def is_near_miss(self, line: str) -> bool:
        """Whether the line is like a sign-on or a new password that is none, with what may be a password on it."""
        return _secret(fold(line), self.games) is not None

    def _piece(self, text: str) -> str:
        folded = line = fold(text)
        place = _secret(line, self.games)
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
        lower = line.lower()
        if self._known and any(word in lower for word in self._any_case):
            masked = self._known.sub(self._instead, line)
            line = line if masked == line else _MASKS.sub(MASK, masked)
        return text if line == folded else line

    def _instead(self, found: re.Match[str]) -> str:
        """What takes the place of a password that was found, in whatever case."""
        return self.words.get(found[0]) or self._any_case.get(found[0].lower(), MASK)

    @cached_property
    def _any_case(self) -> Mapping[str, str]:
        return {word.lower(): instead for word, instead in self.words.items()}

    @cached_property
    def _known(self) -> re.Pattern[str] | None:
        return _whole_words(self.words) if self.words else None

    @cached_property
    def _glued(self) -> re.Pattern[str] | None:
        glued = [word for word, instead in self.words.items() if instead != MASK]
        return _whole_words(glued) if glued else None


def _is_by_chance(word: str) -> bool:
    """Return whether a password may be an ordinary word, written without a thought of it: "Meet me at the river"."""
    return word.isalpha() and len(word) <= _LONGEST_BY_CHANCE


def _secret(line: str, games: frozenset[str]) -> int | None:
    """Where a password may begin on a folded line that is like a sign-on, or like SET PASSWORD."""
    found = signon_line(line)
    if found and _is_power_and_game(found.words, games):
        return None
    is_signon = found and (found.certain or not games.isdisjoint(possible_games(found.named)))
    place = found.secret if found and is_signon else None
    return new_password(line) if place is None else place


def _is_power_and_game(words: tuple[str, ...], games: frozenset[str]) -> bool:
    """Return whether a sign-on is a power and a game in two words, without a password: SIGNON France heron."""
    return len(words) == 2 and words[1].lower() in games and games.isdisjoint(possible_games(words[:1]))


def redaction_of(letter: Letter, calls: Sequence[Call], existing: Existing) -> Redaction:
    """Return what is masked in the texts of this letter, whose commands are `calls`.

    `existing`: returns those of some names that games have.
    """
    texts = (letter.subject, *(line.text for line in letter.lines))
    pieces = [fold(piece) for text in texts for piece in _pieces(text)]
    near = filter(None, map(signon_line, pieces))
    given = [call for call in calls if "password" in call.arguments or call.command.place is Place.OPENING]
    names = {name for found in near for name in possible_games(found.named)}
    names = names.union(*map(_names, given))
    games = frozenset(existing(names)) if names else frozenset[str]()
    told = {fold(line).strip() for call in calls for line in call.body}
    words, lines = _below_signon(letter, told.union(call.line for call in calls), games)
    for call in given:
        if _may_be_prose(call, games):
            lines |= _on_its_line(call)
        else:
            words |= _given(call, games)
    for piece in pieces:
        words = _of_near_miss(piece, games, is_told=piece.strip() in told) | words
    return Redaction(words, lines, games)


def _of_near_miss(line: str, games: frozenset[str], *, is_told: bool) -> dict[str, str]:
    """The words of a line that is only like a sign-on which are no prose, so they are masked elsewhere as well.

    `is_told`: it is a line of a message.
    """
    place = _secret(line, games)
    if place is None:
        return {}
    words = [word for word in line[place:].split() if not _names_game(word, games)][:_MOST_DOUBTFUL]
    found = signon_line(line)
    if words and found and found.verb.isupper() and not found.of_family:
        said = _from_password(words)
        return _masked(said[len(said) > 1 and _is_power(said[0])])  # OBSERVE heron hush please
    secrets = [word for word in words if any(map(str.isdigit, word)) and _is_apart([word])]
    if not is_told and (found is None or found.certain):
        secrets += [word for word in _from_password(words)[:1] if not _is_by_chance(bare(word))]
    return {one: MASK for word in secrets for one in _masked(word)}


def _given(call: Call, games: frozenset[str]) -> dict[str, str]:
    """The passwords that a call gives, and what takes their place."""
    target, said = _target(call), _said(call)
    if "? " in call.line and target and not _names_game(target, games):
        said.insert(0, target)  # SIGNON ? hush please
    if not said:
        return _glued(target, games)
    if _is_power_and_game((target, *said), games):
        return {}
    if call.command.place is Place.OPENING and not target and "game" not in call.arguments:
        return _among((call.arguments.get("password") or "").split(), games)
    if len(said) > 1 and not _names_game(target, games) and _names_game(said[0], games):
        del said[0]  # TAKEOVER France heron hush
    elif len(said) == 2 and call.command.place is Place.OPENING and _is_power(said[0]):
        del said[0]  # TAKEOVER heron France hush
    elif call.command.place is Place.OPENING and (call.is_command or len(said) > 2 or not _is_apart(said[1:])):
        # What follows is a variant or prose. A single word may be the password: TAKEOVER heron France hush.
        del said[1:]
    return _masked(" ".join(said))


def _said(call: Call) -> list[str]:
    """The words of the call from its password on, without what people write before that."""
    given = (call.arguments.get(name) for name in ("password", "words", "variant"))
    return _from_password(" ".join(filter(None, given)).split())


def _from_password(words: list[str]) -> list[str]:
    """The words without signs that stand apart, and without what people write before a password."""
    said = [word for word in words if any(map(str.isalnum, word))] or words
    return list(dropwhile(_is_before_password, said[:-1])) + said[-1:]


def _is_before_password(word: str) -> bool:
    """Return whether people write the word before their password: "with password hush", "<your password: hush>"."""
    return bare(word).lower() in BETWEEN or is_left_open(word)


def _is_apart(words: Sequence[str]) -> bool:
    """Return whether a word is there that is no name of a variant, and none of its options."""
    word = bare(" ".join(words))
    with suppress(VariantError):
        return word != "" and word.upper() != "GUNBOAT" and variant_called(word) not in variant_names()
    return True


def _is_power(word: str) -> bool:
    """Return whether a power has that name, in whatever variant."""
    return any(bare(word).upper() in variant.power_words for variant in variants())


def _may_be_prose(call: Call, games: frozenset[str]) -> bool:
    """Return whether a line gives a password only perhaps: it cannot be read, or may be prose with such a word."""
    if call.command.place is Place.LOBBY:
        return not call.is_command
    target, line = _target(call), call.line
    begins_sentences = line.upper().startswith(_OF_PROSE) and not {"?", "@"} & set(line)
    if not target or not begins_sentences or _names_game(target, games):
        return False
    return not (call.arguments.get("words") and _names_game(call.arguments["password"] or "", games))


def _on_its_line(call: Call) -> dict[str, str]:
    """{the line: the words that are masked on it alone}, for a line that may be prose.

    That is a word behind a command in capitals, or no word of prose ("Watch Italy closely").
    """
    secret = call.arguments.get("password") or ""
    in_capitals = call.command.place is Place.LOBBY or call.line.partition(" ")[0].isupper()
    return {call.line: secret} if secret and (in_capitals or not bare(secret).isalpha()) else {}


def _pieces(line: str) -> list[str]:
    """The line; one that is too long for `signon_line` (a damaged page may be one line) is cut before each SIGNON."""
    cuts = [found.start() for found in _SIGNON.finditer(line, _READ + 1)][:_MOST_PIECES] if len(line) > _READ else []
    return [line[begin:end] for begin, end in pairwise([0, *cuts, len(line)])]


def _below_signon(
    letter: Letter, known: Collection[str], games: frozenset[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The passwords on lines right below a sign-on or SET PASSWORD that has none, and lines that may be one.

    A single word that begins with a capital may be a heading: it is masked on its line alone. `known`: the lines that
    are commands or stand in messages.
    """
    texts = [fold(line.text).strip() for line in letter.lines]
    words: dict[str, str] = {}
    lines: dict[str, str] = {}
    for number, below in enumerate(texts):
        above = whole_signon(letter.lines, number - 2) if number > 1 else ""
        is_open = number > 0 and _is_open(above or texts[number - 1], games)
        said = _alone(below) if is_open and below not in known else ""
        if said and any(map(str.isupper, said)) and said.isalpha():
            lines[below] = said
        elif said:
            words |= _masked(said)
    return words, lines


def _is_open(line: str, games: frozenset[str]) -> bool:
    """Return whether a line is a sign-on without a password, or SET PASSWORD alone."""
    found = signon_line(line)
    if found and found.of_family:
        is_meant = found.verb.isupper() or not games.isdisjoint(possible_games(found.named))
        return is_meant and (found.secret is None or _is_power_and_game(found.words, games))
    return line.rstrip(AROUND).upper() in _SET_ALONE


def _alone(line: str) -> str:
    """Return the word that a line holds beside courtesies and signs, "" if it is none, or holds others."""
    said = [word for word in _from_password(line.split()) if bare(word).lower() not in _COURTESIES | BETWEEN]
    said = [word for word in said if not is_greeting(word)]
    is_password = len(said) == 1 and len(said[0]) >= _SHORTEST_BELOW and bare(said[0]).lower() not in _TITLES
    return said[0] if is_password else ""


def _names(call: Call) -> set[str]:
    """The names of games that the call may mean; a single word may be a game and a password."""
    said = f"{_target(call)} {call.arguments.get('password') or ''}".split()
    parts = [_PARTS.split(word.strip(AROUND)) for word in said]
    words = tuple(word for part in parts for word in part if word)
    names = possible_games(words)
    if len(words) == 1:
        names |= {name[:end] for name in names for end in range(1, min(len(name), _LONGEST_NAME) + 1)}
    return names


def _target(call: Call) -> str:
    """The word that names the game, in whichever command; "" if it is among other words."""
    return call.arguments.get("target") or call.arguments.get("game") or ""


def _masked(secret: str) -> dict[str, str]:
    """The password in each of its spellings, and each of its words, to be masked; nothing for a placeholder."""
    if is_left_open(secret):
        return {}
    words = secret.split()
    meant = [word for word in words if len(words) == 1 or word.lower() not in BETWEEN]
    return {one: MASK for word in (secret, *meant) for one in spellings(word) if len(one) > 1}


def _among(words: list[str], games: frozenset[str]) -> dict[str, str]:
    """The passwords among the words behind SIGNON, where these are not only power, game and password.

    Its target is one word, or a power and a game; what stands behind it may be the password.
    """
    if len(words) == 1:
        parts = _PARTS.split(words[0].strip(AROUND), maxsplit=1)
        glued = _glued(words[0], games)
        return glued or _masked(parts[-1])
    named = next((at for at, word in enumerate(words) if _names_game(word, games)), 0)
    if named == 0 and len(words) > 2 and words[0].strip(AROUND).lower() in games:
        named = 1  # the game, then the power
    secrets = [word for word in words[named + 1 :] if word.strip(AROUND).lower() not in BETWEEN]
    first = _PARTS.split(words[named].strip(AROUND), maxsplit=1)
    secrets += first[1:] or list(_glued(words[named], games))
    known = {word: MASK for secret in secrets for word in _masked(secret)}
    return known | _glued(words[named], games)


def _names_game(word: str, games: frozenset[str]) -> bool:
    return not games.isdisjoint(possible_games((word.strip(AROUND),)))


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
    """A pattern for any of these, in any case, with no letter or digit right beside it; of two, the longer one."""
    found = sorted(set(words) - {""}, key=lambda word: (-len(word), word))
    # At its ends a word has a letter or digit on one side at most.
    return re.compile(rf"(?:(?<!\w)|(?!\w))(?:{'|'.join(map(re.escape, found))})(?:(?<!\w)|(?!\w))", re.IGNORECASE)
