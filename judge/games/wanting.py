"""What a power has still to order, said so that the player can fill it in."""

from dataclasses import dataclass

from judge.games.orderbook import OrderBook
from judge.rules import Need, needs
from judge.rules.phase import kind
from judge.rules.wording import describe_place, describe_unit


@dataclass(frozen=True)
class Wanting:
    """What is missing: `lines` in full words, and a `form` of order lines to be completed."""

    lines: list[str]
    form: list[str]


def wanting(book: OrderBook, power: str) -> Wanting:
    """What `power` owes in the phase of `book`."""
    missing = book.missing().get(power, [])
    need = needs(book.variant, book.position).get(power, Need())
    if kind(book.phase.name) == "A":
        return _adjustments(book, need, len(missing))
    units = [unit for unit in need.units if str(unit) in missing]
    lines = []
    for unit in units:
        places = [describe_place(book.variant, place) for place in need.retreats.get(unit, ())]
        choice = f" (to {' or '.join(places)}, or disband)" if places else ""
        lines.append(f"{describe_unit(book.variant, unit)}{choice}")
    return Wanting(lines, [f"{unit} ..." for unit in units])


def _adjustments(book: OrderBook, need: Need, count: int) -> Wanting:
    if need.builds < 0:
        return Wanting([f"{count} removal{'s' if count > 1 else ''}"], ["REMOVE ..."] * count)
    places = dict.fromkeys(describe_place(book.variant, site.partition("/")[0]) for site in need.sites)
    return Wanting(
        [f"{count} build{'s' if count > 1 else ''} (in {' or '.join(places)}), or WAIVE"], ["BUILD ..."] * count
    )
