"""Accept orders in a form of the judge that the sender has filled in within the quote of a reply.

The orders are accepted if the judge still has the answered email. Each line of the form that differs from that email
must be an order for the sender's own units. Under these conditions no one else wrote the lines, and no mail program
changed them.
"""

from collections.abc import Sequence

from judge.commands.core.answered_mail import FilledForm, filled_forms, quoted_texts
from judge.commands.core.blocks import Block
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import blocks_of
from judge.commands.play import orders
from judge.commands.play.stray_lines import may_order
from judge.commands.play.unread_lines import is_missing, own_orders
from judge.games.core.board import signon_of
from judge.games.orders.line_kinds import kind_of
from judge.letters import Line, signon_words
from judge.store.seats import played_by


def give_filled(context: CommandContext) -> None:
    """File the orders in the seat's form in the quote, and mention them at the beginning of the answer.

    The orders in the form replace no other order of the letter.
    """
    seat = context.seat
    if not (seat.row.power and seat.phase) or seat.acting or orders.refusal(context):
        return
    signon = signon_of(seat.game, seat.row)
    for form in filled_forms(context):
        if signon_words(form.signon)[:1] == (signon,):
            _give(context, form)


def _give(context: CommandContext, form: FilledForm) -> None:
    """File the orders in the seat's form if some are not on file and all may be filed."""
    seat = context.seat
    # In a winter new orders replace all orders on file, so all lines of the form are filed.
    lines = form.orders if seat.book.kind == "A" else form.own
    missing = [line for line in form.own if _is_bid(context, line) or is_missing(context, line)]
    if missing and _may_be_given(context, lines):
        seat.lines.ahead = ""
        orders.give(context, [*lines])
        context.answer.foremost.append(f"Taken from the form in the quote: {context.answer.some(missing)}.")


def _may_be_given(context: CommandContext, lines: Sequence[str]) -> bool:
    """Return whether each line is a bid, or an order for an own unit without another order in the letter."""
    given = {(power, slot) for _, power, slot in context.letter.orders.latest}
    ordered = [own_orders(context, line) for line in lines if not _is_bid(context, line)]
    twice = any((power, order.slot) in given for found in ordered for power, order in found)
    return all(ordered) and not twice and not (given and context.seat.book.kind == "A")


def _is_bid(context: CommandContext, line: str) -> bool:
    return kind_of(context.seat.variant, line) == "bid"


def block_of_form(context: CommandContext, blocks: Sequence[Block]) -> Block | None:
    """Return the block of a quoted form with a password, or None if the letter has another sign-on."""
    if any(block.opening for block in blocks):
        return None
    filled = next((form for form in filled_forms(context) if form.signs_on), None)
    block = blocks_of(context, [Line(filled.signon)])[-1] if filled else None
    return block if block and block.opening else None


def are_quoted(context: CommandContext) -> bool:
    """Return whether the quote has orders of the sender, in a filled-in form of the judge or after a sign-on."""
    quoted = quoted_texts(context.letter.parsed)
    # The judge's forms have "<your password>" in place of a password.
    if not any(context.letter.reader.signs_on(text) and "<" not in text for text in quoted):
        return any(filled_forms(context))
    played = played_by(context.session, context.letter.person)
    return any(may_order(context.session, game, seat, quoted) for seat, game in played)
