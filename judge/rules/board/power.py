"""Powers and groups of powers, and the words for them: names, adjectives, aliases and plurals, in full or shortened.

Upper and lower case, accents, dots, "the", and hyphens for blanks make no difference. Every reader of a power's name
asks this module.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from judge.rules.board.names import fold, joined, nearest
from judge.rules.board.orders import Places, Units

# The name of the armed neutrals in orders and results. Each of them fights only for itself.
NEUTRAL = "Neutral"
# The number of letters for powers or groups: A to Z without M (the master) and O (an observer). If there are more
# powers, each has two letters, and players sign on with power@game.
MOST_LETTERS = 24


@dataclass(frozen=True)
class Side:
    """A power or a group of powers that one player orders."""

    name: str
    adjective: str
    letter: str
    colour: str

    @property
    def powers(self) -> tuple[str, ...]:
        """Return the powers that the side's player orders: the power itself, or the powers of a group."""
        return (self.name,)

    def at(self, game: str) -> str:
        """Return the side and the game as SIGNON takes them: "Fheron", "Corfu@heron"."""
        return f"{self.letter}{game}" if len(self.letter) == 1 else f"{self.name.replace(' ', '_')}@{game}"

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the names of the side, normalized, without its letter."""
        return frozenset({fold(self.name)})

    @property
    def shortened(self) -> frozenset[str]:
        """Return the names of the side that may be shortened to their beginning."""
        return self.words


@dataclass(frozen=True)
class Power(Side):
    """A side that has units on the board.

    A power without a color of its own gets a shade of its group's color. `theatre` is the part of the world that
    selects the shade.
    """

    homes: Places
    owns: Places
    units: Units
    aliases: tuple[str, ...] = ()
    theatre: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the names, adjective and aliases of the power, normalized, without its letter."""
        return frozenset(map(fold, (self.name, self.adjective, *self.aliases)))

    @property
    def shortened(self) -> frozenset[str]:
        """Return the name and adjective, which may be shortened. Aliases may not, since "Otto" could be "Ottoman"."""
        return frozenset(map(fold, (self.name, self.adjective)))


S = TypeVar("S", bound=Side)

# The minimum length of a shortened name before an order or a colon, where a wrong guess does no harm.
SHORTEST_HEADING = 2
# The minimum length of a shortened name in a command. Shorter names can be ordinary words ("it", "us", "me").
SHORTEST_BEGINNING = 3
# The minimum similarity of a misspelled word to a name, from 0 to 1.
_ALIKE = 0.7
# Words for the people of a country, where these are not the country's adjective with an S.
_PEOPLES = {
    "BRITISH": ("BRITONS", "BRITS"),
    "DANISH": ("DANES",),
    "DUTCH": ("DUTCHMEN",),
    "ENGLISH": ("ENGLISHMEN",),
    "FRENCH": ("FRENCHMEN",),
    "POLISH": ("POLES",),
    "SPANISH": ("SPANIARDS",),
    "SWEDISH": ("SWEDES",),
    "TURKISH": ("TURKS",),
}
_PEOPLE_ENDS = ("AN", "ITE", "ON")


class UnknownPower(KeyError):
    """A text that fits no power. `near` has the names that it may be a misspelling of."""

    def __init__(self, why: str, near: Iterable[Side]):
        self.why, self.near = why, [side.name for side in near]
        super().__init__(f"{why}. {self.hint}".rstrip())

    @property
    def hint(self) -> str:
        """Return "Did you mean England?", or "" if no name is similar."""
        return f"Did you mean {' or '.join(self.near)}?" if self.near else ""


def plurals(side: Side) -> Iterator[str]:
    """Yield the words for the people of a side, normalized: `TURKS`, `OTTOMANS`, `AUSTRIANS`."""
    names = {fold(side.name)} - {fold(side.adjective)}
    for word in sorted(side.words - names):
        yield from _PEOPLES.get(word, ())
        if word == fold(side.adjective) or word.endswith(_PEOPLE_ENDS):
            yield f"{word}S"


class PowerNames(Generic[S]):
    """The words for some powers or groups. No two of them share a word."""

    def __init__(self, sides: Iterable[S]):
        self._sides = tuple(sides)
        names = [(word, side) for side in self._sides for word in side.words]
        peoples = [(word, side) for side in self._sides for word in plurals(side)]
        self._spelled = dict([*peoples, *names])
        self._whole = {joined(word): side for word, side in (*peoples, *names)}
        self._letters = {fold(side.letter): side for side in self._sides}
        self.most_words = max((word.count(" ") + 1 for word in self._spelled), default=1)

    def whole(self, text: str) -> S | None:
        """Return the side with exactly that name, adjective, alias or plural, or None if there is none."""
        return self._whole.get(joined(_said(text)))

    def lettered(self, text: str) -> S | None:
        """Return the side whose letter, or two letters, the text is, or None if there is none."""
        return self._letters.get(fold(text))

    def has_letters(self, word: str) -> bool:
        """Return whether the word is the letters of a side, such as GB. A single letter may be a unit's kind."""
        return len(word) > 1 and self.lettered(word) is not None

    def find(self, text: str, shortest: int = SHORTEST_BEGINNING) -> list[S]:
        """Return the sides that a text may mean: exactly one if the text is clear.

        A shortened name must have at least `shortest` letters.
        """
        one = self.lettered(text)
        if one and len(one.letter) > 1 and shortest > SHORTEST_HEADING and not text.isupper():
            one = None  # "me" and "us" are words, ME and US are letters of powers
        one = one or self.whole(text)
        return [one] if one else self.begun(text, shortest)

    def begun(self, text: str, shortest: int = SHORTEST_BEGINNING) -> list[S]:
        """Return the sides with a name or adjective that begins with the text. Aliases must be written in full.

        The text must reach into the last word of a name: "great" is not Great Britain. In a heading, any beginning of a
        name is enough.
        """
        said = joined(_said(text))
        if len(said) < shortest:
            return []
        apart = shortest > SHORTEST_HEADING
        return [
            side
            for side in self._sides
            if any(
                joined(word).startswith(said) and len(said) > apart * len(joined(word.rpartition(" ")[0]))
                for word in side.shortened
            )
        ]

    def nearest(self, text: str) -> list[S]:
        """Return the sides with a name that the text may be a misspelling of."""
        near = nearest(_said(text), self._spelled, _ALIKE)
        return list({self._spelled[word].name: self._spelled[word] for word in near}.values())

    def phrases(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the words of a line, with the words of one name joined: "Great Britain", "France"."""
        at = 0
        while at < len(words):
            runs = range(min(self.most_words + 1, len(words) - at), 1, -1)
            length = next((n for n in runs if _said(" ".join(words[at : at + n])) in self._spelled), 1)
            yield " ".join(words[at : at + length])
            at += length


def _said(text: str) -> str:
    return fold(text).removeprefix("THE ")
