"""Reads a DPjudge map file (.map; the `diplomacy` package uses the same form) into a variant.

In its lists of neighbours the case of a name tells which units may use the border: "BUR" means armies and fleets, "bur"
armies only, "Bur" fleets only. A split province is listed once in lower case, for armies, and once for each coast.
`*MAO` is a border of half strength, `NAF~` a difficult one.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sized

from judge.foreign_maps import directives
from judge.foreign_maps.beginning import read_beginning
from judge.foreign_maps.repairs import Pair, repair
from judge.foreign_maps.sketch import (
    MOST_NEIGHBOURS,
    MOST_POWERS,
    MOST_PROVINCES,
    Imported,
    Sketch,
    SketchPower,
    SketchProvince,
    finished,
)
from judge.foreign_maps.source import MapError
from judge.rules.board.phase import PhaseError

TERRAIN = {"LAND": "land", "COAST": "coast", "WATER": "sea", "SEA": "sea", "PORT": "coast", "SHUT": "impassable"}
_OTHER_SEASON = {"SPRING:": "Fall", "FALL:": "Spring"}
UNOWNED = {"UNOWNED", "NEUTRAL", "CENTERS"}
_MOST_FILES = 20
_PLACE = re.compile(r"[A-Za-z0-9]+(/[A-Za-z]+)?")


def read_dpjudge(
    name: str, text: str, other_file: Callable[[str], str], one_way: Collection[Pair] = ()
) -> Imported:
    """The variant of a .map file; `other_file` gives the text of another file that this file includes (MAP, USE).
    `one_way`: pairs of provinces whose border is meant to lead only from the first to the second.

    Raises MapError, and any error that `other_file` raises.
    """
    reader = _Reader(name, other_file)
    reader.read(text)
    sketch = reader.finish()
    repair(sketch, one_way)
    return finished(name, sketch, f"Imported from the DPjudge map file {name}.map.")


def _abbr(place: str) -> str:
    """The province of a place."""
    return place.partition("/")[0].upper()


def _plain(abbr: str) -> str:
    """Without accents: an abbreviation must be easy to write."""
    return unicodedata.normalize("NFKD", abbr).encode("ascii", "ignore").decode()


def _key(name: str) -> str:
    """A power's name in the form in which names are compared; one that is a place too may begin with _."""
    return name.upper().replace("+", "").lstrip("_").rstrip(",")


def _add_centers(known: list[str], more: list[str]) -> None:
    known.extend(more)
    _refuse_more(known, MOST_PROVINCES, "centers of a power")


def _refuse_more(things: Sized, most: int, called: str) -> None:
    """Raise MapError if there are more than `most`."""
    if len(things) > most:
        raise MapError(f"there are more than {most:,} {called}")


class _Reader:
    def __init__(self, name: str, other_file: Callable[[str], str]):
        self.other_file = other_file
        self.sketch = Sketch(title=name.replace("_", " ").title())
        self.power: SketchPower | None = None
        self.names: dict[str, tuple[str, list[str]]] = {}
        self.terrain: dict[str, str] = {}
        self.abuts: dict[str, list[str]] = {}
        self.written: dict[str, set[str]] = {}    # by province: the names of it and of its coasts, as spelled
        self.stands: dict[str, SketchPower] = {}
        self.others: set[str] = set()
        self.dummies: dict[str, None] = {}
        self.seasons = directives.Seasons()
        self.open_in: dict[str, tuple[str, str]] = {}    # what is shut but in one season: the season, its kind then
        self.marks: dict[tuple[str, str], str] = {}    # by place and neighbour: the marks of the border, * or ~
        self.begins: list[str] = []

    def read(self, text: str) -> None:
        apart = False
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[-1].upper() in ("DIRECTIVE", "DIRECTIVES"):
                apart = self._block(words)
            elif not apart:
                try:
                    self._line(line, words)
                except (MapError, PhaseError) as error:
                    raise MapError(f"line {number}: {error}") from error
                except (IndexError, ValueError) as error:
                    raise MapError(f'line {number}: "{line.strip()[:60]}" cannot be read') from error

    def _block(self, words: list[str]) -> bool:
        """Whether the lines from here on are for another kind of game: `PAYOLA DIRECTIVES … END DIRECTIVES`."""
        kind = words[0].upper()
        if len(words) == 1 or kind == "END":
            return False
        self.sketch.note(f"What is for {kind} games only is left out.")
        return True

    def _line(self, line: str, words: list[str]) -> None:
        word, rest = words[0].upper(), words[1:]
        if "=" in line:
            self._name(line)
        elif word in ("MAP", "USE", "USES"):
            for file in rest:
                self._build_upon(file if "." in file else f"{file}.map")
        elif word == "VICTORY":
            self.sketch.victory = int(rest[0])
        elif word == "BEGIN":
            self.begins = rest
        elif word == "UNPLAYED":
            for name in self._powers_named(rest):
                self.sketch.powers.pop(name, None)
            self.power = None
        elif word in ("DUMMY", "DUMMIES"):
            self.dummies |= dict.fromkeys(self._powers_named(rest))
        elif word == "IN" and len(rest) == 3 and rest[0].upper() in _OTHER_SEASON and rest[1].upper() in TERRAIN:
            self._open_in(*(one.upper() for one in rest))
        elif directives.is_directive(word):
            directives.follow(self.sketch, self.seasons, word, rest)
        elif word == "DROP":
            for place in rest:
                self._drop(place)
            self._forget({place.upper() for place in rest})
        elif word in TERRAIN or word == "AMEND":
            self._place(word, rest)
        elif word in ("A", "F", "OWNS", "INHABITS", "HOME", "HOMES", "UNITS") or (word == "CENTERS" and self.power):
            self._about_power(word, [one.upper() for one in rest])
        elif "ABUTS" in (one.upper() for one in rest):
            raise MapError(f"{word} is no kind of place: write {', '.join(TERRAIN)} or AMEND")
        else:
            self._power(line)

    def _build_upon(self, file: str) -> None:
        """Each included file is read only once, so that files cannot include each other for ever."""
        if file in self.others or len(self.others) >= _MOST_FILES:
            raise MapError(f"{file} is read already, or too many others are")
        self.others.add(file)
        text = self.other_file(file)
        try:
            self.read(text)
        except MapError as error:
            raise MapError(f"{file}: {error}") from error

    def _name(self, line: str) -> None:
        left, _, right = line.partition("=")
        abbr, *aliases = right.split()
        old, arrow, name = (part.strip() for part in left.partition("->"))
        abbr = _plain(abbr)
        if arrow and "/" in old:
            self._rename_coast(old.upper(), abbr.upper())
        elif arrow:
            self._rename(old.upper(), abbr.upper())
        if "/" not in abbr and "(" not in abbr:
            plain = [alias.replace("+", " ") for alias in aliases if not any(mark in alias for mark in "/(?")]
            self.names[abbr.upper()] = (name if arrow else old, plain)

    def _rename(self, old: str, new: str) -> None:
        """A place gets another abbreviation wherever it stands, in the case in which it stands there."""
        if old not in self.written:
            raise MapError(f"{old} cannot be renamed: it is not known yet")
        if old == new:
            return
        if new in self.written:
            raise MapError(f"{old} cannot be called {new}: that is another place")

        def renamed(place: str) -> str:
            first, slash, coast = place.partition("/")
            if first.upper() != old:
                return place
            return (new if first.isupper() else new.lower() if first.islower() else new.title()) + slash + coast

        self.abuts = {renamed(place): [*map(renamed, near)] for place, near in self.abuts.items()}
        self.terrain = {renamed(place): kind for place, kind in self.terrain.items()}
        self.written[new] = {*map(renamed, self.written.pop(old))}
        self.names.pop(old, None)
        sketch = self.sketch
        self.marks = {(renamed(place), renamed(near)): mark for (place, near), mark in self.marks.items()}
        self.open_in = {renamed(place): opens for place, opens in self.open_in.items()}
        sketch.centers = {*map(renamed, sketch.centers)}
        if province := sketch.provinces.pop(old, None):
            province.abbr = new
            sketch.provinces[new] = province
        if old in self.stands:
            self.stands[new] = self.stands.pop(old)
        for power in sketch.powers.values():
            power.homes = [*map(renamed, power.homes)]
            power.owns = power.owns and [*map(renamed, power.owns)]
            power.units = [f"{unit[:2]}{renamed(unit[2:])}" for unit in power.units]
            power.emergency_sites = [*map(renamed, power.emergency_sites)]

    def _rename_coast(self, old: str, new: str) -> None:
        """Its province is renamed by a line of its own; a coast is called by the same letters on all boards here."""
        province, _, coast = old.partition("/")
        called = new.partition("/")[2]
        if not {old, f"{_abbr(new)}/{coast}"} & {place.upper() for place in self.abuts}:
            raise MapError(f"{old} cannot be renamed: it is not known yet")
        if called != coast:
            self.sketch.note(f"The coast {province}/{called} is called {coast} here.")

    def _place(self, word: str, rest: list[str]) -> None:
        place, neighbours = rest[0], rest[2:]
        if word != "AMEND":
            self._drop(place, coasts=place.isupper() and "/" not in place)
            self.terrain[place] = TERRAIN[word]
            self.abuts[place] = []
            self.written.setdefault(_abbr(place), set()).add(place)
            _refuse_more(self.abuts, MOST_PROVINCES, "places")
            if word == "PORT":
                self._province(place).port = True
        elif place not in self.abuts:
            raise MapError(f"{place} is not known yet")
        for neighbour in neighbours:
            if neighbour.startswith("-"):
                gone = neighbour[1:].upper()
                self.abuts[place] = [one for one in self.abuts[place] if not one.upper().startswith(gone)]
            else:
                self.abuts[place].append(self._neighbour(place, neighbour))
            _refuse_more(self.abuts[place], MOST_NEIGHBOURS, f"neighbours of {place}")

    def _neighbour(self, place: str, written: str) -> str:
        """The place that `written` names; keeps the mark of a border that weakens who crosses it (`*MAO`, `NAF~`)."""
        bare = written.strip("*~")
        if ":" in bare or "(" in bare:
            raise MapError(f"{place} abuts {written}: a border that is open to some powers only")
        if not _PLACE.fullmatch(bare):
            raise MapError(f"{place} abuts {written}: a border of a kind that is not known here")
        self.marks[place, bare] = written.replace(bare, "")
        return bare

    def _drop(self, place: str, coasts: bool = True) -> None:
        base = place.upper()
        for known in list(self.written.get(_abbr(place), ())):
            if known.upper() == base or (coasts and known.upper().startswith(base + "/")):
                del self.abuts[known], self.terrain[known]
                self.written[_abbr(place)].remove(known)

    def _forget(self, gone: set[str]) -> None:
        """What is dropped is nobody's neighbour, home or center, and nothing stands there."""
        for place, near in self.abuts.items():
            self.abuts[place] = [one for one in near if one.upper() not in gone and _abbr(one) not in gone]
        self.open_in = {place: opens for place, opens in self.open_in.items() if place not in gone}
        self.sketch.centers -= gone
        for power in self.sketch.powers.values():
            power.homes = [home for home in power.homes if home not in gone]
            power.owns = power.owns and [center for center in power.owns if center not in gone]
            power.units = [unit for unit in power.units if unit[2:] not in gone and _abbr(unit[2:]) not in gone]
        for abbr in gone - self.written.keys():
            self.sketch.provinces.pop(abbr, None)

    def _province(self, place: str) -> SketchProvince:
        abbr = _abbr(place)
        return self.sketch.provinces.setdefault(abbr, SketchProvince(abbr))

    def _power(self, line: str) -> None:
        own_word = ""
        if "(" in line and not line.partition("(")[0].split()[1:]:
            own_word = line.partition("(")[2].partition(")")[0]
            line = line.partition("(")[0] + line.partition(")")[2]
        word, *homes = line.split()
        if homes[:1] == ["->"]:
            word, homes = self._rename_power(word, homes[1]), homes[2:]
            if homes and homes[0].startswith("("):
                own_word, homes = homes[0].strip("()"), homes[1:]
        if word.upper() in UNOWNED:
            self.power = None
            self.sketch.centers -= {home[1:].upper() for home in homes if home.startswith("-")}
            self.sketch.centers |= {home.upper() for home in homes if not home.startswith("-")}
            return
        self.power = self.sketch.powers.setdefault(_key(word), SketchPower(_power_name(word)))
        _refuse_more(self.sketch.powers, MOST_POWERS, "powers")
        adjective, _, letter = own_word.replace("+", " ").partition(":")
        self.power.adjective = adjective.title() or self.power.adjective
        self.power.letter = letter[:1].upper() or self.power.letter
        self._homes(self.power, homes)

    def _rename_power(self, old: str, new: str) -> str:
        power = self.sketch.powers.pop(_key(old), None)
        if power is None:
            raise MapError(f"{old} cannot be renamed: there is no such power yet")
        power.name = _power_name(new)
        self.sketch.powers[_key(new)] = power
        if _key(old) in self.dummies:
            self.dummies |= {_key(new): None}
        return new

    def _homes(self, power: SketchPower, homes: Iterable[str]) -> None:
        """Adds home centers, each with the marks before it: - no home any more, * a site of emergency builds, ~ hidden.
        &SC: the first center that it wins.
        """
        known = dict.fromkeys(power.homes)
        for written in homes:
            home = written.upper().lstrip("~")
            if home == "&SC":
                power.gets_a_home = True
            elif not home.lstrip("-*").isalnum():
                raise MapError(f"{written}: a home of a kind that is not known here")
            elif home.startswith("-"):
                known.pop(home[1:], None)
                self.sketch.centers.add(home[1:])
            elif home.startswith("*"):
                power.emergency_sites.append(home[1:])
            else:
                known[home] = None
        power.homes = list(known)
        _refuse_more(power.homes, MOST_PROVINCES, "centers of a power")

    def _about_power(self, word: str, rest: list[str]) -> None:
        power = self.power
        if power is None:
            raise MapError(f"{word} stands before any power")
        if word in ("A", "F"):
            province = _abbr(rest[0])
            if other := self.stands.get(province):
                other.units = [unit for unit in other.units if _abbr(unit[2:]) != province]
            self.stands[province] = power
            _refuse_more(self.stands, MOST_PROVINCES, "units")
            power.units.append(f"{word} {rest[0]}")
        elif word == "UNITS":
            power.units = []
        elif word in ("OWNS", "CENTERS"):
            if odd := [center for center in rest if not center.isalnum()]:
                raise MapError(f"{odd[0]}: a center of a kind that is not known here")
            power.owns = power.owns if word != "CENTERS" and power.owns else []
            _add_centers(power.owns, rest)
        else:
            power.homes = power.homes if word == "INHABITS" else []
            self._homes(power, rest)

    def _powers_named(self, names: list[str]) -> list[str]:
        """The powers of a list: `FRANCE, ITALY`, `ALL`, `ALL EXCEPT FRANCE`; without names the one that was begun."""
        keys = [_key(name) for name in names]
        if not keys:
            return [key for key, power in self.sketch.powers.items() if power is self.power]
        if keys[0] == "ALL":
            return [key for key in self.sketch.powers if key not in keys[2:]]
        return [key for key in keys if key in self.sketch.powers]

    def _retire_dummies(self) -> None:
        """A power without a player: its units are armed neutrals if each stands in a center of its own."""
        for key in self.dummies:
            power = self.sketch.powers.get(key)
            if power is None:
                continue
            owned = set(power.homes if power.owns is None else power.owns)
            if {_abbr(unit[2:]) for unit in power.units} <= owned and not power.emergency_sites:
                del self.sketch.powers[key]
                self.sketch.centers |= owned | set(power.homes)
                self.sketch.neutrals += power.units
                self.sketch.note(
                    f"Nobody plays {power.name}: its units are neutrals, which hold. A lost one comes back in a winter "
                    "in which nobody owns its center."
                )
            else:
                self.sketch.note(f"Nobody plays {power.name} there: the master of a game here writes SET DISORDER.")

    # --- the map ----------------------------------------------------------------------------------------------

    def finish(self) -> Sketch:
        """The sketch when all is read; raises MapError."""
        self._retire_dummies()
        if self.begins:
            self._begin()
        self._open_what_is_shut()
        kinds = {place.partition("/")[0].upper(): kind for place, kind in self.terrain.items()}
        split = {place.partition("/")[0].upper() for place in self.terrain if "/" in place}
        for place in self.terrain:
            province = self._province(place)
            province.kind = kinds[province.abbr]
            province.name, province.aliases = self.names.get(province.abbr, (province.abbr, []))
            if province.kind != "impassable":
                self._borders(province, place, kinds, split)
        self._weaken("*", self.sketch.long_ways)
        self._weaken("~", self.sketch.difficult)
        return self.sketch

    def _open_in(self, season: str, kind: str, place: str) -> None:
        """`IN SPRING: WATER ARC`."""
        if self.open_in.setdefault(place, (season, TERRAIN[kind])) != (season, TERRAIN[kind]):
            raise MapError(f"IN {season} {kind} {place}: it is opened twice; it can be so only once")

    def _open_what_is_shut(self) -> None:
        """`IN SPRING: WATER ARC`, where ARC is shut: it is closed in the other season."""
        for place, (season, kind) in self.open_in.items():
            if self.terrain.get(place) != "impassable":
                raise MapError(f"IN {season} {place}: it must be SHUT in the other season to be played here")
            self.terrain[place] = kind
            self.sketch.closed.setdefault(_OTHER_SEASON[season], []).append(place)

    def _begin(self) -> None:
        """The seasons are known only at the end of the file."""
        try:
            self.sketch.start, self.sketch.special = read_beginning(self.seasons.in_english(self.begins))
        except (PhaseError, ValueError) as error:
            raise MapError(f"BEGIN {' '.join(self.begins)}: {error}") from error
        if self.seasons.are_whole_years:
            self.sketch.note(f"There each movement is a year, {self.seasons.step} after the last one; here two are.")
        elif self.seasons.step != 1:
            self.sketch.note(f"There a year is {self.seasons.step} after the last one; here it is the next.")

    def _borders(self, province: SketchProvince, place: str, kinds: dict[str, str], split: set[str]) -> None:
        abbr, coast = province.abbr, place.partition("/")[2].upper()
        floats = kinds[abbr] in ("sea", "coast") and (coast or abbr not in split)
        if floats:
            province.fleet.setdefault(coast, [])
        for neighbour in self.abuts[place]:
            other, _, other_coast = neighbour.upper().partition("/")
            if other not in kinds:
                raise MapError(f"{place} abuts {neighbour}, which is nowhere described")
            if "impassable" in (kinds[abbr], kinds[other]):
                continue
            fleets_only = neighbour != neighbour.upper() and neighbour != neighbour.lower()
            walks = {kinds[abbr], kinds[other]} <= {"land", "coast"} and not coast and not fleets_only
            if walks:
                province.army.append(other)
            sails = floats and kinds[other] in ("sea", "coast") and neighbour != neighbour.lower()
            if sails and (other_coast or other not in split):
                province.fleet[coast].append(neighbour.upper())

    def _weaken(self, mark: str, weakened: list[Pair]) -> None:
        """Adds the borders with this mark. Only now: a border may have been dropped, or written again without it."""
        marked = {
            (_abbr(place), _abbr(near)): None
            for (place, near), marks in self.marks.items()
            if mark in marks and near in self.abuts.get(place, ())
        }
        for one, other in marked:
            if (other, one) not in marked:
                self.sketch.note(f"Only {one} marks its border on {other} with {mark}: here it is so both ways.")
            if (other, one) not in weakened:
                weakened.append((one, other))


def _power_name(word: str) -> str:
    return word.replace("+", " ").lstrip("_").title()
