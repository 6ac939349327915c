"""The one door: a position and its orders in, everything that follows from them out.

`adjudicate` is a function: the same input gives the same outcome, and no order makes it fail. An order that can
never be carried out is void and says why; the unit then does what a unit without an order does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from judge.rules.adjustments import Adjustment, balances
from judge.rules.legality import complete
from judge.rules.movement import Attack, Movement
from judge.rules.orders import Convoy, Move, Order, OrderError, Retreat, Support, Unit
from judge.rules.phase import following, kind, season, year
from judge.rules.position import Dislodged, Position, sort_units
from judge.rules.retreats import carry_out, choices, complete_retreat
from judge.rules.table import Table
from judge.rules.variant import NEUTRAL, Variant
from judge.rules.victory import owned_after_fall, winner

Orders = Mapping[str, Sequence[Order]]


@dataclass(frozen=True)
class OrderResult:
    """What became of an order: words of `judge adjudicate` ("ok", "bounce", "cut", "dislodged", …); `why` it
    was void.
    """

    power: str
    order: Order
    results: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True)
class Outcome:
    """What a phase came to. `position` is the next one, of the phase `next_phase`.

    `results`: one for each order, in the order in which they were given. `dislodged`: {power: the units that
    this movement dislodged, each with the places it may retreat to}. `removed`: {power: units that were
    disbanded or removed without an order for it}. `adjust`: the builds (+) and removals (-) that are due, when
    a winter comes next.
    """

    phase: str
    position: Position
    results: tuple[OrderResult, ...]
    dislodged: Mapping[str, tuple[tuple[Dislodged, tuple[str, ...]], ...]] = field(default_factory=dict)
    contested: tuple[str, ...] = ()
    removed: Mapping[str, tuple[Unit, ...]] = field(default_factory=dict)
    adjust: Mapping[str, int] = field(default_factory=dict)
    winner: str | None = None

    @property
    def next_phase(self) -> str:
        return self.position.phase


def adjudicate(variant: Variant, position: Position, orders: Orders) -> Outcome:
    """What follows from the orders, {power: its orders}, in whatever phase the position is.

    Of several orders for one unit the last that can be carried out counts.
    """
    phase = {"M": _movement, "R": _retreats, "A": _adjustments}[kind(position.phase)]
    return phase(variant, position, orders)


# --- movement -------------------------------------------------------------------------------------------------


def _movement(variant: Variant, position: Position, orders: Orders) -> Outcome:
    table = Table(variant, position)
    taken = _take(orders, lambda power, order: complete(table, power, order))
    numbers = table.board.place_number
    movement = Movement(table, {numbers[one.order.slot]: one.order for one in taken if not one.why})
    beaten = _beaten(movement)
    units: dict[str, list[Unit]] = {}
    dislodged: dict[str, list[Dislodged]] = {}
    for province, piece in table.at.items():
        attack = movement.attacks.get(province)
        if attack and attack.state:
            units.setdefault(piece.power, []).append(Unit(piece.unit.kind, attack.to))
        elif province in beaten:
            winner_from = table.board.provinces[beaten[province].source]
            dislodged.setdefault(piece.power, []).append(Dislodged(piece.unit, winner_from, beaten[province].convoyed))
        else:
            units.setdefault(piece.power, []).append(piece.unit)
    after = replace(
        position,
        phase=following(position.phase),
        units=_sorted_units(variant, units),
        dislodged={
            power: tuple(sorted(dislodged[power], key=lambda one: str(one.unit)))
            for power in _in_order(variant, dislodged)
        },
        contested=_contested(movement, beaten),
    )
    places = choices(variant, after)
    outcome = Outcome(
        phase=position.phase,
        position=after,
        results=tuple(
            OrderResult(one.power, one.order, _movement_result(movement, beaten, one), one.why) for one in taken
        ),
        dislodged={
            power: tuple((one, places[power][one.unit]) for one in beaten_units)
            for power, beaten_units in after.dislodged.items()
        },
        contested=after.contested,
    )
    if any(options for by_unit in places.values() for options in by_unit.values()):
        return outcome
    return _end_of_season(variant, outcome)


def _beaten(movement: Movement) -> dict[int, Attack]:
    """{province: the attack that dislodged the unit there}."""
    at, attacks = movement.table.at, movement.attacks
    return {
        attack.target: attack
        for attack in attacks.values()
        if attack.state and attack.target in at and not (attack.target in attacks and attacks[attack.target].state)
    }


def _contested(movement: Movement, beaten: Mapping[int, Attack]) -> tuple[str, ...]:
    """Provinces that a stand-off left empty. A unit beaten head-to-head stands off nobody there (DATC 4.A.7)."""
    found = []
    for target, attacks in movement.into.items():
        stayed = target in movement.table.at and not (target in movement.attacks and movement.attacks[target].state)
        if stayed or any(attack.state for attack in attacks):
            continue
        if any(movement.path(attack) and not (attack.opponent and attack.opponent.state) for attack in attacks):
            found.append(movement.board.provinces[target])
    return tuple(sorted(found))


def _movement_result(movement: Movement, beaten: Mapping[int, Attack], one: "_Taken") -> tuple[str, ...]:
    province = movement.board.place_number.get(one.order.slot, -1)
    word = "void" if one.why else _movement_word(movement, beaten, province, one.order)
    hit = province in beaten and movement.table.at[province].power == one.power
    return (word, "dislodged") if hit else (word,)


def _movement_word(movement: Movement, beaten: Mapping[int, Attack], province: int, order: Order) -> str:
    match order:
        case Move():
            attack = movement.attacks[province]
            if attack.state:
                return "ok"
            if not attack.convoyed or movement.path(attack):
                return "bounce"
            routes = movement.board.connected(attack.source, attack.target, attack.route)
            return "disrupted" if routes else "no convoy"
        case Support():
            if province not in movement.helps:
                return "void"
            return "cut" if movement.cut(movement.helps[province]) else "ok"
        case Convoy():
            if province not in movement.convoys:
                return "void"
            return "disrupted" if province in beaten else "ok"
    return "ok"


# --- retreats -------------------------------------------------------------------------------------------------


def _retreats(variant: Variant, position: Position, orders: Orders) -> Outcome:
    table = Table(variant, position)
    taken = _take(orders, lambda power, order: complete_retreat(table, power, order))
    legal: dict[str, list[Order]] = {}
    for one in taken:
        if not one.why:
            legal.setdefault(one.power, []).append(one.order)
    retreated = carry_out(legal)
    obeyed = {(one.power, one.order.slot) for one in taken if not one.why}
    units = {power: list(staying) for power, staying in position.units.items()}
    for power, arrived in retreated.arrived.items():
        units.setdefault(power, []).extend(arrived)
    removed = {
        power: tuple(one.unit for one in dislodged if (power, one.unit.province) not in obeyed)
        for power, dislodged in position.dislodged.items()
    }
    outcome = Outcome(
        phase=position.phase,
        position=replace(position, units=_sorted_units(variant, units), dislodged={}, contested=()),
        results=tuple(
            OrderResult(one.power, one.order, (_retreat_word(one, retreated.collisions),), one.why) for one in taken
        ),
        removed={power: gone for power, gone in removed.items() if gone},
    )
    return _end_of_season(variant, outcome)


def _retreat_word(one: "_Taken", collisions: frozenset[str]) -> str:
    if one.why:
        return "void"
    collided = isinstance(one.order, Retreat) and one.order.to.partition("/")[0] in collisions
    return "bounce" if collided else "ok"


# --- adjustments ----------------------------------------------------------------------------------------------


def _adjustments(variant: Variant, position: Position, orders: Orders) -> Outcome:
    table = Table(variant, position)
    winters = {name: Adjustment(table, name) for name in (*orders, *position.units)}
    results = []
    for power, given in orders.items():
        for order in given:
            try:
                results.append(OrderResult(power, winters[power].take(order), ("ok",)))
            except OrderError as mistake:
                results.append(OrderResult(power, order, ("void",), str(mistake)))
    removed = {power: tuple(winter.default_removals()) for power, winter in winters.items()}
    units = {
        power: [
            unit
            for unit in (*position.units.get(power, ()), *winter.built)
            if unit not in winter.removed and unit not in removed[power]
        ]
        for power, winter in winters.items()
    }
    return Outcome(
        phase=position.phase,
        position=replace(
            position,
            phase=following(position.phase),
            units=_sorted_units(variant, units),
            dislodged={},
            contested=(),
        ),
        results=tuple(results),
        removed={power: gone for power, gone in removed.items() if gone},
    )


# --- what the phases share ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Taken:
    """An order as it was taken: completed, or with the reason why it is void."""

    power: str
    order: Order
    why: str


def _take(orders: Orders, completed: Callable[[str, Order], Order]) -> list[_Taken]:
    """The orders completed, in the order in which they were given; for each unit the last good one counts."""
    taken: list[_Taken] = []
    counts: dict[tuple[str, str], int] = {}
    for power, given in orders.items():
        for order in given:
            try:
                taken.append(_Taken(power, completed(power, order), ""))
            except OrderError as mistake:
                taken.append(_Taken(power, order, str(mistake)))
                continue
            slot = (power, order.slot)
            if slot in counts:
                earlier = taken[counts[slot]]
                taken[counts[slot]] = replace(earlier, why="A later order for the unit replaced this one.")
            counts[slot] = len(taken) - 1
    return taken


def _end_of_season(variant: Variant, outcome: Outcome) -> Outcome:
    """The outcome with the phase in which somebody has something to do next; ownership changes after a Fall."""
    after = replace(outcome.position, dislodged={}, contested=())
    if season(outcome.phase) == "Spring":
        return replace(outcome, position=replace(after, phase=f"F{year(outcome.phase)}M"))
    after = replace(after, phase=f"W{year(outcome.phase)}A", centers=owned_after_fall(variant, after))
    adjust = balances(variant, after)
    if not adjust:
        after = replace(after, phase=following(after.phase))
    return replace(outcome, position=after, adjust=adjust, winner=winner(variant, after))


def _in_order(variant: Variant, table: Mapping[str, object]) -> list[str]:
    """The powers of the table in the variant's order, the neutrals last."""
    return [name for name in (*variant.power_named, NEUTRAL) if name in table]


def _sorted_units(variant: Variant, units: Mapping[str, Sequence[Unit]]) -> dict[str, tuple[Unit, ...]]:
    return {power: sort_units(units[power]) for power in _in_order(variant, units) if units[power]}
