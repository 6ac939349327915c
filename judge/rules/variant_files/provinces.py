"""The map of a variant, provinces.toml: its provinces as they are read, and its mistakes.

Checked are kinds, names that two provinces share, borders missing at one end, reachability.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from judge.rules.board.names import fold, joined, places
from judge.rules.board.province import Province
from judge.rules.variant_files.schema import (
    ALIASES,
    ANYTHING,
    FLAG,
    TEXT,
    Lines,
    Table,
    check_keys,
    list_of,
    needed,
    one_of,
    read_keys,
    that,
    twice,
    words_of,
)


def _is_anchor(point: object) -> bool:
    match point:
        case [int() | float() as north, int() | float() as east]:
            return -90 <= north <= 90 and -180 <= east <= 180
    return False


_ANCHOR = that(_is_anchor, "[latitude, longitude] in degrees", tuple)
KINDS = {
    "name": ANYTHING,
    "kind": needed(one_of(("land", "coast", "sea", "impassable"))),
    "center": FLAG,
    "aliases": ALIASES,
    "army": TEXT._replace(read=places),
    "fleet": ANYTHING,
    "anchor": _ANCHOR,
    "anchors": ANYTHING,
    "reconstructed": ANYTHING,
    "port": FLAG,
    "armies": FLAG,
    "one_way": TEXT._replace(read=places),
}


def _by_coast(fleet: Any) -> dict[str, Any]:
    """Return {coast: its borders}, with "" for a province that is not split."""
    return {coast.upper(): names for coast, names in fleet.items()} if isinstance(fleet, dict) else {"": fleet}


def read_province(abbr: str, table: Table) -> Province:
    """Return the province that a table without mistakes describes."""
    values = read_keys(KINDS, table)
    told, fleet = values.pop("reconstructed", ""), values.pop("fleet", {})
    doubtful = told if isinstance(told, dict) else {"army": told, "fleet": told}
    army = values.get("army", ())
    by_coast = {coast: places(names) for coast, names in _by_coast(fleet).items()}
    by_water = [one for there in by_coast.values() for one in there]
    anchors = {coast.upper(): tuple(point) for coast, point in values.pop("anchors", {}).items()}
    return Province(
        abbr=abbr,
        fleet=by_coast,
        anchors=anchors,
        doubtful_for_armies=_doubtful(army, doubtful.get("army", "")),
        doubtful_for_fleets=_doubtful(by_water, doubtful.get("fleet", "")),
        **values,
    )


def _doubtful(neighbours: Iterable[str], named: str) -> tuple[str, ...]:
    """Return the provinces among these places that `named` names; `*` names all."""
    beside = dict.fromkeys(place.partition("/")[0] for place in neighbours)
    words = {place.partition("/")[0] for place in places(named)}
    return tuple(name for name in beside if "*" in words or name in words)


class ProvincesCheck:
    """The check of a map: tables as they were read, borders as (place, place)."""

    def __init__(self, tables: Mapping[str, Table], lines: Lines):
        self.say = lines.mistake
        self.tables = {name: table for name, table in tables.items() if isinstance(table, dict)}
        for name in tables.keys() - self.tables.keys():
            self.say(f"{name} is outside any province's table", "", name)
        self.army: set[tuple[str, str]] = set()
        self.fleet: set[tuple[str, str]] = set()

    def check(self) -> None:
        """Note all mistakes of the map."""
        for name, table in self.tables.items():
            for fault, key in self._faults(name, table):
                self.say(f"{name}: {fault}", name, key)
            check_keys(self.say, self, KINDS, table, (name, name))
        for name, table in self.tables.items():
            for fault, key in (*self._borders_of_armies(name, table), *self._borders_of_fleets(name, table)):
                self.say(f"{name}: {fault}", name, key)
        self._check_both_ends(self.army)
        self._check_both_ends(self.fleet, "fleet")
        self._check_names()
        self._check_reachable()
        for name, table in self.tables.items():
            for fault, key in self._doubts(name, table):
                self.say(f"{name}: {fault}", name, key)

    # --- what other checks ask ----------------------------------------------------------------------------------

    def takes_armies(self, name: str) -> bool:
        """Whether an army can ever stand there."""
        return self.kind(name) in ("land", "coast") and self.tables[name].get("armies") is not False

    def takes_fleets(self, name: str) -> bool:
        """Whether a fleet can ever be there."""
        return self.kind(name) in ("sea", "coast")

    def is_center(self, name: str) -> bool:
        """Whether it is a supply center."""
        return self.tables.get(name, {}).get("center") is True

    def kind(self, name: str) -> str:
        """Return its kind, "" if there is no such province."""
        return str(self.tables.get(name, {}).get("kind", ""))

    def coasts(self, name: str) -> list[str]:
        """Return its coasts: "NC"."""
        return [coast for coast in _by_coast(self.tables.get(name, {}).get("fleet", "")) if coast]

    def borders(self, one: str, other: str) -> bool:
        """Whether these are neighbours."""
        return one in self.tables and other in self.neighbours(one)

    def neighbours(self, name: str) -> set[str]:
        """Return the provinces beside one, once all borders are known."""
        return self._around["army"][name] | self._around["fleet"][name]

    @cached_property
    def _around(self) -> dict[str, dict[str, set[str]]]:
        """By kind of unit: the provinces at the other ends of the borders of every province."""
        found: dict[str, dict[str, set[str]]] = {"army": defaultdict(set), "fleet": defaultdict(set)}
        for kind, borders in (("army", self.army), ("fleet", self.fleet)):
            for one, other in borders:
                found[kind][one.partition("/")[0]].add(other.partition("/")[0])
        return found

    def unit_fault(self, unit: Sequence[str]) -> str:
        """Say what is wrong with a unit, ["A", "PAR"]; "" if nothing is."""
        text = " ".join(unit)
        if len(unit) != 2 or unit[0] not in ("A", "F"):
            return f"{text} is not a unit like A PAR"
        army, (province, _, coast) = unit[0] == "A", unit[1].partition("/")
        coasts = self.coasts(province)
        if province not in self.tables:
            return f"there is no province {province}"
        if not (self.takes_armies(province) if army else self.takes_fleets(province)):
            return f"{text}: no {'army' if army else 'fleet'} can be there"
        if not army and coasts and coast not in coasts:
            return f"{text}: which coast?"
        return f"{text}: it is not on a coast" if "/" in unit[1] and (army or not coasts) else ""

    def counts(self) -> dict[str, int]:
        """Return the totals of the map that a file may state."""
        return {
            "provinces": sum(self.kind(name) != "impassable" for name in self.tables),
            "centers": sum(map(self.is_center, self.tables)),
            "army_borders": len(set(map(frozenset, self.army))),
            "fleet_borders": len(set(map(frozenset, self.fleet))),
        }

    # --- mistakes: (a sentence behind the name of the province, the key) --------------------------------------------

    def _faults(self, name: str, table: Table) -> Iterator[tuple[str, str]]:
        kind = table.get("kind")
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]{1,5}", name):
            yield "an abbreviation has two to six letters and digits, the first a capital", ""
        if not isinstance(table.get("name"), str) or not table["name"].strip():
            yield "the name is missing", "name"
        if table.get("port") is True and kind != "coast":
            yield "only a coast can be a port", "port"
        if self.is_center(name) and kind == "impassable":
            yield "no one can reach it, so it cannot be a center", "center"
        if table.get("armies") is False and kind != "coast":
            yield "only a coast can be closed to armies", "armies"
        anchors = table.get("anchors", {})
        for coast, point in anchors.items() if isinstance(anchors, dict) else ():
            key = f"anchors.{coast}"
            if coast.upper() not in self.coasts(name):
                yield f"there is no coast {coast}", key
            yield from ((fault, key) for fault in _ANCHOR.faults(self, key, point))

    def _borders_of_armies(self, name: str, table: Table) -> Iterator[tuple[str, str]]:
        words = words_of(table.get("army"))
        if words and not self.takes_armies(name):
            yield "no army can be there, but it has army borders", "army"
        if not words and self.kind(name) == "land":
            yield "no army can get there", "army"
        yield from ((fault, "army") for fault in twice(words))
        for other in dict.fromkeys(words):
            fault = self._no_neighbour(name, other)
            if not fault and "/" in other:
                fault = f"armies have no coasts: {other}"
            if not fault and not self.takes_armies(other):
                fault = f"no army can enter {other}"
            if fault:
                yield fault, "army"
            else:
                self.army.add((name, other))

    def _borders_of_fleets(self, name: str, table: Table) -> Iterator[tuple[str, str]]:
        by_coast = _by_coast(table.get("fleet", {})) if "fleet" in table else {}
        if by_coast and not self.takes_fleets(name):
            yield "no fleet can be inland, but it has fleet borders", "fleet"
        if not any(map(words_of, by_coast.values())) and self.takes_fleets(name):
            yield "no fleet can get there", "fleet"
        for coast, there in by_coast.items():
            key, words = _fleet_key(coast), words_of(there)
            yield from ((fault, key) for fault in twice(words))
            for other in dict.fromkeys(words):
                fault = self._no_neighbour(name, other) or self._no_landing(other)
                if fault:
                    yield fault, key
                else:
                    self.fleet.add((f"{name}/{coast}" if coast else name, other))

    def _no_neighbour(self, name: str, other: str) -> str:
        """Say why a place cannot be a neighbour of a province at all."""
        province = other.partition("/")[0]
        if province == name:
            return "borders on itself"
        return "" if province in self.tables else f"there is no province {other}"

    def _no_landing(self, place: str) -> str:
        """Say why no fleet can enter a place."""
        province, _, coast = place.partition("/")
        coasts = self.coasts(province)
        if not self.takes_fleets(province):
            return f"no fleet can enter {province}, it is inland"
        if coasts and not coast:
            return f"which coast of {province}, {' or '.join(f'{province}/{one}' for one in coasts)}?"
        return f"{province} has no coast {coast}" if coast and coast not in coasts else ""

    def _check_both_ends(self, borders: set[tuple[str, str]], kind: str = "") -> None:
        for here, there in borders:
            one_way = words_of(self.tables[here.partition("/")[0]].get("one_way"))
            if (there, here) not in borders and there not in one_way:
                province, _, coast = there.partition("/")
                key = _fleet_key(coast) if kind else "army"
                self.say(f"{here} has a border with {there}, but not {there} with {here}", province, key)

    def _check_names(self) -> None:
        """Check that no word names two provinces, wherever its blanks are."""
        owner: dict[str, str] = {}
        for name, table in self.tables.items():
            aliases = list_of(table, "aliases")
            words = [("", name), ("name", str(table.get("name", ""))), *(("aliases", alias) for alias in aliases)]
            for key, word in words:
                if not word.isprintable():
                    self.say(f"{name}: {word!r} has a character that cannot be printed", name, key)
                first = owner.setdefault(joined(fold(word)), name)
                if first != name:
                    self.say(f'"{word}" is {first} and {name}', name, key)

    def _check_reachable(self) -> None:
        open_provinces = [name for name in self.tables if self.kind(name) != "impassable"]
        reached = set(open_provinces[:1])
        front = open_provinces[:1]
        for name in front:
            beyond = self.neighbours(name) - reached
            reached |= beyond
            front += beyond
        for name in open_provinces:
            if name not in reached:
                self.say(f"{name} cannot be reached from {open_provinces[0]}", name)

    def _doubts(self, name: str, table: Table) -> Iterator[tuple[str, str]]:
        """Check what the table says of its own borders: that one leads only one way, that one is reconstructed.

        `one_way` names a neighbour that does not lead back: armies, or fleets between these coasts, only get there.
        `reconstructed` is one list of neighbours, or one for armies and one for fleets.
        """
        here = {name, *(f"{name}/{coast}" for coast in self.coasts(name))}
        for there in words_of(table.get("one_way")):
            if not any(self._leads(one, there) and not self._leads(there, one) for one in here):
                yield f"there is no one-way border to {there}", "one_way"
        told = table.get("reconstructed")
        for kind, names in told.items() if isinstance(told, dict) else [("", told)]:
            if kind and kind not in self._around:
                yield f"reconstructed has no {kind}", "reconstructed"
                continue
            near = self._around[kind][name] if kind else self.neighbours(name)
            for other in words_of(names):
                if other != "*" and other.partition("/")[0] not in near:
                    yield f"{other} is reconstructed but no neighbour", "reconstructed"

    def _leads(self, here: str, there: str) -> bool:
        return (here, there) in self.army or (here, there) in self.fleet


def _fleet_key(coast: str) -> str:
    return f"fleet.{coast.lower()}" if coast else "fleet"
