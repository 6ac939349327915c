"""What people call the provinces: abbreviations, names, aliases, and any beginning of these that fits one province.

Case, accents, dots, apostrophes, and whether words are joined by a blank, by a hyphen or not at all make no difference;
words may be shortened ("E Med", "Nor Atl"), and "Saint" is "St". An abbreviation and a full name belong to their
province, and so does an alias of up to four letters, an abbreviation of some other judge ("NOR" is Norway because the
file says so). A longer alias that is also the beginning of another province's name fits both.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from itertools import accumulate, islice, takewhile
from typing import NamedTuple

from judge.rules.board.orders import Places, asked
from judge.rules.board.province import Province

SHORTEST_BEGINNING = 2
# Characters; a longer text is not a misspelled name.
_LONGEST_SLIP = 60
# Letters; abbreviations of other judges' lists are not longer.
_LONGEST_CODE = 4
# Words inside a name that people leave out.
_SMALL_WORDS = frozenset({"OF", "THE", "DE"})
_SAINT = {"ST": "SAINT", "SAINT": "ST"}
# Letters that Unicode does not split into a plain letter and a mark.
_PLAIN = str.maketrans({"Đ": "D", "đ": "d", "Ł": "L", "ł": "l", "Ø": "O", "ø": "o", "Æ": "AE", "æ": "ae", "ß": "ss"})
# Letters of other alphabets, and of phonetics, that look like ours.
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
    """The words of a text, which is how sets of words are written in tables."""
    return frozenset(text.split())


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """The text in the form in which names are compared.

    Upper case, no accents, no dots, single blanks for blanks and hyphens.
    """
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text.translate(_PLAIN)) if not unicodedata.combining(c))
    return " ".join(text.upper().replace(".", "").replace("-", " ").replace("_", " ").replace("’", "'").split())


def places(text: str) -> Places:
    """The places that a text of a variant's file names, spelled as they are written there.

    Coasts in capitals ("SPA/NC").
    """
    if "/" not in text:
        return tuple(text.split())
    named = (word.partition("/") for word in text.split())
    return tuple(f"{abbr}{slash}{coast.upper()}" for abbr, slash, coast in named)


def joined(words: str) -> str:
    """Folded words as one, without blanks and signs: "STJOHNS" for "ST JOHN'S"."""
    return words if words.isalnum() else "".join(filter(str.isalnum, words))


class _Name(NamedTuple):
    """One of the words for a province.

    `words` in the folded form, `joined` without blanks, and `seams`, where in it blanks were.
    """

    joined: str
    words: tuple[str, ...]
    seams: frozenset[int]
    province: str


def _name(words: str, province: str) -> _Name:
    parts = tuple(part for part in map(joined, words.split()) if part)
    return _Name("".join(parts), parts, frozenset(accumulate(map(len, parts))), province)


class Names:
    """The lexicon of one map."""

    def __init__(self, provinces: Iterable[Province]):
        provinces = list(provinces)
        self.titles: dict[str, str] = {province.abbr: province.name for province in provinces}
        spelled = {
            _name(spelling, one.abbr)
            for one in provinces
            for words in map(fold, (one.abbr, one.name, *one.aliases))
            for spelling in _spellings(words)
        }
        self._in_order = sorted(spelled, key=lambda name: (name.joined, name.province))
        self._keys = [name.joined for name in self._in_order]
        # The words that mean one province whatever else begins so, as they are folded and without blanks. An
        # abbreviation belongs to its province, even if another province has it as an alias.
        self.exact: dict[str, str] = {fold(abbr): abbr for abbr in self.titles}
        for province in provinces:
            self.exact.setdefault(fold(province.name), province.abbr)
        for province in provinces:
            for alias in map(fold, province.aliases):
                if len(alias) <= _LONGEST_CODE or self._begun(alias) <= {province.abbr}:
                    self.exact.setdefault(alias, province.abbr)
        self._whole: dict[str, str] = {}
        for words, abbr in self.exact.items():
            for spelling in _spellings(words):
                self._whole.setdefault(joined(spelling), abbr)
        self.most_words = max(word.count(" ") + 1 for word in self.exact)

    def whole(self, words: str) -> str:
        """Return the province of which the (folded) words are the abbreviation, the name or an alias.

        Blanks may be anywhere; "" if there is none. A word that is a name by itself is not the beginning of one here
        ("SWE DEN"), and a single letter not a part of one ("BO H").
        """
        known = self.exact.get(words)
        if known:
            return known
        first, *others = words.split() or [""]
        apart = others and (first in self.exact or any(len(other) < SHORTEST_BEGINNING for other in others))
        return "" if apart else self._whole.get(joined(words), "")

    def find(self, words: str) -> list[str]:
        """The provinces that the (folded) words may mean.

        One if the words are clear, several if they are ambiguous, none if they are unknown.
        """
        whole = self.whole(words)
        if whole or len(joined(words)) < SHORTEST_BEGINNING:
            return [whole] if whole else []
        return sorted(self._begun(words) or self._shortened(words))

    def _begun(self, words: str) -> set[str]:
        """The provinces with a name that begins with the words; a blank must be where the name has one."""
        said = _name(words, "")
        seams = said.seams - {len(said.joined)}
        return {name.province for name in self._from(said.joined) if seams <= name.seams}

    def _shortened(self, words: str) -> set[str]:
        """The provinces with a name that begins with the words if each of them may be the beginning of one."""
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
        """The names that begin with the letters."""
        begin = bisect_left(self._keys, letters)
        return takewhile(lambda name: name.joined.startswith(letters), islice(self._in_order, begin, None))

    def label(self, abbr: str) -> str:
        """Return "London (LON)"."""
        return f"{self.titles[abbr]} ({abbr})"

    def near(self, words: str, *, alike: bool = True) -> list[str]:
        """Return the provinces of which the words are nearly a name: those that are most `alike`, or that begin so."""
        said = fold(words)
        found = nearest(said, self.exact) if alike else [one for one in close(said, self.exact) if one[0] == said[0]]
        return list(dict.fromkeys(self.exact[name] for name in found))

    def suggestion(self, words: str) -> str:
        """Return "Did you mean London (LON)?" for a word that is nearly a name, else ""."""
        return asked(map(self.label, self.near(words)))


def close(said: str, names: Collection[str], alike: float = 0.6) -> list[str]:
    """The names (folded, like the word) that are much like a word."""
    return get_close_matches(said, names, n=6, cutoff=alike) if len(said) <= _LONGEST_SLIP else []


def nearest(said: str, names: Collection[str], alike: float = 0.6) -> list[str]:
    """The names (folded, like the word) that a word is nearly; several if it is as near to each."""
    near = close(said, names, alike)

    # A typing error leaves the other letters in their places, above all the first letter.
    def in_place(name: str) -> tuple[int, bool]:
        return sum(ours == theirs for ours, theirs in zip(said, name, strict=False)), name[0] == said[0]

    best = max(map(in_place, near), default=None)
    return [name for name in near if in_place(name) == best]


def _spellings(words: str) -> Iterator[str]:
    """Yield "ST PETERSBURG" and "SAINT PETERSBURG", whichever of them the words are; other words alone."""
    yield words
    first, blank, rest = words.partition(" ")
    if blank and first in _SAINT:
        yield f"{_SAINT[first]} {rest}"


def counted(number: int, thing: str) -> str:
    """`1 unit`, `2 units`."""
    return f"{number} {by_number(number, thing, f'{thing}s')}"


def capitalized(words: str) -> str:
    """Return the words as the beginning of a sentence."""
    return f"{words[:1].upper()}{words[1:]}"


def by_number(number: float, one: str, several: str) -> str:
    """Return the words for one thing, or those for several."""
    return one if number == 1 else several


def listed(words: Iterable[str], joint: str = "and") -> str:
    """Return "one, two and three"."""
    *most, last = words
    return f"{', '.join(most)} {joint} {last}" if most else last
