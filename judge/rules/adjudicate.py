"""Adjudication: take a position and the orders for its phase, and return everything that follows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from judge.rules.board.board_state import BoardState, Given, Taken, TakenMovement
from judge.rules.board.orders import (
    Build,
    Centers,
    Convoy,
    Dislodged,
    Home,
    Move,
    Order,
    OrderError,
    Places,
    Position,
    Shared,
    Unit,
    Units,
    sort_units,
)
from judge.rules.board.phase import following, kind, season, year
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.armed_neutrals import returning
from judge.rules.mechanisms.auction import Auction, Bid, auction
from judge.rules.mechanisms.build_places import home_choices, named_after_fall, with_homes
from judge.rules.mechanisms.crossings import Canals
from judge.rules.mechanisms.victory import drawn, winner
from judge.rules.phases.movement import Movement
from judge.rules.phases.retreats_and_winters import (
    Adjustment,
    balances,
    carry_out,
    choices,
    complete_retreat,
    owned_after_fall,
)
from judge.rules.variant.variant import Variant

Orders = Mapping[str, Sequence[Order]]
Bids = Mapping[str, Sequence[Bid]]
# The result of an order, such as ("bounce",) or ("void", "dislodged").
Words = tuple[str, ...]
OK = ("ok",)
BOUNCE = ("bounce",)
VOID = ("void",)
CUT = ("cut",)


class OrderResult(NamedTuple):
    """The result of an order, as `judge adjudicate` writes it. `why` says why a void order is void."""

    power: str
    order: Order
    results: Words
    why: str = ""


def convoying(order: Order, results: Iterable[OrderResult]) -> list[tuple[Unit, OrderResult]]:
    """Return each fleet that was ordered to convoy the army of a move, with the result of its order."""
    if not isinstance(order, Move) or order.unit.kind != "A":
        return []
    way = order.slot, order.target
    return [
        (convoy.unit, result)
        for result in results
        if isinstance(convoy := result.order, Convoy) and (convoy.army.province, convoy.target) == way
    ]


def carriers(order: Order, results: Iterable[OrderResult]) -> set[str]:
    """Return the provinces of the fleets that convoyed the army of a move."""
    ordered = convoying(order, results)
    return {fleet.province for fleet, result in ordered if not {"void", "dislodged"} & set(result.results)}


@dataclass(slots=True)
class Outcome(Shared):
    """The outcome of a phase.

    `position` is the position of the next phase. If the game is over, it is the position after the last Fall.

    `results` has the result of each order, in the sequence of the orders. `dislodged` is {power: its units that this
    movement dislodged, each with the places it may retreat to}. `removed` is {power: its units that were disbanded or
    removed without an order}. If the next phase is a winter, `adjust` is {power: its builds (+) or removals (-)}.

    `bids` is the auction of the neutrals' orders. The orders that won are also in `results`, after all other orders.
    `winner` is the power, or group, that has won. `drawn` has the powers, or groups, that share a draw after the last
    year. `homes` is {power: the additional home center that it has from now on}. `rebuilt` has the neutrals' units that
    came back.
    """

    phase: str
    position: Position
    results: tuple[OrderResult, ...]
    dislodged: Mapping[str, tuple[tuple[Dislodged, Places], ...]] = field(default_factory=dict)
    contested: Places = ()
    removed: Mapping[str, Units] = field(default_factory=dict)
    adjust: Mapping[str, int] = field(default_factory=dict)
    winner: str | None = None
    drawn: tuple[str, ...] = ()
    bids: Auction = Auction()
    homes: Mapping[str, str] = field(default_factory=dict)
    rebuilt: Units = ()

    @property
    def over(self) -> bool:
        """Return whether the game has ended, by a victory or as a draw after its last year."""
        return bool(self.winner or self.drawn)

    @property
    def next_phase(self) -> str:
        """Return the name of the phase after this outcome."""
        return self.position.phase

    @property
    def beaten(self) -> list[tuple[str, Dislodged, Places]]:
        """Return (the power, the unit, the places to which the unit may retreat) for each dislodged unit."""
        return [(power, *one) for power, units in self.dislodged.items() for one in units]

    @property
    def homes_by_default(self) -> tuple[str, ...]:
        """Return the powers that had to name a home center in this winter and did not name one."""
        said = {
            power
            for power, order, results, _ in self.results
            if results == OK
            and (isinstance(order, Home) or isinstance(order, Build) and order.slot == self.homes.get(power))
        }
        return tuple(power for power in self.homes if kind(self.phase) == "A" and power not in said)


def adjudicate(variant: Variant, position: Position, orders: Orders, bids: Bids | None = None) -> Outcome:
    """Return the outcome of the orders, {power: its orders}, for a position of any phase.

    If a unit has several orders, the last valid order counts. `bids` is {bidder: its bids}. An auction of the bids
    decides the orders of all neutrals that have no order under "Neutral".
    """
    variant = variant.at(position.phase)
    given = list(orders.items())
    auctioned = auction(variant, position, bids, orders) if bids else None
    if auctioned:
        given.append((NEUTRAL, auctioned.orders))
    phase = {"M": _movement, "R": _retreats, "A": _adjustments}[kind(position.phase)]
    outcome = phase(BoardState(variant, position), given)
    if canals := variant.rule(Canals):
        outcome = replace(outcome, position=canals.as_phase_begins(outcome.position))
    return replace(outcome, bids=auctioned) if auctioned else outcome


# --- movement -------------------------------------------------------------------------------------------------


def _movement(table: BoardState, orders: Given) -> Outcome:
    position = table.position
    taken = TakenMovement(table, orders)
    movement = Movement(table, taken)
    moved, beaten = _moved(movement)
    units, dislodged = _where_they_stand(table, movement, moved, beaten)
    after = Position(
        phase=following(position.phase),
        units=units,
        centers=position.centers,
        dislodged=dislodged,
        contested=_contested(movement),
        homes=position.homes,
        neutrals=position.neutrals,
    )
    places = choices(table.ruleset, after) if dislodged else {}

    ended = partial(
        Outcome,
        position.phase,
        results=_movement_results(movement, beaten, taken),
        dislodged={
            power: tuple((one, places[power][one.unit]) for one in beaten_units)
            for power, beaten_units in after.dislodged.items()
        },
        contested=after.contested,
    )
    # Units that cannot retreat leave the board immediately, so they are not in the position.
    waiting = {power: tuple(one for one in units if places[power][one.unit]) for power, units in dislodged.items()}
    waiting = {power: units for power, units in waiting.items() if units}
    if not waiting:
        return _end_of_season(table.ruleset, after, ended)
    return ended(position=replace(after, dislodged=waiting))


def _moved(movement: Movement) -> tuple[dict[str, Unit], dict[str, str]]:
    """Return {province: the unit that left it, at its new place} and {province: the move that dislodged its unit}."""
    at, spots, moves, states = movement.at, movement.board.spots, movement.moves, movement.states
    moved: dict[str, Unit] = {}
    beaten: dict[str, str] = {}
    for source, state in states.items():
        if state:
            move = moves[source]
            target = move.target
            moved[source] = spots[f"{move.unit.kind} {move.to}"].unit
            if target in at and not states.get(target):
                beaten[target] = source
    return moved, beaten


def _where_they_stand(
    table: BoardState, movement: Movement, moved: Mapping[str, Unit], beaten: Mapping[str, str]
) -> tuple[dict[str, Units], dict[str, tuple[Dislodged, ...]]]:
    """Return {power: its units after the moves} and {power: its dislodged units}, each with the units sorted."""
    units: dict[str, Units] = {}
    dislodged: dict[str, tuple[Dislodged, ...]] = {}
    before = table.position.units
    for power in table.ruleset.powers_in_order(before):
        own: Sequence[Unit] = before[power]
        lost = [unit for unit in own if unit.province in beaten]
        if lost:
            own = [unit for unit in own if unit.province not in beaten]
            attackers = [(unit, beaten[unit.province]) for unit in sort_units(lost)]
            dislodged[power] = tuple(Dislodged(unit, by, by in movement.convoyed) for unit, by in attackers)
        if own:
            units[power] = sort_units([moved.get(unit.province, unit) for unit in own])
    return units, dislodged


def _contested(movement: Movement) -> Places:
    """Return the provinces that a stand-off left empty.

    A move that loses a head-to-head battle causes no stand-off in its target (DATC 4.A.7). A neutral's move into an
    empty province never succeeds, but closes the province to retreats (Intercontinental, 10.2).
    """
    at, states = movement.at, movement.states
    found = set()
    for target, comers in movement.into.items():
        if target not in at or states.get(target):
            if not any(map(states.get, comers)) and any(map(movement.stands_off, comers)):
                found.add(target)
    return tuple(sorted(found))


def _movement_results(movement: Movement, beaten: Mapping[str, str], taken: Taken) -> tuple[OrderResult, ...]:
    words = _words(movement, beaten)
    became = [words.get(order.slot, OK) for _, order in taken.orders]
    for number in taken.void:
        power, order = taken.orders[number]
        lost = order.slot in beaten and movement.at[order.slot].power == power
        became[number] = ("void", "dislodged") if lost else VOID
    return _results(taken, became)


def _words(movement: Movement, beaten: Mapping[str, str]) -> dict[str, Words]:
    """Return the result of each unit's order, by province, without results that are just "ok"."""
    words: dict[str, Words] = {}
    for source, state in movement.states.items():
        if not state:
            words[source] = _failure(movement, source)
    for giver in movement.supports:
        if giver not in movement.helping:
            words[giver] = VOID
        elif movement.cut(giver):
            words[giver] = CUT
    for fleet in movement.convoys:
        if fleet not in movement.carried:
            words[fleet] = VOID
        elif fleet in beaten:
            words[fleet] = ("disrupted",)
    for province in beaten:
        words[province] = (*words.get(province, OK), "dislodged")
    return words


def _failure(movement: Movement, source: str) -> Words:
    if source not in movement.convoyed or movement.path(source):
        return BOUNCE
    route, target = movement.routes.get(source), movement.moves[source].target
    return ("disrupted",) if route and movement.board.connected(source, target, route) else ("no convoy",)


# --- retreats -------------------------------------------------------------------------------------------------


def _retreats(table: BoardState, orders: Given) -> Outcome:
    position = table.position
    taken = Taken(table, orders, complete_retreat)
    good = taken.good()
    escaped, collided = carry_out(table.board, good)
    obeyed = {order.slot for _, order in good}
    units = {power: list(staying) for power, staying in position.units.items()}
    for power, unit in escaped:
        units.setdefault(power, []).append(unit)
    removed = {}
    for power, dislodged in position.dislodged.items():
        if gone := tuple(one.unit for one in dislodged if one.unit.province not in obeyed):
            removed[power] = gone
    became = [BOUNCE if order.slot in collided else OK for _, order in taken.orders]
    for number in taken.void:
        became[number] = VOID
    ended = partial(Outcome, position.phase, results=_results(taken, became), removed=removed)
    return _end_of_season(table.ruleset, replace(position, units=_sorted_units(table.ruleset, units)), ended)


# --- adjustments ----------------------------------------------------------------------------------------------


def _adjustments(table: BoardState, orders: Given) -> Outcome:
    variant, position = table.ruleset, table.position
    choosing = home_choices(variant, position.centers, position.homes)
    names = dict.fromkeys((*(power for power, _ in orders), *position.units, *choosing))
    winters = {name: Adjustment(table, name) for name in names}
    results = []
    for power, given in orders:
        for order in given:
            try:
                results.append(OrderResult(power, winters[power].take(order), ("ok",)))
            except OrderError as mistake:
                results.append(OrderResult(power, order, VOID, str(mistake)))
    removed: dict[str, tuple[Unit, ...]] = {}
    units: dict[str, list[Unit]] = {}
    named: dict[str, str] = {}
    for power, winter in winters.items():
        if gone := tuple(winter.default_removals()):
            removed[power] = gone
        there = (*position.units_of(power), *winter.built)
        units[power] = [unit for unit in there if unit not in winter.removed and unit not in gone]
        if winter.named:
            named[power] = winter.named
    rebuilt = returning(variant, position)
    if rebuilt:
        units[NEUTRAL] = [*units.get(NEUTRAL, ()), *rebuilt]
    return Outcome(
        phase=position.phase,
        position=replace(
            position,
            phase=following(position.phase),
            units=_sorted_units(variant, units),
            dislodged={},
            contested=(),
            homes=with_homes(position.homes, named),
        ),
        results=tuple(results),
        removed=removed,
        homes=named,
        rebuilt=rebuilt,
    )


# --- for all phases -----------------------------------------------------------------------------------------


def _results(taken: Taken, became: Iterable[Words]) -> tuple[OrderResult, ...]:
    """Return the result of each order. `became` has the words for it, in the sequence of the orders."""
    told = enumerate(zip(taken.orders, became, strict=True))
    return tuple(OrderResult(*one, words, taken.void.get(number, "")) for number, (one, words) in told)


def _end_of_season(variant: Ruleset, before: Position, ended: Callable[..., Outcome]) -> Outcome:
    """Return the outcome of a season that has ended. A winter in which nothing happens is skipped.

    After a Fall, centers get new owners. `ended` makes the outcome from the next position, the winner or draw, builds
    and removals, and new home centers.
    """
    if season(before.phase) == "Spring":
        return ended(position=_opened(before, f"F{year(before.phase)}M", before.centers, before.homes))
    centers = owned_after_fall(variant, before)
    named = named_after_fall(variant, centers, before.homes)
    homes = with_homes(before.homes, named)
    after = _opened(before, f"W{year(before.phase)}A", centers, homes)
    won = winner(variant, centers)
    shared = () if won else drawn(variant, after, year(before.phase))
    if won or shared:
        # The game ends with this Fall, so no builds are due.
        return ended(position=after, winner=won, drawn=shared, homes=named)
    adjust = balances(variant, after)
    if not (adjust or returning(variant, after) or home_choices(variant, centers, homes)):
        after = _opened(before, following(after.phase), centers, homes)
    return ended(position=after, adjust=adjust, homes=named)


def _opened(before: Position, phase: str, centers: Centers, homes: Centers) -> Position:
    return Position(phase, before.units, centers, homes=homes, neutrals=before.neutrals)


def _sorted_units(variant: Ruleset, units: Mapping[str, Sequence[Unit]]) -> dict[str, Units]:
    return {power: sort_units(units[power]) for power in variant.powers_in_order(units) if units[power]}
