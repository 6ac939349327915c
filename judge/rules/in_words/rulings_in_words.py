"""Which rulings concern a board: those of every board, those of its mechanisms, its own."""

import tomllib
from functools import lru_cache

from judge.rules.variant.loading import variants_folder
from judge.rules.variant.rulings import Rulings, read_rulings
from judge.rules.variant.variant import Variant
from judge.rules.variant_files.mechanism_in_file import MechanismInFile


@lru_cache(maxsize=1)
def general_rulings() -> tuple[Rulings, ...]:
    """Those of variants/rulings.toml, in its order."""
    with (variants_folder() / "rulings.toml").open("rb") as file:
        tables = tomllib.load(file).values()
    return tuple(Rulings(one["title"], read_rulings(one["rulings"]), one.get("table", "")) for one in tables)


def rulings_of_every_board() -> list[Rulings]:
    """Those that hold whatever is played."""
    return [one for one in general_rulings() if not one.table]


def rulings_of(variant: Variant) -> list[Rulings]:
    """Those that concern this board beside the ones of every board: its own first, then those of its mechanisms."""
    switched_on = {table for one in variant.mechanisms if isinstance(one, MechanismInFile) for table in one.TABLES}
    own = [Rulings(variant.title, variant.rulings)] if variant.rulings else []
    return [*own, *(one for one in general_rulings() if one.table in switched_on)]
