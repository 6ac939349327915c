"""Settings of the board before a game begins: who holds a power, when a canal opens, the last year, other readings.

People join knowing these, so none of them can be changed later (Intercontinental, 2.2, 3, 5.2). Which powers go to
which colors is written in one line, in either order: `Mexico Red`, `Mexico = Red, Peru Teal`, `Teal: Mexico, Iran; Red:
Peru` and `Mexico, Peru Red` are all understood.
"""

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from judge.commands.core.changes import Setting
from judge.commands.core.command import CommandError, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.rules import Variant
from judge.rules.board.names import fold
from judge.rules.board.phase import year as year_of
from judge.rules.mechanisms.groups import DrawError, Holders, draw
from judge.rules.variant.variant import Readings

# What may stand before the year.
_TO = r"(?:\s+(?:TO|IN)\s+|\s*[-:=>]+\s*|\s+)"
_READING: dict[str, Any] = {"arguments": "<name>", "pattern": r"\s+(?P<reading>[A-Z]{1,20})"}
# In place of a color: the power is left to the draw.
RANDOM = "RANDOM"
_MARKS = re.compile(r"[-:=>]+")
_BETWEEN = re.compile(r" ?[,;] ?| and ", re.IGNORECASE)
_LINKS = ("TO", "IN")
_MOST_WORDS = 5  # of a power's name, and one more

command = Family("master", who=Who.RULER, when=When.FORMING)


@dataclass(frozen=True)
class Assignment:
    """What was written of a power: it goes to `group`, "" if it is to be drawn. `why`: it cannot, and is left out."""

    text: str
    power: str = ""
    group: str = ""
    why: str = ""


def set_reading(context: CommandContext, reading: str, *, used: bool) -> Setting:
    """SET READING <name>, SET NO READING <name>: another published reading of the variant's rules, or the usual one."""
    variant, offered = context.variant, context.variant.rule(Readings)
    if offered is None:
        raise CommandError(f"{variant.title} has no other readings to choose from.")
    found = {name for name in offered.known if name.startswith(reading.lower())}
    if len(found) != 1:
        readings = " ".join(f"SET READING {name.upper()}: {one.says}" for name, one in offered.known.items())
        raise CommandError(f'"{reading}" is not a reading of {variant.title}. You can choose: {readings}')
    chosen = {*context.settings.readings}
    return Setting({"readings": tuple(sorted(chosen | found if used else chosen - found))})


command.add(
    "SET READING", **_READING, handler=partial(set_reading, used=True),
    help="before the game starts: use another published reading of the rules (GET RULES <variant> lists them)",
)  # fmt: skip
command.add(
    "SET NO READING", **_READING, handler=partial(set_reading, used=False),
    help="before the game starts: take that back",
)  # fmt: skip


@command(
    "SET GROUP", "SET ASSIGN", arguments="<power> <color> | <color>: <power>, <power>, …",
    pattern=r"\s*[:=]?\s+(?P<assigned>\S.*?)",
    help="before the game starts: give a player's color one or more powers that would be drawn; RANDOM as the "
    "color: draw them again",
)
def set_group(context: CommandContext, assigned: str) -> Setting | None:
    """SET GROUP <power> <color>, or <color>: <powers>: these powers are not drawn; RANDOM undoes it.

    Mistakes are reported one by one, and the other powers are set as asked: all together if they fit (two powers may
    change places), else one after the other.
    """
    variant, before = context.variant, dict(context.settings.fixed)
    if not variant.draws:
        raise CommandError(f"In {variant.title} no powers are drawn.")
    read = read_assignments(variant, assigned)
    if not read:
        raise CommandError("Which power, and which color? Write SET GROUP <power> <color>.")
    wrong = [one for one in read if one.why]
    done = [one for one in read if not one.why]
    fixed = _with(before, *done)
    if _clash(variant, context.settings.seed, fixed):
        fixed, asked, done = before, done, []
        for one in asked:
            after = _with(fixed, one)
            if why := _clash(variant, context.settings.seed, after):
                wrong.append(replace(one, why=why))
            else:
                fixed = after
                done.append(one)
    if len(read) == 1 and wrong:
        raise CommandError(wrong[0].why)
    for mistake in wrong:
        context.remark("error", mistake.text, mistake.why)
    return Setting({"fixed": fixed}) if done else None


def _with(fixed: Holders, *assigned: Assignment) -> Holders:
    """Return who is fixed to which group after these assignments."""
    after = dict(fixed)
    for one in assigned:
        after.pop(one.power, None)
        if one.group:
            after[one.power] = one.group
    return after


def _clash(variant: Variant, seed: int, fixed: Holders) -> str:
    """Return why the powers cannot be in the groups to which they are fixed; "" if they can."""
    try:
        draw(variant.groups, variant.draws, seed, fixed)
    except DrawError as wrong:
        return str(wrong)
    return ""


@command(
    "SET CANAL", "SET SUEZ", arguments="<name> <year>",
    pattern=rf"(?:\s+(?P<canal>(?u:[^\W\d]+)))?{_TO}(?P<year>\d{{3,4}})",
    help="before the game starts: the year in which a canal opens",
)
def set_canal(context: CommandContext, canal: str | None, year: int) -> Setting:
    """SET CANAL <name> <year>: the canal opens in the Spring of that year."""
    variant = context.variant
    names = {fold(variant.provinces[abbr].name): abbr for abbr in variant.canals}
    alone = next(iter(names), "") if len(names) == 1 else ""
    abbr = names.get(fold(canal or alone))
    if abbr is None:
        known = " or ".join(variant.provinces[name].name for name in variant.canals)
        raise CommandError(f"The canal here is {known}." if known else f"There are no canals in {variant.title}.")
    if year < year_of(variant.start):
        raise CommandError(f"The game begins in {year_of(variant.start)}; a canal cannot open before that.")
    return Setting({"canals": {**context.settings.canals, abbr: year}})


@command(
    "SET YEAR CAP", "SET YEARCAP", arguments="<year>", pattern=rf"{_TO}(?P<year>\d{{3,4}})",
    help="before the game starts: its last year; if no one has won by its end, all survivors draw",
)
def set_year_cap(context: CommandContext, year: int) -> Setting:
    """SET YEAR CAP <year>: after the Fall of that year the game is a draw of all survivors."""
    first = year_of(context.variant.start)
    if year < first:
        raise CommandError(f"The game begins in {first}; its last year cannot be {year}.")
    return Setting({"year_cap": year})


command.add(
    "SET NO YEAR CAP", "SET NO YEARCAP", help="before the game starts: take that back",
    handler=lambda context: Setting({"year_cap": None}),
)  # fmt: skip


def read_assignments(variant: Variant, text: str) -> list[Assignment]:
    """Return what a line says about each power, the powers without a color last.

    A color before a power also holds for the powers after it; a color after a power also holds for the powers before it
    that have none yet.
    """
    read: list[Assignment] = []
    heading: str | None = None
    waiting: list[tuple[str, str]] = []
    idle = ""
    for item in filter(None, _BETWEEN.split(" ".join(text.split()))):
        try:
            before, named, behind = _parts(variant, item)
        except KeyError as unknown:
            read.append(Assignment(item, why=unknown.args[0]))
            continue
        if not named and waiting:
            before, behind = None, before
        heading = before if before is not None else heading
        if named:
            waiting.append((item, named))
        elif not waiting:
            idle = heading or RANDOM
        colour = behind if behind is not None else heading
        if colour is not None and waiting:
            read += [_assignment(variant, *one, colour) for one in waiting]
            waiting, idle = [], ""
    if idle:
        why = f"Which powers go there? Write SET GROUP {idle}: <power>, <power>."
        read.append(Assignment(idle, why=why))
    return read + [_assignment(variant, *one, None) for one in waiting]


def _assignment(variant: Variant, item: str, named: str, colour: str | None) -> Assignment:
    """Return the assignment that `item` makes for the power that it calls `named`."""
    try:
        power = variant.power(named).name
    except KeyError as unknown:
        return Assignment(item, why=unknown.args[0])
    if colour is None:
        return Assignment(item, why=f"Which color gets {power}? Write SET GROUP {power} <color>.")
    return Assignment(item, power, colour)


def _parts(variant: Variant, item: str) -> tuple[str | None, str, str | None]:
    """Return the color before the power, the power as written and the color after it, of one part of a line.

    None stands for a missing color, "" for a missing power. Raises KeyError if a color does not exist, or if there are
    two colors, or two powers.
    """
    words = [word for word in _MARKS.sub(" ", item).split() if word.upper() not in _LINKS]
    whole, rest, most = " ".join(words), " ".join(words[1:]), " ".join(words[:-1])
    if not words or _is_power(variant, whole):
        return None, whole or item, None
    before, behind = (_colour(variant, words[at]) for at in (0, -1))
    if len(words) > 1 and before is not None and behind is not None:
        raise KeyError("Give each power one color only.")
    named = rest if before is not None else most if behind is not None else whole
    for at in range(1, min(len(named.split()), _MOST_WORDS)):
        one, other = " ".join(named.split()[:at]), " ".join(named.split()[at:])
        if not _is_power(variant, named) and _is_power(variant, one) and _is_power(variant, other):
            raise KeyError(f"Write a comma between {variant.power(one).name} and {variant.power(other).name}.")
    if named == whole and _is_power(variant, most):
        return None, most, variant.seat(words[-1]).name
    if named == whole and _is_power(variant, rest):
        return variant.seat(words[0]).name, rest, None
    return before, named, behind if before is None else None


def _is_power(variant: Variant, text: str) -> bool:
    try:
        return bool(variant.power(text))
    except KeyError:
        return False


def _colour(variant: Variant, word: str) -> str | None:
    """Return the group with that name, "" for RANDOM; None if there is none, or if the word names a power."""
    if word.upper() == RANDOM:
        return ""
    try:
        return None if _is_power(variant, word) else variant.seat(word).name
    except KeyError:
        return None
