"""Find the password, or a possible password, on a line that is a command or nearly a command.

The pattern of a command has a group for its password. On a sign-on, the password is what remains without game, power,
options, and the words between them. On a line that begins with the name of a command, a doubtful word is taken for the
password. In a sentence, no doubtful word is taken.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from judge.commands.core.command import Call, Place
from judge.commands.core.line_forms import BETWEEN, begins_with_unit
from judge.letters.signon_lines import (
    ORDINARY,
    SignonLine,
    Word,
    ends_clause,
    names_begun,
    new_password,
    signon_line,
    stated_password,
)
from judge.letters.text import fold
from judge.letters.words import WORDS
from judge.letters.written_passwords import bare, is_left_open
from judge.rules import VariantError, variant_names, variants
from judge.rules.board.power import SHORTEST_BEGINNING
from judge.rules.variant.registry import variant_called

# The existing games that lines of a letter name.
Games = frozenset[str]
# The positions on a line at which a word or text begins and ends.
Span = tuple[int, int]
# The kinds of words on a line like a sign-on. "game" is the name of an existing game. "place" is the name of a game
# after a power's letter or a punctuation mark, such as Fheron or ?heron. "glued" is a game's name at the beginning of a
# longer word. "sign" is a word without a game that has a punctuation mark which hardly any password has. "seat" is a
# power or its letter. "between" is a word that people write between the parts of a sign-on. "" is any other word.
What = Literal["game", "place", "glued", "sign", "seat", "between", ""]
_GAMES: frozenset[What] = frozenset(("game", "place", "glued"))
_UNKNOWN: frozenset[What] = frozenset(("", "sign"))
# The words that people who sign on without a power write in its place.
ROLES = ("m", "master", "o", "observer")
_BEFORE_PURPOSES = {"and", "for", "in", "to"}
_BESIDE = frozenset(WORDS["thanks"]).union(WORDS["with_greetings"], ["signon"])


class Part(NamedTuple):
    """A word, or a part of it between punctuation marks, on a line like a sign-on, with its kind."""

    word: Word
    what: What


def secret_of(call: Call, games: Collection[str]) -> Span | None:
    """Return the span of a command's password on its line, or None if it has no password.

    `games` has the existing games named on lines.
    """
    given, line = call.secret, fold(call.line)
    found = signon_line(line) if call.command.place is Place.OPENING and len(line) == len(call.line) else None
    if found is None or given and not any(map(str.isalnum, line[slice(*given)])):
        return given
    secret = secret_of_signon(found, frozenset(games))
    if not (secret and given and call.is_command and given[0] == secret[0]):
        return secret
    # The words after `given` are the name of a variant, even if misspelled, unless `given` itself is a variant.
    return secret if is_variant(line[slice(*given)]) else given


@lru_cache(maxsize=8192)
def secret_in(line: str, games: Games) -> Span | None:
    """Return the span of a possible password on a folded line, or None if it has none.

    Such a line is like a sign-on or SET PASSWORD, or states a password.
    """
    if told := told_in(line, games):
        return told
    found = signon_line(line)
    if found and found.certain and (secret := secret_of_signon(found, games)):
        return secret
    place = new_password(line)
    return None if place is None else (place, len(line[place:].partition(" //")[0]) + place)


def told_in(line: str, games: Games) -> Span | None:
    """Return the span of a password that a folded line reveals to its readers, or None.

    Such a line signs on to an existing game, creates one, or states a password.
    """
    found = signon_line(line)
    if found and (names_game(found, games) or _creates(found, games)):
        return secret_of_signon(found, games)
    stated = stated_password(line)
    return (stated.start, stated.end) if stated and _what(stated.argument, games) in ("", "sign") else None


def _creates(found: SignonLine, games: Games) -> bool:
    """Return whether a line like a sign-on creates a game.

    Such a line has a question mark, or two words that may be a game's name and its password.
    """
    parts = _parts(found, games)
    is_signed = any(part.what == "sign" for part in parts)
    return found.verb.upper() == "CREATE" and (is_signed or found.certain and len(_unnamed(parts)) > 1)


def names_game(found: SignonLine, games: Games) -> bool:
    """Return whether a line like a sign-on names an existing game, and is not a sentence that mentions the game."""
    parts = _parts(found, games)
    if not found.names(games):
        is_plain = found.is_whole and found.is_literal and found.of_family
        return is_plain and bool(_numbers(parts, {"glued"}))
    if not found.is_whole and parts[0].what not in ("game", "place", "seat"):
        return False
    return found.is_literal or _gives_password(found, parts)


def _gives_password(found: SignonLine, parts: Sequence[Part]) -> bool:
    """Return whether a line that names a game ends with a password, and does not go on like a sentence."""
    unnamed = _unnamed(parts)
    if ORDINARY.issuperset(parts[at].word.letters for at in unnamed):
        return False
    if found.is_whole and _numbers(parts, {"place", "seat"}):
        return True
    others = [part.word for part in parts[unnamed[0] + 1 :]]
    is_last = len(unnamed) == 1 or not found.is_whole and ends_clause(parts[unnamed[0]].word, others)
    return is_last and not _may_be_said(found, parts, unnamed[0])


def _may_be_said(found: SignonLine, parts: Sequence[Part], at: int) -> bool:
    """Return whether the unknown word at `at` is common in sentences about a game, and so is not a password."""
    word = parts[at].word.letters
    if word in ORDINARY:
        return True
    # Recognize the sentence "Join heron and win".
    if at > 1 and parts[at - 1].word.letters in _BEFORE_PURPOSES:
        return True
    # Recognize the sentence "I cannot sign on to Fheron France".
    return not found.is_whole and word.upper() in _powers()


def secret_of_signon(found: SignonLine, games: Games) -> Span | None:
    """Return the span of the password on a line like a sign-on, or None.

    Words that name neither the seat nor an option are the password. Such a word after the game begins a password that
    goes to the end of the line. Otherwise the words before the game are taken, or those in a comment. If every word has
    a meaning, the words in the password's usual position are taken (`_in_its_place`).
    """
    is_new = found.verb == "CREATE"
    secret = _secret_among(_parts(found, games), is_new=is_new)
    if secret is None and found.comment:
        return _secret_among(_parts(replace(found, said=(*found.said, *found.comment)), games), is_new=is_new)
    return secret


def _secret_among(parts: tuple[Part, ...], *, is_new: bool) -> Span | None:
    named = _numbers(parts, _GAMES) or _numbers(parts, {"sign"})
    unknown = _unnamed(parts)
    if is_new and not named and len(unknown) > 1:
        # In CREATE with several unknown words, any of them may be the name of the game.
        return _span(parts[unknown[0] : unknown[-1] + 1])
    game = named[0] if named else 0
    behind = [at for at in unknown if at > game]
    if behind:
        return _from(parts[behind[0] :])
    before = [at for at in unknown if at < game]
    if before:
        return _span(parts[before[0] : before[-1] + 1])
    return _in_its_place(parts[game], parts[game + 1 :])


def _from(parts: Sequence[Part]) -> Span:
    """Return the span of all parts, or of the first part if the others are the name of a variant."""
    others = " ".join(part.word.text for part in parts[1:])
    return _span(parts[:1] if others and is_variant(others) else parts)


def _in_its_place(game: Part, behind: Sequence[Part]) -> Span | None:
    """Return the span of the words after the game and its power, or None. Every word of the line has a meaning.

    The password may be the name of a power. If there are no such words, the last word between the parts is taken, such
    as "password".
    """
    rest = [part for part in behind if part.what != "between"]
    if game.what == "game" and rest and rest[0].what == "seat":
        rest = rest[1:]
    if rest:
        return _span(rest)
    last = (game, *behind)[-1]
    return _span([last]) if last.what == "between" else None


def _numbers(parts: Sequence[Part], what: Collection[What]) -> list[int]:
    return [at for at, part in enumerate(parts) if part.what in what]


def _unnamed(parts: Sequence[Part]) -> list[int]:
    """Return the positions of the words that name neither a seat nor an option.

    If there are no other words, the words that name an option are returned.
    """
    unknown = _numbers(parts, _UNKNOWN)
    if len(unknown) < 2:
        return unknown
    return [at for at in unknown if not is_variant(parts[at].word.text)] or unknown


def _span(parts: Sequence[Part]) -> Span:
    return parts[0].word.start, parts[-1].word.end


@lru_cache(maxsize=4096)
def _parts(found: SignonLine, games: Games) -> tuple[Part, ...]:
    """Return the words of a line like a sign-on, each with its kind, up to the orders that follow."""
    parts: list[Part] = []
    for word in _words(found, games):
        for part in _pieces(word, games):
            is_seat = part.what == "seat" and any(one.what == "place" for one in parts)
            # After Fheron, no word names the power again.
            parts.append(Part(part.word, "") if is_seat else part)
    return tuple(parts)


def _words(found: SignonLine, games: Games) -> tuple[Word, ...]:
    """Return the words after SIGNON or a similar verb, without orders."""
    said = found.said
    target = said[0].argument.lower()
    # F is a power in "F heron F hush please", and a fleet in "Fheron F BRE - MAO".
    is_apart = len(said) == 1 and target in games
    if is_apart or not any(map(_is_province, found.orders[1:2])):
        said = (*said, *found.orders)
    texts = [word.text for word in said]
    end = next((at for at in range(1, len(said)) if begins_with_unit(texts[at:])), len(said))
    return said[:end]


def _pieces(word: Word, games: Games) -> Iterator[Part]:
    """Yield the word with its kind, or its parts if a part names a game or introduces a password."""
    what = _what(word.argument, games)
    if what not in _UNKNOWN:
        yield Part(word, what)
        return
    found = [Part(one, _what(one.argument, games)) for one in word.split()]
    if _numbers(found, {*_GAMES, "between"}):
        yield from found
        return
    end = _end_of_game(word, games)
    if not end:
        yield Part(word, what)
        return
    rest = word.cut(end)
    if not any(map(str.isalnum, rest.text)):
        yield Part(word, "place")  # as in F-heron
        return
    what = "seat" if _is_seat(rest.argument) else ""
    yield Part(Word(word.text[:end], word.start), "game" if what else "glued")
    yield Part(rest, what)


def _what(name: str, games: Games) -> What:
    lower = name.lower()
    if lower in games:
        return "game"
    if "@" in name:
        return "sign"
    if lower[1:] in games:
        return "place"
    if is_filler(name) or lower in _BESIDE:
        return "between"
    if _is_seat(lower):
        return "seat"
    return "sign" if name.startswith("?") else ""


def _end_of_game(word: Word, games: Games) -> int:
    """Return the end of a game's name at the beginning of the word, as in SIGNON Fheronhush, or 0."""
    game = max(names_begun(word.argument).intersection(games), key=len, default="")
    return word.text.lower().find(game) + len(game) if game else 0


def is_filler(word: str) -> bool:
    """Return whether people write the word before their password, such as "with" and "password"."""
    return bare(word).lower() in BETWEEN or is_left_open(word)


def is_variant(text: str) -> bool:
    """Return whether a text is the name of a variant, options of a variant, or both."""
    said = [word for word in map(bare, text.split()) if word.upper() != "GUNBOAT"]
    with suppress(VariantError):
        return not said or variant_called(" ".join(said)) in variant_names()
    return False


@lru_cache(maxsize=4096)
def _is_seat(word: str) -> bool:
    """Return whether the word is a letter, a role, or perhaps a shortened name of a power in any variant."""
    name = word.strip("?").upper()
    if len(name) < SHORTEST_BEGINNING:
        return word == "?" or len(name) == 1 and name.isalpha()
    return word.lower() in ROLES or any(power.startswith(name) for power in _powers())


@cache
def _powers() -> frozenset[str]:
    return frozenset(word for variant in variants() for word in variant.power_words)


def _is_province(word: Word) -> bool:
    """Return whether the word is a province's name or abbreviation in any variant."""
    return any(variant.names.whole(word.argument.upper()) for variant in variants())
