"""Read a DPjudge map file (.map) as a variant.

The `diplomacy` package uses the same form. In the lists of neighbors, the case of a name says which units may use the
border. "BUR" means armies and fleets, "bur" armies only, and "Bur" fleets only. A split province is listed once in
lower case, for armies, and once for each coast. `*MAO` is a border of half strength, `NAF~` a difficult one.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass, field

from judge.foreign_maps.directives import DIRECTIVES, Directives, Words
from judge.foreign_maps.sketch import (
    MOST_NEIGHBOURS,
    MOST_POWERS,
    MOST_PROVINCES,
    MapError,
    Sketch,
    SketchPower,
    SketchProvince,
    SketchUnit,
)
from judge.rules.board.orders import place_of, province_of

TERRAIN = {"LAND": "land", "COAST": "coast", "WATER": "sea", "SEA": "sea", "PORT": "coast", "SHUT": "impassable"}
_OTHER_SEASON = {"SPRING:": "Fall", "FALL:": "Spring"}
_ABOUT_POWER = {"A", "F", "OWNS", "INHABITS", "HOME", "HOMES", "UNITS"}
_UNOWNED = {"UNOWNED", "NEUTRAL", "CENTERS"}
_MOST_FILES = 20
# A line with a power, its new name, its adjective and letter, and its homes: `NORWAY -> VIKINGS (VIKING:V) OSL BER`.
_POWER = re.compile(r"\s*([^\s(]++)\s*+(?:->\s*([^\s(]+)\s*)?(?!->)(?:\(([^)]*)\)?)?(.*)")
_PLACE = re.compile(r"[A-Za-z0-9]+(/[A-Za-z]+)?")


def read_dpjudge(name: str, text: str, other_file: Callable[[str], str]) -> Sketch:
    """Read the text of a .map file.

    `other_file` returns the text of another file that this file includes (MAP, USE). Raises MapError, and any error
    that `other_file` raises.
    """
    reader = _Reader(name, other_file)
    reader.read(text)
    return reader.finish()


@dataclass(frozen=True)
class _Neighbour:
    """A province as the neighbor of another, and whether armies and fleets may use the border."""

    province: "_Province"
    coast: str
    armies: bool
    fleets: bool


@dataclass(eq=False)
class _Province(SketchProvince):
    """A province while the file is read.

    `near` has its neighbors by coast, or "", each with the mark of the border (* or ~). For a province closed in one
    season, `opens` has the other season and the province's kind in it.
    """

    near: dict[str, dict[_Neighbour, str]] = field(default_factory=dict)
    opens: tuple[str, str] | None = None


class _Reader:
    def __init__(self, name: str, other_file: Callable[[str], str]):
        self.other_file = other_file
        self.sketch = Sketch(name.replace("_", " ").title(), f"Imported from the DPjudge map file {name}.map.")
        self.directives = Directives(self.sketch)
        self.provinces: dict[str, _Province] = {}
        self.power: SketchPower | None = None
        self.others: set[str] = set()
        self.dummies: dict[SketchPower, None] = {}
        self.begins: Words = []

    def read(self, text: str) -> None:
        apart = False
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[-1].upper() in ("DIRECTIVE", "DIRECTIVES"):
                # A block of lines for another kind of game looks like `PAYOLA DIRECTIVES … END DIRECTIVES`.
                apart = len(words) > 1 and words[0].upper() != "END"
                if apart:
                    self.sketch.note(f"Lines for {words[0].upper()} games only were left out.")
            elif not apart:
                try:
                    self._line(line, words)
                except MapError as error:
                    raise MapError(f"line {number}: {error}") from error
                except (IndexError, ValueError) as error:
                    raise MapError(f'line {number}: "{line.strip()[:60]}" cannot be read') from error

    def _line(self, line: str, words: Words) -> None:
        word, rest = words[0].upper(), words[1:]
        is_about_power = word in _ABOUT_POWER or (word == "CENTERS" and self.power)
        if "=" in line:
            self._name(line)
        elif word in _READ_BY:
            _READ_BY[word](self, rest)
        elif word in DIRECTIVES:
            self.directives.follow(word, rest)
        elif word in TERRAIN or word == "AMEND":
            self._place(word, rest)
        elif is_about_power:
            self._about_power(word, rest)
        elif "ABUTS" in map(str.upper, rest):
            raise MapError(f"{word} is not a kind of place. Write {', '.join(TERRAIN)} or AMEND")
        else:
            self._power(line)

    def _files(self, files: Words) -> None:
        """Read the included files. Each may be included once, so files cannot include each other endlessly."""
        for named in files:
            file = named if "." in named else f"{named}.map"
            if file in self.others or len(self.others) >= _MOST_FILES:
                raise MapError(f"{file} has already been read, or there are too many files")
            self.others.add(file)
            text = self.other_file(file)
            try:
                self.read(text)
            except MapError as error:
                raise MapError(f"{file}: {error}") from error

    def _victory(self, rest: Words) -> None:
        self.sketch.victory = int(rest[0])

    def _begin(self, rest: Words) -> None:
        self.begins = rest

    def _unplayed(self, rest: Words) -> None:
        gone = self._powers_named(rest)
        self.sketch.powers = {key: power for key, power in self.sketch.powers.items() if power not in gone}
        self.power = None

    def _dummies(self, rest: Words) -> None:
        self.dummies |= dict.fromkeys(self._powers_named(rest))

    def _open(self, rest: Words) -> None:
        """Read in which season, and as which kind, a closed province is open, from a line like IN SPRING: LAND BOH."""
        words = [*map(str.upper, rest)]
        if len(words) != 3 or words[0] not in _OTHER_SEASON or words[1] not in TERRAIN:
            self.directives.follow("IN", rest)
            return
        season, kind, place = words
        province = self._province(place)
        if province.opens not in (None, (season, TERRAIN[kind])):
            raise MapError(f"IN {season} {kind} {place}: it is opened twice, but can be opened only once")
        province.opens = season, TERRAIN[kind]

    def _drop_places(self, places: Words) -> None:
        for place in places:
            abbr, _, coast = place.upper().partition("/")
            if abbr not in self.provinces:
                continue
            if coast:
                self.provinces[abbr].near.pop(coast, None)
            else:
                self._drop_province(self.provinces.pop(abbr))

    # --- places -----------------------------------------------------------------------------------------------

    def _province(self, place: str) -> _Province:
        abbr = province_of(place).upper()
        if abbr not in self.provinces:
            self.provinces[abbr] = _Province(abbr, name=abbr)
            _refuse_more(self.provinces, MOST_PROVINCES, "provinces")
        return self.provinces[abbr]

    def _name(self, line: str) -> None:
        left, _, right = line.partition("=")
        abbr, *aliases = right.split()
        old, arrow, name = (part.strip() for part in left.partition("->"))
        # Remove accents, since an abbreviation must be easy to write.
        abbr = unicodedata.normalize("NFKD", abbr).encode("ascii", "ignore").decode().upper()
        if arrow:
            self._rename(old.upper(), abbr)
        if "/" not in abbr and "(" not in abbr:
            province = self._province(abbr)
            province.name = name if arrow else old
            province.aliases = [one.replace("+", " ") for one in aliases if not any(mark in one for mark in "/(?")]

    def _rename(self, old: str, abbr: str) -> None:
        if "/" in old:
            # Another line renames the coast's province, and all boards of this judge have the same abbreviations for
            # coasts.
            (split, _, coast), called = old.partition("/"), abbr.partition("/")[2]
            if called != coast:
                self.sketch.note(f"The coast {split}/{called} is called {coast} here.")
            return
        if not self._is_described(old):
            raise MapError(f"{old} cannot be renamed, because it has not been described yet")
        if not abbr.isalnum():
            raise MapError(f"{old} cannot be called {abbr}: that is not the name of a province")
        if old != abbr and self._is_described(abbr):
            raise MapError(f"{old} cannot be called {abbr}: that is another place")
        self.provinces[abbr] = self.provinces.pop(old)
        self.provinces[abbr].abbr = abbr

    def _is_described(self, abbr: str) -> bool:
        return abbr in self.provinces and bool(self.provinces[abbr].near)

    def _place(self, word: str, rest: Words) -> None:
        place = rest[0]
        province, coast = self._province(place), place.partition("/")[2].upper()
        if word != "AMEND":
            if place.isupper() and not coast:
                province.near = {}
            # If several lines list a province, the last of them decides its kind.
            province.kind = TERRAIN[word]
            province.near.pop(coast, None)
            province.near[coast] = {}
            province.port |= word == "PORT"
            _refuse_more(province.near, MOST_NEIGHBOURS, f"coasts of {place}")
        elif coast not in province.near:
            raise MapError(f"{place} has not been described yet")
        near = province.near[coast]
        for neighbour in rest[2:]:
            if neighbour.startswith("-"):
                gone = neighbour[1:].upper()
                for one in [*near]:
                    if gone in (one.province.abbr, place_of(one.province.abbr, one.coast)):
                        del near[one]
            else:
                self._neighbour(place, near, neighbour)
                _refuse_more(near, MOST_NEIGHBOURS, f"neighbours of {place}")

    def _neighbour(self, place: str, near: dict[_Neighbour, str], written: str) -> None:
        bare = written.strip("*~")
        if ":" in bare or "(" in bare:
            raise MapError(f"{place} abuts {written}: a border that is open to some powers only")
        if not _PLACE.fullmatch(bare):
            raise MapError(f"{place} abuts {written}: a border of an unknown kind")
        coast = bare.partition("/")[2].upper()
        one = _Neighbour(self._province(bare), coast, bare in (bare.upper(), bare.lower()), bare != bare.lower())
        near[one] = written.replace(bare, "")

    def _drop_province(self, gone: _Province) -> None:
        self.sketch.centers.discard(gone)
        self.sketch.units.pop(gone, None)
        for power in self.sketch.powers.values():
            power.homes.pop(gone, None)
            power.owned.pop(gone, None)
        for province in self.provinces.values():
            for coast, near in province.near.items():
                province.near[coast] = {one: mark for one, mark in near.items() if one.province is not gone}

    # --- powers -----------------------------------------------------------------------------------------------

    def _power(self, line: str) -> None:
        powers = self.sketch.powers
        found = _POWER.match(line)
        if not found:
            raise ValueError(line)
        word, new_name, own_word, rest = found.groups("")
        homes = rest.split()
        if new_name:
            power = powers.pop(_key(word), None)
            if power is None:
                raise MapError(f"{word} cannot be renamed: there is no such power yet")
            word = new_name
            power.name = _power_name(word)
            powers[_key(word)] = power
        if word.upper() in _UNOWNED:
            self.power = None
            centers = self.sketch.centers
            for home in homes:
                (centers.discard if home.startswith("-") else centers.add)(self._province(home.removeprefix("-")))
            return
        self.power = powers.setdefault(_key(word), SketchPower(_power_name(word)))
        _refuse_more(powers, MOST_POWERS, "powers")
        adjective, _, letter = own_word.replace("+", " ").partition(":")
        self.power.adjective = adjective.title() or self.power.adjective
        self.power.letter = letter[:1].upper() or self.power.letter
        self._homes(self.power, homes)

    def _homes(self, power: SketchPower, homes: Iterable[str]) -> None:
        """Add home centers. A sign before a center may change its meaning.

        `-` removes a home, `*` is a site of emergency builds, and `~` means hidden. &SC is the first center that the
        power wins.
        """
        for written in homes:
            home = written.upper().lstrip("~")
            if home == "&SC":
                power.gets_a_home = True
                continue
            if not home.lstrip("-*").isalnum():
                raise MapError(f"{written}: a home center of an unknown kind")
            province = self._province(home.lstrip("-*"))
            if home.startswith("-"):
                power.homes.pop(province, None)
                self.sketch.centers.add(province)
            elif home.startswith("*"):
                power.emergency_sites.append(province)
            else:
                power.homes[province] = None

    def _about_power(self, word: str, rest: Words) -> None:
        power = self.power
        if power is None:
            raise MapError(f"{word} comes before the first power")
        if word in ("A", "F"):
            province = self._province(rest[0])
            # If a province is listed twice, the last unit replaces the first and moves to the end of the list.
            self.sketch.units.pop(province, None)
            self.sketch.units[province] = SketchUnit(power, word, rest[0].partition("/")[2].upper())
        elif word == "UNITS":
            self.sketch.units = {at: unit for at, unit in self.sketch.units.items() if unit.power is not power}
        elif word == "OWNS":
            self._add_centers(power, rest)
        elif word == "CENTERS":
            power.owns = {}
            self._add_centers(power, rest)
        else:
            if word != "INHABITS":
                power.homes = {}
            self._homes(power, rest)

    def _add_centers(self, power: SketchPower, centers: Words) -> None:
        for center in centers:
            if not center.isalnum():
                raise MapError(f"{center.upper()}: a center of an unknown kind")
        power.owns = (power.owns or {}) | dict.fromkeys(map(self._province, centers))

    def _powers_named(self, names: Words) -> list[SketchPower]:
        """Return the powers in a list such as `FRANCE, ITALY`, `ALL` or `ALL EXCEPT FRANCE`.

        If the list is empty, return the power whose lines are being read.
        """
        powers = self.sketch.powers
        keys = [*map(_key, names)]
        if not keys:
            return [power for power in powers.values() if power is self.power]
        if keys[0] == "ALL":
            return [power for key, power in powers.items() if key not in keys[2:]]
        return [powers[key] for key in keys if key in powers]

    def _retire_dummies(self) -> None:
        """Turn the units of powers without a player into armed neutrals.

        This is possible only if each unit is in one of the power's centers.
        """
        sketch = self.sketch
        for key, power in [one for one in sketch.powers.items() if one[1] in self.dummies]:
            units = {at: unit._replace(power=None) for at, unit in sketch.units.items() if unit.power is power}
            if units.keys() <= power.owned.keys() and not power.emergency_sites:
                del sketch.powers[key]
                sketch.centers |= power.owned.keys() | power.homes.keys()
                sketch.units |= units
                sketch.note(
                    f"{power.name} has no player: its units are neutrals, which hold. A lost one comes back in a "
                    "winter if no one owns its center."
                )
            else:
                sketch.note(f"{power.name} has no player there. Here, the master of a game sends SET DISORDER.")

    # --- the map ----------------------------------------------------------------------------------------------

    def finish(self) -> Sketch:
        """Complete the sketch when all lines are read.

        Raises MapError.
        """
        self._retire_dummies()
        if self.begins:
            # The seasons are known only at the end of the file.
            self.directives.begin(self.begins)
        for province in self.provinces.values():
            if province.opens:
                season, kind = province.opens
                if province.kind != "impassable":
                    told = "to be played here, it must be SHUT in the other season"
                    raise MapError(f"IN {season} {province.abbr}: {told}")
                province.kind = kind
                self.sketch.rules[_OTHER_SEASON[season]].append(province.abbr)
        for province in self.provinces.values():
            if province.near:
                self.sketch.provinces[province.abbr] = province
                self._borders(province)
        self._add_weak_borders("*", self.sketch.rules["detours"])
        self._add_weak_borders("~", self.sketch.rules["difficult"])
        return self.sketch

    def _borders(self, province: _Province) -> None:
        if province.kind == "impassable":
            return
        for coast, near in province.near.items():
            if _floats(province, coast):
                province.coasts[coast] = None
            for one in near:
                self._border(province, coast, one)

    def _border(self, province: _Province, coast: str, one: _Neighbour) -> None:
        """Add a border for the kinds of units that can be on both sides of it."""
        other = self.provinces.get(one.province.abbr, one.province)
        here, there = place_of(province.abbr, coast), place_of(other.abbr, one.coast)
        if not other.near:
            raise MapError(f"{here} abuts {there}, which is not described anywhere")
        by_land = {province.kind, other.kind} <= {"land", "coast"}
        if one.armies and by_land and not coast:
            self.sketch.armies[here, other.abbr] = None
        if one.fleets and _floats(province, coast) and _floats(other, one.coast):
            self.sketch.fleets[here, there] = None

    def _add_weak_borders(self, mark: str, weakened: list[str]) -> None:
        marked = {
            (province.abbr, one.province.abbr): None
            for province in self.provinces.values()
            for near in province.near.values()
            for one, marks in near.items()
            if mark in marks
        }
        for one, other in marked:
            if (other, one) not in marked:
                self.sketch.note(f"Only {one} marks its border with {other} with {mark}. Here it applies both ways.")
            if f"{other}-{one}" not in weakened:
                weakened.append(f"{one}-{other}")


# The reader of each keyword that begins a line.
_READ_BY: Mapping[str, Callable[[_Reader, Words], None]] = {
    "MAP": _Reader._files,
    "USE": _Reader._files,
    "USES": _Reader._files,
    "VICTORY": _Reader._victory,
    "BEGIN": _Reader._begin,
    "IN": _Reader._open,
    "UNPLAYED": _Reader._unplayed,
    "DUMMY": _Reader._dummies,
    "DUMMIES": _Reader._dummies,
    "DROP": _Reader._drop_places,
}


def _floats(province: _Province, coast: str) -> bool:
    """Return whether fleets may be in this sea or on this coast.

    If a province has several coasts, the coast must be named.
    """
    return province.kind in ("sea", "coast") and bool(coast or not any(province.near))


def _key(name: str) -> str:
    """Return a power's name for comparisons, without the _ that marks a name that is also a place."""
    return name.upper().replace("+", "").lstrip("_").rstrip(",")


def _power_name(word: str) -> str:
    return word.replace("+", " ").lstrip("_").title()


def _refuse_more(things: Sized, most: int, called: str) -> None:
    if len(things) > most:
        raise MapError(f"there are more than {most:,} {called}")
