"""The names of provinces: abbreviations, full names, aliases, and beginnings that fit only one province.

Upper and lower case, accents, dots and apostrophes make no difference. Words may be joined by blanks or hyphens, or
written as one word. Words may be shortened ("E Med", "Nor Atl"), and "Saint" equals "St".

An abbreviation or a full name means only its own province. An alias of up to four letters is an abbreviation used by
another judge. Such an alias also means only its own province. For example, "NOR" is Norway because the file says so. A
longer alias that is also the beginning of another province's name can mean both provinces.
"""

import unicodedata
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from judge.rules.board.orders import Places, asked
from judge.rules.board.province import Province

SHORTEST_BEGINNING = 2
# The maximum length of a misspelled name, in characters.
_LONGEST_SLIP = 60
# The maximum number of letters in an abbreviation that other judges use.
_LONGEST_CODE = 4
# Words inside a name that people often leave out.
_SMALL_WORDS = frozenset({"OF", "THE", "DE"})
_SAINT = {"ST": "SAINT", "SAINT": "ST"}
# Letters that Unicode does not split into a plain letter and a mark.
_PLAIN = str.maketrans({"Đ": "D", "đ": "d", "Ł": "L", "ł": "l", "Ø": "O", "ø": "o", "Æ": "AE", "æ": "ae", "ß": "ss"})
# Letters of other alphabets, and phonetic symbols, that look like Latin letters.
LOOKALIKES = str.maketrans(
    dict(
        zip(
            "АВЕЅІЈКМНОРСТУХԌԚԜӀ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "авеѕіјкмнорстухԁԛԝһӏѵ" + "αβεγικνορτυχω" + "ɑɡıłøℓ",
            "ABESIJKMHOPCTYXGQWl" + "ABEZHIKMNOPTYX" + "abesijkmhopctyxdqwhlv" + "abeyikvoptuxw" + "agilol",
            strict=True,
        )
    )
)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set. Tables of words are written as such texts."""
    return frozenset(text.split())


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return the text normalized: in upper case, without accents and dots, with single blanks for hyphens.

    Names are compared in this form.
    """
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text.translate(_PLAIN)) if not unicodedata.combining(c))
    return " ".join(text.upper().replace(".", "").replace("-", " ").replace("_", " ").replace("’", "'").split())


def places(text: str) -> Places:
    """Return the places that a text from a variant's file lists, with coasts in capitals ("SPA/NC")."""
    named = (word.partition("/") for word in text.split())
    return tuple(f"{abbr}{slash}{coast.upper()}" for abbr, slash, coast in named)


def joined(words: str) -> str:
    """Return normalized words as one word, without blanks and punctuation: "STJOHNS" for "ST JOHN'S"."""
    return "".join(filter(str.isalnum, words))


class _Name(NamedTuple):
    """One name of a province, normalized, in words and as one word.

    `joined` is the name without blanks. `seams` has the positions in `joined` where words end.
    """

    joined: str
    words: tuple[str, ...]
    seams: frozenset[int]
    province: str


def _name(words: str, province: str) -> _Name:
    parts = tuple(part for part in map(joined, words.split()) if part)
    return _Name("".join(parts), parts, frozenset(accumulate(map(len, parts))), province)


class Names:
    """The names of all provinces of one map, in which a player's words are looked up."""

    def __init__(self, provinces: Collection[Province]):
        self.titles: dict[str, str] = {province.abbr: province.name for province in provinces}
        self._names = {
            _name(spelling, one.abbr)
            for one in provinces
            for words in map(fold, (one.abbr, one.name, *one.aliases))
            for spelling in _spellings(words)
        }
        # The words that mean exactly one province, even if names of other provinces begin with the same words.
        self.exact = self._exact(provinces)
        self._whole: dict[str, str] = {}
        for words, abbr in self.exact.items():
            for spelling in _spellings(words):
                self._whole.setdefault(joined(spelling), abbr)
        self.most_words = max(word.count(" ") + 1 for word in self.exact)

    def _exact(self, provinces: Collection[Province]) -> dict[str, str]:
        """Return {normalized word: its province}.

        An abbreviation means its own province even if it is an alias of another province.
        """
        found = {fold(abbr): abbr for abbr in self.titles}
        for province in provinces:
            found.setdefault(fold(province.name), province.abbr)
        for province in provinces:
            for alias in map(fold, province.aliases):
                if len(alias) <= _LONGEST_CODE or self._begun(alias) <= {province.abbr}:
                    found.setdefault(alias, province.abbr)
        return found

    def whole(self, words: str) -> str:
        """Return the province whose abbreviation, name or alias is exactly the normalized `words`, or "".

        Blanks may be missing or added. But a word that is itself a name does not begin another name ("SWE DEN"). A
        single letter is not a part of a name ("BO H").
        """
        known = self.exact.get(words)
        if known:
            return known
        first, *others = words.split() or [""]
        apart = others and (first in self.exact or any(len(other) < SHORTEST_BEGINNING for other in others))
        return "" if apart else self._whole.get(joined(words), "")

    def find(self, words: str) -> list[str]:
        """Return the provinces that the normalized `words` may mean: one if they are clear, several if ambiguous."""
        whole = self.whole(words)
        if whole or len(joined(words)) < SHORTEST_BEGINNING:
            return [whole] if whole else []
        return sorted(self._begun(words) or self._shortened(words))

    def _begun(self, words: str) -> set[str]:
        """Return the provinces with a name that begins with the words, and has its blanks at the same places."""
        said = _name(words, "")
        seams = said.seams - {len(said.joined)}
        return {name.province for name in self._from(said.joined) if seams <= name.seams}

    def _shortened(self, words: str) -> set[str]:
        """Return the provinces with a name that the words abbreviate word by word, such as NOR ATL."""
        said = [word for word in _name(words, "").words if word not in _SMALL_WORDS]
        if len(said) < 2:
            return set()
        found = set()
        for name in self._from(said[0]):
            words_of = [word for word in name.words if word not in _SMALL_WORDS]
            if len(said) <= len(words_of) and all(map(str.startswith, words_of, said)):
                found.add(name.province)
        return found

    def _from(self, letters: str) -> Iterator[_Name]:
        return (name for name in self._names if name.joined.startswith(letters))

    def label(self, abbr: str) -> str:
        """Return a province's name with its abbreviation: "London (LON)"."""
        return f"{self.titles[abbr]} ({abbr})"

    def near(self, words: str, *, alike: bool = True) -> list[str]:
        """Return the provinces with a name similar to the words.

        If `alike` is true, return only the most similar names. Otherwise, return up to six similar names with the same
        first letter.
        """
        said = fold(words)
        found = nearest(said, self.exact) if alike else [one for one in close(said, self.exact) if one[0] == said[0]]
        return list(dict.fromkeys(self.exact[name] for name in found))

    def suggestion(self, words: str) -> str:
        """Return "Did you mean London (LON)?" for a word that is nearly a province's name, else ""."""
        return asked(map(self.label, self.near(words)))


def close(said: str, names: Collection[str], alike: float = 0.6) -> list[str]:
    """Return up to six names that are similar to the word `said`. `alike` is the minimum similarity, from 0 to 1."""
    return get_close_matches(said, names, n=6, cutoff=alike) if len(said) <= _LONGEST_SLIP else []


def nearest(said: str, names: Collection[str], alike: float = 0.6) -> list[str]:
    """Return the name most similar to the word `said`, or several names if they are equally similar."""
    near = close(said, names, alike)

    # A typing error leaves the other letters in place, and hardly ever changes the first letter.
    def in_place(name: str) -> tuple[int, bool]:
        return sum(ours == theirs for ours, theirs in zip(said, name, strict=False)), name[0] == said[0]

    best = max(map(in_place, near), default=None)
    return [name for name in near if in_place(name) == best]


def _spellings(words: str) -> Iterator[str]:
    """Yield the words and, if they begin with ST or SAINT, also the words with the other spelling."""
    yield words
    first, blank, rest = words.partition(" ")
    if blank and first in _SAINT:
        yield f"{_SAINT[first]} {rest}"


def counted(number: int, thing: str) -> str:
    """Return the number with its noun: `1 unit`, `2 units`."""
    return f"{number} {by_number(number, thing, f'{thing}s')}"


def capitalized(words: str) -> str:
    """Return the text with a capital at its beginning."""
    return f"{words[:1].upper()}{words[1:]}"


def by_number(number: float, one: str, several: str) -> str:
    """Return the form `one` if the number is 1, else the form `several`."""
    return one if number == 1 else several


def listed(words: Iterable[str], joint: str = "and") -> str:
    """Return "one, two and three"."""
    *most, last = words
    return f"{', '.join(most)} {joint} {last}" if most else last
