"""Queries about games and their phases, and about orders, bids, votes and lines for future phases."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, case, delete, func, or_, text, true, update
from sqlmodel import Session, col, select

from judge.store.rows import count
from judge.store.tables import (
    LIVING,
    BidRow,
    Event,
    FutureLine,
    Game,
    OrderRow,
    Pause,
    Person,
    Phase,
    Vote,
)

# A game with its open phase.
WithPhase = tuple[Game, Phase | None]
_OPEN = col(Phase.processed_at).is_(None)
_RINGS_AT = case(
    (col(Phase.notice_at) < col(Phase.due_at), col(Phase.notice_at)),
    else_=func.coalesce(Phase.due_at, Phase.notice_at),
)
_WITH_PHASE = select(Game, Phase).join(Phase, and_(col(Phase.game_id) == Game.id, _OPEN), isouter=True)
_NAME_AND_PHASE = select(Game.name, Phase).join(Phase).where(_OPEN)
# These queries run several times for each letter with orders. They are built only once, since building a statement
# takes longer than executing it.
_ORDERS = select(OrderRow).where(OrderRow.phase_id == bindparam("phase")).order_by(col(OrderRow.id))
# The columns with times at which the judge has something to do, each with a condition on its rows.
_MOMENTS = (
    (Phase.due_at, _OPEN),
    (Phase.notice_at, _OPEN),
    (Game.notice_at, true()),
    (Pause.ends_at, col(Pause.ended_at).is_(None)),
)
_OPEN_PHASE = select(Phase).where(Phase.game_id == bindparam("game"), _OPEN)
_BIDS = select(BidRow).where(BidRow.phase_id == bindparam("phase")).order_by(col(BidRow.id))


def game_named(session: Session, name: str) -> Game | None:
    """Return the game of that name, in any letter case, or None."""
    return session.exec(select(Game).where(Game.name == name.lower())).first()


def games_among(session: Session, names: Collection[str]) -> dict[str, WithPhase]:
    """Return those games that have one of these names in lower case, each with its open phase."""
    found = session.exec(_WITH_PHASE.where(col(Game.name).in_(names))) if names else ()
    return {game.name: (game, phase) for game, phase in found}


def last_ended(session: Session, most: int) -> Sequence[Game]:
    """Return at most `most` games that have ended, latest first."""
    ended = select(Game).where(col(Game.ended_at).is_not(None)).order_by(col(Game.ended_at).desc())
    return session.exec(ended.limit(most)).all()


def outcomes_of_falls(session: Session, game: Game) -> Sequence[Mapping[str, Any]]:
    """Return the outcomes of all Fall phases of the game that are over."""
    falls = select(Phase.outcome).where(Phase.game_id == game.id, col(Phase.name).startswith("F"))
    return [*filter(None, session.exec(falls.order_by(col(Phase.number))))]


def all_games(session: Session) -> Sequence[Game]:
    """Return every game, by name."""
    return session.exec(select(Game).order_by(Game.name)).all()


def progress(session: Session) -> tuple[object, ...]:
    """Return a value that changes whenever public pages may change.

    The reason may be an event, a setting, or SET PUBLIC NAME.
    """
    newest = session.exec(select(func.max(Event.id))).one()
    living = select(Game.id, Game.state, Game.settings, Game.comment).where(text(f"game.{LIVING}")).order_by(Game.name)
    return newest, session.exec(living).all(), public_names(session)


def public_names(session: Session) -> Sequence[tuple[int | None, str]]:
    """Return the ids and names of the people whose names public pages may show."""
    shown = select(Person.id, Person.name).where(col(Person.public_name).is_(True))
    return session.exec(shown.order_by(col(Person.id))).all()


def newest_event(session: Session, game: Game) -> int | None:
    """Return the id of the newest event of the game, or None."""
    return session.exec(select(func.max(Event.id)).where(Event.game_id == game.id)).one()


def latest_starts(session: Session, game: Game, count: int) -> Sequence[datetime]:
    """Return the last `count` times at which the game was started, latest first."""
    starts = select(Event.at).where(Event.game_id == game.id, Event.kind == "started")
    return session.exec(starts.order_by(col(Event.id).desc()).limit(count)).all()


def asked_by(session: Session, game: Game, who: str, since: datetime) -> Sequence[datetime]:
    """Return when a player has asked the other players for their agreement, after `since`.

    `who` is the player's power.
    """
    asked = select(Event.at).where(Event.game_id == game.id, Event.kind == "asked", Event.at > since)
    return session.exec(asked.where(col(Event.text).startswith(f"{who}: "))).all()


def game_and_phase(session: Session, name: str) -> WithPhase | None:
    """Return the game of that name with its open phase, or None."""
    return session.exec(_WITH_PHASE.where(Game.name == name.lower())).first()


def living_games(session: Session) -> Sequence[WithPhase]:
    """Return every game that has not ended, with its open phase, by name."""
    return session.exec(_WITH_PHASE.where(text(f"game.{LIVING}")).order_by(Game.name)).all()


def open_phase(session: Session, game: Game) -> Phase | None:
    """Return the open phase, or None before the game starts and after it ends."""
    return session.exec(_OPEN_PHASE, params={"game": game.id}).first()


def phases_of(session: Session, game: Game) -> Sequence[Phase]:
    """Return all phases of `game`, oldest first."""
    return session.exec(select(Phase).where(Phase.game_id == game.id).order_by(col(Phase.number))).all()


def phases_since(session: Session, game: Game, moment: datetime) -> int:
    """Return the number of phases of `game` that were open at that moment or later."""
    since = or_(_OPEN, col(Phase.processed_at) > moment)
    return count(session, Phase, Phase.game_id == game.id, since)


def games_by_deadline(session: Session, limit: int) -> Sequence[tuple[str, Phase]]:
    """Return at most `limit` names of games with their open phases, the next deadline first."""
    return session.exec(_NAME_AND_PHASE.order_by(col(Phase.deadline_at)).limit(limit)).all()


def held_phases(session: Session) -> Sequence[tuple[str, Phase]]:
    """Return the names of games whose open phase could not be processed, with that phase.

    The phase that has been on hold longest comes first.
    """
    held = _NAME_AND_PHASE.where(col(Phase.held_since).is_not(None))
    return session.exec(held.order_by(col(Phase.held_since))).all()


def played(session: Session, game: Game) -> Sequence[Phase]:
    """Return every phase that was adjudicated, in order.

    A phase closed by a vote or by the master was not adjudicated.
    """
    return [phase for phase in phases_of(session, game) if phase.processed_at and phase.outcome]


def last_phase(session: Session, game: Game, *which: ColumnElement[bool]) -> Phase | None:
    """Return the newest phase of the game, open or not, that meets all these conditions, or None."""
    phases = select(Phase).where(Phase.game_id == game.id, *which)
    return session.exec(phases.order_by(col(Phase.number).desc()).limit(1)).first()


def last_played(session: Session, game: Game) -> Phase | None:
    """Return the newest phase of the game that was adjudicated, or None."""
    return last_phase(session, game, col(Phase.processed_at).is_not(None), col(Phase.outcome).is_not(None))


def last_moves(session: Session, game: Game, number: int) -> Phase | None:
    """Return the last movement phase that was adjudicated before the phase `number`, and not undone, or None."""
    played = (col(Phase.outcome).is_not(None), col(Phase.number) < number)
    return last_phase(session, game, *played, col(Phase.name).endswith("M"))


def ordered_since(session: Session, game: Game, number: int) -> bool:
    """Return whether orders or bids are on file for the phase with that number or a later one."""
    since = (Phase.game_id == game.id, Phase.number >= number)
    filed = (select(table.id).join(Phase).where(*since).limit(1) for table in (OrderRow, BidRow))
    return any(session.exec(question).first() for question in filed)


def next_alarm(session: Session, after: datetime) -> datetime | None:
    """Return the next time after that moment at which work is due, or None.

    The work is for a phase, a forming game, or delayed answers.
    """
    found = (session.exec(select(func.min(at)).where(col(at) > after, open_)).one() for at, open_ in _MOMENTS)
    return min(filter(None, found), default=None)


def due_phases(session: Session, moment: datetime, most: int | None = None) -> Sequence[tuple[str, Phase]]:
    """Return the open phases with a task due at that moment, each with its game's name.

    The phase that has been due the longest comes first. There are at most `most`.
    """
    due = or_(col(Phase.due_at) <= moment, col(Phase.notice_at) <= moment)
    return session.exec(_NAME_AND_PHASE.where(due).order_by(_RINGS_AT, col(Phase.id)).limit(most)).all()


def next_waiting(session: Session, now: datetime) -> Game | None:
    """Return the forming game whose notice has been due the longest at `now`, or None."""
    waiting = select(Game).where(col(Game.notice_at) <= now).order_by(col(Game.notice_at), col(Game.id)).limit(1)
    return session.exec(waiting).first()


def claim(session: Session, phase: Phase, now: datetime, *, due: bool) -> bool:
    """Mark `phase` as processed at `now`, and return whether that was possible.

    A phase cannot be marked if another process was first, or, with `due`, before it is due. If two processes try, only
    one changes the row, so a phase is adjudicated only once (docs/decisions/exactly_once.md).
    """
    claimed = update(Phase).where(col(Phase.id) == phase.id, _OPEN)
    if due:
        claimed = claimed.where(col(Phase.due_at) <= now)
    return session.execute(claimed.values(processed_at=now).returning(col(Phase.id))).first() is not None


def lock(session: Session, row: Phase | Game) -> None:
    """Read the row again, and lock it until the transaction ends.

    On SQLite, the transaction itself locks all rows.
    """
    session.flush()
    session.refresh(row, with_for_update=True)


# --- orders, bids and votes on file, and lines for future phases ---


def orders_on_file(session: Session, phase: Phase) -> Sequence[OrderRow]:
    """Return the orders for a phase, in the order their units first got one."""
    return session.exec(_ORDERS, params={"phase": phase.id}).all()


def bids_on_file(session: Session, phase: Phase) -> Sequence[BidRow]:
    """Return the bids for a phase, oldest first."""
    return session.exec(_BIDS, params={"phase": phase.id}).all()


def take_off_file(session: Session, rows: Iterable[OrderRow | BidRow]) -> None:
    """Delete these orders or bids, before others replace them."""
    session.flush()  # newly added rows have no id until they are flushed
    for row in rows:
        session.execute(delete(type(row)).where(col(type(row).id) == row.id))


def votes_in(session: Session, phase: Phase) -> Sequence[Vote]:
    """Return the votes cast in `phase`."""
    return session.exec(select(Vote).where(Vote.phase_id == phase.id).order_by(col(Vote.id))).all()


def future_lines(session: Session, game: Game) -> Sequence[FutureLine]:
    """Return players' lines for future phases of `game`, in order of arrival."""
    return session.exec(select(FutureLine).where(FutureLine.game_id == game.id).order_by(col(FutureLine.id))).all()
