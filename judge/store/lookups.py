"""The questions that the desk and the games ask of the tables; nothing here changes a row but `claim`."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Row
from sqlmodel import Session, col, select, update

from judge.store.tables import Address, Game, Mail, OrderRow, Person, Phase, Seat


def person_at(session: Session, address: str) -> Person | None:
    """Whoever writes from `address` (lower-case)."""
    question = select(Person).join(Address).where(Address.address == address)
    return session.exec(question).first()


def game_named(session: Session, name: str) -> Game | None:
    """The game of that name, in any letter case."""
    return session.exec(select(Game).where(Game.name == name.lower())).first()


def all_games(session: Session) -> Sequence[Game]:
    """Every game, by name."""
    return session.exec(select(Game).order_by(Game.name)).all()


def seats_of(session: Session, game: Game) -> Sequence[Seat]:
    """The seats people hold in `game`, in the order they were taken."""
    question = select(Seat).where(Seat.game_id == game.id, col(Seat.left_at).is_(None)).order_by(col(Seat.id))
    return session.exec(question).all()


def people_of(session: Session, game: Game) -> dict[int, Person]:
    """The people who hold a seat in `game`, by id."""
    question = select(Person).join(Seat).where(Seat.game_id == game.id, col(Seat.left_at).is_(None)).distinct()
    return {person.id or 0: person for person in session.exec(question)}


def open_phase(session: Session, game: Game) -> Phase | None:
    """The phase that is being played, None before the start and after the end."""
    question = select(Phase).where(Phase.game_id == game.id, col(Phase.processed_at).is_(None))
    return session.exec(question).first()


def phases_of(session: Session, game: Game) -> Sequence[Phase]:
    """All phases of `game`, oldest first."""
    return session.exec(select(Phase).where(Phase.game_id == game.id).order_by(col(Phase.number))).all()


def orders_on_file(session: Session, phase: Phase) -> Sequence[OrderRow]:
    """The orders given for `phase`, in the order in which they were first given."""
    return session.exec(select(OrderRow).where(OrderRow.phase_id == phase.id).order_by(col(OrderRow.id))).all()


def open_phases(session: Session) -> Sequence[Row[tuple[int, datetime]]]:
    """Id and `due_at` of every open phase that has one."""
    question = select(Phase.id, Phase.due_at).where(col(Phase.processed_at).is_(None), col(Phase.due_at).is_not(None))
    return session.exec(question).all()


def games_by_deadline(session: Session, limit: int) -> Sequence[Row[tuple[str, Phase]]]:
    """Names of games with their open phases, the next deadline first."""
    question = (
        select(Game.name, Phase)
        .join(Phase)
        .where(col(Phase.processed_at).is_(None))
        .order_by(col(Phase.deadline_at))
        .limit(limit)
    )
    return session.exec(question).all()


def next_due(session: Session, now: datetime) -> Phase | None:
    """The open phase that has been due the longest at `now`."""
    question = (
        select(Phase)
        .where(col(Phase.processed_at).is_(None), col(Phase.due_at) <= now)
        .order_by(col(Phase.due_at), col(Phase.id))
    )
    return session.exec(question).first()


def claim(session: Session, phase: Phase, now: datetime, *, due: bool) -> bool:
    """Mark `phase` processed at `now`; False when another has done so, or (`due`) when it is no longer due.

    The one statement that makes an adjudication happen once (design §5): of two that try, one changes the row.
    """
    claimed = update(Phase).where(col(Phase.id) == phase.id, col(Phase.processed_at).is_(None))
    if due:
        claimed = claimed.where(col(Phase.due_at) <= now)
    return session.exec(claimed.values(processed_at=now)).rowcount == 1


def phase_of_mail(session: Session, message_ids: Iterable[str]) -> Phase | None:
    """The phase that the first of these mails of ours speaks of."""
    for message_id in message_ids:
        found = session.exec(select(Phase).join(Mail).where(Mail.message_id == message_id)).first()
        if found:
            return found
    return None


def mailed_since(session: Session, address: str, kind: str, since: datetime) -> bool:
    """Whether a mail of this kind was written to `address` after `since`."""
    question = select(Mail.id).where(Mail.recipient == address, Mail.kind == kind, col(Mail.created_at) > since)
    return session.exec(question).first() is not None
