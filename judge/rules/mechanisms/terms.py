"""The terms on which a variant is played beyond the standard rules: one value for each table of its file.

`[neutrals]` armed neutrals, `[points]` the Diplomacy Points that order them, `[vassals]` whose neutrals are whose,
`[religion]` who may be asked to attack whom, `[extra_home]` a home center won during play. docs/variants.md tells
what each key means.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.rules.board.names import places
from judge.rules.board.orders import Unit

# What a neutral may be ordered at most, and what it may be ordered unless the file says otherwise.
VERBS = ("hold", "support", "convoy", "move")
NEUTRAL_ORDERS = ("hold", "support")


@dataclass(frozen=True)
class Neutrals:
    """`units`: what each armed neutral has at the start and gets back in winter; `orders`: what it may be ordered.
    `civil_disorder`: whether a power in permanent civil disorder becomes some of them.
    """

    units: tuple[Unit, ...] = ()
    orders: tuple[str, ...] = NEUTRAL_ORDERS
    civil_disorder: bool = False


@dataclass(frozen=True)
class Points:
    """How many Diplomacy Points a power has in each movement phase, and how it may spend them.

    Either `income` (of some powers `incomes`), or `per_center` for each center, `most` at most. At most
    `per_neutral` on one neutral (0: no limit), and so much on at most `full` neutrals (0: no limit).
    `vassal_bonus` is added to a power's bid for its vassal; a sponsor's points count `sponsor_factor` times. At most
    `per_order` of somebody's points may be on one order (0: no limit). `attack_voids`: whoever attacks a neutral, or
    supports an attack on it, has no say in its orders. `revealed`: who bid what is told when a game has ended, unless
    its master decides otherwise. Where powers are grouped, the points are the group's.
    """

    income: int = 0
    incomes: Mapping[str, int] = field(default_factory=dict)
    per_center: int = 0
    most: int = 0
    per_neutral: int = 0
    full: int = 0
    vassal_bonus: int = 0
    per_order: int = 0
    sponsor_factor: int = 1
    attack_voids: bool = False
    revealed: bool = False


@dataclass(frozen=True)
class Religion:
    """Everybody is a Christian who is not a Muslim. Powers by name, neutrals by their center."""

    muslims: frozenset[str] = frozenset()
    catholics: frozenset[str] = frozenset()
    for_catholics_only: frozenset[str] = frozenset()  # neutrals that support nobody else


@dataclass(frozen=True)
class ExtraHome:
    """One more home center for a power, won during play.

    `powers` get the first that they win; with `by_building` every power may name one, by building in it.
    """

    powers: tuple[str, ...] = ()
    by_building: bool = False


def read_neutrals(table: Mapping) -> Neutrals:
    units = tuple(Unit(*places(text)) for text in table.get("units", "").split(",") if text.strip())
    orders = tuple(table.get("orders", " ".join(NEUTRAL_ORDERS)).lower().split())
    return Neutrals(units, orders, table.get("civil_disorder", False))


def read_points(table: Mapping | None) -> Points | None:
    return None if table is None else Points(**table)


def read_vassals(table: Mapping) -> dict[str, tuple[str, ...]]:
    """{power: the centers of its vassals}."""
    return {power: places(text) for power, text in table.items()}


def read_religion(table: Mapping | None) -> Religion | None:
    if table is None:
        return None
    return Religion(
        muslims=frozenset((*table["muslim_powers"], *places(table["muslim_neutrals"]))),
        catholics=frozenset((*table["catholic_powers"], *places(table["catholic_neutrals"]))),
        for_catholics_only=frozenset(places(table["for_catholics_only"])),
    )


def read_extra_home(table: Mapping) -> ExtraHome:
    return ExtraHome(tuple(table.get("powers", ())), table.get("by_building", False))


def read_sponsors(table: Mapping) -> dict[str, str]:
    """{center of a neutral: the group, or the power whose group, that sponsors it}."""
    return {center: sponsor for sponsor, text in table.items() for center in places(text)}
