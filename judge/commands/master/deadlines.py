"""When phases are due (HELP deadlines): the clock of the open phase, absences, and the lengths of later phases.

Lengths hold for later phases; all else takes effect at once. All players read the old and the new values.
"""

import re
from dataclasses import replace
from datetime import datetime, time, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from judge.commands.core.command import CommandError, Family, When, Who, refused
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import UNCHANGED, Setting, awaits_word, ruler, zone_meant
from judge.commands.master.run import roll_back
from judge.games.core.acts import OTHER_SETTINGS
from judge.games.core.setting_fields import Timing
from judge.games.core.settings import TIMINGS, Span, Terms
from judge.games.core.who_may_see import hides_people
from judge.games.deadlines import schedule
from judge.games.deadlines.calendar import abbreviated, find_zone
from judge.games.deadlines.dates import continues, read_clock, read_date, read_hours
from judge.mails.templates import when
from judge.rules.board.names import listed
from judge.rules.board.phase import kind
from judge.store.tables import Phase

_DAY_BEGINS, _DAY_ENDS = time(0), time(23, 59)
# For a day without a time, in a game without a CLOCK.
_EVENING = time(23, 30)


# A length of time: a number of hours, or one with its unit.
LENGTH = r"\d{1,4}(?:\.\d{1,4})?(?:\s?(?:h|hrs?|hours?|d|days?|w|weeks?))?"
_SPAN_OF_DAYS = r"\s+(?:FROM\s+)?(?P<first>\S.*?)(?:\s+(?:TO|UNTIL|TILL|THROUGH|-|–)\s+(?P<last>\S.*?))?"
# How long an absence is to last, without a date.
_LENGTH_OF_DAYS = re.compile(r"(?:FOR\s)?(\d{1,2}\s?(?:d|days?|w|weeks?))", re.IGNORECASE | re.ASCII)
_AWAY = ("ABSENCE", "HOLIDAY", "VACATION")

_DATE = r"[\s:=]+(?P<date>[^\s:=].*?)"

command = Family("deadlines", who=Who.MASTER, when=When.RUNNING)


@command(
    "SET DEADLINE",
    arguments="<date>",
    pattern=_DATE,
    topics=("master",),
    lasting=True,
    of_phase=True,
    act="SET DEADLINE (later)",
    help="set the deadline of this phase, like 2026-05-14 21:00 or Fri 21:00",
)
def set_deadline(context: CommandContext, date: str) -> str:
    """SET DEADLINE <date>: when this phase is due, in the zone of the game."""
    game, phase = context.the_game, context.the_phase
    moment = _date(context, date, "That time has passed. To process the phase now, send PROCESS.")
    if date.startswith("+") and moment < phase.deadline_at:
        # Whoever writes +24h to extend would shorten the phase.
        earlier = f'"{date}" means from now, so orders would be due earlier, by {when(moment, context.zone)}.'
        raise CommandError(f"{earlier} If you want that, send SET DEADLINE in {date[1:].strip()}.")
    if moment == phase.deadline_at:
        return _unchanged(context, phase, "deadline", moment)
    which = "earlier" if moment < phase.deadline_at else "later"
    if waits := awaits_word(context, f"SET DEADLINE ({which})", f"SET DEADLINE {_written(context, moment)}"):
        return waits
    why = f"{ruler(context)} has moved the deadline of {phase.name} in {game.name}."
    start = phase.earliest_at
    schedule.move_deadline(context.work, game, phase, moment, why, context.read_reply)
    context.pending.timed = "M"
    along = f" So START moves to it, from {when(start, context.zone)}." if phase.earliest_at < start else ""
    return f"The deadline of {phase.name} has been changed.{along} All players have been notified."


@command(
    "SET GRACE",
    arguments="<date>",
    pattern=rf"[\s:=]++(?!(?:{LENGTH}|OFF|NO|NONE)\s*[.;]?$|PRESS\b)(?P<date>\S+\s+\S.*?|\d+\.\d+\.\d+|[\d.hd]*[^\s\d.;hd]\S*?)",
    of_phase=True,
    act="SET GRACE <date> (later)",
    help="set when grace for late orders in this phase ends",
)
def set_grace(context: CommandContext, date: str) -> str:
    """SET GRACE <date>: when grace for this phase ends."""
    game, phase = context.the_game, context.the_phase
    moment = _date(context, date)
    if moment < phase.deadline_at:
        raise CommandError(f"Grace cannot end before the deadline, {when(phase.deadline_at, context.zone)}.")
    if moment == phase.grace_ends_at:
        return _unchanged(context, phase, "end of grace", moment)
    which = "earlier" if moment < phase.grace_ends_at else "later"
    if waits := awaits_word(context, f"SET GRACE <date> ({which})", f"SET GRACE {_written(context, moment)}"):
        return waits
    terms = replace(schedule.terms_of(phase), grace_ends_at=moment)
    why = f"has changed the grace period of {phase.name} in {game.name}."
    return _reschedule(context, terms, why, f"The grace period of {phase.name} has been changed.")


@command(
    "SET START",
    arguments="<date>",
    pattern=rf"(?!\s+(?:OFF|NO|NONE)$){_DATE}",
    of_phase=True,
    act="SET START (later)",
    help="don't process this phase before that time",
)
def set_start(context: CommandContext, date: str) -> str:
    """SET START <date>: this phase is not processed before; a deadline that is earlier moves there."""
    game, phase = context.the_game, context.the_phase
    moment = _date(context, date)
    if moment == phase.earliest_at:
        return _unchanged(context, phase, "earliest time", moment)
    which = "earlier" if moment < phase.earliest_at else "later"
    if waits := awaits_word(context, f"SET START ({which})", f"SET START {_written(context, moment)}"):
        return waits
    terms, along = schedule.terms_of(phase), ""
    if moment > terms.deadline_at:
        along = f" So the deadline moves to it, from {when(terms.deadline_at, context.zone)}."
        terms = replace(terms, deadline_at=moment, grace_ends_at=max(moment, terms.grace_ends_at))
    why = f"has set the earliest time at which {phase.name} in {game.name} can be processed."
    terms = replace(terms, earliest_at=moment)
    done = f"{phase.name} won't be processed before {when(moment, context.zone)}.{along} To undo it, send SET NO START."
    return _reschedule(context, terms, why, done)


@command(
    "SET NO START",
    "SET NOSTART",
    of_phase=True,
    act="SET START (earlier)",
    help="take that back: process this phase as soon as all orders are in; its deadline stays",
)
def set_no_start(context: CommandContext) -> str:
    """SET NO START: this phase is processed as soon as all orders are in, or MIN has passed."""
    game, phase, terms = context.the_game, context.the_phase, schedule.terms_of(context.the_phase)
    usual = min(terms.earliest_at, phase.opened_at + timedelta(hours=context.settings.timing(kind(phase.name)).min))
    if usual == terms.earliest_at:
        raise CommandError(f"{phase.name} has no START of its own; nothing changed.")
    if waits := awaits_word(context, "SET START (earlier)", "SET NO START"):
        return waits
    why = f"has taken back the earliest time at which {phase.name} in {game.name} can be processed."
    done = f"{phase.name} will be processed once all orders are in. Its deadline stays."
    return _reschedule(context, replace(terms, earliest_at=usual), why, done)


def _unchanged(context: CommandContext, phase: Phase, what: str, moment: datetime) -> str:
    return f"The {what} of {phase.name} is already {when(moment, context.zone)}; nothing changed."


def _reschedule(context: CommandContext, terms: Terms, why: str, done: str) -> str:
    why = f"{ruler(context)} {why}"
    schedule.reschedule(context.work, context.the_game, context.the_phase, terms, why, context.read_reply)
    context.pending.timed = "M"
    return f"{done} All players have been notified."


@command("PAUSE", "SUSPEND", of_phase=True, act="PAUSE", help="stop the clock")
def pause(context: CommandContext) -> str:
    """PAUSE: the clock stops; orders are still taken."""
    game, phase = context.the_game, context.the_phase
    schedule.pause(context.work, game, phase, ruler(context))
    return f"{game.name} is now paused. To restart it, send RESUME. All players have been notified."


@command(
    "RESUME",
    arguments="[<date>]",
    pattern=r"(?:\s+(?P<date>\S.*?))?",
    when=When.PAUSED,
    lasting=True,
    act="RESUME",
    help="restart a paused game, with the time that was left or with a new deadline: RESUME Sat 21:00",
)
def resume(context: CommandContext, date: str | None) -> str:
    """RESUME [<date>]: a paused game goes on, with the time left or with that deadline; one that has ended reopens."""
    game = context.the_game
    # As in "RESUME heron".
    named = " ".join(word for word in (date or "").split() if word.lower() != game.name)
    if game.state == "finished":
        if named:
            raise CommandError(f"{game.name} has ended. First send RESUME, then SET DEADLINE {named}.")
        return roll_back(context, None)
    phase = context.the_phase
    deadline = _date(context, named) if named else None
    if deadline and (waits := awaits_word(context, "RESUME <date>", f"RESUME {_written(context, deadline)}")):
        return waits
    why = f"{ruler(context)} has resumed {game.name} at {phase.name}."
    schedule.resume(context.work, game, phase, why, deadline)
    context.pending.timed = "M"
    return f"{game.name} has resumed with a new deadline. All players have been notified."


@command(
    *tuple(f"SET NO {word}" for word in _AWAY),
    arguments="<date> [TO <date>]",
    pattern=_SPAN_OF_DAYS,
    who=Who.PLAYER | Who.MASTER,
    when=When.LIVING,
    of_seat=True,
    help="cancel your absence on that day",
)
def cancel_absence(context: CommandContext, first: str, last: str | None) -> None:
    """SET NO ABSENCE <date> [TO <date>]: cancel the absence that overlaps these days."""
    gone = schedule.cancel_absence(context.work, context.the_game, context.the_seat, _days(context, first, last))
    if not gone:
        mine = schedule.pending_absences(context.work, context.the_game, context.the_seat)
        spans = [f"from {when(one.starts_at, context.zone)} to {when(one.ends_at, context.zone)}" for one in mine]
        others = f"; you are away {listed(spans)}" if spans else ""
        raise CommandError(f"You have no absence set on that day{others}.")
    start, end = when(gone.starts_at, context.zone), when(gone.ends_at, context.zone)
    context.note(f"the absence from {start} to {end} is canceled.")


@command(
    *tuple(f"SET {word}" for word in _AWAY),
    arguments="<date> [TO <date>]",
    pattern=_SPAN_OF_DAYS,
    who=Who.PLAYER | Who.MASTER,
    when=When.LIVING,
    of_seat=True,
    help="you are away: later deadlines will skip these days",
)
def set_absence(context: CommandContext, first: str, last: str | None) -> None:
    """SET ABSENCE <date> [TO <date>]: deadlines of later phases avoid it; the open phase keeps its own."""
    game, seat = context.the_game, context.the_seat
    start, end = _days(context, first, last)
    # A time of day without a second date: a day from there.
    end = start + timedelta(days=1) if end == start and not last else end
    schedule.grant_absence(context.work, game, seat, start, end)
    who = seat.power or f"the {seat.role}"
    times = f"from {when(start, context.zone)} to {when(end, context.zone)}"
    context.note(f"{who} is away {times}; later deadlines will skip these days.")


def _days(context: CommandContext, first: str, last: str | None) -> Span:
    """From the beginning of one day to the end of the same or another one: both may be days that have begun."""
    # A gunboat game must not disclose where its players live.
    zone = context.the_game.zone if hides_people(context.the_game) else context.zone
    if length := None if last else _LENGTH_OF_DAYS.fullmatch(first):
        today = context.now.astimezone(ZoneInfo(zone)).date()
        with refused(ValueError, before=f'"{first}" is too long: ', after="."):
            until = today + timedelta(hours=read_hours(length[1])) - timedelta(days=1)
        name = context.call.command.word
        raise CommandError(f'"{first}" does not say from when. If that is today, write {name} {today} TO {until}.')
    start = read_date(first, context.now, zone, _DAY_BEGINS, "near")
    return start, read_date(last or first, context.now, zone, _DAY_ENDS, "near", start if last else None)


def _date(context: CommandContext, text: str, passed: str = "That time has passed.") -> datetime:
    """The moment that the sender means, in the zone of the game, a day alone at its CLOCK; it must be still to come."""
    minutes = context.settings.timing(kind(context.the_phase.name)).clock
    clock = time(minutes // 60, minutes % 60) if minutes >= 0 else _EVENING
    moment = read_date(text, context.now, context.the_game.zone, clock)
    if moment <= context.now:
        raise CommandError(passed)
    return moment


def _written(context: CommandContext, moment: datetime) -> str:
    """Return the moment as it can be written after a command, in the zone of the game: 2026-05-14 21:00."""
    return moment.astimezone(ZoneInfo(context.the_game.zone)).strftime("%Y-%m-%d %H:%M")


_KEYS = ("next", "clock", "days", "grace", "min", "delay")
_DAYS = re.compile(r"[-S][-M][-T][-W][-T][-F][-S]", re.IGNORECASE)
_MINUTE = 1 / 60
_EXAMPLE = "For example, write SET MOVE NEXT 72 CLOCK 21:00 DAYS -MTWTF- GRACE 24."

lengths = Family("deadlines", who=Who.MASTER, when=When.LIVING, act=OTHER_SETTINGS)


def set_timing(context: CommandContext, values: str, *, kind: str) -> Setting:
    """SET MOVE|RETREAT|ADJUST <key> <value> …: NEXT, CLOCK, DAYS, GRACE, MIN and DELAY of later phases."""
    return Setting({kind: read_timing(getattr(context.settings, kind), values, context.the_game.zone)})


for _kind, _names, _help in (
    ("move", ["MOVE"], "length of later movement phases: NEXT, GRACE, MIN, DELAY in hours, CLOCK 21:00, DAYS -MTWTF-"),
    ("retreat", ["RETREAT"], "the same for retreats"),
    ("adjust", ["ADJUST", "BUILD"], "the same for builds and removals"),
):
    lengths.add(
        *(f"SET {name}" for name in _names), arguments="<key> <value> …",
        pattern=r"\s+(?P<values>(?:NEXT|CLOCK|DAYS|GRACE|MIN|DELAY)\b.*?)",
        handler=partial(set_timing, kind=_kind), help=_help,
    )  # fmt: skip


@lengths(
    "SET GAME ZONE",
    "SET GAME TIMEZONE",
    "SET GAME TIME ZONE",
    arguments="<zone>",
    pattern=r"\s+(?P<zone>\S.*?)",
    help="the time zone of CLOCK, DAYS and the master's dates, like Europe/Berlin",
)
def set_game_zone(context: CommandContext, zone: str) -> None:
    """SET GAME ZONE <zone>: the time zone of CLOCK and DAYS, and of the dates that its master writes."""
    game, known, pending = context.the_game, zone_meant(context, zone), context.pending
    if known == game.zone:
        context.note(UNCHANGED)
        return
    if waits := awaits_word(context, OTHER_SETTINGS, f"SET GAME ZONE {known}"):
        context.settle(waits)
        return
    pending.timed = "M"
    pending.by[ruler(context)] = None
    stays = " The open phase keeps its deadline." if context.phase else ""
    pending.zone = f"Time zone of the game: {known} (was {game.zone}). Later phases use it for CLOCK and DAYS.{stays}"
    game.zone = known


def read_timing(timing: Timing, text: str, zone: str) -> Timing:
    """Return `timing` with the keys and values in `text`, "NEXT 72 CLOCK 21:00"; raise CommandError for mistakes.

    `zone`: that of the game, for the refusal of a CLOCK with a zone of its own.
    """
    words = text.replace(",", " ").replace("=", " ").split()
    while words:
        key, words = words[0], words[1:]
        name = key.lower()
        if abbreviated(key) or find_zone(key)[0]:
            raise CommandError(
                f"CLOCK is in the game's time zone, {zone}. To change that, write SET GAME ZONE Europe/Berlin."
            )
        if name not in _KEYS:
            raise CommandError(f'"{key}" is not a key. Keys are NEXT, CLOCK, DAYS, GRACE, MIN and DELAY. {_EXAMPLE}')
        if not words:
            raise CommandError(f'"{key}" has no value: write a value after each key; lengths are in hours. {_EXAMPLE}')
        value, words = words[0], words[1:]
        # MIN and DAYS are keys too: in "3 DAYS" a length is meant, but not in "NEXT 72 DAYS -MTWTF-".
        names_days = len(words) > 1 and bool(_DAYS.fullmatch(words[1]))
        is_key = words and words[0].lower() in _KEYS and (words[0].lower() != "days" or names_days)
        if words and continues(value, words[0]) and not is_key:
            value, words = f"{value} {words[0]}", words[1:]
        with refused(ValueError, before=f"{key.upper()} {value}: ", after=f". {_EXAMPLE}"):
            timing = replace(timing, **{name: _value(name, value)})
    return timing


def _value(name: str, value: str) -> Any:
    """Return the value of a key as `Timing` has it; raise ValueError for mistakes."""
    if name == "days":
        if not _DAYS.fullmatch(value):
            raise ValueError(
                "write seven characters, one per day, starting with Sunday: - for a day without deadlines, a "
                "lower-case letter for deadlines only after noon"
            )
        return value
    if name == "clock":
        return -1 if value.lower() in ("-1", "none", "off", "no") else read_clock(value)
    hours = read_hours(value)
    if name == "next" and hours < _MINUTE:
        raise ValueError("a phase has to last a minute or more")
    return hours


@lengths(
    "SET GRACE",
    arguments="<hours>",
    pattern=rf"\s+(?P<hours>{LENGTH})",
    help="the grace period of all later phases, in hours: SET GRACE 24",
)
def set_grace_hours(context: CommandContext, hours: str) -> Setting:
    """SET GRACE <hours>: the grace of all later phases, whatever their kind."""
    with refused(ValueError, before=f"GRACE {hours}: ", after=f". {_EXAMPLE}"):
        grace = read_hours(hours)
    return Setting({kind: replace(getattr(context.settings, kind), grace=grace) for kind in TIMINGS})


lengths.add(
    "SET NMR", "SET CD", handler=lambda context: Setting({"nmr": True}),
    help="when grace ends, the phase is processed without the missing orders",
)  # fmt: skip
lengths.add(
    "SET NONMR", "SET NO NMR", "SET NOCD", "SET NO CD", handler=lambda context: Setting({"nmr": False}),
    help="when grace ends, late powers are opened to replacements, and the phase waits",
)  # fmt: skip


lengths.add(
    "SET STRICTGRACE", "SET STRICT GRACE", handler=lambda context: Setting({"strict_grace": True}),
    help="grace ends to the hour, even on a day without deadlines",
)  # fmt: skip
lengths.add(
    "SET NO STRICTGRACE", "SET NOSTRICTGRACE", "SET NOT STRICTGRACE", "SET NO STRICT GRACE",
    handler=lambda context: Setting({"strict_grace": False}), help="grace ends on days with deadlines only",
)  # fmt: skip


@lengths("SET NO REMIND", "SET NOREMIND", "SET NO WARN", help="send no reminders")
@lengths(
    "SET REMIND",
    "SET WARN",
    arguments="<hours> [<hours> …]",
    pattern=r"\s+(?P<hours>\d\S*(?:\s[\s,]*\d\S*){0,3})",
    help="how many hours before a deadline players are reminded of missing orders",
)
def set_reminders(context: CommandContext, hours: str | None = None) -> Setting:
    """SET REMIND <hours> …, SET NO REMIND: how long before a deadline those who owe orders are reminded."""
    words = re.split(r"[\s,]+", hours.strip()) if hours else []
    with refused(ValueError, after=". For example, write SET REMIND 24 4."):
        before = sorted({_value("next", word) for word in words}, reverse=True)
    return Setting({"remind": tuple(before)})


@lengths(
    "SET MAXABSENCE",
    "SET MAX ABSENCE",
    arguments="<days>",
    pattern=r"\s+(?P<days>-?\d{1,6})",
    help="the longest absence that players can set",
)
def set_longest_absence(context: CommandContext, days: int) -> Setting:
    """SET MAXABSENCE <days>: the longest absence that players may set; OFF could be none, or any."""
    if not 0 <= days <= 31:
        raise CommandError(f"An absence can last up to 31 days, not {days}. For example, write SET MAXABSENCE 15.")
    return Setting({"max_absence": days})


def set_number(context: CommandContext, number: int, *, name: str, most: int, refusal: str) -> Setting:
    """SET EXTENSIONS <times>, SET RELIABILITY <percent>: a number up to `most`; OFF is 0."""
    if not 0 <= number <= most:
        raise CommandError(refusal)
    return Setting({name: number})


lengths.add(
    "SET EXTENSIONS", "SET EXTENSION", arguments="<times>", pattern=r"\s+(?P<number>-?\d{1,6})",
    help="how many times a deadline is extended for each late player, before grace and NMR apply; 0: never",
    handler=partial(set_number, name="extensions", most=20, refusal="A player can have from 0 to 20 extensions."),
)  # fmt: skip
lengths.add(
    "SET RELIABILITY", arguments="<percent>", pattern=r"\s+(?P<number>-?\d{1,6})\s?%?",
    help="how reliable players must be to join, in percent (INFO PLAYER), if orders were due from them in ten phases "
         "or more; 0: anyone can join",
    handler=partial(set_number, name="reliability", most=100, refusal="Players are from 0% to 100% reliable."),
)  # fmt: skip
