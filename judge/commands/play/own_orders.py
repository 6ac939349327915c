"""Orders for one's own units: whether a line is one, wherever it stands, and what is possible instead of it."""

from collections.abc import Iterable, Iterator

from judge.commands.core.context import CommandContext
from judge.games.core.board import board
from judge.rules import (
    Move,
    Order,
    OrderError,
    Position,
    Support,
    Unit,
    Variant,
    Waive,
    check_order,
    format_order,
    looks_like_order,
)
from judge.rules.board.names import fold, listed
from judge.rules.board.phase import kind
from judge.rules.board.position import occupants
from judge.rules.parsing.lines import Reading, readings

# An order with a few words before it.
_LONGEST, _MOST_BEFORE = 120, 5
_MARKS = " ~()[]{}<>\"'!?.,"


def own_provinces(variant: Variant, position: Position, seat: str) -> set[str]:
    """The provinces whose orders are the seat's: with its units, dislodged or not, and its centers."""
    own: set[str] = set()
    for power in variant.powers_of(seat):
        own |= {unit.province for unit in position.units.get(power, ())}
        own |= {one.unit.province for one in position.dislodged.get(power, ())}
        own |= {*position.centers.get(power, ())}
    return own


def order_readings(variant: Variant, position: Position, seat: str, lines: Iterable[str]) -> list[Reading | OrderError]:
    """What the lines that look like orders order, as the seat's orders of that phase."""
    return [
        reading
        for line in lines
        if looks_like_order(variant, line)
        for reading in readings(variant, seat, kind(position.phase), line)
    ]


def is_own(reading: Reading, own: set[str]) -> bool:
    """Return whether the order is for one of these provinces, or for all units."""
    return isinstance(reading.order, Waive) or reading.order.slot in own | {""}


def may_be_own_order(context: CommandContext, line: str) -> bool:
    """Return whether the line may be an order for a unit of the writer: for any unit if a master writes.

    A proposal for the unit of an ally is none. Of a line that cannot be read the first province counts.
    """
    seat = context.the_seat
    if not looks_like_order(context.variant, line):
        return False
    if seat.role == "master":
        return True
    if not (seat.power and context.phase):
        return False
    variant, position = board(context.the_game, context.phase)
    own = own_provinces(variant, position, seat.power)
    for reading in order_readings(variant, position, seat.power, [line]):
        if isinstance(reading, OrderError):
            if _first_province(variant, line) in (own | {""}):
                return True
        elif is_own(reading, own):
            return True
    return False


def holds_own_order(context: CommandContext, line: str) -> bool:
    """Return whether an order of the writer's follows the first words of a line, or stands between marks.

    For example "not A PAR H", "Fall: A PAR H", "~~A PAR H~~".
    """
    seat = context.the_seat
    if len(line) > _LONGEST or line.lstrip().startswith(("#", "//")) or not (seat.power and context.phase):
        return False
    variant, position = board(context.the_game, context.phase)
    words = line.strip(_MARKS).split()
    rests = [" ".join(words[at:]) for at in range(min(len(words), _MOST_BEFORE))]
    own = own_provinces(variant, position, seat.power)
    return any(
        isinstance(reading, Reading) and reading.order.slot in own
        for reading in order_readings(variant, position, seat.power, rests)
    )


def _first_province(variant: Variant, line: str) -> str:
    """The province that the line names first; "" if it names none."""
    words = fold(line.replace("-", " ")).split()
    whole, most = variant.names.whole, variant.names.most_words
    named = (
        found
        for at in range(len(words))
        for length in range(most, 0, -1)
        if (found := whole(" ".join(words[at : at + length])))
    )
    return next(named, "")


# So many orders are named, and so many places.
_MOST, _MOST_PLACES = 3, 8


def suggested(variant: Variant, position: Position, power: str, order: Order) -> str:
    """`Did you mean A SER S A TRI - BUD?`, `Legal: A VIE - BOH, BUD or GAL.`; "" if nothing similar is legal."""
    if kind(position.phase) != "M" or not isinstance(order, Move | Support):
        return ""
    owner, unit = occupants(position).get(order.slot, ("", None))
    if unit is None or owner != power:
        return ""
    if isinstance(order, Move):
        moves = _legal(variant, position, power, (Move(unit, place) for place in _beside(variant, unit)))
        places = list(dict.fromkeys(move.to for move in moves if isinstance(move, Move)))
        return f"Legal: {unit} - {listed(places[:_MOST_PLACES], 'or')}." if places else ""
    legal = _legal(variant, position, power, _supports(variant, position, unit, order))
    found = list(dict.fromkeys(map(format_order, legal)))[:_MOST]
    return f"Did you mean {listed(found, 'or')}?" if found else ""


def _supports(variant: Variant, position: Position, unit: Unit, order: Support) -> Iterator[Order]:
    """Yield supports of the same unit in another move; if there is none, of any that goes there, own ones first."""
    at = occupants(position)
    mine = at[unit.province][0]
    _, helped = at.get(order.helped.province, ("", None))
    if helped:
        yield Support(unit, helped)
        yield from (Support(unit, helped, place) for place in _beside(variant, unit))
        return
    others = sorted(at.values(), key=lambda entry: entry[0] != mine)
    yield from (Support(unit, other, order.target) for _, other in others if other != unit)


def _beside(variant: Variant, unit: Unit) -> list[str]:
    """The places to which a unit of that kind goes from its province."""
    province = variant.provinces[unit.province]
    if unit.kind == "A":
        return sorted(province.army)
    coast = unit.place.partition("/")[2]
    return sorted(province.fleet.get(coast, ()))


def _legal(variant: Variant, position: Position, power: str, orders: Iterable[Order]) -> Iterator[Order]:
    for order in orders:
        try:
            yield check_order(variant, position, power, order)
        except OrderError:
            continue
