"""Commands that need no settings and no database, such as `judge variants` and `judge adjudicate`.

Each public function returns the exit status. It is 1 if the input was wrong, 2 if the function could not do its work,
otherwise 0.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.maps.drawing_check import check_drawing
from judge.maps.geometry import NoGeometry, read_geometry
from judge.rules import Variant
from judge.rules.board.names import counted
from judge.rules.describe import portrait
from judge.rules.json_lines import answer_line
from judge.rules.mechanisms.groups import DrawError, draw
from judge.rules.selfplay import play
from judge.rules.variant.loading import MAP_FILE, RULES_FILE, UnknownVariant, VariantError
from judge.rules.variant.registry import (
    GEOMETRY_FILE,
    VariantFolder,
    built_in_names,
    in_folder,
    load_variant,
    name_fault,
    own_folder,
    own_variants,
    variant_folder,
    variants,
)
from judge.shell.calling import Unable, carry_out, complain, how_to_install

# Errors that end a command, each printed on one line (judge/shell/calling.py).
ERRORS = (OSError, UnicodeDecodeError, UnknownVariant, VariantError, DrawError, NoGeometry)


def list_variants() -> int:
    """Print the playable variants, one on each line, and the keeper's variants that have mistakes."""
    for variant in variants():
        powers = f"{len(variant.powers)} powers"
        powers = f"{len(variant.groups)} players of {powers}" if variant.groups else powers
        playable = sum(province.kind != "impassable" for province in variant.provinces.values())
        print(
            f"{variant.name:<20} {variant.title}: {powers}, {playable} provinces, "
            f"{len(variant.centers)} centers, {variant.victory} to win"
        )
    broken = [own for own in own_variants() if own.faults]
    for own in broken:
        print(f"{own.folder.name:<20} NOT PLAYABLE: {own.faults[0]}")
    return 1 if broken else 0


def show_variant(name: str) -> int:
    """Print the description of a variant, and how well its drawing matches its map."""
    variant = load_variant(name)
    print(portrait(variant), end="\n\n")
    try:
        drawing = check_drawing(variant, read_geometry(variant_folder(variant.name) / GEOMETRY_FILE))
    except NoGeometry as none:
        print(none)
        return 0
    print(
        f"Borders in the picture: {drawing.touching} of {drawing.pairs} as common lines, {drawing.linked} as links; "
        f"{drawing.barriers} barriers.\n"
        f"Marked as open to one kind of unit: {drawing.armies_only} for armies, {drawing.fleets_only} for fleets.",
        *(f"WRONG: {fault}" for fault in drawing.faults), sep="\n",
    )  # fmt: skip
    return 0


def draw_groups(name: str, seed: int, fix: Sequence[str]) -> int:
    """Print the groups of powers that the seed of a game gives.

    `fix` has groups set by the master, like "Mexico=Red".
    """
    variant = load_variant(name)
    if not variant.draws:
        raise Unable(f"{variant.title} does not draw powers.")
    chosen = {}
    for power, _, group in (words.partition("=") for words in fix):
        found = variant.seat_names.whole(group)
        if not found:
            raise Unable(f'"{group}" is not a group of {variant.title}.')
        try:
            chosen[variant.power(power).name] = found.name
        except KeyError as unknown:
            raise Unable(unknown.args[0]) from None
    for drawn in variant.grouped(draw(variant.groups, variant.draws, seed, chosen)).groups:
        print(f"{drawn.name:<8} {', '.join(drawn.powers)}")
    return 0


def check_variants(targets: list[str]) -> int:
    """Print every mistake in these variants, and warnings about similar colors.

    A target is a folder, a file in it, or a name. Without targets, all built-in variants and the keeper's own are
    checked.
    """
    found = [(target, _named(target)) for target in targets or built_in_names()]
    if not targets:
        found += [(one.folder.name, one) for one in own_variants()]
    return max([_tell_mistakes(target, one) for target, one in found], default=0)


def _named(target: str) -> VariantFolder:
    """Return the variant with this name, folder or file."""
    path = Path(target).parent if Path(target).is_file() else Path(target)
    folder = path if path.is_dir() else variant_folder(target)
    own = (one for one in own_variants() if one.folder.resolve() == folder.resolve())
    return next(own, None) or in_folder(folder)


def _tell_mistakes(target: str, one: VariantFolder) -> int:
    if not one.folder.is_dir():
        complain(f"there is no folder {one.folder}")
        return 2
    wrong, doubtful = [*map(str, one.faults)], []
    if one.variant:
        doubtful = [f"{RULES_FILE}: warning: {doubt}" for doubt in _doubts(one.variant)]
        drawing = one.folder / GEOMETRY_FILE
        try:
            if drawing.exists():
                wrong = [f"{drawing}: {fault}" for fault in check_drawing(one.variant, read_geometry(drawing)).faults]
        except NoGeometry as mistake:
            wrong = [str(mistake)]
    print(*wrong, *doubtful, f"{target}: {counted(len(wrong), 'mistake') if wrong else 'no mistakes'}", sep="\n")
    return 1 if wrong else 0


def _doubts(variant: Variant) -> list[str]:
    """Return warnings about colors that look alike.

    Such colors are not mistakes, since a unit also shows its power's letter.
    """
    # Import the comparison of colors only when it is needed, since loading it is slow.
    try:
        from judge.maps.palette import doubts
    except ModuleNotFoundError as missing:
        return [f"the colors were not compared; {how_to_install(missing)}"]
    return list(doubts(variant))


def import_variant(source: Path, title: str, to: Path | None, name: str, one_way: Sequence[str] = ()) -> int:
    """Convert a DPjudge .map file or a jDip variants.xml into a variant's folder, and check it.

    The board is drawn as in the first usable SVG file of a jDip variant, otherwise as a schematic map. A drawing made
    by a keeper is kept. The folder is made in `to`, by default in the keeper's folder of variants, or else in the
    current folder. `one_way` has borders that are meant to lead only one way, like "ABC-DEF". Each repair and omission
    is printed on a line.
    """
    # Import the readers of foreign maps only when they are needed, since loading them takes a while.
    from judge.foreign_maps import drawings_of, read_map
    from judge.foreign_maps.sketch import MapError

    to = to or own_folder() or Path(".")
    try:
        name, read = read_map(source, title, name, one_way)
        if to == own_folder() and (wrong := name_fault(name)):
            raise Unable(f"{wrong}, with --name")
        folder = to / name
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in zip((RULES_FILE, MAP_FILE), read.files, strict=True):
            (folder / file).write_text(text, encoding="utf-8")
    except (OSError, MapError) as error:
        raise Unable(f"{source}: {error}") from error
    sketch, notes = read.sketch, read.notes
    print(f"{sketch.title}: {len(sketch.powers)} powers, {len(sketch.provinces)} provinces, written to {folder}")
    for note in notes:
        print(f"  {note}")
    variant = in_folder(folder).variant
    if variant and not _is_handmade(folder / GEOMETRY_FILE):
        _draw(folder, drawings_of(read, source, variant))
    return check_variants([str(folder)])


def _is_handmade(drawing: Path) -> bool:
    try:
        geometry = read_geometry(drawing)
    except NoGeometry:  # a drawing made by a keeper may have mistakes
        return drawing.exists()
    return not (geometry.schematic or geometry.traced)


def _draw(folder: Path, drawings: Iterable[tuple[str, Mapping[str, Any] | Exception]]) -> None:
    """Draw the board as in the first usable file of these, otherwise as a schematic map."""
    for file, drawing in drawings:
        if isinstance(drawing, Exception):
            print(f"  {file} was not used: {drawing}")
            continue
        _write_drawing(folder, drawing)
        print(f"Drawn as in {file}: {folder / GEOMETRY_FILE}")
        return
    carry_out(sketch_board, str(folder))


def _write_drawing(folder: Path, values: Mapping[str, Any]) -> None:
    (folder / GEOMETRY_FILE).write_text(json.dumps(values, separators=(",", ":")) + "\n", encoding="utf-8")


def sketch_board(target: str) -> int:
    """Draw a schematic map of a board that has no drawing, with discs and a line for every border.

    A drawing made by a keeper is never replaced.
    """
    # Import the layout only when it is needed, since loading it is slow.
    from judge.foreign_maps.schematic_board import schematic
    from judge.foreign_maps.sketch import MapError

    one = _named(target)
    if not one.variant:
        raise Unable(f"{one.folder} has mistakes, or is not a variant. To see why: judge variants check {target}")
    drawing = one.folder / GEOMETRY_FILE
    if drawing.exists() and not read_geometry(drawing).schematic:
        raise Unable(f"{one.variant.title} already has a drawing. To replace it, first move {drawing} away")
    try:
        _write_drawing(one.folder, schematic(one.variant))
    except MapError as error:
        raise Unable(error) from error
    print(f"Drawn as a schematic map: {drawing}")
    return 0


def adjudicate(files: Sequence[Path]) -> int:
    """Adjudicate every line of the files, or of standard input, and print the outcomes.

    Returns 1 if a line is wrong.
    """
    status = 0
    sources: Iterable[Iterable[str]] = (path.open(encoding="utf-8") for path in files) if files else [sys.stdin]
    for source in sources:
        for line in filter(str.strip, source):
            answer, good = answer_line(line)
            print(answer)
            status = status if good else 1
    return status


def selfplay(variant: str, years: int, seed: int) -> int:
    """Play a game of random legal orders, and print a line for each phase.

    The lines are input for `judge adjudicate`.
    """
    for line in play(load_variant(variant), years, seed):
        print(json.dumps(line, ensure_ascii=False))
    return 0
