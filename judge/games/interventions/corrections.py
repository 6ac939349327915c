"""What a master puts right by hand: the position before the open phase, a border, the orders of a power.

Everybody is told. The position that the phase opened with is kept, so that ROLLBACK to the open phase takes
corrections of it back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import board, variant_of
from judge.games.core.office import Office
from judge.games.deadlines import schedule
from judge.games.orders.bid_report import bid_view
from judge.games.orders.on_file import filed_lines
from judge.games.orders.orderbook import OrderBook, Unused
from judge.games.people.vacancies import players_of
from judge.games.telling import notices
from judge.mails.views import position_view, title
from judge.rules import NEUTRAL, Position, position_to_json
from judge.store.lookups import lock
from judge.store.tables import Event, Game, Phase


@dataclass(frozen=True)
class Dropped:
    """What went off the file with a change of the board: per seat its orders, and its bids, each with the reason.

    Of orders the master may be told; of bids only the player who gave them.
    """

    orders: Mapping[str, Sequence[Unused]]
    bids: Mapping[str, Sequence[Unused]]

    @property
    def by_seat(self) -> dict[str, list[Unused]]:
        """Both together."""
        seats = dict.fromkeys([*self.orders, *self.bids])
        return {seat: [*self.orders.get(seat, ()), *self.bids.get(seat, ())] for seat in seats}


def set_board(
    session: Session, game: Game, phase: Phase, position: Position | None = None
) -> tuple[OrderBook, Dropped]:
    """The board of `phase`, which is open, is another one now: this `position`, or (None) other borders under the same.

    The only place where that is done to a phase that may have orders: those that can no longer be carried out go off
    the file, bids too, so that the phase can be processed whatever was changed. What is kept for phases to come is
    read when they open. Returns what is on file now, and what went; whoever asks has to tell it.
    """
    if position:
        phase.position = position_to_json(variant_of(game), position)
        session.add(phase)
    session.flush()
    book = OrderBook(session, game, phase)
    return book, Dropped(book.drop_impossible(), book.bids.drop_impossible())


def correct_position(
    session: Session, office: Office, game: Game, phase: Phase, position: Position, changes: Sequence[str],
    ruler: str, now: datetime,
) -> Dropped:  # fmt: skip
    """`phase` has this `position` now; `ruler` has made these `changes`, in words. Everybody is told."""
    lock(session, phase)
    variant, before = board(game, phase)
    phase.uncorrected = phase.uncorrected or position_to_json(variant, before)
    session.add(_event(game, phase, now, " ".join(changes)))
    book, dropped = set_board(session, game, phase, position)
    sentence = f"The position before {phase.name} in game {game.name} was corrected by {ruler}."
    common = {**_common(sentence), "changes": changes, "position": position_view(variant, position)}
    _tell_corrected(session, office, game, book, "Position Corrected", common, dropped, now)
    return dropped


def border_changed(
    session: Session, office: Office, game: Game, phase: Phase, sentence: str, change: str, now: datetime
) -> Dropped:
    """A border of the board is another one now: `change`, in words. Everybody is told."""
    book, dropped = set_board(session, game, phase)
    common = {**_common(sentence), "changes": [change]}
    _tell_corrected(session, office, game, book, "Border Corrected", common, dropped, now)
    return dropped


def _tell_corrected(
    session: Session, office: Office, game: Game, book: OrderBook, what: str, common: dict[str, object],
    dropped: Dropped, now: datetime,
) -> None:  # fmt: skip
    """Set when the phase is due; those whose orders went off the file are told which, all others what was changed."""
    schedule.reckon(session, office, game, book, now)
    lost = dropped.by_seat
    told = _tell_owners(session, office, game, book, what, list(lost), common, lost, now)
    what = f"{book.phase.name} {what}"
    notices.tell_all(session, office, game, book.phase, "corrected", what, common, now, told)


def tell_dropped(
    session: Session, office: Office, game: Game, book: OrderBook, sentence: str, dropped: Dropped, now: datetime
) -> None:
    """Tell the players whose orders went off the file which, and why: a `sentence`, beside what all are told."""
    lost = dropped.by_seat
    _tell_owners(session, office, game, book, "Orders Dropped", list(lost), _common(sentence), lost, now)


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
    """What a mail says to all who are not directly concerned."""
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
