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

# Of the drawings that a jDip variant names, so many are tried.
_MOST_DRAWINGS = 8


def read_map(source: Path, title: str, name: str, one_way: Sequence[str]) -> tuple[str, Imported]:
    """A DPjudge .map, or the variant of that title (the first) of a jDip variants.xml, under that name (one made of the
    file's name or of the title). `one_way`: borders that are meant to lead one way only, like "ABC-DEF". Raises
    MapError and OSError.
    """

    def other_file(file: str) -> str:
        return read_beside(source, file)

    text, pairs = read_source(source), [_pair(border) for border in one_way]
    if source.suffix.lower() == ".map":
        name = name or fit_name(source.stem)
        return name, read_dpjudge(name, text, other_file, pairs)
    read = read_jdip(title, text, other_file, pairs)
    return name or fit_name(read.sketch.title), read


def _pair(border: str) -> Pair:
    one, _, other = border.upper().partition("-")
    if not one or not other or "-" in other:
        raise MapError(f"--one-way {border}: write two provinces, like ABC-DEF for the way from ABC to DEF")
    return one, other


def drawings_of(read: Imported, source: Path, variant: Variant) -> Iterator[tuple[str, Mapping[str, Any] | Exception]]:
    """Each file beside `source` that shows the board, with its drawing, or with the reason why it cannot be used."""
    for name in read.drawings[:_MOST_DRAWINGS]:
        try:
            yield name, traced(variant, read_beside(source, name))
        except (OSError, MapError) as reason:
            yield name, reason
