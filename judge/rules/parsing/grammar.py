"""Parse one order's text from left to right, by the rules of the classic judges.

The kind of phase decides what R and D mean. Only the map and the kind of phase are known here, not the units on the
board.
"""

from collections.abc import Sequence, Set
from functools import lru_cache

from judge.rules.board.orders import (
    OPEN,
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
    province_of,
)
from judge.rules.board.phase import PhaseKind
from judge.rules.parsing.order_tokens import OrderTokens, collective_order
from judge.rules.parsing.vocabulary import (
    ALL,
    ALSO_BY_WAY_OF,
    ANY_CONVOY,
    ANY_HOLD,
    ANY_MOVE,
    ANY_RETREAT,
    ANY_SUPPORT,
    ATTEMPTS,
    BETWEEN,
    BUILD,
    BY_WAY_OF,
    CONVOY,
    CONVOYED,
    DISBAND,
    DONE_BY,
    DOUBTS,
    FLEET_WORDS,
    HOLD,
    HOME,
    KIND_WORDS,
    NUMBERS,
    ORDER_WORDS,
    REMOVE,
    SAYS_WHAT,
    TO,
    TOWARDS,
    WAIVE,
)
from judge.rules.variant.variant import Variant

_VERBS_WITH_OBJECT = ANY_MOVE | ANY_SUPPORT | ANY_CONVOY
_PHASES: dict[PhaseKind, str] = {"M": "a movement", "R": "a retreat", "A": "a winter"}
# Words and punctuation that may follow a place. A word before one of them is a place, even if it can also mean "to".
_NO_PLACE = {"", "VIA", "BY", "-", "/", "("}
# Punctuation that separates the items of a list.
_LIST = "•▪◦·*)"


class BareUnit(OrderError):
    """A text that names only a `unit`. The writer has left out the order, or the order continues on another line."""

    def __init__(self, unit: Unit, message: str, ways: Sequence[str]):
        super().__init__(message, ways=ways)
        self.unit = unit


class Reader(OrderTokens):
    """Parses the words of one text as orders."""

    def whole_order(self) -> Order:
        """Return the order that the whole text contains."""
        order = self.order()
        self.expect_end()
        if doubt := next((sign for sign in DOUBTS if sign in self.said), ""):
            raise OrderError(f"The {doubt} suggests that this is not decided.", "If this is an order, leave it out.")
        return order

    def order(self) -> Order:
        """Parse one order, after which more words may follow."""
        builds = self.take({"+"}) and self.phase == "A" and self.peek() not in ORDER_WORDS
        self.skip_noise()
        if self.at == len(self.words):
            raise OrderError("There is no order here.")
        if builds:
            return Build(self.unit())
        named = self.is_name()
        if self.peek() in ORDER_WORDS and not named:
            self._refuse_word_of_another_phase()
        if self.phase == "A":
            return self._adjustment()
        is_verb = not named and self.peek(1) not in SAYS_WHAT | {""}
        if self.phase == "R":
            return self._retreat(is_verb)
        if is_verb and self.peek() in ANY_HOLD | _VERBS_WITH_OBJECT:
            return self._verb_first()
        unit = self.unit()
        self.skip_noise()
        return self._movement(unit)

    def _retreat(self, is_verb: bool) -> Order:
        """Parse an order of a retreat phase. `is_verb` is true if the next word may be a verb before its unit."""
        if self.take(DISBAND):
            return Disband(self.unit())
        if is_verb:
            self.take(ANY_RETREAT | ANY_MOVE)  # the verb may come first: "retreat A BOH to TYR"
        unit = self.unit()
        self.skip_noise()
        if self.take(DISBAND):
            return Disband(unit)
        if not self.take(ANY_RETREAT) and not self._to():
            return self._movement(unit)
        self._to()
        if self.take(DISBAND):  # a disband after R: "A BOH R D", "retreats off the board"
            return Disband(unit)
        return Retreat(unit, self.place())

    def _verb_first(self) -> Order:
        """Parse an order that begins with its verb: "move A PAR to BUR", "hold A PAR", "convoy A LON - NWY"."""
        verb = self.peek()
        self.at += 1
        unit = self.unit()
        if verb in ANY_HOLD:
            return self._hold(unit)
        goes = self._to()
        if verb in ANY_MOVE:
            if not goes and self._is_over():
                raise OrderError(f"Where should {unit} move?", ways=[f"{unit} - {OPEN}"])
            return self._move(unit)
        to = self._last_of_route()[0] if goes else ""
        supports, helped = verb in ANY_SUPPORT, f"{unit} - {to}" if to else f"{unit}"
        if not self.take(DONE_BY):
            does, form = ("support", f"{OPEN} S") if supports else ("convoy", f"F {OPEN} C")
            raise OrderError(f"Which unit should {does} {helped}?", ways=[f"{form} {helped}"])
        by = self.unit()
        if supports:
            return Support(by, unit, to)
        if not to:
            raise OrderError(f"Where should {by} convoy {unit}?", ways=[f"{by} C {unit} - {OPEN}"])
        return Convoy(by, unit, to)

    def _is_over(self) -> bool:
        """Return whether no place can follow: the text ends here, or a word of an order is next."""
        return not self.peek() or self.peek() in ORDER_WORDS

    def _hold(self, unit: Unit) -> Hold:
        """Parse the rest of a hold after its verb. "in Paris" may follow."""
        self._is_at(unit, {"IN", "AT"})
        return Hold(unit)

    def _is_at(self, unit: Unit, words: Set[str]) -> bool:
        """Take one of `words` and the place of the unit, as in "from Paris". Return whether they were next."""
        start = self.at
        if self.take(words) and province_of(self.place()) == unit.province:
            return True
        self.at = start
        return False

    def _to(self) -> bool:
        """Skip "-", "to", "moves to", "heads for" or the like. Return whether there was such a word."""
        found = bool(self.take(ANY_MOVE))
        if found and self.peek(1) not in _NO_PLACE:
            self.take(TOWARDS)
        return bool(self.take(TO)) or found

    def _movement(self, unit: Unit) -> Order:
        """Parse the words that follow the unit in an order."""
        self._skip_to_before_verb()
        if self.take(ANY_HOLD):
            return self._hold(unit)
        if self.at == len(self.words) and not self.loosely:
            ways = [f"{unit} - {OPEN}", f"{unit} D"] if self.phase == "R" else [f"{unit} H", f"{unit} - {OPEN}"]
            raise BareUnit(unit, f'"{self.said}" names a unit but no order.', ways)
        if self.phase == "M" and self._is_carried(unit):
            return self._carried(unit)
        if self._to():
            return self._goes(unit)
        if self.take(ANY_SUPPORT):
            return self._support(unit)
        if self.take(ANY_CONVOY):
            return self._convoy(unit)
        return self._without_verb(unit)

    def _goes(self, unit: Unit) -> Order:
        """Parse the words that follow "to" in an order."""
        by_way = self.peek() in BY_WAY_OF and self.peek(1)
        by_convoy = self.peek() in CONVOY and self.peek(1) in TO
        if self.phase == "M" and (by_way or by_convoy):
            return self._carried(unit)
        start = self.at  # the start may be named: "A PAR moves from Paris to …"
        if not (self._is_at(unit, {"FROM"}) and self.take(TO)):
            self.at = start
        return self._move(unit)

    def _skip_to_before_verb(self) -> None:
        """Skip a "to" or "-" before a verb: "A PAR to hold", "A PAR to move to BUR", "A PAR - hold"."""
        verb = self.peek(1)
        if verb in self.names.exact:
            return
        if verb in ANY_HOLD:
            self.take({"TO", "-"})
        elif verb in _VERBS_WITH_OBJECT and self.at + 2 < len(self.words):
            self.take({"TO"})

    def _is_carried(self, unit: Unit) -> bool:
        """Return whether words like "convoyed to NWY", "by NTH" or "using F NTH" are next.

        For an army, "convoys to NWY" is such a phrase too.
        """
        word = self.peek()
        if word in CONVOYED | BY_WAY_OF:
            return True
        if word in ALSO_BY_WAY_OF:
            return self._is_at_sea(1)
        return unit.kind == "A" and word in ANY_CONVOY and self.peek(1) in TO

    def _convoy(self, unit: Unit) -> Convoy:
        """Parse the rest of a convoy after its verb."""
        if unit.kind == "A":
            raise OrderError("Only fleets convoy.")
        army = self.unit()
        if not self._to() and self._is_over():
            raise OrderError(f"Where should {unit} convoy {army}?", ways=[f"{unit} C {army} - {OPEN}"])
        to, _ = self._last_of_route()
        self._via()
        return Convoy(unit, army, to)

    def _carried(self, unit: Unit) -> Move:
        """Parse "convoyed to NWY", "by F NTH to NWY", "via convoy to NWY", or for an army "convoys to NWY"."""
        self.take(CONVOYED | ANY_CONVOY)
        if self.take(BY_WAY_OF | ALSO_BY_WAY_OF) and not self.take({"CONVOY", "C", "SEA"}):
            self._fleets({"AND", ","})
        if not self._to():
            raise OrderError(f"Where should {unit} be convoyed?", ways=[f"{unit} - {OPEN} VIA"])
        to, _ = self._last_of_route()
        self._via()
        return Move(unit, to, via=True)

    def _is_at_sea(self, ahead: int = 0) -> bool:
        """Return whether a fleet at sea, or a sea, is next.

        "A PAR - BUR with A MAR" has neither.
        """
        start = self.at
        self.at += ahead
        self.take(FLEET_WORDS)
        try:
            return self.variant.provinces[self.province()].convoys
        except OrderError:
            return False
        finally:
            self.at = start

    def _fleets(self, between: Set[str] = frozenset({"AND", ",", "-"})) -> None:
        """Skip the fleets or seas that convoy an army: "F NTH", "NTH and NWG".

        Do not skip a fleet that has an order itself.
        """
        self.take(FLEET_WORDS)
        self.place()
        start = self.at
        while self.peek(1) not in KIND_WORDS.keys() - FLEET_WORDS and self.take(between):
            fleet = self.take(FLEET_WORDS)
            self.place()
            if fleet and self.peek() not in ("", "AND", ",", ")"):
                self.at = start
                return
            start = self.at

    def _without_verb(self, unit: Unit) -> Order:
        """Parse two provinces in a row as a move, or raise OrderError for any other text without a verb.

        If a unit follows, the second province must border the first. So "F NTH con A YOR - NWY" is not a move to
        Constantinople.
        """
        start = self.at
        if self.phase != "A" and self.peek() not in ORDER_WORDS:
            try:
                order = self._move(unit)
                if self.peek() not in KIND_WORDS or order.target in self.variant.provinces[unit.province].neighbours:
                    return order
            except OrderError:
                pass
            self.at = start
        self._refuse_word_of_another_phase()
        ways = {
            "M": [f"{unit} H", *(f"{unit} {verb} {OPEN}" for verb in "-SC")],
            "R": [f"{unit} - {OPEN}", f"{unit} D"],
            "A": _winter_ways(unit),
        }
        raise OrderError(f'"{self.rest()}" is not something the judge understands.', ways=ways[self.phase])

    def _refuse_word_of_another_phase(self) -> None:
        """Raise OrderError at a word for an order that exists only in another kind of phase."""
        word = self.peek()
        retreats, winter = word in ANY_RETREAT | DISBAND, word in BUILD | REMOVE | WAIVE | HOME
        if (retreats and self.phase == "R") or (winter and self.phase == "A"):
            return
        if retreats or winter:
            when, now = "a retreat" if retreats else "a winter", _PHASES[self.phase]
            raise OutOfPlace(f'You can only use "{self.words[self.at]}" in {when} phase. This is {now} phase.')

    def _move(self, unit: Unit) -> Move | Retreat:
        to, by_sea = self._last_of_route()
        by_sea = self._via() or by_sea
        return Retreat(unit, to) if self.phase == "R" else Move(unit, to, by_sea)

    def _last_of_route(self) -> tuple[str, bool]:
        """Parse a route, "- NTH - NWY". Return its last place, and whether it leads over the sea."""
        stops = [self.place()]
        while self._to():
            stops.append(self.place())
        for stop in stops[:-1]:
            province = self.variant.provinces[province_of(stop)]
            if not province.convoys:
                raise OrderError(f"An army cannot be convoyed through {province.name}.")
        return stops[-1], len(stops) > 1

    def _via(self) -> bool:
        """Skip a note that a move is by convoy: "via convoy", "by convoy", "(c)", "via NTH - NWG".

        Return whether there is one.
        """
        start = self.at
        opened = bool(self.take({"("}))
        if opened and self._is_at_sea():
            self._fleets()
            if self.take({")"}):
                return True
        elif self._way(opened):
            if opened:
                self.take({")"})
            return True
        self.at = start
        return False

    def _way(self, opened: bool) -> bool:
        """Skip the words that say a move is by convoy, but no brackets around them. Return whether there were any.

        `opened` is true after an opening bracket.
        """
        ends = {"", ")"}
        carried = bool(self.take(CONVOY | CONVOYED, before=ends | BY_WAY_OF))
        if self.take(BY_WAY_OF):
            # SEA means "by sea" here, unless it is a province on the way.
            words = {"CONVOY", "C", "SEA"} if self.peek(1) in ends else {"CONVOY", "C"}
            if not self.take(words) and self.peek() not in ends:
                self._fleets()
            elif not opened and self.take({"("}):
                self._fleets()
                self.take({")"})
            return True
        if self.peek() in ALSO_BY_WAY_OF and self._is_at_sea(1):
            self.at += 1
            self._fleets()
            return True
        return carried

    def _support(self, unit: Unit) -> Support:
        """Parse the rest of a support after its verb."""
        holding = self.upper[self.at - 1] == "SUPPORT-HOLDS"
        self.take({"TO"}, before=KIND_WORDS.keys() | {"THE"})  # TO may be before the unit: "support to A MAR"
        attempt = self._skip_attempt()
        if attempt and self.take(TOWARDS):
            return self._support_attack(unit)
        helped = self.unit()
        self.skip_noise()
        self.take({"TO"}, before=HOLD)
        is_bare = self.at == len(self.words) and not attempt
        if holding or self.take(HOLD) or is_bare:
            self.take(HOLD)
            return Support(unit, helped)
        moves = self._to() or (attempt and self.take(TOWARDS))
        if not moves and self.peek() in ORDER_WORDS:
            raise OrderError(f'"{self.rest()}" cannot be supported.', "You can support a unit that stays, or its move.")
        to, _ = self._last_of_route()
        self._via()
        return Support(unit, helped, to)

    def _support_attack(self, unit: Unit) -> Support:
        """Parse the words that follow "the attack on": "BUR from PAR"."""
        to, _ = self._last_of_route()
        if not self.take(DONE_BY):
            raise OrderError(f"Whose move to {to} is supported?", ways=[f"{unit} S {OPEN} - {to}"])
        return Support(unit, self.unit(), to)

    def _skip_attempt(self) -> bool:
        """Skip "the move of" or "the attack by", unless a province's name begins there.

        Return whether such words were skipped.
        """
        start = self.at
        self.skip_noise()
        if not self.is_name() and self.take(ATTEMPTS):
            self.take({"BY"})
            return True
        self.at = start
        return False

    def _adjustment(self) -> Order:
        if self.take(WAIVE):
            return self._waived()
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
            raise BareUnit(unit, f"Build or remove {unit}?", _winter_ways(unit))
        return self._movement(unit)

    def _waived(self) -> Waive:
        """Skip "2 builds" or "all of my builds" after the verb of a waive. `_waives` in lines.py reads the number."""
        self.skip_noise()
        while self.peek().isdigit() or self.peek() in ALL | NUMBERS.keys():
            self.at += 1
        self.skip_noise()
        self.take(BUILD)
        return Waive()


def _winter_ways(unit: Unit) -> list[str]:
    """Return lines that build and remove a unit. If the unit has no kind, there is a line to build each kind."""
    built = [unit] if unit.kind else [Unit(letter, unit.place) for letter in "AF"]
    return [*(f"BUILD {one}" for one in built), f"REMOVE {unit}"]


# The cache is large, since players and programs write the same few thousand lines again and again.
@lru_cache(maxsize=50_000)
def parse_order(variant: Variant, phase_kind: PhaseKind, text: str, in_letter: bool = False) -> Order:
    """Return the order in the text, as written. The unit may lack its kind, and a coast may be needless or missing.

    `phase_kind` is "M", "R" or "A". In a program's data, a unit without an order holds. But if the text comes from an
    email (`in_letter`), its writer has probably forgotten the order. Raises OrderError, which says what is wrong and
    what to write instead.
    """
    try:
        return Reader(variant, phase_kind, text).whole_order()
    except BareUnit as bare:
        if in_letter or phase_kind == "A":
            raise
        return Hold(bare.unit)
    except OrderError as mistake:
        try:
            return Reader(variant, phase_kind, text, loosely=True).whole_order()
        except OrderError:
            raise mistake from None


def orders_of(variant: Variant, phase_kind: PhaseKind, text: str) -> list[str]:
    """Return the texts of the orders in `text`. A text that cannot be divided is returned whole.

    An order ends where another order can begin: at a unit after a complete order, or after "and". A part that cannot be
    read stays together up to the next "and" that a unit follows.
    """
    reader = Reader(variant, phase_kind, text)
    pieces = []
    _skip_between(reader)
    skipped = reader.at > 0
    while reader.at < len(reader.words):
        start = reader.at
        try:
            reader.order()
        except OrderError:
            reader.at = _next_unit(reader, start)
        end = reader.at
        _skip_between(reader)
        if reader.at < len(reader.words) and not _begins_order(reader, is_parted=reader.at > end):
            reader.at = end = _next_unit(reader, start)
            _skip_between(reader)
        pieces.append(reader.written(start, end))
    if len(pieces) == 1 and not skipped:
        return [text]
    return pieces or [text]


def _begins_order(reader: Reader, *, is_parted: bool) -> bool:
    """Return whether another order begins at the reader's next word. `is_parted` is true after "and" or the like."""
    word = reader.peek()
    if word in KIND_WORDS.keys() | _builds(reader):
        return True
    if not is_parted:
        return False
    if word in BUILD | REMOVE | WAIVE or word in reader.names.exact:
        return True
    return collective_order(reader.phase, reader.rest()) is not None


def _skip_between(reader: Reader) -> None:
    """Skip "and" or the like, and bullets and numbers of a list: "A PAR H 2) A MAR H"."""
    between = BETWEEN - _builds(reader)
    while reader.peek() in between or reader.peek().isdigit() or reader.peek() and not reader.peek().strip(_LIST):
        reader.at += 1


def _builds(reader: Reader) -> Set[str]:
    """Return {"+"} in a winter, where a + means a build. Return an empty set in other phases, where a + means "and"."""
    return {"+"} if reader.phase == "A" else set()


def _next_unit(reader: Reader, start: int) -> int:
    """Return the position after `start` of the next "and" that a unit follows, else the end of the text."""
    places = range(start + 1, len(reader.upper) - 1)
    found = (at for at in places if reader.upper[at] in BETWEEN and reader.upper[at + 1] in KIND_WORDS)
    return next(found, len(reader.upper))
