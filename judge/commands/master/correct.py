"""CORRECT, COAST and BORDER, to correct the position, orders or the map by hand and notify all players.

The classic judges did not have these commands. Lines of CORRECT are written like results
(judge/games/life/position_lines.py). If one line of a command is wrong, none of its lines is carried out.
"""

from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import TypeVar

from judge.commands.core.answer import ALL_TOLD
from judge.commands.core.command import Body, CommandError, Family, When, Who, refused
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import ruler, sees, tell_dropped
from judge.games.core.board import board, whole_variant_at
from judge.games.core.work import Refusal
from judge.games.life import corrections
from judge.games.life.corrections import change_border
from judge.games.life.position_lines import EXAMPLE, Draft
from judge.games.orders.bids import may_be_bid
from judge.games.orders.filed_orders import FiledOrders, Read, Unused
from judge.rules import NEUTRAL, OrderError, counted, listed, parse_order
from judge.rules.board.province import BorderChange, CoastChange
from judge.rules.game_options import check_change, read_change, read_coasts
from judge.rules.mechanisms.auction import check_neutral_order
from judge.rules.parsing.decoration import split_orders
from judge.rules.parsing.lines import is_about_the_rest, readings, slot_named
from judge.rules.suggestions import Board, corrected, is_read
from judge.store.seats import with_players

_Change = TypeVar("_Change", BorderChange, CoastChange)
_ORDERS_EXAMPLE = "Write France: A PAR - BUR, France: CLEAR A PAR or France: CLEAR."


command = Family("master", who=Who.MASTER, when=When.OPEN, lasting=True, of_phase=True)


@command(
    "CORRECT POSITION <line>",
    act="CORRECT POSITION",
    help="the same for one line: CORRECT POSITION France: A PAR - BUR",
)
@command(
    "CORRECT POSITION (then lines like France: A BUR, Nobody: A PAR or France: BEL, then END)",
    act="CORRECT POSITION",
    body=Body.LINES,
    help="correct the board before the current phase: units and owners of centers; all players are notified",
)
def correct_position(context: CommandContext, line: str | None = None) -> str:
    """Change the units and the owned centers on the board, by one line or by the lines up to END."""
    game, phase = context.seat.game, context.seat.open_phase
    variant, position = board(game, phase)
    draft = Draft(variant, position, "CORRECT POSITION " if line else "")
    wrong = []
    for one in _lines(context, line, EXAMPLE):
        try:
            draft.take(one)
        except Refusal as mistake:
            wrong.append((one, str(mistake)))
    _refuse_wrong(context, wrong)
    if not draft.changes:
        raise CommandError("Already set, so nothing changed.")
    with refused(Refusal, after=" Nothing was changed."):
        corrected = draft.finished()
    dropped = corrections.correct_position(context.work, game, phase, corrected, draft.changes, ruler(context))
    context.say("\n".join(draft.changes))
    tell_dropped(context, dropped)
    return f"The position before {phase.name} has been corrected.{ALL_TOLD}"


@command(
    "CORRECT ORDERS <line>",
    "CORRECT ORDER",
    act="CORRECT ORDERS",
    help="the same for one line: CORRECT ORDERS France: A PAR - BUR",
)
@command(
    "CORRECT ORDERS (then lines like France: A PAR - BUR or France: CLEAR A PAR, then END)",
    "CORRECT ORDER",
    act="CORRECT ORDERS",
    body=Body.LINES,
    help="give, replace or clear orders on file, also of a power without a player, or of a neutral; all players are "
    "notified",
)
def correct_orders(context: CommandContext, line: str | None = None) -> str:
    """Give, replace or clear orders on file, by one line or by the lines up to END."""
    session = context.session
    game, phase = context.seat.game, context.seat.open_phase
    lines = _lines(context, line, _ORDERS_EXAMPLE)
    with session.begin_nested():
        book = FiledOrders(session, game, phase)
        before = {name: book.given(name) for name in (*book.variant.seat_named, NEUTRAL)}
        hidden = {name for name in before if not sees(context, "orders", power=name)}
        wrong, named = _change(context, book, lines, hidden)
        _refuse_wrong(context, wrong)
    # List a power with hidden orders even if its orders are unchanged, so that the list does not reveal them.
    changed = [name for name, orders in before.items() if book.given(name) != orders or name in hidden & named]
    if not changed:
        raise CommandError("All of that is already on file, so nothing changed.")
    if NEUTRAL in hidden:
        neutrals = named & book.variant.provinces.keys()
    else:
        neutrals = {order.slot for order in {*before[NEUTRAL]} ^ {*book.given(NEUTRAL)}}
    corrections.orders_corrected(context.work, book, changed, ruler(context), neutrals=neutrals)
    whose = corrections.named(changed, sorted(book.variant.named(neutrals)))
    held = with_players(session, game)
    shown = ""
    if played := [power for power in changed if power in held]:
        gets = "players of {} get" if len(played) > 1 else "player of {} gets"
        shown = f", and the {gets.format(listed(played))} the new orders"
    return f"The orders of {whose} for {phase.name} have been changed. All players have been notified{shown}."


def _change(
    context: CommandContext, book: FiledOrders, lines: Sequence[str], hidden: Set[str]
) -> tuple[list[Unused], set[str]]:
    """File and withdraw orders, and return the failed lines with reasons, and the powers or groups named.

    For neutrals, their provinces are also returned. `hidden` has the powers or groups whose orders on file the master
    may not see.
    """
    wrong = []
    given: list[Read] = []
    seats = set()
    for line in lines:
        try:
            power, order = _power(book, line)
            seat = power if power in (NEUTRAL, *book.variant.seat_named) else book.variant.seat_of(power)
            verb, _, unit = order.strip().rstrip(".").partition(" ")
            if verb.upper() == "CLEAR":
                slots = {_withdraw(book, power, unit, is_hidden=seat in hidden)}
            else:
                read = _ordered(book, line, power, order, given)
                given += read
                slots = {one.slot for *_, one in read}
            seats |= {seat, *slots} if seat == NEUTRAL else {seat}
        except OrderError as mistake:
            head = "" if context.call.body else "CORRECT ORDERS "
            wrong.append((line, _corrected(book, head, line, mistake)))
    return wrong + book.give(given, context.letter.row.id, context.work.now), seats


def _ordered(book: FiledOrders, line: str, power: str, order: str, given: Sequence[Read]) -> list[Read]:
    """Return the orders on a line for the power or neutral, or raise OrderError for a mistake.

    `given` has the orders on earlier lines.
    """
    variant, position = book.variant, book.position
    if power == NEUTRAL:
        read = (parse_order(variant, "M", part) for part in split_orders(order))
        return [(line, NEUTRAL, check_neutral_order(variant, position, one)) for one in read]
    if may_be_bid(variant, order):
        raise OrderError(f"This is a bid. Write BECOME {power} on a line of its own, and {order.strip()} below it.")
    found: list[Read] = []
    for reading in sorted(readings(variant, power, position.kind, order), key=is_about_the_rest):
        found += [(line, *one) for one in book.understood(power, reading, [*given, *found])]
    return found


def _corrected(book: FiledOrders, head: str, line: str, mistake: OrderError) -> str:
    """Return the reason of a mistake and the line to write in its place.

    `head` is the command before the line, if any.
    """
    try:
        power, _ = _power(book, line)
    except OrderError:
        return str(mistake)
    before, variant, position = f"{head}{line.partition(':')[0].strip()}: ", book.variant, book.position
    if power == NEUTRAL:
        read = partial(parse_order, variant, "M")
        takes = partial(is_read, lambda text: check_neutral_order(variant, position, read(text)))
        return corrected(mistake, takes, bid=before)
    possible = Board(variant, position, power if power in variant.seat_named else variant.seat_of(power))
    return corrected(mistake, possible.takes, possible, before)


def _withdraw(book: FiledOrders, power: str, unit: str, *, is_hidden: bool) -> str:
    """Withdraw the power's orders, or only the unit's, and return the unit's province, or "" for all units.

    Raises OrderError if there are no such orders.
    """
    slot = slot_named(book.variant, unit) if unit.upper() not in ("", "ALL") else ""
    # If the master may not see the power's orders, a refusal must not reveal that none are on file.
    if not book.withdraw(power, slot) and not is_hidden:
        what = f"order for {unit}" if slot else "orders"
        raise OrderError(f"{power} has no {what} on file.")
    return slot


def _power(book: FiledOrders, line: str) -> tuple[str, str]:
    """Return the power, the group or Neutral that a line begins with, and the text after the colon."""
    who, colon, order = line.partition(":")
    if not (colon and order.strip()):
        raise OrderError("Each line starts with a power and a colon.", _ORDERS_EXAMPLE)
    if who.strip().casefold() == NEUTRAL.casefold() and book.variant.neutrals.units:
        return NEUTRAL, order
    for named in (book.variant.power, book.variant.seat):
        try:
            return named(who.strip()).name, order
        except KeyError as unknown:
            why = unknown.args[0]
    raise OrderError(why)


def _lines(context: CommandContext, line: str | None, example: str) -> Sequence[str]:
    """Return the text after the command as the only line, or else the lines of its body.

    Raises CommandError if there are none.
    """
    if line:
        return [line]
    if not context.call.body:
        raise CommandError(f"Put the corrections on the next lines, then END. {example}")
    return context.call.body


def _refuse_wrong(context: CommandContext, wrong: Sequence[Unused]) -> None:
    """Raise CommandError if a line is wrong, so that no line takes effect. Half a correction is worse than none."""
    if wrong and not context.call.body:
        raise CommandError(f"{wrong[0][1]} Nothing was changed.")
    if wrong:
        for line, why in wrong:
            context.remark(why, "error", line)
        raise CommandError(f"{counted(len(wrong), 'line')} cannot be carried out, so nothing was changed.")


def _change_of_board(read: Callable[[str], _Change], text: str, head: str = "") -> _Change:
    """Return the change to the board that `read` finds in the text, or raise CommandError with a correct line.

    `head` is the command that this line begins with.
    """
    with refused(OrderError, after=" The board was not changed."):
        try:
            return read(text)
        except OrderError as mistake:
            raise OrderError(corrected(mistake, partial(is_read, read), bid=head)) from None


borders = Family("master", who=Who.MASTER, when=When.FORMING, act="BORDER, COAST", together=True)


@borders(
    "COAST JOIN|SPLIT <province>[: <coast> <provinces>; <coast> <provinces>]",
    "COASTS",
    reads="JOIN|SPLIT <province>[: <coasts>]",
    help="before the game starts: correct the coasts of a province for this game; all players are notified",
)
def coast(context: CommandContext, how: str, province: str, coasts: str | None) -> None:
    """Join or separate the coasts of a province.

    Coasts can be changed only before the game begins, because later there may be units on them.
    """
    game = context.seat.game
    splits, board_now = how.upper() == "SPLIT", whole_variant_at(game, None)

    def read(province: str) -> CoastChange:
        return read_coasts(board_now, province, coasts or "", splits=splits)

    change = _change_of_board(read, province)
    change_border(context.work, game, None, change)
    context.seat.pending.borders.append(str(change))


@borders(
    "BORDER ADD|REMOVE ARMY|FLEET <province> - <province>",
    reads="ADD|REMOVE ARMY|FLEET <places>",
    when=When.LIVING,
    lasting=True,
    of_phase=True,
    help="correct a border of the board for this game, from now on; all players are notified",
)
def border(context: CommandContext, how: str, what: str, places: str) -> None:
    """Add a border to the map of this game, or remove one, for all later orders.

    Consecutive corrections are announced in one email (`tell_borders`).
    """
    here = context.seat
    game = here.game
    board_now = whole_variant_at(game, here.phase)

    def read(places: str) -> BorderChange:
        change = read_change(board_now, how.upper() == "ADD", what.upper(), places)
        check_change(board_now, change)
        return change

    change = _change_of_board(read, places, f"BORDER {how} {what} ")
    change_border(context.work, game, here.phase, change)
    undone = str(change.opposite)
    if undone in here.pending.borders:
        here.pending.borders.remove(undone)
        context.remark("this undoes an earlier line of your email.")
    else:
        here.pending.borders.append(str(change))
