"""A map of another program, read from its files, and which of its drawings can be used."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.foreign_maps.dpjudge import read_dpjudge
from judge.foreign_maps.jdip import read_jdip
from judge.foreign_maps.pack_board import traced
from judge.foreign_maps.repairs import Pair
from judge.foreign_maps.sketch import Imported
from judge.foreign_maps.source import MapError, read_beside, read_source
from judge.rules import Variant
from judge.rules.variant.registry import fit_name

# The most drawings of a jDip variant that are tried.
_MOST_DRAWINGS = 8


def read_map(source: Path, title: str, name: str, one_way: Sequence[str]) -> tuple[str, Imported]:
    """Read a DPjudge .map, or the variant of that title (default: the first) of a jDip variants.xml.

    Returns the variant and its name, by default made from the file's name or the title. `one_way`: borders that lead
    one way only, like "ABC-DEF". Raises MapError and OSError.
    """

    def other_file(file: str) -> str:
        return read_beside(source, file)

    pairs: list[Pair] = []
    for border in one_way:
        one, _, other = border.upper().partition("-")
        if not one or not other or "-" in other:
            raise MapError(f"--one-way {border}: write two provinces, like ABC-DEF for the way from ABC to DEF")
        pairs.append((one, other))
    text = read_source(source)
    if source.suffix.lower() == ".map":
        name = name or fit_name(source.stem)
        return name, read_dpjudge(name, text, other_file, pairs)
    read = read_jdip(title, text, other_file, pairs)
    return name or fit_name(read.sketch.title), read


def drawings_of(read: Imported, source: Path, variant: Variant) -> Iterator[tuple[str, Mapping[str, Any] | Exception]]:
    """Trace each file next to `source` that shows the board: its drawing, or the reason why it cannot be used."""
    for name in read.drawings[:_MOST_DRAWINGS]:
        try:
            yield name, traced(variant, read_beside(source, name))
        except (OSError, MapError) as reason:
            yield name, reason
