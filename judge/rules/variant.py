"""A variant: the map and the rules of one game of the Diplomacy family, read from its folder of TOML files.

`variants/<name>/variant.toml` holds the title, the start, the powers and the rules; `provinces.toml` the map,
one table a province, each border at both of its ends. Loading takes files that `judge variants check` passes; a
file that cannot be used at all is refused with its first mistake. A loaded variant never changes.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from judge.rules.board import Board
from judge.rules.detours import Detours, read_detours
from judge.rules.emergency import Emergency, read_emergencies
from judge.rules.names import Names, fold, places
from judge.rules.orders import Unit
from judge.rules.terms import (
    ExtraHome,
    Neutrals,
    Points,
    Religion,
    read_extra_home,
    read_neutrals,
    read_points,
    read_religion,
    read_vassals,
)

NEUTRAL = "Neutral"


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
    name: str
    adjective: str
    letter: str
    colour: str
    homes: tuple[str, ...]
    owns: tuple[str, ...]
    units: tuple[Unit, ...]
    aliases: tuple[str, ...] = ()

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
    `text` what is told of its rules in plain words.
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

    @cached_property
    def board(self) -> Board:
        return Board(self.provinces, self.detours.borders)

    @cached_property
    def names(self) -> Names:
        return Names(self.provinces.values())

    @cached_property
    def power_named(self) -> dict[str, Power]:
        return {power.name: power for power in self.powers}

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
        said = fold(text)
        for power in self.powers:
            if said in power.words or said == fold(power.letter):
                return power
        found = [
            power
            for power in self.powers
            if len(said) >= 2 and any(word.startswith(said) for word in power.words)
        ]
        if len(found) == 1:
            return found[0]
        several = " or ".join(power.name for power in found)
        raise KeyError(f'"{text}" could be {several}.' if found else f'"{text}" is not a power of {self.title}.')


def variants_folder() -> Path:
    """Where the variants are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
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
        return Variant(
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
        )
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as mistake:
        raise VariantError(f"{name}: {mistake}. `judge variants check` lists every mistake.") from mistake


def _power(name: str, table: dict) -> Power:
    homes = places(table["homes"])
    return Power(
        name=name,
        adjective=table["adjective"],
        letter=table["letter"],
        colour=table["colour"],
        homes=homes,
        owns=places(table["owns"]) if "owns" in table else homes,
        units=tuple(Unit(*places(text)) for text in table["units"].split(",") if text.strip()),
        aliases=tuple(table.get("aliases", ())),
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

