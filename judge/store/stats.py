"""How a judge stands, in numbers, and what a day has brought: for `judge status --json`, Prometheus, the daily report.

The first reads only what still matters, by its indexes. The second reads the tables from their ends, as far as the day
goes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any

from sqlalchemy import func, text
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from judge.store import bounces, heartbeat, inbox, outbox, reply_counts
from judge.store.games import held_phases
from judge.store.states import Met, WaitingFor
from judge.store.tables import LIVING, Attendance, BouncedAddress, Event, Game, LetterRow, Mail, Phase, Seat

_OPEN = col(Phase.processed_at).is_(None)
# Rows at a time from the end of a table.
_PAGE = 500


@dataclass(frozen=True)
class Census:
    """`games` that have not ended, by state; letters that wait, that were put aside, and those of known people that
    were ignored, as long as they are kept; mails that wait, those of them that were tried before, and those given up;
    addresses from which mails come back, so that most are withheld, and the mails that were, unless the keeper has
    dismissed the address; answers that wait, since there were too many; phases that could not be processed; times are
    None if there is none.
    """

    games: dict[str, int]
    games_ended: int
    letters_waiting: int
    letters_put_aside: int
    letters_ignored: int
    mails_waiting: int
    mails_deferred: int
    mails_waiting_for: dict[WaitingFor, int]
    mails_given_up: int
    addresses_dead: int
    mails_withheld: int
    answers_waiting: int
    phases_held: int
    oldest_mail_at: datetime | None
    next_deadline_at: datetime | None
    next_due_at: datetime | None
    last_sweep_at: datetime | None

    def as_json(self) -> dict[str, object]:
        """By name; times as in RFC 3339, UTC."""
        return {name: _plain(value) for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Day:
    """What has happened since a moment: letters that came, those put aside of them, and those of known people that were
    ignored; mails written and sent; how often each kind of event was logged; who had been late or worse, as (game,
    phase, power, how); the addresses from which mails came back.
    """

    letters: int
    put_aside: int
    ignored: int
    mails: int
    events: Counter[str]
    late: Sequence[tuple[str, str, str, Met]]
    bounced: Sequence[BouncedAddress]


def take(session: Session) -> Census:
    """The state of the judge now."""
    backlog, dead = outbox.backlog(session), bounces.dead_rows(session)
    living = select(Game.state, func.count()).where(text(LIVING)).group_by(Game.state)
    open_phases = select(func.min(Phase.deadline_at), func.min(Phase.due_at)).where(_OPEN)
    next_deadline_at, next_due_at = session.exec(open_phases).one()
    return Census(
        games={"forming": 0, "active": 0, "paused": 0} | dict(session.exec(living).all()),
        games_ended=session.exec(select(func.count()).where(col(Game.ended_at).is_not(None))).one(),
        letters_waiting=inbox.waiting(session),
        letters_put_aside=len(inbox.shunted(session)),
        letters_ignored=inbox.count_ignored(session),
        mails_waiting=backlog.waiting,
        mails_deferred=backlog.deferred,
        mails_waiting_for=outbox.reasons(session),
        mails_given_up=backlog.failed,
        addresses_dead=len(dead),
        mails_withheld=sum(sum(bounces.withheld(session, row).values()) for row in dead if not row.dismissed_at),
        answers_waiting=reply_counts.waiting(session),
        phases_held=len(held_phases(session)),
        oldest_mail_at=backlog.oldest_at,
        next_deadline_at=next_deadline_at,
        next_due_at=next_due_at,
        last_sweep_at=heartbeat.last_sweep(session),
    )


def day(session: Session, since: datetime) -> Day:
    """What has happened since then."""
    states = [state for _, state in _latest(session, since, LetterRow.kept_at, LetterRow.state, id=LetterRow.id)]
    mails = [at for (at,) in _latest(session, since, Mail.created_at, id=Mail.id)]
    events = Counter(str(kind) for _, kind in _latest(session, since, Event.at, Event.kind, id=Event.id))
    late, bounced = _late(session, since), _bounced(session, since)
    ignored = inbox.count_ignored(session, since)
    return Day(len(states), states.count("shunted"), ignored, len(mails), events, late, bounced)


def _late(session: Session, since: datetime) -> list[tuple[str, str, str, Met]]:
    question = (
        select_columns(*map(col, (Game.name, Phase.name, Seat.power, Attendance.result, Attendance.at)))
        .select_from(Attendance)
        .join(Phase, col(Attendance.phase_id) == Phase.id)
        .join(Game, col(Phase.game_id) == Game.id)
        .join(Seat, col(Attendance.seat_id) == Seat.id)
        .order_by(col(Attendance.id).desc())
    )
    rows = takewhile(lambda row: row[-1] >= since, session.execute(question.execution_options(yield_per=_PAGE)))
    return [(game, phase, power or "", met) for game, phase, power, met, _ in rows if met != "on time"][::-1]


def _bounced(session: Session, since: datetime) -> Sequence[BouncedAddress]:
    lately = select(BouncedAddress).where(BouncedAddress.last_at >= since).order_by(BouncedAddress.address)
    return session.exec(lately).all()


def _latest(session: Session, since: datetime, at: Any, *more: Any, id: Any) -> Iterator[Any]:
    """The columns of the rows since then, the last first; rows are written in the order of their times, but for
    moments.
    """
    rows: Iterable[Any] = session.execute(
        select_columns(at, *more).order_by(col(id).desc()).execution_options(yield_per=_PAGE)
    )
    return takewhile(lambda row: row[0] >= since, rows)


def _plain(value: object) -> object:
    return value.isoformat(timespec="seconds") if isinstance(value, datetime) else value
