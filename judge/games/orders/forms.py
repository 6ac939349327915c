"""A form that the player only has to complete: a line for each order, as it is on file or left open.

A line left open (`A PAR ...`) is never read as an order when the form comes back; `//` begins a comment in it.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.games.core import passwordless
from judge.games.core.work import Work
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import LEFT_OPEN, NEUTRAL, Home, Need, Order, Waive, format_order
from judge.rules.board.phase import kind
from judge.store.tables import Game, Seat

# What fits into a mail that is 79 columns wide, indented by four.
_COLUMNS = 75


@dataclass(frozen=True)
class Form:
    """`signon`: the sign-on, like `Fheron`, with the password left open; `phase`: the one that it is for, so that it
    does nothing in a later one; `lines`: the orders; `complete`: none is left open. `passwordless`: its reader needs no
    password; `by_reply`: nor a sign-on, in a reply.
    """

    signon: str
    phase: str
    lines: tuple[str, ...]
    complete: bool
    passwordless: bool = False
    by_reply: bool = False


def form(book: FiledOrders, game: str, seat: str) -> Form | None:
    """The form for `seat` in the phase of `book`; None if the phase asks nothing of its powers."""
    if seat not in book.asked:
        return None
    asked = book.asked[seat]
    lines = [line for power in book.variant.powers_of(seat) if power in asked for line in _power(book, seat, power)]
    signon = book.variant.seat_named[seat].at(game)
    return Form(signon, book.phase.name, (*lines, *_bids(book, seat)), complete=not book.missing().get(seat))


def for_holder(work: Work, game: Game, seat: Seat, blank: Form | None) -> Form | None:
    """The form as the player in `seat` has to write it."""
    if not blank or not passwordless.is_open(work.services.settings, game, seat):
        return blank
    return replace(blank, passwordless=True, by_reply=passwordless.is_only_seat(work.session, game, seat))


def forms(book: FiledOrders, game: str) -> dict[str, Form]:
    """{seat: its form} for every seat of which the phase asks something."""
    made = {seat.name: form(book, game, seat.name) for seat in book.variant.seats}
    return {seat: one for seat, one in made.items() if one}


def _power(book: FiledOrders, seat: str, power: str) -> Iterator[str]:
    """The lines of one power; in a group the power's name stands above them."""
    need, given = book.asked[seat][power], book.orders_of(power)
    several = len(book.variant.powers_of(seat)) > 1
    if several:
        yield f"// {power}"
    if kind(book.phase.name) == "A":
        yield from _winter(need, given, f"WAIVE {power}" if several else "WAIVE")
    else:
        yield from _by_unit(need, given)


def _by_unit(need: Need, given: list[Order]) -> Iterator[str]:
    """Movement and retreats: a line for each unit; in retreats with the possible choices."""
    by_slot = {order.slot: format_order(order) for order in given}
    for unit in need.units:
        places = need.retreats.get(unit, ())
        choice = f"{', '.join(f'- {place}' for place in places)} or D" if places else ""
        yield from _with_choice(by_slot.get(unit.province, f"{unit} {LEFT_OPEN}"), choice)


def _bids(book: FiledOrders, seat: str) -> Iterator[str]:
    """The bids on file, and if points are left a line for more bids, or one that repeats that they are not spent."""
    if kind(book.phase.name) != "M":
        return
    yield from (f"DP {bid.points}: {bid.text}" for bid in book.bids.given(seat))
    if book.bids.declined(seat):
        yield "DP NONE"
    elif book.bids.undecided(seat):
        neutrals = len(book.position.units.get(NEUTRAL, ()))
        left = f"{book.bids.undecided(seat)} of {book.bids.income(seat)} points left, {neutrals} neutrals"
        yield from _with_choice(f"DP 1: {LEFT_OPEN}", left)


def _winter(need: Need, given: list[Order], waive: str) -> Iterator[str]:
    """The orders on file and a line for each that is missing: a letter's lines replace all that were sent before.

    `waive`: how a build of the power is waived.
    """
    yield from (waive if isinstance(order, Waive) else format_order(order) for order in given)
    word = "BUILD" if need.builds > 0 else "REMOVE"
    taken = {order.slot for order in given}
    sites = [site for site in need.sites if site not in taken]
    if taken.isdisjoint(need.claims):
        sites += [f"{site} (as new home)" for site in need.claims]
    choice = f"in {', '.join(sites)}; or {waive}" if need.builds > 0 else ""
    named = sum(isinstance(order, Home) for order in given)
    for _ in range(abs(need.builds) - (len(given) - named)):
        yield from _with_choice(f"{word} {LEFT_OPEN}", choice)
        choice = ""
    if need.homes and not named:
        yield from _with_choice(f"HOME {LEFT_OPEN}", " or ".join(need.homes))


def _with_choice(line: str, choice: str) -> list[str]:
    """A line with a comment that lists the possible choices; a long comment stands below the line."""
    if not choice:
        return [line]
    whole = f"{line}  // {choice}"
    if len(whole) <= _COLUMNS:
        return [whole]
    return [line, *textwrap.wrap(choice, _COLUMNS, initial_indent="// ", subsequent_indent="// ")]
