"""The rules engine from the shell: `judge adjudicate`, `judge variants …`, `judge selfplay`.

Each public function is a command: it reads files and standard input, writes to standard output, says on
standard error what stopped it, and returns the exit status: 0, 1 if something that it read was wrong, 2 if it
could not do its work.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from judge.maps.borders import check_drawing
from judge.maps.geometry import FILE as GEOMETRY_FILE
from judge.maps.geometry import NoGeometry, read_geometry
from judge.rules.board.names import fold
from judge.rules.foreign_files.dpjudge import read_dpjudge
from judge.rules.foreign_files.jdip import jdip_variants, read_jdip
from judge.rules.foreign_files.sketch import ForeignFileError
from judge.rules.in_words.variant_in_words import portrait
from judge.rules.json_lines import answer_line
from judge.rules.mechanisms.groups import DrawError, draw
from judge.rules.selfplay import play
from judge.rules.variant.check import mistakes
from judge.rules.variant.loading import (
    UnknownVariant,
    VariantError,
    load_variant,
    read_folder,
    variant_names,
    variants_folder,
)
from judge.rules.variant.variant import Variant
from judge.rules.variant.writing import variant_files

RULES_FILE, MAP_FILE = "variant.toml", "provinces.toml"


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
    """The installed variants, a line each."""
    for name in variant_names():
        variant = load_variant(name)
        playable = sum(province.kind != "impassable" for province in variant.provinces.values())
        print(
            f"{name:<20} {variant.title}: {_seats(variant)}, {playable} provinces, "
            f"{len(variant.centers)} centers, {variant.victory} to win"
        )
    return 0


def _seats(variant: Variant) -> str:
    """How many play, and with how many powers."""
    powers = f"{len(variant.powers)} powers"
    return f"{len(variant.groups)} players of {powers}" if variant.groups else powers


def show_variant(name: str) -> int:
    try:
        variant = load_variant(name)
        print(portrait(variant))
        print("\n" + "\n".join(_drawing(variant, variants_folder() / variant.name)))
    except (UnknownVariant, VariantError) as error:
        return _complain(error)
    return 0


def _drawing(variant: Variant, folder: Path) -> list[str]:
    """How truly the variant's map is drawn."""
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
    """The groups of powers that the seed of a game gives, a line for each; `fixed` like "Mexico=Red"."""
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
    for group in variant.groups:
        if fold(text) in group.words:
            return group.name
    raise KeyError(f'"{text}" is not a group of {variant.title}.')


def check_variants(targets: list[str]) -> int:
    """Every mistake in the variants named (folders, files in them, or names of installed ones; none: all
    installed).
    """
    status = 0
    for target in targets or variant_names():
        folder = _folder(target)
        try:
            texts = [(folder / file).read_text(encoding="utf-8") for file in (RULES_FILE, MAP_FILE)]
        except (OSError, UnicodeDecodeError) as error:
            return _complain(error)
        found = [f"{folder / mistake.file}:{mistake.line}: {mistake.text}" for mistake in mistakes(*texts)]
        if not found and (folder / GEOMETRY_FILE).exists():
            found = _drawn_wrong(folder)
        print(*found, f"{target}: {f'{len(found)} mistakes' if found else 'no mistakes'}", sep="\n")
        status = 1 if found else status
    return status


def _drawn_wrong(folder: Path) -> list[str]:
    """Every mistake in the geometry of a variant that has no others."""
    try:
        drawing = check_drawing(read_folder(folder), read_geometry(folder / GEOMETRY_FILE))
    except NoGeometry as mistake:
        return [str(mistake)]
    return [f"{folder / GEOMETRY_FILE}: {fault}" for fault in drawing.faults]


def import_variant(source: Path, title: str, to: Path, name: str) -> int:
    """Makes a folder of ours, below `to`, of a DPjudge .map file or a jDip variants.xml, and checks it."""
    try:
        if source.suffix.lower() == ".map":
            variant = read_dpjudge(name or source.stem, _read(source), lambda file: _read(source.parent / file))
        else:
            variant = _jdip(source, title, name)
        folder = to / variant.name
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in zip((RULES_FILE, MAP_FILE), variant_files(variant), strict=True):
            (folder / file).write_text(text, encoding="utf-8")
    except (OSError, UnicodeDecodeError, ForeignFileError) as error:
        return _complain(f"{source}: {error}")
    print(f"{variant.title}: {len(variant.powers)} powers, {len(variant.provinces)} provinces, written to {folder}")
    return check_variants([str(folder)])


def selfplay(name: str, years: int, seed: int) -> int:
    """A game of random legal orders, a line for each phase: what `judge adjudicate` reads."""
    try:
        variant = load_variant(name)
    except (UnknownVariant, VariantError) as error:
        return _complain(error)
    for line in play(variant, years, seed):
        print(json.dumps(line, ensure_ascii=False))
    return 0


def _jdip(source: Path, title: str, name: str) -> Variant:
    text = _read(source)
    known = jdip_variants(text)
    chosen = title or next(iter(known), "")
    borders = next((file for one, file in known.items() if one.lower() == chosen.lower()), "")
    if not borders:
        raise ForeignFileError(f"there is no variant {chosen}, but {', '.join(known) or 'none'}")
    plain = "".join(letter if letter.isalnum() else "_" for letter in chosen.lower())
    return read_jdip(name or plain, chosen, text, _read(source.parent / borders))


def _folder(target: str) -> Path:
    """The folder that a name, a folder or a file in one means."""
    path = Path(target)
    if path.is_dir() or path.is_file():
        return path if path.is_dir() else path.parent
    return variants_folder() / target


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _lines(files: list[Path]) -> Iterator[str]:
    """The lines that hold something."""
    sources: Iterable[Iterable[str]] = (path.open(encoding="utf-8") for path in files) if files else [sys.stdin]
    for source in sources:
        for line in source:
            if line.strip():
                yield line


def _complain(error: object) -> int:
    print(f"judge: {error}", file=sys.stderr)
    return 2
