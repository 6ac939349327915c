"""BORDER: the master corrects a border of the board for one game."""

from judge.commands.core.command import Call, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.games.core.board import whole_variant_at
from judge.games.gm_corrections.corrections import change_border, change_coasts
from judge.rules.game_options import BorderError, read_change, read_coasts

command = Family("master", who=Who.MASTER, when=When.FORMING, together=True)


@command(
    "COAST", "COASTS", arguments="JOIN <province> | SPLIT <province>: <coast> <provinces>; <coast> <provinces>",
    pattern=r"\s+(?P<how>JOIN|SPLIT)\s+(?P<province>[^\s:][^:]{0,60}?)(?:\s*:\s*(?P<coasts>\S.*?))?",
    help="before the game begins: correct the coasts of a province for this game; everybody is told",
)
def coast(context: CommandContext, call: Call, how: str, province: str, coasts: str | None) -> None:
    """COAST JOIN <province>, COAST SPLIT <province>: <coast> <provinces>; <coast> <provinces>: before the game begins,
    since units may stand there afterwards. The one takes the other back.
    """
    game = context.the_game
    try:
        if how.upper() == "SPLIT" and not coasts:
            raise BorderError(f"Write COAST SPLIT {province}: NC and the provinces there; SC and the provinces there.")
        change = read_coasts(whole_variant_at(game, None), province, coasts or "")
    except BorderError as refusal:
        raise CommandError(f"{refusal} The board was not changed.") from None
    change_coasts(context.work, game, change)
    context.borders.append(str(change))


@command(
    "BORDER", arguments="ADD | REMOVE ARMY | FLEET <province> - <province>",
    pattern=r"\s+(?P<verb>ADD|REMOVE)\s+(?P<unit>ARMY|FLEET)\s+(?P<places>\S.*?)", when=When.LIVING, lasting=True,
    of_phase=True,
    help="correct a border of the board for this game, from now on; everybody is told",
)
def border(context: CommandContext, call: Call, verb: str, unit: str, places: str) -> None:
    """BORDER ADD|REMOVE ARMY|FLEET <province> - <province>: from now on, in this game alone. What is corrected in lines
    below each other is told in one mail (`tell_borders`).

    Only for masters, like CORRECT: the orders that become impossible without a border are secret.
    """
    game = context.the_game
    try:
        change = read_change(whole_variant_at(game, context.phase), verb.upper() == "ADD", unit.upper(), places)
        change_border(context.work, game, context.phase, change)
    except BorderError as refusal:
        raise CommandError(f"{refusal} The board was not changed.") from None
    context.read_orders_again()
    undone = str(change.opposite)
    if undone in context.borders:
        context.borders.remove(undone)
        context.note(call, "that takes back what stands above.")
    else:
        context.borders.append(str(change))
