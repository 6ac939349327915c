"""The rules engine from the shell: `judge adjudicate`, `judge variants …`, `judge selfplay`.

Each public function is a command: it reads files and standard input, writes to standard output, prints errors on
standard error, and returns the exit status: 0, 1 if its input was wrong, 2 if it could not do its work.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.foreign_maps.dpjudge import read_dpjudge
from judge.foreign_maps.jdip import read_jdip
from judge.foreign_maps.pack_board import traced
from judge.foreign_maps.repairs import Pair
from judge.foreign_maps.source import MapError, read_beside, read_source
from judge.maps.borders import check_drawing
from judge.maps.geometry import NoGeometry, read_geometry
from judge.rules.in_words.variant_in_words import portrait
from judge.rules.json_lines import answer_line
from judge.rules.mechanisms.groups import DrawError, draw
from judge.rules.selfplay import play
from judge.rules.variant.catalogue import (
    GEOMETRY_FILE,
    MAP_FILE,
    RULES_FILE,
    VariantFolder,
    built_in_names,
    fit_name,
    in_folder,
    load_variant,
    name_fault,
    own_folder,
    own_variants,
    variant_folder,
    variants,
)
from judge.rules.variant.loading import UnknownVariant, VariantError
from judge.rules.variant.variant import Variant

# Of the drawings that a jDip variant names, so many are tried.
_MOST_DRAWINGS = 8


def adjudicate(files: list[Path]) -> int:
    """Answers every line of the files, or of standard input."""
    status = 0
    try:
        for line in _lines(files):
            answer, good = answer_line(line)
            print(answer)
            status = status if good else 1
    except (OSError, UnicodeDecodeError) as error:
        return _complain(error)
    return status


def list_variants() -> int:
    """The variants that can be played, one line each, and the keeper's own variants that cannot."""
    for variant in variants():
        playable = sum(province.kind != "impassable" for province in variant.provinces.values())
        print(
            f"{variant.name:<20} {variant.title}: {_seats(variant)}, {playable} provinces, "
            f"{len(variant.centers)} centers, {variant.victory} to win"
        )
    broken = [own for own in own_variants() if own.faults]
    for own in broken:
        print(f"{own.folder.name:<20} cannot be played: {own.faults[0]}")
    return 1 if broken else 0


def _seats(variant: Variant) -> str:
    """The number of players and of powers."""
    powers = f"{len(variant.powers)} powers"
    return f"{len(variant.groups)} players of {powers}" if variant.groups else powers


def show_variant(name: str) -> int:
    try:
        variant = load_variant(name)
        print(portrait(variant))
        print("\n" + "\n".join(_drawing(variant, variant_folder(variant.name))))
    except (UnknownVariant, VariantError) as error:
        return _complain(error)
    return 0


def _drawing(variant: Variant, folder: Path) -> list[str]:
    """How well the drawing agrees with the variant's map."""
    try:
        drawing = check_drawing(variant, read_geometry(folder / GEOMETRY_FILE))
    except NoGeometry as none:
        return [str(none)]
    return [
        f"Borders in the picture: {drawing.touching} of {drawing.pairs} as common lines, {drawing.linked} as links; "
        f"{drawing.barriers} barriers.",
        f"Marked as open to one kind of unit: {drawing.armies_only} for armies, {drawing.fleets_only} for fleets.",
        *(f"WRONG: {fault}" for fault in drawing.faults),
    ]


def draw_groups(name: str, seed: int, fixed: list[str]) -> int:
    """The groups of powers that result from the seed of a game, one line each; `fixed` like "Mexico=Red"."""
    try:
        variant = load_variant(name)
        if not variant.draws:
            return _complain(f"Nothing is drawn in {variant.title}.")
        split = (text.partition("=") for text in fixed)
        chosen = {variant.power(power).name: _group_named(variant, group) for power, _, group in split}
        drawn = variant.grouped(draw(variant.groups, variant.draws, seed, chosen))
    except (UnknownVariant, VariantError, DrawError) as error:
        return _complain(error)
    except KeyError as unknown:
        return _complain(unknown.args[0])
    for group in drawn.groups:
        print(f"{group.name:<8} {', '.join(group.powers)}")
    return 0


def _group_named(variant: Variant, text: str) -> str:
    """The group of that name; raises KeyError with a sentence."""
    if group := variant.seat_names.whole(text):
        return group.name
    raise KeyError(f'"{text}" is not a group of {variant.title}.')


def check_variants(targets: list[str]) -> int:
    """Every mistake in the named variants (folders, files in them, or names), and warnings about colours that look
    alike, to the colour-blind too. Without any: all variants that are installed with the judge, and the keeper's own.
    """
    found = [(target, _named(target)) for target in targets or built_in_names()]
    if not targets:
        found += [(one.folder.name, one) for one in own_variants()]
    return max([_tell_mistakes(target, one) for target, one in found], default=0)


def _named(target: str) -> VariantFolder:
    """The variant meant by a name, a folder or a file in a folder; names of the keeper's own folders are valid too."""
    path = Path(target).parent if Path(target).is_file() else Path(target)
    folder = path if path.is_dir() else variant_folder(target)
    own = (one for one in own_variants() if one.folder.resolve() == folder.resolve())
    return next(own, None) or in_folder(folder)


def _tell_mistakes(target: str, one: VariantFolder) -> int:
    if not one.folder.is_dir():
        return _complain(f"{one.folder}: there is no such folder")
    wrong = [str(fault) for fault in one.faults]
    if one.variant and (one.folder / GEOMETRY_FILE).exists():
        wrong = _drawn_wrong(one.variant, one.folder)
    doubtful = _alike(one.variant) if one.variant else []
    print(*wrong, *doubtful, f"{target}: {f'{len(wrong)} mistakes' if wrong else 'no mistakes'}", sep="\n")
    return 1 if wrong else 0


def _alike(variant: Variant) -> list[str]:
    """Colours that not everybody can tell apart: no mistakes, since a board is played with its letters too."""
    # What compares colours takes half a second to load, and no other command needs it.
    from judge.maps.palette import doubts

    return [f"{RULES_FILE}: warning: {doubt}" for doubt in doubts(variant)]


def _drawn_wrong(variant: Variant, folder: Path) -> list[str]:
    """Every mistake in the geometry of a variant that has no other mistakes."""
    try:
        drawing = check_drawing(variant, read_geometry(folder / GEOMETRY_FILE))
    except NoGeometry as mistake:
        return [str(mistake)]
    return [f"{folder / GEOMETRY_FILE}: {fault}" for fault in drawing.faults]


def import_variant(source: Path, title: str, to: Path | None, name: str, one_way: Sequence[str] = ()) -> int:
    """Converts a DPjudge .map file or a jDip variants.xml to a variant folder of this judge, and checks it.

    Its board is drawn as in the first SVG file of a jDip variant that can be used, else laid out as a schematic map; a
    drawing that a keeper has made stays.

    The folder is made below `to`; without `to` in the keeper's folder of variants, or in the current folder if there is
    none. `one_way`: borders that are meant to lead only one way, like "ABC-DEF". What was repaired, or left out, is
    told, a line each.
    """
    to = to or own_folder() or Path(".")

    def other_file(file: str) -> str:
        return read_beside(source, file)

    try:
        if source.suffix.lower() == ".map":
            name = name or fit_name(source.stem)
            read = read_dpjudge(name, read_source(source), other_file, _pairs(one_way))
        else:
            read = read_jdip(title, read_source(source), other_file, _pairs(one_way))
            name = name or fit_name(read.sketch.title)
        if to == own_folder() and (wrong := name_fault(name)):
            return _complain(f"{wrong}, with --name")
        folder = to / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in zip((RULES_FILE, MAP_FILE), read.files, strict=True):
            (folder / file).write_text(text, encoding="utf-8")
    except (OSError, MapError) as error:
        return _complain(f"{source}: {error}")
    sketch = read.sketch
    print(f"{sketch.title}: {len(sketch.powers)} powers, {len(sketch.provinces)} provinces, written to {folder}")
    print(*(f"  {note}" for note in read.notes), sep="\n", end="\n" if read.notes else "")
    variant = in_folder(folder).variant
    if variant and not _drawn(variant, folder, source, read.drawings):
        sketch_board(str(folder))
    return check_variants([str(folder)])


def _drawn(variant: Variant, folder: Path, source: Path, drawings: Sequence[str]) -> bool:
    """Whether there is a drawing that a keeper has made, or now one out of the first of these SVG files that can be
    used; tells why others cannot.
    """
    if _is_handmade(folder / GEOMETRY_FILE):
        return True
    for name in drawings[:_MOST_DRAWINGS]:
        try:
            values = traced(variant, read_beside(source, name))
        except (OSError, MapError) as reason:
            print(f"  {name} is not drawn: {reason}")
            continue
        _write_drawing(folder, values)
        print(f"Drawn as in {name}: {folder / GEOMETRY_FILE}")
        return True
    return False


def _is_handmade(drawing: Path) -> bool:
    """Whether there is a drawing that a keeper has made, and no import; one with mistakes counts too."""
    try:
        geometry = read_geometry(drawing)
    except NoGeometry:
        return drawing.exists()
    return not (geometry.schematic or geometry.traced)


def _write_drawing(folder: Path, values: Mapping[str, Any]) -> None:
    (folder / GEOMETRY_FILE).write_text(json.dumps(values, separators=(",", ":")) + "\n", encoding="utf-8")


def sketch_board(target: str) -> int:
    """Lays out a drawing for a board that has none: discs, and a line for every border. A drawing that a keeper has
    made is never replaced.
    """
    # What lays it out takes half a second to load, and no other command needs it.
    from judge.foreign_maps.schematic_board import schematic

    one = _named(target)
    if not one.variant:
        return _complain(f"{one.folder} has mistakes, or is no variant: judge variants check {target}")
    try:
        drawing = one.folder / GEOMETRY_FILE
        if drawing.exists() and not read_geometry(drawing).schematic:
            return _complain(f"{one.variant.title} has a drawing, {drawing}; take it away first")
        _write_drawing(one.folder, schematic(one.variant))
    except (OSError, NoGeometry, MapError) as error:
        return _complain(error)
    print(f"Laid out as a schematic map: {drawing}")
    return 0


def selfplay(name: str, years: int, seed: int) -> int:
    """Play a game of random legal orders; prints one line per phase, in the form that `judge adjudicate` reads."""
    try:
        variant = load_variant(name)
    except (UnknownVariant, VariantError) as error:
        return _complain(error)
    for line in play(variant, years, seed):
        print(json.dumps(line, ensure_ascii=False))
    return 0


def _pairs(one_way: Sequence[str]) -> list[Pair]:
    """("ABC", "DEF") of each "ABC-DEF"; raises MapError."""
    pairs = [tuple(border.upper().split("-")) for border in one_way]
    for border, pair in zip(one_way, pairs, strict=True):
        if len(pair) != 2:
            raise MapError(f"--one-way {border}: write two provinces, like ABC-DEF for the way from ABC to DEF")
    return [(pair[0], pair[1]) for pair in pairs]


def _lines(files: list[Path]) -> Iterator[str]:
    """The lines that are not empty."""
    sources: Iterable[Iterable[str]] = (path.open(encoding="utf-8") for path in files) if files else [sys.stdin]
    for source in sources:
        for line in source:
            if line.strip():
                yield line


def _complain(error: object) -> int:
    print(f"judge: {error}", file=sys.stderr)
    return 2
