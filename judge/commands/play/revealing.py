"""SET REVEAL BIDS: whether all bids are told when the game has ended.

Its master says so before the game begins, since people bid knowing it; later it takes the word of every player.
"""

from judge.commands.core.changes import change
from judge.commands.core.command import Call, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.games.core.board import variant_of
from judge.games.life import votes

_SENTENCES = {
    True: "All bids of Diplomacy Points are told to everybody when the game has ended.",
    False: "Only the master sees who bids Diplomacy Points, also when the game has ended.",
}
_HELP = (
    "all bids of Diplomacy Points are {} when the game has ended; once it has begun that takes the word of every "
    "player, in one phase"
)
command = Family("points", "master", who=Who.RULER | Who.PLAYER, when=When.LIVING, personal=True, lasting=True)


@command("SET REVEAL BIDS", help=_HELP.format("told"))
def reveal_bids(context: CommandContext, call: Call) -> None:
    """SET REVEAL BIDS: they are told when the game has ended."""
    _settle(context, call, True)


@command("SET NO REVEAL BIDS", "SET NOREVEAL BIDS", help=_HELP.format("not told"))
def keep_bids(context: CommandContext, call: Call) -> None:
    """SET NO REVEAL BIDS: they are not."""
    _settle(context, call, False)


def _settle(context: CommandContext, call: Call, revealed: bool) -> None:
    game, seat = context.the_game, context.the_seat
    variant, name = variant_of(game), f"SET {'' if revealed else 'NO '}REVEAL BIDS"
    if variant.points is None:
        raise CommandError(f"There are no Diplomacy Points in {variant.title}.")
    if game.state == "forming" and seat.role != "master":
        raise CommandError(f"Before the game begins {name} is for its master: sign on with SIGNON M{game.name}.")
    if game.state == "forming":
        change(context, call, game, {"reveal_bids": revealed}, [_SENTENCES[revealed]])
        return
    if seat.role == "master":
        raise CommandError(
            f"Game {game.name} has begun, so it is too late for {name}, unless every player writes it in the same "
            "phase."
        )
    if votes.agree_on_bids(context.session, game, context.the_phase, context.the_power, revealed):
        change(context, call, game, {"reveal_bids": revealed}, [f"Every player has agreed: {_SENTENCES[revealed]}"])
    else:
        waits = "noted for this phase. Nothing changes, and nobody is told, until every player has written the same."
        context.note(call, waits)
