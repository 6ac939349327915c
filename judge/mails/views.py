"""What templates show of a board: positions, orders and results in the judge's full words."""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.rules import (
    NEUTRAL,
    Hold,
    Home,
    Order,
    OrderResult,
    Outcome,
    Position,
    Unit,
    Variant,
    describe_order,
    needs,
    words,
)
from judge.rules.emergency import measures
from judge.rules.phase import kind, season, year
from judge.rules.wording import describe_place, describe_unit

# What the results call a result; an order that simply succeeded has no mark.
_MARKS = {"disrupted": "no convoy"}
_KINDS = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}


@dataclass(frozen=True)
class PositionView:
    """`units`: per power its units in full words, `short` in notation; `owners`: per power its centers' names."""

    units: list[tuple[str, list[str]]]
    short: dict[str, list[str]]
    owners: list[tuple[str, list[str]]]
    width: int


@dataclass(frozen=True)
class ResultView:
    """One phase's results; `owners` and `adjustments` are empty but after Fall and Winter.

    `neutrals`: (province, what its neutral did), with `neutral_width` for the names; `news`: neutrals that came back,
    new home centers.
    """

    title: str
    orders: list[tuple[str, list[str]]]
    neutrals: list[tuple[str, str]]
    neutral_width: int
    news: list[str]
    dislodged: list[str]
    removed: list[str]
    owners: list[tuple[str, list[str]]]
    adjustments: list[str]
    winner: str | None
    next_title: str
    width: int


def title(phase: str, what: str) -> str:
    """`Movement orders for Fall of 1901`."""
    return f"{_KINDS[kind(phase)]} {what} for {season(phase)} of {year(phase)}"


def position_view(variant: Variant, position: Position) -> PositionView:
    """The units and the owners of a position."""
    powers = _powers(variant, position)
    return PositionView(
        units=[(power, [describe_unit(variant, unit) for unit in position.units.get(power, ())]) for power in powers],
        short={power: [str(unit) for unit in position.units.get(power, ())] for power in powers},
        owners=_owners(variant, position),
        width=_width(powers),
    )


def result_view(variant: Variant, position: Position, outcome: Outcome) -> ResultView:
    """What became of the orders given in `position`."""
    after = outcome.position
    fall_is_over = position.phase[0] == "F" and after.phase[0] != "F"
    powers = _powers(variant, position)
    neutrals = _neutrals(variant, position, outcome)
    shown = fall_is_over or outcome.winner or kind(position.phase) == "A"
    return ResultView(
        title=title(position.phase, "results"),
        orders=_order_blocks(variant, position, outcome, [power for power in powers if power != NEUTRAL]),
        neutrals=neutrals,
        neutral_width=_width([name for name, _ in neutrals]),
        news=[*_rebuilt(variant, outcome), *_homes(variant, outcome)],
        dislodged=_dislodged(variant, outcome),
        removed=[*_removed(variant, outcome), *_unused_builds(variant, position, outcome)],
        owners=_owners(variant, after) if shown else [],
        adjustments=_counts(variant, after, outcome) if shown else [],
        winner=outcome.winner,
        next_title=words(outcome.next_phase),
        width=_width(powers),
    )


def _powers(variant: Variant, position: Position) -> list[str]:
    present = {*position.units, *position.dislodged, *position.centers}
    return [power.name for power in variant.powers if power.name in present] + [NEUTRAL] * (NEUTRAL in present)


def _width(powers: Sequence[str]) -> int:
    return max((len(power) for power in powers), default=0) + 1


def _order_blocks(
    variant: Variant, position: Position, outcome: Outcome, powers: Sequence[str]
) -> list[tuple[str, list[str]]]:
    blocks = []
    for power in powers:
        results = [result for result in outcome.results if result.power == power]
        lines = [_order_line(variant, position, result) for result in results]
        lines += _unordered(variant, position, outcome, power, results)
        if lines:
            blocks.append((power, lines))
    return blocks


def _neutrals(variant: Variant, position: Position, outcome: Outcome) -> list[tuple[str, str]]:
    """What each neutral did, by province. One that got no order is told as one that was ordered to hold: whether
    anybody has bid for it is not seen.
    """
    if kind(position.phase) != "M":
        return []
    results = {result.order.slot: result for result in outcome.results if result.power == NEUTRAL}
    beaten = {dislodged.unit for dislodged, _ in outcome.dislodged.get(NEUTRAL, ())}
    lines = []
    for unit in position.units.get(NEUTRAL, ()):
        word = ("dislodged",) if unit in beaten else ("ok",)
        result = results.get(unit.province) or OrderResult(NEUTRAL, Hold(unit), word)
        lines.append((variant.provinces[unit.province].name, _order_line(variant, position, result)))
    return sorted(lines)


def _order_line(variant: Variant, position: Position, result: OrderResult) -> str:
    marks = [_MARKS.get(word, word) for word in result.results if word != "ok"]
    return describe_order(variant, position, result.order) + _marked(marks)


def _marked(marks: Sequence[str]) -> str:
    return f"  (*{', '.join(marks)}*)" if marks else ""


def _unordered(
    variant: Variant, position: Position, outcome: Outcome, power: str, results: Sequence[OrderResult]
) -> list[str]:
    """The units that had no order, in a movement phase."""
    if kind(position.phase) != "M":
        return []
    ordered = {result.order.slot for result in results}
    beaten = {dislodged.unit for dislodged, _ in outcome.dislodged.get(power, ())}
    return [
        f"{describe_unit(variant, unit)}, No Order Processed.{_marked(['dislodged'] * (unit in beaten))}"
        for unit in position.units.get(power, ())
        if unit.province not in ordered
    ]


def _rebuilt(variant: Variant, outcome: Outcome) -> list[str]:
    return [f"The {_whose(variant, NEUTRAL, unit)} is back." for unit in outcome.rebuilt]


def _homes(variant: Variant, outcome: Outcome) -> list[str]:
    """The home centers that were won or named."""
    return [
        f"{describe_place(variant, center)} is a home center of {power} from now on"
        + (", the first by abbreviation, since none was named." if power in outcome.homes_by_default else ".")
        for power, center in outcome.homes.items()
    ]


def _dislodged(variant: Variant, outcome: Outcome) -> list[str]:
    sentences = []
    for power, units in outcome.dislodged.items():
        for dislodged, places in units:
            unit = _whose(variant, power, dislodged.unit)
            if places:
                names = " or ".join(describe_place(variant, place) for place in places)
                sentences.append(f"The {unit} can retreat to {names}.")
            else:
                sentences.append(f"The {unit} has nowhere to retreat and is disbanded.")
    return sentences


def _removed(variant: Variant, outcome: Outcome) -> list[str]:
    gone = "removed" if kind(outcome.phase) == "A" else "disbanded"
    return [
        f"The {_whose(variant, power, unit)} had no order and is {gone}."
        for power, units in outcome.removed.items()
        if power != NEUTRAL
        for unit in units
    ]


def _unused_builds(variant: Variant, position: Position, outcome: Outcome) -> list[str]:
    """The builds that a power might have made in a winter and did not order."""
    if kind(position.phase) != "A":
        return []
    sentences = []
    for power, need in needs(variant, position).items():
        used = sum(
            result.power == power and "ok" in result.results and not isinstance(result.order, Home)
            for result in outcome.results
        )
        if need.builds > used:
            left = need.builds - used
            name = f"{power}:".ljust(_width(_powers(variant, position)))
            sentences.append(f"{name} {left} unused {'build' if left == 1 else 'builds'}.")
    return sentences


def _whose(variant: Variant, power: str, unit: Unit) -> str:
    """"English Fleet in the English Channel"."""
    adjective = "neutral" if power == NEUTRAL else variant.power(power).adjective
    word = "Army" if unit.kind == "A" else "Fleet"
    return f"{adjective} {word} in {describe_place(variant, unit.place)}"


def _owners(variant: Variant, position: Position) -> list[tuple[str, list[str]]]:
    return [
        (power, sorted(describe_place(variant, center) for center in position.centers[power]))
        for power in _powers(variant, position)
        if position.centers.get(power)
    ]


def _counts(variant: Variant, after: Position, outcome: Outcome) -> list[str]:
    """`England:    4 Supply centers,  3 Units:  Builds   1 unit.`; after a winter, which was for that, no builds."""
    lines = []
    powers = [power for power in _powers(variant, after) if power != NEUTRAL]
    for power in powers:
        centers, units = len(after.centers.get(power, ())), len(after.units.get(power, ()))
        change = outcome.adjust.get(power, 0)
        verb = "Builds " if change >= 0 else "Removes"
        plural = "unit" if abs(change) == 1 else "units"
        due = f"Units:  {verb} {abs(change):2} {plural}." if kind(outcome.phase) != "A" else "Units."
        victory = "  (* VICTORY!! *)" if power == outcome.winner else ""
        lines.append(
            f"{(power + ':').ljust(_width(powers))} {centers:2} Supply centers, {units:2} {due}{victory}"
        )
    return [*lines, *_emergencies(variant, after, powers)]


def _emergencies(variant: Variant, after: Position, powers: Sequence[str]) -> list[str]:
    """Why a power may have more units than centers, where it may."""
    sentences = []
    for power in powers:
        rule = measures(variant, after, power)
        if rule.extra_units:
            units = "unit" if rule.extra_units == 1 else "units"
            sites = " and ".join(describe_place(variant, site) for site in rule.sites)
            builds = f", builds in {sites} too" if sites else ""
            sentences.append(f"{power} is in an emergency: {rule.extra_units} {units} more than centers{builds}.")
    return sentences


def order_lines(variant: Variant, position: Position, power: str, orders: Sequence[Order]) -> list[str]:
    """A power's orders on file in full words, then its units that have none."""
    lines = [describe_order(variant, position, order) for order in orders]
    ordered = {order.slot for order in orders}
    if kind(position.phase) == "M":
        lines += [
            f"{describe_unit(variant, unit)}, no order (will HOLD)."
            for unit in position.units.get(power, ())
            if unit.province not in ordered
        ]
    elif kind(position.phase) == "R":
        lines += [
            f"{describe_unit(variant, dislodged.unit)}, no order (will DISBAND)."
            for dislodged in position.dislodged.get(power, ())
            if dislodged.unit.province not in ordered
        ]
    return lines
