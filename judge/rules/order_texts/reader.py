"""Reads one order's text from left to right, by the reading rules of a judge.

The longest name first; the phase decides what R and D mean; a hyphen inside a name is tried as part of the name before
it is read as "to". The reader knows only the map and the kind of phase, not the pieces on the board.
"""

import re
from dataclasses import dataclass
from functools import cached_property, partial

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
from judge.rules.order_texts.vocabulary import (
    ALSO_CONVOY,
    ALSO_HOLD,
    ALSO_MOVE,
    ALSO_SUPPORT,
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    HOME,
    KIND_WORDS,
    MOVE,
    NOISE,
    ONE_COAST,
    ORDER_WORDS,
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
# What may stand behind a place, so that a word before it is the place, though it may also mean "to".
_NO_PLACE = {"", "VIA", "BY", "-", "/", "("}
# In a text of single blanks.
ARROWS = re.compile(r" ?(?:[-=–—−~]{0,9}>+|→|⇒|[-‐‑–—―−]{1,3}) ?")
MARKS = re.compile(r"\(\*[^*]*\*\)")
TOKEN = re.compile(r"[^\s/(),;:-]+|[/(),;:-]")


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
        self.words = TOKEN.findall(self.text)
        self.upper = [fold(word) or word for word in self.words]
        self.at = 0
        self._runs_from: dict[int, list[tuple[int, str, bool]]] = {}

    # --- tokens -----------------------------------------------------------------------------------------------

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.upper[at] if at < len(self.upper) else ""

    def take(self, words: set[str] | dict[str, str]) -> str:
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

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        """Where each word stands in the text."""
        return [found.span() for found in TOKEN.finditer(self.text)]

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
        province = self.province()
        return _Place(province, self._coast())

    def _coast(self) -> str:
        """ "NC" of "/nc", "(north coast)", " nc" or " south coast" after a province's name, else ""."""
        start = self.at
        opened = self.take({"/", "("})
        if opened == "/" and self.peek() == "(":
            self.at += 1
            opened = "("
        word = self.peek()
        coast = ONE_COAST.get(word.removesuffix("COAST").strip() or word, "") if word else ""
        spelt_out = self.peek(1) == "COAST" or (self.peek(1) == "-" and self.peek(2) == "COAST")
        if not coast or not (opened or spelt_out or (len(word) == 2 and word.endswith("C"))):
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
        self.skip_noise()
        if not self.words:
            raise OrderError("There is no order here.")
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
            if self.take(RETREAT) or self._to():
                self._to()
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
        if self._to():
            self._skip_own_place(unit)
            return self._move(unit)
        if self.take(SUPPORTED):
            return self._support(unit)
        if self.take(_CONVOY):
            self._fleet_of_convoy(unit)
            army = self.unit()
            if not self._to():
                raise OrderError(f"Where does {unit} convoy {army} to?", f"Write {unit} C {army} - …")
            return Convoy(unit, army, self._last_of_route()[0])
        return self._without_verb(unit)

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

    def _fleet_of_convoy(self, unit: Unit) -> None:
        if unit.kind == "A":
            raise OrderError("Only fleets convoy.")

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
        retreats, winter = word in RETREAT | DISBAND, word in BUILD | REMOVE | WAIVE | HOME
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
        """ "via convoy", "via c", "via", "by convoy", "(via convoy)", "via NTH - NWG" and "via NTH and NWG"."""
        opened = self.take({"("})
        if not self.take({"VIA", "BY"}):
            if opened:
                self.at -= 1
            return False
        # "by sea", unless SEA is a province on the way.
        words = {"CONVOY", "C", *["SEA"] * (self.peek(1) in ("", ")"))}
        if not self.take(words) and self.peek() not in ("", ")"):
            self.destination()
            while self.peek(1) not in KIND_WORDS and self.take({"-", "AND", ","}):
                self.destination()
        if opened:
            self.take({")"})
        return True

    def _support(self, unit: Unit) -> Support:
        helped = self.unit()
        self.skip_noise()
        if self.peek() == "TO" and self.peek(1) in HOLD:
            self.at += 1
        if self.take(HOLD) or self.at == len(self.words):
            return Support(unit, helped)
        if not self._to() and self.peek() in ORDER_WORDS:
            raise OrderError(f'"{self.rest()}" cannot be supported.', "Support a unit where it stands, or its move.")
        to, _ = self._last_of_route()
        self._via()
        return Support(unit, helped, to)

    def _adjustment(self) -> Order:
        if self.take(WAIVE):
            if self.peek().isdigit():
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
