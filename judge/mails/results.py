"""The results of a phase as one value, for mails, pages and commands such as HISTORY and PREDICT.

`results_of` makes the value, and templates/_results.txt.j2 puts it into words. `own_results` makes the paragraph about
one player with which their results mail begins. An example is "Your A TRI was dislodged by Austria: retreat to BUD or
TYR by Thu 00:30." The paragraph begins with a win or draw and dislodged units, and ends with the number of centers.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from judge.mails.boardview import colonies, emergencies, tie
from judge.mails.views import (
    Block,
    by_sponsor,
    dislodged_sentences,
    in_blocks,
    neutrals_title,
    owned_unit,
    owners_view,
    powers_on,
    title,
    width_of,
)
from judge.maps.draw import provinces_of
from judge.rules import (
    NEUTRAL,
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
    by_number,
    capitalized,
    counted,
    describe_order,
    kind,
    listed,
    needs,
    words,
    year,
)
from judge.rules.adjudicate import carriers, convoying
from judge.rules.board.orders import occupants, owners
from judge.rules.describe import describe_removal, weakened
from judge.rules.mechanisms.build_places import measures
from judge.rules.mechanisms.victory import center_counts


@dataclass(frozen=True)
class Line:
    """An order with its outcome.

    `marks` has words for the outcome, such as `bounce` or `dislodged`. `given` is false for a unit without an order.
    """

    order: str
    marks: Sequence[str] = ()
    given: bool = True

    def __str__(self) -> str:
        return f"{self.order}  (*{', '.join(self.marks)}*)" if self.marks else self.order


@dataclass(frozen=True)
class NeutralBlock:
    """Neutrals that belong together.

    `lines` has the province and the order of each neutral. `holding` has the provinces of the neutrals that only held.
    """

    title: str
    lines: list[tuple[str, Line]]
    holding: list[str]
    width: int


@dataclass(frozen=True)
class Count:
    """A line with the numbers of a power's centers, units and builds.

    `power` is "" if the line is not about a power.
    """

    power: str
    line: str


@dataclass(frozen=True)
class Results:
    """The results of one phase.

    `owners` and `counts` are empty except after Fall and Winter, or when someone has won. `changes` has sentences about
    the centers that changed hands, and about powers that build or remove. `dislodged` has sentences about dislodged
    units. `removed` has sentences about units that disbanded because they had no order. `news` has sentences about
    other events. `width` is the width of the powers' names with their colons. `column` is the column in which the
    orders begin.
    """

    title: str
    orders: list[Block]
    neutrals: list[NeutralBlock]
    dislodged: list[str]
    removed: list[str]
    news: list[str]
    changes: list[str]
    owners: list[Block]
    counts: list[Count]
    winner: str | None
    over: bool
    next_title: str
    width: int
    column: int


def results_of(variant: Variant, position: Position, outcome: Outcome, part: Set[str] = frozenset()) -> Results:
    """Describe the outcome of the orders given in `position`.

    If `part` is given, only orders about these provinces are described.
    """
    phase, after = position.phase, outcome.position
    news = []
    changes = []
    owned = []
    counts = []
    if not part:
        fall_is_over = phase[0] == "F" and after.phase[0] != "F"
        news = [*_news(variant, position, outcome)]
        if fall_is_over or outcome.winner:
            changes = [*_changes(variant, position, outcome)]
        if changes or kind(phase) == "A":
            owned = owners_view(variant, after)
            counts = _counts(variant, after, outcome)
    width = width_of(powers_on(variant, position))
    beaten = (
        (power, one.unit, places) for power, one, places in outcome.beaten if not part or one.unit.province in part
    )
    return Results(
        title=title(phase, "results"),
        orders=_orders(variant, position, outcome, part),
        neutrals=_neutrals(variant, position, outcome, part),
        dislodged=dislodged_sentences(variant, beaten),
        removed=_removed(variant, position, outcome, part),
        news=news,
        changes=changes,
        owners=owned,
        counts=counts,
        winner=outcome.winner,
        over=outcome.over,
        next_title=words(outcome.next_phase),
        width=width,
        # Programs recognize a waived build by two additional blanks.
        column=width + (3 if kind(phase) == "A" else 1),
    )


def _removed(variant: Variant, position: Position, outcome: Outcome, part: Set[str]) -> list[str]:
    if position.kind != "R":
        return []
    return [
        f"The {owned_unit(variant, power, unit)} had no order and is disbanded."
        for power, unit in _gone(variant, position, outcome)
        if not part or unit.province in part
    ]


def _orders(variant: Variant, position: Position, outcome: Outcome, part: Set[str]) -> list[Block]:
    wanted = {} if part else needs(variant, position)
    entries: dict[str, list[Line]] = {}
    for power in variant.power_named:
        if lines := _lines_of(variant, position, outcome, power, part, wanted.get(power, Need())):
            entries[power] = lines
    return in_blocks(variant, entries)


def _lines_of(
    variant: Variant, position: Position, outcome: Outcome, power: str, part: Set[str], need: Need
) -> list[Line]:
    results = [result for result in _results_of(outcome, [power]) if _is_in(part, result.order)]
    units = variant.in_order(position.all_units_of(power))
    turns = {unit.province: turn for turn, unit in enumerate(units)}
    results.sort(key=lambda result: turns.get(result.order.slot, -1))
    lines = [_line(variant, position, result, outcome) for result in results]
    beaten = {one.unit for one, _ in outcome.dislodged.get(power, ())}
    idle = variant.in_order(_within(part, _idle(position, outcome, power)))
    lines += _idle_lines(variant, idle, beaten, is_silent=not lines and not beaten)
    if position.kind == "A":
        for unit in _within(part, outcome.removed.get(power, ())):
            lines.append(Line(f"Defaults, removing {describe_removal(variant, unit)}."))
    left = _number_of_unused_builds(need, results)
    if left > 0:
        lines.append(Line(f"{counted(left, 'unused build')} pending."))
    return lines


def _results_of(outcome: Outcome, powers: Collection[str]) -> list[OrderResult]:
    return [result for result in outcome.results if result.power in powers]


def _idle_lines(variant: Variant, idle: Sequence[Unit], beaten: Set[Unit], *, is_silent: bool) -> list[Line]:
    """Return lines about a power's units without an order.

    Each unit has a line. If powers are in groups, a power without any orders has one line for all its units.
    """
    if is_silent and variant.groups and idle:
        return [Line(f"No orders: {', '.join(map(variant.called, idle))}.", given=False)]
    lines = []
    for unit in idle:
        fates = ["dislodged"] if unit in beaten else []
        lines.append(Line(f"{variant.called(unit)}, No Order Processed.", fates, given=False))
    return lines


def _within(part: Set[str], units: Iterable[Unit]) -> list[Unit]:
    """Return the units in this part of the board, or all units if the part is empty."""
    return [unit for unit in units if not part or unit.province in part]


def _is_in(part: Set[str], order: Order) -> bool:
    """Return whether the part is empty, or an order is about one of its provinces."""
    return not part or not part.isdisjoint(provinces_of(order))


def _number_of_unused_builds(need: Need, results: Iterable[OrderResult]) -> int:
    return need.builds - sum("ok" in result.results and not isinstance(result.order, Home) for result in results)


def _neutrals(variant: Variant, position: Position, outcome: Outcome, part: Set[str]) -> list[NeutralBlock]:
    if position.kind != "M":
        return []
    results = results_of_neutrals(position, outcome)
    blocks = []
    for sponsor, units in by_sponsor(variant, position.units_of(NEUTRAL)):
        lines = []
        holding = []
        for unit in sorted(units, key=lambda unit: variant.provinces[unit.province].name):
            name, result = variant.provinces[unit.province].name, results[unit.province]
            if not _is_in(part, result.order):
                continue
            if isinstance(result.order, Hold) and result.results == ("ok",):
                holding.append(name)
            else:
                lines.append((name, _line(variant, position, result, outcome)))
        heading = neutrals_title(sponsor) if variant.sponsors else "Neutral powers"
        if lines or holding:
            blocks.append(NeutralBlock(heading, lines, holding, width_of(dict(lines))))
    return blocks


def results_of_neutrals(position: Position, outcome: Outcome) -> dict[str, OrderResult]:
    """Return the outcome of the neutral in each province.

    A neutral without an order looks like one that was ordered to hold. So readers do not see whether a power has bid
    for the neutral.
    """
    results = {unit.province: OrderResult(NEUTRAL, Hold(unit), ("ok",)) for unit in position.units_of(NEUTRAL)}
    for one, _ in outcome.dislodged.get(NEUTRAL, ()):
        results[one.unit.province] = OrderResult(NEUTRAL, Hold(one.unit), ("dislodged",))
    for result in outcome.results:
        if result.power == NEUTRAL:
            results[result.order.slot] = result
    return results


def marks(result: OrderResult) -> list[str]:
    """Return the outcome of an order in words for mails, such as `bounce`, or [] if the order succeeded."""
    return ["no convoy" if word == "disrupted" else word for word in result.results if word != "ok"]


def _line(variant: Variant, position: Position, result: OrderResult, outcome: Outcome) -> Line:
    fates = marks(result)
    if kind(outcome.phase) == "R" and "bounce" in fates:
        fates.append("destroyed")
    fleets = carriers(result.order, outcome.results)
    weak = weakened(variant, result.order, fleets) if variant.board.beyond else ""
    order = describe_order(variant, position, result.order, _route(variant, position, result, outcome, fleets))
    return Line(order + f"  ({weak})" * bool(weak), fates)


def _route(
    variant: Variant, position: Position, result: OrderResult, outcome: Outcome, fleets: Collection[str]
) -> Sequence[str]:
    """Return the seas on the route of a convoyed move, or () for any other order.

    The route leads over the fleets that convoyed the army. If these form no route, it leads over the fleets that were
    ordered to convoy the army. Otherwise it leads over any fleets that could have convoyed the army.
    """
    order = result.order
    if not isinstance(order, Move) or order.unit.kind != "A":
        return ()
    ordered = convoying(order, outcome.results)
    if not _goes_by_sea(variant, order, result.power, ordered):
        return ()
    afloat = {province for province, (_, unit) in occupants(position).items() if unit.kind == "F"}
    for seas in (fleets, {fleet.province for fleet, _ in ordered}, afloat):
        if route := variant.board.route(order.slot, order.target, seas):
            return route
    return ()


def _goes_by_sea(variant: Variant, order: Move, power: str, ordered: Iterable[tuple[Unit, OrderResult]]) -> bool:
    """Return whether an army needs or wants a convoy.

    `ordered` has the fleets that were ordered to carry the army.
    """
    if order.via or order.target not in variant.board.spots[str(order.unit)].reach:
        return True
    return any(one.power == power and "void" not in one.results for _, one in ordered)


def _idle(position: Position, outcome: Outcome, power: str) -> list[Unit]:
    """Return a power's units that had no order in a movement phase."""
    ordered = {result.order.slot for result in _results_of(outcome, [power])}
    units = position.units_of(power) if position.kind == "M" else ()
    return [unit for unit in units if unit.province not in ordered]


def _gone(variant: Variant, position: Position, outcome: Outcome) -> Iterator[tuple[str, Unit]]:
    """Yield the units that were removed or disbanded because they had no order, with their powers."""
    if position.kind != "M":
        asked = needs(variant.at(position.phase), position)
        for power, units in outcome.removed.items():
            yield from ((power, unit) for unit in units if unit in asked.get(power, Need()).units)


def _counts(variant: Variant, after: Position, outcome: Outcome) -> list[Count]:
    """Return the lines with the numbers of each power's centers and units.

    The line of a group is above those of its powers.
    """
    powers = powers_on(variant, after)
    width = width_of({*powers} - {NEUTRAL})
    sizes = center_counts(variant, after.centers)
    # No builds are due after a winter, or when the game has ended.
    due_now = {} if kind(outcome.phase) == "A" or outcome.over else outcome.adjust
    counts = []
    for seat in variant.seats:
        victory = "  (* VICTORY!! *)" if seat.name == outcome.winner else ""
        if variant.groups:
            whole = f"{seat.name} has {sizes.get(seat.name, 0)} of the {variant.victory} centers that win.{victory}"
            counts.append(Count("", whole))
            victory = ""
        for power in seat.powers:
            if power in powers:
                line = _count_of(after, power, due_now.get(power, 0))
                counts.append(Count(power, f"{f'{power}:':<{width}}   {line}{victory}"))
    if outcome.over:
        return counts
    lines = [*emergencies(variant, after)]
    if after.kind == "A":
        lines += colonies(variant, after)
    return counts + [Count("", line) for line in lines]


def _count_of(after: Position, power: str, change: int) -> str:
    centers, units = len(after.centers_of(power)), len(after.units_of(power))
    verb = "Builds " if change >= 0 else "Removes"
    owned = f"{_counted(centers, 'Supply center')},"
    has = f"{_counted(units, 'Unit')}:"
    return f"{owned:<18} {has:<9}  {verb} {_counted(abs(change), 'unit')}."


def _counted(number: int, what: str) -> str:
    return f"{number:2} {by_number(number, what, f'{what}s')}"


def _changes(variant: Variant, before: Position, outcome: Outcome) -> Iterator[str]:
    """Yield sentences about centers that changed hands, and about builds and removals.

    When the game is over, there are no builds and removals.
    """
    yield f"Changes: {', '.join(_taken(variant, before, outcome.position)) or 'none'}."
    if outcome.over:
        return
    builds, removals = [], []
    for power in variant.in_turn:
        number = outcome.adjust.get(power, 0)
        if number > 0:
            builds.append(f"{power} {number}")
        elif number < 0:
            removals.append(f"{power} {-number}")
    told = [f"{what}: {', '.join(who)}." for what, who in (("Builds", builds), ("Removals", removals)) if who]
    other = " else" if told else ""
    yield " ".join([*told, f"No one{other} builds or removes."])


def _taken(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    """Yield a text like `Venice to Austria (from Italy)` for each center that changed hands."""
    was = owners(before)
    for power in variant.in_turn:
        for center in after.centers_of(power):
            if was.get(center) != power:
                loser = f" (from {was[center]})" if center in was else ""
                yield f"{variant.place_called(center)} to {power}{loser}"
    for center in sorted(was.keys() - owners(after).keys()):
        yield f"{variant.place_called(center)} to no one (from {was[center]})"


def _eliminated(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    def have_lost_all(powers: Collection[str]) -> bool:
        return any(before.holdings(powers)) and not any(after.holdings(powers))

    yield from (f"{power} is eliminated." for power in variant.in_turn if have_lost_all([power]))
    for group in variant.groups:
        if have_lost_all(group.powers):
            yield f"{group.name} has nothing left on the board."


def _news(variant: Variant, before: Position, outcome: Outcome) -> Iterator[str]:
    """Yield sentences about returned neutrals, new home centers, eliminations, and a tie.

    Unless the game is over, also yield sentences about emergencies and canals.
    """
    after = outcome.position
    for unit in outcome.rebuilt:
        yield f"The {owned_unit(variant, NEUTRAL, unit)} is back."
    for owner, center in outcome.homes.items():
        chosen = ", the first by abbreviation, because none was named." if owner in outcome.homes_by_default else "."
        yield f"{variant.place_called(center)} is now a home center of {owner}{chosen}"

    yield from _eliminated(variant, before, after)
    if before.phase[0] == "F" and after.phase[0] != "F":
        yield from tie(variant, after, "the game continues" if not outcome.over else "no one has won")
    if not outcome.over:
        yield from _begun(variant, before, after)


def _begun(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    """Yield sentences about emergencies that begin or end with the new phase, and about canals that open."""
    for one in variant.powers:
        was, now = (measures(variant, position, one.name).extra_units for position in (before, after))
        if bool(was) != bool(now):
            yield f"The emergency of {one.name} {'begins' if now else 'is over'}."
    for name, opens in variant.canals.items():
        if year(before.phase) < opens <= year(after.phase):
            canal = variant.provinces[name].name
            yield f"The canal of {canal} is open: fleets can pass through, and a fleet there is no longer on a coast."


# --- one player's results ---


def own_results(
    variant: Variant, position: Position, outcome: Outcome, seat: str, until: str = "", bids: str = ""
) -> Iterator[str]:
    """Yield sentences on what the outcome means for the player of `seat`.

    `seat` is a power or a group of powers. `until` says when orders for the next phase are due ("Thu 00:30"), and is ""
    if none are due. `bids` is a sentence about the player's bids (`2 of your 3 bids won.`). There are no sentences for
    a player who had nothing on the board and has nothing now.
    """
    powers = variant.powers_of(seat)
    if not any((*position.holdings(powers), *outcome.position.holdings(powers))):
        return
    by_then = f" by {until}" if until else ""
    if outcome.winner == seat:
        yield "You have won."
    elif seat in outcome.drawn:
        yield "You share the draw."
    yield from _own_dislodged(position, outcome, powers, by_then)
    for power, unit in _gone(variant, position, outcome):
        if power in powers:
            yield f"Your {unit} had no order and is {'removed' if position.kind == 'A' else 'disbanded'}."
    yield from _own_idle(position, outcome, powers, has_bid=bool(bids))
    yield from _own_orders(outcome, powers)
    yield from _own_unused_builds(variant, position, outcome, powers)
    if bids:
        yield capitalized(bids)
    yield from _holdings(variant, position, outcome, powers, by_then)


def _own_dislodged(position: Position, outcome: Outcome, powers: Collection[str], by_then: str) -> Iterator[str]:
    """Yield a sentence on each dislodged unit, with its attacker and its possible retreats.

    Units that can retreat come first.
    """
    beaten = [one for power in powers for one in outcome.dislodged.get(power, ())]
    for one, places in sorted(beaten, key=lambda unit: not unit[1]):
        by = occupants(position).get(one.attacker_from, ("", None))[0]
        if by == NEUTRAL:
            by = "a neutral"
        fate = " and destroyed, because it had no retreat."
        if places:
            fate = f": retreat to {listed(places, 'or')}{by_then}."
        yield f"Your {one.unit} was dislodged by {by}{fate}"


def _own_unused_builds(
    variant: Variant, position: Position, outcome: Outcome, powers: Collection[str]
) -> Iterator[str]:
    builds = 0
    unused: dict[str, int] = {}
    for power, need in needs(variant, position).items():
        if power in powers and need.builds > 0:
            builds += need.builds
            if (number := _number_of_unused_builds(need, _results_of(outcome, [power]))) > 0:
                unused[power] = number
    if unused:
        number = sum(unused.values())
        which = by_number(builds, "Your build", f"{number} of your {builds} builds") + shares(unused, powers)
        yield f"{which} {by_number(number, 'was', 'were')} not used."


def _own_idle(position: Position, outcome: Outcome, powers: Collection[str], *, has_bid: bool) -> Iterator[str]:
    idle = [str(unit) for power in powers for unit in _idle(position, outcome, power)]
    if _results_of(outcome, powers):
        if idle:
            yield f"No order for {listed(idle)}: {by_number(len(idle), 'it', 'they')} held."
    elif kind(outcome.phase) == "M" and outcome.position.holdings(powers)[0]:
        what = "You sent bids but no orders" if has_bid else "NMR: you sent no orders"
        yield f"{what}, so your {by_number(len(idle), 'unit', 'units')} held."


def _own_orders(outcome: Outcome, powers: Collection[str]) -> Iterator[str]:
    given = _results_of(outcome, powers)
    failed = []
    for result in given:
        if fates := [mark for mark in marks(result) if mark != "dislodged"]:
            failed.append(f"{result.order} ({listed(fates)})")
    if failed:
        yield f"Failed: {'; '.join(failed)}."
    elif given and not any(map(outcome.dislodged.get, powers)):
        whole = {1: "Your order", 2: "Both of your orders"}.get(len(given), f"All {len(given)} of your orders")
        yield f"{whole} succeeded."


def _holdings(
    variant: Variant, position: Position, outcome: Outcome, powers: Collection[str], by_then: str
) -> Iterator[str]:
    """Yield sentences on the number of the player's centers, and on what the winter asks of the player."""
    centers = outcome.position.holdings(powers)[1]
    if not any(outcome.position.holdings(powers)):
        yield "You have no centers and no units left."
        return
    due = _due_units(outcome, powers)
    doomed = due.pop("lose", {})
    wanted = [f"{do} {_units_of(by_power, powers)}" for do, by_power in sorted(due.items())]
    asked = needs(variant, outcome.position) if outcome.position.kind == "A" else {}
    if any(need.homes for power, need in asked.items() if power in powers):
        wanted.append("name your new home center")
    then = f": {listed(wanted)}{by_then}" if wanted else ""
    yield f"You have {counted(centers, 'center')}{_change(position, outcome.position, powers)}{then}."
    if doomed:
        yield f"{_units_of(doomed, powers)} of yours will be removed, for lack of centers."


def _change(before: Position, after: Position, powers: Collection[str]) -> str:
    """Return how the player's centers have changed, such as ` (+1)`, or "" if they have not.

    If the player has both won and lost centers, the text names them, since their number says little.
    """
    had = {center for power in powers for center in before.centers_of(power)}
    has = {center for power in powers for center in after.centers_of(power)}
    won, lost = sorted(has - had), sorted(had - has)
    told = [f"{len(has) - len(had):+d}"] * (len(has) != len(had))
    if won and lost:
        told += [f"won {listed(won)}", f"lost {listed(lost)}"]
    return f" ({', '.join(told)})" if told else ""


def _due_units(outcome: Outcome, powers: Collection[str]) -> dict[str, dict[str, int]]:
    """Return {"build", "remove" or "lose": {power: number of units}}, without powers that have nothing to do.

    A power that loses all its units has no choice to make (judge/rules/phases/needs.py).
    """
    due: dict[str, dict[str, int]] = {}
    for power in powers:
        number = outcome.adjust.get(power, 0)
        if not number:
            continue
        what = "build" if number > 0 else "remove"
        if number == -len(outcome.position.units_of(power)):
            what = "lose"
        due.setdefault(what, {})[power] = abs(number)
    return due


def _units_of(by_power: Mapping[str, int], powers: Collection[str]) -> str:
    return f"{counted(sum(by_power.values()), 'unit')}{shares(by_power, powers)}"


def shares(by_power: Mapping[str, int], powers: Collection[str]) -> str:
    """Return whose units a number counts, if the player has several powers: ` (Canada)`, ` (China 2, Italy 1)`."""
    if len(powers) == 1:
        return ""
    shares = by_power if len(by_power) == 1 else (f"{power} {number}" for power, number in by_power.items())
    return f" ({', '.join(shares)})"
