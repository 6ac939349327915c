"""What the master (GM) of a game may do with its seats: who has one, and writing as who has one."""

from judge.addresses import address_in
from judge.desk.core.changes import masters_of, tell_changes, why_ejected
from judge.desk.core.command import POWER, Call, Family, When, Who
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.games.core import masters
from judge.games.core.board import variant_of
from judge.games.core.passwords import generate
from judge.games.core.who_is_meant import NotMeant, People, read_seat
from judge.games.core.who_may_see import PLAYS_TOO, hides_people, limits_told
from judge.games.life import leaving
from judge.games.telling import notices
from judge.mails.post import Notice
from judge.store.seats import seats_of
from judge.store.tables import Game, Person, Seat

command = Family("master", who=Who.RULER, when=When.LIVING, lasting=True)


@command(
    "EJECT", arguments="<power> | <address>", pattern=rf"\s+(?P<whom>{POWER}|[^\s@]+@\S+)",
    help="take a player's seat away",
)
def eject(visit: Visit, call: Call, whom: str) -> None:
    """EJECT <power> or <address>: take a player's seat away; the power is open to others."""
    game = visit.the_game
    _refuse_players(visit, game, "EJECT")  # before it is told who is in the game
    seat = _seat_named(visit, whom, "EJECT")
    if seat.role == "master" and hides_people(game) and len(masters_of(visit, game)) == 1:
        raise CommandError("A gunboat game always needs a master: PROMOTE another one first.")
    if masters.is_last_needed(visit.session, game, seat):
        raise CommandError(f"Game {game.name} has Diplomacy Points, so it needs its master. PROMOTE another one first.")
    if seat.role == "player" and seat.power:
        # Everybody is told at the end of the block, or that the power is in civil disorder, if that follows.
        leaving.vacate(visit.turn, game, seat)
        visit.ejected.append(seat)
    else:
        leaving.leave(visit.turn, game, seat, why_ejected(visit, seat))
    visit.answer.settle(f"{seat.power or seat.address} is no longer in game {game.name}.")


@command(
    "PROMOTE", arguments="<address>", pattern=r"\s+(?P<whom>[^\s@]+@\S+)",
    help="make an observer a second master",
)
def promote(visit: Visit, call: Call, whom: str) -> None:
    """PROMOTE <address>: an observer becomes a master beside you; the password goes to that address alone."""
    game = visit.the_game
    _refuse_players(visit, game, "PROMOTE")
    seat = _seat_named(visit, whom, "PROMOTE")
    if seat.role != "observer":
        raise CommandError(f"{whom} is not an observer of game {game.name}; only observers can be promoted.")
    make_master(visit, game, seat)
    visit.answer.settle(f"{seat.address} is now a master of game {game.name}.")


def _refuse_players(visit: Visit, game: Game, command: str) -> None:
    """Where a game has a master, who takes part in it is theirs to decide, also where it is not moderated: a player
    could have a friend made master, who sees all orders.
    """
    if visit.seat and visit.seat.role == "player" and masters_of(visit, game):
        raise CommandError(f"{command} is for the master of the game: sign on with SIGNON M{game.name} <password>.")


def make_master(visit: Visit, game: Game, seat: Seat) -> None:
    """An observer's seat becomes a master's; the people who are told who comes are told."""
    seat.role = "master"
    _give_password(visit, game, seat)
    # The names of masters are shown to anybody, addresses of observers to nobody.
    name = visit.session.get_one(Person, seat.person_id).name
    text = f"{name} is now a master of game {game.name} too."
    notices.tell_comings(visit.turn, game, f"Promotion of {name}", text)


def _give_password(visit: Visit, game: Game, seat: Seat) -> None:
    """Give the new master a password: an address, which can be forged, is enough for an observer but not for a
    master.
    """
    word = generate(visit.office.dice)
    seat.password = visit.office.passwords.keep_generated(word)
    visit.session.add(seat)
    blind = limits_told(game, seats_of(visit.session, game), seat.person_id)
    body = visit.office.post.render("promoted", visit.office.settings.zone, game=game, password=word, blind=blind)
    notice = Notice(
        to=seat.address,
        kind="promoted",
        subject="You are a master",
        body=body,
        game=game,
        secret=word,
    )
    visit.turn.mail(notice)


@command(
    "BECOME", arguments="<power>", pattern=rf"\s+(?P<power>{POWER})", who=Who.MASTER, when=When.ANY,
    help="act as that power in the lines below",
)
def become(visit: Visit, call: Call, power: str) -> None:
    """BECOME <power>: the rest of the block acts as that power, whose player gets a copy of the answer."""
    other = _seat_named(visit, power, "BECOME")
    tell_changes(visit)
    visit.act_for(other)
    visit.note(call, f"the lines below are done as {other.power}, and {other.power} gets a copy of this answer.")
    if visit.is_blind:
        visit.answer.texts.append(f"{PLAYS_TOO}, so you are shown what this email gives, not what is on file.")


@command(
    "BECOME MASTER", who=Who.PLAYER, when=When.FORMING,
    help="the only player of a forming game becomes its master",
)
def become_master(visit: Visit, call: Call) -> None:
    """BECOME MASTER: the only player of a game that has not begun becomes its master."""
    game, seat = visit.the_game, visit.the_seat
    if any(other.id != seat.id and other.role != "observer" for other in seats_of(visit.session, game)):
        raise CommandError("Others are already in the game, so it can get no master any more.")
    seat.role = "master"
    visit.session.add(seat)
    visit.answer.settle(f"You are the master of game {game.name}; sign on with SIGNON M{game.name} <password>.")


def _seat_named(visit: Visit, whom: str, command: str) -> Seat:
    """The seat of a power or of an address in the game."""
    game = visit.the_game
    seats = seats_of(visit.session, game)
    if "@" in whom:
        found = [seat for seat in seats if seat.address == address_in(whom)]
    else:
        try:
            power = read_seat(variant_of(game), whom, People(visit.session, game, visit.seat))
        except NotMeant as unread:
            raise CommandError(unread.told(f"{command} {{}}")) from None
        found = [seat for seat in seats if seat.power == power]
    if len(found) != 1:
        raise CommandError(f"{'Nobody' if not found else 'More than one'} in game {game.name} is {whom}.")
    return found[0]
