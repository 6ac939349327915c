"""How long phases last and what happens to late players: a master's settings for a game (HELP master).

Timing counts for later phases; the other settings count at once. Everybody is told the old and the new values.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from judge.commands.core.changes import change
from judge.commands.core.command import Call, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.games.core.settings import GameSettings, Timing, settings_of
from judge.games.deadlines.calendar import abbreviated, find_zone
from judge.games.deadlines.dates import continues, read_clock, read_hours
from judge.rules.board.names import listed
from judge.store.tables import Game

Kind = Literal["move", "retreat", "adjust"]
_WORDS: dict[Kind, str] = {"move": "Movement", "retreat": "Retreats", "adjust": "Adjustments"}
_DAYS = re.compile(r"[-S][-M][-T][-W][-T][-F][-S]", re.IGNORECASE)
_EXAMPLE = "Write for example SET MOVE NEXT 72 CLOCK 21:00 DAYS -MTWTF- GRACE 24."
# A length of time: a number of hours, or one with its unit.
LENGTH = r"\d{1,4}(?:\.\d{1,4})?(?:\s?(?:h|hrs?|hours?|d|days?|w|weeks?))?"
_VALUES = r"\s+(?P<values>(?:NEXT|CLOCK|DAYS|GRACE|MIN|DELAY)\b.*?)"

command = Family("deadlines", who=Who.RULER, when=When.LIVING)


def set_timing(context: CommandContext, call: Call, values: str, *, kind: Kind) -> None:
    """SET MOVE|RETREAT|ADJUST <key> <value> …: NEXT, CLOCK, DAYS, GRACE, MIN, DELAY of phases to come."""
    game, settings = _set(context)
    before: Timing = getattr(settings, kind)
    after = read_timing(before, values, game.zone)
    changes = [
        f"{_WORDS[kind]}: {key.upper()} was {shown(key, value)}, is now {shown(key, getattr(after, key))}."
        for key, value in before.to_json().items()
        if value != getattr(after, key)
    ]
    change(context, call, game, {kind: after}, changes)
    if not settings.nmr:
        _warn_of_grace(context, call, game, [kind])


command.add(
    "SET MOVE", arguments="<key> <value> …", pattern=_VALUES, handler=partial(set_timing, kind="move"),
    help="how long later movement phases last: NEXT, GRACE, MIN, DELAY hours, CLOCK 21:00, DAYS -MTWTF-",
)  # fmt: skip
command.add(
    "SET RETREAT", arguments="<key> <value> …", pattern=_VALUES, handler=partial(set_timing, kind="retreat"),
    help="the same for retreats",
)  # fmt: skip
command.add(
    "SET ADJUST", "SET BUILD", arguments="<key> <value> …", pattern=_VALUES,
    handler=partial(set_timing, kind="adjust"), help="the same for builds and removals",
)  # fmt: skip


@command(
    "SET GAME ZONE", "SET GAME TIMEZONE", "SET GAME TIME ZONE", arguments="<zone>", pattern=r"\s+(?P<zone>\S.*?)",
    help="the time zone of CLOCK and DAYS, and of the dates that you write as master, like Europe/Berlin",
)
def set_game_zone(context: CommandContext, call: Call, zone: str) -> None:
    """SET GAME ZONE <zone>: the time zone of CLOCK and DAYS, and of the dates that its master writes."""
    game = context.the_game
    known, hint = find_zone(zone)
    if not known:
        raise CommandError(f'"{zone}" is not a time zone I know.{hint} Write SET GAME ZONE Europe/Berlin.')
    if known == game.zone:
        context.note(call, "that is already so; nothing was changed.")
        return
    context.timed = "M"
    stays = " The open phase keeps its deadline." if context.phase else ""
    context.changes.append(
        f"Time zone of the game: {known} (was {game.zone}). CLOCK and DAYS of later phases are in it.{stays}"
    )
    game.zone = known
    context.session.add(game)


def read_timing(timing: Timing, text: str, zone: str) -> Timing:
    """`timing` with the keys and values in `text`: "NEXT 72 CLOCK 21:00"; `zone`: of the game. Raises CommandError."""
    words = text.replace(",", " ").replace("=", " ").split()
    while words:
        key, words = words[0], words[1:]
        name = key.lower()
        if abbreviated(key) or find_zone(key)[0]:
            raise CommandError(f"CLOCK is in the zone of the game, {zone}. SET GAME ZONE Europe/Berlin changes it.")
        if name not in _READERS:
            raise CommandError(f'"{key}" is not a key. Keys are NEXT, CLOCK, DAYS, GRACE, MIN and DELAY. {_EXAMPLE}')
        if not words:
            raise CommandError(f'"{key}" has no value: write a value after each key. {_EXAMPLE}')
        value, words = words[0], words[1:]
        # MIN and DAYS are keys too: in "3 DAYS" a length is meant, but not in "NEXT 72 DAYS -MTWTF-".
        is_key = words and words[0].lower() in _READERS and not (words[0].lower() == "days" and not _names_days(words))
        if words and continues(value, words[0]) and not is_key:
            value, words = f"{value} {words[0]}", words[1:]
        try:
            timing = replace(timing, **{name: _READERS[name](value)})
        except ValueError as wrong:
            raise CommandError(f"{key.upper()} {value}: {wrong}. {_EXAMPLE}") from None
    return timing


def _names_days(words: Sequence[str]) -> bool:
    return len(words) > 1 and bool(_DAYS.fullmatch(words[1]))


def _next(value: str) -> float:
    hours = read_hours(value)
    if not hours:
        raise ValueError("a phase must last more than 0 hours")
    return hours


def _clock(value: str) -> int:
    return -1 if value.lower() in ("-1", "none", "off", "no") else read_clock(value)


def _days(value: str) -> str:
    if not _DAYS.fullmatch(value):
        raise ValueError(
            "write seven signs for the days from Sunday on: - for a day without deadlines, a small letter for "
            "deadlines from noon on"
        )
    return value


_READERS: dict[str, Any] = {
    "next": _next, "clock": _clock, "days": _days, "grace": read_hours, "min": read_hours, "delay": read_hours
}  # fmt: skip


def shown(key: str, value: Any) -> str:
    """A value of a timing as people read it."""
    if value is None:
        return "the judge's own"
    if key == "clock":
        return f"{value // 60:02}:{value % 60:02}" if value >= 0 else "none"
    return value if key == "days" else f"{value:g} hour{'' if value == 1 else 's'}"


@command(
    "SET GRACE", arguments="<hours>", pattern=rf"\s+(?P<hours>{LENGTH})",
    help="the grace of all later phases, like SET GRACE 24",
)
def set_grace_hours(context: CommandContext, call: Call, hours: str) -> None:
    """SET GRACE <hours>: the grace of all phases to come, whatever their kind."""
    game, settings = _set(context)
    try:
        grace = read_hours(hours)
    except ValueError as wrong:
        raise CommandError(f"GRACE {hours}: {wrong}. {_EXAMPLE}") from None
    after: dict[str, Any] = {kind: replace(getattr(settings, kind), grace=grace) for kind in _WORDS}
    change(context, call, game, after, [f"Grace is {shown('grace', grace)} in all later phases."])
    if not settings.nmr:
        _warn_of_grace(context, call, game)


@command("SET NMR", "SET CD", help="when grace ends, process without the missing orders")
def set_nmr(context: CommandContext, call: Call) -> None:
    """SET NMR: at the end of grace the phase is processed with the orders on file."""
    game, _ = _set(context)
    text = "NMR: when grace ends, phases are processed without the missing orders."
    change(context, call, game, {"nmr": True}, [text])
    _warn_of_grace(context, call, game)


@command(
    "SET NONMR", "SET NO NMR", "SET NOCD", "SET NO CD",
    help="when grace ends, open the seats of late players to others, and wait",
)
def set_no_nmr(context: CommandContext, call: Call) -> None:
    """SET NONMR: at the end of grace the seats of the late are open to others, and the phase waits."""
    game, _ = _set(context)
    text = "NoNMR: when grace ends, the seats of late players are open to others, and the phase waits."
    change(context, call, game, {"nmr": False}, [text])
    _warn_of_grace(context, call, game)


def _warn_of_grace(context: CommandContext, call: Call, game: Game, kinds: Collection[Kind] = tuple(_WORDS)) -> None:
    """Warn if the settings leave late players too little grace in phases of these `kinds`, with what gives it there."""
    settings = settings_of(game)
    grace = {kind: getattr(settings, kind).grace for kind in kinds}
    short = [kind for kind, hours in grace.items() if (hours < 24 if settings.nmr else not hours)]
    if not short or settings.manual_process:
        return
    everywhere = len(short) == len(_WORDS)
    where = "" if everywhere else f" in {listed(_WORDS[kind].lower() for kind in short)}"
    helps = "SET GRACE 48" if everywhere else listed(f"SET {kind.upper()} GRACE 48" for kind in short)
    helps = f"{helps} {'help' if 1 < len(short) < len(_WORDS) else 'helps'}."
    if settings.nmr:
        context.note(call, f"with less than 24 hours of grace{where}, late players get little warning. {helps}")
    else:
        context.note(call, f"without grace{where}, a player who is late loses the seat at once. {helps}")


def set_strict_grace(context: CommandContext, call: Call, *, strict: bool) -> None:
    """SET [NO] STRICTGRACE: grace ends to the hour; without it, on the next open day."""
    game, _ = _set(context)
    what = "to the hour, on any day" if strict else "on days with deadlines only"
    change(context, call, game, {"strict_grace": strict}, [f"Grace ends {what}."])


command.add(
    "SET STRICTGRACE", "SET STRICT GRACE", handler=partial(set_strict_grace, strict=True),
    help="grace ends to the hour, even on a day without deadlines",
)  # fmt: skip
command.add(
    "SET NO STRICTGRACE", "SET NOSTRICTGRACE", "SET NOT STRICTGRACE", handler=partial(set_strict_grace, strict=False),
    help="grace ends on days with deadlines only",
)  # fmt: skip


@command("SET NO REMIND", "SET NOREMIND", "SET NO WARN", help="send no reminders")
@command(
    "SET REMIND", "SET WARN", arguments="<hours> [<hours> …]",
    pattern=r"\s+(?P<hours>\d\S*(?:\s[\s,]*\d\S*){0,3})",
    help="how many hours before a deadline players are reminded of missing orders",
)
def set_reminders(context: CommandContext, call: Call, hours: str | None = None) -> None:
    """SET REMIND <hours> …, SET NO REMIND: how long before a deadline those who owe orders are reminded."""
    game, _ = _set(context)
    words = re.split(r"[\s,]+", hours.strip()) if hours else []
    try:
        before = sorted({_next(word) for word in words}, reverse=True)
    except ValueError as wrong:
        raise CommandError(f"{wrong}. Write for example SET REMIND 24 4.") from None
    told = " and ".join(f"{shown('next', number)}" for number in before)
    text = f"Reminders go out {told} before a deadline." if before else "There are no reminders."
    change(context, call, game, {"remind": before}, [text])


@command(
    "SET MAXABSENCE", "SET MAX ABSENCE", arguments="<days>", pattern=r"\s+(?P<days>\d{1,3})",
    help="the longest absence that players may set",
)
def set_longest_absence(context: CommandContext, call: Call, days: int) -> None:
    """SET MAXABSENCE <days>: the longest absence that players may set."""
    game, _ = _set(context)
    if days > 31:
        raise CommandError("An absence is 31 days at most.")
    change(context, call, game, {"max_absence": days}, [f"An absence is {days} days at most."])


def _set(context: CommandContext) -> tuple[Game, GameSettings]:
    """The game, and how it is set."""
    return context.the_game, settings_of(context.the_game)
