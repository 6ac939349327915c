"""Text to orders: what the classic judges understand, forgiving in form and strict in meaning.

`parse_order` knows only the map and the kind of phase; `read_order` goes on to check the order against the
pieces on the board, so what it returns can be carried out. The reading rules are those of a judge: the longest
name first; the phase decides what R and D mean; a hyphen inside a name is tried as part of the name before it
is read as "to".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.rules.adjustments import Adjustment
from judge.rules.legality import complete
from judge.rules.names import fold
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    OrderError,
    Remove,
    Retreat,
    Support,
    Unit,
    Waive,
)
from judge.rules.phase import KINDS, kind
from judge.rules.position import Position
from judge.rules.retreats import complete_retreat
from judge.rules.table import Table
from judge.rules.variant import Variant

KIND_WORDS = {"A": "A", "ARMY": "A", "F": "F", "FLEET": "F"}
HOLD = {"H", "HOLD", "HOLDS", "HOLDING", "STAND", "STANDS"}
TO = {"-", "TO"}
MOVE = {"M", "MOVE", "MOVES", "MOVING", "ATTACK", "ATTACKS", "ATTACKING", "GO", "GOES"}
SUPPORT = {"S", "SUP", "SUPPORT", "SUPPORTS", "SUPPORTING"}
CONVOY = {"C", "CONVOY", "CONVOYS", "CONVOYING", "TRANSPORT", "TRANSPORTS", "FERRY"}
RETREAT = {"R", "RETREAT", "RETREATS", "RETREATING"}
DISBAND = {"D", "DISBAND", "DISBANDS", "DESTROY", "DESTROYED", "DISBANDED"}
REMOVE = {"R", "REMOVE", "REMOVES", "D", "DISBAND", "DISBANDS", "DEBUILD"}
BUILD = {"B", "BUILD", "BUILDS", "BUILDING"}
WAIVE = {"W", "WAIVE", "WAIVES", "WAIVED"}
NOISE = {"THE", "OF", "AN", "IS", "WILL", "ORDER", "ORDERS", "IN", "FROM"}
ORDER_WORDS = HOLD | MOVE | SUPPORT | CONVOY | RETREAT | DISBAND | REMOVE | BUILD | WAIVE
ONE_COAST = {
    "N": "NC", "NC": "NC", "NORTH": "NC", "NORTHERN": "NC",
    "S": "SC", "SC": "SC", "SOUTH": "SC", "SOUTHERN": "SC",
    "E": "EC", "EC": "EC", "EAST": "EC", "EASTERN": "EC",
    "W": "WC", "WC": "WC", "WEST": "WC", "WESTERN": "WC",
}  # fmt: skip

_ARROWS = re.compile(r"\s*(?:[-=–—−~]*>+|→|⇒|[-–—−]{1,3})\s*")
_MARKS = re.compile(r"\(\*.*?\*\)")
_TOKEN = re.compile(r"[^\s/(),;:-]+|[/(),;:-]")
_BULLET = re.compile(r"\s*(?:[*•·]|o(?=\s)|\d{1,2}[.)](?=\s)|\d{1,2}\)|-(?=\s))\s*")


def parse_order(variant: Variant, phase_kind: str, text: str) -> Order:
    """The order that the text says, as written: units may lack their kind, coasts may be needless or missing.

    `phase_kind` is "M", "R" or "A". Raises OrderError with what is wrong and what to write instead.
    """
    parsed = variant.parsed.get((phase_kind, text))
    if parsed is None:
        reader = _Reader(variant, phase_kind, text)
        parsed = reader.order()
        reader.expect_end()
        variant.remember_parsed(phase_kind, text, parsed)
    return parsed


def check_order(variant: Variant, position: Position, power: str, order: Order) -> Order:
    """The order completed by what stands on the board; raises OrderError when the power can never carry it out."""
    table = Table(variant, position)
    match kind(position.phase):
        case "M":
            return complete(table, power, order)
        case "R":
            return complete_retreat(table, power, order)
    return Adjustment(table, power).take(order)


def read_order(variant: Variant, position: Position, power: str, text: str) -> Order:
    """One order of the power (its own name) in the position's phase; raises OrderError."""
    return check_order(variant, position, power, parse_order(variant, kind(position.phase), text))


def read_line(variant: Variant, position: Position, power: str, text: str) -> list[Order | OrderError]:
    """A line of a letter: a bullet, the power's name and a colon, then orders split by "," or ";".

    Each order is read by itself: what is wrong with one does not touch the others.
    """
    readings: list[Order | OrderError] = []
    try:
        line = _without_heading(variant, power, _without_bullet(text))
    except OrderError as mistake:
        return [mistake]
    for part in split_orders(line):
        try:
            for order in _several(parse_order(variant, kind(position.phase), part), part):
                readings.append(check_order(variant, position, power, order))
        except OrderError as mistake:
            readings.append(mistake)
    return readings


def _without_bullet(line: str) -> str:
    bullet = _BULLET.match(line)
    return line[bullet.end() :] if bullet else line


def split_orders(line: str) -> list[str]:
    """The orders of a line. A comma in a list of provinces after VIA does not end an order."""
    parts: list[str] = []
    for part in re.split(r"[;,]", line):
        words = fold(part).split()
        route_goes_on = parts and " VIA " in f" {fold(parts[-1])} " and len(words) == 1
        if route_goes_on:
            parts[-1] += f" - {part.strip()}"
        elif words:
            parts.append(part.strip())
    return parts


def _several(order: Order, text: str) -> Sequence[Order]:
    """`WAIVE 2` is two waives; every other order is one."""
    count = re.search(r"\d+", text) if isinstance(order, Waive) else None
    return [order] * max(1, min(int(count.group()), 50)) if count else [order]


def _without_heading(variant: Variant, power: str, line: str) -> str:
    """The line without "France:" at its front, which must then be the power that writes."""
    heading, colon, rest = line.partition(":")
    if not colon:
        return line
    try:
        named = variant.power(heading).name
    except KeyError as unknown:
        raise OrderError(unknown.args[0], "Write the order alone, without a heading.") from unknown
    if named != power:
        raise OrderError(f"You do not play {named}.")
    return rest


def looks_like_order(variant: Variant, text: str) -> bool:
    """Whether a line may be meant as an order, well written or not, rather than as prose.

    It begins with a unit, a province, a power or a word of an order, and more of an order follows.
    """
    line = _without_bullet(text)
    words = fold(re.sub(r"[/(),;:]", " ", _ARROWS.sub(" - ", line))).split()
    if not words:
        return False
    if words[0] in WAIVE:
        return len(words) <= 3
    powers = {fold(word) for power in variant.powers for word in (power.name, power.adjective)}
    named = _names_in(variant, words)
    if 0 not in named and words[0] not in KIND_WORDS and words[0] not in ORDER_WORDS | powers:
        return False
    said = any(word in ORDER_WORDS or word in KIND_WORDS for word in words[1:])
    return len(named) > 1 or said or bool(re.search(r"\w\s*-+>?\s*\w", line)) or bool(named and len(words) < 4)


def _names_in(variant: Variant, words: list[str]) -> list[int]:
    """Where the names of provinces begin among the words."""
    exact, most = variant.names.exact, variant.names.most_words
    return [
        at
        for at in range(len(words))
        if any(" ".join(words[at : at + length]) in exact for length in range(1, most + 1))
    ]


@dataclass
class _Place:
    """A place as it was written; `coast` may be one that the province does not have."""

    province: str
    coast: str


class _Reader:
    """One order's text, read from left to right."""

    def __init__(self, variant: Variant, phase_kind: str, text: str):
        self.variant = variant
        self.names = variant.names
        self.phase = phase_kind
        self.words = _TOKEN.findall(_MARKS.sub(" ", _ARROWS.sub(" - ", text)).strip().rstrip(".!").replace(".", ""))
        self.upper = [fold(word) or word for word in self.words]
        self.at = 0

    # --- tokens -----------------------------------------------------------------------------------------------

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.upper[at] if at < len(self.upper) else ""

    def take(self, words: set[str] | dict[str, str]) -> str:
        """The next word if it is one of these (then it is passed), else ""."""
        word = self.peek()
        if word and word in words:
            self.at += 1
            return word
        return ""

    def skip_noise(self) -> None:
        while self.peek() in NOISE:
            self.at += 1

    def rest(self) -> str:
        return " ".join(self.words[self.at :])

    def expect_end(self) -> None:
        if self.at < len(self.words):
            raise OrderError(f'"{self.rest()}" at the end was not understood.')

    # --- names ------------------------------------------------------------------------------------------------

    def province(self) -> str:
        """The province named here; raises OrderError when there is none, or several fit."""
        self.skip_noise()
        runs = self._runs()
        for length, words in runs:
            if words in self.names.exact:
                self.at += length
                return self.names.exact[words]
        several: list[str] = []
        for length, words in runs:
            found = self.names.find(words)
            if len(found) == 1:
                self.at += length
                return found[0]
            several = found or several
        if several:
            labels = " or ".join(self.names.label(abbr) for abbr in several)
            raise OrderError(f'"{self.words[self.at]}" could be {labels}.', "Write one of the abbreviations.")
        if not runs:
            raise OrderError("A province is missing at the end." if not self.peek() else self._unexpected())
        said = self.words[self.at]
        raise OrderError(f'"{said}" is not a province.', self._suggestion(runs))

    def _runs(self) -> list[tuple[int, str]]:
        """The next words joined, the longest run first; a hyphen may stand between two words."""
        runs = []
        joined: list[str] = []
        for ahead in range(2 * self.names.most_words):
            word = self.peek(ahead)
            if not word or word in "/(),;:":
                break
            if word == "-":
                if not joined:
                    break
                continue
            joined.append(word)
            runs.append((ahead + 1, " ".join(joined)))
        return runs[::-1]

    def _unexpected(self) -> str:
        return f'A province was expected at "{self.rest()}".'

    def _suggestion(self, runs: list[tuple[int, str]]) -> str:
        for _, words in runs:
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
        """A unit: its power's name or adjective (checked nowhere, for it changes nothing), kind, place."""
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
        word = self.peek().removesuffix("'S")
        if len(word) > 2 and word not in self.names.exact:
            for power in self.variant.powers:
                if word in (fold(power.name), fold(power.adjective)):
                    self.at += 1
                    return

    def _spot(self, place: _Place) -> str:
        """The place's name; a coast that the province does not have is dropped where it has none at all."""
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

    def order(self) -> Order:
        self.skip_noise()
        if not self.words:
            raise OrderError("There is no order here.")
        if self.phase == "A":
            return self._adjustment()
        if self.phase == "R" and self.take(DISBAND):
            return Disband(self.unit())
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

    def _to(self) -> bool:
        """Passes a "-", "to", "moves to" or the like."""
        found = bool(self.take(MOVE))
        return bool(self.take(TO)) or found

    def _movement(self, unit: Unit) -> Order:
        if self.take(HOLD) or self.at == len(self.words):
            return Hold(unit)
        if self._to():
            return self._move(unit)
        if self.take(SUPPORT):
            return self._support(unit)
        if self.take(CONVOY):
            self._fleet_of_convoy(unit)
            army = self.unit()
            if not self._to():
                raise OrderError(f"Where does {unit} convoy {army} to?", f"Write {unit} C {army} - …")
            return Convoy(unit, army, self._last_of_route()[0])
        return self._without_verb(unit)

    def _fleet_of_convoy(self, unit: Unit) -> None:
        if unit.kind == "A":
            raise OrderError("Only fleets convoy.")

    def _without_verb(self, unit: Unit) -> Order:
        """Two provinces side by side are a move; anything else was not understood."""
        start = self.at
        if self.phase != "A" and self.peek() not in ORDER_WORDS:
            try:
                return self._move(unit)
            except OrderError:
                self.at = start
        verb = self.peek()
        for words, phase in ((RETREAT | DISBAND, "R"), (BUILD | REMOVE | WAIVE, "A")):
            if verb in words and phase != self.phase:
                raise OrderError(
                    f'"{self.words[self.at]}" belongs to {KINDS[phase].lower()}; this is a phase of '
                    f"{KINDS[self.phase].lower()}."
                )
        raise OrderError(
            f'"{self.rest()}" was not understood.',
            f"Write {unit} H, {unit} - …, {unit} S … or {unit} C …"
            if self.phase == "M"
            else f"Write {unit} - … or {unit} D.",
        )

    def _move(self, unit: Unit) -> Order:
        to, by_sea = self._last_of_route()
        by_sea = self._via() or by_sea
        return Retreat(unit, to) if self.phase == "R" else Move(unit, to, by_sea)

    def _last_of_route(self) -> tuple[str, bool]:
        """Where "- NTH - NWY" ends, and whether it leads over the sea."""
        stops = [self.destination()]
        while self._to():
            stops.append(self.destination())
        for stop in stops[:-1]:
            if not self.variant.provinces[stop.partition("/")[0]].convoys:
                raise OrderError(f"An army cannot be convoyed through {self.variant.provinces[stop[:3]].name}.")
        return stops[-1], len(stops) > 1

    def _via(self) -> bool:
        """ "via convoy", "via c", "via", "by convoy", "(via convoy)", "via NTH - NWG" and "via NTH and NWG"."""
        opened = self.take({"("})
        if not self.take({"VIA", "BY"}):
            if opened:
                self.at -= 1
            return False
        if not self.take({"CONVOY", "C", "SEA"}) and self.peek() not in ("", ")"):
            self.destination()
            while self.take({"-", "AND", ","}):
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
