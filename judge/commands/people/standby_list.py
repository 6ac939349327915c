"""STANDBY: people who wish to be asked when a seat in some game is open."""

from judge.commands.core.command import Call, Family, Place, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.proofs import Right

command = Family("registration", who=Who.REGISTERED, place=Place.LOBBY, lasting=True)


@command("STANDBY", "STAND BY", "SET STANDBY", help="get a mail when a seat in a game is open")
def stand_by(context: CommandContext, call: Call) -> None:
    """STANDBY: be asked by mail when a seat is open."""
    context.registered()
    set_standby(context, True)


@command("NO STANDBY", "NOSTANDBY", "SET NO STANDBY", who=Who.ANYBODY, help="get no more such mails")
def stand_down(context: CommandContext, call: Call) -> None:
    """NO STANDBY: be asked no more."""
    if context.person and context.person.standby_since and not context.letter_context.may(Right.DATA):
        context.wait("are not on the standby list any more", {"standby": False})
    else:
        set_standby(context, False)


def set_standby(context: CommandContext, stands: bool) -> None:
    """Put the sender on the standby list, or take them off it."""
    if context.person:
        context.person.standby_since = (context.person.standby_since or context.now) if stands else None
        context.session.add(context.person)
    if stands:
        context.title("You are on the standby list: when a seat is open, you get a mail.")
    else:
        context.title("You are not on the standby list.")
