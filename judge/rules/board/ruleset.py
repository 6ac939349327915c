"""The rules of a game as one value: a map, its powers, and the mechanisms that are switched on.

A rule beyond the standard rules is a `Mechanism`: a value whose class has its own module in `judge.rules.mechanisms`.
The adjudicator calls the methods of `Mechanism` on every mechanism of the variant. A mechanism overrides only the
methods that concern it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, TypeVar

from judge.rules.board.names import Names, fold
from judge.rules.board.orders import Order, Places, Position, Unit, Units
from judge.rules.board.power import NEUTRAL, SHORTEST_HEADING, Power, PowerNames, Side, UnknownPower
from judge.rules.board.province import COASTS, Board, Crossing, Province

R = TypeVar("R", bound="Ruleset")
M = TypeVar("M", bound="Mechanism")
S = TypeVar("S", bound=Side)


class Mechanism:
    """A rule that a variant can switch on beyond the standard rules.

    The methods of this base class give the answers of standard Diplomacy.
    """

    # --- on the board -----------------------------------------------------------------------------------------

    @property
    def crossing(self) -> Crossing | None:
        """Return the borders that weaken units crossing them, or None."""
        return None

    @property
    def neutral_units(self) -> Units:
        """Return the units that neutrals have at the start."""
        return ()

    @property
    def seats(self) -> tuple[Side, ...]:
        """Return the groups of powers that players play instead of single powers."""
        return ()

    # --- depending on the phase ---------------------------------------------------------------------------------

    def in_phase(self, ruleset: R, phase: str) -> R:
        """Return the ruleset as it applies in a phase.

        A ruleset that this method changes keeps the unchanged ruleset as `undated`.
        """
        return ruleset

    @property
    def why_closed(self) -> str:
        """Return why a way is closed in this phase, as the end of a sentence, or ""."""
        return ""

    # --- builds -----------------------------------------------------------------------------------------------

    def homes(self, ruleset: "Ruleset", position: Position, power: str) -> Places:
        """Return further centers in which the power can build, if it owns them and they are vacant."""
        return ()

    # --- bids for the orders of neutrals ----------------------------------------------------------------------

    def bid_in_place_of(self, order: Order) -> str:
        """Return the line that bids for an order to a neutral, since players cannot order neutrals directly."""
        return ""

    # --- as text for players ------------------------------------------------------------------------------------

    def sentences(self, ruleset: "Ruleset") -> Iterator[str]:
        """Yield this mechanism's rules in words for the players, one or two sentences for each rule."""
        return iter(())


@dataclass(frozen=True, eq=False)
class Ruleset:
    """The map of a game, its powers, and the rules that are switched on.

    `start` is the first phase. `special` says in a few lines how the board differs from others. `text` has the board's
    rules in plain words (rules.txt). `package_map` is the map's name in the package `diplomacy`. `border_changes` has
    the changes that wait until a canal is open.

    `edition` is the name by which exactly this ruleset can be loaded, even if the files change later
    (judge/rules/variant/registry.py). If this ruleset is for one phase, `undated` is the ruleset for all phases.
    """

    name: str
    title: str
    start: str
    powers: tuple[Power, ...]
    provinces: Mapping[str, Province]
    mechanisms: tuple[Mechanism, ...] = ()
    sources: str = ""
    special: str = ""
    package_map: str = ""
    text: str = ""
    border_changes: tuple[str, ...] = ()
    edition: str = ""
    undated: Self | None = None

    # --- the map ----------------------------------------------------------------------------------------------

    @property
    def label(self) -> str:
        """Return the title for use in a sentence: "Standard", "variant 1648".

        A title that is a number gets a word before it, since it would look like a year.
        """
        return f"variant {self.title}" if self.title.isdigit() else self.title

    @cached_property
    def board(self) -> Board:
        """Return the map, prepared for look-ups."""
        weakening = [one.crossing for one in self.mechanisms if one.crossing]
        return Board(self.provinces, *weakening)

    @cached_property
    def names(self) -> Names:
        """Return the names of the provinces."""
        return Names(self.provinces.values())

    @cached_property
    def centers(self) -> Places:
        """Return the supply centers, in the order of the file."""
        return tuple(province.abbr for province in self.provinces.values() if province.center)

    def named(self, places: Iterable[str]) -> Iterator[str]:
        """Yield the full names of provinces."""
        return (self.provinces[place].name for place in places)

    def place_called(self, place: str) -> str:
        """Return the full name of a place: "St. Petersburg (north coast)"."""
        abbr, _, coast = place.partition("/")
        return self.provinces[abbr].name + (f" ({COASTS.get(coast, coast)})" if coast else "")

    def in_order(self, units: Iterable[Unit]) -> list[Unit]:
        """Return the units in the order for readers: armies first, each kind by the name of its place."""
        return sorted(units, key=lambda unit: (unit.kind, fold(self.place_called(unit.place))))

    def called(self, unit: Unit) -> str:
        """Return "Army Paris" or "Fleet Spain (north coast)", or only the place if the kind is not known."""
        return {"A": "Army ", "F": "Fleet "}.get(unit.kind, "") + self.place_called(unit.place)

    # --- mechanisms -------------------------------------------------------------------------------------------

    def rule(self, kind: type[M]) -> M | None:
        """Return the mechanism of that class, or None if it is not switched on."""
        return next((one for one in self.mechanisms if isinstance(one, kind)), None)

    def mechanism(self, kind: type[M]) -> M:
        """Return the mechanism of that class, with its default values if it is not switched on.

        Use this for mechanisms whose defaults are standard Diplomacy: no centers, no points, a factor of one.
        """
        return self.rule(kind) or kind()

    def with_rule(self, new: Mechanism) -> Self:
        """Return the ruleset with this mechanism, which replaces a mechanism of the same class."""
        others = [new if type(one) is type(new) else one for one in self.mechanisms]
        return replace(self, mechanisms=tuple(others if self.rule(type(new)) else [*others, new]))

    @cached_property
    def neutral_units(self) -> Units:
        """Return the units that neutrals have at the start."""
        return tuple(unit for one in self.mechanisms for unit in one.neutral_units)

    def at(self, phase: str) -> Self:
        """Return the ruleset as it applies in a phase. `self` may be the ruleset for another phase."""
        dated = self.undated or self
        for one in dated.mechanisms:
            dated = one.in_phase(dated, phase)
        return dated

    @property
    def why_closed(self) -> str:
        """Return why a way is closed in this phase, as the end of a sentence, or ""."""
        return "".join(rule.why_closed for rule in self.mechanisms)

    # --- who plays --------------------------------------------------------------------------------------------

    @cached_property
    def power_named(self) -> dict[str, Power]:
        """Return {name: power}."""
        return {power.name: power for power in self.powers}

    @cached_property
    def power_words(self) -> frozenset[str]:
        """Return all words that name one of the powers."""
        return frozenset(word for power in self.powers for word in power.words)

    @cached_property
    def heading_words(self) -> frozenset[str]:
        """Return the words that may be a heading above the orders of one of a player's powers.

        These are the names of powers and groups. Without groups, a player has only one power, so there are no such
        words.
        """
        return frozenset(word for one in self.sides for word in one.words if self.grouped_seats)

    @cached_property
    def grouped_seats(self) -> tuple[Side, ...]:
        """Return the groups that players play instead of single powers, or none if each power has its own player."""
        return tuple(seat for one in self.mechanisms for seat in one.seats)

    @property
    def seats(self) -> tuple[Side, ...]:
        """Return the seats, one for each player: the groups of powers, or the powers if there are no groups."""
        return self.grouped_seats or self.powers

    @cached_property
    def in_turn(self) -> Places:
        """Return the names of the powers in the order in which lists show them.

        The order is that of the file, except that the powers of a group are next to each other.
        """
        seated = [power for seat in self.seats for power in seat.powers]
        return tuple(dict.fromkeys([*seated, *self.power_named]))

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return all sides that a player can name: first the powers, then the groups."""
        return (*self.powers, *self.grouped_seats)

    @cached_property
    def seat_named(self) -> Mapping[str, Side]:
        """Return {name: power, or group if players play groups}."""
        return {seat.name: seat for seat in self.seats}

    def powers_in_order(self, names: Collection[str]) -> list[str]:
        """Return the powers with these names, in the order of the file, with the neutrals last."""
        return [name for name in (*self.power_named, NEUTRAL) if name in names]

    def seats_in_order(self, names: Collection[str]) -> list[str]:
        """Return the seats with these names, in the order of the file."""
        return [name for name in self.seat_named if name in names]

    @cached_property
    def _seat_of(self) -> dict[str, str]:
        return {power: seat.name for seat in self.seats for power in seat.powers}

    def seat_of(self, power: str) -> str:
        """Return the name of the group that has the power.

        If the power is in no group, or not yet, return its own name.
        """
        return self._seat_of.get(power, power)

    def in_group(self, power: str) -> bool:
        """Return whether the power is in a group now. Some powers get their group only by a draw."""
        return bool(self.grouped_seats) and power in self._seat_of

    def holder(self, power: str) -> str:
        """Return the beginning of a sentence to a player: `You have`, or `China has` for a player of several powers."""
        return f"{power} has" if self.in_group(power) else "You have"

    def powers_of(self, seat: str) -> Places:
        """Return the powers that the seat's player orders, in the order of the file."""
        return self.seat_named[seat].powers if seat in self.seat_named else (seat,)

    @cached_property
    def power_names(self) -> PowerNames[Power]:
        """Return a lookup of powers by name, adjective, alias, plural or letter."""
        return PowerNames(self.powers)

    @cached_property
    def seat_names(self) -> PowerNames[Side]:
        """Return a lookup of seats by their words, without the words for the powers of a group."""
        return PowerNames(self.seats)

    @cached_property
    def side_names(self) -> PowerNames[Side]:
        """Return a lookup of all powers and groups by their words."""
        return PowerNames(self.sides)

    def power(self, text: str) -> Power:
        """Return the power that a player wrote.

        The text may be a letter, a name, an adjective, a plural or an alias. Two letters of a name are enough. Raises
        KeyError with a sentence for the player if the text fits no power, or several.
        """
        found = self.power_names.find(text, SHORTEST_HEADING)
        if not found:
            raise UnknownPower(f'"{text}" is not a power of {self.label}', self.power_names.nearest(text))
        return _only(found, text)

    def seat(self, text: str, shortest: int = SHORTEST_HEADING) -> Side:
        """Find the side that a player's text names, as `power` reads it. A power in a group stands for its group.

        A shortened name must have at least `shortest` letters.
        """
        seats = self.seat_names.find(text, shortest)
        found = seats if len(seats) == 1 or not self.grouped_seats else self.power_names.find(text, shortest)
        if not found:
            what = "a color or a power" if self.grouped_seats else "a power"
            near = self.side_names.nearest(text) or self.side_names.begun(text, SHORTEST_HEADING)
            near = [side for side in near if self.seat_of(side.name) in self.seat_named]
            raise UnknownPower(f'"{text}" is not {what} of {self.label}', near)
        name = self.seat_of(_only(found, text).name)
        if name not in self.seat_named:
            raise KeyError(f"{name} is not assigned to a color yet.")
        return self.seat_named[name]


def _only(found: Sequence[S], text: str) -> S:
    if len(found) > 1:
        raise KeyError(f'"{text}" could be {" or ".join(one.name for one in found)}.')
    return found[0]
