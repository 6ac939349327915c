"""Reads one order's text from left to right, by the reading rules of a judge.

The longest name first; the phase decides what R and D mean; a hyphen inside a name is tried as part of the name before
it is read as "to". The reader knows only the map and the kind of phase, not the pieces on the board.
"""

import re
from collections.abc import Container, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial

from judge.rules.board.names import fold
from judge.rules.board.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Home,
    Move,
    Order,
    OrderError,
    OutOfPlace,
    Remove,
    Retreat,
    Support,
    Unit,
    Waive,
)
from judge.rules.board.phase import KINDS, PhaseKind
from judge.rules.parsing.vocabulary import (
    ALL,
    ALSO_BY_WAY_OF,
    ALSO_CONVOY,
    ALSO_HOLD,
    ALSO_MOVE,
    ALSO_RETREAT,
    ALSO_SUPPORT,
    ATTEMPTS,
    BUILD,
    BY_WAY_OF,
    CONVOY,
    CONVOYED,
    DISBAND,
    FLEET_WORDS,
    HOLD,
    HOME,
    KIND_WORDS,
    MOVE,
    NOISE,
    ONE_COAST,
    ORDER_WORDS,
    PHRASES,
    REMOVE,
    RETREAT,
    SUPPORT,
    TO,
    TOWARDS,
    WAIVE,
)
from judge.rules.variant.variant import Variant

_HOLD, _MOVE = HOLD | ALSO_HOLD, MOVE | ALSO_MOVE
SUPPORTED, _CONVOY = SUPPORT | ALSO_SUPPORT, CONVOY | ALSO_CONVOY
_RETREAT = RETREAT | ALSO_RETREAT
_PHRASES = {tuple(phrase.split()): word for phrase, word in PHRASES.items()}
_LONGEST_PHRASE = max(map(len, _PHRASES))
_FIRST_WORDS = {phrase[0] for phrase in _PHRASES}
_DIRECTIONS = {word for word in ONE_COAST if len(word) > len("NC")}
_CODES = {"NC", "SC", "EC", "WC"}
# What may stand behind a place, so that a word before it is the place, though it may also mean "to".
_NO_PLACE = {"", "VIA", "BY", "-", "/", "("}
# In a text of single blanks.
ARROWS = re.compile(r" ?(?:[-=–—−~]{0,9}>+|→|⇒|[-‐‑–—―−]{1,3}) ?")
MARKS = re.compile(r"\(\*[^*]*\*\)")
TOKEN = re.compile(r"[^\s/(),;:-]+|[/(),;:-]")


def said_words(text: str) -> list[str]:
    """The words of a text, folded, "-" for each arrow, and one word for each phrase: ["A", "PAR", "SUPPORTS", …]."""
    words = fold(re.sub(r"[/(),;:]", " ", ARROWS.sub(" - ", text))).split()
    return [word for _, _, word in _without_phrases(words)] if _FIRST_WORDS.intersection(words) else words


def _without_phrases(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Where each word of an order begins and ends among those that were written; a phrase is one."""
    at = 0
    while at < len(words):
        length, word = 1, words[at]
        if word in _FIRST_WORDS:
            for most in range(min(_LONGEST_PHRASE, len(words) - at), 0, -1):
                if (meant := _PHRASES.get(tuple(words[at : at + most]))) is not None:
                    length, word = most, meant
                    break
        yield at, at + length, word
        at += length


@dataclass
class _Place:
    """A place as it was written; `coast` may be one that the province does not have."""

    province: str
    coast: str


class Reader:
    """One order's text, read from left to right."""

    def __init__(self, variant: Variant, phase_kind: PhaseKind, text: str, loosely: bool = False):
        """`loosely`: a hyphen or a dot may also stand between the words of the beginning of a name, and such a word
        may look like one of an order: "Mid-Atl", "N.Afr", "Bay of B". A unit alone is no order then. A text is read
        strictly first.
        """
        self.variant = variant
        self.names = variant.names
        self.phase = phase_kind
        self.loosely = loosely
        text = MARKS.sub(" ", ARROWS.sub(" - ", " ".join(text.split()))).strip().rstrip(".!")
        self.text = text.replace(".", " " if loosely else "")
        if self.text.startswith("+"):
            self.text = f"+ {self.text[1:]}"
        self.words: list[str] = []
        self.upper: list[str] = []
        # Where each word stands in the text.
        self._spans: list[tuple[int, int]] = []
        self._read_words()
        self.at = 0
        self._runs_from: dict[int, list[tuple[int, str, bool]]] = {}

    # --- tokens -----------------------------------------------------------------------------------------------

    def _read_words(self) -> None:
        """Take the text apart: a phrase is one word, a verb in brackets is the verb, and a coast a word of its own."""
        spans = [found.span() for found in TOKEN.finditer(self.text)]
        upper = [fold(self.text[begin:end]) or self.text[begin:end] for begin, end in spans]
        for first, end, word in _without_phrases(upper):
            begin, last = spans[first][0], spans[end - 1][1]
            if word not in self.names.exact and self._takes_coasts(word[:-2]) and word[-2:] in _CODES:
                self._add(word[:-2], begin, last - 2)
                self._add(word[-2:], last - 2, last)
                continue
            if word.endswith("'S") and word[:-2] in self.names.exact:
                word = word[:-2]
            self._add(word, begin, last)
            if word == ")" and self._is_verb_in_brackets(upper[end:]):
                begin, verb = self._spans[-3][0], self.upper[-2]
                del self._spans[-3:], self.upper[-3:], self.words[-3:]
                self._add(verb, begin, last)

    def _add(self, word: str, begin: int, end: int) -> None:
        self.words.append(self.text[begin:end])
        self.upper.append(word)
        self._spans.append((begin, end))

    def _takes_coasts(self, name: str) -> bool:
        return name in self.names.exact and bool(self.variant.provinces[self.names.exact[name]].coasts)

    def _is_verb_in_brackets(self, below: Sequence[str]) -> bool:
        """Whether the last three words are "( S )" and no coast; `below`: the words that follow."""
        opened, verb = self.upper[-3:-1] if len(self.upper) > 3 else ("", "")
        if opened != "(" or verb not in (ORDER_WORDS if below else CONVOY | DISBAND):
            return False
        place = len(self.upper) - 3
        before = (" ".join(self.upper[at:-3]) for at in range(max(0, place - self.names.most_words), place))
        coast = verb in ONE_COAST and any(map(self._takes_coasts, before))
        return not coast or below[:1] in (["A"], ["F"], ["ARMY"], ["FLEET"])

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.upper[at] if at < len(self.upper) else ""

    def take(self, words: Container[str]) -> str:
        """The next word if it is one of these (the reader then moves past it), else ""."""
        word = self.peek()
        if word and word in words:
            self.at += 1
            return word
        return ""

    def skip_noise(self) -> None:
        """Skips words without meaning, unless they begin a province's name."""
        while self.peek() in NOISE and not any(words in self.names.exact for _, words, _ in self._runs()):
            self.at += 1

    def written(self, start: int, end: int) -> str:
        """The text from word number `start` up to word number `end`."""
        return self.text[self._spans[start][0] : self._spans[end - 1][1]] if start < end else ""

    def rest(self) -> str:
        return " ".join(self.words[self.at :])

    def expect_end(self) -> None:
        if self.at < len(self.words):
            raise OrderError(f'"{self.rest()}" at the end was not understood.')

    # --- names ------------------------------------------------------------------------------------------------

    def province(self) -> str:
        """The province named here; raises OrderError if there is none, or if several fit."""
        start = self.at
        self.skip_noise()
        if self.at > start and (not self.peek() or self.peek() in ORDER_WORDS or self.peek() in TO):
            self.at -= 1  # "An" is the beginning of a name here
        runs = self._runs()
        for length, words, may_begin in runs:
            found = [self.names.exact[words]] if words in self.names.exact else []
            if not found and may_begin:
                found = self.names.find(words)
            if len(found) == 1:
                self.at += length
                return found[0]
            if found:
                said = " ".join(self.words[self.at : self.at + length])
                labels = " or ".join(self.names.label(abbr) for abbr in found)
                raise OrderError(f'"{said}" could be {labels}.', "Write one of the abbreviations.")
        if not runs:
            raise OrderError("A province is missing at the end." if not self.peek() else self._unexpected())
        said = self.words[self.at]
        raise OrderError(f'"{said}" is not a province.', partial(self._suggestion, runs))

    def _runs(self) -> list[tuple[int, str, bool]]:
        """The next words joined, the longest run first, with its length; a hyphen may stand between two words.

        Whether a run may be the beginning of a name, too: not with a hyphen in it or with a word of an order behind
        its first word, unless the text is read loosely. "Norwegian S A LON - YOR" is a support, and "Al H" a hold.
        """
        if self.at not in self._runs_from:
            self._runs_from[self.at] = self._runs_here()
        return self._runs_from[self.at]

    def _runs_here(self) -> list[tuple[int, str, bool]]:
        runs = []
        last = HOLD | {"R": DISBAND, "A": BUILD | REMOVE}.get(self.phase, set())
        joined: list[str] = []
        may_begin = True
        for ahead in range(2 * self.names.most_words):
            word = self.peek(ahead)
            if not word or word in "/(),;:":
                break
            if word == "-":
                if not joined:
                    break
                may_begin = self.loosely
                continue
            if joined and (word in ORDER_WORDS or word in TO):
                may_begin &= self.loosely and (word not in last or bool(self.peek(ahead + 1)))
            joined.append(word)
            runs.append((ahead + 1, " ".join(joined), may_begin))
        return runs[::-1]

    def _unexpected(self) -> str:
        return f'A province was expected at "{self.rest()}".'

    def _suggestion(self, runs: list[tuple[int, str, bool]]) -> str:
        for _, words, _ in runs:
            suggestion = self.names.suggestion(words)
            if suggestion:
                return suggestion
        return ""

    def place(self) -> _Place:
        """The place named here: "SPA/SC", "Spain, south coast", "the south coast of Spain"."""
        the = self.peek() == "THE"
        if self.peek(the) in _DIRECTIONS and self.peek(the + 1) == "COAST" and self.peek(the + 2) == "OF":
            coast = ONE_COAST[self.peek(the)]
            self.at += the + 3
            return _Place(self.province(), coast)
        province = self.province()
        return _Place(province, self._coast(bool(self.variant.provinces[province].coasts)))

    def _coast(self, has_coasts: bool) -> str:
        """ "NC" of "/nc", "-nc", "(north coast)", " nc" or " on the south coast" after a province's name, else "".

        Where the province `has_coasts`, "south" alone is one, too.
        """
        start = self.at
        opened = self.take({"/", "("})
        if opened == "/" and self.peek() == "(":
            self.at += 1
            opened = "("
        if not opened and has_coasts and self.peek() == "-" and self.peek(1) in _CODES:
            self.at += 1
        noise = next((ahead for ahead in range(3) if self.peek(ahead) not in {"ON", "AT", "THE"}), 0)
        if self.peek(noise + 1) == "COAST":
            self.at += noise
        word = self.peek()
        coast = ONE_COAST.get(word.removesuffix("COAST").strip() or word, "") if word else ""
        spelt_out = self.peek(1) == "COAST" or (self.peek(1) == "-" and self.peek(2) == "COAST")
        short = len(word) == 2 and word.endswith("C") or has_coasts and word in _DIRECTIONS
        if not coast or not (opened or spelt_out or short):
            self.at = start
            if opened == "/":
                raise OrderError(f'"{self.rest()}": that is not a coast.', "A coast is written STP/NC.")
            return ""
        self.at += 1
        if spelt_out:
            self.at += 1 if self.peek() == "COAST" else 2
        if opened == "(":
            self.take({")"})
        return coast

    def unit(self) -> Unit:
        """A unit: the name or adjective of its power (not checked, because it changes nothing), its kind, its place."""
        self.skip_noise()
        self._nationality()
        self.skip_noise()
        if self.peek() == "A" and self.peek(1) in KIND_WORDS:
            self.at += 1  # "a fleet"
        word = self.take(KIND_WORDS)
        place = self.place()
        unit = Unit(KIND_WORDS.get(word, ""), self._spot(place))
        spot = self.variant.board.spots.get(unit.text)
        return spot.unit if spot else unit

    def _nationality(self) -> None:
        if self.peek() in KIND_WORDS:
            return
        for length, words, may_begin in self._runs():
            # "Mexico City" and "Mexico Ci" are a province; so is "Sokoto", unless a unit follows.
            named = words in self.names.exact or (may_begin and " " in words and bool(self.names.find(words)))
            if named and self.peek(length) not in KIND_WORDS:
                return
            if words.removesuffix("'S") in self.variant.power_words:
                follows = self.peek(length)
                # "Polish - Riga" is the beginning of a name.
                self.at += 0 if follows in TO or follows in ORDER_WORDS else length
                return

    def _spot(self, place: _Place) -> str:
        """The place's name; a coast is dropped if the province has no coasts at all."""
        coasts = self.variant.provinces[place.province].coasts
        if not place.coast or not coasts:
            return place.province
        if place.coast not in coasts:
            options = " or ".join(f"{place.province}/{coast}" for coast in coasts)
            raise OrderError(
                f"{self.variant.provinces[place.province].name} has no coast {place.coast}.", f"Write {options}."
            )
        return f"{place.province}/{place.coast}"

    def destination(self) -> str:
        return self._spot(self.place())

    # --- orders -----------------------------------------------------------------------------------------------

    def whole_order(self) -> Order:
        """The order that the whole text contains."""
        order = self.order()
        self.expect_end()
        return order

    def whole_loose_order(self) -> Order | None:
        """The same of a text that is read loosely; None if it is not an order."""
        try:
            return self.whole_order()
        except OrderError:
            return None

    def order(self) -> Order:
        builds = bool(self.take({"+"})) and self.phase == "A" and self.peek() not in ORDER_WORDS
        self.skip_noise()
        if self.at == len(self.words):
            raise OrderError("There is no order here.")
        if builds:
            return Build(self.unit())
        if self.peek() in ORDER_WORDS and not any(words in self.names.exact for _, words, _ in self._runs()):
            self._refuse_word_of_another_phase()
        if self.phase == "A":
            return self._adjustment()
        if self.phase == "R" and self.take(DISBAND):
            return Disband(self.unit())
        if self.phase == "M" and self.peek() in _MOVE | _HOLD and self.peek(1) in KIND_WORDS:
            return self._verb_first()
        if self.phase == "R":
            self.take(RETREAT)  # "retreat A BOH to TYR"
        unit = self.unit()
        self.skip_noise()
        if self.phase == "R":
            if self.take(DISBAND):
                return Disband(unit)
            if self.take(_RETREAT) or self._to():
                self._to()
                if self.peek() in DISBAND and self.take(DISBAND):  # "A BOH R D", "retreats off the board"
                    return Disband(unit)
                return Retreat(unit, self.destination())
        return self._movement(unit)

    def _verb_first(self) -> Order:
        """ "move A PAR to BUR", "hold A PAR"."""
        holds = bool(self.take(_HOLD))
        self.take(_MOVE)
        unit = self.unit()
        if holds:
            return Hold(unit)
        if not self._to():
            raise OrderError(f"Where does {unit} move to?", f"Write {unit} - …")
        return self._move(unit)

    def _to(self) -> bool:
        """Skips a "-", "to", "moves to", "heads for" or the like."""
        found = bool(self.take(_MOVE))
        if found and self.peek(1) not in _NO_PLACE:
            self.take(TOWARDS)
        return bool(self.take(TO)) or found

    def _movement(self, unit: Unit) -> Order:
        self._skip_to_of_infinitive()
        if self.take(_HOLD) or (self.at == len(self.words) and not self.loosely):
            return Hold(unit)
        if self.phase == "M" and self._is_carried(unit):
            return self._carried(unit)
        if self._to():
            if self.phase == "M" and (self.peek() in BY_WAY_OF or self.peek() in CONVOY and self.peek(1) in TO):
                return self._carried(unit)
            self._skip_own_place(unit)
            return self._move(unit)
        if self.take(SUPPORTED):
            return self._support(unit)
        if self.take(_CONVOY):
            if unit.kind == "A":
                raise OrderError("Only fleets convoy.")
            army = self.unit()
            if not self._to():
                raise OrderError(f"Where does {unit} convoy {army} to?", f"Write {unit} C {army} - …")
            return Convoy(unit, army, self._last_of_route()[0])
        return self._without_verb(unit)

    def _is_carried(self, unit: Unit) -> bool:
        """Whether the unit is "convoyed to NWY", moves "by F NTH to NWY", or is an army that "convoys to NWY"."""
        word = self.peek()
        return word in CONVOYED or word in BY_WAY_OF or unit.kind == "A" and word in _CONVOY and self.peek(1) in TO

    def _carried(self, unit: Unit) -> Move:
        """ "convoyed to NWY", "convoyed by F NTH to NWY", "via convoy to NWY"."""
        self.take(CONVOYED | _CONVOY)
        if self.take(BY_WAY_OF) and not self.take({"CONVOY", "C", "SEA"}):
            self._fleets({"AND", ","})
        if not self._to():
            raise OrderError(f"Where is {unit} convoyed to?", f"Write {unit} - … VIA.")
        to, _ = self._last_of_route()
        self._via()
        return Move(unit, to, via=True)

    def _is_at_sea(self) -> bool:
        """Whether a fleet or a place that convoys is named here: "A PAR - BUR with A MAR" names none."""
        start = self.at
        self.take(FLEET_WORDS)
        try:
            return self.variant.provinces[self.province()].convoys
        except OrderError:
            return False
        finally:
            self.at = start

    def _fleets(self, between: Set[str] = frozenset({"AND", ",", "-"})) -> None:
        """Skips the fleets or seas that carry an army: "F NTH", "NTH and NWG"; what orders a unit of its own stays."""
        self.take(FLEET_WORDS)
        self.destination()
        start = self.at
        while self.peek(1) not in KIND_WORDS.keys() - FLEET_WORDS and self.take(between):
            fleet = self.take(FLEET_WORDS)
            self.destination()
            if fleet and self.peek() not in ("", "AND", ",", ")"):
                self.at = start
                return
            start = self.at

    def _skip_to_of_infinitive(self) -> None:
        """Skips the "to" of "A PAR to hold" and "A PAR to move to BUR", where no name begins."""
        verb, more = self.peek(1), self.at + 2 < len(self.words)
        meant = verb in _HOLD or more and verb in _MOVE | SUPPORTED | _CONVOY
        if self.peek() == "TO" and meant and verb not in self.names.exact:
            self.at += 1

    def _skip_own_place(self, unit: Unit) -> None:
        """Skips the "from Paris" of "A PAR moves from Paris to Burgundy"."""
        start = self.at
        if not (self.take({"FROM"}) and self.destination().partition("/")[0] == unit.province and self.take(TO)):
            self.at = start

    def _without_verb(self, unit: Unit) -> Order:
        """Two provinces side by side are a move; any other text without a verb was not understood."""
        start = self.at
        if self.phase != "A" and self.peek() not in ORDER_WORDS:
            try:
                return self._move(unit)
            except OrderError:
                self.at = start
        self._refuse_word_of_another_phase()
        forms = {
            "M": f"{unit} H, {unit} - …, {unit} S … or {unit} C …",
            "R": f"{unit} - … or {unit} D.",
            "A": f"BUILD {unit} or REMOVE {unit}.",
        }
        raise OrderError(f'"{self.rest()}" was not understood.', f"Write {forms[self.phase]}")

    def _refuse_word_of_another_phase(self) -> None:
        """Raises OrderError at a word for an order that exists only in another kind of phase."""
        word = self.peek()
        retreats, winter = word in _RETREAT | DISBAND, word in BUILD | REMOVE | WAIVE | HOME
        if (retreats and self.phase == "R") or (winter and self.phase == "A"):
            return
        if retreats or winter:
            when = "retreats" if retreats else "the winter, when units are built and removed"
            raise OutOfPlace(
                f'"{self.words[self.at]}" belongs to {when}; this is a phase of {KINDS[self.phase].lower()}.'
            )

    def _move(self, unit: Unit) -> Order:
        to, by_sea = self._last_of_route()
        by_sea = self._via() or by_sea
        return Retreat(unit, to) if self.phase == "R" else Move(unit, to, by_sea)

    def _last_of_route(self) -> tuple[str, bool]:
        """The last place of "- NTH - NWY", and whether the route leads over the sea."""
        stops = [self.destination()]
        while self._to():
            stops.append(self.destination())
        for stop in stops[:-1]:
            province = self.variant.provinces[stop.partition("/")[0]]
            if not province.convoys:
                raise OrderError(f"An army cannot be convoyed through {province.name}.")
        return stops[-1], len(stops) > 1

    def _via(self) -> bool:
        """ "via convoy", "via c", "via", "by convoy", "(via convoy)", "(c)", "via NTH - NWG", "by F NTH and F NWG"."""
        start = self.at
        opened = bool(self.take({"("}))
        if self.peek() in CONVOY | CONVOYED and self.peek(1) in ("", ")", *BY_WAY_OF):
            carried = bool(self.take(CONVOY | CONVOYED))
        else:
            carried = False
        if self.take(BY_WAY_OF):
            # "by sea", unless SEA is a province on the way.
            words = {"CONVOY", "C", *["SEA"] * (self.peek(1) in ("", ")"))}
            if not self.take(words) and self.peek() not in ("", ")"):
                self._fleets()
        elif self.take(ALSO_BY_WAY_OF):
            if not self._is_at_sea():
                self.at = start
                return False
            self._fleets()
        elif not carried:
            self.at = start
            return False
        if opened:
            self.take({")"})
        return True

    def _support(self, unit: Unit) -> Support:
        holding = self.upper[self.at - 1] == "SUPPORT-HOLDS"
        if self.peek() == "TO" and (self.peek(1) in KIND_WORDS or self.peek(1) == "THE"):
            self.at += 1  # "support to A MAR"
        start = self.at
        self.skip_noise()
        attempt = bool(self.take(ATTEMPTS)) and self.peek() in {"OF", "FROM", "BY"}
        if attempt:
            self.at += self.peek() == "BY"
        else:
            self.at = start
        helped = self.unit()
        self.skip_noise()
        if self.peek() == "TO" and self.peek(1) in HOLD:
            self.at += 1
        if holding or self.take(HOLD) or self.at == len(self.words) and not attempt:
            self.take(HOLD)
            return Support(unit, helped)
        if not (self._to() or attempt and self.take(TOWARDS)) and self.peek() in ORDER_WORDS:
            raise OrderError(f'"{self.rest()}" cannot be supported.', "Support a unit where it stands, or its move.")
        to, _ = self._last_of_route()
        self._via()
        return Support(unit, helped, to)

    def _adjustment(self) -> Order:
        if self.take(WAIVE):
            self.take({"THE"})
            while self.peek().isdigit() or self.peek() in ALL:
                self.at += 1
            self.take(BUILD)
            return Waive()
        if self.take(HOME):
            return Home(self.province())
        if self.take(BUILD):
            return Waive() if self.take(WAIVE) else Build(self.unit())
        if self.take(REMOVE):
            return Remove(self.unit())
        unit = self.unit()
        self.skip_noise()
        if self.take(BUILD):
            return Build(unit)
        if self.take(REMOVE):
            return Remove(unit)
        if self.at == len(self.words):
            raise OrderError(f"Build or remove {unit}?", f"Write BUILD {unit} or REMOVE {unit}.")
        return self._movement(unit)
