"""Read the values of a game's settings, by the kind of argument that each setting has.

The settings are declared in a registry (judge/games/core/settings.py). Most of their commands are made here from the
registry.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from judge.commands.core.command import CommandError, Family, refused
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import Setting
from judge.games.core.board import board, published_variant
from judge.games.core.setting_fields import Form, Timing
from judge.games.core.settings import SAID, GameSettings
from judge.games.deadlines.calendar import abbreviated, find_zone
from judge.games.deadlines.dates import continues, read_clock, read_hours
from judge.rules import NEUTRAL, capitalized
from judge.rules import year as year_of
from judge.rules.board.names import fold
from judge.rules.mechanisms.victory import center_counts
from judge.rules.variant.variant import Readings

_KEYS = ("next", "clock", "days", "grace", "min", "delay")
_DAYS = re.compile(r"[-S][-M][-T][-W][-T][-F][-S]", re.IGNORECASE)
_MINUTE = 1 / 60
# The word that people write in place of a value, to set the value that a new game has.
_DEFAULT = "DEFAULT"
# The value that OFF has for each of these keys of a timing.
_OFF = {"clock": -1, "grace": 0, "min": 0}
TIMING_EXAMPLE = "For example, write SET MOVE NEXT 72 CLOCK 21:00 DAYS -MTWTF- GRACE 24 (-MTWTF- is Monday to Friday)."


def _timing(context: CommandContext, form: Form, text: str, timing: Timing) -> Timing:
    """Return `timing` with the keys and values in `text`, such as "NEXT 72 CLOCK 21:00 GRACE DEFAULT"."""
    usual = _default(form)
    words = text.replace(",", " ").replace("=", " ").split()
    while words:
        key, words = words[0], words[1:]
        name = key.lower()
        if abbreviated(key) or find_zone(key)[0]:
            zone = f"CLOCK is in the game's time zone, {context.seat.game.zone}."
            raise CommandError(f"{zone} To change that, write SET GAME ZONE Europe/Berlin.")
        if name not in _KEYS:
            raise CommandError(
                f'"{key}" is not a key. Keys are NEXT, CLOCK, DAYS, GRACE, MIN and DELAY. {TIMING_EXAMPLE}'
            )
        if not words:
            raise CommandError(
                f'"{key}" has no value: write a value after each key. Lengths are in hours. {TIMING_EXAMPLE}'
            )
        value, words = _value_first(words)
        is_usual = value.upper() == _DEFAULT
        with refused(ValueError, before=f"{key.upper()} {value}: ", after=f". {TIMING_EXAMPLE}"):
            timing = replace(timing, **{name: getattr(usual, name) if is_usual else _value(name, value)})
    return timing


def _value_first(words: list[str]) -> tuple[str, list[str]]:
    """Return the value at the beginning of the words, which may be two words ("3 days"), and the other words."""
    value, unit, behind = words[0], *(words[1:3] + ["", ""])[:2]
    # MIN and DAYS are also keys. "3 DAYS" is a length of time, but "NEXT 72 DAYS -MTWTF-" has the key DAYS.
    is_key = bool(_DAYS.fullmatch(behind)) if unit.lower() == "days" else unit.lower() in _KEYS
    if is_key or not continues(value, unit):
        return value, words[1:]
    return f"{value} {unit}", words[2:]


def _value(name: str, value: str) -> Any:
    """Return the value of a key in the form that `Timing` has, or raise ValueError for a mistake."""
    if name == "days":
        if not _DAYS.fullmatch(value):
            raise ValueError(
                "write seven characters, one per day, starting with Sunday: - for a day without deadlines, a "
                "lower-case letter for deadlines only after noon"
            )
        return value
    if name in _OFF and value.lower() in ("none", "off", "no"):
        return _OFF[name]
    if name == "clock":
        return -1 if value == "-1" else read_clock(value)
    hours = read_hours(value)
    if name == "next" and hours < _MINUTE:
        raise ValueError("a phase has to last a minute or more")
    return hours


def _hours(context: CommandContext, form: Form, text: str, before: object) -> tuple[float, ...]:
    """Return the times of reminders before a deadline, in hours, the longest first."""
    with refused(ValueError, after=". For example, write SET REMIND 24 4."):
        return tuple(sorted({_value("next", word) for word in re.split(r"[\s,]+", text.strip())}, reverse=True))


def _number(context: CommandContext, form: Form, text: str, before: object) -> int:
    number = int(text.rstrip(" %"))
    if not 0 <= number <= form.most:
        raise CommandError(form.refusal.format(number))
    return number


def _centers(context: CommandContext, form: Form, text: str, before: int | None) -> int | None:
    """Return the number of centers that wins if no other power has as many (rulings, "Play" 1), or None."""
    here = context.seat
    usual = published_variant(here.game).victory
    centers, most = usual if text.upper() == _DEFAULT else int(text), len(here.variant.centers)
    if not 1 <= centers <= most:
        raise CommandError(f"On this board the number to win can be from 1 to {most}, not {centers}.")
    if here.phase:
        now, position = board(here.game, here.phase)
        sizes = center_counts(now, position.centers)
        largest = max(sizes.keys() - {NEUTRAL}, key=lambda power: sizes[power])
        if sizes[largest] >= centers:
            raise CommandError(f"{largest} has {sizes[largest]} centers already, so the number to win must be higher.")
    return None if centers == usual else centers


def _year(context: CommandContext, form: Form, text: str, before: object) -> int:
    """Return the last year. If no one has won by the end of its Fall, the game is a draw of all survivors."""
    year, first = int(text), year_of(context.seat.variant.start)
    if year < first:
        raise CommandError(f"The game begins in {first}. Its last year cannot be {year}.")
    return year


def _years(context: CommandContext, form: Form, text: str, before: dict[str, int]) -> dict[str, int]:
    """Return the year in whose Spring each canal opens, if it differs from the variant's year.

    If a board has only one canal, its name is not needed.
    """
    *named, year = re.findall(r"(?u:[^\W\d]+)|\d+", text)
    variant = context.seat.variant
    names = {fold(variant.provinces[abbr].name): abbr for abbr in variant.canals}
    alone = next(iter(names), "") if len(names) == 1 else ""
    abbr = names.get(fold(named[0] if named else alone))
    if abbr is None:
        known = " or ".join(variant.provinces[name].name for name in variant.canals)
        raise CommandError(f"The canal here is {known}." if known else f"There are no canals in {variant.label}.")
    usual = published_variant(context.seat.game).canals
    opens = usual[abbr] if year.upper() == _DEFAULT else int(year)
    if opens < year_of(variant.start):
        raise CommandError(f"The game begins in {year_of(variant.start)}. A canal cannot open before that.")
    return {canal: year for canal, year in {**before, abbr: opens}.items() if year != usual[canal]}


def _choice(context: CommandContext, form: Form, text: str, before: tuple[str, ...]) -> tuple[str, ...]:
    """Return the readings of the variant's rules that the game uses, after adding or removing the named reading."""
    variant, offered = context.seat.variant, context.seat.variant.rule(Readings)
    if offered is None:
        raise CommandError(f"{capitalized(variant.label)} has no other readings to choose from.")
    found = {name for name in offered.known if name.startswith(text.lower())}
    if len(found) != 1:
        readings = " ".join(f"SET READING {name.upper()}: {one.says}" for name, one in offered.known.items())
        raise CommandError(f'"{text}" is not a reading of {variant.label}. You can choose: {readings}')
    return tuple(sorted({*before} | found if form.value else {*before} - found))


# Words or punctuation between the name of a setting and a year.
_TO = r"(?:\s+(?:TO|IN)\s+|\s*[-:=>]+\s*|\s+)"
# For each kind of arguments, the pattern and the function that reads them. For a `number`, OFF means 0 or the default.
_KINDS: dict[str, tuple[str, Callable[[CommandContext, Form, str, Any], Any] | None]] = {
    "": ("", None),
    "<key> <value> …": (r"\s+(?P<words>(?:NEXT|CLOCK|DAYS|GRACE|MIN|DELAY)\b.*?|DEFAULT)", _timing),
    "<hours> [<hours> …]": (r"\s+(?P<number>\d\S*(?:\s[\s,]*\d\S*){0,3}|DEFAULT)", _hours),
    "<days>": (r"\s+(?P<words>-?\d{1,6}|DEFAULT)", _number),
    "<times>": (r"\s+(?P<number>-?\d{1,6}|DEFAULT)", _number),
    "<percent>": (r"\s+(?P<number>-?\d{1,6}\s?%?|DEFAULT)", _number),
    "<number>": (r"\s+(?:(?P<words>\d{1,3})|(?P<number>DEFAULT))", _centers),
    "<year>": (rf"{_TO}(?P<number>\d{{3,4}}|DEFAULT)", _year),
    "<name> <year>": (rf"(?P<number>(?:\s+(?u:[^\W\d]+))?(?:{_TO}\d{{3,4}}|\s+DEFAULT))", _years),
    "<name>": (r"\s+(?P<words>[A-Z]{1,20})", _choice),
    "<power> <color> | <color>: <power>, <power>, …": (r"\s*[:=]?\s+(?P<words>\S.*?)", None),
}


def set_value(
    context: CommandContext, words: str | None = None, number: str | None = None, *, name: str, form: Form
) -> Setting:
    """Return the setting with the value in this form of the command, SET <name> <value> or SET NO <name>."""
    _, read = _KINDS[form.arguments]
    text, before = words or number or "", getattr(context.seat.settings, name)
    if text.upper() == _DEFAULT and read is not _centers:
        return Setting({name: _default(form)})
    return Setting({name: read(context, form, text, before) if read else form.value})


def _default(form: Form) -> Any:
    """Return the value that the setting with this form has in a new game."""
    return next(getattr(GameSettings(), name) for name, said in SAID.items() if form in said.forms)


def add_settings(family: Family, *names: str, handler: Callable[..., object] | None = None) -> None:
    """Add the commands of these settings to the family.

    A `handler` is given for settings that need more than `set_value`.
    """
    for name in names:
        for form in SAID[name].forms:
            first, *also = [f"SET {one}" for one in form.names.split(", ")]
            family.add(
                f"{first} {form.arguments}".rstrip(), *also, help=form.help,
                pattern=_KINDS[form.arguments][0], handler=partial(handler or partial(set_value, name=name), form=form),
            )  # fmt: skip
