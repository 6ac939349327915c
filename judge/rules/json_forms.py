"""The JSON forms of a position and of an outcome, as `judge adjudicate` reads and writes them (docs/adjudication.md).

Outcomes are also stored with their phases, and used to draw maps. Orders are in normal form, as `format_order` writes
them. No other module writes or reads these forms.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from judge.rules.adjudicate import OrderResult, Outcome
from judge.rules.board.names import fold
from judge.rules.board.orders import (
    UNIT_WORDS,
    Dislodged,
    Hold,
    Order,
    OrderError,
    Position,
    Unit,
    Units,
    sort_units,
)
from judge.rules.board.phase import PhaseError, PhaseKind, kind, read_phase, year
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.auction import Auction, Bid, BidResult, Unread
from judge.rules.parsing.grammar import parse_order
from judge.rules.variant.variant import Variant

# A JSON object, as the json module reads and writes it.
Json = dict[str, Any]
T = TypeVar("T")


class PositionError(ValueError):
    """An impossible position. The message says in one sentence what is wrong."""


def start_position(variant: Ruleset) -> Position:
    """Return the position in which a game of the variant begins."""
    units = {power.name: sort_units(power.units) for power in variant.powers if power.units}
    if variant.neutral_units:
        units[NEUTRAL] = sort_units(variant.neutral_units)
    return Position(
        phase=variant.start,
        units=units,
        centers={power.name: tuple(sorted(power.owns)) for power in variant.powers if power.owns},
    )


def in_text(table: Mapping[str, Iterable[object]]) -> Json:
    """Return {power: its orders or units, as texts}."""
    return {power: [*map(str, own)] for power, own in table.items()}


def bids_to_json(bids: Mapping[str, Iterable[Bid]]) -> Json:
    """Return the bids as in an input line of `judge adjudicate`."""
    return {power: [{"points": bid.points, "order": bid.text} for bid in given] for power, given in bids.items()}


def position_to_json(variant: Ruleset, position: Position) -> Json:
    """Return the position as plain data: an input line of `judge adjudicate` without its orders."""
    data: Json = {
        "variant": variant.name,
        "phase": position.phase,
        "units": in_text(position.units),
        "centers": in_text(position.centers),
        "dislodged": {power: [dislodged_to_json(one) for one in units] for power, units in position.dislodged.items()},
        "contested": list(position.contested),
        "homes": in_text(position.homes),
        "neutrals": dict(position.neutrals),
    }
    return {key: value for key, value in data.items() if value or key in ("units", "centers")}


def dislodged_to_json(one: Dislodged) -> dict[str, str | bool]:
    """Return a dislodged unit as plain data."""
    return {"unit": str(one.unit), "from": one.attacker_from, "by_convoy": one.by_convoy}


def position_from_json(variant: Ruleset, data: Json) -> Position:
    """Return the position that the data describes. Units and centers that the data lacks are as at the variant's start.

    Raises PositionError.
    """
    if not isinstance(data.get("phase"), str):
        raise PositionError('The key "phase" is missing: a name like S1901M.')
    try:
        phase = read_phase(data["phase"])
    except PhaseError as mistake:
        raise PositionError(str(mistake)) from mistake
    start, variant = start_position(variant), variant.at(phase)
    contested, neutrals = data.get("contested", []), data.get("neutrals", {})
    if not isinstance(contested, list):
        raise PositionError('"contested" must be a list.')
    if not isinstance(neutrals, dict):
        raise PositionError('"neutrals" must be an object: a center, then "A" or "F".')
    lost = [read_unit(variant, f"{letter} {text}") for text, letter in neutrals.items()]
    centers, homes = _centers(variant, data, "centers"), _centers(variant, data, "homes")
    position = Position(
        phase=phase,
        units=_entries(variant, data, "units", read_unit) if "units" in data else start.units,
        centers=centers if "centers" in data else start.centers,
        dislodged=_entries(variant, data, "dislodged", dislodged_from_json),
        contested=tuple(sorted(_province(variant, text) for text in contested)),
        homes=_named_homes(variant, homes),
        neutrals={unit.place: unit.kind for unit in lost if _center(variant, unit.province)},
    )
    _refuse_doubled(variant, position)
    return position


def _centers(variant: Ruleset, data: Json, key: str) -> dict[str, tuple[str, ...]]:
    """Return {power: its centers} from the data under `key`, with each center once."""
    found = _entries(variant, data, key, _center)
    return {power: tuple(dict.fromkeys(own)) for power, own in found.items()}


def _named_homes(variant: Ruleset, homes: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return {power: its named homes}, without centers that were its homes from the start."""
    at_start = {power.name: power.homes for power in variant.powers}
    named = {}
    for power, own in homes.items():
        later = tuple(center for center in own if center not in at_start.get(power, own))
        if later:
            named[power] = later
    return named


def _refuse_doubled(variant: Ruleset, position: Position) -> None:
    standing = Counter(unit.province for units in position.units.values() for unit in units)
    for province, count in standing.items():
        if count > 1:
            raise PositionError(f"There are two units in {variant.provinces[province].name}.")
    owners: dict[str, str] = {}
    for power, centers in position.centers.items():
        for center in centers:
            if owners.setdefault(center, power) != power:
                raise PositionError(f"{variant.provinces[center].name} is owned by {owners[center]} and {power}.")


def by_name(
    data: Json,
    key: str,
    named: Callable[[str], str],
    form: str = "a power, then a list",
    texts: bool = False,
) -> dict[str, list[Any]]:
    """Return {name: its entries} from the table of lists that a line has under `key`, or raise PositionError.

    `named` returns the correct name for one written in any case. `form` says in the error how such a table is written.
    If `texts` is true, all entries must be texts.
    """
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise PositionError(f'"{key}" must be an object: {form}.')
    found: dict[str, list[Any]] = {}
    for name, entries in table.items():
        if not isinstance(entries, list) or texts and not all(isinstance(one, str) for one in entries):
            raise PositionError(f'"{key} of {name}" must be a list{" of texts" * texts}.')
        found.setdefault(named(name), []).extend(entries)
    return found


def _entries(variant: Ruleset, data: Json, key: str, read: Callable[[Ruleset, object], T]) -> dict[str, tuple[T, ...]]:
    """Return {power: its entries under `key`, sorted by text}, without powers that have none."""
    return {
        power: tuple(sorted((read(variant, one) for one in own), key=lambda one: str(getattr(one, "unit", one))))
        for power, own in by_name(data, key, partial(power_name, variant)).items()
        if own
    }


def power_name(variant: Ruleset, text: str) -> str:
    """Return the correct name of a power (or "Neutral") that was written in any case, or raise PositionError."""
    if text in variant.power_named:
        return text
    if text.upper() == NEUTRAL.upper():
        return NEUTRAL
    try:
        return variant.power(text).name
    except KeyError as unknown:
        raise PositionError(unknown.args[0]) from unknown


def read_unit(variant: Ruleset, text: object) -> Unit:
    """Return the unit in a text like "F STP/NC", or raise PositionError if no such unit is possible."""
    kind, _, place = text.strip().upper().partition(" ") if isinstance(text, str) else ("", "", "")
    kind = {"ARMY": "A", "FLEET": "F"}.get(kind, kind)
    if kind not in ("A", "F") or not place.strip():
        raise PositionError(f"{json.dumps(text, ensure_ascii=False)} is not a unit. Write it like A PAR or F STP/NC.")
    name, _, coast = place.partition("/")
    abbr, spots = _province(variant, name.strip()), variant.board.spots
    province = variant.provinces[abbr]
    if spot := spots.get(f"{kind} {abbr}/{coast.strip()}") or spots.get(f"{kind} {abbr}"):
        return spot.unit
    if kind == "F" and province.takes_fleets:
        raise PositionError(f'"{text}": a fleet in {province.name} is on a coast, {" or ".join(province.fleet_ways)}.')
    raise PositionError(f'"{text}": no {UNIT_WORDS[kind]} can be in {province.name}.')


def _province(variant: Ruleset, text: object) -> str:
    """Return the province of that name, or raise PositionError."""
    found = variant.names.find(fold(text)) if isinstance(text, str) else []
    if len(found) != 1:
        raise PositionError(f'"{text}" is not a province of {variant.label}.')
    return found[0]


def _center(variant: Ruleset, text: object) -> str:
    """Return the supply center of that name, or raise PositionError."""
    name = _province(variant, text)
    if not variant.provinces[name].center:
        raise PositionError(f"{variant.provinces[name].name} is not a supply center.")
    return name


def dislodged_from_json(variant: Ruleset, entry: object) -> Dislodged:
    """Return the dislodged unit from the data that `dislodged_to_json` returned, or raise PositionError."""
    if not isinstance(entry, dict) or not {"unit", "from"} <= set(entry):
        raise PositionError('A dislodged unit is written {"unit": "A MUN", "from": "BER", "by_convoy": false}.')
    return Dislodged(
        unit=read_unit(variant, entry["unit"]),
        attacker_from=_province(variant, str(entry["from"]).partition("/")[0]),
        by_convoy=bool(entry.get("by_convoy", False)),
    )


def outcome_to_json(variant: Variant, outcome: Outcome) -> Json:
    """Return the outcome as an output line of `judge adjudicate`."""
    after = position_to_json(variant, outcome.position)
    data = {
        "variant": variant.name,
        "phase": outcome.phase,
        "next": outcome.next_phase if not outcome.over else None,
        "orders": [
            {"power": power, "order": str(order), "results": list(results)} | ({"why": why} if why else {})
            for power, order, results, why in outcome.results
        ],
        "units": after["units"],
        "centers": after["centers"],
        "dislodged": {
            power: [{**dislodged_to_json(one), "retreats": list(places)} for one, places in dislodged]
            for power, dislodged in outcome.dislodged.items()
        },
        "contested": list(outcome.contested),
        "homes": after.get("homes", {}),
        "bids": [
            {
                "power": one.bidder,
                "points": one.bid.points,
                "value": one.value,
                "order": str(one.bid.order),
                "won": one.won,
                "why": one.why,
            }
            for one in outcome.bids.bids
        ],
        "winner": outcome.winner,
    }
    if outcome.drawn:
        data["draw"] = list(outcome.drawn)
    if outcome.next_phase.endswith("A") and not outcome.over:
        data["adjust"] = dict(outcome.adjust)
    if "neutrals" in after:
        data["neutrals"] = after["neutrals"]
    return data


def outcome_as_told(variant: Variant, outcome: Outcome, bids: Sequence[BidResult] = ()) -> Json:
    """Return an output line with only the facts in the results email for a reader who may know these `bids`.

    All other bids and all reasons are left out. The order of a neutral that holds is left out too. Otherwise players
    would see whether a bid made the neutral hold.
    """
    results = tuple(
        result._replace(why="")
        for result in outcome.results
        if not (result.power == NEUTRAL and isinstance(result.order, Hold))
    )
    data = outcome_to_json(variant, replace(outcome, results=results, bids=Auction(tuple(bids))))
    return data if bids else {key: value for key, value in data.items() if key != "bids"}


def outcome_from_json(variant: Variant, data: Json, before: Position | None = None) -> Outcome:
    """Return the outcome from the data of `outcome_to_json`.

    `before` is the position from which the phase was adjudicated. The JSON form leaves out units removed without an
    order, homes that were named, and neutrals that came back. These are computed from `before`, and are empty without
    `before`.

    Void orders that could not be read are left out. Raises PositionError if `data` is not an outcome.
    """
    try:
        outcome = _outcome(variant.at(read_phase(data["phase"])), data)
    except (KeyError, TypeError, AttributeError, PhaseError) as mistake:
        raise PositionError(f"This is not output of `judge adjudicate`: {mistake!r}.") from mistake
    if before is None:
        return outcome
    after = outcome.position
    return replace(
        outcome,
        removed=_removed(before, outcome.results, after),
        homes={power: named[-1] for power, named in after.homes.items() if named != before.homes.get(power)},
        rebuilt=tuple(
            unit
            for unit in after.units_of(NEUTRAL)
            if kind(before.phase) == "A" and unit not in before.units_of(NEUTRAL)
        ),
    )


def position_after(variant: Variant, data: Json) -> Position:
    """Return the position after an outcome, without facts that the outcome's JSON form lacks."""
    # After the end of a game there is no next phase, so take the position after the last Fall.
    phase = data["next"] or f"W{year(data['phase'])}A"
    form = {"phase": phase, "units": data["units"], "centers": data["centers"]}
    form |= {"homes": data.get("homes", {}), "neutrals": data.get("neutrals", {})}
    if kind(phase) == "R":
        form |= {"dislodged": data["dislodged"], "contested": data["contested"]}
    return position_from_json(variant, form)


def centers_of_year(data: Mapping[str, Any]) -> Mapping[str, Sequence[str]] | None:
    """Return {power: its centers} if this outcome, in its JSON form, ends a year's Fall, or else None."""
    is_over = not (data["next"] or "").startswith("F")
    return data["centers"] if is_over else None


def _outcome(variant: Variant, data: Json) -> Outcome:
    results = []
    for entry in data["orders"]:
        order = order_or_text(variant, kind(data["phase"]), entry["order"])
        if not isinstance(order, Unread):
            results.append(OrderResult(entry["power"], order, tuple(entry["results"]), entry.get("why", "")))
        elif "void" not in entry["results"]:
            raise PositionError(order.why)
    return Outcome(
        phase=data["phase"],
        position=position_after(variant, data),
        results=tuple(results),
        dislodged={
            power: tuple((dislodged_from_json(variant, entry), tuple(entry["retreats"])) for entry in entries)
            for power, entries in data["dislodged"].items()
        },
        contested=tuple(data.get("contested", ())),
        adjust=data.get("adjust", {}),
        winner=data.get("winner"),
        drawn=tuple(data.get("draw", ())),
        bids=Auction(
            tuple(
                BidResult(
                    entry["power"],
                    Bid(entry["points"], order_or_text(variant, "M", entry["order"])),
                    entry["value"],
                    entry["won"],
                    entry["why"],
                )
                for entry in data.get("bids", ())
            )
        ),
    )


def order_or_text(variant: Variant, phase_kind: PhaseKind, text: str) -> Order | Unread:
    """Return the text as an order. If it cannot be read, return the text and the reason."""
    try:
        return parse_order(variant, phase_kind, text)
    except OrderError as mistake:
        return Unread(text, str(mistake))


# --- what follows from the earlier position ---------------------------------------------------------------------


def _removed(before: Position, results: Sequence[OrderResult], after: Position) -> dict[str, Units]:
    """Return the units that were removed without an order, in a retreat phase or in a winter."""
    ordered = {result.order.slot for result in results if "void" not in result.results}
    of_phase: dict[PhaseKind, Mapping[str, Iterable[Unit]]] = {
        "M": {},
        "R": {power: before.dislodged_of(power) for power in before.dislodged},
        "A": before.units,
    }
    gone = {
        power: tuple(unit for unit in units if unit.province not in ordered and unit not in after.units_of(power))
        for power, units in of_phase[kind(before.phase)].items()
    }
    return {power: units for power, units in gone.items() if units}
