"""Decide whether a line among prose is meant for the judge, as an order or as a command.

The question arises for a message without an end word, which may include lines meant for the judge. It also arises for a
reply to press without a sign-on.
"""

from collections.abc import Sequence
from dataclasses import replace

from judge.commands.core.context import CommandContext
from judge.commands.core.reading import Said, What
from judge.games.core.board import variant_of
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.rules import Variant, is_only_orders
from judge.store.seats import seats_in_living_games
from judge.store.tables import Game, Person, Seat


def boards_of(context: CommandContext, game: Game, seat: Seat) -> list[Variant]:
    """Return the variants of games for which the player in `seat` may have written orders, that of `game` first."""
    person = context.session.get(Person, seat.person_id)
    others = [variant_of(other) for _, other in seats_in_living_games(context.session, person, "player", "master")]
    return list(dict.fromkeys([variant_of(game), *others]))


def meaning_of(context: CommandContext, boards: Sequence[Variant], text: str) -> Said:
    """Return the meaning of a line, which may be an order or command for the judge, or prose.

    `boards` is the result of `boards_of`.
    """
    said = context.letter.said(text)
    if said.surely:
        return said
    what = kind_of(boards[0], text)
    if what == "bid" or any(is_only_orders(board, text) for board in boards):
        return replace(said, what=What.ORDER, surely=True)
    if said.what is What.SIGNON:
        return said
    if what in ORDERS:
        return replace(said, what=What.ORDER)
    return replace(said, what=What.PROSE) if said.what is What.ORDER else said
