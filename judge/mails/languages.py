"""The languages in which newcomers write, each with a welcome, from files in templates/welcome/.

`en.toml` there explains the fields of such a file. A file in the keeper's folder replaces ours of the same name, or
adds a language.
"""

import logging
import re
import tomllib
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from judge.rules.board.names import fold
from judge.rules.mechanisms.files import Mistake
from judge.rules.variant.registry import stamp_of

log = logging.getLogger(__name__)

FOLDER = "welcome"
# The number of characters at the beginning of a letter that are searched for its language.
_READ = 4000
# Japanese has no spaces between words, so each kana counts as a word.
_WORD = re.compile(r"[ぁ-ヿ]|[^\W\d_ぁ-ヿ]+")
# A letter is in a language only if at least one in _SHARE of its words belongs to the language.
_SHARE = 3


@dataclass(frozen=True)
class Language:
    """The content of a language's file (templates/welcome/en.toml explains the fields).

    `text` has the lines of the welcome, `letters` has single characters, and the other fields have folded words
    (`words_in`). Only `behind` has folded pieces of text, since it is for a language without spaces.
    """

    text: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    game: frozenset[str] = frozenset()
    any_game: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    behind: frozenset[str] = frozenset()

    def has(self, word: str) -> bool:
        """Return whether a folded word belongs to the language."""
        return word in self.words or not self.letters.isdisjoint(word)


class Languages(dict[str, Language]):
    """The languages that have files, by name."""

    @property
    def together(self) -> Language:
        """All languages as one, with the words of each but without a welcome."""
        keys = [one.name for one in fields(Language) if one.name != "text"]
        return Language((), *(frozenset().union(*(getattr(one, key) for one in self.values())) for key in keys))


def words_in(text: str) -> list[str]:
    """Return the first words of a text, changed to capitals without accents."""
    return _WORD.findall(fold(text[:_READ]))


def language_of(text: str, languages: Languages) -> Language:
    """Return the language of a text, or an empty language if the words do not decide it."""
    words = set(words_in(text))
    counts = {name: sum(map(language.has, words)) for name, language in languages.items()}
    *_, second, first = sorted(counts, key=counts.__getitem__)
    most = counts[first]
    is_clear = most > counts[second] and most >= min(2, len(words)) and most * _SHARE >= len(words)
    return languages[first] if is_clear else Language()


def languages_in(*folders: Path | None) -> Languages:
    """Return the languages in these folders of templates.

    A file in a later folder replaces one of the same name in an earlier folder.
    """
    paths = {path.stem: path for folder in folders if folder for path in _files(folder)}
    read = {name: _read(path, stamp_of(path)) for name, path in paths.items()}
    return Languages((name, language) for name, language in read.items() if isinstance(language, Language))


def language_faults(folder: Path) -> list[Mistake]:
    """Return the mistakes in the language files of a keeper's folder of templates."""
    read = {path: _read(path, stamp_of(path)) for path in _files(folder)}
    return [Mistake(path, 0, why) for path, why in read.items() if isinstance(why, str)]


def _files(folder: Path) -> list[Path]:
    return sorted((folder / FOLDER).glob("*.toml"))


@lru_cache(maxsize=64)
def _read(path: Path, stamp: tuple[int, ...]) -> Language | str:
    """Return the language in a file, or the mistake in the file.

    `stamp` changes when the file changes, so that the cache has no old content.
    """
    try:
        told = tomllib.loads(path.read_text("utf-8-sig"))
        known = [field.name for field in fields(Language)]
        for key, value in told.items():
            if key not in known or not isinstance(value, str):
                raise ValueError(f"{key}: write a text for one of {', '.join(known)}")
    except (OSError, ValueError) as error:
        log.error("%s: %s", path, error)
        return str(error)
    lines = tuple(told.pop("text", "").strip().splitlines())
    letters = frozenset("".join(words_in(told.pop("letters", ""))))
    behind = frozenset(fold(told.pop("behind", "")).split())
    return Language(
        lines, letters=letters, behind=behind, **{key: frozenset(words_in(words)) for key, words in told.items()}
    )
