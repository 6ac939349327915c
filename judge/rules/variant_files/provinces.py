"""Finds mistakes in a map: kinds, names that two provinces share, borders missing at one end, reachability."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from judge.rules.board.names import fold, joined
from judge.rules.variant_files.lines import Lines, Table, words_of

KINDS = ("land", "coast", "sea", "impassable")
PROVINCE_KEYS = {
    "name", "kind", "center", "aliases", "army", "fleet", "anchor", "anchors", "reconstructed", "port", "armies",
    "one_way",
}  # fmt: skip


class ProvincesCheck:
    """Checks the map: tables as they were read, borders as (place, place)."""

    def __init__(self, tables: Mapping[str, Table], lines: Lines):
        self.lines = lines
        self.tables = {name: table for name, table in tables.items() if isinstance(table, dict)}
        for name in tables.keys() - self.tables.keys():
            lines.mistake(f"{name} stands outside a province's table", "", name)
        self.army: set[tuple[str, str]] = set()
        self.fleet: set[tuple[str, str]] = set()

    def check(self) -> None:
        for name, table in self.tables.items():
            self._check_table(name, table)
        for name, table in self.tables.items():
            self._check_army(name, table)
            self._check_fleet(name, table)
        self._check_both_ends(self.army, lambda place: "army")
        self._check_both_ends(self.fleet, self._fleet_key)
        self._check_names()
        self._check_reachable()
        for name, table in self.tables.items():
            self._check_one_way(name, table)
            self._check_reconstructed(name, table.get("reconstructed"))

    def _check_reconstructed(self, name: str, told: object) -> None:
        """One list of neighbours, or one for armies and one for fleets."""
        for kind, names in told.items() if isinstance(told, dict) else [("", told)]:
            if kind and kind not in self._around:
                self.lines.mistake(f"{name}: reconstructed has no {kind}", name, "reconstructed")
                continue
            near = self._around[kind][name] if kind else self.neighbours(name)
            for other in words_of(names):
                if other != "*" and other.partition("/")[0] not in near:
                    self.lines.mistake(f"{name}: {other} is reconstructed but no neighbour", name, "reconstructed")

    def takes_armies(self, name: str) -> bool:
        return self.kind(name) in ("land", "coast") and self.tables[name].get("armies") is not False

    def kind(self, name: str) -> str:
        return self.tables[name].get("kind", "") if name in self.tables else ""

    def coasts(self, name: str) -> list[str]:
        fleet = self.tables[name].get("fleet", "")
        return [coast.upper() for coast in fleet] if isinstance(fleet, dict) else []

    def neighbours(self, name: str) -> set[str]:
        """The provinces beside one, once all borders are known."""
        return self._around["army"][name] | self._around["fleet"][name]

    @cached_property
    def _around(self) -> dict[str, dict[str, set[str]]]:
        """By kind of unit: the provinces at the other ends of the borders of every province."""
        found: dict[str, dict[str, set[str]]] = {"army": defaultdict(set), "fleet": defaultdict(set)}
        for kind, borders in (("army", self.army), ("fleet", self.fleet)):
            for one, other in borders:
                found[kind][one.partition("/")[0]].add(other.partition("/")[0])
        return found

    def _check_table(self, name: str, table: Table) -> None:
        say = self.lines.mistake
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]{1,5}", name):
            say(f"{name}: an abbreviation has two to six letters and digits, the first a capital", name)
        for key in sorted(table.keys() - PROVINCE_KEYS):
            say(f"{name}: there is no key {key}", name, key)
        if not isinstance(table.get("name"), str) or not table["name"].strip():
            say(f"{name}: the name is missing", name, "name")
        if table.get("kind") not in KINDS:
            say(f"{name}: kind must be one of {', '.join(KINDS)}", name, "kind")
        for key in ("center", "port", "armies"):
            if not isinstance(table.get(key, False), bool):
                say(f"{name}: {key} must be true or false", name, key)
        if table.get("port") is True and table.get("kind") != "coast":
            say(f"{name}: only a coast can be a port", name, "port")
        if table.get("center") is True and table.get("kind") == "impassable":
            say(f"{name}: nobody can reach it, so that it cannot be a center", name, "center")
        if table.get("armies") is False and table.get("kind") != "coast":
            say(f"{name}: only a coast can be closed to armies", name, "armies")
        self._check_anchor(name, "anchor", table.get("anchor", [0, 0]))
        anchors = table.get("anchors", {})
        for coast, point in anchors.items() if isinstance(anchors, dict) else ():
            if coast.upper() not in self.coasts(name):
                say(f"{name}: there is no coast {coast}", name, f"anchors.{coast}")
            self._check_anchor(name, f"anchors.{coast}", point)

    def _check_anchor(self, name: str, key: str, point: object) -> None:
        match point:
            case [int() | float() as north, int() | float() as east] if -90 <= north <= 90 and -180 <= east <= 180:
                return
        self.lines.mistake(f"{name}: {key} must be [latitude, longitude] in degrees", name, key)

    def _check_army(self, name: str, table: Table) -> None:
        words = words_of(table.get("army"))
        if words and not self.takes_armies(name):
            self.lines.mistake(f"{name}: no army can be there, but it has army borders", name, "army")
        if not words and self.kind(name) == "land":
            self.lines.mistake(f"{name}: no army can get there", name, "army")
        for other in self._known(name, "army", words):
            if "/" in other:
                self.lines.mistake(f"{name}: armies do not know coasts: {other}", name, "army")
            elif not self.takes_armies(other):
                self.lines.mistake(f"{name}: no army can enter {other}", name, "army")
            else:
                self.army.add((name, other))

    def _check_fleet(self, name: str, table: Table) -> None:
        fleet = table.get("fleet", {})
        by_coast = fleet if isinstance(fleet, dict) else {"": fleet}
        if by_coast and self.kind(name) not in ("sea", "coast"):
            self.lines.mistake(f"{name}: no fleet can be inland, but it has fleet borders", name, "fleet")
        if not any(words_of(words) for words in by_coast.values()) and self.kind(name) in ("sea", "coast"):
            self.lines.mistake(f"{name}: no fleet can get there", name, "fleet")
        for coast, words in by_coast.items():
            key = f"fleet.{coast}" if coast else "fleet"
            here = f"{name}/{coast.upper()}" if coast else name
            for other in self._known(name, key, words_of(words)):
                if self._may_float(name, key, other):
                    self.fleet.add((here, other))

    def _may_float(self, name: str, key: str, other: str) -> bool:
        province, _, coast = other.partition("/")
        if self.kind(province) not in ("sea", "coast"):
            self.lines.mistake(f"{name}: no fleet can enter {province}, it is inland", name, key)
        elif self.coasts(province) and not coast:
            options = " or ".join(f"{province}/{one}" for one in self.coasts(province))
            self.lines.mistake(f"{name}: which coast of {province}, {options}?", name, key)
        elif coast and coast not in self.coasts(province):
            self.lines.mistake(f"{name}: {province} has no coast {coast}", name, key)
        else:
            return True
        return False

    def _known(self, name: str, key: str, words: list[str]) -> Iterator[str]:
        """The neighbours that exist, each only once."""
        for other in dict.fromkeys(words):
            if words.count(other) > 1:
                self.lines.mistake(f"{name}: {other} is there twice", name, key)
            if other.partition("/")[0] == name:
                self.lines.mistake(f"{name}: borders on itself", name, key)
            elif other.partition("/")[0] not in self.tables:
                self.lines.mistake(f"{name}: there is no province {other}", name, key)
            else:
                yield other

    def _check_both_ends(self, borders: set[tuple[str, str]], key: Callable[[str], str]) -> None:
        for here, there in borders:
            one_way = words_of(self.tables[here.partition("/")[0]].get("one_way"))
            if (there, here) not in borders and there not in one_way:
                province = there.partition("/")[0]
                self.lines.mistake(
                    f"{here} has a border with {there}, but {there} none with {here}", province, key(there)
                )

    @staticmethod
    def _fleet_key(place: str) -> str:
        coast = place.partition("/")[2].lower()
        return f"fleet.{coast}" if coast else "fleet"

    def _check_one_way(self, name: str, table: Table) -> None:
        """A neighbour that does not lead back: armies, or fleets between these coasts, only get there."""
        if not isinstance(table.get("one_way", ""), str):
            self.lines.mistake(f"{name}: one_way must be a text of names", name, "one_way")
        here = {name, *(f"{name}/{coast}" for coast in self.coasts(name))}
        for there in words_of(table.get("one_way")):
            if not any(self._leads(one, there) and not self._leads(there, one) for one in here):
                self.lines.mistake(f"{name}: no border leads only one way, to {there}", name, "one_way")

    def _leads(self, here: str, there: str) -> bool:
        return (here, there) in self.army or (here, there) in self.fleet

    def _check_names(self) -> None:
        """Checks that no word names two provinces, wherever its blanks are."""
        owner: dict[str, str] = {}
        for name, table in self.tables.items():
            aliases = table.get("aliases", [])
            if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
                self.lines.mistake(f"{name}: aliases must be a list of words", name, "aliases")
                aliases = []
            for key, words in (("", [name]), ("name", [str(table.get("name", ""))]), ("aliases", aliases)):
                for word in words:
                    if not word.isprintable():
                        self.lines.mistake(f"{name}: {word!r} has a sign that cannot be printed", name, key)
                    first = owner.setdefault(joined(fold(word)), name)
                    if first != name:
                        self.lines.mistake(f'"{word}" is {first} and {name}', name, key)

    def _check_reachable(self) -> None:
        open_provinces = [name for name in self.tables if self.kind(name) != "impassable"]
        if not open_provinces:
            return
        around = {name: self.neighbours(name) for name in self.tables}
        reached = {open_provinces[0]}
        front = [open_provinces[0]]
        for name in front:
            for other in around[name] - reached:
                reached.add(other)
                front.append(other)
        for name in open_provinces:
            if name not in reached:
                self.lines.mistake(f"{name} cannot be reached from {open_provinces[0]}", name)

    def counts(self) -> dict[str, int]:
        return {
            "provinces": sum(self.kind(name) != "impassable" for name in self.tables),
            "centers": sum(table.get("center") is True for table in self.tables.values()),
            "army_borders": len({frozenset(border) for border in self.army}),
            "fleet_borders": len({frozenset(border) for border in self.fleet}),
        }
