"""Leave out results that were pasted among orders, since they describe orders in the words of the judge's emails.

Lines in these words are read as orders if each of them is an order of the seat. If some lines are of other powers, or
of units without an order, the lines only show what happened. Then none of them is read, and the reply shows the orders
to write.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.commands.core.context import CommandContext
from judge.commands.core.reading import Said
from judge.games.core.board import board
from judge.games.orders.line_kinds import whose
from judge.rules import OrderError, counted, format_order
from judge.rules.board.power import NEUTRAL
from judge.rules.parsing.lines import read_line

_MOST_NAMED = 6
_IDLE, _MARK = ", No Order Processed.", "(*"


@dataclass(frozen=True)
class _Result:
    """A line of results, such as "France: Army Paris -> Burgundy. (*bounce*)"."""

    item: Said
    power: str
    # True if the line says that the unit had no order.
    is_idle: bool
    # True if the line has a mark for the outcome, such as (*bounce*).
    is_marked: bool


def _result(item: Said) -> _Result | None:
    """Return the parts of a line of results, or None if the line is not from results."""
    power, _, told = item.text.strip().partition(":")
    order, is_marked = told.strip(), False
    if order.endswith(")"):
        order, mark, _ = order.rpartition(_MARK)
        is_marked = bool(mark)
    order = order.rstrip()
    is_one = order.startswith(("Army ", "Fleet ")) and order.endswith(".") and ":" not in order
    return _Result(item, power.strip(), order.endswith(_IDLE), is_marked) if is_one and not item.call else None


def without_results(context: CommandContext, items: Sequence[Said]) -> list[Said]:
    """Return the items after a sign-on, without results if these are not all orders of the seat.

    The reply begins with the number of results and the orders to send.
    """
    if not (context.seat.row.power and context.seat.phase):
        return list(items)
    results = [*filter(None, map(_result, items))]
    if not _show_what_happened(context, results):
        return list(items)
    are = "is" if len(results) == 1 else "are"
    said = f"{counted(len(results), 'line')} of your email {are} from results, and not recorded as orders."
    left_out = [found.item for found in results]
    instead = _instead(context, [item.text for item in left_out])
    context.answer.foremost.append(f"{said} {instead}".rstrip())
    return [item for item in items if item not in left_out]


def _show_what_happened(context: CommandContext, results: Sequence[_Result]) -> bool:
    """Return whether these lines are results, not orders. A single order under a wrong name is still an order."""
    foreign = [found for found in results if not _is_own(context, found)]
    if not foreign:
        return False
    return len(foreign) < len(results) or any(found.is_idle or found.is_marked for found in results)


def _instead(context: CommandContext, lines: Sequence[str]) -> str:
    """Return a sentence with the orders to write for `lines`, or "" if the seat can give none."""
    here = context.seat
    read = [one for line in lines for one in read_line(*board(here.game, here.open_phase), here.power, line)]
    orders = [format_order(one[1]) for one in read if not isinstance(one, OrderError)]
    if not orders:
        return ""
    again = f"send {'; '.join(orders)}" if len(orders) <= _MOST_NAMED else "send only the lines of your own units"
    return f"To order the same now, {again}."


def _is_own(context: CommandContext, result: _Result) -> bool:
    """Return whether the line may be the player's own order.

    The name before it must be that of the player's power, or not the name of any power. If the line is marked with a
    result, it must order one of the player's units.
    """
    here = context.seat
    variant, position = board(here.game, here.open_phase)
    if result.is_idle or result.power == NEUTRAL:
        return False
    if result.is_marked:
        return whose(variant, position, here.power, result.item.text) == "own"
    try:
        return variant.seat(result.power).name == here.power
    except KeyError:
        return True
