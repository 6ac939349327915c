"""What a master settles of a variant before his game begins: who holds a power, when a canal opens, the last year.

People join on that understanding, so none of it can be changed later (Intercontinental, 2.2, 3, 5.2).
"""

from judge.desk.changes import change
from judge.desk.master import mastered
from judge.desk.visit import Call, Command, CommandError, Visit
from judge.games.boards import variant_of
from judge.games.settings import GameSettings
from judge.rules import Variant
from judge.rules.groups import DrawError, draw
from judge.rules.names import fold
from judge.rules.phase import year
from judge.store.tables import Game

# What may stand before the colour or the year.
_TO = r"(?:\s+(?:TO|IN)\s+|\s*[-:=>]+\s*|\s+)"


def set_group(visit: Visit, call: Call) -> None:
    """SET GROUP <power> <colour>: this colour has the power, which is not drawn then; RANDOM takes it back."""
    game, variant, settings = _forming(visit, "SET GROUP")
    if not variant.draws:
        raise CommandError(f"In {variant.title} no powers are drawn.")
    try:
        power = variant.power(call.arguments["group_power"].strip()).name
        colour = call.arguments["colour"]
        group = "" if colour.upper() == "RANDOM" else variant.seat(colour).name
    except KeyError as unknown:
        raise CommandError(unknown.args[0]) from None
    fixed = {name: whose for name, whose in settings.fixed.items() if name != power}
    fixed |= {power: group} if group else {}
    try:
        draw(variant.groups, variant.draws, settings.seed, fixed)
    except DrawError as wrong:
        raise CommandError(str(wrong)) from None
    sentence = f"{power} goes to {group}." if group else f"{power} is drawn."
    change(visit, call, game, {"fixed": fixed}, [sentence])


def set_canal(visit: Visit, call: Call) -> None:
    """SET CANAL <name> <year>: the canal opens in the Spring of that year."""
    game, variant, settings = _forming(visit, "SET CANAL")
    names = {fold(variant.provinces[abbr].name): abbr for abbr in variant.canals}
    alone = next(iter(names), "") if len(names) == 1 else ""
    abbr = names.get(fold(call.arguments["canal"] or alone))
    if abbr is None:
        known = " or ".join(variant.provinces[name].name for name in variant.canals)
        raise CommandError(f"The canal here is {known}." if known else f"There are no canals in {variant.title}.")
    opens = int(call.arguments["year"])
    if opens < year(variant.start):
        raise CommandError(f"The game begins in {year(variant.start)}; a canal cannot open before that.")
    sentence = f"{variant.provinces[abbr].name} opens in the Spring of {opens}; it was {variant.canals[abbr]}."
    change(visit, call, game, {"canals": {**settings.canals, abbr: opens}}, [sentence])


def set_year_cap(visit: Visit, call: Call) -> None:
    """SET YEAR CAP <year>: when the Fall of that year is over the game is a draw of all who survive."""
    game, variant, _ = _forming(visit, "SET YEAR CAP")
    last = int(call.arguments["year"])
    if last < year(variant.start):
        raise CommandError(f"The game begins in {year(variant.start)}; its last year cannot be {last}.")
    sentence = f"{last} is the last year: if nobody has won by its end, the game is a draw of all who survive."
    change(visit, call, game, {"year_cap": last}, [sentence])


def set_no_year_cap(visit: Visit, call: Call) -> None:
    """SET NO YEAR CAP: the game goes on until somebody wins or all agree."""
    game, _, _ = _forming(visit, "SET NO YEAR CAP")
    change(visit, call, game, {"year_cap": None}, ["There is no last year."])


def _forming(visit: Visit, command: str) -> tuple[Game, Variant, GameSettings]:
    game = mastered(visit, command)
    if game.state != "forming":
        raise CommandError(f"Game {game.name} has begun, and people joined it as it was: that stays as it is.")
    return game, variant_of(game), GameSettings.from_json(game.settings)


COMMANDS = (
    Command(
        names=("SET GROUP", "SET ASSIGN"),
        arguments="<power> <colour> | <power> RANDOM",
        who="M",
        place="game",
        summary="before the game begins: which player's colour has a power that is drawn otherwise",
        handler=set_group,
        pattern=rf"\s+(?P<group_power>\S.*?){_TO}(?P<colour>[A-Z]+)",
    ),
    Command(
        names=("SET CANAL", "SET SUEZ"),
        arguments="<name> <year>",
        who="M",
        place="game",
        summary="before the game begins: the year in which a canal opens",
        handler=set_canal,
        pattern=rf"(?:\s+(?P<canal>[^\W\d]+))?{_TO}(?P<year>\d{{3,4}})",
    ),
    Command(
        names=("SET YEAR CAP", "SET YEARCAP"),
        arguments="<year>",
        who="M",
        place="game",
        summary="before the game begins: its last year, after which it is a draw of all who survive",
        handler=set_year_cap,
        pattern=rf"{_TO}(?P<year>\d{{3,4}})",
    ),
    Command(
        names=("SET NO YEAR CAP", "SET NO YEARCAP"),
        arguments="",
        who="M",
        place="game",
        summary="before the game begins: take that back",
        handler=set_no_year_cap,
    ),
)
