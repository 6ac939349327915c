"""Numbers about a judge, now and of the last day: for `judge status --json`, Prometheus and the daily report.

The numbers of now are counted by indexes. Those of a day are read from the ends of the tables, as far back as the day.
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

from judge.store import bounces, inbox, outbox, sent_mails
from judge.store.games import held_phases
from judge.store.states import Met, WaitingFor
from judge.store.tables import LIVING, Attendance, BouncedAddress, Event, Game, LetterRow, Mail, Phase, Seat

_OPEN = col(Phase.processed_at).is_(None)
# Rows at a time from the end of a table.
_PAGE = 500


@dataclass(frozen=True)
class Census:
    """The state of the judge in numbers.

    `games`: those that have not ended, by state. `letters_put_aside`: in quarantine. `letters_ignored`: of known
    people, as long as they are kept. `letters_unconfirmed`: they wait for their senders to confirm them.
    `mails_deferred`: those of the waiting mails that were tried before.
    `addresses_dead`: mails to them bounce, so most are withheld. `mails_withheld`: from addresses that the keeper has
    not dismissed. `answers_waiting`: because there were too many. `phases_held`: they could not be processed.
    """

    games: dict[str, int]
    games_ended: int
    letters_waiting: int
    letters_put_aside: int
    letters_ignored: int
    letters_unconfirmed: int
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
        """The numbers by name, with times as in RFC 3339, UTC."""
        return {
            name: value.isoformat(timespec="seconds") if isinstance(value, datetime) else value
            for name, value in asdict(self).items()
        }


@dataclass(frozen=True)
class Day:
    """Counts of events since a moment.

    `put_aside`: letters that went into quarantine. `ignored`: letters of known people. `unanswered`: how many of each
    sender were not answered. `events`: how often each kind was logged. `late`: players who were late or worse, as
    (game, phase, power, how). `bounced`: the addresses from which mails bounced.
    """

    letters: int
    put_aside: int
    ignored: int
    unanswered: Counter[str]
    mails: int
    events: Counter[str]
    late: Sequence[tuple[str, str, str, Met]]
    bounced: Sequence[BouncedAddress]


def take(session: Session) -> Census:
    """The state of the judge now."""
    (waiting, deferred, oldest_at), dead = outbox.backlog(session), bounces.dead_rows(session)
    living = select(Game.state, func.count()).where(text(LIVING)).group_by(Game.state)
    open_phases = select(func.min(Phase.deadline_at), func.min(Phase.due_at)).where(_OPEN)
    next_deadline_at, next_due_at = session.exec(open_phases).one()
    return Census(
        games={"forming": 0, "active": 0, "paused": 0} | dict(session.exec(living).all()),
        games_ended=session.exec(select(func.count()).where(col(Game.ended_at).is_not(None))).one(),
        letters_waiting=inbox.waiting(session),
        letters_put_aside=len(inbox.letters(session, "shunted")),
        letters_ignored=inbox.count_ignored(session),
        letters_unconfirmed=len(inbox.letters(session, "held")),
        mails_waiting=waiting,
        mails_deferred=deferred,
        mails_waiting_for=outbox.reasons(session),
        mails_given_up=len(outbox.given_up(session)),
        addresses_dead=len(dead),
        mails_withheld=sum(sum(bounces.withheld(session, row).values()) for row in dead if not row.dismissed_at),
        answers_waiting=sum(sent_mails.answers_waiting(session).values()),
        phases_held=len(held_phases(session)),
        oldest_mail_at=oldest_at,
        next_deadline_at=next_deadline_at,
        next_due_at=next_due_at,
        last_sweep_at=inbox.last_sweep(session),
    )


def day(session: Session, since: datetime) -> Day:
    """Count what has happened since then."""
    states = [state for _, state in _latest(session, since, LetterRow.kept_at, LetterRow.state, id=LetterRow.id)]
    mails = [at for (at,) in _latest(session, since, Mail.created_at, id=Mail.id)]
    events = Counter(str(kind) for _, kind in _latest(session, since, Event.at, Event.kind, id=Event.id))
    was_late = (
        select_columns(*map(col, (Attendance.at, Game.name, Phase.name, Seat.power, Attendance.result)))
        .select_from(Attendance)
        .join(Phase, col(Attendance.phase_id) == Phase.id)
        .join(Game, col(Phase.game_id) == Game.id)
        .join(Seat, col(Attendance.seat_id) == Seat.id)
    )
    met = [row for row in _newest(session, since, was_late, Attendance.id) if row[-1] != "on time"]
    late = [(game, phase, power or "", how) for _, game, phase, power, how in met[::-1]]
    bounced = select(BouncedAddress).where(BouncedAddress.last_at >= since).order_by(BouncedAddress.address)
    return Day(
        letters=len(states),
        put_aside=states.count("shunted"),
        ignored=inbox.count_ignored(session, since),
        unanswered=unanswered(session, since),
        mails=len(mails),
        events=events,
        late=late,
        bounced=session.exec(bounced).all(),
    )


def unanswered(session: Session, since: datetime) -> Counter[str]:
    """Count letters by sender that were carried out since then but not answered: they may be forged."""
    columns = (LetterRow.kept_at, LetterRow.state, LetterRow.error, LetterRow.sender)
    found = _latest(session, since, *columns, id=LetterRow.id)
    return Counter(sender for _, state, why, sender in found if state == "done" and why)


def _latest(session: Session, since: datetime, at: Any, *more: Any, id: Any) -> Iterator[Any]:
    """The columns of the rows of a table since then, the newest first."""
    return _newest(session, since, select_columns(at, *more), id)


def _newest(session: Session, since: datetime, question: Any, id: Any) -> Iterator[Any]:
    """The rows since the moment in their first column; ids are in the order of the times, give or take moments."""
    rows: Iterable[Any] = session.execute(question.order_by(col(id).desc()).execution_options(yield_per=_PAGE))
    return takewhile(lambda row: row[0] >= since, rows)
