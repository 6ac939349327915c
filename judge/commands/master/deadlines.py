"""Set deadlines (HELP deadlines): the clock of the open phase, absences, and the lengths of later phases.

Lengths and absences apply to later phases. All other settings take effect immediately. All players are notified of the
old and the new values, but of an absence only the masters.
"""

import re
from dataclasses import replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.commands.core.answer import ALL_TOLD
from judge.commands.core.command import CommandError, Family, NothingDone, When, Who, refused
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import UNCHANGED, Setting, ask_for_word, note_clock, read_reply, ruler
from judge.commands.core.setting_kinds import TIMING_EXAMPLE, add_settings
from judge.commands.master.run import roll_back
from judge.games.core.acts import OTHER_SETTINGS, gives_time
from judge.games.core.board import terms_of
from judge.games.core.settings import TIMINGS, Span, Terms
from judge.games.core.who_may_see import hides_people
from judge.games.deadlines import calendar, schedule
from judge.games.deadlines.dates import read_date, read_hours
from judge.mails.templates import when
from judge.rules import kind, listed

_DAY_BEGINS, _DAY_ENDS = time(0), time(23, 59)
# The time of day that a date without a time means in a game without a CLOCK.
_EVENING = time(23, 30)


_SPAN = "[FROM] <date> [TO|UNTIL|TILL|THROUGH|-|– <later date>]"
# The length of an absence without a date, such as "for 3 days".
_LENGTH_OF_DAYS = re.compile(r"(?:FOR\s)?(\d{1,2}\s?(?:d|days?|w|weeks?))", re.IGNORECASE | re.ASCII)

command = Family("deadlines", who=Who.MASTER, when=When.RUNNING)


@command(
    "SET DEADLINE <date>",
    topics=("master",),
    lasting=True,
    of_phase=True,
    act="SET DEADLINE (later)",
    help="set the deadline of this phase, like 2026-05-14 21:00 or Fri 21:00",
)
def set_deadline(context: CommandContext, date: str) -> None:
    """Set the time at which the open phase is due, in the time zone of the game."""
    here = context.seat
    game, phase = here.game, here.open_phase
    moment = _date(context, date, "That time has passed. To process the phase now, send PROCESS.")
    if date.startswith("+") and moment < phase.deadline_at:
        # A master who writes +24h wants to extend the phase, but 24 hours from now is before the current deadline.
        earlier = f'"{date}" is counted from now, so orders would be due earlier, by {when(moment, context.zone)}.'
        raise CommandError(f"{earlier} To move the deadline to that time, send SET DEADLINE in {date[1:].strip(' !')}.")
    _ask_to_move(context, "deadline", "SET DEADLINE", phase.deadline_at, moment)
    why = f"{ruler(context)} has moved the deadline of {phase.name} in {game.name}."
    note_clock(context)
    schedule.move_deadline(context.work, game, phase, moment, why, read_reply(context))


@command(
    "SET GRACE <date>",
    reads="<end of grace>",
    of_phase=True,
    act="SET GRACE <date> (later)",
    help="set when grace for late orders in this phase ends",
)
def set_grace(context: CommandContext, date: str) -> None:
    """Set the time at which grace for the open phase ends."""
    game, phase = context.seat.game, context.seat.open_phase
    moment = _date(context, date)
    if moment < phase.deadline_at:
        raise CommandError(f"Grace cannot end before the deadline, {when(phase.deadline_at, context.zone)}.")
    _ask_to_move(context, "end of grace", "SET GRACE <date>", phase.grace_ends_at, moment)
    terms = replace(terms_of(phase), grace_ends_at=moment)
    why = f"has changed the grace period of {phase.name} in {game.name}."
    _reschedule(context, terms, why)


@command(
    "SET START <date>",
    when=When.UNPAUSED,
    of_phase=True,
    act="SET START (later)",
    help="don't process this phase before that time; before the game starts: its first phase",
)
def set_start(context: CommandContext, date: str) -> Setting | None:
    """Set the earliest time at which the open phase can be processed, and move an earlier deadline to this time."""
    game = context.seat.game
    moment = _date(context, date)
    if game.state == "forming":
        return Setting({"first_start": moment.astimezone(ZoneInfo(game.zone)).isoformat()})
    phase = context.seat.open_phase
    _ask_to_move(context, "earliest time", "SET START", phase.earliest_at, moment)
    why = f"has set the earliest time at which {phase.name} in {game.name} can be processed."
    _reschedule(context, calendar.not_before(terms_of(phase), moment), why)
    return None


@command(
    "SET NO START",
    "SET NOSTART",
    when=When.UNPAUSED,
    of_phase=True,
    act="SET START (earlier)",
    help="remove START, so this phase is processed as soon as all orders are in; its deadline stays",
)
def set_no_start(context: CommandContext) -> Setting | None:
    """Let the open phase be processed as soon as all orders are in and the minimum time (MIN) has passed."""
    here = context.seat
    if here.game.state == "forming":
        return Setting({"first_start": ""})
    game, phase = here.game, here.open_phase
    usual = schedule.usual_start(game, phase)
    if usual == phase.earliest_at:
        raise CommandError(f"No START time is set for {phase.name}, so nothing changed.")
    ask_for_word(context)
    why = f"has taken back the earliest time at which {phase.name} in {game.name} can be processed."
    _reschedule(context, replace(terms_of(phase), earliest_at=usual), why)
    return None


def _ask_to_move(context: CommandContext, what: str, act: str, before: datetime, after: datetime) -> None:
    """Raise NothingDone if the time is already `after`, or if the players must first agree to the change.

    `what` is the time in words, and `act` is the command that sets the time. `before` is the time before the change.
    """
    _refuse_same(context, what, before, after)
    which = "later" if gives_time(context.seat.open_phase, before, after) else "earlier"
    ask_for_word(context, f"{act.removesuffix(' <date>')} {_written(context, after)}", act=f"{act} ({which})")


def _refuse_same(context: CommandContext, what: str, before: datetime, after: datetime) -> None:
    """Raise NothingDone if the deadline, or another time, is already `after`."""
    if after == before:
        phase = context.seat.open_phase.name
        raise NothingDone(f"The {what} of {phase} is already {when(after, context.zone)}, so nothing changed.")


def _reschedule(context: CommandContext, terms: Terms, why: str) -> None:
    here = context.seat
    note_clock(context)
    why = f"{ruler(context)} {why}"
    schedule.reschedule(context.work, here.game, here.open_phase, terms, why, read_reply(context))


@command(
    "EXTEND <length>",
    "VOTE EXTEND",
    reads="[BY] <length>",
    lasting=True,
    of_phase=True,
    act="EXTEND",
    help="move the deadline of this phase on: EXTEND 2 days",
)
def extend(context: CommandContext, length: str) -> None:
    """Move the deadline of the open phase by this length."""
    game, phase = context.seat.game, context.seat.open_phase
    with refused(ValueError, before=f"EXTEND {length}: ", after="."):
        hours = read_hours(length)
    moment = phase.deadline_at + timedelta(hours=hours)
    if moment <= context.work.now:
        raise CommandError("That time has passed.")
    _refuse_same(context, "deadline", phase.deadline_at, moment)
    act = "EXTEND" if gives_time(phase, phase.deadline_at, moment) else "SET DEADLINE (earlier)"
    ask_for_word(context, f"EXTEND {hours:g} hours", act=act)
    why = f"{ruler(context)} has extended {phase.name} in {game.name}."
    note_clock(context)
    schedule.move_deadline(context.work, game, phase, moment, why, read_reply(context))


@command("PAUSE", "SUSPEND", "VOTE PAUSE", of_phase=True, act="PAUSE", help="stop the clock")
def pause(context: CommandContext) -> str:
    """Stop the clock, though orders are still accepted."""
    game, phase = context.seat.game, context.seat.open_phase
    ask_for_word(context)
    schedule.pause(context.work, game, phase, ruler(context))
    return f"{game.name} is now paused. To restart it, send RESUME.{ALL_TOLD}"


@command(
    "RESUME [<date>]",
    "VOTE RESUME",
    when=When.PAUSED,
    lasting=True,
    act="RESUME",
    help="restart a paused game, with the time that was left or with a new deadline: RESUME Sat 21:00",
)
def resume(context: CommandContext, date: str | None) -> str:
    """Continue a paused game, with the remaining time or a new deadline, or reopen an ended game."""
    here = context.seat
    game = here.game
    # Leave out the name of the game, as in "RESUME heron".
    named = " ".join(word for word in (date or "").split() if word.lower() != game.name)
    if game.state == "finished":
        if named:
            raise CommandError(f"{game.name} has ended. First send RESUME, then SET DEADLINE {named}.")
        return roll_back(context, None)
    phase = here.open_phase
    deadline = _date(context, named) if named else None
    if deadline:
        ask_for_word(context, f"RESUME {_written(context, deadline)}", act="RESUME <date>")
    else:
        ask_for_word(context, "RESUME")
    why = f"{ruler(context)} has resumed {game.name} at {phase.name}."
    note_clock(context)
    schedule.resume(context.work, game, phase, why, deadline)
    return f"{game.name} has resumed."


@command(
    "SET NO ABSENCE <date> [TO <later date>]",
    "SET NO HOLIDAY",
    "SET NO VACATION",
    reads=_SPAN,
    who=Who.PLAYER | Who.MASTER,
    when=When.LIVING,
    of_seat=True,
    help="cancel your absence on that day",
)
def cancel_absence(context: CommandContext, date: str, later: str | None) -> None:
    """Cancel the absence that overlaps these days."""
    here = context.seat
    gone = schedule.cancel_absence(context.work, here.game, here.row, _days(context, date, later))
    if not gone:
        mine = schedule.pending_absences(context.work, here.game, here.row)
        spans = [f"from {when(one.starts_at, context.zone)} to {when(one.ends_at, context.zone)}" for one in mine]
        others = f". You are away {listed(spans)}" if spans else ""
        raise CommandError(f"You have no absence set on that day{others}.")
    start, end = when(gone.starts_at, context.zone), when(gone.ends_at, context.zone)
    context.remark(f"the absence from {start} to {end} is canceled.")


@command(
    "SET ABSENCE <date> [TO <later date>]",
    "SET HOLIDAY",
    "SET VACATION",
    reads=_SPAN,
    who=Who.PLAYER | Who.MASTER,
    when=When.LIVING,
    of_seat=True,
    help="you are away: later deadlines will skip these days",
)
def set_absence(context: CommandContext, date: str, later: str | None) -> None:
    """Skip these days in the deadlines of later phases. The open phase keeps its deadline."""
    game, seat = context.seat.game, context.seat.row
    start, end = _days(context, date, later)
    # A date with a time of day, and no second date, means the 24 hours after that time.
    end = start + timedelta(days=1) if end == start and not later else end
    schedule.grant_absence(context.work, game, seat, start, end)
    who = seat.power or f"the {seat.role}"
    times = f"from {when(start, context.zone)} to {when(end, context.zone)}"
    context.remark(f"{who} is away {times}. Later deadlines will skip these days.")


def _days(context: CommandContext, first: str, last: str | None) -> Span:
    """Return the span from the beginning of the first day to the end of the last day.

    If `last` is not given, the last day is the first one. If the first day is today, the span begins with the past
    hours of today.
    """
    # In a gunboat game use the game's time zone, because a player's own would reveal where they live.
    work = context.work
    zone = context.seat.game.zone if hides_people(context.seat.game) else context.zone
    if length := None if last else _LENGTH_OF_DAYS.fullmatch(first):
        today = work.now.astimezone(ZoneInfo(zone)).date()
        with refused(ValueError, before=f'"{first}" is too long: ', after="."):
            until = today + timedelta(hours=read_hours(length[1])) - timedelta(days=1)
        name = context.call.command.word
        raise CommandError(f'"{first}" does not say from when. To begin today, write {name} {today} TO {until}.')
    start = read_date(first, work.now, zone, _DAY_BEGINS, "near")
    return start, read_date(last or first, work.now, zone, _DAY_ENDS, "near", start if last else None)


def _date(context: CommandContext, text: str, passed: str = "That time has passed.") -> datetime:
    """Return the moment in `text`, in the game's time zone, or raise CommandError if it is not in the future.

    A day without a time means the time of day in CLOCK on that day.
    """
    here = context.seat
    name = here.phase.name if here.phase else here.variant.start
    minutes = here.settings.timing(kind(name)).clock
    clock = time(minutes // 60, minutes % 60) if minutes >= 0 else _EVENING
    moment = read_date(text, context.work.now, here.game.zone, clock)
    if moment <= context.work.now:
        raise CommandError(passed)
    return moment


def _written(context: CommandContext, moment: datetime) -> str:
    """Return the moment as text for a command, in the time zone of the game, such as 2026-05-14 21:00."""
    return moment.astimezone(ZoneInfo(context.seat.game.zone)).strftime("%Y-%m-%d %H:%M")


lengths = Family("deadlines", who=Who.MASTER, when=When.LIVING, act=OTHER_SETTINGS)


add_settings(lengths, "move", "retreat", "adjust")


@lengths(
    "SET GAME ZONE <zone>",
    "SET GAME TIMEZONE",
    "SET GAME TIME ZONE",
    help="the time zone of CLOCK, DAYS and the master's dates, like Europe/Berlin",
)
def set_game_zone(context: CommandContext, zone: str) -> None:
    """Set the time zone of CLOCK and DAYS, and of the dates that the game's master writes."""
    here = context.seat
    game, pending = here.game, here.pending
    if zone == game.zone:
        context.remark(UNCHANGED)
        return
    ask_for_word(context, f"SET GAME ZONE {zone}")
    pending.timed = "M"
    pending.by[ruler(context)] = None
    stays = " The open phase keeps its deadline." if here.phase else ""
    pending.zone = (
        f"Time zone of the game: {zone} (was {game.zone}). Later phases use this zone for CLOCK and DAYS.{stays}"
    )
    game.zone = zone


@lengths(
    "SET GRACE <hours>",
    help="the grace period of all later phases, in hours: SET GRACE 24",
)
def set_grace_hours(context: CommandContext, hours: str) -> Setting:
    """Set the grace of all later phases, of every kind."""
    with refused(ValueError, before=f"GRACE {hours}: ", after=f". {TIMING_EXAMPLE}"):
        grace = read_hours(hours)
    return Setting({kind: replace(getattr(context.seat.settings, kind), grace=grace) for kind in TIMINGS})


add_settings(lengths, "nmr", "strict_grace", "remind", "max_absence", "extensions", "reliability")
