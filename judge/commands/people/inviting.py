"""INVITE: a game is made known to people who may not know the judge; NO INVITATIONS: to some of them never again."""

import re

from judge.addresses import address_in
from judge.commands.core.command import CommandError, Family, Place, When, Who
from judge.commands.core.context import CommandContext
from judge.games.life import invitations
from judge.rules.board.names import listed

command = Family("registration", who=Who.PLAYER | Who.MASTER, when=When.FORMING, of_seat=True, personal=True)


@command(
    "INVITE <addresses>", lasting=True,
    help="invite these people to a forming game, in an email of the judge's; three a day, and each only once",
)  # fmt: skip
def invite(context: CommandContext, addresses: str) -> None:
    """INVITE <addresses>: each is mailed how to join the game, in the judge's words alone."""
    here = context.seat
    game, seat = here.game, here.row
    if seat.joined_at >= context.work.now:
        raise CommandError("Send INVITE in another email, after SIGNON with your password.")
    told = []
    for word in dict.fromkeys(re.split(r"[\s,;]+", addresses)):
        address = address_in(word)
        if not address:
            raise CommandError(f'"{word}" is not an address. Write INVITE jo@example.org al@example.org.')
        if why := invitations.invite(context.work, game, seat, address):
            context.remark(f"{address} was not invited: {why}.")
        else:
            told.append(address)
    if told:
        context.settle(f"Invited to {game.name}: {listed(told)}.")


refusing = Family("registration", who=Who.ANYBODY, place=Place.LOBBY)


@refusing("NO INVITATIONS", "NO INVITATION", "NO INVITES", help="never get an invitation to a game again (INVITE)")
def no_invitations(context: CommandContext) -> str:
    """NO INVITATIONS: for ever."""
    invitations.refuse(context.work, context.letter.sender)
    return f"{context.letter.sender} will never get an invitation again."
