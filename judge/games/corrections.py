"""What a master puts right by hand: the position before the open phase, a border, the orders of a power.

Everybody is told. The position that the phase opened with is kept, so that ROLLBACK to the open phase takes
corrections of it back.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session

from judge.games import notices, schedule
from judge.games.bidreport import bid_view
from judge.games.boards import board
from judge.games.filed import filed_lines
from judge.games.office import Office
from judge.games.orderbook import OrderBook, Unused
from judge.games.vacancies import players_of
from judge.mails.views import position_view, title
from judge.rules import NEUTRAL, Position, position_to_json
from judge.store.lookups import lock
from judge.store.tables import Event, Game, Phase


def correct_position(
    session: Session, office: Office, game: Game, phase: Phase, position: Position, changes: Sequence[str],
    ruler: str, now: datetime,
) -> Mapping[str, Sequence[Unused]]:  # fmt: skip
    """`phase` has this `position` now; `ruler` has made these `changes`, in words.

    Orders and bids that can no longer be carried out are taken off the file, and their players told. Per power those
    orders, each with the reason: of the bids the master is told nothing.
    """
    lock(session, phase)
    variant, before = board(game, phase)
    phase.uncorrected = phase.uncorrected or position_to_json(variant, before)
    phase.position = position_to_json(variant, position)
    session.add_all([phase, _event(game, phase, now, " ".join(changes))])
    session.flush()
    book = OrderBook(session, game, phase)
    orders = book.drop_impossible()
    dropped = _together(orders, book.bids.drop_impossible())
    schedule.reckon(session, office, game, book, now)
    sentence = f"The position before {phase.name} in game {game.name} was corrected by {ruler}."
    common = {**_common(sentence), "changes": changes, "position": position_view(variant, position)}
    told = _tell_owners(session, office, game, book, "Position Corrected", list(dropped), common, dropped, now)
    what = f"{phase.name} Position Corrected"
    notices.tell_all(session, office, game, phase, "corrected", what, common, now, told)
    return orders


def border_changed(
    session: Session, office: Office, game: Game, phase: Phase, sentence: str, change: str, now: datetime
) -> Mapping[str, Sequence[Unused]]:
    """A border of the board is another one now: `change`, in words. Orders that need what is gone go off the file,
    and bids, of which the master is told nothing.
    """
    book = OrderBook(session, game, phase)
    orders = book.drop_impossible()
    dropped = _together(orders, book.bids.drop_impossible())
    schedule.reckon(session, office, game, book, now)
    common = {**_common(sentence), "changes": [change]}
    told = _tell_owners(session, office, game, book, "Border Corrected", list(dropped), common, dropped, now)
    notices.tell_all(session, office, game, phase, "corrected", f"{phase.name} Border Corrected", common, now, told)
    return orders


def _together(orders: Mapping[str, list[Unused]], bids: Mapping[str, list[Unused]]) -> dict[str, list[Unused]]:
    return {power: [*orders.get(power, ()), *bids.get(power, ())] for power in dict.fromkeys([*orders, *bids])}


def orders_corrected(
    session: Session, office: Office, game: Game, book: OrderBook, powers: Sequence[str], ruler: str, now: datetime
) -> None:
    """The orders of `powers` on file are others now, made so by `ruler`: their players are told which, all others
    only that it was done, since orders are secret.
    """
    phase = book.phase
    session.add(_event(game, phase, now, f"orders of {', '.join(powers)}"))
    schedule.reckon(session, office, game, book, now)
    common = _common(_orders_sentence(game, phase, powers, ruler))
    told = _tell_owners(session, office, game, book, "Orders Corrected", powers, common, {}, now)
    notices.tell_all(session, office, game, phase, "corrected", f"{phase.name} Orders Corrected", common, now, told)


def acted_for(
    session: Session, office: Office, game: Game, phase: Phase, power: str, ruler: str, now: datetime
) -> None:
    """`ruler` has given orders as `power`, whose player has a copy of the answer: all others are told."""
    seat = players_of(session, game).get(power)
    context = _common(_orders_sentence(game, phase, [power], ruler))
    skip = {seat.address} if seat else set()
    session.add(_event(game, phase, now, f"orders of {power}"))
    notices.tell_all(session, office, game, phase, "corrected", f"{phase.name} Orders Corrected", context, now, skip)


def _common(sentence: str) -> dict[str, object]:
    """What a mail says to whoever is not concerned more closely."""
    return {"sentence": sentence, "changes": (), "position": None, "power": ""}


def _orders_sentence(game: Game, phase: Phase, powers: Sequence[str], ruler: str) -> str:
    return f"Orders of {listed(powers)} for {phase.name} in game {game.name} were changed by {ruler}."


def listed(powers: Sequence[str]) -> str:
    """`France and neutrals`."""
    return " and ".join("neutrals" if power == NEUTRAL else power for power in powers)


def _tell_owners(
    session: Session, office: Office, game: Game, book: OrderBook, what: str, powers: Sequence[str],
    common: Mapping[str, object], dropped: Mapping[str, Sequence[Unused]], now: datetime,
) -> set[str]:  # fmt: skip
    """Tell the players of `powers` what is on file for them now; returns their addresses."""
    phase, players = book.phase, players_of(session, game)
    seats = {power: players[power] for power in powers if power in players}
    for power, seat in seats.items():
        context = {
            **common,
            "power": power,
            "dropped": dropped.get(power, ()),
            "title": title(phase.name, "orders"),
            "lines": filed_lines(book, power),
            "bids": bid_view(book, power),
        }
        notices.tell_seat(session, office, game, phase, "corrected", f"{phase.name} {what}", seat, context, now)
    return {seat.address for seat in seats.values()}


def _event(game: Game, phase: Phase, now: datetime, text: str) -> Event:
    return Event(at=now, kind="corrected", game_id=game.id, phase_id=phase.id, text=text)
