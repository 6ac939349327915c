"""Leave out the orders below a heading that says that they are not meant, such as "Cancelled:" or "Option 2:".

Such a heading is about the paragraph below it. If a blank line follows the heading itself, it is unclear where its
orders end. Then the heading is about all lines up to the next heading, such as "Orders:".
"""

from dataclasses import replace

from judge.commands.core.context import CommandContext, UnmeantLines
from judge.commands.core.handling import blind
from judge.commands.core.reading import Said
from judge.commands.play.unread_lines import own_orders
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.rules.board.orders import UnitOrder
from judge.rules.parsing.headings import MEANT, UNMEANT

_HEADING = 'this says that the orders after it are not meant. Write "Orders:" above the orders that are.'
_INSTEAD = "To give them, send them without that line."


def is_left_out(context: CommandContext, item: Said, heading: str) -> bool:
    """Return whether a line is such a heading, or an order below it, or a heading such as "Orders:".

    `heading` is what the line says as a heading. The first sentence of the reply reports the orders.
    """
    here = context.seat
    if heading == UNMEANT:
        here.lines.unmeant = UnmeantLines(item.text)
        context.remark(_HEADING, "stray", item.text)
        return True
    if heading or item.call and item.call.command.heads:
        here.lines.unmeant = None
        return heading == MEANT
    unmeant = here.lines.unmeant = _still(here.lines.unmeant, item)
    is_order = item.call.command.is_order if item.call else kind_of(here.variant, item.text) in ORDERS
    if not (unmeant and is_order):
        return False
    context.answer.unfiled[unmeant.heading] = _INSTEAD
    here.lines.unmeant_orders.append(item.text)
    return True


def tell_on_file(context: CommandContext) -> None:
    """Say at the beginning of the answer which orders below such a heading are on file, and how to take them back."""
    if blind(context):
        return
    given = {*context.seat.book.of_seat(context.seat.power)} if context.seat.lines.unmeant_orders else set()
    lines = context.seat.lines.unmeant_orders
    orders = dict.fromkeys(order for line in lines for order in own_orders(context, line) if order in given)
    for _, order in orders:
        back = f"CLEAR {order.unit}" if isinstance(order, UnitOrder) else "CLEAR"
        context.answer.foremost.append(f"{order} is still on file; {back} takes it back.")


def _still(unmeant: UnmeantLines | None, item: Said) -> UnmeantLines | None:
    """Return `unmeant` if its heading is still about this line, or None if a blank line has ended it."""
    if unmeant and unmeant.is_section is None:
        return replace(unmeant, is_section=item.is_apart)
    return unmeant if unmeant and (unmeant.is_section or not item.is_apart) else None
