"""Divide an order into words, and find the names of provinces, places and units among them.

The longest possible name is taken. A hyphen inside a name is tried as part of the name before it is read as "to". Only
the map and the kind of phase are known here, not the units on the board.
"""

import re
from collections.abc import Container, Iterator, Sequence

from judge.rules.board.names import fold, word_set
from judge.rules.board.orders import Disband, Hold, OrderError, Unit
from judge.rules.board.phase import PhaseKind
from judge.rules.parsing.vocabulary import (
    ANY_CONVOY,
    ANY_HOLD,
    ANY_MOVE,
    ANY_RETREAT,
    ANY_SUPPORT,
    BUILD,
    CONVOY,
    CONVOYED,
    DISBAND,
    HOLD,
    KIND_WORDS,
    NOISE,
    ONE_COAST,
    ORDER_WORDS,
    OTHERS,
    PHRASES,
    REMOVE,
    SAYS_WHAT,
)
from judge.rules.variant.variant import Variant

_PHRASES = {tuple(phrase.split()): word for phrase, word in PHRASES.items()}
_LONGEST_PHRASE = max(map(len, _PHRASES))
_DIRECTIONS = {word for word in ONE_COAST if len(word) > len("NC")}
_CODES = {"NC", "SC", "EC", "WC"}
# The words that may follow "army", as in "the Paris army moves".
_BEHIND_UNIT = {
    "", ")", *SAYS_WHAT, *NOISE, *CONVOYED,
    *ANY_CONVOY, *ANY_HOLD, *ANY_MOVE, *ANY_RETREAT, *ANY_SUPPORT,
}  # fmt: skip
# Characters that are in no province's name.
_NO_NAME = {"", *"/(),;:"}
# A unit joined to its place by a punctuation mark: "A.Paris", "F-NTH", "A/PAR".
_STUCK = re.compile(r"(?<![^\s(])([AF])[./-](?=[^\W\d_]{2})", re.IGNORECASE)
# Arrows between places, in a text with single blanks.
_ARROWS = re.compile(r" ?(?:[-=–—−~]{0,9}>+|→|⇒|[-‐‑–—―−]{1,3}) ?")
_MARKS = re.compile(r"\(\*[^*]*\*\)")
_TOKEN = re.compile(r"[^\s/(),;:-]+|[/(),;:-]")


def with_arrows(text: str, arrow: str = " - ") -> str:
    """Return the text with `arrow` for each of the many characters that mean "to", and with "A PAR" for "A.PAR"."""
    return _ARROWS.sub(arrow, _STUCK.sub(r"\1 ", text))


def said_words(text: str) -> list[str]:
    """Return the normalized words of a text, with "-" for each arrow and one word for each phrase."""
    words = fold(re.sub(r"[/(),;:]", " ", with_arrows(text))).split()
    return [word for _, _, word in _without_phrases(words)]


def _without_phrases(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield each word, or the word that a phrase means, with its beginning and end among the written words."""
    at = 0
    while at < len(words):
        length, word = 1, words[at]
        for most in range(min(_LONGEST_PHRASE, len(words) - at), 0, -1):
            if (meant := _PHRASES.get(tuple(words[at : at + most]))) is not None:
                length, word = most, meant
                break
        yield at, at + length, word
        at += length


class OrderTokens:
    """The words of one order's text, taken from left to right.

    `upper` has the words for comparing, and `words` the words as written. `at` is the number of the next word.
    """

    def __init__(self, variant: Variant, phase_kind: PhaseKind, text: str, loosely: bool = False):
        """Split the text. A phrase is one word, a verb in brackets is the verb, and a coast is a separate word.

        A text is first read strictly. If it is read `loosely`, a hyphen or a dot may also be between the words of a
        shortened name. Such a word may look like a word of orders: "Mid-Atl", "N.Afr", "Bay of B". In such a reading, a
        unit alone is not an order.
        """
        self.variant = variant
        self.names = variant.names
        self.phase = phase_kind
        self.loosely = loosely
        self.said = text.strip()
        text = _MARKS.sub(" ", with_arrows(" ".join(text.split()))).strip().rstrip(".!")
        self.text = text.replace(".", " " if loosely else "")
        if self.text.startswith("+"):
            self.text = f"+ {self.text[1:]}"
        self.upper: list[str] = []
        # The beginning and the end of each word in the text.
        self._spans: list[tuple[int, int]] = []
        self.at = 0
        spans = [found.span() for found in _TOKEN.finditer(self.text)]
        upper = [fold(self.text[begin:end]) or self.text[begin:end] for begin, end in spans]
        for first, end, word in _without_phrases(upper):
            begin, last = spans[first][0], spans[end - 1][1]
            self._add_word(word, begin, last)
            if word == ")" and self._is_verb_in_brackets(upper[end:]):
                verb, begin = self.upper[-2], self._spans[-3][0]
                del self._spans[-3:], self.upper[-3:]
                self._add(verb, begin, last)
        self.words = [self.text[begin:end] for begin, end in self._spans]

    def _add_word(self, word: str, begin: int, end: int) -> None:
        """Add a word. Its coast or possessive ending is split off: "STPNC", "Paris's"."""
        name, behind = word[:-2], word[-2:]
        if behind in _CODES and word not in self.names.exact and self._takes_coasts(name):
            self._add(name, begin, end - 2)
            self._add(behind, end - 2, end)
        elif behind == "'S" and name in self.names.exact:
            self._add(name, begin, end)
        else:
            self._add(word, begin, end)

    def _add(self, word: str, begin: int, end: int) -> None:
        self.upper.append(word)
        self._spans.append((begin, end))

    def _takes_coasts(self, name: str) -> bool:
        return name in self.names.exact and bool(self.variant.provinces[self.names.exact[name]].coasts)

    def _is_verb_in_brackets(self, below: Sequence[str]) -> bool:
        """Return whether the last three words are "( S )" and not a coast. `below` has the words that follow."""
        opened, verb = self.upper[-3:-1] if len(self.upper) > 3 else ("", "")
        if opened != "(" or verb not in (ORDER_WORDS | CONVOYED if below else CONVOY | DISBAND):
            return False
        place = len(self.upper) - 3
        before = (" ".join(self.upper[at:-3]) for at in range(max(0, place - self.names.most_words), place))
        coast = verb in ONE_COAST and any(map(self._takes_coasts, before))
        return not coast or below[:1] in (["A"], ["F"], ["ARMY"], ["FLEET"])

    def peek(self, ahead: int = 0) -> str:
        """Return the word that comes `ahead` words later, without taking it, or "" after the end."""
        at = self.at + ahead
        return self.upper[at] if at < len(self.upper) else ""

    def take(self, words: Container[str], before: Container[str] | None = None) -> str:
        """Take and return the next word if it is one of `words`, else return "".

        If `before` is given, take the word only if one of its words follows.
        """
        word = self.peek()
        if not word or word not in words:
            return ""
        if before is not None and self.peek(1) not in before:
            return ""
        self.at += 1
        return word

    def skip_noise(self) -> None:
        """Skip words without meaning, unless they begin a province's name."""
        while self.peek() in NOISE and not self.is_name():
            self.at += 1

    def is_name(self) -> bool:
        """Return whether the next words are the whole name of a province."""
        return any(words in self.names.exact for _, words, _ in self._runs())

    def written(self, start: int, end: int) -> str:
        """Return the text from word number `start` up to word number `end`."""
        return self.text[self._spans[start][0] : self._spans[end - 1][1]] if start < end else ""

    def rest(self) -> str:
        """Return the words that are left."""
        return " ".join(self.words[self.at :])

    def expect_end(self) -> None:
        """Raise OrderError if a word is left."""
        if self.at < len(self.words):
            raise OrderError(f'"{self.rest()}" at the end is not something the judge understands.')

    # --- names ------------------------------------------------------------------------------------------------

    def province(self) -> str:
        """Take the name of a province and return its abbreviation.

        Raises OrderError if there is no such province, or if several fit.
        """
        start = self.at
        self.skip_noise()
        if self.at > start and self.peek() in SAYS_WHAT | {""}:
            self.at -= 1  # the skipped word is a shortened name, such as "An" for Ankara
        runs = self._runs()
        for length, words, may_begin in runs:
            if not may_begin and words not in self.names.exact:
                continue
            found = self.names.find(words)
            if len(found) == 1:
                self.at += length
                return found[0]
            if found:
                said = " ".join(self.words[self.at : self.at + length])
                labels = " or ".join(self.names.label(abbr) for abbr in found)
                raise OrderError(f'"{said}" could be {labels}.', "Write one of the abbreviations.")
        raise self._no_province(runs)

    def _no_province(self, runs: Sequence[tuple[int, str, bool]]) -> OrderError:
        """Return the error that no run of words is a province, with the provinces that may be meant."""
        if not self.peek():
            return OrderError("A province is missing at the end.")
        if not runs:
            return OrderError(f'The judge expected a province at "{self.rest()}".')
        start, said = self.at, self.words[self.at]

        def meant() -> Iterator[dict[str, str]]:
            for alike in (True, False):
                for length, words, _ in runs:
                    near = self.names.near(words, alike=alike)
                    yield {self.names.label(abbr): self._with(abbr, start, start + length) for abbr in near}

        return OrderError(f'"{said}" is not a province.', meant=meant)

    def _with(self, words: str, start: int, end: int) -> str:
        """Return the text with `words` in place of the words from number `start` up to number `end`."""
        return f"{self.text[: self._spans[start][0]]}{words}{self.text[self._spans[end - 1][1] :]}"

    def _runs(self) -> list[tuple[int, str, bool]]:
        """Return the next words joined, the longest run first, with its length and whether it may be shortened.

        A hyphen may be between two words. A run with a hyphen is not a shortened name. A run with an order word, such
        as S or TO, after its first word is not one either. So "Norwegian S A LON - YOR" is a support. If the text is
        read loosely, every run may be a shortened name, unless it ends the line with HOLD (or DISBAND, BUILD or
        REMOVE). So "Al H" is still a hold.
        """
        runs = []
        last = HOLD | {"R": DISBAND, "A": BUILD | REMOVE}.get(self.phase, set())
        joined: list[str] = []
        may_begin = True
        for ahead in range(2 * self.names.most_words):
            word = self.peek(ahead)
            if word in _NO_NAME:
                break
            if word == "-":
                if not joined:
                    break
                may_begin = self.loosely
                continue
            if joined and word in SAYS_WHAT:
                may_begin &= self.loosely and (word not in last or bool(self.peek(ahead + 1)))
            joined.append(word)
            runs.append((ahead + 1, " ".join(joined), may_begin))
        return runs[::-1]

    def place(self) -> str:
        """Take a place and return it: "SPA/SC" for "SPA/SC", "Spain, south coast", "the south coast of Spain".

        A coast is dropped if the province has no coasts.
        """
        coast = self._coast_before()
        province = self.variant.provinces[self.province()]
        coast = coast or self._coast(bool(province.coasts))
        if not coast or not province.coasts:
            return province.abbr
        if coast not in province.coasts:
            raise OrderError(f"{province.name} has no coast {coast}.", f"It has {' and '.join(province.coasts)}.")
        return f"{province.abbr}/{coast}"

    def _behind(self, words: Container[str]) -> int:
        """Return how many of the next words are among `words`, or 0 if more than two are."""
        return next((ahead for ahead in range(3) if self.peek(ahead) not in words), 0)

    def _coast_before(self) -> str:
        """Take "on the south coast of" or "South" before Spain and return "SC", else ""."""
        at = self._behind({"ON", "AT", "IN", "THE"})
        word, behind = self.peek(at), self.peek(at + 1)
        if word not in _DIRECTIONS:
            return ""
        if behind == "COAST" and self.peek(at + 2) == "OF":
            self.at += at + 3
        elif self._takes_coasts(behind) and f"{word} {behind}" not in self.names.exact:
            self.at += at + 1
        else:
            return ""
        return ONE_COAST[word]

    def _coast(self, has_coasts: bool) -> str:
        """Take a coast after a province's name, such as "/nc", "-nc", "(north coast)", and return "NC", else "".

        If the province `has_coasts`, "south" alone and a final "s" are also coasts.
        """
        start = self.at
        opened = self._opening_of_coast(has_coasts)
        word = self.peek()
        coast = ONE_COAST.get(word.removesuffix("COAST").strip(), "")
        length = 1
        if self.peek(1) == "COAST":
            length = 2
        elif self.peek(1) == "-" and self.peek(2) == "COAST":
            length = 3
        is_clear = opened or length > 1 or word in _CODES
        if has_coasts and not is_clear:
            is_clear = word in _DIRECTIONS or not self.peek(1)
        if coast and is_clear:
            self.at += length
            if opened == "(":
                self.take({")"})
            return coast
        self.at = start
        if opened == "/":
            raise OrderError(f'"{self.rest()}": that is not a coast.', "A coast is written STP/NC.")
        return ""

    def _opening_of_coast(self, has_coasts: bool) -> str:
        """Skip words and punctuation that may be before a coast. Return the "/" or "(" among them."""
        opened = self.take({"/", "("})
        if opened == "/" and self.take({"("}):
            opened = "("
        if has_coasts and not opened:
            self.take({"-"}, before=_CODES)
        noise = self._behind({"ON", "AT", "THE"})
        if self.peek(noise + 1) == "COAST":
            self.at += noise
        return opened

    def unit(self) -> Unit:
        """Take a unit: its kind and its place, such as "A(PAR)" or "Paris army".

        The name or adjective of its power may come first. This name is not checked, since it changes nothing.
        """
        self.skip_noise()
        if self.peek() not in KIND_WORDS:
            start = self.at
            opened = bool(self.take({"("}))
            self._power()
            if opened and not self.take({")"}):
                self.at = start
        self.skip_noise()
        self.take({"A"}, before=KIND_WORDS)  # skip the article of "a fleet"
        word = self.take(KIND_WORDS)
        opened = bool(word and self.take({"("}))
        place = self.place()
        if opened:
            self.take({")"})
        if not word and len(self.peek()) > 1:
            word = self.take(KIND_WORDS, before=_BEHIND_UNIT)
        unit = Unit(KIND_WORDS.get(word, ""), place)
        spot = self.variant.board.spots.get(unit.text)
        return spot.unit if spot else unit

    def _power(self) -> None:
        """Skip the name of a power before a unit, such as "Russian". Before a unit's kind, also skip "Rus" or "RU"."""
        known = self.variant.power_words | self.variant.heading_words
        for length, words, may_begin in self._runs():
            behind, is_exact = self.peek(length), words in self.names.exact
            is_power = words.removesuffix("'S") in known
            if behind in KIND_WORDS:
                may_be_short = len(words) > 2 and not is_exact
                is_power |= may_be_short and any(word.startswith(words) for word in known)
                is_power |= self.variant.power_names.has_letters(words)
            elif is_exact or (may_begin and " " in words and self.names.find(words)):
                # "Mexico City" and "Mexico Ci" are provinces. So is "Sokoto", unless a unit follows.
                return
            if is_power:
                # A word before an arrow or a verb is a province, not a power: "Polish - Riga".
                self.at += 0 if behind in SAYS_WHAT else length
                return


# --- orders for all units at once -------------------------------------------------------------------------------

_ALL_UNITS = word_set("ALL BOTH EVERY EVERYTHING EVERYBODY EVERYONE")
_KINDS = {"ARMY": "A", "ARMIES": "A", "FLEET": "F", "FLEETS": "F"}
# The words of phrases like "all of my other units". The words in the last line do not change which units are meant.
_SUBJECT = {
    *_ALL_UNITS, *OTHERS, *_KINDS, "UNIT", "UNITS", "FORCES", "PIECES",
    "THE", "OF", "MY", "OUR", "OWN", "AND",
}  # fmt: skip
_LONGEST_SUBJECT = 7


def collective_order(phase_kind: PhaseKind, text: str) -> tuple[Hold | Disband, int] | None:
    """Return the order for all units, or for all units of one kind, or None for any other text.

    Examples are "All units hold", "all my other armies will hold position" and, in retreats, "all units disband". The
    unit in the order has no place. The number returned with the order is 0 if the order is only for units without
    another order, else 1. `own_orders` finds out which units on the board are meant.
    """
    verbs = {"M": ANY_HOLD, "R": DISBAND}.get(phase_kind, set[str]())
    subject = _subject(said_words(text.rstrip(" .!")), verbs)
    others = not OTHERS.isdisjoint(subject)
    named = others or not _ALL_UNITS.isdisjoint(subject)
    if not named or len(subject) > _LONGEST_SUBJECT or not _SUBJECT.issuperset(subject):
        return None
    kinds = {_KINDS[word] for word in subject if word in _KINDS}
    unit = Unit(kinds.pop() if len(kinds) == 1 else "", "")
    return Hold(unit) if phase_kind == "M" else Disband(unit), int(not others)


def _subject(words: Sequence[str], verbs: Container[str]) -> Sequence[str]:
    """Return the words of an order without its verb at the beginning or end, or () without a verb."""
    if not words:
        return ()
    if words[0] in verbs:
        return words[1:]
    if words[-1] not in verbs:
        return ()
    return words[: -2 if words[-2:-1] in (["WILL"], ["TO"]) else -1]
