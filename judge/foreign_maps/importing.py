"""A map of another program, read from its files: which of them belong to it, and which of its drawings can be used."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.foreign_maps.dpjudge import read_dpjudge
from judge.foreign_maps.jdip import jdip_drawings, jdip_variants, read_jdip
from judge.foreign_maps.pack_board import traced
from judge.foreign_maps.repairs import Pair
from judge.foreign_maps.sketch import Imported
from judge.foreign_maps.source import MapError, read_beside, read_source
from judge.rules import Variant
from judge.rules.variant.catalogue import fit_name

# Of the drawings that a jDip variant names, so many are tried.
_MOST_DRAWINGS = 8


@dataclass(frozen=True)
class ReadMap:
    """What is in `source`; `name`: what its folder is called; `drawings`: the names of files that show its board."""

    source: Path
    name: str
    imported: Imported
    drawings: Sequence[str] = ()


def read_map(source: Path, title: str, name: str, one_way: Sequence[str]) -> ReadMap:
    """A DPjudge .map, or the variant of that title (the first) of a jDip variants.xml, under that name (one made of the
    title or of the file's name). `one_way`: borders that are meant to lead one way only, like "ABC-DEF". Raises
    MapError and OSError.
    """
    pairs, text = [_pair(border) for border in one_way], read_source(source)
    if source.suffix.lower() == ".map":
        name = name or fit_name(source.stem)
        return ReadMap(source, name, read_dpjudge(name, text, lambda file: read_beside(source, file), pairs))
    known = jdip_variants(text)
    chosen = title or next(iter(known), "")
    borders = next((file for one, file in known.items() if one.lower() == chosen.lower()), None)
    if borders is None:
        there = ", ".join(known)
        raise MapError(f"there is no variant {chosen}, but {there}" if known else "it has no variant")
    if not borders:
        raise MapError(f"its variant {chosen} names no file with the borders (adjacencyURI)")
    read = read_jdip(chosen, text, read_beside(source, borders), pairs)
    return ReadMap(source, name or fit_name(chosen), read, jdip_drawings(text, chosen))


def _pair(border: str) -> Pair:
    one, _, other = border.upper().partition("-")
    if not one or not other or "-" in other:
        raise MapError(f"--one-way {border}: write two provinces, like ABC-DEF for the way from ABC to DEF")
    return one, other


def drawings_of(read: ReadMap, variant: Variant) -> Iterator[tuple[str, Mapping[str, Any] | Exception]]:
    """Each file that shows the board, with its drawing, or with the reason why it cannot be used."""
    for name in read.drawings[:_MOST_DRAWINGS]:
        try:
            yield name, traced(variant, read_beside(read.source, name))
        except (OSError, MapError) as reason:
            yield name, reason
