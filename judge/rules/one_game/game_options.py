"""House rules: the rules of one game in addition to its variant."""

from dataclasses import dataclass, replace
from functools import lru_cache

from judge.rules.mechanisms.all_mechanisms import MECHANISMS
from judge.rules.mechanisms.build_sites import BuildAnywhere
from judge.rules.mechanisms.canals import Canals
from judge.rules.mechanisms.readings import Readings
from judge.rules.mechanisms.victory import Victory
from judge.rules.one_game.border_corrections import with_borders
from judge.rules.variant.variant import Variant
from judge.rules.variant_files.schema import read_keys


@dataclass(frozen=True)
class GameOptions:
    """`borders`: corrections of the map (`border_corrections`). `holders`: (power, its group) for each power that was
    drawn. `canals`: (province, the year in which it opens). `victory`: the centers that win. `year_cap`: the last year.
    `readings`: the other readings of the rules that the master has chosen. `any_centers`: builds in
    every center that a power owns; `one_center`: as long as one of them is its home. An empty value, or None, means: as
    in the variant.
    """

    borders: tuple[str, ...] = ()
    holders: tuple[tuple[str, str], ...] = ()
    canals: tuple[tuple[str, int], ...] = ()
    victory: int | None = None
    year_cap: int | None = None
    readings: tuple[str, ...] = ()
    any_centers: bool = False
    one_center: bool = False


@lru_cache(maxsize=128)
def with_house_rules(variant: Variant, house: GameOptions) -> Variant:
    """The variant as a game plays it; the result is remembered, because everything remembered about orders and
    positions is kept by variant.
    """
    if house == GameOptions():
        return variant
    settled = with_borders(variant, house.borders)
    if house.holders:
        settled = settled.grouped(dict(house.holders))
    if house.canals:
        settled = settled.with_rule(Canals({**variant.canals, **dict(house.canals)}))
    if house.any_centers or house.one_center:
        settled = settled.with_rule(BuildAnywhere(while_home=house.one_center))
    settled = _read_as(settled, house.readings)
    return settled.with_rule(Victory(house.victory or variant.victory, house.year_cap or variant.year_cap))


def _read_as(variant: Variant, names: tuple[str, ...]) -> Variant:
    """The variant with its rules in these readings; names that it does not know have no effect."""
    offered = variant.rule(Readings)
    if offered is None or not names:
        return variant
    for reading in (offered.known[name] for name in names if name in offered.known):
        for key, values in reading.tables.items():
            mechanism = next(one for one in MECHANISMS if key in one.TABLES)
            changed, rule = read_keys(mechanism.KEYS, values), variant.rule(mechanism)
            # mypy does not know that every mechanism is a dataclass.
            variant = variant.with_rule(replace(rule, **changed) if rule else mechanism(**changed))  # type: ignore[type-var]
    return variant.with_rule(replace(offered, chosen=names))
