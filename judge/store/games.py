"""Games, their phases, and the log of events.

Only `claim` and `log_event` change a row.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import and_, bindparam, case, func, or_, text, true, tuple_, update
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, SQLModel, col, select

from judge.store.states import EventKind
from judge.store.tables import LIVING, Address, BidRow, Event, Game, Mail, OrderRow, Pause, Person, Phase, Seat

_OPEN = col(Phase.processed_at).is_(None)
_SITS = col(Seat.left_at).is_(None)
_RINGS_AT = case(
    (col(Phase.due_at).is_(None), col(Phase.notice_at)),
    (col(Phase.notice_at) < col(Phase.due_at), col(Phase.notice_at)),
    else_=col(Phase.due_at),
)
_PHASES = SQLModel.metadata.tables["phase"]
_WITH_PHASE = select(Game, Phase).join(Phase, and_(col(Phase.game_id) == Game.id, _OPEN), isouter=True)
_NAME_AND_PHASE = select(Game.name, Phase).join(Phase).where(_OPEN)
# Asked each time: to build a statement anew takes longer than to execute it.
_AMONG = select(Game.name).where(col(Game.name).in_(bindparam("names", expanding=True)))
_NAMED_WITH_PHASE = _WITH_PHASE.where(Game.name == bindparam("name"))
_IS_DUE = or_(col(Phase.due_at) <= bindparam("now"), col(Phase.notice_at) <= bindparam("now"))
_NEXT_DUE = select(Phase).where(_OPEN, _IS_DUE).order_by(_RINGS_AT, col(Phase.id)).limit(1)


def game_named(session: Session, name: str) -> Game | None:
    """The game of that name, in any letter case."""
    return session.exec(select(Game).where(Game.name == name.lower())).first()


def games_among(session: Session, names: Collection[str]) -> frozenset[str]:
    """The `names`, in lower case, that are names of games."""
    return frozenset(session.exec(_AMONG, params={"names": [*names]}) if names else ())


def all_games(session: Session) -> Sequence[Game]:
    """Every game, by name."""
    return session.exec(select(Game).order_by(Game.name)).all()


def progress(session: Session) -> tuple[object, ...]:
    """Return a value that changes whenever public pages may: after an event, a setting, or SET PUBLIC NAME."""
    newest = session.exec(select(func.max(Event.id))).one()
    living = select(Game.id, Game.state, Game.settings).where(text(f"game.{LIVING}")).order_by(Game.name)
    return newest, session.exec(living).all(), public_names(session)


def public_names(session: Session) -> Sequence[tuple[int | None, str]]:
    """The people whose names public pages may show, with these."""
    shown = select(Person.id, Person.name).where(col(Person.public_name).is_(True))
    return session.exec(shown.order_by(col(Person.id))).all()


def newest_events(session: Session) -> dict[int | None, int | None]:
    """The number of the newest event of each game, by the number of the game."""
    return dict(session.exec(select(Event.game_id, func.max(Event.id)).group_by(col(Event.game_id))).all())


def game_and_phase(session: Session, name: str) -> tuple[Game, Phase | None] | None:
    """The game of that name with its open phase."""
    return session.exec(_NAMED_WITH_PHASE, params={"name": name.lower()}).first()


def living_games(session: Session) -> Sequence[tuple[Game, Phase | None]]:
    """Every game that has not ended with its open phase, by name."""
    return session.exec(_WITH_PHASE.where(text(f"game.{LIVING}")).order_by(Game.name)).all()


def open_phase(session: Session, game: Game) -> Phase | None:
    """The phase being played; None before the game starts and after it ends."""
    return session.exec(select(Phase).where(Phase.game_id == game.id, _OPEN)).first()


def deadline_of(session: Session, phase_id: int) -> datetime | None:
    """The deadline of that phase while it is open."""
    return session.exec(select(Phase.deadline_at).where(Phase.id == phase_id, _OPEN)).first()


def phases_of(session: Session, game: Game) -> Sequence[Phase]:
    """All phases of `game`, oldest first."""
    return session.exec(select(Phase).where(Phase.game_id == game.id).order_by(col(Phase.number))).all()


def phases_since(session: Session, game: Game, moment: datetime) -> int:
    """Count the phases of `game` that were open at that moment or later."""
    since = or_(_OPEN, col(Phase.processed_at) > moment)
    return session.exec(select(func.count()).select_from(Phase).where(Phase.game_id == game.id, since)).one()


def games_by_deadline(session: Session, limit: int) -> Sequence[tuple[str, Phase]]:
    """Names of games with their open phases, the next deadline first."""
    return session.exec(_NAME_AND_PHASE.order_by(col(Phase.deadline_at)).limit(limit)).all()


def held_phases(session: Session) -> Sequence[tuple[str, Phase]]:
    """Names of games with the open phases that the judge could not process, the one held longest first."""
    held = _NAME_AND_PHASE.where(col(Phase.held_since).is_not(None))
    return session.exec(held.order_by(col(Phase.held_since))).all()


def played(session: Session, game: Game) -> Sequence[Phase]:
    """Every phase that was adjudicated, in order; phases closed by a vote or the master are left out."""
    return [phase for phase in phases_of(session, game) if phase.processed_at and phase.outcome]


def last_played(session: Session) -> dict[int, Phase]:
    """The newest phase that was adjudicated of each game, by the number of the game."""
    over = (col(Phase.processed_at).is_not(None), col(Phase.outcome).is_not(None))
    newest = select(col(Phase.game_id), func.max(Phase.number)).where(*over).group_by(col(Phase.game_id))
    those = tuple_(col(Phase.game_id), col(Phase.number)).in_(newest)
    return {phase.game_id: phase for phase in session.exec(select(Phase).where(those))}


def last_phase(session: Session, game: Game) -> Phase | None:
    """The newest phase, open or not."""
    phases = select(Phase).where(Phase.game_id == game.id)
    return session.exec(phases.order_by(col(Phase.number).desc()).limit(1)).first()


def last_moves(session: Session, game: Game, number: int) -> Phase | None:
    """The last movement phase of the game before the phase with that number."""
    before = (Phase.game_id == game.id, Phase.number < number, col(Phase.name).endswith("M"))
    return session.exec(select(Phase).where(*before).order_by(col(Phase.number).desc()).limit(1)).first()


def ordered_since(session: Session, game: Game, number: int) -> bool:
    """Whether anyone has an order or a bid on file for the phase with that number or a later one."""
    since = (Phase.game_id == game.id, Phase.number >= number)
    filed = (select(table.id).join(Phase).where(*since).limit(1) for table in (OrderRow, BidRow))
    return any(session.exec(question).first() for question in filed)


def next_alarm(session: Session, after: datetime) -> datetime | None:
    """Return the time of the next work after that moment: for a phase, a forming game, or delayed answers."""
    moments = (
        (Phase.due_at, _OPEN),
        (Phase.notice_at, _OPEN),
        (Game.notice_at, true()),
        (Pause.ends_at, col(Pause.ended_at).is_(None)),
    )
    found = (session.exec(select(func.min(at)).where(col(at) > after, open_)).one() for at, open_ in moments)
    return min(filter(None, found), default=None)


def next_due(session: Session, now: datetime) -> Phase | None:
    """The open phase whose task has been due the longest at `now`."""
    return session.exec(_NEXT_DUE, params={"now": now}).first()


def due_before(session: Session, moment: datetime) -> Sequence[tuple[str, Phase]]:
    """Names of games with the open phases whose task was due before that moment, the longest due first."""
    due = or_(col(Phase.due_at) < moment, col(Phase.notice_at) < moment)
    return session.exec(_NAME_AND_PHASE.where(due).order_by(_RINGS_AT, col(Phase.id))).all()


def games_concerned(session: Session, address: str, message_ids: Collection[str]) -> set[int]:
    """The ids of the games in which the owner of `address` has a seat, or that these mails are about."""
    seats = select(Seat.game_id).join(Address, col(Address.person_id) == Seat.person_id)
    mails = select(Mail.game_id).where(col(Mail.message_id).in_(message_ids), col(Mail.game_id).is_not(None))
    return {*session.exec(seats.where(Address.address == address, _SITS)), *filter(None, session.exec(mails))}


def next_waiting(session: Session, now: datetime) -> Game | None:
    """The forming game whose notice has been due the longest at `now`."""
    waiting = select(Game).where(col(Game.notice_at) <= now).order_by(col(Game.notice_at), col(Game.id)).limit(1)
    return session.exec(waiting).first()


def claim(session: Session, phase: Phase, now: datetime, *, due: bool) -> bool:
    """Mark `phase` as processed at `now`; False if another process did so first, or, with `due`, if it is not due.

    This one statement makes sure that a phase is adjudicated only once (docs/decisions/exactly_once.md): if two
    processes try, only one changes the row.
    """
    session.flush()
    claimed = update(_PHASES).where(_PHASES.c.id == phase.id, _PHASES.c.processed_at.is_(None))
    if due:
        claimed = claimed.where(_PHASES.c.due_at <= now)
    if session.connection().execute(claimed.values(processed_at=now).returning(_PHASES.c.id)).first() is None:
        return False
    set_committed_value(phase, "processed_at", now)
    return True


def lock(session: Session, row: Phase | Game) -> None:
    """Read the row again and lock it until the transaction ends; SQLite has locked all rows since it began."""
    session.flush()
    session.refresh(row, with_for_update=True)


def log_event(session: Session, kind: EventKind, game: Game, phase: Phase | None, text: str, now: datetime) -> None:
    """Log an event of `game`."""
    session.add(Event(at=now, kind=kind, game_id=game.id, phase_id=phase.id if phase else None, text=text))
