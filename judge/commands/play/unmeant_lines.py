"""Leave out orders below a heading that says that they are not meant, such as "Cancelled:", or for another game.

Such a heading is about the paragraph below it. If a blank line follows the heading itself, it is unclear where its
orders end. Then the heading is about all lines up to the next heading, such as "Orders:".
"""

from collections.abc import Mapping
from dataclasses import replace

from judge.commands.core.context import CommandContext, UnmeantLines
from judge.commands.core.handling import blind
from judge.commands.core.reading import Said
from judge.commands.play.unread_lines import own_orders
from judge.games.core.board import signon_of
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.rules.board.names import fold, word_set
from judge.rules.board.orders import UnitOrder
from judge.rules.parsing.decoration import unmarked
from judge.rules.parsing.headings import MEANT, UNMEANT
from judge.store.seats import played_by

_HEADING = 'this says that the orders after it are not meant. Write "Orders:" above the orders that are.'
_INSTEAD = "To give them, send them without that line."
_OF_ANOTHER = "this is the name of another game, so the orders after it were not recorded here."
_NOT_HERE = "not done, because this is after the name of another game. {}"
# Words next to the name of a game in a heading.
_BESIDE_GAME = word_set("GAME FOR IN THE MY AND ORDERS MOVES")
_MOST_WORDS = 5


def is_left_out(context: CommandContext, item: Said, heading: str) -> bool:
    """Return whether a line is such a heading, or an order below it, or a heading such as "Orders:".

    `heading` is what the line says as a heading. The first sentence of the reply reports the orders.
    """
    here = context.seat
    named = "" if item.call or heading else _game_named(context, item.text)
    if named == here.game.name:
        here.lines.unmeant = None
        return True
    if named:
        here.lines.unmeant = UnmeantLines(item.text, f"Write {_elsewhere(context)[named]} above them.", True)
        context.remark(_OF_ANOTHER, "stray", item.text)
        return True
    of_another = here.lines.unmeant is not None and here.lines.unmeant.of_another_game
    if heading == UNMEANT and not of_another:
        here.lines.unmeant = UnmeantLines(item.text, _INSTEAD)
        context.remark(_HEADING, "stray", item.text)
        return True
    if heading or item.call and item.call.command.heads:
        here.lines.unmeant = here.lines.unmeant if of_another else None
        return of_another or heading == MEANT
    return _is_unmeant_order(context, item)


def _is_unmeant_order(context: CommandContext, item: Said) -> bool:
    here = context.seat
    unmeant = here.lines.unmeant = _still(here.lines.unmeant, item)
    if unmeant and unmeant.of_another_game and item.call and not item.call.command.is_order:
        context.remark(_NOT_HERE.format(unmeant.instead), "error", item.call.line)
        return True
    is_order = item.call.command.is_order if item.call else kind_of(here.variant, item.text) in ORDERS
    if not (unmeant and is_order):
        return False
    context.answer.unfiled[unmeant.heading] = unmeant.instead
    here.lines.unmeant_orders += [item.text] * (not unmeant.of_another_game)
    return True


def _game_named(context: CommandContext, line: str) -> str:
    """Return the game of the sender that a line names as a heading, or "" for other lines."""
    words = [word for word in fold(unmarked(line)).replace(":", " ").split() if word not in _BESIDE_GAME]
    if len(words) != 1 or len(line.split()) > _MOST_WORDS:
        return ""
    name = words[0].lower()
    return name if name == context.seat.game.name or name in _elsewhere(context) else ""


def _elsewhere(context: CommandContext) -> Mapping[str, str]:
    """Return the sign-ons of the other games that the sender plays in, by the names of the games.

    Another person may have signed on as the player, and must not learn of the player's other games.
    """
    here = context.seat
    if here.lines.elsewhere is None:
        played = played_by(context.session, context.letter.person)
        signons = {game.name: f"SIGNON {signon_of(game, seat)} <password>" for seat, game in played}
        here.lines.elsewhere = {name: signon for name, signon in signons.items() if name != here.game.name}
    return here.lines.elsewhere


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
        return replace(unmeant, is_section=item.is_apart or unmeant.of_another_game)
    return unmeant if unmeant and (unmeant.is_section or not item.is_apart) else None
