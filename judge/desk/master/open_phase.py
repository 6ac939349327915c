"""The clock of the open phase: SET GRACE, SET START, PAUSE, RESUME; and absences (HELP deadlines)."""

from dataclasses import replace
from datetime import datetime, time, timedelta

from judge.desk.core.changes import ruler
from judge.desk.core.command import Call, Family, When, Who
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.desk.master.phase_lengths import LENGTH
from judge.games.core.settings import settings_of
from judge.games.core.timing import Span
from judge.games.core.who_may_see import hides_people
from judge.games.deadlines import absences, pausing, schedule
from judge.games.deadlines.absences import AbsenceRefused
from judge.games.deadlines.dates import DateError, read_date
from judge.mails.templates import when
from judge.rules.board.listing import listed
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
def set_deadline(visit: Visit, call: Call, date: str) -> None:
    """SET DEADLINE <date>: when this phase is due, in the zone of the game."""
    game, phase = visit.the_game, visit.the_phase
    why = f"The deadline of {phase.name} in game {game.name} was moved by {ruler(visit)}."
    moment = _date(visit, date, "That time has passed. PROCESS ends the phase at once.")
    schedule.move_deadline(visit.turn, game, phase, moment, why)
    visit.answer.settle(f"The deadline of {phase.name} in game {game.name} is changed; everybody is told.")
    visit.timed = "M"


@command(
    "SET GRACE", arguments="<date>",
    pattern=rf"\s+(?!{LENGTH}\s*[.;]?$)(?P<date>\S+\s+\S.*?|\d+\.\d+\.\d+|[\d.hd]*[^\s\d.;hd]\S*?)", of_phase=True,
    help="set when grace for late orders of this phase ends",
)
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
    visit.timed = "M"


@command(
    "SET START", arguments="<date>", pattern=r"\s+(?P<date>\S.*?)", of_phase=True,
    help="do not process this phase before this time",
)
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
    visit.timed = "M"


@command("PAUSE", "SUSPEND", of_phase=True, help="stop the clock of the game")
def pause(visit: Visit, call: Call) -> None:
    """PAUSE: the clock stops; orders are still taken."""
    game, phase = visit.the_game, visit.the_phase
    pausing.pause(visit.turn, game, phase)
    visit.answer.settle(f"Game {game.name} is paused; everybody is told. To go on, write RESUME.")


@command(
    "RESUME", arguments="[<date>]", pattern=r"(?:\s+(?P<date>\S.*?))?", when=When.PAUSED, lasting=True,
    help="go on with a paused game, with the time that was left, or a deadline of yours: RESUME Sat 21:00",
)
def resume(visit: Visit, call: Call, date: str | None) -> None:
    """RESUME [<date>]: a paused game goes on, with the time that was left or with that deadline."""
    game, phase = visit.the_game, visit.the_phase
    # As in "RESUME heron".
    named = " ".join(word for word in (date or "").split() if word.lower() != game.name)
    pausing.resume(visit.turn, game, phase, deadline=_date(visit, named) if named else None)
    visit.answer.settle(f"{game.name} has resumed with a new deadline; everybody is told.")
    visit.timed = "M"


@command(
    *tuple(f"SET NO {word}" for word in _AWAY), arguments="<date> [TO <date>]", pattern=_SPAN_OF_DAYS,
    who=Who.PLAYER | Who.MASTER, when=When.LIVING, of_seat=True,
    help="cancel your absence on that day",
)
def cancel_absence(visit: Visit, call: Call, first: str, last: str | None) -> None:
    """SET NO ABSENCE <date> [TO <date>]: cancel the absence that overlaps these days."""
    gone = absences.cancel(visit.turn, visit.the_game, visit.the_seat, _days(visit, first, last))
    if not gone:
        mine = absences.pending_of(visit.turn, visit.the_game, visit.the_seat)
        spans = [f"from {when(one.starts_at, visit.zone)} to {when(one.ends_at, visit.zone)}" for one in mine]
        others = f"; you are away {listed(spans)}" if spans else ""
        raise CommandError(f"You have no absence set on that day{others}.")
    start, end = when(gone.starts_at, visit.zone), when(gone.ends_at, visit.zone)
    visit.note(call, f"the absence from {start} to {end} is cancelled.")


@command(
    *tuple(f"SET {word}" for word in _AWAY), arguments="<date> [TO <date>]", pattern=_SPAN_OF_DAYS,
    who=Who.PLAYER | Who.MASTER, when=When.LIVING, of_seat=True,
    help="you are away: deadlines of later phases avoid these days",
)
def set_absence(visit: Visit, call: Call, first: str, last: str | None) -> None:
    """SET ABSENCE <date> [TO <date>]: deadlines of later phases avoid it; the open phase keeps its own."""
    game, seat = visit.the_game, visit.the_seat
    start, end = _days(visit, first, last)
    # A time of day without a second date: a day from there.
    end = start + timedelta(days=1) if end == start and not last else end
    try:
        absences.grant(visit.turn, game, seat, start, end)
    except AbsenceRefused as refusal:
        raise CommandError(str(refusal)) from None
    who = seat.power or f"the {seat.role}"
    times = f"from {when(start, visit.zone)} to {when(end, visit.zone)}"
    visit.note(call, f"{who} is away {times}; later deadlines avoid these days.")


def _days(visit: Visit, first: str, last: str | None) -> Span:
    """From the beginning of one day to the end of the same or another one: both may be days that have begun."""
    zone = _zone_of_days(visit, visit.the_game)
    try:
        start = read_date(first, visit.now, zone, _DAY_BEGINS, "near")
        end = read_date(last or first, visit.now, zone, _DAY_ENDS, "near", start if last else None)
    except DateError as wrong:
        raise CommandError(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.") from None
    return start, end


def _zone_of_days(visit: Visit, game: Game) -> str:
    """The zone of the days of an absence: the sender's, but not in a gunboat game, where it would show where they
    live.
    """
    return game.zone if hides_people(game) else visit.zone


def _date(visit: Visit, text: str, passed: str = "That time has passed.") -> datetime:
    """The moment that the sender means, in the zone of the game, a day alone at its CLOCK; it must be still to come."""
    minutes = settings_of(visit.the_game).timing(kind(visit.the_phase.name)).clock
    clock = time(minutes // 60, minutes % 60) if minutes >= 0 else _EVENING
    try:
        moment = read_date(text, visit.now, visit.the_game.zone, clock)
    except DateError as wrong:
        raise CommandError(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.") from None
    if moment <= visit.now:
        raise CommandError(passed)
    return moment
