"""The end of a block of orders: what is filed with it, and the report that answers it."""

from judge.commands.core.answer import NOT_STORED, Answer
from judge.commands.core.context import CommandContext
from judge.commands.play import orders, what_if
from judge.games.deadlines import schedule
from judge.games.gm_corrections import corrections
from judge.games.life import ending
from judge.games.notifications import pictures
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.forms import form, own_forms
from judge.games.orders.standing import standing
from judge.mails.pages import Form
from judge.rules.board.names import counted
from judge.rules.board.phase import kind
from judge.rules.mechanisms.auction import Unread
from judge.store.games import phases_since
from judge.store.tables import Game, Phase, Seat

# In so many phases a player is new to a game, and sees the orders drawn.
_NEW = 2


def conclude(context: CommandContext) -> None:
    """Conclude a block: file its bids, update the deadline, and report what the player has still to do."""
    if not (context.game and context.seat):
        return
    if not context.phase:
        _count_refusals(context.answer)
        return
    overspent = orders.file_bids(context)
    if context.lines.kept_for or context.lines.ordered and context.on_file():
        ending.wake(context.work, context.game, context.phase)
    if context.lines.ordered:
        assert context.book
        schedule.reckon(context.work, context.game, context.book)
        _tell_acted(context, context.game, context.book.phase)
    if not context.seat.power:
        _count_refusals(context.answer)
        return
    if context.is_blind:
        # What the letter has done for the power, and nothing of what is on file.
        _count_refusals(context.answer)
        if context.acting and context.acting.done:
            context.answer.texts.append("\n".join(context.acting.done))
            context.answer.confirmed.append(context.answer.texts[-1])
    elif context.lines.asks_status or not context.answer.settled:
        _report(context)
    context.answer.verdict = f"{overspent} {context.answer.verdict}".lstrip()
    if context.game.state == "active" and not (context.seat.left_at or context.acting):
        assert context.book
        by_holder = context.person and context.person.id == context.seat.person_id
        mine = own_forms(context.work, context.book, [context.seat]) if by_holder else []
        _show_form(context, mine[0] if mine else form(context.book, context.seat.power))


def _show_form(context: CommandContext, last: Form | None) -> None:
    """Show the form with the orders after this block, once for a power that signs on several times in a letter."""
    for answer in context.all_answers:
        if answer.form and last and answer.form.signon == last.signon:
            answer.form = None
    context.answer.form = last


def _tell_acted(context: CommandContext, game: Game, phase: Phase) -> None:
    """Notify all players that a master has given orders as a player: that is no secret.

    A master who may not see what was on file does not learn from this mail whether it was the same.
    """
    power = context.seat.power if context.seat else None
    if not (context.acting and power):
        return
    if context.acting.ordered if context.is_blind else context.on_file() != context.acting.before:
        corrections.acted_for(context.work, game, phase, power, context.master)


def _count_refusals(answer: Answer) -> None:
    if failed := _failed(answer):
        answer.verdict = f"{failed} {answer.verdict}"


def _failed(answer: Answer) -> str:
    """`2 lines refused. 1 line not understood.`: the lines that failed each for a reason of its own."""
    told = [one for one in answer.errors if one.text != NOT_STORED and one.line not in answer.told_first]
    garbled = sum(not remark.understood for remark in told)
    counts = ((len(told) - garbled, "refused"), (garbled, "not understood"))
    return " ".join(f"{counted(count, 'line')} {what}." for count, what in counts if count)


def _report(context: CommandContext) -> None:
    """The confirmation: the verdict, then all orders on file in full words."""
    game, seat, phase = context.the_game, context.the_seat, context.the_phase
    book, power = context.the_book, context.the_power
    wanting = book.missing().get(power, [])
    if not context.answer.settled:
        context.answer.verdict = verdict(phase.name, power in book.asked, wanting, context.answer)
    votes, lines = context.acting is None or context.sees("votes", power=power), context.lines
    now = standing(context.work, book, seat, whole=lines.asks_status, votes=votes, just_kept=lines.kept_for)
    context.say("orders", **now)
    context.answer.confirmed.append(context.answer.texts[-1])
    what_if.point_out(context, book)
    _draw(context, game, seat, phase, book)


def _draw(context: CommandContext, game: Game, seat: Seat, phase: Phase, book: FiledOrders) -> None:
    """Show the player's orders as a picture, so that a mistake is seen before the deadline.

    For newcomers, and if a line was refused or may not be meant. No one else's orders are in it. A picture that was
    asked for takes its place.
    """
    orders = {power: book.orders_of(power) for power in book.variant.powers_of(context.the_power)}
    bids = [bid.order for bid in book.bids.given(context.the_power) if not isinstance(bid.order, Unread)]
    unsure = context.answer.doubted
    given = bids or any(orders.values())
    wanted = (context.lines.ordered or unsure) and given and not context.acting and seat.maps != "off"
    if not wanted or any(answer.picture_id for answer in context.all_answers):
        return
    came_later = game.started_at is not None and seat.joined_at > game.started_at
    is_new = phase.number <= _NEW or came_later and phases_since(context.session, game, seat.joined_at) <= _NEW
    if unsure or seat.maps == "orders" or is_new:
        shown = pictures.own_orders(game, book.position, orders, bids)
        context.answer.picture_id = pictures.with_confirmation(context.work, shown)
        context.answer.shows_orders = True


def verdict(phase: str, asked: bool, wanting: list[str], answer: Answer) -> str:
    """Return the first line of a confirmation: whether the player is done, and every order was understood."""
    done = _complete(phase, wanting) if asked else f"You have nothing to order in {phase}."
    return f"{_failed(answer)} {done}".lstrip()


def _complete(phase: str, wanting: list[str]) -> str:
    if not wanting:
        return "Orders complete."
    if kind(phase) == "A":
        due = [counted(wanting.count(thing), thing) for thing in ("build", "removal") if thing in wanting]
        ordered = f"{' and '.join(due)} not ordered." if due else ""
        named = "Your new home center is not named: write HOME and one of them." if "home center" in wanting else ""
        return f"{ordered} {named}".strip()
    return f"{counted(len(wanting), 'unit')} without orders: {', '.join(wanting)}."
