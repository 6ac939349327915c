"""When an open phase is due (HELP deadlines), pauses of a game, and absences of its players.

`reckon` sets `due_at` of a phase's row after orders, waits and people have changed; `rearm` also sets `notice_at`,
after the times themselves have changed. `reschedule` notifies everybody of a change of times. In a paused game the
clock stops, and orders are kept. As in njudge, an absence counts for the master, and for a player who has a move due;
the open phase keeps its deadline, and all hear of an absence only when a deadline was put off because of it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.games.core.board import board, variant_of
from judge.games.core.settings import TIMED, Span, Terms, settings_of
from judge.games.core.work import Refusal, Work
from judge.games.deadlines import calendar
from judge.games.deadlines.reminders import PAUSED, Alarms
from judge.games.notifications import notices
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.standing import early_at
from judge.rules import Position, seats_asked
from judge.rules.board.phase import PhaseKind, kind
from judge.store import sent_mails
from judge.store.rows import id_of
from judge.store.seats import pending, seats_of
from judge.store.tables import Absence, Game, Phase, Seat

MOST_ABSENCES = 3


# --- the times of a phase ---


def opening_terms(work: Work, game: Game, position: Position, previous: Phase | None) -> Terms:
    """Return the moments of the phase that `position` begins now, after `previous`; a game's first lasts twice as long.

    It opens with the second in which that happens, since the times in a mailbox have no fractions of seconds.
    """
    away = _spans(_absences(work, game, position))
    return _terms(game, position.phase, work.now.replace(microsecond=0), previous, away)


def _terms(game: Game, name: str, opened_at: datetime, previous: Phase | None, away: Sequence[Span] = ()) -> Terms:
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


def terms_of(phase: Phase) -> Terms:
    """Return the four moments of a phase."""
    return Terms(phase.opened_at, phase.earliest_at, phase.deadline_at, phase.grace_ends_at)


def reckon(work: Work, book: FiledOrders) -> None:
    """Set when the book's phase is due: early once all orders are in.

    It waits until its deadline for a player who set WAIT, or who has unspent points and has not declined to spend them.
    While orders are missing it is due at the end of grace, or, without NMR, not at all. A phase that is complete keeps
    its moment even if its orders are revised.
    """
    phase, settings = book.phase, settings_of(book.game)
    if book.game.state == "paused":
        return
    if settings.manual_process:
        phase.due_at = None
    elif book.awaited():
        phase.due_at = phase.grace_ends_at if settings.nmr else None
    elif work.now < phase.deadline_at and any(
        seat.waits or (seat.power and book.bids.undecided(seat.power)) for seat in seats_of(work.session, book.game)
    ):
        phase.due_at = phase.deadline_at
    elif not early_at(phase):
        hours = settings.timing(book.kind).delay
        delay = timedelta(seconds=work.services.settings.early_delay) if hours is None else timedelta(hours=hours)
        early = max(phase.earliest_at, work.now + delay)
        latest = phase.deadline_at if work.now < phase.deadline_at else phase.grace_ends_at if settings.nmr else early
        phase.due_at = min(early, latest)


def rearm(work: Work, game: Game, phase: Phase) -> None:
    """Set `due_at` and `notice_at` again, after a change of the phase's times or of the game's settings.

    A notice that was due before now but not sent (the judge was away) is still sent.
    """
    if game.state == "paused":
        return
    told_until = min(work.now, phase.notice_at - timedelta(microseconds=1)) if phase.notice_at else work.now
    phase.notice_at = Alarms(phase, settings_of(game)).after(told_until)
    phase.due_at = None
    sent_mails.hurry_pauses(work.session, id_of(game), phase.deadline_at, work.now)
    reckon(work, FiledOrders(work.session, game, phase))


def reschedule(work: Work, game: Game, phase: Phase, terms: Terms, why: str) -> None:
    """Give `phase` these moments; everybody is notified of the old ones, the new ones and `why`, a sentence."""
    before = terms_of(phase)
    phase.earliest_at, phase.deadline_at = terms.earliest_at, terms.deadline_at
    phase.grace_ends_at = max(terms.grace_ends_at, terms.deadline_at)
    rearm(work, game, phase)
    text = f"{before.deadline_at} to {phase.deadline_at}, grace {before.grace_ends_at} to {phase.grace_ends_at}"
    work.log("deadline", game, text, phase)
    announced = notices.Announcement(
        game, phase, "deadline", f"{phase.name} Deadline Adjustment", {"before": before, "why": why}
    )
    notices.tell_all(work, announced)


def move_deadline(work: Work, game: Game, phase: Phase, moment: datetime, why: str) -> None:
    """Set the deadline of `phase`; grace keeps its length after it."""
    reschedule(work, game, phase, calendar.postponed(terms_of(phase), moment), why)


def give_time(work: Work, game: Game, phase: Phase, why: str) -> None:
    """Give as much time as if `phase` opened now, and never less than before; nothing while the game is paused."""
    if game.state == "paused":
        return
    fresh = opening_terms(work, game, board(game, phase)[1], phase)
    # Without a MIN the fresh earliest moment is only the opening itself, so nobody needs to wait for it.
    earliest = max(phase.earliest_at, fresh.earliest_at) if fresh.earliest_at > fresh.opened_at else phase.earliest_at
    grace = max(phase.grace_ends_at, fresh.grace_ends_at)
    terms = replace(fresh, opened_at=phase.opened_at, earliest_at=earliest, grace_ends_at=grace)
    reschedule(work, game, phase, terms, why)


def coming(work: Work, game: Game, phase: Phase | None, phase_kind: PhaseKind) -> list[tuple[str, datetime]]:
    """Return the next two deadlines as things stand, each with its name: of the open phase and of one of that kind.

    Before the game begins the first is that of the first phase, if it opened now.
    """
    if phase:
        name, deadline = phase.name, phase.deadline_at
    else:
        name = "First phase, if the game started now"
        deadline = _terms(game, variant_of(game).start, work.now, None).deadline_at
    following = calendar.terms(settings_of(game).timing(phase_kind), deadline, game.zone).deadline_at
    return [(name, deadline), (f"{TIMED[phase_kind]} after that", following)]


# --- pauses ---


def pause(work: Work, game: Game, phase: Phase) -> None:
    """Stop the clock of `game`, and notify everybody; orders on file are kept."""
    stop_clock(work, game, phase, work.now + PAUSED)
    text = (
        f"{game.name} is paused: {phase.name} has no deadline now. Orders on file stay, and players can still send "
        "and change them. RESUME restarts the game with the time that was left, at least a day."
    )
    notices.tell_news(work, game, f"{phase.name} Game Paused", text)


def stop_clock(work: Work, game: Game, phase: Phase, notice_at: datetime) -> None:
    """Stop the clock of `game`; at `notice_at` the judge looks at it again."""
    game.state, game.stopped_at = "paused", work.now
    phase.due_at, phase.notice_at = None, notice_at
    work.log("paused", game, phase.name, phase)


def remind_paused(work: Work, game: Game, phase: Phase) -> None:
    """Remind everybody that the game is paused, as every three days."""
    phase.notice_at = work.now + PAUSED
    text = f"{game.name} is still paused in {phase.name}. RESUME restarts it with the time that was left."
    notices.tell_news(work, game, f"{phase.name} Game Paused", text)


def resume(work: Work, game: Game, phase: Phase, why: str = "", deadline: datetime | None = None) -> None:
    """Continue the game, with the time that was left when it was paused, or until `deadline`; all are told `why`."""
    paused_at = game.stopped_at or phase.opened_at
    game.state, game.stopped_at, game.idle, phase.notice_at = "active", None, False, None
    work.log("resumed", game, phase.name, phase)
    if deadline:
        terms = calendar.postponed(terms_of(phase), deadline)
    else:
        timing = settings_of(game).timing(kind(phase.name))
        away = _spans(_absences(work, game, board(game, phase)[1]))
        terms = calendar.resumed(terms_of(phase), paused_at, work.now, timing, game.zone, away)
    reschedule(work, game, phase, terms, why or f"{game.name} has resumed at {phase.name}.")


# --- absences ---


def _absences(work: Work, game: Game, position: Position) -> Sequence[tuple[Absence, Seat]]:
    """Return the absences that a deadline for `position` avoids: the master's, and of players who have to order."""
    waiting = pending(work.session, game, work.now)
    if not waiting:
        return []
    asked = seats_asked(variant_of(game).at(position.phase), position)
    return [(absence, seat) for absence, seat in waiting if seat.role == "master" or seat.power in asked]


def _spans(absences: Sequence[tuple[Absence, Seat]]) -> list[Span]:
    return [(absence.starts_at, absence.ends_at) for absence, _ in absences]


def tell_absences(work: Work, game: Game, phase: Phase, position: Position, previous: Phase | None) -> None:
    """Notify everybody if an absence has put off the deadline of `phase`, which has just opened."""
    plain = _terms(game, phase.name, phase.opened_at, previous).deadline_at
    if plain < phase.deadline_at:
        moved = [
            (seat.power or "The master", absence.starts_at, absence.ends_at)
            for absence, seat in _absences(work, game, position)
            if absence.starts_at < phase.deadline_at and absence.ends_at > plain
        ]
        context = {"away": moved, "plain": plain}
        subject = f"{phase.name} Absence Notice"
        notices.tell_all(work, notices.Announcement(game, phase, "absence", subject, context))


def pending_absences(work: Work, game: Game, seat: Seat) -> list[Absence]:
    """Return the absences of one seat that are not over yet."""
    return [absence for absence, whose in pending(work.session, game, work.now) if whose.id == seat.id]


def grant_absence(work: Work, game: Game, seat: Seat, start: datetime, end: datetime) -> None:
    """Note that the holder of `seat` is away from `start` to `end`. Raises Refusal."""
    longest = settings_of(game).max_absence
    mine = pending_absences(work, game, seat)
    if end <= start:
        raise Refusal("An absence must end after it begins.")
    if end <= work.now:
        raise Refusal("That absence is already over.")
    if seat.role != "master" and end - start > timedelta(days=longest):
        raise Refusal(f"In this game an absence can last up to {longest} days; ask the master for more.")
    if any(absence.starts_at < end and start < absence.ends_at for absence in mine):
        raise Refusal(
            "That overlaps another absence of yours. To cancel that one, send SET NO ABSENCE and a date in it."
        )
    if len(mine) >= MOST_ABSENCES:
        raise Refusal(
            f"You already have {MOST_ABSENCES} absences. To cancel one, send SET NO ABSENCE and a date in it."
        )
    work.session.add(Absence(seat_id=id_of(seat), starts_at=start, ends_at=end))
    work.log("absence", game, f"{seat.power or seat.role} {start} to {end}")


def cancel_absence(work: Work, game: Game, seat: Seat, day: Span) -> Absence | None:
    """Delete the absence of `seat` that overlaps `day` and return it; None if there is none."""
    mine = pending_absences(work, game, seat)
    found = next((absence for absence in mine if absence.starts_at <= day[1] and day[0] <= absence.ends_at), None)
    if found:
        work.session.delete(found)
        work.log("absence", game, f"{seat.power or seat.role} canceled")
    return found
