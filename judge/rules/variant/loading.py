"""Read a variant from its folder of TOML files, and find all mistakes in the files, each with its line.

`variants/<name>/variant.toml` has the title, the start, the powers and the rules. `provinces.toml` has the map, one
table for each province. Each border is listed at both of its ends, unless it leads only one way.

The check reads both files to the end, unless a file is not TOML. A game that has begun can still use a variant with a
small mistake, such as a wrong total.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from judge.rules.board.names import fold, joined, places
from judge.rules.board.orders import Places, province_of
from judge.rules.board.phase import PhaseError, split_phase
from judge.rules.board.province import Province
from judge.rules.mechanisms.files import (
    ALIASES,
    FLAG,
    PLACES,
    TEXT,
    Faults,
    Kind,
    Mistake,
    RulesFile,
    Table,
    VariantFile,
    needed,
    one_of,
    that,
    twice,
)
from judge.rules.mechanisms.powers import power_of, read_powers
from judge.rules.variant.variant import MECHANISMS, Variant, read_rulings

RULES_FILE, MAP_FILE = "variant.toml", "provinces.toml"
TABLES = {table for one in MECHANISMS for table in one.TABLES}
KEYS = {"title", "start", "sources", "special", "package_map", "counts", "powers", "rulings", *TABLES}


class UnknownVariant(ValueError):
    """A name that no installed variant has."""


class VariantError(ValueError):
    """A variant that cannot be used. The message names the file and the mistake."""


def read_folder(folder: Path) -> Variant:
    """Return the variant in a folder that has variant.toml and provinces.toml, and perhaps rules.txt."""
    rules, provinces = ((folder / file).read_text(encoding="utf-8") for file in (RULES_FILE, MAP_FILE))
    told = folder / "rules.txt"
    return read_variant(folder.name, rules, provinces, told.read_text(encoding="utf-8") if told.is_file() else "")


def read_variant(name: str, rules_text: str, provinces_text: str, text: str = "") -> Variant:
    """Return the variant whose files have these texts. `name` is its name, or the name of its edition.

    Raises VariantError if too much is missing to play the variant.
    """
    variant, found = read_texts(name, rules_text, provinces_text, text)
    if variant is None:
        raise VariantError(f"{name}: {found[0]}. `judge variants check` lists every mistake.")
    return variant


def read_texts(
    name: str, rules_text: str, provinces_text: str, text: str = "", folder: Path = Path()
) -> tuple[Variant | None, list[Mistake]]:
    """Return the variant of these texts (None if too much is missing), and their mistakes by file and line.

    `folder` is the folder that mistakes name.
    """
    found: list[Mistake] = []
    board = VariantFile(folder / MAP_FILE, provinces_text, found)
    rules = RulesFile(folder / RULES_FILE, rules_text, found)
    if found:
        return None, found  # one of the files is not TOML
    rules.provinces = read_provinces(board)
    _check_head(rules)
    read_powers(rules)
    mechanisms = [one.read(rules) for one in MECHANISMS]
    rulings = read_rulings(rules, rules.listed("rulings", ", [[rulings]]"))
    _check_counts(rules)
    file, variant = rules.tables, None
    try:
        variant = Variant(
            name=name.partition("@")[0],
            edition=name,
            title=file["title"],
            start=file["start"],
            powers=tuple(power_of(word, values) for word, values in rules.powers.items()),
            provinces=rules.provinces,
            mechanisms=tuple(one for one in mechanisms if one is not None),
            sources=file.get("sources", ""),
            special=" ".join(file.get("special", "").split()),
            package_map=file.get("package_map", ""),
            text=text,
            rulings=rulings,
        ).grouped({})
    except (KeyError, TypeError, AttributeError):
        assert found, "what is missing has been noted"
    return variant if mechanisms[0] else None, sorted(set(found))


def _check_head(rules: RulesFile) -> None:
    """Check the keys outside of tables, and that each table is known."""
    file, say = rules.tables, rules.say
    for key in sorted(file.keys() - KEYS):
        say(f"there is no table {key}", key) if isinstance(file[key], dict) else say(f"there is no key {key}", "", key)
    title = file.get("title")
    if not isinstance(title, str):
        say("the title is missing", "", "title")
    elif not title.isprintable():
        say("the title has a character that cannot be printed", "", "title")
    for key in ("special", "package_map"):
        if not isinstance(file.get(key, ""), str):
            say(f"{key} must be text", "", key)
    try:
        good = split_phase(str(file.get("start", "")))[2] in "MA"
    except PhaseError:
        good = False
    if not good:
        say("start must be a movement phase or a winter, like S1901M or W1900A", "", "start")


def _borders_in(ways: Iterable[tuple[str, Places]]) -> int:
    return len({frozenset((here, other)) for here, near in ways for other in near})


def _check_counts(rules: RulesFile) -> None:
    provinces = rules.provinces.values()
    there = {
        "provinces": sum(one.kind != "impassable" for one in provinces),
        "centers": sum(one.center for one in provinces),
        "army_borders": _borders_in((one.abbr, one.army) for one in provinces),
        "fleet_borders": _borders_in(way for one in provinces for way in one.fleet_ways.items()),
        "powers": len(rules.powers),
        "units": sum(len(values["units"]) for values in rules.powers.values()),
    }
    for key, number in (rules.table("counts") or {}).items():
        if key not in there:
            rules.say(f"counts: there is no key {key}", "counts", key)
        elif number != there[key]:
            rules.say(f"counts: {key} should be {number}, but the file has {there[key]}", "counts", key)


# --- the map ---------------------------------------------------------------------------------------------------------


def _parted(by: str) -> Kind:
    """Return the kind of a field that has one list of places as text, or a table of such lists.

    `by` describes the keys of the table. A single list gets the key "".
    """

    def good(value: object) -> bool:
        return all(isinstance(one, str) for one in (value.values() if isinstance(value, dict) else [value]))

    def read(value: Any) -> dict[str, Places]:
        return {key: places(names) for key, names in (value if isinstance(value, dict) else {"": value}).items()}

    return that(good, f"text, or a table of texts by {by}", read)


_KINDS = {
    "name": TEXT,
    "kind": needed(one_of(("land", "coast", "sea", "impassable"))),
    "center": FLAG,
    "aliases": ALIASES,
    "army": PLACES,
    "fleet": _parted("coast"),
    "reconstructed": _parted("kind of unit"),
    "port": FLAG,
    "armies": FLAG,
    "one_way": PLACES,
}


def read_provinces(file: VariantFile) -> dict[str, Province]:
    """Return the provinces that the file describes, and note all mistakes in it."""
    provinces, doubts = {}, {}
    for name, table in file.tables.items():
        if isinstance(table, dict):
            # Folders made for earlier versions of the judge have these keys, for places on the globe. These keys are
            # ignored.
            for unread in ("anchor", "anchors"):
                table.pop(unread, None)
            values = file.values(_KINDS, table, name, name)
            doubts[name] = values.pop("reconstructed", {})
            provinces[name] = _province(name, values, doubts[name])
        else:
            file.say(f"{name} is outside any province's table", "", name)
    _MapCheck(file, provinces).check(doubts)
    return provinces


def _province(abbr: str, values: Table, doubts: Mapping[str, Collection[str]]) -> Province:
    """Return a province. Required values that are missing are empty."""
    values["fleet"] = {coast.upper(): near for coast, near in values.get("fleet", {}).items()}
    near = {"army": values.get("army", ()), "fleet": chain.from_iterable(values["fleet"].values())}
    doubtful: dict[str, Places] = {}
    for kind, places_beside in near.items():
        named = {*map(province_of, doubts.get(kind, doubts.get("", ())))}
        beside = dict.fromkeys(map(province_of, places_beside))
        doubtful[kind] = tuple(name for name in beside if "*" in named or name in named)  # "*" means all neighbors
    known = {"name": "", "kind": "", **values}
    return Province(abbr, **known, doubtful_for_armies=doubtful["army"], doubtful_for_fleets=doubtful["fleet"])


class _MapCheck:
    """Checks a map. `borders` has, for armies and for fleets, the correct borders as (place, place)."""

    def __init__(self, file: VariantFile, provinces: Mapping[str, Province]):
        self.say = file.say
        self.provinces = provinces
        self.borders: dict[str, set[tuple[str, str]]] = {"army": set(), "fleet": set()}

    def check(self, doubts: Mapping[str, Mapping[str, Collection[str]]]) -> None:
        """Note all mistakes of the map. `doubts` has the borders of each province that are marked as reconstructed."""
        for name, province in self.provinces.items():
            for fault, key in (*self._faults(province), *self._faults_of_borders(province)):
                self.say(f"{name}: {fault}", name, key)
        ways = self.borders["army"] | self.borders["fleet"]
        for name, province in self.provinces.items():
            for fault, key in _doubts(province, doubts[name], ways):
                self.say(f"{name}: {fault}", name, key)
        for kind, borders in self.borders.items():
            for here, there in borders:
                if (there, here) not in borders and there not in self.provinces[province_of(here)].one_way:
                    fault = f"{here} has a border with {there}, but not {there} with {here}"
                    self.say(fault, province_of(there), _key(kind, there))
        self._check_names()
        self._check_reachable()

    # --- mistakes, as (end of a sentence after the province's name, key) ----------------------------------------

    def _faults(self, one: Province) -> Faults:
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]{1,5}", one.abbr):
            yield "an abbreviation has two to six letters and digits, the first a capital", ""
        if not one.name.strip():
            yield "the name is missing", "name"
        if one.port and one.kind != "coast":
            yield "only a coast can be a port", "port"
        if one.center and one.kind == "impassable":
            yield "no one can reach it, so it cannot be a center", "center"
        if not one.armies and one.kind != "coast":
            yield "only a coast can be closed to armies", "armies"

    def _faults_of_borders(self, one: Province) -> Faults:
        if one.army and not one.takes_armies:
            yield "no army can be there, but it has army borders", "army"
        if not one.army and one.kind == "land":
            yield "no army can get there", "army"
        if one.fleet and not one.takes_fleets:
            yield "no fleet can be inland, but it has fleet borders", "fleet"
        if not one.by_water and one.takes_fleets:
            yield "no fleet can get there", "fleet"
        yield from self._faults_of_ways(one, "army", one.abbr, one.army)
        for here, near in one.fleet_ways.items():
            yield from self._faults_of_ways(one, "fleet", here, near)

    def _faults_of_ways(self, one: Province, kind: str, here: str, near: Sequence[str]) -> Faults:
        """Yield the mistakes in the borders of one place for a kind of unit, and record the correct borders."""
        key = _key(kind, here)
        yield from ((fault, key) for fault in twice(near))
        for there in dict.fromkeys(near):
            if fault := self._no_way(kind, one.abbr, there):
                yield fault, key
            else:
                self.borders[kind].add((here, there))

    def _no_way(self, kind: str, here: str, place: str) -> str:
        """Return why a unit of this kind cannot go from the province `here` to the place, or ""."""
        abbr, _, coast = place.partition("/")
        if abbr == here:
            return "borders on itself"
        if abbr not in self.provinces:
            return f"there is no province {place}"
        there = self.provinces[abbr]
        if kind == "army":
            if coast:
                return f"armies have no coasts: {place}"
            return "" if there.takes_armies else f"no army can enter {place}"
        if not there.takes_fleets:
            return f"no fleet can enter {abbr}, it is inland"
        if coast:
            return "" if coast in there.coasts else f"{abbr} has no coast {coast}"
        return f"which coast of {abbr}, {' or '.join(there.fleet_ways)}?" if there.coasts else ""

    def _check_names(self) -> None:
        """Check that no word names two provinces, even if it is written with other blanks."""
        owner: dict[str, str] = {}
        for name, one in self.provinces.items():
            for key, word in (("", name), ("name", one.name), *(("aliases", alias) for alias in one.aliases)):
                if not word.isprintable():
                    self.say(f"{name}: {word!r} has a character that cannot be printed", name, key)
                first = owner.setdefault(joined(fold(word)), name)
                if first != name:
                    self.say(f'"{word}" is {first} and {name}', name, key)

    def _check_reachable(self) -> None:
        passable = [name for name, province in self.provinces.items() if province.kind != "impassable"]
        front = passable[:1]
        reached = {*front}
        for name in front:
            beyond = self.provinces[name].neighbours & self.provinces.keys() - reached
            reached |= beyond
            front += beyond
        for name in passable:
            if name not in reached:
                self.say(f"{name} cannot be reached from {passable[0]}", name)


def _doubts(one: Province, doubts: Mapping[str, Collection[str]], ways: Collection[tuple[str, str]]) -> Faults:
    """Yield mistakes in a province's `one_way` and `reconstructed`.

    `one_way` lists neighbors from which no border leads back. `reconstructed` is one list of neighbors, or one list for
    armies and one for fleets. `ways` has all borders between places.
    """
    here = {one.abbr, *one.fleet_ways}
    for there in one.one_way:
        if not any((place, there) in ways and (there, place) not in ways for place in here):
            yield f"there is no one-way border to {there}", "one_way"
    near = {"": one.neighbours, "army": {*one.army}, "fleet": {*map(province_of, one.by_water)}}
    for kind, named in doubts.items():
        if kind not in near:
            yield f"reconstructed has no {kind}", "reconstructed"
            continue
        for other in named:
            if other != "*" and province_of(other) not in near[kind]:
                yield f"{other} is reconstructed but no neighbour", "reconstructed"


def _key(kind: str, place: str) -> str:
    """Return the key in the file for a place's borders and a kind of unit: "fleet.nc" for fleets at "STP/NC"."""
    coast = place.partition("/")[2]
    return f"{kind}.{coast.lower()}" if coast else kind
