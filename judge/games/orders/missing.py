"""What a power has still to order, in words."""

from judge.games.orders.filed_orders import FiledOrders
from judge.rules import Need
from judge.rules.board.phase import kind
from judge.rules.describe import describe_place, describe_unit


def wanting(book: FiledOrders, seat: str) -> list[str]:
    """What the powers of `seat` owe in the phase of `book`, a line for each thing."""
    asked = book.asked.get(seat, {})
    lines = [(power, line) for power, need in asked.items() for line in _wanting(book, power, need)]
    return [f"{power}: {line}" if len(asked) > 1 else line for power, line in lines]


def _wanting(book: FiledOrders, power: str, need: Need) -> list[str]:
    missing = book.missing_of(power)
    if kind(book.phase.name) == "A":
        homes = [_homes(book, need)] if "home center" in missing else []
        due = len(missing) - len(homes)
        return [_adjustments(book, need, due)] * bool(due) + homes
    lines = []
    for unit in need.units:
        if str(unit) in missing:
            places = [describe_place(book.variant, place) for place in need.retreats.get(unit, ())]
            choice = f" (to {' or '.join(places)}, or disband)" if places else ""
            lines.append(f"{describe_unit(book.variant, unit)}{choice}")
    return lines


def _homes(book: FiledOrders, need: Need) -> str:
    """The home center that the player has to name, and the one that is taken by default."""
    names = [f"{describe_place(book.variant, center)} ({center})" for center in need.homes]
    return f"your new home center: HOME {' or '.join(names)}; else it is {book.variant.provinces[need.homes[0]].name}"


def _adjustments(book: FiledOrders, need: Need, count: int) -> str:
    if need.builds < 0:
        return f"{count} removal{'s' if count > 1 else ''}"
    places = [describe_place(book.variant, site.partition("/")[0]) for site in need.sites]
    if need.claims:
        named = ", ".join(describe_place(book.variant, site) for site in need.claims)
        places.append(f"one of these, which makes it your additional home center: {named}")
    return f"{count} build{'s' if count > 1 else ''} (in {' or '.join(dict.fromkeys(places))}), or WAIVE"
