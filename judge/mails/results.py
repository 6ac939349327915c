"""What a phase did, as one value: the results mail and its page, HISTORY, MAP, PREDICT and the archive are made of it.

`results_of` makes the value; templates/_results.txt.j2 and templates/html/results.html.j2 say it, and decide nothing.
What the phase did to the reader is in judge/mails/own_results.py.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.mails.boardview import colonies, emergencies, tie
from judge.mails.views import (
    Block,
    dislodged_sentences,
    in_blocks,
    owned_unit,
    owners_view,
    powers_on,
    title,
    width_of,
)
from judge.rules import (
    NEUTRAL,
    Convoy,
    Hold,
    Home,
    Move,
    Need,
    OrderResult,
    Outcome,
    Position,
    Variant,
    describe_order,
    needs,
    words,
)
from judge.rules.adjudicate import carriers
from judge.rules.board.names import counted
from judge.rules.board.phase import kind, year
from judge.rules.describe import describe_removal, weakened
from judge.rules.mechanisms.build_places import measures
from judge.rules.mechanisms.victory import center_counts
from judge.rules.phases.retreats_and_winters import choices

# The words of mails for the results of `judge adjudicate`; an order that succeeded has none.
_MARKS = {"disrupted": "no convoy"}
# Mail programs cut pages of 102 kB: with more lines of orders than this, only the reader's own are a table.
_MOST_ROWS = 90


@dataclass(frozen=True)
class Line:
    """An order and what became of it (`bounce`, `dislodged`); `given` is false for a unit without an order."""

    order: str
    marks: Sequence[str] = ()
    given: bool = True

    def __str__(self) -> str:
        return f"{self.order}  (*{', '.join(self.marks)}*)" if self.marks else self.order


@dataclass(frozen=True)
class NeutralBlock:
    """Neutrals that belong together: the province and the order of each; `holding`: those that only held."""

    title: str
    lines: list[tuple[str, Line]]
    holding: list[str]
    width: int


@dataclass(frozen=True)
class Count:
    """How many centers and units a power has and what it builds; `power` is "" for a line about anything else."""

    power: str
    line: str

    @property
    def brief(self) -> str:
        """The line without the power's name and without columns."""
        return " ".join(self.line.removeprefix(f"{self.power}:" if self.power else "").split())


@dataclass(frozen=True)
class Results:
    """The results of one phase; `owners` and `counts` are empty except after Fall and Winter.

    `dislodged`, `removed`, `news`: sentences about units that were dislodged, that disbanded for want of an order, and
    about all else that happened. `width`: of the powers' names with their colons; `column`: where the orders begin.
    """

    title: str
    orders: list[Block[Line]]
    neutrals: list[NeutralBlock]
    dislodged: list[str]
    removed: list[str]
    news: list[str]
    owners: list[Block[str]]
    counts: list[Count]
    winner: str | None
    over: bool
    next_title: str
    width: int
    column: int

    @property
    def are_many(self) -> bool:
        """Whether there are too many orders for a table of each power."""
        return sum(len(lines) for block in self.orders for _, lines in block.entries) > _MOST_ROWS

    @property
    def counts_of_owners(self) -> dict[str, str]:
        """{power that owns centers: its count}; the page shows it with the centers."""
        owners = {power for block in self.owners for power, _ in block.entries}
        return {count.power: count.brief for count in self.counts if count.power in owners}


def results_of(variant: Variant, position: Position, outcome: Outcome) -> Results:
    """Describe the results of the orders given in `position`."""
    after = outcome.position
    fall_is_over = position.phase[0] == "F" and after.phase[0] != "F"
    shown = fall_is_over or outcome.winner or kind(position.phase) == "A"
    beaten = {power: [(one.unit, places) for one, places in units] for power, units in outcome.dislodged.items()}
    width = width_of(powers_on(variant, position))
    return Results(
        title=title(position.phase, "results"),
        orders=_orders(variant, position, outcome),
        neutrals=_neutrals(variant, position, outcome),
        dislodged=dislodged_sentences(variant, beaten),
        removed=_disbanded(variant, position, outcome),
        news=[*_news(variant, position, outcome)],
        owners=owners_view(variant, after) if shown else [],
        counts=_counts(variant, after, outcome) if shown else [],
        winner=outcome.winner,
        over=outcome.over,
        next_title=words(outcome.next_phase),
        width=width,
        # Programs know a waived build by two blanks before it.
        column=width + (3 if kind(position.phase) == "A" else 1),
    )


def _orders(variant: Variant, position: Position, outcome: Outcome) -> list[Block[Line]]:
    winter = kind(position.phase) == "A"
    wanted = needs(variant, position) if winter else {}
    entries: dict[str, list[Line]] = {}
    for power in powers_on(variant, position):
        if power == NEUTRAL:
            continue
        results = [result for result in outcome.results if result.power == power]
        lines = [_line(variant, position, result, outcome) for result in results]
        lines += _unordered(variant, position, outcome, power, results)
        if winter:
            gone = outcome.removed.get(power, ())
            lines += [Line(f"Defaults, removing {describe_removal(variant, unit)}.") for unit in gone]
        used = sum("ok" in result.results and not isinstance(result.order, Home) for result in results)
        if (left := wanted.get(power, Need()).builds - used) > 0:
            lines.append(Line(f"{counted(left, 'unused build')} pending."))
        if lines:
            entries[power] = lines
    return in_blocks(variant, entries)


def _neutrals(variant: Variant, position: Position, outcome: Outcome) -> list[NeutralBlock]:
    """Say what each neutral did, by province.

    A neutral without an order looks like one that was ordered to hold, so that readers do not see whether a power has
    bid for it. Those that only hold are on one line.
    """
    if kind(position.phase) != "M" or not position.units.get(NEUTRAL):
        return []
    results = {result.order.slot: result for result in outcome.results if result.power == NEUTRAL}
    beaten = {dislodged.unit for dislodged, _ in outcome.dislodged.get(NEUTRAL, ())}
    lines: dict[str, list[tuple[str, Line]]] = {}
    holding: dict[str, list[str]] = {}
    for unit in position.units[NEUTRAL]:
        word = ("dislodged",) if unit in beaten else ("ok",)
        result = results.get(unit.province) or OrderResult(NEUTRAL, Hold(unit), word)
        name, sponsor = variant.provinces[unit.province].name, variant.sponsor(unit.province)
        heading = f"Affiliates of {sponsor}" if sponsor else "Minor neutrals" if variant.sponsors else "Neutral powers"
        if isinstance(result.order, Hold) and result.results == ("ok",):
            holding.setdefault(heading, []).append(name)
        else:
            lines.setdefault(heading, []).append((name, _line(variant, position, result, outcome)))
    headings = ["Neutral powers", "Minor neutrals", *(f"Affiliates of {group.name}" for group in variant.groups)]
    return [
        NeutralBlock(
            heading,
            sorted(lines.get(heading, []), key=lambda entry: (entry[0], str(entry[1]))),
            sorted(holding.get(heading, [])),
            width_of([name for name, _ in lines.get(heading, [])]),
        )
        for heading in headings
        if heading in lines or heading in holding
    ]


def _line(variant: Variant, position: Position, result: OrderResult, outcome: Outcome) -> Line:
    marks = [_MARKS.get(word, word) for word in result.results if word != "ok"]
    if kind(outcome.phase) == "R" and "bounce" in marks:
        marks.append("destroyed")
    fleets = carriers(result.order, outcome.results)
    weak = weakened(variant, result.order, fleets) if variant.board.beyond else ""
    order = describe_order(variant, position, result.order, _route(variant, position, result, outcome, fleets))
    return Line(order + f"  ({weak})" * bool(weak), marks)


def _route(
    variant: Variant, position: Position, result: OrderResult, outcome: Outcome, fleets: Collection[str]
) -> Sequence[str]:
    """Return the seas over which a move by sea went or would have gone; () for any other order.

    Of the fleets that carried it if there are enough, else of those that were ordered to, else of any that could have.
    """
    order = result.order
    if not isinstance(order, Move) or order.unit.kind != "A":
        return ()
    way = order.slot, order.target
    ordered = [
        one
        for one in outcome.results
        if isinstance(one.order, Convoy) and (one.order.army.province, one.order.target) == way
    ]
    own = any(one.power == result.power and "void" not in one.results for one in ordered)
    if not (order.via or own or order.target not in variant.board.spots[str(order.unit)].reach):
        return ()
    afloat = {unit.province for units in position.units.values() for unit in units if unit.kind == "F"}
    tried = (fleets, {one.order.slot for one in ordered}, afloat)
    routes = (variant.board.route(*way, fleets) for fleets in tried)
    return next((route for route in routes if route), ())


def _unordered(
    variant: Variant, position: Position, outcome: Outcome, power: str, results: Sequence[OrderResult]
) -> list[Line]:
    """List the units that had no order in a movement phase; where there are groups, an idle power is one line."""
    if kind(position.phase) != "M":
        return []
    ordered = {result.order.slot for result in results}
    beaten = {dislodged.unit for dislodged, _ in outcome.dislodged.get(power, ())}
    units = position.units.get(power, ())
    if variant.groups and units and not (results or beaten):
        return [Line(f"No orders: {', '.join(variant.called(unit) for unit in units)}.", given=False)]
    return [
        Line(f"{variant.called(unit)}, No Order Processed.", ["dislodged"] * (unit in beaten), given=False)
        for unit in units
        if unit.province not in ordered
    ]


def _disbanded(variant: Variant, position: Position, outcome: Outcome) -> list[str]:
    """Name the units that disbanded for want of a retreat order; those that had no retreat were destroyed before."""
    if kind(outcome.phase) == "A":
        return []
    beaten = choices(variant.at(position.phase), position) if position.dislodged else {}
    destroyed = {unit for units in beaten.values() for unit, places in units.items() if not places}
    return [
        f"The {owned_unit(variant, power, unit)} had no order and is disbanded."
        for power, units in outcome.removed.items()
        if power != NEUTRAL
        for unit in units
        if unit not in destroyed
    ]


def _counts(variant: Variant, after: Position, outcome: Outcome) -> list[Count]:
    """Count the centers and units of each power; the line of a whole group comes above those of its powers."""
    powers = [power for power in powers_on(variant, after) if power != NEUTRAL]
    sizes = center_counts(variant, after.centers)
    counts = []
    for seat in variant.seats:
        victory = "  (* VICTORY!! *)" if seat.name == outcome.winner else ""
        if variant.groups:
            whole = f"{seat.name} has {sizes.get(seat.name, 0)} of the {variant.victory} that win.{victory}"
            counts.append(Count("", whole))
            victory = ""
        for power in (power for power in seat.powers if power in powers):
            line = _count(after, outcome, power)
            counts.append(Count(power, f"{(power + ':').ljust(width_of(powers))}   {line}{victory}"))
    if outcome.over:
        return counts
    winter = kind(after.phase) == "A"
    return counts + [Count("", line) for line in (*emergencies(variant, after), *(colonies(variant, after) * winter))]


def _count(after: Position, outcome: Outcome, power: str) -> str:
    """Return ` 4 Supply centers,  3 Units:  Builds   1 unit.`, with 0 builds when these or the game are over."""
    over = kind(outcome.phase) == "A" or outcome.over
    change = 0 if over else outcome.adjust.get(power, 0)
    due = f"{'Builds ' if change >= 0 else 'Removes'} {abs(change):2} {'unit' if abs(change) == 1 else 'units'}."
    return f"{len(after.centers.get(power, ())):2} Supply centers, {len(after.units.get(power, ())):2} Units:  {due}"


def _news(variant: Variant, before: Position, outcome: Outcome) -> Iterator[str]:
    """Tell which neutrals came back, which home centers were won or named, who was eliminated, and of a tie.

    Unless the game is over, also of emergencies and canals.
    """
    for unit in outcome.rebuilt:
        yield f"The {owned_unit(variant, NEUTRAL, unit)} is back."
    for owner, center in outcome.homes.items():
        chosen = ", the first by abbreviation, because none was named." if owner in outcome.homes_by_default else "."
        yield f"{variant.place_called(center)} is now a home center of {owner}{chosen}"
    after = outcome.position
    there, left = _on_board(before), _on_board(after)
    for one in variant.powers:
        if one.name in there and one.name not in left:
            yield f"{one.name} is eliminated."
    for group in variant.groups:
        if there & {*group.powers} and not left & {*group.powers}:
            yield f"{group.name} has nothing left on the board."
    if before.phase[0] == "F" and after.phase[0] != "F":
        yield from tie(variant, after, "the game continues" if not outcome.over else "no one has won")
    if outcome.over:
        return
    for one in variant.powers:
        was, now = (measures(variant, position, one.name).extra_units for position in (before, after))
        if bool(was) != bool(now):
            yield f"The emergency of {one.name} {'begins' if now else 'is over'}."
    for name, opens in variant.canals.items():
        if year(before.phase) < opens <= year(after.phase):
            canal = variant.provinces[name].name
            yield f"The canal of {canal} is open: fleets can pass through, and a fleet there is no longer on a coast."


def _on_board(position: Position) -> set[str]:
    tables: tuple[Mapping[str, Sequence[object]], ...] = (position.units, position.dislodged, position.centers)
    return {power for table in tables for power, things in table.items() if things} - {NEUTRAL}
