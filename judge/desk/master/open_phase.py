"""The clock of the open phase: SET GRACE, SET START, PAUSE, RESUME; and absences (HELP deadlines)."""

from dataclasses import replace
from datetime import datetime, time, timedelta

from judge.desk.core.changes import ruler
from judge.desk.core.command import Call, Command, Place, When, Who
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.games.core.who_may_see import hides_people
from judge.games.deadlines import absences, pausing, schedule
from judge.games.deadlines.absences import AbsenceRefused
from judge.games.deadlines.dates import DateError, read_date
from judge.mails.templates import when
from judge.store.tables import Game

_DAY_BEGINS, _DAY_ENDS = time(0), time(23, 59)


def set_grace(visit: Visit, call: Call, date: str) -> None:
    """SET GRACE <date>: when grace for this phase ends."""
    game, phase = visit.the_game, visit.the_phase
    moment = _date(visit, date)
    if moment < phase.deadline_at:
        raise CommandError(f"Grace cannot end before the deadline, {when(phase.deadline_at, visit.zone)}.")
    terms = replace(schedule.terms_of(phase), grace_ends_at=moment)
    why = f"The grace of {phase.name} in game {game.name} was moved by {ruler(visit)}."
    schedule.reschedule(visit.turn, game, phase, terms, why)
    visit.answer.settle(f"The grace of {phase.name} in game {game.name} is changed; everybody is told.")


def set_start(visit: Visit, call: Call, date: str) -> None:
    """SET START <date>: this phase is not processed before; a deadline that is earlier moves there."""
    game, phase = visit.the_game, visit.the_phase
    moment = _date(visit, date)
    terms = schedule.terms_of(phase)
    if moment > terms.deadline_at:
        terms = replace(terms, deadline_at=moment, grace_ends_at=max(moment, terms.grace_ends_at))
    why = f"{phase.name} in game {game.name} now has an earliest time, set by {ruler(visit)}."
    schedule.reschedule(visit.turn, game, phase, replace(terms, earliest_at=moment), why)
    visit.answer.settle(f"{phase.name} of game {game.name} is not processed before then; everybody is told.")


def pause(visit: Visit, call: Call) -> None:
    """PAUSE: the clock stops, no orders are taken."""
    game, phase = visit.the_game, visit.the_phase
    pausing.pause(visit.turn, game, phase)
    visit.answer.settle(f"Game {game.name} is paused; everybody is told. To go on, write RESUME.")


def resume(visit: Visit, call: Call) -> None:
    """RESUME: a paused game goes on, with a new deadline."""
    game, phase = visit.the_game, visit.the_phase
    pausing.resume(visit.turn, game, phase)
    visit.answer.settle(f"Game {game.name} goes on with a new deadline; everybody is told.")


def set_absence(visit: Visit, call: Call, first: str, last: str | None) -> None:
    """SET ABSENCE <date> [TO <date>]: deadlines of later phases avoid it; the open phase keeps its own."""
    game, seat = visit.the_game, visit.the_seat
    zone = _zone_of_days(visit, game)
    start = _date(visit, first, _DAY_BEGINS, past=True, zone=zone)
    end = _date(visit, last or first, _DAY_ENDS, past=True, zone=zone)
    # A time of day without a second date: a day from there.
    end = start + timedelta(days=1) if end == start and not last else end
    try:
        absences.grant(visit.turn, game, seat, start, end)
    except AbsenceRefused as refusal:
        raise CommandError(str(refusal)) from None
    who = seat.power or f"the {seat.role}"
    times = f"from {when(start, visit.zone)} to {when(end, visit.zone)}"
    visit.note(call, f"{who} is away {times}; later deadlines avoid these days.")


def cancel_absence(visit: Visit, call: Call, date: str) -> None:
    """SET NO ABSENCE <date>: cancel the absence that overlaps that day."""
    zone = _zone_of_days(visit, visit.the_game)
    day = (
        _date(visit, date, _DAY_BEGINS, past=True, zone=zone),
        _date(visit, date, _DAY_ENDS, past=True, zone=zone),
    )
    gone = absences.cancel(visit.turn, visit.the_game, visit.the_seat, day)
    if not gone:
        raise CommandError("You have no absence set on that day.")
    start, end = when(gone.starts_at, visit.zone), when(gone.ends_at, visit.zone)
    visit.note(call, f"the absence from {start} to {end} is cancelled.")


def _zone_of_days(visit: Visit, game: Game) -> str:
    """The zone of the days of an absence: the sender's, but not in a gunboat game, where it would show where they
    live.
    """
    return game.zone if hides_people(game) else visit.zone


def _date(
    visit: Visit, text: str, clock: time = time(23, 30), *, past: bool = False, zone: str | None = None
) -> datetime:
    """The moment that the sender means, by default in the zone their mails show; not a past one, unless `past`."""
    try:
        moment = read_date(text, visit.now, zone or visit.zone, clock)
    except DateError as wrong:
        raise CommandError(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.") from None
    if moment <= visit.now and not past:
        raise CommandError("That time has passed.")
    return moment


_AWAY = ("ABSENCE", "HOLIDAY", "VACATION")

COMMANDS = (
    Command(
        names=("SET GRACE",),
        arguments="<date>",
        who=Who.RULER,
        topics=("deadlines",),
        place=Place.GAME,
        when=When.RUNNING,
        of_phase=True,
        summary="set when grace for late orders of this phase ends",
        handler=set_grace,
        # A number alone is hours (judge/desk/master/phase_lengths.py): a date has several words, two stops, or another
        # sign.
        pattern=r"\s+(?P<date>\S+\s+\S.*?|\d+\.\d+\.\d+|[\d.hd]*[^\s\d.;hd]\S*?)",
    ),
    Command(
        names=("SET START",),
        arguments="<date>",
        who=Who.RULER,
        topics=("deadlines",),
        place=Place.GAME,
        when=When.RUNNING,
        of_phase=True,
        summary="do not process this phase before this time",
        handler=set_start,
        pattern=r"\s+(?P<date>\S.*?)",
    ),
    Command(
        names=("PAUSE", "SUSPEND"),
        arguments="",
        who=Who.RULER,
        topics=("deadlines",),
        place=Place.GAME,
        when=When.RUNNING,
        of_phase=True,
        summary="stop the clock of the game",
        handler=pause,
    ),
    Command(
        names=("RESUME",),
        arguments="",
        who=Who.RULER,
        topics=("deadlines",),
        place=Place.GAME,
        when=When.PAUSED,
        summary="go on with a paused game",
        handler=resume,
        lasting=True,
    ),
    Command(
        names=tuple(f"SET NO {word}" for word in _AWAY),
        arguments="<date>",
        who=Who.PLAYER | Who.MASTER,
        topics=("deadlines",),
        place=Place.GAME,
        when=When.LIVING,
        of_seat=True,
        summary="cancel your absence on that day",
        handler=cancel_absence,
        pattern=r"\s+(?P<date>\S.*?)",
    ),
    Command(
        names=tuple(f"SET {word}" for word in _AWAY),
        arguments="<date> [TO <date>]",
        who=Who.PLAYER | Who.MASTER,
        topics=("deadlines",),
        place=Place.GAME,
        when=When.LIVING,
        of_seat=True,
        summary="you are away: deadlines of later phases avoid these days",
        handler=set_absence,
        pattern=r"\s+(?:FROM\s+)?(?P<first>\S.*?)(?:\s+(?:TO|UNTIL)\s+(?P<last>\S.*?))?",
    ),
)
