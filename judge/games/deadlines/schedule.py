"""The schedule of an open phase (HELP deadlines): notices while the phase waits, and changes to its times.

judge/games/deadlines/due.py computes when a phase is due and when a notice is sent. Only this module writes these times
to the phase's row. `reckon` writes them after orders, waits and people have changed, and `rearm` after the deadline or
the settings have changed. `reschedule` and `put_off` notify all players of a changed deadline.

In a paused game the clock stops, and orders are kept. As in njudge, a deadline avoids the absences of the master, and
of players who have a move due. The deadline of the open phase stays. All players are notified of an absence only if it
has postponed a deadline.

`tell_due` is called once for each notice, in the transaction that sets the row to the next notice.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import filterfalse

from judge.games.core.board import board, letters_of, terms_of, variant_of
from judge.games.core.setting_fields import Timing
from judge.games.core.settings import TIMED, Span, Terms, settings_of
from judge.games.core.who_may_see import playing_masters, shown_to
from judge.games.core.work import Refusal, Work
from judge.games.deadlines import calendar, due
from judge.games.deadlines.due import PAUSED, Alarms, Holds, NoticeKind
from judge.games.notifications import game_mails, notices
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.standing import own_forms, wanting
from judge.games.people import reliability
from judge.mails.templates import when
from judge.rules import PhaseKind, Position, counted, kind, listed, seats_asked, still_in
from judge.store import sent_mails
from judge.store.games import played
from judge.store.seats import (
    Absences,
    by_address,
    leave_seat,
    masters_of,
    name_of,
    pending,
    players_of,
    seats_of,
    with_players,
)
from judge.store.states import MailKind
from judge.store.tables import NEVER, Absence, Game, Phase, Seat

MOST_WELCOMES = 2


def tell_due(work: Work, game: Game, phase: Phase, moment: datetime) -> None:
    """Send the notices that are due at `moment`, unless all players have done what is due.

    A master for whom the phase waits gets a notice even then. A late reminder or repeated notice is not sent if the
    next notice is also due.
    """
    book, alarms = FiledOrders(work.session, game, phase), Alarms(phase, settings_of(game))
    powers = list(book.awaited())
    kind, following = alarms.kind(moment), alarms.after(moment)
    is_overtaken = work.now >= (following or phase.grace_ends_at)
    if is_overtaken and kind in ("reminder", "again"):
        return
    players = players_of(work.session, game)
    late = {power: players[power] for power in powers if power in players}
    if kind == "master":
        _tell_master(work, game, phase, powers)
    elif kind == "reminder":
        spending = {power: players[power] for power in book.bids.unspent(players)}
        _tell_owing(work, book, powers, {**late, **spending}, "reminder")
    elif powers:
        _tell_of_missing(work, book, kind, powers, late)


def _tell_of_missing(
    work: Work, book: FiledOrders, kind: NoticeKind, powers: Sequence[str], late: Mapping[str, Seat]
) -> None:
    match kind:
        case "late":
            reliability.note(work, book.phase, [*late.values()], "late")
            _tell_owing(work, book, powers, late, "late")
            _tell_others(work, book, powers, late)
        case "again":
            _tell_owing(work, book, powers, late, "late")
        case "stuck":
            _tell_keeper(work, book.game, book.phase, powers)
        case _:
            _give_up(work, book, powers, late, sought=kind == "sought")


def _tell_master(work: Work, game: Game, phase: Phase, powers: Sequence[str]) -> None:
    """Notify the masters that the phase waits for PROCESS. No one is late in such a phase.

    If a master plays, only the number of powers without orders is told.
    """
    plays = bool(playing_masters(game, seats_of(work.session, game)))
    missing = "all orders are in"
    if powers:
        missing = f"orders of {counted(len(powers), 'power') if plays else listed(powers)} are missing"
    word = "PROCESS!" if powers else "PROCESS"
    text = f"{phase.name} of {game.name} is waiting for you: {missing}. To process it, send {word} {phase.name}."
    notices.tell_masters(work, game, f"{phase.name} Waits For You", text)


def _tell_keeper(work: Work, game: Game, phase: Phase, powers: Sequence[str]) -> None:
    text = (
        f"{phase.name} of {game.name} has been waiting for new players of {listed(powers)} since grace ended four "
        "weeks ago. To see who its masters are, run judge games list."
    )
    subject = f"{phase.name} Waiting for Replacements"
    work.notify_keeper("news", subject, game=game, phase=None, variant=variant_of(game), text=text)


def _tell_others(work: Work, book: FiledOrders, powers: Sequence[str], late: Mapping[str, Seat]) -> None:
    """Notify all but the late players of who is late. In a quiet game, only masters see who is late."""
    game, phase = book.game, book.phase
    addresses = {*by_address(late.values())}
    kept_out = notices.kept_out(work.session, game)
    what = f"{phase.name} Late Notice"
    context = {**_lateness(game, powers, late), "wanting": None}
    named = notices.Announcement(game, phase, "late", f"{what}: {letters_of(game, powers)}", context)
    notices.tell_all(work, named, addresses | kept_out)
    if kept_out:
        unnamed = replace(named, subject=f"{what}: ?", context={**context, "late": ["some power"], "vacant": []})
        others = by_address(seats_of(work.session, game)).keys() - kept_out
        notices.tell_all(work, unnamed, addresses | others)


def _tell_owing(
    work: Work, book: FiledOrders, powers: Sequence[str], owing: Mapping[str, Seat], template: MailKind
) -> None:
    """Remind each player who owes orders or points, or notify them that they are late.

    `powers` are all powers for which the phase waits.
    """
    game, late = book.game, template == "late"
    named = shown_to(None, game).changes
    for power, seat in owing.items():
        what = f"Late Notice: {letters_of(game, powers if named else [power])}" if late else "Reminder"
        context = {
            **_lateness(game, powers, owing),
            "power": power,
            "wanting": wanting(book, power, work.now),
            "complete": not book.missing().get(power),
            "forms": own_forms(work, book, [seat]),
        }
        subject, prefix = f"{book.phase.name} {what}", "[You are late!] " if late else ""
        notices.tell_seat(work, seat, notices.Announcement(game, book.phase, template, subject, context, prefix))


def _lateness(game: Game, powers: Sequence[str], owing: Mapping[str, Seat]) -> dict[str, object]:
    settings = settings_of(game)
    return {
        "late": [*owing],
        "vacant": [power for power in powers if power not in owing],
        "nmr": settings.nmr,
    }


def _give_up(work: Work, book: FiledOrders, powers: Sequence[str], late: Mapping[str, Seat], *, sought: bool) -> None:
    """Open the powers of late players to others at the end of grace (NoNMR), and notify all players.

    Later the notice is repeated. All readers see whose orders are incomplete, but not which orders are missing, since
    the phase is still open. If `sought` is true, the notice says how the game can continue. If no one has just lost a
    power, the notice then goes only to the masters, if there are any.
    """
    game, phase = book.game, book.phase
    what = f"{phase.name} {'Abandoned' if late else 'Waiting for Replacements'}"
    kept_out, losers = notices.kept_out(work.session, game), by_address([*late.values()])

    def announcement(shown: Sequence[str], lost: Sequence[str]) -> notices.Announcement:
        """Return the email about the powers in `shown`, for a reader who has lost the powers in `lost`."""
        lost_now = [power for power in late if power in shown]
        openings = [(power, variant_of(game).seat_named[power].at(game.name)) for power in powers]
        context = {
            "silent": [*filterfalse(book.given, lost_now)],
            "incomplete": [*filter(book.given, lost_now)],
            "openings": openings,
            "lost": [opening for opening in openings if opening[0] in lost],
            "ways": [*(f"SET DISORDER {power}" for power in powers), "SET NMR"] if sought else [],
        }
        return notices.Announcement(game, phase, "abandoned", f"{what}: {letters_of(game, shown)}", context)

    if sought and not late and masters_of(work.session, game):
        kept_out |= notices.all_but_masters(work.session, game)
    notices.tell_all(work, announcement(powers, ()), kept_out | losers.keys())
    for address, seats in losers.items():
        own = [seat.power or "" for seat in seats]
        notices.tell_loser(work, seats[0], announcement(own if address in kept_out else powers, own))
    reliability.note(work, phase, [*late.values()], "abandoned")
    for seat in late.values():
        # The player may return until someone else takes the power.
        leave_seat(work.session, seat, work.now, may_return=True)
        work.log("abandoned", game, str(seat.power), phase)
    game_mails.ask_standby(work, game, late)


MOST_ABSENCES = 3


# --- the times of a phase ---


def opening_terms(
    work: Work, game: Game, position: Position, *, first: bool = False, floor: datetime | None = None
) -> Terms:
    """Return the moments of a phase that opens at this moment, with `position`.

    The `first` phase of a game lasts twice as long. The phase opens at the beginning of the current second, since the
    times in a mailbox are whole seconds. `floor` is the `floor_at` of the previous phase.
    """
    away = _spans(_absences(work, game, position))
    terms = _terms(game, position.phase, work.now.replace(microsecond=0), first, floor, away)
    if 2 * (work.told_at - terms.opened_at) > terms.deadline_at - terms.opened_at:
        # If the event is handled very late, the phase opens when the notices are sent. Otherwise their readers would
        # have hardly any time left.
        terms = _terms(game, position.phase, work.told_at.replace(microsecond=0), first, floor, away)
    start = settings_of(game).first_start
    if not (first and start):
        return terms
    return calendar.not_before(terms, max(terms.earliest_at, datetime.fromisoformat(start).astimezone(UTC)))


def _terms(
    game: Game,
    name: str,
    opened_at: datetime,
    first: bool = False,
    floor: datetime | None = None,
    away: Sequence[Span] = (),
) -> Terms:
    settings = settings_of(game)
    if settings.solo:
        return Terms(opened_at, opened_at, NEVER, NEVER)
    timing = settings.timing(kind(name))
    return calendar.terms(
        timing.of_first_phase if first else timing,
        opened_at,
        game.zone,
        not_before=floor,
        absences=away,
        strict_grace=settings.strict_grace,
    )


def floor_of(game: Game, name: str, terms: Terms, first: bool) -> datetime | None:
    """Return the deadline in `terms` if something other than the phase's own length has set it, else None.

    This can be an absence, an earlier phase with a late deadline, or a START time.
    """
    own = _terms(game, name, terms.opened_at, first).deadline_at
    return terms.deadline_at if terms.deadline_at > own else None


def usual_start(game: Game, phase: Phase) -> datetime:
    """Return the earliest time to process the phase without SET START, which is MIN after it opened."""
    least = timedelta(hours=_timing(game, phase).min)
    return min(phase.earliest_at, phase.opened_at + least)


def _set_clock(
    work: Work,
    game: Game,
    phase: Phase,
    holds: Holds,
    before: datetime | None = None,
    told_until: datetime | None = None,
) -> None:
    """Set when the phase is due, unless the game is paused.

    If `told_until` is given, also set when the first notice after that moment is due. `holds` and `before` are passed
    to `due.when`.
    """
    if game.state == "paused":
        return
    settings = settings_of(game)
    hours = settings.timing(kind(phase.name)).delay
    delay = timedelta(seconds=work.settings.early_delay) if hours is None else timedelta(hours=hours)
    phase.due_at, _ = due.when(phase, settings, delay, holds, work.now, before)
    if told_until:
        phase.notice_at = Alarms(phase, settings).after(told_until)
        sent_mails.hurry_pauses(work.session, game.key, phase.deadline_at, work.told_at)


def begin(work: Work, game: Game, phase: Phase) -> None:
    """Set when a newly opened phase without orders is due, and when its first notice is due."""
    _set_clock(work, game, phase, "orders", told_until=phase.opened_at)


def reckon(work: Work, book: FiledOrders) -> None:
    """Set when the book's phase is due, after orders, waits or people have changed."""
    _set_clock(work, book.game, book.phase, _held_by(work, book), before=book.phase.due_at)


def leave_until_deadline(work: Work, book: FiledOrders) -> None:
    """Keep the book's phase from being due before its deadline, so that players can change restored orders."""
    _set_clock(work, book.game, book.phase, _held_by(work, book) or "deadline")


def rearm(work: Work, game: Game, phase: Phase) -> None:
    """Set when the phase is due and its next notice, after its times or the settings have changed.

    A notice that was due before now but not sent, because the judge was down, is still sent.
    """
    told_until = min(work.now, phase.notice_at - timedelta(microseconds=1)) if phase.notice_at else work.now
    _set_clock(work, game, phase, _held_by(work, FiledOrders(work.session, game, phase)), told_until=told_until)


def _held_by(work: Work, book: FiledOrders) -> Holds:
    """Return why the phase waits. Points that a player may still spend act like a WAIT."""
    if book.awaited():
        return "orders"
    if book.waits():
        return "deadline"
    bidders = with_players(work.session, book.game) if book.variant.points else ()
    return "deadline" if book.bids.unspent(bidders) else ""


def go_on(game: Game, phase: Phase, moment: datetime) -> NoticeKind:
    """Set the row to the next notice after `moment`, and return the kind of the notice due at `moment`."""
    alarms = Alarms(phase, settings_of(game))
    phase.notice_at, phase.held_since = alarms.after(moment), None
    return alarms.kind(moment)


def try_again(phase: Phase, until: datetime) -> bool:
    """Postpone the failed adjudication or notice to `until`, and return whether it was the adjudication."""
    adjudicating = phase.rings_at == phase.due_at
    if adjudicating:
        phase.due_at = until
    else:
        phase.notice_at = until
    return adjudicating


def stand_still(work: Work, phase: Phase, span: timedelta = PAUSED) -> None:
    """Clear the times of a phase in a paused game, which the judge looks at again after `span`."""
    phase.due_at, phase.notice_at = None, work.now + span


def reschedule(work: Work, game: Game, phase: Phase, terms: Terms, why: str, skip: Collection[str]) -> None:
    """Give `phase` these `terms`, notify all players, and let no later phase end before the new deadline.

    The arguments are those of `put_off`. Later phases are not limited if the phase would have this deadline anyway, for
    example after a change is undone.
    """
    is_moved = terms.deadline_at != phase.deadline_at
    put_off(work, game, phase, terms, why, skip)
    if is_moved:
        usual = _terms(game, phase.name, phase.opened_at, first=not played(work.session, game)).deadline_at
        phase.floor_at = None if phase.deadline_at == usual else phase.deadline_at


def put_off(work: Work, game: Game, phase: Phase, terms: Terms, why: str, skip: Collection[str] = ()) -> None:
    """Give `phase` these `terms`, and notify all players of the old and new ones and the reason `why`, a sentence.

    `skip` contains the addresses to leave out. If the moments are the same as before, no one is notified.
    """
    before = terms_of(phase)
    terms = replace(terms, grace_ends_at=max(terms.grace_ends_at, terms.deadline_at))
    if terms == before:
        return
    _set_terms(work, game, phase, terms)
    notices.tell_all(work, _adjustment(game, phase, before, why), skip)


def _set_terms(work: Work, game: Game, phase: Phase, terms: Terms) -> None:
    before = terms_of(phase)
    phase.earliest_at, phase.deadline_at = terms.earliest_at, terms.deadline_at
    phase.grace_ends_at = terms.grace_ends_at
    rearm(work, game, phase)
    text = f"{before.deadline_at} to {phase.deadline_at}, grace {before.grace_ends_at} to {phase.grace_ends_at}"
    work.log("deadline", game, text, phase)


def _adjustment(game: Game, phase: Phase, before: Terms, why: str, about: str = "") -> notices.Announcement:
    context, subject = {"before": before, "why": why}, f"{phase.name} Deadline Adjustment"
    return notices.Announcement(game, phase, "deadline", subject, context, about=about)


def move_deadline(work: Work, game: Game, phase: Phase, moment: datetime, why: str, skip: Collection[str] = ()) -> None:
    """Set the deadline of `phase` to `moment`, and keep the length of grace."""
    terms = _clear(work, game, phase, calendar.postponed(terms_of(phase), moment))
    reschedule(work, game, phase, terms, why, skip)


def extend(work: Work, game: Game, phase: Phase, why: str) -> None:
    """Postpone the deadline by NEXT or more, so that it is in no announced absence, and notify all players."""
    since, away = max(phase.deadline_at, work.told_at), _away(work, game, phase)
    until = calendar.terms(_timing(game, phase), since, game.zone, absences=away).deadline_at
    move_deadline(work, game, phase, until, why)


def extend_after_outage(work: Work, game: Game, phase: Phase, gone_at: datetime, back_at: datetime, why: str) -> None:
    """Postpone the deadline, or the end of grace, that passed in an outage, and drop the notices due in it."""
    away = _away(work, game, phase)
    terms = calendar.extended(terms_of(phase), gone_at, back_at, _timing(game, phase), game.zone, away)
    phase.notice_at = None
    put_off(work, game, phase, _clear(work, game, phase, terms), why)


def _clear(work: Work, game: Game, phase: Phase, terms: Terms) -> Terms:
    """Return the terms with an end of grace that is in no announced absence, unless grace is strict."""
    if settings_of(game).strict_grace:
        return terms
    return calendar.without_grace_in(_away(work, game, phase), terms, _timing(game, phase), game.zone)


def _timing(game: Game, phase: Phase) -> Timing:
    return settings_of(game).timing(kind(phase.name))


def _away(work: Work, game: Game, phase: Phase) -> list[Span]:
    return _spans(_absences(work, game, board(game, phase)[1]))


def welcome(work: Work, game: Game, phase: Phase, power: str, why: str) -> None:
    """Give the new player of `power` as much time as if `phase` had just opened, unless the game is paused.

    A power gets more time only once in a phase, and at most two powers get it. Otherwise a phase could be postponed
    without limit.
    """
    if game.state == "paused" or power in phase.newcomers or len(phase.newcomers) == MOST_WELCOMES:
        return
    fresh = opening_terms(work, game, board(game, phase)[1])
    if fresh.deadline_at <= phase.deadline_at:
        return
    phase.newcomers = [*phase.newcomers, power]
    # Without a MIN, the earliest end does not change, since it is only the opening.
    earliest = max(phase.earliest_at, fresh.earliest_at) if fresh.earliest_at > fresh.opened_at else phase.earliest_at
    grace = max(phase.grace_ends_at, fresh.grace_ends_at)
    terms = replace(fresh, opened_at=phase.opened_at, earliest_at=earliest, grace_ends_at=grace)
    put_off(work, game, phase, terms, why)


def coming(work: Work, game: Game, phase: Phase | None, phase_kind: PhaseKind) -> list[tuple[str, datetime]]:
    """Return the next two deadlines with their names, each followed by the end of its grace, if any.

    The first deadline is that of the open phase. Before the game begins, it is the deadline that the first phase would
    have if it opened at this moment. The second is that of a phase of kind `phase_kind` after it, which opens at the
    first deadline or, if that has passed, when grace ends.
    """
    if phase:
        name, grace, own = phase.name, f"Grace of {phase.name}", terms_of(phase)
    else:
        name, grace = "First phase, if the game started now", "Its grace"
        own = _terms(game, variant_of(game).start, work.now, first=True, away=_spans(_expected(work, game, None, "M")))
    away = _spans(_expected(work, game, phase, phase_kind))
    ends_at = own.deadline_at if own.deadline_at > work.now else max(own.grace_ends_at, work.now)
    following = _terms(game, phase_kind, ends_at, away=away)
    moments = []
    for what, end, terms in ((name, grace, own), (f"{TIMED[phase_kind]} after that", "Their grace", following)):
        moments.append((what, terms.deadline_at))
        if terms.grace_ends_at > terms.deadline_at:
            moments.append((end, terms.grace_ends_at))
    return moments


# --- pauses ---


def pause(work: Work, game: Game, phase: Phase, by: str) -> None:
    """Stop the clock of `game`, and notify all players that `by` has paused it."""
    stop_clock(work, game, phase)
    text = (
        f"{by} has paused {game.name}: {phase.name} has no deadline now. Orders on file stay, and players can still "
        "send and change them. RESUME restarts the game with the time that was left, at least a day."
    )
    notices.tell_news(work, game, f"{phase.name} Game Paused", text, about="clock")


def stop_clock(work: Work, game: Game, phase: Phase, span: timedelta = PAUSED) -> None:
    """Stop the clock of `game`, which the judge looks at again after `span`."""
    game.state, game.stopped_at = "paused", work.now
    stand_still(work, phase, span)
    work.log("paused", game, phase.name, phase)


def remind_paused(work: Work, game: Game, phase: Phase) -> None:
    """Remind all players that the game is paused, and set the next reminder to three days later."""
    stand_still(work, phase)
    text = f"{game.name} is still paused in {phase.name}. RESUME restarts the game with the time that was left."
    notices.tell_news(work, game, f"{phase.name} Game Paused", text)


def resume(work: Work, game: Game, phase: Phase, why: str, deadline: datetime | None = None) -> None:
    """Resume the game with the time left at its pause, or until `deadline`, and notify all players of `why`."""
    paused_at = game.stopped_at or phase.opened_at
    game.state, game.stopped_at, game.idle = "active", None, False
    work.log("resumed", game, phase.name, phase)
    if deadline:
        phase.floor_at = deadline
        terms = calendar.postponed(terms_of(phase), deadline)
    else:
        away = _away(work, game, phase)
        terms = calendar.resumed(terms_of(phase), paused_at, work.told_at, _timing(game, phase), game.zone, away)
    before, phase.notice_at = terms_of(phase), None
    _set_terms(work, game, phase, _clear(work, game, phase, terms))
    notices.tell_all(work, _adjustment(game, phase, before, why, about="clock"))


# --- absences ---


def _absences(work: Work, game: Game, position: Position) -> Absences:
    """Return the absences of masters and of players who must order, which a deadline for `position` must avoid."""
    waiting = pending(work.session, game, work.now)
    if not waiting:
        return []
    asked = seats_asked(variant_of(game).at(position.phase), position)
    return [(absence, seat) for absence, seat in waiting if seat.role == "master" or seat.power in asked]


def _expected(work: Work, game: Game, phase: Phase | None, phase_kind: PhaseKind) -> Absences:
    """Return the absences that the deadline of a phase after `phase` avoids, as known when this is called.

    In a movement phase, everyone still in the game will have to order. For retreats and builds, that is unknown.
    """
    waiting = pending(work.session, game, work.now)
    if not phase:
        return waiting
    variant, position = board(game, phase)
    moving = still_in(variant, position) if phase_kind == "M" else set()
    return [(absence, seat) for absence, seat in waiting if seat.role == "master" or seat.power in moving]


def _spans(absences: Absences) -> list[Span]:
    return [(absence.starts_at, absence.ends_at) for absence, _ in absences]


def tell_absences(work: Work, game: Game, phase: Phase, position: Position, previous: Phase) -> None:
    """Notify all players if an absence has postponed the deadline of `phase`, which has just opened."""
    plain = _terms(game, phase.name, phase.opened_at, floor=previous.floor_at).deadline_at
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
    """Record that the person in `seat` is away from `start` to `end`, and notify the masters. Raises Refusal."""
    longest = settings_of(game).max_absence
    mine = pending_absences(work, game, seat)
    if end <= start:
        raise Refusal("An absence must end after it begins.")
    if end <= work.now:
        raise Refusal("That absence is already over.")
    if seat.role != "master" and end - start > timedelta(days=longest):
        raise Refusal(f"In this game an absence can last up to {longest} days. Ask the master for more.")
    if any(absence.starts_at < end and start < absence.ends_at for absence in mine):
        raise Refusal(
            "That overlaps your other absence. To cancel the other one, send SET NO ABSENCE and one of its dates."
        )
    if len(mine) >= MOST_ABSENCES:
        raise Refusal(
            f"You already have {MOST_ABSENCES} absences. To cancel one, send SET NO ABSENCE and one of its dates."
        )
    work.session.add(Absence(seat_id=seat.key, starts_at=start, ends_at=end))
    work.log("absence", game, f"{seat.power or seat.role} {start} to {end}")
    _tell_masters_of_absence(work, game, seat, start, end, "will be")


def cancel_absence(work: Work, game: Game, seat: Seat, day: Span) -> Absence | None:
    """Delete the absence of `seat` that overlaps the span `day`. Return it, or None if there is none."""
    mine = pending_absences(work, game, seat)
    found = next((absence for absence in mine if absence.starts_at <= day[1] and day[0] <= absence.ends_at), None)
    if found:
        work.session.delete(found)
        work.log("absence", game, f"{seat.power or seat.role} canceled")
        _tell_masters_of_absence(work, game, seat, found.starts_at, found.ends_at, "will not be")
    return found


def _tell_masters_of_absence(work: Work, game: Game, seat: Seat, start: datetime, end: datetime, will_be: str) -> None:
    name = name_of(work.session, seat)
    who = f"{seat.power} ({name})" if seat.power else name
    span = f"from {when(start, game.zone)} to {when(end, game.zone)}"
    text = f"{who} {will_be} away {span}. Deadlines of later phases avoid absences."
    notices.tell_masters(work, game, f"Absence of {seat.power or name}", text, {seat.address})
