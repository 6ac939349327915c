"""A master's settings for a variant before the game begins: who holds a power, when a canal opens, the last year.

People join knowing these, so none of them can be changed later (Intercontinental, 2.2, 3, 5.2).
"""

from collections.abc import Sequence

from judge.commands.core.answer import Remark
from judge.commands.core.changes import change
from judge.commands.core.command import Call, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.commands.master.colour_lines import Assignment, Mistake, read_assignments
from judge.games.core.board import variant_of
from judge.games.core.settings import GameSettings, settings_of
from judge.rules import Variant
from judge.rules.board.names import fold, listed
from judge.rules.board.phase import year as year_of
from judge.rules.mechanisms.all_mechanisms import Readings
from judge.rules.mechanisms.groups import DrawError, Holders, draw
from judge.store.tables import Game

# What may stand before the year.
_TO = r"(?:\s+(?:TO|IN)\s+|\s*[-:=>]+\s*|\s+)"


command = Family("master", who=Who.RULER, when=When.FORMING)


@command(
    "SET READING", arguments="<name>", pattern=r"\s+(?P<reading>[A-Z]{1,20})",
    help="before the game begins: read the rules of the variant in another published way; GET RULES <variant> "
         "lists the names",
)
def set_reading(context: CommandContext, call: Call, reading: str) -> None:
    """SET READING <name>: one of the other published readings of the variant's rules counts in this game."""
    game, _, settings = _settled(context)
    name, says = _reading(context, reading)
    change(context, call, game, {"readings": sorted({*settings.readings, name})}, [says])


def _fix(
    variant: Variant, settings: GameSettings, assigned: Sequence[Assignment]
) -> tuple[Holders, list[Assignment], list[Mistake]]:
    """The powers that are fixed from now on, the assignments that were made, and the mistakes.

    All together if they fit (two powers may change places), else one after the other.
    """
    fixed = dict(settings.fixed)
    for one in assigned:
        _put(fixed, one)
    if not _clash(variant, settings.seed, fixed):
        return fixed, list(assigned), []
    fixed, done, wrong = dict(settings.fixed), [], []
    for one in assigned:
        after = dict(fixed)
        _put(after, one)
        why = _clash(variant, settings.seed, after)
        if why:
            wrong.append(Mistake(one.text, why))
        else:
            fixed = after
            done.append(one)
    return fixed, done, wrong


def _put(fixed: Holders, one: Assignment) -> None:
    fixed.pop(one.power, None)
    if one.group:
        fixed[one.power] = one.group


def _clash(variant: Variant, seed: int, fixed: Holders) -> str:
    """Why the powers cannot be in the groups to which they are fixed; "" if they can."""
    try:
        draw(variant.groups, variant.draws, seed, fixed)
    except DrawError as wrong:
        return str(wrong)
    return ""


def _told(done: Sequence[Assignment]) -> list[str]:
    """`Mexico and Iran go to Teal.`, a sentence for each colour."""
    powers: dict[str, list[str]] = {}
    for power, group in {one.power: one.group for one in done}.items():
        powers.setdefault(group, []).append(power)
    return [_sentence(named, group) for group, named in powers.items()]


def _sentence(powers: Sequence[str], group: str) -> str:
    several = len(powers) > 1
    if group:
        return f"{listed(powers)} {'go' if several else 'goes'} to {group}."
    return f"{listed(powers)} {'are' if several else 'is'} drawn."


@command(
    "SET NO READING", arguments="<name>", pattern=r"\s+(?P<reading>[A-Z]{1,20})",
    help="before the game begins: take that back",
)
def set_no_reading(context: CommandContext, call: Call, reading: str) -> None:
    """SET NO READING <name>: the rules are read as usual again."""
    game, _, settings = _settled(context)
    name, says = _reading(context, reading)
    left = [one for one in settings.readings if one != name]
    change(context, call, game, {"readings": left}, [f"This no longer counts: {says}"])


@command(
    "SET GROUP", "SET ASSIGN", arguments="<power> <colour> | <colour>: <power>, <power>, …",
    pattern=r"\s*[:=]?\s+(?P<assigned>\S.*?)",
    help="before the game begins: give a player's colour a power, or several, that would be drawn; RANDOM as the "
         "colour: draw it again",
)
def set_group(context: CommandContext, call: Call, assigned: str) -> None:
    """SET GROUP <power> <colour>, or <colour>: <powers>: these powers are then not drawn; RANDOM undoes it.

    Each power is checked by itself: mistakes are reported, and the other powers are set as asked.
    """
    game, variant, settings = _settled(context)
    if not variant.draws:
        raise CommandError(f"In {variant.title} no powers are drawn.")
    read = read_assignments(variant, assigned)
    if not read:
        raise CommandError("Which power, and which colour? Write SET GROUP <power> <colour>.")
    wrong = [one for one in read if isinstance(one, Mistake)]
    fixed, done, clashing = _fix(variant, settings, [one for one in read if isinstance(one, Assignment)])
    wrong += clashing
    if len(read) == 1 and wrong:
        raise CommandError(wrong[0].why)
    context.answer.remarks += [Remark("error", one.text, one.why) for one in wrong]
    if done:
        change(context, call, game, {"fixed": fixed}, _told(done))


@command(
    "SET CANAL", "SET SUEZ", arguments="<name> <year>",
    pattern=rf"(?:\s+(?P<canal>(?u:[^\W\d]+)))?{_TO}(?P<year>\d{{3,4}})",
    help="before the game begins: the year in which a canal opens",
)
def set_canal(context: CommandContext, call: Call, canal: str | None, year: int) -> None:
    """SET CANAL <name> <year>: the canal opens in the Spring of that year."""
    game, variant, settings = _settled(context)
    names = {fold(variant.provinces[abbr].name): abbr for abbr in variant.canals}
    alone = next(iter(names), "") if len(names) == 1 else ""
    abbr = names.get(fold(canal or alone))
    if abbr is None:
        known = " or ".join(variant.provinces[name].name for name in variant.canals)
        raise CommandError(f"The canal here is {known}." if known else f"There are no canals in {variant.title}.")
    if year < year_of(variant.start):
        raise CommandError(f"The game begins in {year_of(variant.start)}; a canal cannot open before that.")
    sentence = f"{variant.provinces[abbr].name} opens in the Spring of {year}; it was {variant.canals[abbr]}."
    change(context, call, game, {"canals": {**settings.canals, abbr: year}}, [sentence])


@command(
    "SET YEAR CAP", "SET YEARCAP", arguments="<year>", pattern=rf"{_TO}(?P<year>\d{{3,4}})",
    help="before the game begins: its last year, at the end of which all survivors draw",
)
def set_year_cap(context: CommandContext, call: Call, year: int) -> None:
    """SET YEAR CAP <year>: when the Fall of that year is over the game is a draw of all who survive."""
    game, variant, _ = _settled(context)
    if year < year_of(variant.start):
        raise CommandError(f"The game begins in {year_of(variant.start)}; its last year cannot be {year}.")
    sentence = f"{year} is the last year: if nobody has won by its end, the game is a draw of all survivors."
    change(context, call, game, {"year_cap": year}, [sentence])


@command("SET NO YEAR CAP", "SET NO YEARCAP", help="before the game begins: take that back")
def set_no_year_cap(context: CommandContext, call: Call) -> None:
    """SET NO YEAR CAP: the game goes on until a power wins or all agree."""
    game, _, _ = _settled(context)
    change(context, call, game, {"year_cap": None}, ["There is no last year."])


def _reading(context: CommandContext, text: str) -> tuple[str, str]:
    """The name of the reading and what it says; CommandError lists those that there are."""
    _, variant, _ = _settled(context)
    offered = variant.rule(Readings)
    if offered is None:
        raise CommandError(f"For {variant.title} there are no other readings to choose.")
    found = [name for name in offered.known if name.startswith(text.lower())]
    if len(found) != 1:
        raise CommandError(" ".join(f"SET READING {name.upper()}: {one.says}" for name, one in offered.known.items()))
    return found[0], offered.known[found[0]].says


def _settled(context: CommandContext) -> tuple[Game, Variant, GameSettings]:
    """The game, its variant and how it is set."""
    game = context.the_game
    return game, variant_of(game), settings_of(game)
