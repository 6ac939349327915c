"""A variant: the map and the rules of one game of the Diplomacy family, read from its folder of TOML files.

`variants/<name>/variant.toml` holds the title, the start, the powers and the rules; `provinces.toml` the map,
one table a province, each border at both of its ends. Loading takes files that `judge variants check` passes; a
file that cannot be used at all is refused with its first mistake. A loaded variant never changes.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

from judge.rules.board.border_changes import with_changes
from judge.rules.board.names import Names, fold, places
from judge.rules.board.orders import Order, Unit
from judge.rules.board.phase import KINDS, year
from judge.rules.board.reach import Board
from judge.rules.mechanisms.canals import Canals, opened, with_canals
from judge.rules.mechanisms.emergency_measures import Emergency, read_emergencies
from judge.rules.mechanisms.groups import Draw, Group, read_draws, read_groups
from judge.rules.mechanisms.half_strength_borders import Detours, read_detours
from judge.rules.mechanisms.terms import (
    ExtraHome,
    Neutrals,
    Points,
    Religion,
    read_extra_home,
    read_neutrals,
    read_points,
    read_religion,
    read_sponsors,
    read_vassals,
)

NEUTRAL = "Neutral"
UNGROUPED = "#8c8c8c"  # of a power whose group gives it its colour, while it is in none


class UnknownVariant(ValueError):
    """No variant of that name is installed."""


class VariantError(ValueError):
    """The files of a variant cannot be used; the message names the file and the mistake."""


@dataclass(frozen=True)
class Province:
    """A space of the map. `fleet` is keyed by coast, "" where the province is not split."""

    abbr: str
    name: str
    kind: str
    center: bool = False
    aliases: tuple[str, ...] = ()
    army: tuple[str, ...] = ()
    fleet: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    anchor: tuple[float, float] | None = None
    anchors: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    reconstructed: tuple[str, ...] = ()
    port: bool = False
    armies: bool = True

    @property
    def coasts(self) -> tuple[str, ...]:
        return tuple(coast for coast in self.fleet if coast)

    @property
    def takes_armies(self) -> bool:
        """Whether an army can ever be in it."""
        return self.kind in ("land", "coast") and self.armies

    @property
    def convoys(self) -> bool:
        """Whether a fleet in it may convoy: at sea, and in a port, which armies enter too."""
        return self.kind == "sea" or self.port


@dataclass(frozen=True)
class Power:
    """A side on the board. `theatre`: the part of the world that gives it its shade of its group's colour, where it has
    no colour of its own.
    """

    name: str
    adjective: str
    letter: str
    colour: str
    homes: tuple[str, ...]
    owns: tuple[str, ...]
    units: tuple[Unit, ...]
    aliases: tuple[str, ...] = ()
    theatre: str = ""

    @property
    def powers(self) -> tuple[str, ...]:
        """What its player orders: itself. (Of a group: its powers.)"""
        return (self.name,)

    @cached_property
    def words(self) -> frozenset[str]:
        """What it is called, as names are compared (its letter aside)."""
        return frozenset(map(fold, (self.name, self.adjective, *self.aliases)))


@dataclass(frozen=True)
class BuildSites:
    """Where powers build beside their homes, in what they own: all in `colonies`, each in its own `special` ones."""

    colonies: tuple[str, ...] = ()
    special: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Variant:
    """`start` is the first phase; `victory` the centers that win; `counts` what the file says the map comes to;
    `text` what is told of its rules in plain words; `year_cap` the year after whose Fall the game is drawn;
    `border_changes` those that wait until a canal is open.
    """

    name: str
    title: str
    start: str
    powers: tuple[Power, ...]
    provinces: Mapping[str, Province]
    victory: int
    counts: Mapping[str, int]
    sources: str = ""
    detours: Detours = Detours()
    emergencies: Mapping[str, Emergency] = field(default_factory=dict)
    neutrals: Neutrals = Neutrals()
    points: Points | None = None
    vassals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    religion: Religion | None = None
    extra_home: ExtraHome = ExtraHome()
    text: str = ""
    build_sites: BuildSites = BuildSites()
    groups: tuple[Group, ...] = ()
    draws: tuple[Draw, ...] = ()
    sponsors: Mapping[str, str] = field(default_factory=dict)
    canals: Canals = field(default_factory=dict)
    year_cap: int | None = None
    border_changes: tuple[str, ...] = ()

    @cached_property
    def board(self) -> Board:
        return Board(self.provinces, self.detours.borders)

    @cached_property
    def names(self) -> Names:
        return Names(self.provinces.values())

    @cached_property
    def orders_read(self) -> dict[str, dict[str, Order]]:
        """The orders that were read from texts, by the kind of phase. (Texts repeat: each is read once.)"""
        return {kind: {} for kind in KINDS}

    @cached_property
    def power_named(self) -> dict[str, Power]:
        return {power.name: power for power in self.powers}

    @cached_property
    def power_words(self) -> frozenset[str]:
        """What its powers are called, all together."""
        return frozenset(word for power in self.powers for word in power.words)

    @cached_property
    def heading_words(self) -> frozenset[str]:
        """What may stand above the orders of one of a player's powers: the names of powers and groups; none where
        there are no groups.
        """
        return frozenset(word for one in self.sides for word in one.words if self.groups)

    @property
    def seats(self) -> tuple[Power | Group, ...]:
        """What there is to be played by one person each: the groups of powers, or where there are none the powers."""
        return self.groups or self.powers

    @property
    def sides(self) -> tuple[Power | Group, ...]:
        """Whatever a player may mean by the name of a side: the powers, then the groups of them."""
        return (*self.powers, *self.groups)

    @cached_property
    def seat_named(self) -> dict[str, Power | Group]:
        return {seat.name: seat for seat in self.seats}

    @cached_property
    def _seat_of(self) -> dict[str, str]:
        return {power: seat.name for seat in self.seats for power in seat.powers}

    def seat_of(self, power: str) -> str:
        """The name of the seat that orders the power; its own where it belongs to no group (yet)."""
        return self._seat_of.get(power, power)

    def in_group(self, power: str) -> bool:
        """Whether the power belongs to a group (by now: some are drawn)."""
        return bool(self.groups) and power in self._seat_of

    def holder(self, power: str) -> str:
        """`You have`, said to whoever plays the power; `China has` where it is not the only one."""
        return f"{power} has" if self.in_group(power) else "You have"

    def powers_of(self, seat: str) -> tuple[str, ...]:
        """The powers that the seat orders, in the order of the file."""
        return self.seat_named[seat].powers if seat in self.seat_named else (seat,)

    def sponsor(self, center: str) -> str:
        """The seat whose points count more with the neutral there; "" where there is none."""
        return self.seat_of(self.sponsors[center]) if center in self.sponsors else ""

    def grouped(self, holders: Mapping[str, str]) -> "Variant":
        """The variant with more of its powers in groups, {power: group}, each in its shade of the group's colour."""
        holding = {power: group.name for group in self.groups for power in group.powers} | dict(holders)
        groups = {
            group.name: replace(
                group, powers=tuple(power.name for power in self.powers if holding.get(power.name) == group.name)
            )
            for group in self.groups
        }
        powers = (_shaded(power, groups.get(holding.get(power.name, ""))) for power in self.powers)
        return replace(self, groups=tuple(groups.values()), powers=tuple(powers))

    def at(self, phase: str) -> "Variant":
        """The variant as it is in a phase: with the canals that are open by then."""
        return self._opened(opened(self.canals, year(phase))) if self.canals else self

    def _opened(self, names: tuple[str, ...]) -> "Variant":
        if not any(self.provinces[name].coasts for name in names):
            return self
        if names not in self._later:
            provinces, waiting = with_changes(with_canals(self.provinces, names), self.border_changes)
            self._later[names] = replace(self, provinces=provinces, border_changes=waiting)
        return self._later[names]

    @cached_property
    def _later(self) -> dict[tuple[str, ...], "Variant"]:
        """What the variant becomes, so that there is one of each."""
        return {}

    @cached_property
    def centers(self) -> tuple[str, ...]:
        return tuple(province.abbr for province in self.provinces.values() if province.center)

    @cached_property
    def center_set(self) -> frozenset[str]:
        return frozenset(self.centers)

    def power(self, text: str) -> Power:
        """The power that somebody wrote: name, adjective, alias, letter, or the beginning (two letters) of a word for
        it.

        Raises KeyError with a sentence for the player when it is none or several.
        """
        return _named(self.powers, text, f'"{text}" is not a power of {self.title}.')

    def seat(self, text: str) -> Power | Group:
        """The seat that somebody wrote, as in `power`; a power that belongs to a group means that group."""
        try:
            return _named(self.seats, text, f'"{text}" is not a power of {self.title}.')
        except KeyError:
            if not self.groups:
                raise
        power = _named(self.powers, text, f'"{text}" is not a colour or a power of {self.title}.')
        if not self.in_group(power.name):
            raise KeyError(f"{power.name} is not assigned to a colour yet.")
        return self.seat_named[self.seat_of(power.name)]


def _shaded(power: Power, group: Group | None) -> Power:
    return replace(power, colour=group.shades[power.theatre]) if group and power.theatre else power


Named = TypeVar("Named", Power, Group, Power | Group)


def _named(among: Iterable[Named], text: str, unknown: str) -> Named:
    said = fold(text)
    several = []
    for one in among:
        if said in one.words or said == fold(one.letter):
            return one
        if len(said) >= 2 and any(word.startswith(said) for word in one.words):
            several.append(one)
    if len(several) == 1:
        return several[0]
    raise KeyError(f'"{text}" could be {" or ".join(one.name for one in several)}.' if several else unknown)


def variants_folder() -> Path:
    """Where the variants are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    inside = package / "variants"
    return inside if inside.is_dir() else package.parent / "variants"


def variant_names() -> list[str]:
    """The names of the installed variants, sorted."""
    return sorted(path.parent.name for path in variants_folder().glob("*/variant.toml"))


@lru_cache(maxsize=32)
def load_variant(name: str) -> Variant:
    """The installed variant of that name; raises UnknownVariant, VariantError."""
    if name.lower() not in variant_names():
        raise UnknownVariant(f'"{name}" is not a variant here. There are: {", ".join(variant_names())}.')
    return read_folder(variants_folder() / name.lower())


def read_folder(folder: Path) -> Variant:
    """The variant in a folder that holds variant.toml and provinces.toml, and maybe rules.txt."""
    rules, provinces = ((folder / file).read_text(encoding="utf-8") for file in ("variant.toml", "provinces.toml"))
    told = folder / "rules.txt"
    return read_variant(folder.name, rules, provinces, told.read_text(encoding="utf-8") if told.is_file() else "")


def read_variant(name: str, rules_text: str, provinces_text: str, text: str = "") -> Variant:
    """The variant whose files hold these texts; raises VariantError."""
    try:
        rules, provinces = tomllib.loads(rules_text), tomllib.loads(provinces_text)
        variant = Variant(
            name=name,
            title=rules["title"],
            start=rules["start"],
            powers=tuple(_power(word, table) for word, table in rules["powers"].items()),
            provinces={abbr: _province(abbr, table) for abbr, table in provinces.items()},
            victory=rules["victory"]["centers"],
            counts=rules.get("counts", {}),
            sources=rules.get("sources", ""),
            detours=read_detours(rules.get("detours", {})),
            emergencies=read_emergencies(rules.get("emergency", {})),
            neutrals=read_neutrals(rules.get("neutrals", {})),
            points=read_points(rules.get("points")),
            vassals=read_vassals(rules.get("vassals", {})),
            religion=read_religion(rules.get("religion")),
            extra_home=read_extra_home(rules.get("extra_home", {})),
            text=text,
            build_sites=_build_sites(rules.get("build_sites", {})),
            groups=read_groups(rules.get("groups", {})),
            draws=read_draws(rules.get("draws", ())),
            sponsors=read_sponsors(rules.get("sponsors", {})),
            canals=rules.get("canals", {}),
        )
        return variant.grouped({}) if variant.groups else variant
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as mistake:
        raise VariantError(f"{name}: {mistake}. `judge variants check` lists every mistake.") from mistake


def _power(name: str, table: dict) -> Power:
    homes = places(table["homes"])
    return Power(
        name=name,
        adjective=table["adjective"],
        letter=table["letter"],
        colour=table.get("colour", UNGROUPED),
        homes=homes,
        owns=places(table["owns"]) if "owns" in table else homes,
        units=tuple(Unit(*places(text)) for text in table["units"].split(",") if text.strip()),
        aliases=tuple(table.get("aliases", ())),
        theatre=table.get("theatre", ""),
    )


def _build_sites(table: dict) -> BuildSites:
    special = {power: places(centers) for power, centers in table.get("special", {}).items()}
    return BuildSites(places(table.get("colonies", "")), special)


def _province(abbr: str, table: dict) -> Province:
    fleet = table.get("fleet", {})
    by_coast = {
        coast.upper(): places(names) for coast, names in (fleet if isinstance(fleet, dict) else {"": fleet}).items()
    }
    army, reconstructed = places(table.get("army", "")), places(table.get("reconstructed", ""))
    if reconstructed == ("*",):
        reconstructed = tuple(dict.fromkeys((*army, *(place for there in by_coast.values() for place in there))))
    return Province(
        abbr=abbr,
        name=table["name"],
        kind=table["kind"],
        center=table.get("center", False),
        aliases=tuple(table.get("aliases", ())),
        army=army,
        fleet=by_coast,
        anchor=tuple(table["anchor"]) if "anchor" in table else None,
        anchors={coast.upper(): tuple(point) for coast, point in table.get("anchors", {}).items()},
        reconstructed=reconstructed,
        port=table.get("port", False),
        armies=table.get("armies", True),
    )

