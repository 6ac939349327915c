"""Reads a DPjudge map file (.map; the `diplomacy` package uses the same form) into a variant.

In its lists of neighbours the case of a name tells which units may use the border: "BUR" means armies and fleets, "bur"
armies only, "Bur" fleets only. A split province is listed once in lower case, for armies, and once for each coast.
"""

from collections.abc import Callable, Sized

from judge.rules.board.phase import PhaseError, read_phase
from judge.rules.foreign_files.sketch import (
    MOST_NEIGHBOURS,
    MOST_POWERS,
    MOST_PROVINCES,
    ForeignFileError,
    Sketch,
    SketchPower,
    SketchProvince,
    finished,
)
from judge.rules.variant.variant import Variant

TERRAIN = {"LAND": "land", "COAST": "coast", "WATER": "sea", "PORT": "coast", "SHUT": "impassable"}
UNOWNED = {"UNOWNED", "NEUTRAL", "CENTERS"}
_MOST_FILES = 20
LEFT_OUT = {"RULE", "RULES", "DUMMY", "DUMMIES", "FLOW", "FLAG", "SCORING"}


def read_dpjudge(name: str, text: str, other_file: Callable[[str], str]) -> Variant:
    """The variant of a .map file; `other_file` gives the text of another file that this file includes (MAP, USE).

    Raises ForeignFileError, and any error that `other_file` raises.
    """
    reader = _Reader(name, other_file)
    reader.read(text)
    return finished(name, reader.finish(), f"Imported from the DPjudge map file {name}.map.")


def _abbr(place: str) -> str:
    """The province of a place."""
    return place.partition("/")[0].upper()


def _add_centers(known: list[str], more: list[str]) -> None:
    known.extend(more)
    _refuse_more(known, MOST_PROVINCES, "centers of a power")


def _refuse_more(things: Sized, most: int, called: str) -> None:
    """Raise ForeignFileError if there are more than `most`."""
    if len(things) > most:
        raise ForeignFileError(f"there are more than {most:,} {called}")


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

    def read(self, text: str) -> None:
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if words and not words[0].startswith("#"):
                try:
                    self._line(line, words)
                except (ForeignFileError, PhaseError, IndexError, ValueError) as error:
                    raise ForeignFileError(f"line {number}: {error}") from error

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
            self.sketch.start = read_phase(" ".join(rest))
        elif word == "UNPLAYED":
            self._unplayed([name.rstrip(",").upper() for name in rest])
        elif word == "DROP":
            for place in rest:
                self._drop(place)
        elif word in TERRAIN or word == "AMEND":
            self._place(word, rest)
        elif word in ("A", "F", "OWNS", "INHABITS", "HOME", "HOMES", "UNITS") or (word == "CENTERS" and self.power):
            self._about_power(word, [one.upper() for one in rest])
        elif word not in LEFT_OUT:
            self._power(word, line)

    def _build_upon(self, file: str) -> None:
        """Each included file is read only once, so that files cannot include each other for ever."""
        if file in self.others or len(self.others) >= _MOST_FILES:
            raise ForeignFileError(f"{file} is read already, or too many others are")
        self.others.add(file)
        self.read(self.other_file(file))

    def _name(self, line: str) -> None:
        left, _, right = line.partition("=")
        abbr, *aliases = right.split()
        if "->" in left:
            raise ForeignFileError("renamed places are not understood")
        if "/" not in abbr and "(" not in abbr:
            plain = [alias.replace("+", " ") for alias in aliases if not any(mark in alias for mark in "/(?")]
            self.names[abbr.upper()] = (left.strip(), plain)

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
            raise ForeignFileError(f"{place} is not known yet")
        for neighbour in neighbours:
            if neighbour.startswith("-"):
                gone = neighbour[1:].upper()
                self.abuts[place] = [one for one in self.abuts[place] if not one.upper().startswith(gone)]
            else:
                self.abuts[place].append(neighbour)
            _refuse_more(self.abuts[place], MOST_NEIGHBOURS, f"neighbours of {place}")

    def _drop(self, place: str, coasts: bool = True) -> None:
        base = place.upper()
        for known in list(self.written.get(_abbr(place), ())):
            if known.upper() == base or (coasts and known.upper().startswith(base + "/")):
                del self.abuts[known], self.terrain[known]
                self.written[_abbr(place)].remove(known)

    def _province(self, place: str) -> SketchProvince:
        abbr = _abbr(place)
        return self.sketch.provinces.setdefault(abbr, SketchProvince(abbr))

    def _power(self, word: str, line: str) -> None:
        if "->" in line:
            raise ForeignFileError("renamed powers are not understood")
        own_word = ""
        if "(" in line:
            own_word = line.partition("(")[2].partition(")")[0]
            line = line.partition("(")[0] + line.partition(")")[2]
        centers = [center.upper() for center in line.split()[1:]]
        if word in UNOWNED:
            self.power = None
            self.sketch.centers.update(centers)
            return
        name = word.replace("+", " ").title()
        adjective, _, letter = own_word.replace("+", " ").partition(":")
        self.power = self.sketch.powers.setdefault(word, SketchPower(name))
        _refuse_more(self.sketch.powers, MOST_POWERS, "powers")
        self.power.adjective = adjective.title() or self.power.adjective
        self.power.letter = letter[:1].upper() or self.power.letter
        _add_centers(self.power.homes, [one for one in dict.fromkeys(centers) if one not in self.power.homes])

    def _about_power(self, word: str, rest: list[str]) -> None:
        power = self.power
        if power is None:
            raise ForeignFileError(f"{word} stands before any power")
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
            power.owns = power.owns if word != "CENTERS" and power.owns else []
            _add_centers(power.owns, rest)
        else:
            power.homes = power.homes if word == "INHABITS" else []
            _add_centers(power.homes, rest)

    def _unplayed(self, names: list[str]) -> None:
        if not names and self.power:
            names = [key for key, power in self.sketch.powers.items() if power is self.power]
        if names[:1] == ["ALL"]:
            names = [key for key in self.sketch.powers if key not in names[2:]]
        for name in names:
            self.sketch.powers.pop(name, None)
        self.power = None

    # --- the map ----------------------------------------------------------------------------------------------

    def finish(self) -> Sketch:
        kinds = {place.partition("/")[0].upper(): kind for place, kind in self.terrain.items()}
        split = {place.partition("/")[0].upper() for place in self.terrain if "/" in place}
        for place in self.terrain:
            province = self._province(place)
            province.kind = kinds[province.abbr]
            province.name, province.aliases = self.names.get(province.abbr, (province.abbr, []))
            if province.kind != "impassable":
                self._borders(province, place, kinds, split)
        return self.sketch

    def _borders(self, province: SketchProvince, place: str, kinds: dict[str, str], split: set[str]) -> None:
        abbr, coast = province.abbr, place.partition("/")[2].upper()
        floats = kinds[abbr] in ("sea", "coast") and (coast or abbr not in split)
        if floats:
            province.fleet.setdefault(coast, [])
        for neighbour in self.abuts[place]:
            other, _, other_coast = neighbour.upper().partition("/")
            if other not in kinds:
                raise ForeignFileError(f"{place} abuts {neighbour}, which is nowhere described")
            fleets_only = neighbour != neighbour.upper() and neighbour != neighbour.lower()
            walks = {kinds[abbr], kinds[other]} <= {"land", "coast"} and not coast and not fleets_only
            if walks:
                province.army.append(other)
            sails = floats and kinds[other] in ("sea", "coast") and neighbour != neighbour.lower()
            if sails and (other_coast or other not in split):
                province.fleet[coast].append(neighbour.upper())
