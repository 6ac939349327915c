"""Armed neutrals: centers without an owner, each with a unit.

This module also decides how lost units come back and how a power turns into neutrals.

    [neutrals]
    units = "F ALG, A BAV, A SWI"
    orders = "hold support"
    civil_disorder = true

Bids decide what neutrals do in a movement phase (`diplomacy_points`). A dislodged neutral never retreats, but is
disbanded.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from judge.rules.board.board_state import BoardState, Piece
from judge.rules.board.names import listed
from judge.rules.board.orders import Order, Places, Position, Support, Unit, Units, occupants, owners, sort_units
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.files import (
    FLAG,
    NEUTRALS,
    POWERS,
    UNITS,
    Faults,
    Kind,
    MechanismInFile,
    RulesFile,
    Table,
    needed,
)

# The orders that a variant's file can allow for neutrals, and the orders allowed by default.
VERBS = ("hold", "support", "convoy", "move")
USUAL_ORDERS = ("hold", "support")
_ORDERS = Kind(
    lambda _, key, value: (
        f"an order is one of {', '.join(VERBS)}, not {verb}" for verb in str(value).lower().split() if verb not in VERBS
    ),
    lambda text: tuple(text.lower().split()),
)

T = TypeVar("T")


@dataclass(frozen=True)
class ArmedNeutrals(MechanismInFile):
    """The armed neutrals of a board.

    `units` has the unit that each neutral has at the start and gets back in winter. `orders` has the kinds of orders
    that neutrals may get. If `civil_disorder` is true, a power in permanent civil disorder turns into neutrals.
    """

    units: Units = ()
    orders: tuple[str, ...] = USUAL_ORDERS
    civil_disorder: bool = False

    TABLES = ("neutrals",)
    KEYS = {"units": UNITS, "orders": _ORDERS, "civil_disorder": FLAG}

    @classmethod
    def faults(cls, file: RulesFile, table: Table) -> Faults:
        """Yield (mistake, key) for each mistake that a check of the single values cannot find."""
        for center in file.stand(table.get("units", ""), "Neutral", "neutrals"):
            file.neutrals.add(center)
            if not file.province(center).center:
                yield f": {center} is not a supply center", "units"
            if center in file.owned:
                file.say(f"{center} is owned by {file.owned[center]} and neutral", "neutrals", "units")

    @property
    def neutral_units(self) -> Units:
        """Return the units of the neutrals at the start."""
        return self.units

    @property
    def may_move(self) -> bool:
        """Return whether neutrals can be ordered to move, so that it makes sense to support such a move."""
        return "move" in self.orders

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        if not self.units:
            return
        yield (
            f"{len(self.units)} centers are neutral. Each has one unit, which can only {listed(self.orders, 'or')} and "
            "disbands when dislodged."
        )
        if self.may_move:
            yield (
                "A neutral never leaves its province: its move, a sortie, always bounces. It still cuts support, keeps "
                "others out, and closes an empty province to retreats, but never dislodges."
            )
        yield (
            "A neutral's lost unit comes back in a winter, as it was at the start, if no player owns its center and "
            "the center is empty. Units can retreat to an empty neutral center."
        )
        if self.civil_disorder:
            yield (
                "When a power is put in permanent civil disorder, its units disband, and its empty centers become "
                "neutrals with an army each. A center occupied by another power becomes a neutral once it is empty "
                "after a Fall."
            )


def neutrals_at(ruleset: Ruleset, position: Position) -> dict[str, Unit]:
    """Return {center: the unit that its neutral has or gets back}.

    Each unit is as it was at the start. A neutral made by civil disorder has an army. (Rulings, "Armed neutrals" 2.)
    """
    found = {unit.province: unit for unit in ruleset.neutral_units}
    return found | {center: Unit(kind, center) for center, kind in position.neutrals.items()}


def returning(ruleset: Ruleset, position: Position) -> Units:
    """Return the units that neutrals get back in this winter.

    A unit comes back if no player owns the center and no unit is in it. (1648, "Minor Powers"; Ambition & Empire, III.)
    """
    neutrals = neutrals_at(ruleset, position)
    if not neutrals:
        return ()
    owner, at = owners(position), occupants(position)
    unowned = (unit for center, unit in neutrals.items() if owner.get(center, NEUTRAL) == NEUTRAL)
    return sort_units(unit for unit in unowned if unit.province not in at)


@dataclass(frozen=True)
class CivilDisorder:
    """The position after a power's permanent civil disorder.

    `vanished` has the power's units that were on the board, including dislodged units. `independent` has its centers
    that became neutrals with an army. `later` has its centers with another power's unit. Such a center has no owner,
    and becomes a neutral if it is empty after a Fall.
    """

    position: Position
    vanished: Units
    independent: Places
    later: Places


def civil_disorder(position: Position, power: str) -> CivilDisorder:
    """Return the position after the power's permanent civil disorder is declared, in any phase.

    The rules are 1648, "Civil Disorder", and Ambition & Empire, VII.
    """
    units = _without(position.units, power)
    occupied = {unit.province for others in units.values() for unit in others}
    centers = position.centers_of(power)
    independent = tuple(center for center in centers if center not in occupied)
    armies = [Unit("A", center) for center in independent]
    if armies:
        units[NEUTRAL] = sort_units([*units.get(NEUTRAL, ()), *armies])
    after = replace(
        position,
        units=units,
        centers=_without(position.centers, power),
        dislodged=_without(position.dislodged, power),
        homes=_without(position.homes, power),
        neutrals=dict(sorted({**position.neutrals, **dict.fromkeys(centers, "A")}.items())),
    )
    later = tuple(center for center in centers if center in occupied)
    return CivilDisorder(after, sort_units(position.all_units_of(power)), independent, later)


def _without(table: Mapping[str, T], power: str) -> dict[str, T]:
    return {name: entry for name, entry in table.items() if name != power}


# --- religion --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Religion(MechanismInFile):
    """The units that a neutral may support, depending on its faith (Ambition & Empire, V.3).

        [religion]
        muslim_powers = ["Turkey"]
        muslim_neutrals = "ALG CRI MOR TUN"
        catholic_powers = ["Austria", "France"]
        catholic_neutrals = "BAV LOR PAP"
        for_catholics_only = "PAP"

    Powers are listed by name, neutrals by their center. Powers and neutrals that are not Muslim are Christian. A unit
    has the faith of its power, and a neutral has the faith of its center. Support for a unit that stays in place is not
    an attack on anyone.
    """

    muslim_powers: tuple[str, ...]
    muslim_neutrals: Places
    catholic_powers: tuple[str, ...]
    catholic_neutrals: Places
    for_catholics_only: Places  # neutrals that support only Catholics

    TABLES = ("religion",)
    KEYS = {
        "muslim_powers": needed(POWERS),
        "muslim_neutrals": needed(NEUTRALS),
        "catholic_powers": needed(POWERS),
        "catholic_neutrals": needed(NEUTRALS),
        "for_catholics_only": needed(NEUTRALS),
    }

    @property
    def muslims(self) -> frozenset[str]:
        """Return the Muslim powers, and the centers of Muslim neutrals."""
        return frozenset((*self.muslim_powers, *self.muslim_neutrals))

    @property
    def catholics(self) -> frozenset[str]:
        """Return the Catholic powers, and the centers of Catholic neutrals."""
        return frozenset((*self.catholic_powers, *self.catholic_neutrals))

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        muslims = _faithful(ruleset, self.muslims)
        yield (
            f"Religion (the Religious Rule): {muslims} are Muslim, all others Christian: new neutrals too, unless "
            "their center is a Muslim one. A neutral cannot support an attack by a power of the other faith on a "
            "unit of its own faith."
        )
        if self.for_catholics_only:
            only, catholics = (_faithful(ruleset, people) for people in (self.for_catholics_only, self.catholics))
            yield f"By religion (the Religious Rule), {only} can support units of Catholics only: {catholics}."


def _faithful(ruleset: Ruleset, people: Iterable[str]) -> str:
    """Return the names of the powers and the neutrals of a faith."""
    powers = [power.name for power in ruleset.powers if power.name in people]
    return listed([*powers, *ruleset.named(sorted(set(people) - set(powers)))])


def refusal(table: BoardState, order: Order) -> str:
    """Return why the neutral's completed order offends the neutral's religion, or "" if it does not."""
    religion = table.ruleset.rule(Religion)
    if religion is None or not isinstance(order, Support):
        return ""
    neutral, helped, there = table.at[order.slot], table.at[order.helped.province], table.at.get(order.target)
    called = table.called(neutral.unit)
    if _named(neutral) in religion.for_catholics_only and _named(helped) not in religion.catholics:
        return f"{called} may support Catholic units only (the Religious Rule)."
    if not order.to or there is None:
        return ""
    attacker = _muslim(religion, helped)
    if _muslim(religion, neutral) == attacker or _muslim(religion, there) == attacker:
        return ""
    faith, other = ("Christian", "Muslim") if attacker else ("Muslim", "Christian")
    return (
        f"{called} is {faith}: it may not support a {other} attack on {table.name(order.target)}, "
        f"where there is a {faith} unit (the Religious Rule)."
    )


def _named(piece: Piece) -> str:
    return piece.unit.province if piece.power == NEUTRAL else piece.power


def _muslim(religion: Religion, piece: Piece) -> bool:
    return _named(piece) in religion.muslims
