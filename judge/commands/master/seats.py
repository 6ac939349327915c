"""What the master (GM) of a game may do with its seats: who has one, and writing as who has one."""

from judge.addresses import address_in
from judge.commands.core.changes import masters_of, tell_changes, why_ejected
from judge.commands.core.command import POWER, Call, CommandError, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.queries import power_meant
from judge.games.core.board import is_last_needed
from judge.games.core.passwords import generate
from judge.games.core.who_may_see import PLAYS_TOO, hides_people, limits_told
from judge.games.life import membership
from judge.games.notifications import notices
from judge.mails.mail_writer import Notice
from judge.store.seats import seats_of
from judge.store.tables import Game, Person, Seat

command = Family("master", who=Who.RULER, when=When.LIVING, lasting=True)


@command(
    "EJECT",
    arguments="<power> | <address>",
    pattern=rf"\s+(?P<whom>{POWER}|[^\s@]+@\S+)",
    help="remove a player from the game",
)
def eject(context: CommandContext, call: Call, whom: str) -> None:
    """EJECT <power> or <address>: take a player's seat away; the power is open to others."""
    game = context.the_game
    _refuse_players(context, game, "EJECT")  # before it is told who is in the game
    seat = _seat_named(context, whom, "EJECT")
    if seat.role == "master" and hides_people(game) and len(masters_of(context, game)) == 1:
        raise CommandError("A gunboat game always needs a master: PROMOTE another one first.")
    if is_last_needed(context.session, game, seat):
        raise CommandError(f"{game.name} has Diplomacy Points, so it needs its master. PROMOTE another one first.")
    if seat.role == "player" and seat.power:
        # All players are notified at the end of the block, or of the civil disorder if that follows.
        membership.vacate(context.work, game, seat)
        context.pending.ejected.append(seat)
    else:
        membership.leave(context.work, game, seat, why_ejected(context, seat))
    context.answer.settle(f"{seat.power or seat.address} is no longer in {game.name}.")


@command(
    "PROMOTE",
    arguments="<address>",
    pattern=r"\s+(?P<whom>[^\s@]+@\S+)",
    help="make an observer a second master",
)
def promote(context: CommandContext, call: Call, whom: str) -> None:
    """PROMOTE <address>: an observer becomes a master beside you; the password goes to that address alone."""
    game = context.the_game
    _refuse_players(context, game, "PROMOTE")
    seat = _seat_named(context, whom, "PROMOTE")
    if seat.role != "observer":
        raise CommandError(f"{whom} is not an observer of {game.name}; only observers can be promoted.")
    make_master(context, game, seat)
    context.answer.settle(f"{seat.address} is now a master of {game.name}.")


def _refuse_players(context: CommandContext, game: Game, command: str) -> None:
    """Refuse players who rule an unmoderated game: only its master decides who takes part.

    A player could have a friend made master, who sees all orders.
    """
    if context.seat and context.seat.role == "player" and masters_of(context, game):
        raise CommandError(f"{command} is for the master of the game: sign on with SIGNON M{game.name} <password>.")


def make_master(context: CommandContext, game: Game, seat: Seat) -> None:
    """An observer's seat becomes a master's; the people who are told who comes are told."""
    seat.role = "master"
    _give_password(context, game, seat)
    # Anyone may see the names of masters, no one the addresses of observers.
    name = context.session.get_one(Person, seat.person_id).name
    text = f"{name} is now a master of {game.name} too."
    notices.tell_comings(context.work, game, f"Promotion of {name}", text)


def _give_password(context: CommandContext, game: Game, seat: Seat) -> None:
    """Give the new master a password: an address, which can be forged, is enough for an observer only."""
    word = generate(context.services.dice)
    seat.password = context.services.passwords.keep_generated(word)
    context.session.add(seat)
    blind = limits_told(game, seats_of(context.session, game), seat.person_id)
    body = context.services.post.render(
        "promoted", context.services.settings.zone, game=game, password=word, blind=blind
    )
    notice = Notice(
        to=seat.address,
        kind="promoted",
        subject="You are a master",
        body=body,
        game=game,
        secret=word,
    )
    context.work.mail(notice)


@command(
    "BECOME",
    arguments="<power>",
    pattern=rf"\s+(?P<power>{POWER})",
    who=Who.MASTER,
    when=When.ANY,
    help="act as that power in the lines that follow",
)
def become(context: CommandContext, call: Call, power: str) -> None:
    """BECOME <power>: the rest of the block acts as that power, whose player gets a copy of the answer."""
    other = _seat_named(context, power, "BECOME")
    tell_changes(context)
    context.act_for(other)
    context.note(call, f"the lines after this are carried out as {other.power}, who gets a copy of this reply.")
    if context.is_blind:
        context.answer.texts.append(f"{PLAYS_TOO}, so you see only what this email contains, not what is on file.")


@command(
    "BECOME MASTER",
    who=Who.PLAYER,
    when=When.FORMING,
    help="the only player of a forming game becomes its master",
)
def become_master(context: CommandContext, call: Call) -> None:
    """BECOME MASTER: the only player of a game that has not begun becomes its master."""
    game, seat = context.the_game, context.the_seat
    if any(other.id != seat.id and other.role != "observer" for other in seats_of(context.session, game)):
        raise CommandError("Others have already joined, so the game can no longer get a master.")
    seat.role = "master"
    context.session.add(seat)
    context.answer.settle(f"You are the master of {game.name}; sign on with SIGNON M{game.name} <password>.")


def _seat_named(context: CommandContext, whom: str, command: str) -> Seat:
    """The seat of a power or of an address in the game."""
    game = context.the_game
    seats = seats_of(context.session, game)
    if "@" in whom:
        found = [seat for seat in seats if seat.address == address_in(whom)]
    else:
        power = power_meant(context, whom, command)
        found = [seat for seat in seats if seat.power == power]
    if len(found) != 1:
        raise CommandError(f"{'No one' if not found else 'More than one person'} in {game.name} is {whom}.")
    return found[0]
