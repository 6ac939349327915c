"""What people call the provinces: abbreviations, names, aliases, and any beginning of these that fits only one
province.

Case, accents, dots, and whether words are joined by a blank or a hyphen make no difference. A word that is
itself an abbreviation, name or alias is never taken as the beginning of another ("NOR" is Norway because the
file says so).
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice, takewhile

from judge.rules.board.province import Province

SHORTEST_BEGINNING = 2
# Characters; a longer text is not a misspelled name.
_LONGEST_SLIP = 60
# Letters that Unicode does not split into a plain letter and a mark.
_PLAIN = str.maketrans({"Đ": "D", "đ": "d", "Ł": "L", "ł": "l", "Ø": "O", "ø": "o", "Æ": "AE", "æ": "ae", "ß": "ss"})


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """The text in the form in which names are compared: upper case, no accents, no dots, single blanks for blanks and
    hyphens.
    """
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text.translate(_PLAIN)) if not unicodedata.combining(c))
    return " ".join(text.upper().replace(".", "").replace("-", " ").replace("’", "'").split())


def places(text: str) -> tuple[str, ...]:
    """The places that a text of a variant's file names, spelled as they are written there; coasts in capitals
    ("SPA/NC").
    """
    if "/" not in text:
        return tuple(text.split())
    named = (word.partition("/") for word in text.split())
    return tuple(f"{abbr}{slash}{coast.upper()}" for abbr, slash, coast in named)


class Names:
    """The lexicon of one map."""

    def __init__(self, provinces: Iterable[Province]):
        self.titles: dict[str, str] = {}
        self.exact: dict[str, str] = {}
        for province in provinces:
            self.titles[province.abbr] = province.name
            for word in (province.abbr, province.name, *province.aliases):
                self.exact.setdefault(fold(word), province.abbr)
        # An abbreviation belongs to its province, even if another province has it as an alias.
        self.exact.update((fold(abbr), abbr) for abbr in self.titles)
        self._in_order = sorted(self.exact)
        self.most_words = max(word.count(" ") + 1 for word in self.exact)

    def find(self, words: str) -> list[str]:
        """The provinces that the (folded) words may mean: one if the words are clear, several if they are ambiguous,
        none if they are unknown.
        """
        if words in self.exact:
            return [self.exact[words]]
        if len(words) < SHORTEST_BEGINNING:
            return []
        begin = bisect_left(self._in_order, words)
        begun = takewhile(lambda name: name.startswith(words), islice(self._in_order, begin, None))
        return sorted({self.exact[name] for name in begun})

    def label(self, abbr: str) -> str:
        """ "London (LON)"."""
        return f"{self.titles[abbr]} ({abbr})"

    def suggestion(self, words: str) -> str:
        """ "Did you mean London (LON)?" for a word that is nearly a name, else ""."""
        said = fold(words)
        if len(said) > _LONGEST_SLIP:
            return ""
        near = get_close_matches(said, self.exact, n=6, cutoff=0.6)

        # A typing error leaves the other letters in their places, above all the first letter.
        def in_place(name: str) -> tuple[int, bool]:
            return sum(ours == theirs for ours, theirs in zip(said, name, strict=False)), name[0] == said[0]

        best = max(map(in_place, near), default=None)
        near = [name for name in near if in_place(name) == best]
        labels = list(dict.fromkeys(self.label(self.exact[name]) for name in near))
        return f"Did you mean {' or '.join(labels)}?" if labels else ""
