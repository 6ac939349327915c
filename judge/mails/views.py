"""A board for templates: positions, orders and results in the judge's full words."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from judge.mails.events import events
from judge.mails.factsview import colonies, emergencies
from judge.rules import (
    NEUTRAL,
    Build,
    Convoy,
    Hold,
    Home,
    Move,
    Need,
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
from judge.rules.board.phase import kind, season, year
from judge.rules.board.position import occupants
from judge.rules.describe import describe_place, describe_removal, describe_unit, weakened
from judge.rules.mechanisms.victory import center_counts
from judge.rules.phases.retreats import choices
from judge.rules.phases.winter import claimable

# The words for results in the mails; an order that simply succeeded has no mark.
_MARKS = {"disrupted": "no convoy"}
_KINDS = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}


@dataclass(frozen=True)
class Block:
    """Lines that belong together: (power, its texts). `title`: the group of these powers; "" if there are no groups."""

    title: str
    entries: list[tuple[str, list[str]]]


@dataclass(frozen=True)
class NeutralBlock:
    """Neutrals that belong together: (province, what its neutral did), with `width` for the names; `holding`: the
    provinces of the neutrals that only held.
    """

    title: str
    lines: list[tuple[str, str]]
    holding: list[str]
    width: int


@dataclass(frozen=True)
class PositionView:
    """The board before a phase: its `kind` ("Movement") and `time` ("Spring of 1901"); `units`: per power its units in
    full words, the neutrals last; `dislodged`: a sentence about each dislodged unit; `owners`: per power the names of
    its centers.
    """

    kind: str
    time: str
    units: list[Block]
    dislodged: list[str]
    owners: list[Block]
    width: int


@dataclass(frozen=True)
class ResultView:
    """One phase's results; `owners` and `adjustments` are empty except after Fall and Winter.

    `news`: neutrals that came back, new home centers, and what else came to pass (judge/mails/events.py). `width`: of
    the powers' names with their colons; `column`: where the orders begin.
    """

    title: str
    orders: list[Block]
    neutrals: list[NeutralBlock]
    news: list[str]
    dislodged: list[str]
    removed: list[str]
    owners: list[Block]
    adjustments: list[str]
    winner: str | None
    over: bool
    next_title: str
    width: int
    column: int


def title(phase: str, what: str) -> str:
    """`Movement orders for Fall of 1901`."""
    return f"{_KINDS[kind(phase)]} {what} for {_time(phase)}"


def _time(phase: str) -> str:
    """`Fall of 1901`."""
    return f"{season(phase)} of {year(phase)}"


def position_view(variant: Variant, position: Position) -> PositionView:
    """The units and the owners of a position."""
    beaten = choices(variant.at(position.phase), position) if position.dislodged else {}
    waiting = {power: [(unit, to) for unit, to in units.items() if to] for power, units in beaten.items()}
    return PositionView(
        kind=_KINDS[kind(position.phase)],
        time=_time(position.phase),
        units=_units(variant, position),
        dislodged=_dislodged(variant, waiting),
        owners=_owners(variant, position),
        width=_width(_powers(variant, position)),
    )


def unmanned(variant: Variant, position: Position) -> list[str]:
    """`Liverpool (Britain)`: the centers that somebody owns and in which nobody stands."""
    at = occupants(position)
    return [
        f"{describe_place(variant, center)} ({power})"
        for power, centers in position.centers.items()
        for center in centers
        if center not in at
    ]


def result_view(variant: Variant, position: Position, outcome: Outcome) -> ResultView:
    """The results of the orders given in `position`."""
    after = outcome.position
    fall_is_over = position.phase[0] == "F" and after.phase[0] != "F"
    powers = _powers(variant, position)
    shown = fall_is_over or outcome.winner or kind(position.phase) == "A"
    return ResultView(
        title=title(position.phase, "results"),
        orders=_order_blocks(variant, position, outcome),
        neutrals=_neutrals(variant, position, outcome),
        news=[*_rebuilt(variant, outcome), *_homes(variant, outcome), *events(variant, position, outcome)],
        dislodged=_dislodged(
            variant,
            {
                power: [(one.unit, places) for one, places in units]
                for power, units in outcome.dislodged.items()
            },
        ),
        removed=_disbanded(variant, position, outcome),
        owners=_owners(variant, after) if shown else [],
        adjustments=_counts(variant, after, outcome) if shown else [],
        winner=outcome.winner,
        over=outcome.over,
        next_title=words(outcome.next_phase),
        width=_width(powers),
        # Programs know a waived build by two blanks before it.
        column=_width(powers) + (3 if kind(position.phase) == "A" else 1),
    )


def _powers(variant: Variant, position: Position) -> list[str]:
    present = {*position.units, *position.dislodged, *position.centers}
    return [power.name for power in variant.powers if power.name in present] + [NEUTRAL] * (NEUTRAL in present)


def _width(powers: Sequence[str]) -> int:
    return max((len(power) for power in powers), default=0) + 1


def _blocks(variant: Variant, entries: Mapping[str, list[str]]) -> list[Block]:
    """{power: its texts} group by group; all in one block without a title if there are no groups."""
    if not variant.groups:
        listed = [(power.name, entries[power.name]) for power in variant.powers if power.name in entries]
        return [Block("", listed)] if listed else []
    blocks = (
        Block(group.name, [(power, entries[power]) for power in group.powers if power in entries])
        for group in variant.groups
    )
    return [block for block in blocks if block.entries]


def _units(variant: Variant, position: Position) -> list[Block]:
    """If there are groups, all units of a power are on one line, since such boards have more than a hundred units."""
    entries = {
        power: [describe_unit(variant, unit) for unit in position.units.get(power, ())]
        for power in _powers(variant, position)
    }
    neutrals = entries.pop(NEUTRAL, [])
    if not variant.groups:
        listed = [entry for block in _blocks(variant, entries) for entry in block.entries]
        return [Block("", [*listed, *([(NEUTRAL, neutrals)] if neutrals else [])])]
    blocks = _blocks(variant, {power: [", ".join(units)] for power, units in entries.items() if units})
    return [*blocks, Block("Neutrals", _sponsored(variant, position.units.get(NEUTRAL, ())))]


def _sponsored(variant: Variant, units: Sequence[Unit]) -> list[tuple[str, list[str]]]:
    """The armies and fleets of minor neutrals, then those of each group's affiliates."""
    entries = []
    for whose in ("", *(group.name for group in variant.groups)):
        own = [unit for unit in units if variant.sponsor(unit.province) == whose]
        kinds = [
            f"{word} in {', '.join(describe_place(variant, unit.place) for unit in own if unit.kind == kind)}"
            for word, kind in (("armies", "A"), ("fleets", "F"))
            if any(unit.kind == kind for unit in own)
        ]
        if own:
            entries.append((f"{whose}'s" if whose else "Minor", ["; ".join(kinds)]))
    return entries


def _order_blocks(variant: Variant, position: Position, outcome: Outcome) -> list[Block]:
    entries: dict[str, list[str]] = {}
    wanted = needs(variant, position) if kind(position.phase) == "A" else {}
    for power in _powers(variant, position):
        if power == NEUTRAL:
            continue
        results = [result for result in outcome.results if result.power == power]
        lines = [_order_line(variant, position, result, outcome) for result in results]
        lines += _unordered(variant, position, outcome, power, results)
        lines += _defaults(variant, position, outcome, power)
        lines += _unused_builds(outcome, power, wanted)
        if lines:
            entries[power] = lines
    return _blocks(variant, entries)


def _neutrals(variant: Variant, position: Position, outcome: Outcome) -> list[NeutralBlock]:
    """What each neutral did, by province. A neutral without an order looks like one that was ordered to hold, so that
    readers do not see whether a power has bid for it. If neutrals have sponsors, there are so many that all those that
    only hold are on one line.
    """
    if kind(position.phase) != "M" or not position.units.get(NEUTRAL):
        return []
    results = {result.order.slot: result for result in outcome.results if result.power == NEUTRAL}
    beaten = {dislodged.unit for dislodged, _ in outcome.dislodged.get(NEUTRAL, ())}
    lines: dict[str, list[tuple[str, str]]] = {}
    holding: dict[str, list[str]] = {}
    for unit in position.units[NEUTRAL]:
        word = ("dislodged",) if unit in beaten else ("ok",)
        result = results.get(unit.province) or OrderResult(NEUTRAL, Hold(unit), word)
        name, sponsor = variant.provinces[unit.province].name, variant.sponsor(unit.province)
        title = f"Affiliates of {sponsor}" if sponsor else "Minor neutrals" if variant.sponsors else "Neutral powers"
        if variant.sponsors and isinstance(result.order, Hold) and result.results == ("ok",):
            holding.setdefault(title, []).append(name)
        else:
            lines.setdefault(title, []).append((name, _order_line(variant, position, result, outcome)))
    titles = ["Neutral powers", "Minor neutrals", *(f"Affiliates of {group.name}" for group in variant.groups)]
    return [
        NeutralBlock(
            title,
            sorted(lines.get(title, [])),
            sorted(holding.get(title, [])),
            _width([name for name, _ in lines.get(title, [])]),
        )
        for title in titles
        if title in lines or title in holding
    ]


def _order_line(variant: Variant, position: Position, result: OrderResult, outcome: Outcome) -> str:
    marks = [_MARKS.get(word, word) for word in result.results if word != "ok"]
    if kind(outcome.phase) == "R" and "bounce" in marks:
        marks.append("destroyed")
    carriers = _carriers(result.order, outcome)
    weak = weakened(variant, result.order, carriers) if variant.board.beyond else ""
    route = _route(variant, position, result, outcome, carriers)
    return describe_order(variant, position, result.order, route) + f"  ({weak})" * bool(weak) + _marked(marks)


def _route(
    variant: Variant, position: Position, result: OrderResult, outcome: Outcome, carriers: Collection[str]
) -> Sequence[str]:
    """The seas over which a move by sea went, or would have gone: of the fleets that carried it if there are enough,
    else of those that were ordered to, else of any that could have; () for any other order.
    """
    order = result.order
    if not isinstance(order, Move) or order.unit.kind != "A":
        return ()
    ordered = [one for one in outcome.results if isinstance(one.order, Convoy) and _carries(one.order, order)]
    own = any(one.power == result.power and "void" not in one.results for one in ordered)
    if not (order.via or own or order.target not in variant.board.spots[str(order.unit)].reach):
        return ()
    afloat = {unit.province for units in position.units.values() for unit in units if unit.kind == "F"}
    tried = (carriers, {one.order.slot for one in ordered}, afloat)
    routes = (variant.board.route(order.slot, order.target, fleets) for fleets in tried)
    return next((route for route in routes if route), ())


def _carriers(order: Order, outcome: Outcome) -> Collection[str]:
    """Where the fleets stand that carried the army of a move."""
    if not isinstance(order, Move) or order.unit.kind != "A":
        return ()
    return {
        result.order.slot
        for result in outcome.results
        if isinstance(result.order, Convoy)
        and _carries(result.order, order)
        and not {"void", "dislodged"} & set(result.results)
    }


def _carries(convoy: Convoy, move: Move) -> bool:
    """Whether the convoy is for that move."""
    return (convoy.army.province, convoy.target) == (move.slot, move.target)


def _marked(marks: Sequence[str]) -> str:
    return f"  (*{', '.join(marks)}*)" if marks else ""


def _unordered(
    variant: Variant, position: Position, outcome: Outcome, power: str, results: Sequence[OrderResult]
) -> list[str]:
    """The units that had no order, in a movement phase; if no unit of a power in a group had one, the whole power is
    one line.
    """
    if kind(position.phase) != "M":
        return []
    ordered = {result.order.slot for result in results}
    beaten = {dislodged.unit for dislodged, _ in outcome.dislodged.get(power, ())}
    idle = position.units.get(power, ())
    if variant.groups and idle and not (results or beaten):
        return [f"No orders: {', '.join(describe_unit(variant, unit) for unit in idle)}."]
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


def _dislodged(variant: Variant, beaten: Mapping[str, Sequence[tuple[Unit, Sequence[str]]]]) -> list[str]:
    """A sentence about each unit of {power: its dislodged units, each with the places it can go to}."""
    sentences = []
    for power, units in beaten.items():
        for dislodged, places in units:
            unit = _whose(variant, power, dislodged)
            if power == NEUTRAL:
                sentences.append(f"The {unit} is disbanded: neutrals do not retreat.")
            elif places:
                names = " or ".join(describe_place(variant, place) for place in places)
                sentences.append(f"The {unit} can retreat to {names}.")
            else:
                sentences.append(f"The {unit} with no valid retreats was destroyed.")
    return sentences


def _disbanded(variant: Variant, position: Position, outcome: Outcome) -> list[str]:
    """What was disbanded for want of a retreat order; what had nowhere to retreat was told as destroyed before."""
    if kind(outcome.phase) == "A":
        return []
    told = _without_choice(variant, position)
    return [
        f"The {_whose(variant, power, unit)} had no order and is disbanded."
        for power, units in outcome.removed.items()
        if power != NEUTRAL
        for unit in units
        if unit not in told
    ]


def _without_choice(variant: Variant, position: Position) -> set[Unit]:
    """The dislodged units that have nowhere to retreat."""
    if not position.dislodged:
        return set()
    beaten = choices(variant.at(position.phase), position)
    return {unit for units in beaten.values() for unit, places in units.items() if not places}


def _defaults(variant: Variant, position: Position, outcome: Outcome, power: str) -> list[str]:
    """The units of a power that were removed in a winter without an order to do so."""
    gone = outcome.removed.get(power, ()) if kind(position.phase) == "A" else ()
    return [f"Defaults, removing {describe_removal(variant, unit)}." for unit in gone]


def _unused_builds(outcome: Outcome, power: str, wanted: Mapping[str, Need]) -> list[str]:
    """The builds that a power could have made in a winter but did not order; `wanted`: what the winter asked for."""
    used = sum(
        result.power == power and "ok" in result.results and not isinstance(result.order, Home)
        for result in outcome.results
    )
    left = wanted[power].builds - used if power in wanted else 0
    return [f"{left} unused {'build' if left == 1 else 'builds'} pending."] if left > 0 else []


def _whose(variant: Variant, power: str, unit: Unit) -> str:
    """"English Fleet in the English Channel"."""
    adjective = "neutral" if power == NEUTRAL else variant.power_named[power].adjective
    word = "Army" if unit.kind == "A" else "Fleet"
    return f"{adjective} {word} in {describe_place(variant, unit.place)}"


def _owners(variant: Variant, position: Position) -> list[Block]:
    return _blocks(
        variant,
        {
            power: sorted(describe_place(variant, center) for center in centers)
            for power, centers in position.centers.items()
            if centers
        },
    )


def _counts(variant: Variant, after: Position, outcome: Outcome) -> list[str]:
    """A line for each power; above the lines of a group, one line for the whole group."""
    powers = [power for power in _powers(variant, after) if power != NEUTRAL]
    sizes = center_counts(variant, after.centers)
    lines = []
    for seat in variant.seats:
        victory = "  (* VICTORY!! *)" if seat.name == outcome.winner else ""
        if variant.groups:
            lines.append(f"{seat.name} has {sizes.get(seat.name, 0)} of the {variant.victory} that win.{victory}")
            victory = ""
        own = [power for power in seat.powers if power in powers]
        lines += [_count(variant, after, outcome, power, _width(powers)) + victory for power in own]
    if outcome.winner or outcome.drawn:
        return lines
    winter = kind(after.phase) == "A"
    return [*lines, *emergencies(variant, after), *(colonies(variant, after) if winter else ())]


def _count(variant: Variant, after: Position, outcome: Outcome, power: str, width: int) -> str:
    """`England:    4 Supply centers,  3 Units:  Builds   1 unit.`; builds none when these are over, or the game is."""
    centers, units = len(after.centers.get(power, ())), len(after.units.get(power, ()))
    over = kind(outcome.phase) == "A" or outcome.winner or outcome.drawn
    change = 0 if over else outcome.adjust.get(power, 0)
    verb = "Builds " if change >= 0 else "Removes"
    plural = "unit" if abs(change) == 1 else "units"
    due = f"{verb} {abs(change):2} {plural}."
    return f"{(power + ':').ljust(width)}   {centers:2} Supply centers, {units:2} Units:  {due}"


def order_lines(variant: Variant, position: Position, power: str, orders: Sequence[Order]) -> list[str]:
    """A power's orders on file in full words, then its units that have none."""
    claims = claimable(variant, position, power) if kind(position.phase) == "A" else ()
    lines = [
        describe_order(variant, position, order)
        + (" (Its additional home center.)" if isinstance(order, Build) and order.slot in claims else "")
        + (f" ({weak[:1].upper()}{weak[1:]}.)" if (weak := weakened(variant, order)) else "")
        for order in orders
    ]
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
