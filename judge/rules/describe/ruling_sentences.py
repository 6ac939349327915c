"""The rulings that concern a board: those for every board, those for its mechanisms, and its own."""

import tomllib
from functools import lru_cache

from judge.rules.variant.loading import variants_folder
from judge.rules.variant.rulings import Rulings, read_rulings
from judge.rules.variant.variant import Variant
from judge.rules.variant_files.checking import MechanismInFile


@lru_cache(maxsize=1)
def general_rulings() -> tuple[Rulings, ...]:
    """The rulings of variants/rulings.toml, in the sequence of the file."""
    with (variants_folder() / "rulings.toml").open("rb") as file:
        tables = tomllib.load(file).values()
    return tuple(Rulings(one["title"], read_rulings(one["rulings"]), one.get("table", "")) for one in tables)


def rulings_of_every_board() -> list[Rulings]:
    """The rulings that hold for every board."""
    return [one for one in general_rulings() if not one.table]


def rulings_of(variant: Variant) -> list[Rulings]:
    """The rulings that concern this board, without those for every board: first its own, then those for its mechanisms.
    """
    switched_on = {table for one in variant.mechanisms if isinstance(one, MechanismInFile) for table in one.TABLES}
    own = [Rulings(variant.title, variant.rulings)] if variant.rulings else []
    return [*own, *(one for one in general_rulings() if one.table in switched_on)]
