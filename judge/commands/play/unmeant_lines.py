"""Leave out orders below a heading that says that they are not meant, such as "Cancelled:", or for another game.

The heading is about a paragraph, or about all lines up to the next heading, such as "Orders:" (`Heading.at`).
"""

from collections.abc import Mapping

from judge.commands.core.context import CommandContext, UnmeantLines
from judge.commands.core.handling import blind
from judge.commands.core.reading import Said
from judge.commands.play.unread_lines import own_orders
from judge.games.core.board import signon_of
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.rules.board.names import word_set
from judge.rules.board.orders import UnitOrder
from judge.rules.parsing.decoration import phase_heading
from judge.rules.parsing.headings import MEANT, UNMEANT, words_of
from judge.store.seats import seats_in_living_games

_HEADING = 'this says that the orders after it are not meant. Write "Orders:" above the orders that are.'
_INSTEAD = "To give them, send them without that line."
_OF_ANOTHER = "this is the name of another game, so the orders after it were not recorded here."
# Any open phase. A heading with another game names a phase of that game.
_ANY_PHASE = "S1901M"
# Words next to the name of a game in a heading.
_BESIDE_GAME = word_set("GAME FOR IN THE MY AND ORDERS MOVES")
_MOST_WORDS = 5


def is_left_out(context: CommandContext, item: Said, heading: str) -> bool:
    """Return whether a line is such a heading, or an order below it, or a heading such as "Orders:".

    `heading` is what the line says as a heading. The first sentence of the reply reports the orders. Commands below the
    name of another game are refused (`permissions.carry_out`).
    """
    here = context.seat
    named = "" if item.call else _game_named(context, item.text)
    if named == here.game.name:
        here.lines.unmeant = None
        return not heading
    # A game may have the name of a season: "Spring:" is the phase.
    if named and not heading:
        instead = f"Write {_elsewhere(context)[named]} above them."
        here.lines.unmeant = UnmeantLines(item.text, True, instead, of_another_game=True)
        context.remark(_OF_ANOTHER, "stray", item.text)
        return True
    of_another = here.lines.unmeant is not None and here.lines.unmeant.of_another_game
    if heading == UNMEANT and not of_another:
        here.lines.unmeant = UnmeantLines(item.text, instead=_INSTEAD)
        context.remark(_HEADING, "stray", item.text)
        return True
    if heading or item.call and item.call.command.heads:
        here.lines.unmeant = here.lines.unmeant if of_another else None
        return of_another or heading == MEANT
    return _is_unmeant(context, item)


def _is_unmeant(context: CommandContext, item: Said) -> bool:
    here = context.seat
    unmeant = here.lines.unmeant = here.lines.unmeant and here.lines.unmeant.at(item.is_apart)
    is_order = item.call.command.is_order if item.call else kind_of(here.variant, item.text) in ORDERS
    if not (unmeant and is_order):
        return False
    context.answer.unfiled[unmeant.text] = unmeant.instead
    here.lines.unmeant_orders += [item.text] * (not unmeant.of_another_game)
    return True


def _game_named(context: CommandContext, line: str) -> str:
    """Return the game of the sender that a line names as a heading, or "" for other lines.

    The power and the phase may be on the line too: "swan, Spring 1901 (France):".
    """
    here = context.seat
    if len(line.split()) > _MOST_WORDS or kind_of(here.variant, line) not in ("prose", "heading"):
        return ""
    words = [word.lower() for word in words_of(line) if word not in _BESIDE_GAME]
    beside = " ".join([*here.variant.power_words, *here.variant.heading_words]).lower().split()
    signons = {here.game.name: f"SIGNON {signon_of(here.game, here.row)}", **_elsewhere(context)}
    for name, signon in signons.items():
        names = {name, signon.split()[1].lower()}.difference(beside)
        others = [word for word in words if word not in (*names, *beside)]
        if not names.isdisjoint(words) and (not others or phase_heading(line, _ANY_PHASE, [*names, *beside])):
            return name
    return ""


def _elsewhere(context: CommandContext) -> Mapping[str, str]:
    """Return the sign-ons of the other games that the sender plays in or is a master of, by the names of the games.

    Another person may have signed on as the player, and must not learn of the player's other games.
    """
    here = context.seat
    if here.lines.elsewhere is None:
        seats = seats_in_living_games(context.session, context.letter.person, "player", "master")
        signons = {game.name: f"SIGNON {signon_of(game, seat)} <password>" for seat, game in seats}
        here.lines.elsewhere = {name: signon for name, signon in signons.items() if name != here.game.name}
    return here.lines.elsewhere


def tell_on_file(context: CommandContext) -> None:
    """Say at the beginning of the answer which orders below such a heading are on file, and how to take them back."""
    if blind(context):
        return
    given = {*context.seat.book.of_seat(context.seat.power)} if context.seat.lines.unmeant_orders else set()
    lines, meant = context.seat.lines.unmeant_orders, context.letter.orders.latest.values()
    left_out = (order for line in lines for order in own_orders(context, line))
    orders = dict.fromkeys(order for order in left_out if order in given and order[1] not in meant)
    for _, order in orders:
        back = f"CLEAR {order.unit}" if isinstance(order, UnitOrder) else "CLEAR"
        context.answer.foremost.append(f"{order} is still on file; {back} takes it back.")
