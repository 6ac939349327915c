"""Units, positions and orders, and the texts and JSON in which they are written.

The classes here are values only. `board_state` and the module of each phase decide what an order means on a board.
Places are written as in the variant, in capitals, with a coast after a slash: "STP/NC". A unit that the player named
only by its place has the kind "" until `complete` fills it in.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import Any, get_args

from judge.rules.board.phase import PhaseKind, kind

# The mark in a suggested line at which the player has to choose: "A PAR - …".
OPEN = "…"


def written(lines: Iterable[str]) -> str:
    """Return advice that lists these lines: `Write A PAR H, A PAR - … or A PAR S …`."""
    *most, last = lines
    end = "" if last.endswith(OPEN) else "."
    others = f"{', '.join(most)} or " if most else ""
    return f"Write {others}{last}{end}"


class OrderError(ValueError):
    """An order that cannot be read or can never be carried out, with the reason and perhaps advice.

    `ways` has lines that may be right. `advice` is a sentence to use if there are no such lines, or if none is right
    here. `meant` returns tables of {likely meaning: the line with it}, the most likely table first. `meant` is a
    function because the search takes time. `judge/rules/suggestions.py` checks against the position which lines would
    be accepted.
    """

    def __init__(
        self,
        message: str,
        advice: str = "",
        *,
        ways: Sequence[str] = (),
        meant: Callable[[], Iterable[Mapping[str, str]]] = tuple,
    ):
        super().__init__(message)
        self.message, self.advice, self.ways, self.meant = message, advice, ways, meant

    @property
    def suggestion(self) -> str:
        """Return a sentence with a suggestion that does not depend on the position, or "" if there is none."""
        if self.ways:
            return written(self.ways)
        return next(filter(None, map(asked, self.meant())), self.advice)

    def __str__(self) -> str:
        return f"{self.message} {self.suggestion}".rstrip()


def asked(meant: Iterable[str]) -> str:
    """Return a question about the likely meanings: `Did you mean London (LON)?`, or "" if there are none."""
    found = " or ".join(meant)
    return f"Did you mean {found}?" if found else ""


class NotPlayed(OrderError):
    """An order for a power that its writer does not play."""


class OutOfPlace(OrderError):
    """An order that would be possible in another phase.

    The order's unit is not at that place, or the order has a word of another kind of phase.
    """


def province_of(place: str) -> str:
    """Return the province of a place: "STP" of "STP/NC"."""
    return place.partition("/")[0]


def place_of(province: str, coast: str) -> str:
    """Return the place of a province and a coast, which may be ""."""
    return f"{province}/{coast}" if coast else province


# The words for the kinds of units. The kind is "" if an order does not give it.
UNIT_WORDS = {"A": "army", "F": "fleet", "": "unit"}


@dataclass(frozen=True)
class Unit:
    """An army ("A") or a fleet ("F") at a place."""

    kind: str
    place: str
    province: str = field(init=False, compare=False, repr=False)
    text: str = field(init=False, compare=False, repr=False)  # stored, since the text of a unit is used so often

    def __post_init__(self) -> None:
        object.__setattr__(self, "province", province_of(self.place))
        object.__setattr__(self, "text", f"{self.kind} {self.place}" if self.kind else self.place)

    def __str__(self) -> str:
        return self.text

    @property
    def word(self) -> str:
        """Return "army" or "fleet", or "unit" if the kind is not given."""
        return UNIT_WORDS[self.kind]


@dataclass(frozen=True)
class UnitOrder:
    """An order for one `unit`: every order except a waive and the naming of a home."""

    unit: Unit

    @property
    def slot(self) -> str:
        """Return the province that the order is for. A later order for the same slot replaces an earlier one."""
        return self.unit.province


@dataclass(frozen=True)
class Targeted(UnitOrder):
    """An order that concerns a second province, its `target`."""

    @property
    def target(self) -> str:
        """Return the province of `to`, or of the supported unit if the order has no `to`."""
        return province_of(getattr(self, "to", "") or getattr(self, "helped", self.unit).place)


@dataclass(frozen=True)
class Hold(UnitOrder):
    """An order for a unit to stay where it is."""

    def __str__(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True)
class Move(Targeted):
    """An order to go to `to`. If `via` is true, the player ordered a convoy even if the army could go by land."""

    to: str
    via: bool = False

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}{' VIA' if self.via else ''}"


@dataclass(frozen=True)
class Support(Targeted):
    """An order to support the unit `helped` in its move to `to`, or where it is if `to` is ""."""

    helped: Unit
    to: str = ""

    def __str__(self) -> str:
        return f"{self.unit} S {self.helped}{' - ' + self.to if self.to else ''}"


@dataclass(frozen=True)
class Convoy(Targeted):
    """An order for a fleet to convoy `army` to `to`."""

    army: Unit
    to: str

    @property
    def helped(self) -> Unit:
        """Return the convoyed army, under the name that a support has for the unit it helps."""
        return self.army

    def __str__(self) -> str:
        return f"{self.unit} C {self.army} - {self.to}"


@dataclass(frozen=True)
class Retreat(Targeted):
    """An order for a dislodged unit to go to `to`."""

    to: str

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}"


@dataclass(frozen=True)
class Disband(UnitOrder):
    """An order for a dislodged unit to leave the board."""

    def __str__(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True)
class Build(UnitOrder):
    """An order to build a unit in winter."""

    def __str__(self) -> str:
        return f"BUILD {self.unit}"


@dataclass(frozen=True)
class Remove(UnitOrder):
    """An order to remove a unit in winter."""

    def __str__(self) -> str:
        return f"REMOVE {self.unit}"


@dataclass(frozen=True)
class Waive:
    """An order to give up one build."""

    slot: str = field(init=False, default="WAIVE")

    def __str__(self) -> str:
        return "WAIVE"


@dataclass(frozen=True)
class Home:
    """An order that names an additional home center."""

    center: str
    slot: str = field(init=False, default="HOME")

    def __str__(self) -> str:
        return f"HOME {self.center}"


Order = Hold | Move | Support | Convoy | Retreat | Disband | Build | Remove | Waive | Home


# The types of a sorted sequence of places and of a sorted sequence of units.
Places = tuple[str, ...]
Units = tuple[Unit, ...]


# --- an order as text, and as JSON ------------------------------------------------------------------------------

# An order as JSON has the name of its class, and all its values: {"verb": "support", "unit": "A MAR", "helped": "A
# PAR", "to": "BUR"}.
OrderJson = dict[str, Any]
_BY_VERB: dict[str, Any] = {form.__name__.lower(): form for form in get_args(Order)}
_OF_UNITS = ("unit", "helped", "army")


def verb_of(order: object) -> str:
    """Return the verb of an order as in its JSON form: the name of its class."""
    return type(order).__name__.lower()


def order_to_json(order: Order) -> OrderJson:
    """Return the order as plain data. The database stores it next to the player's text."""
    return {"verb": verb_of(order)} | {
        key: str(getattr(order, key)) if key in _OF_UNITS else getattr(order, key) for key in order.__match_args__
    }


def order_from_json(data: Mapping[str, Any]) -> Order:
    """Return the order from the data that `order_to_json` returned."""
    form = _BY_VERB[data["verb"]]
    values = (Unit(*data[key].rpartition(" ")[::2]) if key in _OF_UNITS else data[key] for key in form.__match_args__)
    order: Order = form(*values)
    return order


def format_order(order: Order) -> str:
    """Return the order in normal form: "A PAR - BUR", "F NTH C A LON - NWY", "BUILD F STP/NC"."""
    return str(order)


# --- positions -------------------------------------------------------------------------------------------------------

# The type of {power: the centers that it owns, or has named as homes}.
Centers = Mapping[str, Places]

_TEXT = attrgetter("text")


@dataclass(frozen=True)
class Dislodged:
    """A dislodged unit, the province its attacker came from, and whether the attacker came by convoy."""

    unit: Unit
    attacker_from: str
    by_convoy: bool = False


class Shared:
    """A value whose tables cannot be changed, since all its users share it.

    Subclasses are not frozen dataclasses, because making a frozen dataclass takes three times as long.
    """

    __slots__: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.__slots__:
            table = getattr(self, name)
            if type(table) is dict:
                setattr(self, name, MappingProxyType(table))


@dataclass(slots=True)
class Position(Shared):
    """The units, the centers and their owners at the beginning of a phase.

    `homes` has home centers named during play. `contested` has provinces closed to retreats because of a stand-off.
    `neutrals` has the centers that became armed neutrals through civil disorder, each with the kind of its unit.
    """

    phase: str
    units: Mapping[str, Units]
    centers: Centers
    dislodged: Mapping[str, tuple[Dislodged, ...]] = field(default_factory=dict)
    contested: Places = ()
    homes: Centers = field(default_factory=dict)
    neutrals: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> PhaseKind:
        """The kind of the phase."""
        return kind(self.phase)

    def units_of(self, power: str) -> Units:
        """Return the units of a power, or of the neutrals, on the board."""
        return self.units.get(power, ())

    def dislodged_of(self, power: str) -> Units:
        """Return the dislodged units of a power."""
        return tuple(one.unit for one in self.dislodged.get(power, ()))

    def centers_of(self, power: str) -> Places:
        """Return the centers that a power owns."""
        return self.centers.get(power, ())

    def all_units_of(self, power: str) -> Units:
        """Return the units of a power, on the board and dislodged."""
        return self.units_of(power) + self.dislodged_of(power)

    def holdings(self, powers: Iterable[str]) -> tuple[int, int]:
        """Return how many units (on the board and dislodged) and how many centers these powers have together."""
        own = [(len(self.all_units_of(power)), len(self.centers_of(power))) for power in powers]
        return sum(units for units, _ in own), sum(centers for _, centers in own)


def sort_units(units: Iterable[Unit]) -> Units:
    """Return the units sorted by their texts, as positions keep them."""
    return tuple(sorted(units, key=_TEXT))


def occupants(position: Position) -> dict[str, tuple[str, Unit]]:
    """Return {province: (power, its unit there)}, without the dislodged units."""
    return {unit.province: (power, unit) for power, units in position.units.items() for unit in units}


def dislodged_units(position: Position) -> dict[str, tuple[str, Dislodged]]:
    """Return {province: (power, its dislodged unit there)}."""
    return {one.unit.province: (power, one) for power, units in position.dislodged.items() for one in units}


def owners(position: Position) -> dict[str, str]:
    """Return {center: its owner}."""
    return {center: power for power, centers in position.centers.items() for center in centers}
