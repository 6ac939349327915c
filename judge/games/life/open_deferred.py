"""Orders for later phases: kept as they were written, read and answered by mail when their phase opens."""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from sqlmodel import Session

from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.notifications import notices
from judge.games.orders.bid_lines import BidLine
from judge.games.orders.deferred_orders import read_kept, shown, text_of
from judge.games.orders.filed_orders import FiledOrders, Read
from judge.games.orders.forms import bid_view, filed_lines, for_holder, form
from judge.mails.pages import time_left
from judge.mails.views import title
from judge.rules import OrderError, words
from judge.rules.board.phase import kind, year
from judge.rules.parsing.lines import Reading, is_about_the_rest, own_orders
from judge.store.orders import future_counts, future_lines
from judge.store.rows import id_of
from judge.store.seats import seat_of_power
from judge.store.tables import FutureLine, Game, Seat

YEARS_AHEAD = 5
_SEASON = {"S": 0, "F": 1, "W": 2}
_KIND = {"M": 0, "R": 1, "A": 2}


def order_of(phase: str) -> tuple[int, int, int]:
    """The key that sorts phases by time: earlier phases compare less."""
    return year(phase), _SEASON[phase[0]], _KIND[kind(phase)]


def keep(work: Work, game: Game, power: str, phase: str, texts: Sequence[str], letter_id: int | None) -> None:
    """Keep `texts` of `power` for the phase of that name, after those kept before."""
    work.session.add_all(
        FutureLine(
            game_id=id_of(game), power=power, phase_name=phase, text=text, letter_id=letter_id, given_at=work.now
        )
        for text in texts
    )
    work.session.flush()


def kept(session: Session, game: Game, power: str) -> dict[str, int]:
    """{phase: how many lines `power` has kept for it}, the next one first."""
    counts = future_counts(session, game, power)
    return dict(sorted(counts.items(), key=lambda item: order_of(item[0])))


def inherited(session: Session, game: Game, seat: Seat) -> dict[str, list[str]]:
    """{phase: the lines that were kept for the power of `seat` before its holder joined}, the next phase first."""
    found: dict[str, list[str]] = {}
    for line in future_lines(session, game):
        if line.power == seat.power and line.given_at < seat.joined_at:
            found.setdefault(line.phase_name, []).append(shown(line.text))
    return dict(sorted(found.items(), key=lambda item: order_of(item[0])))


def on_file_view(work: Work, game: Game, book: FiledOrders, seat: Seat) -> dict[str, object]:
    """What a player has on file, as the template `orders` shows it: for the open phase, and what is kept for others."""
    phase, power = book.phase, seat.power or ""
    ahead = kept(work.session, game, power)
    return {
        "game": game,
        "phase": phase,
        "power": power,
        "asked": power in book.asked,
        "complete": not book.missing().get(power),
        "title": re.sub("s? for", " orders for", words(phase.name), count=1),
        "lines": filed_lines(book, power),
        "waits": seat.waits,
        "early_at": schedule.early_at(phase),
        "late": work.now >= phase.deadline_at,
        "time_left": time_left(work.now, phase.deadline_at),
        "ahead": ahead,
        "inherited": inherited(work.session, game, seat) if ahead else {},
        "bids": bid_view(book, power),
    }


def drop(session: Session, game: Game, power: str, phase: str = "") -> list[str]:
    """Delete what `power` has kept, for all phases or for one; returns the deleted lines."""
    mine = [
        line for line in future_lines(session, game) if line.power == power and phase in ("", line.phase_name)
    ]
    for line in mine:
        session.delete(line)
    session.flush()
    return [shown(line.text) for line in mine]


def take_up(work: Work, game: Game, book: FiledOrders) -> None:
    """File what was kept for the book's phase, which has opened, and mail each player the result.

    Lines of past phases are deleted.
    """
    phase = book.phase
    due = [line for line in future_lines(work.session, game) if order_of(line.phase_name) <= order_of(phase.name)]
    for power in dict.fromkeys(line.power for line in due):
        lines = [line for line in due if line.power == power and line.phase_name == phase.name]
        if lines:
            _file(work, game, book, power, lines)
    for line in due:
        work.session.delete(line)


def _file(work: Work, game: Game, book: FiledOrders, power: str, lines: Sequence[FutureLine]) -> None:
    phase = book.phase
    read: list[Read] = []
    refused: list[tuple[str, str]] = []
    said = [
        (line, kept) for line in lines for kept in read_kept(book.variant, power, book.position, line.text)
    ]
    bidding = [(line.letter_id, kept) for line, kept in said if isinstance(kept, BidLine)]
    for letter_id, letter in groupby(bidding, key=lambda bid: bid[0]):
        refused += _bid(book, power, [bid for _, bid in letter], letter_id, work.now)
    for line, kept in sorted(said, key=lambda one: is_about_the_rest(one[1])):
        try:
            if isinstance(kept, OrderError):
                raise kept
            if isinstance(kept, Reading):
                given = [(whose, order) for _, whose, order in read] if is_about_the_rest(kept) else ()
                read += [(kept.text, *own) for own in own_orders(book.variant, book.position, power, kept, given)]
        except OrderError as mistake:
            refused.append((shown(line.text) if isinstance(kept, OrderError) else text_of(kept), str(mistake)))
    refused += book.give(read, lines[-1].letter_id, work.now)
    seat = seat_of_power(work.session, game, power)
    if seat:
        context = {
            "title": title(phase.name, "orders"),
            "power": power,
            "lines": filed_lines(book, power),
            "refused": refused,
            "missing": book.missing().get(power, []),
            "forms": list(filter(None, [for_holder(work, game, seat, form(book, game.name, power))])),
            "bids": bid_view(book, power),
        }
        pending = notices.Announcement(game, phase, "pending", f"{phase.name} Pending Orders", context)
        notices.tell_seat(work, seat, pending)


def _bid(
    book: FiledOrders, power: str, lines: Sequence[BidLine], letter_id: int | None, now: datetime
) -> list[tuple[str, str]]:
    """File the bids of one letter; returns the refused ones, with the reason."""
    taken = book.bids.give(power, lines, letter_id, now)
    if taken.stored:
        return taken.refused
    why = f"Not stored: with this letter's bids you would spend {taken.spend} points, of {book.bids.income(power)}."
    own = dict(taken.refused)
    return [(bid.line, own.get(bid.line, why)) for bid in lines]
