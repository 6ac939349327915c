"""Where on a line a password is, or may be: the one answer for commands and for lines that are only nearly one.

The pattern of a command names its password. Of a sign-on only the games that exist tell which of its words that is:
"France heron hush" and "heron hush please" differ in nothing else.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import dropwhile

from judge.commands.core.command import Call, Place
from judge.commands.core.line_forms import BETWEEN
from judge.letters.signon_lines import SignonLine, Word, names_begun, new_password, possible_games, signon_line
from judge.letters.text import fold
from judge.letters.written_passwords import bare, is_left_open
from judge.rules import VariantError, variant_names, variants
from judge.rules.variant.registry import variant_called

# Where something begins on a line, and where it ends.
Span = tuple[int, int]


def secret_of(call: Call, games: Collection[str]) -> Span | None:
    """Return where on its line a command has its password; `games`: those that exist, of all that lines name."""
    given, line = call.secret, fold(call.line)
    found = signon_line(line) if call.command.place is Place.OPENING and len(line) == len(call.line) else None
    if found is None or given and not any(map(str.isalnum, line[slice(*given)])):
        return given
    secret = secret_of_signon(found, games)
    # What follows is the variant, right or wrong, unless that is what stands in place of the password.
    if secret and given and call.is_command and given[0] == secret[0] and not is_variant(line[slice(*given)]):
        return given
    return secret


@lru_cache(maxsize=8192)
def secret_in(line: str, games: frozenset[str]) -> Span | None:
    """Return where a password may be on a folded line that is like a sign-on or like SET PASSWORD."""
    found = signon_line(line)
    secret = secret_of_signon(found, games) if found else None
    if found and secret and (found.certain or names_game(found, games)):
        return secret
    place = new_password(line)
    return None if place is None else (place, len(line))


def names_game(found: SignonLine, games: Collection[str]) -> bool:
    """Return whether a line like a sign-on names a game that exists, perhaps with the password in the same word."""
    is_literal = found.of_family and (found.verb.isupper() or found.verb.lower() == "signon")
    return found.names(games) or is_literal and _glued(found.said[0], games) is not None


def secret_of_signon(found: SignonLine, games: Collection[str]) -> Span | None:
    """Return where the password is on a line like a sign-on: behind the words that name the seat."""
    words = found.said
    at = next((number for number, word in enumerate(words) if _names_seat(word, games)), 0)
    named, behind = words[at], _from_password(words[at + 1 :])
    if glued := _glued(named, games):
        return glued, (behind or words)[-1].end
    is_apart = named.argument.lower() in games
    if is_apart and behind and _is_power(behind[0].argument):
        before = [word for word in words[:at] if not (is_filler(word.text) or _is_power(word.argument))]
        behind = behind[1:] or before or behind  # TAKEOVER heron France hush, SIGNON hush heron France
    if behind:
        last = behind[0] if is_variant(" ".join(word.text for word in behind[1:])) else behind[-1]
        return behind[0].start, last.end
    if at == 1 and not is_apart and not is_filler(words[0].text):
        return words[0].start, words[0].end  # SIGNON hush Fheron
    return None


def _names_seat(word: Word, games: Collection[str]) -> bool:
    """Return whether a word names the game, or may name no more than that: it has a sign that no password has."""
    name = word.argument
    is_marked = "@" in name or name.startswith("?") and name != "?"
    return is_marked or not possible_games((name,)).isdisjoint(games)


def _glued(word: Word, games: Collection[str]) -> int | None:
    """Return where a password begins that was written into one word with its game, SIGNON Fheronhush."""
    if not possible_games((word.argument,)).isdisjoint(games):
        return None
    game = max(names_begun(word.argument).intersection(games), key=len, default="")
    end = word.text.lower().find(game) + len(game)
    return word.start + end if game and any(map(str.isalnum, word.text[end:])) else None


def _from_password(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words without those that people write before a password."""
    return [*dropwhile(lambda word: is_filler(word.text), words[:-1]), *words[-1:]]


def is_filler(word: str) -> bool:
    """Return whether people write the word before their password: "with password hush", "<your password: hush>"."""
    return bare(word).lower() in BETWEEN or is_left_open(word)


def is_variant(text: str) -> bool:
    """Return whether a text is the name of a variant, its options, or both."""
    said = [word for word in map(bare, text.split()) if word.upper() != "GUNBOAT"]
    with suppress(VariantError):
        return not said or variant_called(" ".join(said)) in variant_names()
    return False


def _is_power(word: str) -> bool:
    """Return whether a power has that name, in whatever variant."""
    return any(bare(word).upper() in variant.power_words for variant in variants())
