"""The clock of the open phase: SET GRACE, SET START, PAUSE, RESUME; and absences (HELP deadlines)."""

from dataclasses import replace
from datetime import datetime, time, timedelta

from judge.commands.core.changes import ruler
from judge.commands.core.command import Call, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.commands.master.phase_lengths import LENGTH
from judge.games.core.settings import Span, settings_of
from judge.games.core.who_may_see import hides_people
from judge.games.deadlines import schedule
from judge.games.deadlines.dates import DateError, read_date
from judge.games.deadlines.schedule import AbsenceRefused
from judge.mails.templates import when
from judge.rules.board.names import listed
from judge.rules.board.phase import kind
from judge.store.tables import Game

_DAY_BEGINS, _DAY_ENDS = time(0), time(23, 59)
# For a day without a time, in a game without a CLOCK.
_EVENING = time(23, 30)


_SPAN_OF_DAYS = r"\s+(?:FROM\s+)?(?P<first>\S.*?)(?:\s+(?:TO|UNTIL|TILL|THROUGH|-|–)\s+(?P<last>\S.*?))?"
_AWAY = ("ABSENCE", "HOLIDAY", "VACATION")

command = Family("deadlines", who=Who.RULER, when=When.RUNNING)


@command(
    "SET DEADLINE", arguments="<date>", pattern=r"\s+(?P<date>\S.*?)", topics=("master",), lasting=True,
    of_phase=True,
    help="set when this phase is due, like 2026-05-14 21:00 or Fri 21:00",
)
def set_deadline(context: CommandContext, call: Call, date: str) -> None:
    """SET DEADLINE <date>: when this phase is due, in the zone of the game."""
    game, phase = context.the_game, context.the_phase
    why = f"The deadline of {phase.name} in game {game.name} was moved by {ruler(context)}."
    moment = _date(context, date, "That time has passed. PROCESS ends the phase at once.")
    schedule.move_deadline(context.work, game, phase, moment, why)
    context.answer.settle(f"The deadline of {phase.name} in game {game.name} is changed; everybody is told.")
    context.timed = "M"


@command(
    "SET GRACE", arguments="<date>",
    pattern=rf"\s+(?!{LENGTH}\s*[.;]?$)(?P<date>\S+\s+\S.*?|\d+\.\d+\.\d+|[\d.hd]*[^\s\d.;hd]\S*?)", of_phase=True,
    help="set when grace for late orders of this phase ends",
)
def set_grace(context: CommandContext, call: Call, date: str) -> None:
    """SET GRACE <date>: when grace for this phase ends."""
    game, phase = context.the_game, context.the_phase
    moment = _date(context, date)
    if moment < phase.deadline_at:
        raise CommandError(f"Grace cannot end before the deadline, {when(phase.deadline_at, context.zone)}.")
    terms = replace(schedule.terms_of(phase), grace_ends_at=moment)
    why = f"The grace of {phase.name} in game {game.name} was moved by {ruler(context)}."
    schedule.reschedule(context.work, game, phase, terms, why)
    context.answer.settle(f"The grace of {phase.name} in game {game.name} is changed; everybody is told.")
    context.timed = "M"


@command(
    "SET START", arguments="<date>", pattern=r"\s+(?P<date>\S.*?)", of_phase=True,
    help="do not process this phase before this time",
)
def set_start(context: CommandContext, call: Call, date: str) -> None:
    """SET START <date>: this phase is not processed before; a deadline that is earlier moves there."""
    game, phase = context.the_game, context.the_phase
    moment = _date(context, date)
    terms = schedule.terms_of(phase)
    if moment > terms.deadline_at:
        terms = replace(terms, deadline_at=moment, grace_ends_at=max(moment, terms.grace_ends_at))
    why = f"{phase.name} in game {game.name} now has an earliest time, set by {ruler(context)}."
    schedule.reschedule(context.work, game, phase, replace(terms, earliest_at=moment), why)
    context.answer.settle(f"{phase.name} of game {game.name} is not processed before then; everybody is told.")
    context.timed = "M"


@command("PAUSE", "SUSPEND", of_phase=True, help="stop the clock of the game")
def pause(context: CommandContext, call: Call) -> None:
    """PAUSE: the clock stops; orders are still taken."""
    game, phase = context.the_game, context.the_phase
    schedule.pause(context.work, game, phase)
    context.answer.settle(f"Game {game.name} is paused; everybody is told. To go on, write RESUME.")


@command(
    "RESUME", arguments="[<date>]", pattern=r"(?:\s+(?P<date>\S.*?))?", when=When.PAUSED, lasting=True,
    help="go on with a paused game, with the time that was left, or a deadline of yours: RESUME Sat 21:00",
)
def resume(context: CommandContext, call: Call, date: str | None) -> None:
    """RESUME [<date>]: a paused game goes on, with the time that was left or with that deadline."""
    game, phase = context.the_game, context.the_phase
    # As in "RESUME heron".
    named = " ".join(word for word in (date or "").split() if word.lower() != game.name)
    schedule.resume(context.work, game, phase, deadline=_date(context, named) if named else None)
    context.answer.settle(f"{game.name} has resumed with a new deadline; everybody is told.")
    context.timed = "M"


@command(
    *tuple(f"SET NO {word}" for word in _AWAY), arguments="<date> [TO <date>]", pattern=_SPAN_OF_DAYS,
    who=Who.PLAYER | Who.MASTER, when=When.LIVING, of_seat=True,
    help="cancel your absence on that day",
)
def cancel_absence(context: CommandContext, call: Call, first: str, last: str | None) -> None:
    """SET NO ABSENCE <date> [TO <date>]: cancel the absence that overlaps these days."""
    gone = schedule.cancel_absence(context.work, context.the_game, context.the_seat, _days(context, first, last))
    if not gone:
        mine = schedule.pending_absences(context.work, context.the_game, context.the_seat)
        spans = [f"from {when(one.starts_at, context.zone)} to {when(one.ends_at, context.zone)}" for one in mine]
        others = f"; you are away {listed(spans)}" if spans else ""
        raise CommandError(f"You have no absence set on that day{others}.")
    start, end = when(gone.starts_at, context.zone), when(gone.ends_at, context.zone)
    context.note(call, f"the absence from {start} to {end} is cancelled.")


@command(
    *tuple(f"SET {word}" for word in _AWAY), arguments="<date> [TO <date>]", pattern=_SPAN_OF_DAYS,
    who=Who.PLAYER | Who.MASTER, when=When.LIVING, of_seat=True,
    help="you are away: deadlines of later phases avoid these days",
)
def set_absence(context: CommandContext, call: Call, first: str, last: str | None) -> None:
    """SET ABSENCE <date> [TO <date>]: deadlines of later phases avoid it; the open phase keeps its own."""
    game, seat = context.the_game, context.the_seat
    start, end = _days(context, first, last)
    # A time of day without a second date: a day from there.
    end = start + timedelta(days=1) if end == start and not last else end
    try:
        schedule.grant_absence(context.work, game, seat, start, end)
    except AbsenceRefused as refusal:
        raise CommandError(str(refusal)) from None
    who = seat.power or f"the {seat.role}"
    times = f"from {when(start, context.zone)} to {when(end, context.zone)}"
    context.note(call, f"{who} is away {times}; later deadlines avoid these days.")


def _days(context: CommandContext, first: str, last: str | None) -> Span:
    """From the beginning of one day to the end of the same or another one: both may be days that have begun."""
    zone = _zone_of_days(context, context.the_game)
    try:
        start = read_date(first, context.now, zone, _DAY_BEGINS, "near")
        end = read_date(last or first, context.now, zone, _DAY_ENDS, "near", start if last else None)
    except DateError as wrong:
        raise CommandError(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.") from None
    return start, end


def _zone_of_days(context: CommandContext, game: Game) -> str:
    """The zone of the days of an absence: the sender's, but not in a gunboat game, where it would show where they
    live.
    """
    return game.zone if hides_people(game) else context.zone


def _date(context: CommandContext, text: str, passed: str = "That time has passed.") -> datetime:
    """The moment that the sender means, in the zone of the game, a day alone at its CLOCK; it must be still to come."""
    minutes = settings_of(context.the_game).timing(kind(context.the_phase.name)).clock
    clock = time(minutes // 60, minutes % 60) if minutes >= 0 else _EVENING
    try:
        moment = read_date(text, context.now, context.the_game.zone, clock)
    except DateError as wrong:
        raise CommandError(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.") from None
    if moment <= context.now:
        raise CommandError(passed)
    return moment
