"""Supports that a player only mentions in brackets next to an order, such as "A PAR - BUR (supported by Mar)".

Such a remark gives no order. If the support is not on file either, the reply says so first.
"""

from collections.abc import Iterator

from judge.commands.core.context import CommandContext
from judge.commands.core.handling import blind
from judge.commands.play.stray_lines import checked
from judge.rules import Move, Order, OrderError, Support, Unit, Variant
from judge.rules.board.names import fold
from judge.rules.board.orders import Hold
from judge.rules.parsing.vocabulary import ANY_SUPPORT

_SAYS_SUPPORT = ANY_SUPPORT | {"SUPPORTED", "W/", "WITH"}
_MARKS = " ()[],.;:!"


def note_said(context: CommandContext, remark: str, order: Order) -> None:
    """Note the supports of `order` by the player's own units that the remark mentions."""
    here, words = context.seat, [fold(word.strip(_MARKS)) for word in remark.split()]
    if _SAYS_SUPPORT.isdisjoint(words) or not isinstance(order, Move | Hold):
        return
    places = {*_places(here.variant, words)}
    for power in here.variant.powers_of(here.power):
        for unit in here.book.position.units_of(power):
            if unit.province in places and unit != order.unit:
                _note(context, power, unit, order, remark)


def _note(context: CommandContext, power: str, unit: Unit, order: Move | Hold, remark: str) -> None:
    book, to = context.seat.book, order.to if isinstance(order, Move) else ""
    support = Support(unit, order.unit, to)
    try:
        checked(book.variant, book.position, power, support)
    except OrderError:
        return
    context.seat.lines.said_supports[str(support)] = remark


def _places(variant: Variant, words: list[str]) -> Iterator[str]:
    """Yield the provinces that are named among the words."""
    for begin in range(len(words)):
        for end in range(begin + 1, begin + 1 + variant.names.most_words):
            if place := variant.names.exact.get(" ".join(words[begin:end])):
                yield place


def tell_missing(context: CommandContext) -> None:
    """Say at the beginning of the answer which of these supports are not on file, and how to order them."""
    here = context.seat
    said = here.lines.said_supports if not blind(context) else {}
    given = {str(order) for _, order in here.book.of_seat(here.power)} if said else set()
    for support, remark in said.items():
        if support not in given:
            context.answer.foremost.append(f'"{remark}" is a comment, not an order: to order it, write {support}.')
