"""The JSON form of an outcome: the out-line of `judge adjudicate`, which is also stored with a phase and used to draw
maps.

docs/adjudication.md describes it. It contains orders in normal form, as `format_order` writes them. This is the only
place that writes or reads it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from judge.rules.adjudicate import OrderResult, Outcome
from judge.rules.board.orders import Hold, Remove, Unit, read_normal
from judge.rules.board.phase import PhaseError, kind, read_phase, year
from judge.rules.board.position import Position
from judge.rules.board.power import NEUTRAL
from judge.rules.mechanisms.diplomacy_points import Auction, Bid, BidResult, Unread
from judge.rules.pieces.position_json import (
    PositionError,
    dislodged_from_json,
    dislodged_to_json,
    position_from_json,
    position_to_json,
)
from judge.rules.variant.variant import Variant

OutcomeJson = dict[str, Any]


def outcome_to_json(variant: Variant, outcome: Outcome) -> OutcomeJson:
    """The out-line of an outcome."""
    after = position_to_json(variant, outcome.position)
    data = {
        "variant": variant.name,
        "phase": outcome.phase,
        "next": outcome.next_phase,
        "orders": [_result_to_json(result) for result in outcome.results],
        "units": after["units"],
        "centers": after["centers"],
        "dislodged": {
            power: [{**dislodged_to_json(one), "retreats": list(places)} for one, places in dislodged]
            for power, dislodged in outcome.dislodged.items()
        },
        "contested": list(outcome.contested),
        "homes": after.get("homes", {}),
        "bids": [_bid_to_json(one) for one in outcome.bids.bids],
        "winner": outcome.winner,
    }
    if outcome.over:
        data["next"] = None
    if outcome.drawn:
        data["draw"] = list(outcome.drawn)
    if outcome.next_phase.endswith("A") and not outcome.over:
        data["adjust"] = dict(outcome.adjust)
    if "neutrals" in after:
        data["neutrals"] = after["neutrals"]
    return data


def outcome_as_told(variant: Variant, outcome: Outcome, bids: Sequence[BidResult] = ()) -> OutcomeJson:
    """The out-line as the text of results tells an outcome, to a reader who may know these `bids`: no other bids, and
    no reasons. A neutral that holds has no order, since nobody is told whether a bid made it hold.
    """
    results = tuple(
        result._replace(why="")
        for result in outcome.results
        if not (result.power == NEUTRAL and isinstance(result.order, Hold))
    )
    data = outcome_to_json(variant, replace(outcome, results=results, bids=Auction(tuple(bids))))
    return data if bids else {key: value for key, value in data.items() if key != "bids"}


def outcome_from_json(variant: Variant, data: Mapping[str, Any], before: Position | None = None) -> Outcome:
    """The outcome that `outcome_to_json` wrote, of a phase that was adjudicated from the position `before`.

    Facts that the JSON form leaves out follow from that position: the units that were removed without an order (sorted
    by name), the homes that were named, the neutrals that came back. Without `before` these are empty. Void orders that
    could not be read are left out. Raises PositionError if `data` is not an outcome.
    """
    try:
        outcome = _outcome(variant.at(read_phase(data["phase"])), data)
    except (KeyError, TypeError, AttributeError, PhaseError) as mistake:
        raise PositionError(f"This is no outcome as `judge adjudicate` writes it: {mistake!r}.") from mistake
    if before is None:
        return outcome
    after = outcome.position
    return replace(
        outcome,
        removed=_removed(before, outcome.results, after),
        homes={power: named[-1] for power, named in after.homes.items() if named != before.homes.get(power)},
        rebuilt=_rebuilt(before, after),
    )


def position_after(variant: Variant, data: Mapping[str, Any]) -> Position:
    """The position that an outcome led to, as far as its JSON form describes it."""
    # After the end of a game there is no next phase: the board stands as after the Fall.
    phase = data["next"] or f"W{year(data['phase'])}A"
    form = {"phase": phase, "units": data["units"], "centers": data["centers"]}
    form |= {"homes": data.get("homes", {}), "neutrals": data.get("neutrals", {})}
    if kind(phase) == "R":
        form |= {"dislodged": data["dislodged"], "contested": data["contested"]}
    return position_from_json(variant, form)


# --- orders and bids ------------------------------------------------------------------------------------------


def _result_to_json(result: OrderResult) -> dict[str, Any]:
    power, order, results, why = result
    entry: dict[str, Any] = {"power": power, "order": str(order), "results": list(results)}
    if why:
        entry["why"] = why
    return entry


def _bid_to_json(one: BidResult) -> dict[str, Any]:
    return {
        "power": one.bidder,
        "points": one.bid.points,
        "value": one.value,
        "order": str(one.bid.order),
        "won": one.won,
        "why": one.why,
    }


def _outcome(variant: Variant, data: Mapping[str, Any]) -> Outcome:
    return Outcome(
        phase=data["phase"],
        position=position_after(variant, data),
        results=_results(variant, data),
        dislodged={
            power: tuple((dislodged_from_json(variant, entry), tuple(entry["retreats"])) for entry in entries)
            for power, entries in data["dislodged"].items()
        },
        contested=tuple(data.get("contested", ())),
        adjust=data.get("adjust", {}),
        winner=data.get("winner"),
        drawn=tuple(data.get("draw", ())),
        bids=Auction(tuple(_bid(variant, entry) for entry in data.get("bids", ()))),
    )


def _results(variant: Variant, data: Mapping[str, Any]) -> tuple[OrderResult, ...]:
    results = []
    for entry in data["orders"]:
        order = read_normal(variant.board.province_of, kind(data["phase"]), entry["order"])
        if order:
            results.append(OrderResult(entry["power"], order, tuple(entry["results"]), entry.get("why", "")))
        elif "void" not in entry["results"]:
            raise PositionError(f'"{entry["order"]}" is not an order in normal form.')
    return tuple(results)


def _bid(variant: Variant, entry: Mapping[str, Any]) -> BidResult:
    order = read_normal(variant.board.province_of, "M", entry["order"]) or Unread(entry["order"], entry["why"])
    return BidResult(entry["power"], Bid(entry["points"], order), entry["value"], entry["won"], entry["why"])


# --- what follows from the position before --------------------------------------------------------------------


def _rebuilt(before: Position, after: Position) -> tuple[Unit, ...]:
    """The neutrals' units that came back in a winter."""
    there = before.units.get(NEUTRAL, ())
    came = (unit for unit in after.units.get(NEUTRAL, ()) if unit not in there)
    return tuple(came) if kind(before.phase) == "A" else ()


def _removed(before: Position, results: Sequence[OrderResult], after: Position) -> dict[str, tuple[Unit, ...]]:
    """The units that were removed without an order, in a retreat phase or in a winter."""
    obeyed = [result for result in results if "void" not in result.results]
    gone: dict[str, tuple[Unit, ...]] = {}
    if kind(before.phase) == "R":
        ordered = {result.order.slot for result in obeyed}
        for power, dislodged in before.dislodged.items():
            gone[power] = tuple(one.unit for one in dislodged if one.unit.province not in ordered)
    elif kind(before.phase) == "A":
        ordered = {result.order.slot for result in obeyed if isinstance(result.order, Remove)}
        for power, units in before.units.items():
            left = after.units.get(power, ())
            gone[power] = tuple(unit for unit in units if unit not in left and unit.province not in ordered)
    return {power: units for power, units in gone.items() if units}
