"""SET DISORDER: a power in permanent civil disorder, declared and revoked by the master."""

from judge.commands.core.changes import why_ejected
from judge.commands.core.command import POWER, Call, CommandError, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.queries import power_meant
from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.core.who_may_see import shown_to
from judge.games.gm_corrections import corrections
from judge.games.notifications import notices
from judge.games.people import open_seats
from judge.store.seats import seat_of_power
from judge.store.tables import Game

command = Family("master", who=Who.MASTER, when=When.OPEN)


@command(
    "SET DISORDER",
    "SET CIVIL DISORDER",
    "SET CD",
    "SET DUMMY",
    "DUMMY",
    arguments="<power>",
    pattern=rf"\s+(?P<power>{POWER})",
    lasting=True,
    help="put a power without a player into permanent civil disorder: its units hold, the game won't wait for it, and "
    "it cannot be taken over; in some variants its centers become neutral",
)
def declare(context: CommandContext, call: Call, power: str) -> None:
    """SET DISORDER <power>: for good; only of a power on the board that nobody plays."""
    game, phase, power = context.the_game, context.the_phase, power_meant(context, power, "SET DISORDER")
    letter = variant_of(game).seat_named[power].letter
    if power in settings_of(game).disorder:
        revokes = "" if corrections.is_disorder_final(game) else f"; SET NO DISORDER {letter} revokes it"
        raise CommandError(f"{power} is already in civil disorder{revokes}.")
    if seat_of_power(context.session, game, power):
        raise CommandError(f"{power} has a player. EJECT {power} first, on a line above this one.")
    if power not in open_seats.vacant(context.session, game, phase):
        raise CommandError(f"{power} has nothing left on the board.")
    told = _told(game)
    left = [seat for seat in context.pending.ejected if seat.power == power]
    context.pending.ejected = [seat for seat in context.pending.ejected if seat not in left]
    ended = corrections.declare_disorder(context.work, game, phase, power, just_left=bool(left))
    for seat in left:
        notices.tell_left(context.work, game, seat, why_ejected(context, seat))
    context.read_orders_again()
    context.answer.settle(f"{power} is in civil disorder; {told}.")
    if ended:
        context.answer.settle(f"{game.name} has ended. {game.result}.")
        context.phase = context.answer.phase = None


@command(
    "SET NO DISORDER",
    "SET NO CIVIL DISORDER",
    "SET NO CD",
    "REVIVE",
    arguments="<power>",
    pattern=rf"\s+(?P<power>{POWER})",
    help="end its civil disorder: the power is open to others",
)
def revoke(context: CommandContext, call: Call, power: str) -> None:
    """SET NO DISORDER <power>: its seat is open to others."""
    game, phase, power = context.the_game, context.the_phase, power_meant(context, power, "SET NO DISORDER")
    if power not in settings_of(game).disorder:
        raise CommandError(f"{power} is not in permanent civil disorder.")
    if corrections.is_disorder_final(game):
        raise CommandError(f"In this variant civil disorder is final: the centers of {power} are neutral now.")
    corrections.revoke_disorder(context.work, game, phase, power)
    context.answer.settle(f"{power} is no longer in civil disorder; {_told(game)}.")


def _told(game: Game) -> str:
    """Who is told, in words: in a quiet game the masters alone, unless the board shows it."""
    everybody = shown_to(None, game).changes or corrections.is_disorder_final(game)
    if everybody:
        return "all players have been notified"
    return "this is a quiet game, so only its masters have been notified"
