"""Figures about a judge, for this moment and the last day.

These figures are for `judge status --json`, Prometheus and the daily report. Figures for this moment are counted with
indexes, but for the figures of a day some tables are read completely.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, text
from sqlmodel import Session, col, select

from judge.store import bounces, inbox, outbox, pictures, sent_mails
from judge.store.games import held_phases
from judge.store.rows import count
from judge.store.states import WaitingFor
from judge.store.tables import LIVING, WRITTEN, Attendance, BouncedAddress, Event, Game, LetterRow, Mail, Phase, Seat


@dataclass(frozen=True)
class Census:
    """The state of the judge in numbers.

    `games` has the number of unfinished games by state. `letters_put_aside` are letters in quarantine, and
    `letters_ignored` the ignored letters from known people that are still kept. `letters_unconfirmed` wait for their
    senders to confirm them. `mails_deferred` are waiting mails that were tried before. `oldest_due_mail_at` is when the
    oldest mail that could be sent became due.

    `maps_drawn` and `maps_missing` count the latest maps for emails. `maps_missing_since` is when the first of the
    missing maps was requested. Most mails to `addresses_dead` are withheld, since mails there bounce. `mails_withheld`
    are mails to those dead addresses that the keeper has not dismissed. `answers_waiting` is the number of answers that
    wait because there were too many. `phases_held` is the number of phases that could not be processed.
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
    maps_drawn: int
    maps_missing: int
    maps_missing_since: datetime | None
    oldest_letter_at: datetime | None
    oldest_mail_at: datetime | None
    oldest_due_mail_at: datetime | None
    next_deadline_at: datetime | None
    next_due_at: datetime | None
    last_sweep_at: datetime | None


@dataclass(frozen=True)
class Day:
    """Numbers of events since a moment.

    `put_aside` are letters that went into quarantine, and `ignored` the ignored letters from known people. `unanswered`
    has the number of unanswered letters by sender. `events` has the number of logged events by kind. `late` has the
    players who were late or worse, as (game, phase, power, result). `bounced` has the addresses from which mails
    bounced.
    """

    letters: int
    put_aside: int
    ignored: int
    unanswered: Counter[str]
    mails: int
    events: Counter[str]
    late: Sequence[tuple[str, str, str | None, str]]
    bounced: Sequence[BouncedAddress]


def take(session: Session, now: datetime) -> Census:
    """Return the current state of the judge."""
    missing = pictures.missing(session, now)
    (waiting, deferred, oldest_at), dead = outbox.backlog(session), bounces.dead_rows(session)
    living = select(Game.state, func.count()).where(text(LIVING)).group_by(Game.state)
    open_phases = select(func.min(Phase.deadline_at), func.min(Phase.due_at)).where(col(Phase.processed_at).is_(None))
    next_deadline_at, next_due_at = session.exec(open_phases).one()
    return Census(
        games={"forming": 0, "active": 0, "paused": 0} | dict(session.exec(living).all()),
        games_ended=count(session, Game, col(Game.ended_at).is_not(None)),
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
        maps_drawn=missing.count(None),
        maps_missing=len(missing) - missing.count(None),
        maps_missing_since=min(filter(None, missing), default=None),
        oldest_letter_at=inbox.oldest(session),
        oldest_mail_at=oldest_at,
        oldest_due_mail_at=outbox.oldest_due(session),
        next_deadline_at=next_deadline_at,
        next_due_at=next_due_at,
        last_sweep_at=inbox.last_sweep(session),
    )


def day(session: Session, since: datetime) -> Day:
    """Return the statistics since the moment `since`, on letters, mails, events, late players and bounces."""
    received = select(LetterRow.state).where(text(WRITTEN), LetterRow.kept_at >= since)
    states = session.exec(received).all()
    events = select(Event.kind, func.count()).where(Event.at >= since).group_by(Event.kind)
    late = (
        select(Game.name, Phase.name, Seat.power, Attendance.result)
        .select_from(Attendance)
        .join(Phase)
        .join(Game)
        .join(Seat, col(Attendance.seat_id) == Seat.id)
        .where(Attendance.at >= since, Attendance.result != "on time")
        .order_by(col(Attendance.id))
    )
    bounced = select(BouncedAddress).where(BouncedAddress.last_at >= since).order_by(BouncedAddress.address)
    return Day(
        letters=len(states),
        put_aside=states.count("shunted"),
        ignored=inbox.count_ignored(session, since),
        unanswered=unanswered(session, since),
        mails=count(session, Mail, text(WRITTEN), Mail.created_at >= since),
        events=Counter(dict(session.exec(events).all())),
        late=session.exec(late).all(),
        bounced=session.exec(bounced).all(),
    )


def unanswered(session: Session, since: datetime) -> Counter[str]:
    """Return the number of letters after `since` that were carried out but not answered, by sender.

    These letters may be forged.
    """
    carried_out = (text(WRITTEN), col(LetterRow.done_at) >= since, LetterRow.state == "done", LetterRow.error != "")
    return Counter(session.exec(select(LetterRow.sender).where(*carried_out).order_by(col(LetterRow.done_at).desc())))
