"""Whether a line is an order for one's own units, wherever it stands in a letter."""

from collections.abc import Iterable

from judge.commands.core.context import CommandContext
from judge.games.core.board import board, variant_of
from judge.rules import OrderError, Position, Variant, Waive, looks_like_order
from judge.rules.board.names import fold
from judge.rules.board.phase import kind
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
    """Whether the order is for one of these provinces, or for all units."""
    return isinstance(reading.order, Waive) or reading.order.slot in own | {""}


def may_be_own_order(context: CommandContext, line: str) -> bool:
    """Whether the line may be an order for a unit of the writer: for any unit if a master writes.

    A proposal for the unit of an ally is none. Of a line that cannot be read the first province counts.
    """
    seat = context.the_seat
    if not looks_like_order(variant_of(context.the_game), line):
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
    """Whether a whole order of the writer's stands behind the first words of a line, or between marks: "not A PAR H",
    "Fall: A PAR H", "~~A PAR H~~".
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
