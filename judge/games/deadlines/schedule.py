"""When an open phase is currently due (HELP deadlines): its row is updated after every change.

`reckon` sets `due_at` after orders, waits and people have changed; `rearm` also sets `notice_at`, after the times
themselves have changed. `reschedule` tells everybody of a change of times: the old ones, the new ones, and why.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from judge.games.core.board import board, variant_of
from judge.games.core.services import Services
from judge.games.core.settings import settings_of
from judge.games.core.timing import Span, Terms
from judge.games.core.work import Work
from judge.games.deadlines import absences, calendar, reminders
from judge.games.notifications import notices
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import Position
from judge.rules.board.phase import PhaseKind, kind
from judge.store import sent_mails
from judge.store.rows import id_of
from judge.store.seats import seats_of
from judge.store.tables import Game, Phase, Seat


def opening_terms(work: Work, game: Game, position: Position, previous: Phase | None) -> Terms:
    """The moments of the phase that `position` begins now, after `previous`; the first of a game lasts twice as long.

    It opens with the second in which that happens, since the times in a mailbox have no fractions of seconds.
    """
    away = _away(work, game, position)
    return _terms(game, position.phase, work.now.replace(microsecond=0), previous, away)


def _away(work: Work, game: Game, position: Position) -> list[Span]:
    return [(absence.starts_at, absence.ends_at) for absence, _ in absences.counting(work, game, position)]


def _terms(game: Game, name: str, opened_at: datetime, previous: Phase | None, away: Sequence[Span]) -> Terms:
    settings = settings_of(game)
    timing = settings.timing(kind(name))
    return calendar.terms(
        timing if previous else timing.of_first_phase,
        opened_at,
        game.zone,
        not_before=previous.deadline_at if previous else None,
        absences=away,
        strict_grace=settings.strict_grace,
    )


def tell_absences(work: Work, game: Game, phase: Phase, position: Position, previous: Phase | None) -> None:
    """Tell everybody if an absence has put off the deadline of `phase`, which has just opened."""
    plain = _terms(game, phase.name, phase.opened_at, previous, ()).deadline_at
    if plain < phase.deadline_at:
        away = absences.counting(work, game, position)
        moved = [
            (seat.power or "The master", absence.starts_at, absence.ends_at)
            for absence, seat in away
            if absence.starts_at < phase.deadline_at and absence.ends_at > plain
        ]
        context = {"away": moved, "plain": plain}
        what = f"{phase.name} Absence Notice"
        notices.tell_all(work, notices.Announcement(game, phase, "absence", what, context))


def reckon(work: Work, game: Game, book: FiledOrders) -> None:
    """Set when the book's phase is due (HELP deadlines): early once all orders are in.

    It waits until its deadline for a player who set WAIT, or who has unspent points and has not declined to spend them.
    While orders are missing it is due at the end of grace, or, without NMR, not at all. A phase that is complete keeps
    its moment even if its orders are revised.
    """
    if game.state == "paused":
        return
    phase, due_at = book.phase, _due_at(work, game, book)
    if phase.due_at != due_at:  # a column that is set is written again, even if unchanged
        phase.due_at = due_at
        work.session.add(phase)


def wait_for_deadline(session: Session, game: Game, book: FiledOrders) -> None:
    """The book's phase is open again with orders that were given before. If all are in, it is due at its deadline and
    not earlier, so that there is time to change them. The next letter calls `reckon` again.
    """
    if not reminders.awaited(session, game, book):
        book.phase.due_at = book.phase.deadline_at
        session.add(book.phase)


def _due_at(work: Work, game: Game, book: FiledOrders) -> datetime | None:
    phase = book.phase
    nmr = settings_of(game).nmr
    if settings_of(game).manual_process:
        return None
    if reminders.awaited(work.session, game, book):
        return phase.grace_ends_at if nmr else None
    if work.now < phase.deadline_at and _is_held(seats_of(work.session, game), book):
        return phase.deadline_at
    if early_at(phase):
        return phase.due_at
    early = max(phase.earliest_at, work.now + _delay(work.services, game, phase))
    latest = phase.deadline_at if work.now < phase.deadline_at else phase.grace_ends_at if nmr else early
    return min(early, latest)


def _is_held(seats: Sequence[Seat], book: FiledOrders) -> bool:
    return any(seat.waits or (seat.power and book.bids.undecided(seat.power)) for seat in seats)


def early_at(phase: Phase) -> datetime | None:
    """When a phase with all its orders is processed early; None while it waits for its deadline or for orders."""
    return None if phase.due_at in (None, phase.deadline_at, phase.grace_ends_at) else phase.due_at


def _delay(services: Services, game: Game, phase: Phase) -> timedelta:
    hours = settings_of(game).timing(kind(phase.name)).delay
    return timedelta(seconds=services.settings.early_delay) if hours is None else timedelta(hours=hours)


def rearm(work: Work, game: Game, phase: Phase) -> None:
    """Set `due_at` and `notice_at` again, after a change of the phase's times or of the game's settings.

    A notice that was due before now but not sent (the judge was away) is still sent.
    """
    if game.state == "paused":
        return
    told_until = min(work.now, phase.notice_at - timedelta(microseconds=1)) if phase.notice_at else work.now
    phase.notice_at = reminders.alarms_of(game, phase).after(told_until)
    phase.due_at = None
    sent_mails.hurry_pauses(work.session, id_of(game), phase.deadline_at, work.now)
    reckon(work, game, FiledOrders(work.session, game, phase))


def terms_of(phase: Phase) -> Terms:
    """The four moments of a phase."""
    return Terms(phase.opened_at, phase.earliest_at, phase.deadline_at, phase.grace_ends_at)


def reschedule(work: Work, game: Game, phase: Phase, terms: Terms, why: str) -> None:
    """Give `phase` these moments; everybody is told the old ones, the new ones and `why`, a sentence."""
    before = terms_of(phase)
    phase.earliest_at, phase.deadline_at = terms.earliest_at, terms.deadline_at
    phase.grace_ends_at = max(terms.grace_ends_at, terms.deadline_at)
    rearm(work, game, phase)
    text = f"{before.deadline_at} to {phase.deadline_at}, grace {before.grace_ends_at} to {phase.grace_ends_at}"
    work.log("deadline", game, text, phase)
    notices.tell_schedule(work, game, phase, before, why)


def move_deadline(work: Work, game: Game, phase: Phase, moment: datetime, why: str) -> None:
    """Set the deadline of `phase`; grace keeps its length behind it."""
    reschedule(work, game, phase, calendar.postponed(terms_of(phase), moment), why)


def resume(work: Work, game: Game, phase: Phase, paused_at: datetime, why: str) -> None:
    """The game goes on after a pause since `paused_at`, with the time that `phase` had left then."""
    _, position = board(game, phase)
    timing = settings_of(game).timing(kind(phase.name))
    away = _away(work, game, position)
    reschedule(work, game, phase, calendar.resumed(terms_of(phase), paused_at, work.now, timing, game.zone, away), why)


def coming(work: Work, game: Game, phase: Phase | None, phase_kind: PhaseKind) -> list[tuple[str, datetime]]:
    """The next two deadlines as things stand, each with what has it: the open phase (before the game begins the first
    one, if that opened now), and one of that kind after it.
    """
    if phase:
        name, deadline = phase.name, phase.deadline_at
    else:
        name = "The first phase, if the game began now"
        deadline = _terms(game, variant_of(game).start, work.now, None, []).deadline_at
    timing = settings_of(game).timing(phase_kind)
    following = calendar.terms(timing, deadline, game.zone).deadline_at
    return [(name, deadline), (f"{_WORDS[phase_kind]} after that", following)]


_WORDS: dict[PhaseKind, str] = {"M": "Moves", "R": "Retreats", "A": "Builds"}


def give_time(work: Work, game: Game, phase: Phase, why: str) -> None:
    """Give as much time as if `phase` opened now, and never less than before. Does nothing while the game is paused."""
    if game.state == "paused":
        return
    _, position = board(game, phase)
    fresh = opening_terms(work, game, position, phase)
    # Without a MIN the fresh earliest moment is only the opening itself, so nobody needs to wait for it.
    earliest = max(phase.earliest_at, fresh.earliest_at) if fresh.earliest_at > fresh.opened_at else phase.earliest_at
    grace = max(phase.grace_ends_at, fresh.grace_ends_at)
    terms = replace(fresh, opened_at=phase.opened_at, earliest_at=earliest, grace_ends_at=grace)
    reschedule(work, game, phase, terms, why)

