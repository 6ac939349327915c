"""Commands that invite people to a game, INVITE for any address and REMATCH for the players of an ended game.

NO INVITATIONS stops these emails, until INVITATIONS is sent.
"""

import re

from judge.addresses import address_in
from judge.commands.core.command import CommandError, Family, Place, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import ruler
from judge.commands.core.permissions import refuse_unnamed
from judge.commands.people.joining import refuse_more_games
from judge.commands.people.signon import whole
from judge.games.life import invitations
from judge.rules import listed
from judge.store.tables import Person

command = Family("registration", who=Who.PLAYER | Who.MASTER, when=When.FORMING, of_seat=True, personal=True)


@command(
    "INVITE <addresses>", lasting=True,
    help="invite these people to a forming game, in an email from the judge: three people a day, and each only once",
)  # fmt: skip
def invite(context: CommandContext, addresses: str) -> None:
    """Mail each address an invitation to the game, without any text by the sender."""
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


@command(
    "REMATCH", reads="[<game>]", lasting=True, when=When.ENDED, act="REMATCH",
    help="after the end: create a new game like it, and ask all who played to the end to join; everyone gets another "
    "power where possible",
)  # fmt: skip
@whole
def rematch(context: CommandContext, game: str | None) -> None:
    """Create a new game with other powers, and ask the people of the ended game, once, to join it."""
    refuse_unnamed(context, game)
    old, seat = context.seat.game, context.seat.row
    if why := invitations.why_no_rematch(context.work, old, seat):
        raise CommandError(why)
    refuse_more_games(context, context.session.get_one(Person, seat.person_id))
    new, taken = invitations.rematch(context.work, old, seat, ruler(context))
    new.proved = context.letter.proves_sender
    role = {"master": "M", "player": "?"}[taken.role]
    context.settle(
        f"{new.name} has been created. Those who played {old.name} to the end have been asked to join it, except those "
        f"who want no invitations. Sign on with SIGNON {role}{new.name} and your password for {old.name}."
    )


answering = Family("registration", who=Who.ANYBODY, place=Place.LOBBY)


@answering("NO INVITATIONS", "NO INVITATION", "NO INVITES", help="get no more invitations to games (INVITE)")
def no_invitations(context: CommandContext) -> str:
    """Mail no more invitations to the sender's address, until it sends INVITATIONS."""
    invitations.refuse(context.work, context.letter.sender)
    return f"{context.letter.sender} will get no more invitations. To get them again, send INVITATIONS."


@answering("INVITATIONS", help="get invitations to games again, after NO INVITATIONS")
def wants_invitations(context: CommandContext) -> str:
    """Mail invitations to the sender's address again."""
    invitations.accept(context.work, context.letter.sender)
    return f"{context.letter.sender} can get invitations to games. To get none, send NO INVITATIONS."
