"""When an open phase is due, as things stand (judge-commands 4.1, 4.2): its row kept right after every change.

`reckon` sets `due_at` after orders, waits and people have changed; `rearm` sets `notice_at` too, after the times
themselves have. Everybody is told of a change of times by `reschedule`: the old ones, the new ones, and why.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from judge.games.core.board import board
from judge.games.core.office import Office
from judge.games.core.settings import GameSettings
from judge.games.core.timing import Span, Terms
from judge.games.deadlines import absences, lateness, moments
from judge.games.orders.orderbook import OrderBook
from judge.games.telling import notices
from judge.rules import Position
from judge.rules.board.phase import kind
from judge.store.lookups import seats_of
from judge.store.tables import Event, Game, Phase, Seat


def opening_terms(
    session: Session, game: Game, position: Position, now: datetime, previous: Phase | None
) -> Terms:
    """The moments of the phase that `position` begins now, after `previous`; the first of a game lasts twice as long.

    It opens with the next whole second, since a mailbox's times have no finer grain.
    """
    away = [span for span, _ in absences.counting(session, game, position, now)]
    return _terms(game, position.phase, _next_second(now), previous, away)


def _terms(
    game: Game, name: str, opened_at: datetime, previous: Phase | None, away: Sequence[Span]
) -> Terms:
    settings = GameSettings.from_json(game.settings)
    return moments.terms(
        settings.timing(kind(name)),
        opened_at,
        game.zone,
        not_before=previous.deadline_at if previous else None,
        stretch=1 if previous else 2,
        absences=away,
        strict_grace=settings.strict_grace,
    )


def tell_absences(
    session: Session, office: Office, game: Game, phase: Phase, position: Position, previous: Phase | None,
    now: datetime,
) -> None:  # fmt: skip
    """Tell everybody if an absence has put off the deadline of `phase`, which has just opened."""
    plain = _terms(game, phase.name, phase.opened_at, previous, ()).deadline_at
    away = absences.counting(session, game, position, now)
    moved = [(seat, span) for span, seat in away if span[0] < phase.deadline_at and span[1] > plain]
    if plain < phase.deadline_at:
        context = {"away": [(seat.power or "The master", *span) for seat, span in moved], "plain": plain}
        notices.tell_all(session, office, game, phase, "absence", f"{phase.name} Absence Notice", context, now)


def reckon(session: Session, office: Office, game: Game, book: OrderBook, now: datetime) -> None:
    """Set when the book's phase is due (judge-commands 4.2): early once all orders are in.

    A player who set WAIT, or who has unspent points and has not declined them, holds it until its deadline.
    While orders are missing it is due at the end of grace, or,
    without NMR, not at all. A phase that is complete keeps the moment it was given, however often its orders are
    revised.
    """
    if game.state == "paused":
        return
    phase, due_at = book.phase, _due_at(session, office, game, book, now)
    if phase.due_at != due_at:  # what is set anew is written anew, changed or not
        phase.due_at = due_at
        session.add(phase)


def wait_for_deadline(session: Session, game: Game, book: OrderBook) -> None:
    """The book's phase is open again with orders that were given before: where all are in, it is due at its deadline,
    not sooner, so that there is time to change them. The next letter reckons anew.
    """
    if not lateness.awaited(session, game, book):
        book.phase.due_at = book.phase.deadline_at
        session.add(book.phase)


def _due_at(session: Session, office: Office, game: Game, book: OrderBook, now: datetime) -> datetime | None:
    phase = book.phase
    nmr = GameSettings.from_json(game.settings).nmr
    if lateness.awaited(session, game, book):
        return phase.grace_ends_at if nmr else None
    if now < phase.deadline_at and _is_held(seats_of(session, game), book):
        return phase.deadline_at
    if early_at(phase):
        return phase.due_at
    early = max(phase.earliest_at, now + _delay(office, game, phase))
    latest = phase.deadline_at if now < phase.deadline_at else phase.grace_ends_at if nmr else early
    return min(early, latest)


def _is_held(seats: Sequence[Seat], book: OrderBook) -> bool:
    return any(seat.waits or (seat.power and book.bids.undecided(seat.power)) for seat in seats)


def early_at(phase: Phase) -> datetime | None:
    """When a phase that has all its orders is processed; None while it only waits for its deadline or for orders."""
    return None if phase.due_at in (None, phase.deadline_at, phase.grace_ends_at) else phase.due_at


def _delay(office: Office, game: Game, phase: Phase) -> timedelta:
    hours = GameSettings.from_json(game.settings).timing(kind(phase.name)).delay
    return timedelta(seconds=office.settings.early_delay) if hours is None else timedelta(hours=hours)


def rearm(session: Session, office: Office, game: Game, phase: Phase, now: datetime) -> None:
    """Set `due_at` and `notice_at` anew, after a change of the phase's times or of the game's settings.

    What had to be told before `now` and was not (the judge was away) is not forgotten.
    """
    if game.state == "paused":
        return
    told_until = min(now, phase.notice_at - timedelta(microseconds=1)) if phase.notice_at else now
    phase.notice_at = lateness.alarms_of(game, phase).after(told_until)
    phase.due_at = None
    reckon(session, office, game, OrderBook(session, game, phase), now)


def terms_of(phase: Phase) -> Terms:
    """The four moments of a phase."""
    return Terms(phase.opened_at, phase.earliest_at, phase.deadline_at, phase.grace_ends_at)


def reschedule(
    session: Session, office: Office, game: Game, phase: Phase, terms: Terms, why: str, now: datetime
) -> None:
    """Give `phase` these moments; everybody is told the old ones, the new ones and `why`, a sentence."""
    before = terms_of(phase)
    phase.earliest_at, phase.deadline_at = terms.earliest_at, terms.deadline_at
    phase.grace_ends_at = max(terms.grace_ends_at, terms.deadline_at)
    rearm(session, office, game, phase, now)
    text = f"{before.deadline_at} to {phase.deadline_at}, grace {before.grace_ends_at} to {phase.grace_ends_at}"
    session.add(Event(at=now, kind="deadline", game_id=game.id, phase_id=phase.id, text=text))
    notices.tell_schedule(session, office, game, phase, before, why, now)


def move_deadline(
    session: Session, office: Office, game: Game, phase: Phase, moment: datetime, why: str, now: datetime
) -> None:
    """Set the deadline of `phase`; grace keeps its length behind it."""
    reschedule(session, office, game, phase, moments.postponed(terms_of(phase), moment), why, now)


def give_time(session: Session, office: Office, game: Game, phase: Phase, why: str, now: datetime) -> None:
    """As much time as if `phase` opened now, and never less than it had. Nothing while the game is paused."""
    if game.state == "paused":
        return
    _, position = board(game, phase)
    fresh = opening_terms(session, game, position, now, phase)
    # Without a MIN the fresh start is no moment that anybody waits for.
    earliest = max(phase.earliest_at, fresh.earliest_at) if fresh.earliest_at > fresh.opened_at else phase.earliest_at
    grace = max(phase.grace_ends_at, fresh.grace_ends_at)
    terms = replace(fresh, opened_at=phase.opened_at, earliest_at=earliest, grace_ends_at=grace)
    reschedule(session, office, game, phase, terms, why, now)


def _next_second(moment: datetime) -> datetime:
    whole = moment.replace(microsecond=0)
    return whole if whole == moment else whole + timedelta(seconds=1)
