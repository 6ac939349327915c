"""Read letters without a command: their language, the game that they name, and requests for help."""

import re
from collections.abc import Iterable, Sequence
from itertools import dropwhile

from judge.commands.core.context import CommandContext
from judge.commands.core.handling import NO_GAME
from judge.commands.core.reading import What
from judge.commands.people.joining import why_closed
from judge.games.core.settings import settings_of
from judge.letters import Letter
from judge.letters.words import is_plea
from judge.mails.languages import Language, language_of
from judge.rules.board.names import fold
from judge.rules.variant.registry import variant_names
from judge.store.games import games_among
from judge.store.seats import seats_in
from judge.store.tables import Game

# The number of characters at the beginning of a letter that are searched for the name of a game.
_READ = 4000
_UNLISTED = "{} is not in the list of games: ask its master whether you can join."
_WORD, _NAME = re.compile(r"\w+"), re.compile(r"[A-Z0-9]{2,20}")
_AROUND = " \"'「」『』“”"


def _text_of(letter: Letter) -> str:
    return "\n".join(letter.texts).strip()


def asks_for_help(context: CommandContext) -> bool:
    """Return whether the subject or the whole text only says "help me", and the text has no orders."""
    letter = context.letter.parsed
    text = _text_of(letter)
    return (is_plea(letter.subject) or is_plea(text)) and not holds_order(context, text.split("\n"))


def holds_order(context: CommandContext, lines: Iterable[str]) -> bool:
    """Return whether one of the lines is like an order on any board."""
    letter = context.letter
    return any(letter.said(line).what is What.ORDER for line in lines)


def welcome(context: CommandContext) -> tuple[str, ...]:
    """Return the lines of a welcome in the language of the letter.

    Returns no lines for English, or if no file has the language.
    """
    letter = context.letter.parsed
    return language_of(_text_of(letter) or letter.subject, context.work.services.post.languages()).text


def game_named(context: CommandContext) -> tuple[Game | None, str]:
    """Return the first named game open to the sender, and a sentence on a named game that is closed."""
    letter, session = context.letter.parsed, context.session
    text, words = f"{letter.subject}\n{_text_of(letter)}"[:_READ], context.work.services.post.languages().together
    names = [name for name in re.findall(r"[a-z0-9]+", text.lower()) if not words.has(name.upper())]
    games, told = games_among(session, set(names)), ""
    for game, phase in (games[name] for name in sorted(games, key=names.index)):
        if seats_in(session, game, context.letter.person):
            continue
        closed = why_closed(context, game, phase) if settings_of(game).listed else _UNLISTED.format(game.name)
        if not closed:
            return game, told
        told = told or closed
    unknown = "" if games else _unknown(text, words)
    return None, told or unknown and NO_GAME.format(unknown)


def _unknown(text: str, words: Language) -> str:
    """Return the name of a game that does not exist, such as "falke" in "eine Partie namens falke", or ""."""
    for sentence in re.split(r"[.!?;,()\n]", text):
        name = _after_game(_WORD.findall(sentence), words) or _before_game(fold(sentence), words)
        if name and name.lower() not in variant_names():
            return name.lower()
    return ""


def _after_game(written: Sequence[str], words: Language) -> str:
    """Return the name that follows a word for "game", or "" if an ordinary word follows."""
    said = [*map(fold, written)]
    at = next((at for at, word in enumerate(said) if word in words.game), len(said))
    behind = list(dropwhile(words.called.__contains__, said[at + 1 :]))
    is_called = len(behind) < len(said[at + 1 :])
    is_any = at > 0 and said[at - 1] in words.any_game
    if not behind or is_any and not is_called:
        return ""
    name = behind[0]
    if name.isascii():
        return name if _NAME.fullmatch(name) and not words.has(name) else ""
    # Few ordinary words in other scripts are listed. In these scripts a name has a capital, or ends the sentence.
    is_name = is_called or written[-len(behind)].istitle() or len(behind) == 1
    return name if is_name and name not in words.words else ""


def _before_game(sentence: str, words: Language) -> str:
    """Return the name before a word for "game", in a language without spaces, or ""."""
    game = tuple(words.behind)
    for found in _NAME.finditer(sentence):
        before, after = sentence[: found.start()].rstrip(_AROUND), sentence[found.end() :].lstrip(_AROUND)
        if (after.startswith(game) or before.endswith(game)) and not words.has(found[0]):
            return found[0]
    return ""
