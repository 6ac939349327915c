"""A game in the saved-game form of the PyPI package `diplomacy`, which that package's tools, bots and mappers read.

The package knows the maps that variants name as `package_map`. Its provinces, phases and results have the same names as
ours, and its powers are in capitals. If the package replays the orders, it gets the same positions, except in rare
cases that it adjudicates differently.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial, reduce
from operator import xor

from judge.rules.adjudicate import Outcome
from judge.rules.board.orders import (
    Build,
    Move,
    Order,
    Position,
    Remove,
    Retreat,
    Support,
    Unit,
    UnitOrder,
    occupants,
    province_of,
)
from judge.rules.board.phase import kind
from judge.rules.board.power import Power
from judge.rules.json_forms import Json
from judge.rules.mechanisms.build_places import BuildAnywhere
from judge.rules.phases.retreats_and_winters import balance, build_sites, choices
from judge.rules.variant.variant import Variant

# Words of the package: the phase of a game that has ended, and its rules about builds and votes.
_ENDED, _ANYWHERE, _BY_VOTE = "COMPLETED", "BUILD_ANY", "DIFFERENT_ADJUDICATION"
# A fact about a position: what it is about, the power (or kind of unit), and the place.
_Fact = tuple[str, str, str]


@dataclass(frozen=True)
class SavedPhase:
    """A phase of a game: its position, {power: its orders} with the orders that are known, and its outcome.

    `at` is the time when the phase was processed. For a phase that was not processed, `at` is the time when it opened.
    """

    position: Position
    at: datetime
    outcome: Outcome | None = None
    orders: Mapping[str, Sequence[Order]] = field(default_factory=dict)


def saved_game(variant: Variant, name: str, phases: Sequence[SavedPhase], result: str) -> Json:
    """Return the game in the package's form.

    `result` says in words how the game ended. If `result` is given, the last phase is the position at the end.
    """
    rules = [_ANYWHERE] * bool(variant.rule(BuildAnywhere)) + [_BY_VOTE] * bool(result)
    game = {"map": variant.package_map, "rules": rules}
    # {province: the last power that had a unit there}.
    influence: dict[str, str] = {}
    saved = []
    for number, phase in enumerate(phases, 1):
        influence |= {province: power for province, (power, _) in occupants(phase.position).items()}
        is_end = bool(result) and number == len(phases)
        phase_name, note = phase.position.phase, ""
        if is_end:
            phase_name, note = _ENDED, result
        about: Json = {"name": phase_name, "game_id": name, "note": note}
        about["timestamp"] = int(phase.at.timestamp() * 1_000_000)
        orders = _orders(variant, phase)
        saved.append(
            {
                "name": phase_name,
                "state": about | game | _state(variant, phase.position, influence, is_end),
                "orders": {power.name.upper(): orders.get(power.name) for power in variant.powers},
                "results": _results(phase.position, phase.outcome) if phase.outcome else {},
                "messages": [],
            }
        )
    return {"id": name, **game, "phases": saved}


def _orders(variant: Variant, phase: SavedPhase) -> dict[str, list[str]]:
    """Return {power: its orders in the package's form}. Like the package, leave out impossible orders and waives.

    A unit that was removed without an order gets an order here, since the package would choose other units.
    """
    outcome = phase.outcome
    if not outcome:
        write = partial(_written, variant)
        return {power: [*map(write, orders)] for power, orders in phase.orders.items()}
    found: dict[str, list[str]] = {power.name: [] for power in variant.powers}
    for power, order, results, why in outcome.results:
        if not why and power in found and isinstance(order, UnitOrder):
            found[power].append(_carried_out(variant, order, results))
    for power, units in outcome.removed.items():
        found[power] += [f"{unit} D" for unit in units]
    return found


def _carried_out(variant: Variant, order: Order, results: Sequence[str]) -> str:
    """Return the order in the form from which the package gets the same results."""
    # If no fleet convoys the army, the package would move it by land.
    if isinstance(order, Move) and "no convoy" in results and _is_by_land(variant, order):
        return f"{order.unit} H"
    return _written(variant, order)


def _is_by_land(variant: Variant, order: Move) -> bool:
    return order.unit.kind == "F" or order.target in variant.provinces[order.slot].army


def _written(variant: Variant, order: Order) -> str:
    match order:
        case Move(via=False) if not _is_by_land(variant, order):
            return f"{order} VIA"
        case Support(unit, helped, to) if to:
            return f"{unit} S {helped} - {province_of(to)}"
        case Retreat(unit, to):
            return f"{unit} R {to}"
        case Build(unit):
            return f"{unit} B"
        case Remove(unit):
            return f"{unit} D"
    return str(order)


def _results(position: Position, outcome: Outcome) -> dict[str, list[str]]:
    """Return {unit: the results of the unit and its order}. If the order was carried out, the list is empty."""
    told: dict[str, list[str]] = {}
    if kind(position.phase) == "M":
        told = {str(unit): [] for _, unit in occupants(position).values()}
    told |= {str(one.unit): ["dislodged"] for _, one, _ in outcome.beaten}
    for _, order, results, _ in outcome.results:
        if isinstance(order, UnitOrder):
            told[str(order.unit)] = [result for result in results if result != "ok"]
    return told


def _state(variant: Variant, position: Position, influence: Mapping[str, str], is_end: bool) -> Json:
    """Return the position, with a hash that is the same for the same position."""
    fleeing = {} if is_end else choices(variant, position)
    is_winter = kind(position.phase) == "A" and not is_end
    state: dict[str, Json] = {}
    number = 0
    for power in variant.powers:
        units, retreats = position.units_of(power.name), fleeing.get(power.name, {})
        due = balance(variant, position, power.name) if is_winter else 0
        of_power = {
            "units": [*map(str, units), *(f"*{unit}" for unit in retreats)],
            "retreats": {str(unit): list(places) for unit, places in retreats.items()},
            "centers": list(position.centers_of(power.name)),
            "homes": list(power.homes),
            "influence": [province for province, last in influence.items() if last == power.name],
            "civil_disorder": 0,
            "builds": {"count": due, "homes": list(build_sites(variant, position, power.name)) if due > 0 else []},
        }
        for key, value in of_power.items():
            state.setdefault(key, {})[power.name.upper()] = value
        facts = _facts(power, units, [*retreats], position.centers_of(power.name))
        number = reduce(xor, map(_numbers(variant).__getitem__, facts), number)
    return {**state, "zobrist_hash": str(number)}


def _facts(power: Power, units: Sequence[Unit], fleeing: Sequence[Unit], centers: Sequence[str]) -> Iterator[_Fact]:
    name = power.name.upper()
    for what, some in (("unit", units), ("dislodged", fleeing)):
        for unit in some:
            yield f"kind of {what}", unit.kind, unit.place
            yield what, name, unit.place
    for what, places in (("center", centers), ("home", power.homes)):
        for place in places:
            yield what, name, place


@lru_cache(maxsize=8)
def _numbers(variant: Variant) -> Mapping[_Fact, int]:
    """Return {fact: its random number}, with the numbers that the package draws.

    A position's hash is the exclusive or of the numbers of its facts.
    """
    provinces = [province for province in variant.provinces.values() if province.kind != "impassable"]
    places = sorted({place for province in provinces for place in (province.abbr, *province.fleet_ways)})
    powers = sorted(power.name.upper() for power in variant.powers)
    letters = enumerate("-".join(sorted(variant.centers)))
    seed = 12345 + len(places) + sum(ord(letter) * 7**at for at, letter in letters)
    dice = random.Random(seed % 2**32)
    tables = {"kind of unit": "AF", "unit": powers, "kind of dislodged": "AF", "dislodged": powers}
    tables |= {"center": powers, "home": powers}
    facts = [(what, of, place) for what, those in tables.items() for of in those for place in places]
    return {fact: dice.randint(1, 2**63 - 1) for fact in facts}
