"""Finish a block of orders by filing its bids and writing the report on the player's orders."""

from judge.commands.core.context import CommandContext
from judge.commands.core.handling import blind, ruler, sees
from judge.commands.play import orders
from judge.commands.play.unmeant_lines import tell_on_file
from judge.games.deadlines import schedule
from judge.games.life import corrections, lifecycle
from judge.games.notifications import pictures
from judge.games.orders.deferred_orders import kept, shown
from judge.games.orders.standing import form, own_forms, standing, whether_done
from judge.rules import Home, Order, counted, format_order, listed
from judge.rules.mechanisms.auction import Unread, auction
from judge.rules.phases.order_notes import order_notes, tied_bids
from judge.store.games import phases_since
from judge.store.tables import Person

# For this number of phases, a player is new to a game and gets a picture of the orders.
_NEW = 2


def conclude(context: CommandContext) -> None:
    """File the bids of a block, update the deadline, and report the filed and the missing orders."""
    here = context.seat
    answer, acting = context.answer, here.acting
    overspent = _update(context) if here.phase else ""
    _tell_cleared(context)
    for phase, number in here.lines.kept_for.items():
        # The sender may have meant these lines for the open phase.
        answer.foremost.append(f"{counted(number, 'line')} saved for {phase}, to be checked when it opens.")
    plays = here.phase is not None and bool(here.row.power)
    if plays and not blind(context) and (here.lines.asks_status or not answer.settled):
        _report(context)
    if not plays:
        return
    tell_on_file(context)
    if acting and acting.done:
        # The sender may not see what else is on file. Report only what this letter has done for the power.
        context.confirm("\n".join(acting.done))
    if overspent:
        answer.foremost.append(overspent)
    if not acting:
        _add_form(context)


def _tell_cleared(context: CommandContext) -> None:
    """Say at the beginning of the answer which orders CLEAR has taken back.

    Orders that a later line has given again are not named. The word "clear" may have been the end of a sentence.
    """
    here, lines = context.seat, context.seat.lines
    if any(bid in here.book.bids.given(here.power) for bid in lines.spared):
        context.answer.foremost.append("Your bids stay on file. DP CLEAR takes them back.")
    for phase, taken in lines.cleared.items():
        ahead = kept(context.session, here.game, here.power).get(phase, ())
        back = {shown(line.text) for line in ahead} if phase else {*map(format_order, here.book.given(here.power))}
        gone = [order for order in taken if order not in back]
        if gone or not taken:
            named = f": {', '.join(gone)}" if gone else ""
            when = f" for {phase}" if phase else ""
            context.answer.foremost.append(f"{counted(len(gone), 'order')}{when} taken back{named}.")


def _tell_displaced(context: CommandContext) -> None:
    """List the winter orders that this letter replaced.

    If old and new orders fit together, show the lines to send for both.
    """
    book = context.seat.book
    for power, displaced in book.displaced.items():
        lost = [order for order in displaced if order not in book.orders_of(power)]
        gone = [book.written(power, order) for order in lost]
        if not gone:
            continue
        if all(isinstance(order, Home) for order in lost):
            replaced = f"Your earlier {listed(gone)} was replaced"
            context.answer.foremost.append(f"{replaced}: only one center becomes your home.")
            continue
        were = "was" if len(gone) == 1 else "were"
        whose = f" for {power}" if book.variant.in_group(power) else ""
        context.answer.foremost.append(
            f"Your earlier {listed(gone)} {were} replaced: new winter orders{whose} replace all earlier winter "
            f"orders{whose}."
        )
        if lines := book.with_displaced(power):
            what = "both" if len(lines) == 2 else f"these {len(lines)}"
            context.say("\n".join([f"To have {what}, send in one email:", "", *(f"    {line}" for line in lines)]))


def _update(context: CommandContext) -> str:
    """File the bids and update the deadline. Return a sentence if the bids exceed the power's points, or ""."""
    here, work = context.seat, context.work
    lines, acting = here.lines, here.acting
    overspent = orders.file_bids(context)
    if lines.kept_for or lines.ordered and here.on_file():
        lifecycle.wake(work, here.game, here.open_phase)
    if not lines.ordered:
        return overspent
    if not blind(context):
        _tell_displaced(context)
    schedule.reckon(work, here.book)
    # All players may know that a master has given orders for a player. The announcement must not reveal whether the new
    # orders differ from earlier ones that the master may not see.
    if acting and (acting.ordered if blind(context) else here.on_file() != acting.before):
        corrections.orders_corrected(work, here.book, [here.power], ruler(context), copied=True)
    return overspent


def _add_form(context: CommandContext) -> None:
    """Add the power's form to the end of the answer, and remove it from earlier answers to the letter."""
    here = context.seat
    if here.game.state != "active" or here.row.left_at:
        return
    mine = own_forms(context.work, here.book, [here.row]) if context.letter.is_from(here.row) else []
    last = mine[0] if mine else form(here.book, here.power)
    for one in context.reply.answers:
        if one.form and last and one.form.signon == last.signon:
            one.form = None
    context.answer.form = last


def _report(context: CommandContext) -> None:
    """Write the confirmation, with the verdict, all orders on file in full words, and possible mistakes in them."""
    here, answer = context.seat, context.answer
    book, power, lines, seat = here.book, here.power, here.lines, here.row
    if not answer.settled:
        answer.verdict = whether_done(book, power)
    votes = here.acting is None or sees(context, "votes", power=power)
    now = standing(context.work, book, seat, whole=lines.asks_status, votes=votes, just_kept=lines.kept_for)
    if lines.asks_status:
        now["in_grace"] = False  # the answer to STATUS says when grace ends
    context.confirm(context.written("orders", **now))
    # The warnings and the picture after this line are about the player's own orders only.
    given = {one: book.orders_of(one) for one in book.variant.powers_of(power)}
    bids: list[Order] = [bid.order for bid in book.bids.given(power) if not isinstance(bid.order, Unread)]
    holder = context.session.get_one(Person, seat.person_id)
    notes = order_notes(book.variant, book.position, given, bids)
    notes += tied_bids(auction(book.variant, book.position, {power: book.bids.given(power)}))
    if holder.checks and notes:
        context.confirm(context.written("order_notes", notes=notes))
    has_orders = bool(bids) or any(given.values())
    if has_orders and votes and _wants_picture(context):
        shown = pictures.own_orders(here.game, book.position, given, bids)
        answer.picture_id, answer.shows_orders = pictures.with_confirmation(context.work, shown), True


def _wants_picture(context: CommandContext) -> bool:
    """Return whether to add a picture of the player's orders.

    New players get one. So do players whose orders may have a mistake, or who have sent SET MAP ORDERS. If the sender
    has asked for another picture, only that one is mailed.
    """
    game, seat, phase = context.seat.game, context.seat.row, context.seat.open_phase
    if seat.maps == "off" or any(one.picture_id for one in context.reply.answers):
        return False
    if context.answer.doubted:
        return True
    if not context.seat.lines.ordered:
        return False
    if seat.maps == "orders" or phase.number <= _NEW:
        return True
    came_later = game.started_at is not None and seat.joined_at > game.started_at
    return came_later and phases_since(context.session, game, seat.joined_at) <= _NEW
