"""Import maps of other programs, with their files and drawings, as variants of this judge.

Such maps come from strangers. The files that a map names are read only from its own folder and the folders in it. A
file that is larger than any map is not read. Characters that control a terminal, or change the direction of text, are
removed.
"""

import json
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from pathlib import Path
from string import ascii_uppercase
from typing import Any, NamedTuple

from judge.foreign_maps.dpjudge import read_dpjudge
from judge.foreign_maps.jdip import read_jdip
from judge.foreign_maps.pack_board import traced
from judge.foreign_maps.sketch import (
    MOST_PROVINCES,
    MapError,
    Pair,
    Sketch,
    SketchPower,
    SketchProvince,
    Values,
    from_each,
    printed,
    repair,
)
from judge.rules import Variant
from judge.rules.board.names import fold, joined
from judge.rules.board.orders import place_of
from judge.rules.board.power import MOST_LETTERS
from judge.rules.mechanisms.crossings import SEASONS
from judge.rules.mechanisms.powers import colour_distance
from judge.rules.variant.registry import fit_name

# The first nine colors are distinct even for color-blind people, and the tenth nearly so. Seven are those of the
# standard game. Each of the other three differs as much as possible from the colors before it.
PALETTE = (
    "#d80012", "#244890", "#48b4ff", "#363636", "#48905a", "#f8f8f8", "#eac624", "#b46ca2", "#a0ffb8", "#8c00ff",
    "#7b4a12", "#00b3a4", "#c9d64f", "#f2b598", "#00e500", "#0000e5", "#60f2f2", "#7f007f", "#72e500", "#007f00",
    "#e50072", "#0072e5", "#7f0000", "#f26060",
)  # fmt: skip
# The maximum size of a file, in bytes: ten times that of the largest known file.
MOST_BYTES = 500_000
# The maximum number of drawings to try for a jDip variant.
_MOST_DRAWINGS = 8
_LETTERS = [letter for letter in ascii_uppercase if letter not in "MO"]
# The levels of red, green and blue, which give 216 distinct colors.
_STEPS = ("00", "33", "66", "99", "cc", "ff")
_PROVINCES_HEAD = """\
# One table for each province, named by its abbreviation. Each border is listed at both ends.
#   kind     land (armies), coast (armies and fleets), sea (fleets), impassable (no one)
#   army     where an army may go;  fleet  where a fleet may go; by coast if the province has two: fleet.nc
#   port     true if fleets in this coast may convoy;  armies  false if no army may enter
"""
# The maximum number of notes that the keeper is shown. Further notes are only counted.
_MOST_NOTES = 30


class Imported(NamedTuple):
    """A map that was read, with the two files of its variant.

    `notes` are sentences for the keeper, such as what was changed or left out.
    """

    sketch: Sketch
    files: tuple[str, str]
    notes: tuple[str, ...]


def read_map(source: Path, title: str, name: str, one_way: Sequence[str]) -> tuple[str, Imported]:
    """Read a DPjudge .map, or a variant of a jDip variants.xml, and return its name and content.

    `title` chooses the variant of a variants.xml (default: the first). The name is by default made from the file's name
    or the title. `one_way` has borders that lead one way only, like "ABC-DEF". Raises MapError and OSError.
    """

    def other_file(file: str) -> str:
        return read_beside(source, file)

    pairs = []
    for border in one_way:
        one, _, other = border.upper().partition("-")
        if not one or not other or "-" in other:
            raise MapError(f"--one-way {border}: write two provinces, like ABC-DEF for the way from ABC to DEF")
        pairs.append((one, other))
    text = read_source(source)
    if source.suffix.lower() == ".map":
        name = name or fit_name(source.stem)
        sketch = read_dpjudge(name, text, other_file)
    else:
        sketch = read_jdip(title, text, other_file)
    return name or fit_name(sketch.title), finished(sketch, pairs)


def drawings_of(read: Imported, source: Path, variant: Variant) -> Iterator[tuple[str, Mapping[str, Any] | Exception]]:
    """Yield the name of each file that shows the board, with its drawing or the reason for its failure.

    The files are in the folder of `source`.
    """
    for name in read.sketch.drawings[:_MOST_DRAWINGS]:
        try:
            yield name, traced(variant, read_beside(source, name))
        except (OSError, MapError) as reason:
            yield name, reason


def read_source(path: Path) -> str:
    """Read the text of a map file.

    Raises MapError if the file is missing, is not a regular file or is too large. Raises OSError if it cannot be read.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        raise MapError(f"there is no file {path.name}") from None
    if not stat.S_ISREG(status.st_mode):
        raise MapError(f"{path.name} is not a file")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise MapError(f"{path.name} is too large for a map (over {MOST_BYTES // 1000} kB)")
    if data.startswith(b"PK"):
        raise MapError("it is a zip archive: unpack it, and name the variants.xml or .map file in it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Read older files as cp1252, which has all printable characters of Latin-1 and some more.
        text = data.decode("cp1252", "replace")
    return "".join(sign for sign in text if sign.isprintable() or sign.isspace())


def read_beside(source: Path, name: str) -> str:
    """Read the text of the file that `source` calls `name`, from the folder of `source`.

    Raises OSError and MapError.
    """
    folder = source.parent.resolve()
    try:
        path = (folder / name).resolve()
    except (ValueError, RuntimeError) as error:
        raise MapError(f"{name!r} is not a file name") from error
    if not path.is_relative_to(folder):
        raise MapError(f"{name} is outside the folder of {source.name}, so it was not read")
    return read_source(path)


# --- the files of a variant ---


def finished(sketch: Sketch, one_way: Collection[Pair] = ()) -> Imported:
    """Return the files of a variant made from its sketch.

    The sketch is repaired. Every power gets a letter and a color. No alias is also a name of another province.
    `one_way` has pairs of provinces whose border leads only from the first to the second. Raises MapError.
    """
    repair(sketch, one_way)
    if len(sketch.provinces) > MOST_PROVINCES:
        raise MapError(f"there are more than {MOST_PROVINCES:,} provinces")
    if sketch.rules["detours"] and sketch.rules["difficult"]:
        raise MapError("it has both half-strength and difficult borders; here a board can have only one kind")
    _print_names(sketch)
    centers = _centers(sketch)
    head = {"title": sketch.title, "start": sketch.start, "sources": printed(sketch.sources)}
    if special := _special(sketch):
        head["special"] = special
    open_to_units = sum(one.kind != "impassable" for one in sketch.provinces.values())
    rules = {
        "victory": {"centers": sketch.victory or len(centers) // 2 + 1},
        **_mechanisms(sketch),
        "counts": {"provinces": open_to_units, "centers": len(centers)},
        **dict(_powers(sketch)),
    }
    files = _toml(head) + _tables(rules), _PROVINCES_HEAD + _tables(_provinces(sketch, centers))
    notes = [*map(printed, sketch.notes), *_doubts(sketch)]
    if len(notes) > _MOST_NOTES:
        notes[_MOST_NOTES:] = [f"And {len(notes) - _MOST_NOTES} more."]
    return Imported(sketch, files, tuple(notes))


def _centers(sketch: Sketch) -> set[str]:
    """Return the abbreviations of all centers: those listed, those of powers, and those of neutral units."""
    found = {province for province, unit in sketch.units.items() if unit.power is None}
    for power in sketch.powers.values():
        found |= power.homes.keys() | power.owned.keys()
    return {center.abbr for center in found | sketch.centers}


def _print_names(sketch: Sketch) -> None:
    """Reduce every name to one line without control characters, since mails show these names."""
    sketch.title = printed(sketch.title)
    for province in sketch.provinces.values():
        province.name = printed(province.name) or province.abbr
    for power in sketch.powers.values():
        power.name, power.adjective = printed(power.name), printed(power.adjective)
        if not power.name:
            raise MapError("a power has no name")


def _doubts(sketch: Sketch) -> Iterator[str]:
    powers = sketch.powers.values()
    if sketch.start[-1] == "M" and not any(map(sketch.units_of, powers)):
        yield "No power has a unit at the start."
    for power in powers:
        if not (power.homes or power.owns or sketch.units_of(power) or power.gets_a_home):
            yield f"{power.name} was taken for a power, but has no center and no unit."
    if len(powers) > MOST_LETTERS:
        yield f"There are {len(powers)} powers, too many for letters, so players sign on with power@game."


def _tables(tables: Mapping[str, Mapping[str, Any]]) -> str:
    return "".join(f"\n[{name}]\n{_toml(values)}" for name, values in tables.items())


def _toml(values: Mapping[str, Any]) -> str:
    # TOML writes numbers, texts and lists in the same form as JSON.
    return "".join(f"{key} = {_quoted(value)}\n" for key, value in values.items())


def _special(sketch: Sketch) -> str:
    rules = sketch.rules
    told = {
        sketch.special: sketch.special,
        "Across some borders a move has half strength.": rules["detours"],
        "Across some borders a move has only the strength of its supports.": rules["difficult"],
        "Some routes are closed in one season.": rules["Spring"] or rules["Fall"],
        "GET RULES lists them.": any(rules.values()),
    }
    return " ".join(sentence for sentence, there in told.items() if there)


def _mechanisms(sketch: Sketch) -> dict[str, Values]:
    """Return the tables of variant.toml that switch on the mechanisms of the map (docs/variants.md)."""
    powers = sketch.powers.values()
    rules = sketch.rules
    tables: dict[str, Values] = {
        "builds": sketch.builds,
        "detours": {"way": "by a long way around", "borders": " ".join(rules["detours"])},
        "difficult": {"borders": " ".join(rules["difficult"])},
        "closed": {season: " ".join(rules[season]) for season in SEASONS if rules[season]},
        "neutrals": {"units": sketch.units_of(None), "orders": "hold"},
    }
    for power in powers:
        sites = _abbrs(power.emergency_sites)
        tables[f"emergency.{_quoted(power.name)}"] = {"extra_units": 1, "sites": sites}
    tables["extra_home"] = {"powers": [power.name for power in powers if power.gets_a_home]}
    # A table turns its rule on, so leave out empty ones.
    return {name: table for name, table in tables.items() if table and all(table.values())}


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _abbrs(provinces: Iterable[SketchProvince]) -> str:
    return " ".join(sorted({province.abbr for province in provinces}))


def _powers(sketch: Sketch) -> Iterator[tuple[str, Values]]:
    powers = sketch.powers.values()
    colours = [*PALETTE[: len(powers)]]
    # After the palette, take the colors of the lattice that are farthest from all earlier ones.
    lattice = [f"#{red}{green}{blue}" for red, green, blue in product(_STEPS, repeat=3)]
    while len(colours) < len(powers):
        colours.append(max(lattice, key=lambda colour: min(colour_distance(colour, other) for other in colours)))
    for power, letter, colour in zip(powers, _letters(powers), colours, strict=True):
        table = {
            "adjective": power.adjective or power.name,
            "letter": letter,
            "colour": colour,
            "homes": _abbrs(power.homes),
            "units": sketch.units_of(power),
        }
        if (owns := _abbrs(power.owned)) != table["homes"]:
            table["owns"] = owns
        yield f"powers.{_quoted(power.name)}", table


def _letters(powers: Collection[SketchPower]) -> list[str]:
    """Return each power's letter: the one in the file, or else a free one, if possible of its name.

    If there are more powers than letters, each power gets two letters. M and O are for the master and for observers.
    """
    length = 1 if len(powers) <= MOST_LETTERS else 2
    # The power to which each letter belongs.
    taken: dict[str, SketchPower | None] = dict.fromkeys("MO")
    if length == 1:
        for power in powers:
            if power.letter in _LETTERS:
                taken.setdefault(power.letter, power)
    for power in powers:
        if power not in taken.values():
            taken[next(free for free in _possible_letters(power.name, length) if free not in taken)] = power
    letters = dict(zip(taken.values(), taken, strict=True))
    return [letters[power] for power in powers]


def _possible_letters(name: str, length: int) -> Iterable[str]:
    """Return the letters that a power may get, beginning with the letters of its name.

    If `length` is 2, return pairs of letters, first those that begin with the first letter of the name.
    """
    plain = [letter for letter in name.upper() if letter in ascii_uppercase]
    own = plain if length == 1 else [plain[0] + letter for letter in plain[1:]]
    return chain(own, map("".join, product(_LETTERS, repeat=length)))


def _provinces(sketch: Sketch, centers: set[str]) -> dict[str, Values]:
    owners: dict[str, str] = {}
    for province in sketch.provinces.values():
        for word in (province.abbr, province.name):
            owners.setdefault(joined(fold(word)), province.abbr)
    armies, fleets = from_each(sketch.armies), from_each(sketch.fleets)
    tables = {}
    for abbr, province in sorted(sketch.provinces.items()):
        table = {
            "name": province.name,
            "aliases": [*_own_aliases(province, owners)],
            "kind": province.kind,
            "center": abbr in centers,
            "port": province.port,
            "army": " ".join(sorted(armies[abbr])),
            "one_way": " ".join(dict.fromkeys(province.one_way)),
        }
        tables[abbr] = {key: value for key, value in table.items() if value}
        for coast in sorted(province.coasts):
            key = f"fleet.{coast.lower()}" if coast else "fleet"
            tables[abbr][key] = " ".join(sorted(fleets[place_of(abbr, coast)]))
    return tables


def _own_aliases(province: SketchProvince, owners: dict[str, str]) -> Iterator[str]:
    own = {joined(fold(province.abbr)), joined(fold(province.name))}
    for alias in dict.fromkeys(map(printed, province.aliases)):
        word = joined(fold(alias))
        if word and word not in own and owners.setdefault(word, province.abbr) == province.abbr:
            yield alias
