"""What a master corrects by hand: the position before the open phase, a border, the orders of a power.

Everybody is told. The position that the phase opened with is kept, so that ROLLBACK to the open phase undoes the
corrections.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from judge.games.core.board import board, variant_of
from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.notifications import notices
from judge.games.orders.bid_report import bid_view
from judge.games.orders.filed_orders import FiledOrders, Unused
from judge.games.orders.on_file import filed_lines
from judge.games.people.open_seats import players_of
from judge.mails.views import position_view, title
from judge.rules import NEUTRAL, Position, position_to_json
from judge.rules.board.names import listed
from judge.store.games import lock
from judge.store.tables import Game, Phase


@dataclass(frozen=True)
class Dropped:
    """What went off the file with a change of the board: per seat its orders, and its bids, each with the reason.

    The master may be told about orders; only the player who gave the bids may be told about bids.
    """

    orders: Mapping[str, Sequence[Unused]]
    bids: Mapping[str, Sequence[Unused]]

    @property
    def by_seat(self) -> dict[str, list[Unused]]:
        """Orders and bids together."""
        seats = dict.fromkeys([*self.orders, *self.bids])
        return {seat: [*self.orders.get(seat, ()), *self.bids.get(seat, ())] for seat in seats}


@dataclass(frozen=True)
class NewPosition:
    """Another position of an open phase, and what everybody is told of it: a `sentence`, and its `changes` in words;
    `what` stands in the subject.
    """

    position: Position
    changes: Sequence[str]
    sentence: str
    what: str


def set_board(
    session: Session, game: Game, phase: Phase, position: Position | None = None
) -> tuple[FiledOrders, Dropped]:
    """Change the board of the open `phase`: to this `position`, or (None) to other borders with the same position.

    This is the only place where the board of a phase that may have orders changes: orders and bids that can no longer
    be carried out go off the file, so that the phase can be processed whatever was changed. Lines kept for later phases
    are checked when those open. Returns what is on file now, and what went off the file; the caller has to tell the
    players.
    """
    if position:
        phase.position = position_to_json(variant_of(game), position)
        session.add(phase)
    session.flush()
    book = FiledOrders(session, game, phase)
    return book, Dropped(book.drop_impossible(), book.bids.drop_impossible())


def correct_position(
    work: Work, game: Game, phase: Phase, position: Position, changes: Sequence[str], ruler: str
) -> Dropped:
    """Give `phase` this `position`; `ruler` has made these `changes`, in words. Everybody is told."""
    sentence = f"The position before {phase.name} in game {game.name} was corrected by {ruler}."
    return give_position(work, game, phase, NewPosition(position, changes, sentence, "Position Corrected"))


def give_position(work: Work, game: Game, phase: Phase, new: NewPosition) -> Dropped:
    """Give `phase` another position and tell everybody in its own words."""
    lock(work.session, phase)
    variant, before = board(game, phase)
    phase.uncorrected = phase.uncorrected or position_to_json(variant, before)
    work.log("corrected", game, " ".join(new.changes), phase)
    book, dropped = set_board(work.session, game, phase, new.position)
    view = position_view(variant, new.position)
    common = {**_common(new.sentence), "changes": new.changes, "position": view}
    _tell_corrected(work, game, book, new.what, common, dropped)
    return dropped


def border_changed(work: Work, game: Game, phase: Phase, sentence: str, changes: Sequence[str]) -> Dropped:
    """Borders of the board have changed: `changes`, in words. Everybody is told."""
    book, dropped = set_board(work.session, game, phase)
    common = {**_common(sentence), "changes": changes}
    _tell_corrected(work, game, book, "Border Corrected", common, dropped)
    return dropped


def _tell_corrected(
    work: Work, game: Game, book: FiledOrders, what: str, common: dict[str, object], dropped: Dropped
) -> None:
    """Set when the phase is due; players whose orders went off the file are told which, all others what was changed."""
    schedule.reckon(work, game, book)
    lost = dropped.by_seat
    told = _tell_owners(work, game, book, what, common, lost)
    what = f"{book.phase.name} {what}"
    notices.tell_all(work, notices.Announcement(game, book.phase, "corrected", what, common), told)


def tell_dropped(work: Work, game: Game, book: FiledOrders, sentence: str, dropped: Dropped) -> None:
    """Tell the players which of their orders went off the file, and why: a `sentence` beside what all are told."""
    lost = dropped.by_seat
    _tell_owners(work, game, book, "Orders Dropped", _common(sentence), lost)


def orders_corrected(work: Work, game: Game, book: FiledOrders, powers: Sequence[str], ruler: str) -> None:
    """`ruler` has changed the orders of `powers` on file: their players are told which, all others only that it was
    done, since orders are secret.
    """
    phase = book.phase
    work.log("corrected", game, f"orders of {', '.join(powers)}", phase)
    schedule.reckon(work, game, book)
    common = _common(_orders_sentence(game, phase, powers, ruler))
    told = _tell_owners(work, game, book, "Orders Corrected", common, dict.fromkeys(powers, ()))
    what = f"{phase.name} Orders Corrected"
    notices.tell_all(work, notices.Announcement(game, phase, "corrected", what, common), told)


def acted_for(work: Work, game: Game, phase: Phase, power: str, ruler: str) -> None:
    """`ruler` has given orders as `power`: all others are told. The power's player has a copy of the answer."""
    seat = players_of(work.session, game).get(power)
    context = _common(_orders_sentence(game, phase, [power], ruler))
    skip = {seat.address} if seat else set()
    work.log("corrected", game, f"orders of {power}", phase)
    what = f"{phase.name} Orders Corrected"
    notices.tell_all(work, notices.Announcement(game, phase, "corrected", what, context), skip)


def _common(sentence: str) -> dict[str, object]:
    """What a mail says to all who are not directly concerned."""
    return {"sentence": sentence, "changes": (), "position": None, "power": ""}


def _orders_sentence(game: Game, phase: Phase, powers: Sequence[str], ruler: str) -> str:
    return f"Orders of {named(powers)} for {phase.name} in game {game.name} were changed by {ruler}."


def named(powers: Sequence[str]) -> str:
    """`France, Italy and neutrals`."""
    return listed("neutrals" if power == NEUTRAL else power for power in powers)


def _tell_owners(
    work: Work,
    game: Game,
    book: FiledOrders,
    what: str,
    common: Mapping[str, object],
    dropped: Mapping[str, Sequence[Unused]],
) -> set[str]:
    """Tell the players of the powers in `dropped` what went off the file, if anything did, and what is on file for them
    now; returns their addresses.
    """
    phase, players = book.phase, players_of(work.session, game)
    seats = {power: players[power] for power in dropped if power in players}
    for power, seat in seats.items():
        context = {
            **common,
            "power": power,
            "dropped": dropped[power],
            "title": title(phase.name, "orders"),
            "lines": filed_lines(book, power),
            "bids": bid_view(book, power),
        }
        subject = f"{phase.name} {what}"
        notices.tell_seat(work, seat, notices.Announcement(game, phase, "corrected", subject, context))
    return {seat.address for seat in seats.values()}
