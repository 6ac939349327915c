"""SIGNON to a power that nobody plays: its old player comes back, or a new one takes it (HELP registration)."""

from dataclasses import dataclass
from datetime import timedelta

from judge.commands.core.command import Call
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.core.who_is_meant import NotMeant, People, read_seat
from judge.games.core.who_may_see import limits_told, may_have_seen
from judge.games.life import applications, membership
from judge.games.life.applications import Entrant
from judge.games.people import open_seats
from judge.store.rows import id_of
from judge.store.seats import left_seat, seats_of
from judge.store.sent_mails import mails_since
from judge.store.states import Role
from judge.store.tables import Game, Person, Phase, Seat

# How many requests to join are mailed to one master in an hour.
MOST_REQUESTS = 20
_HOUR = timedelta(hours=1)
# Who signs on without a power.
ROLES = ("m", "master", "o", "observer")


@dataclass(frozen=True)
class Vacancy:
    """A power of a game that nobody plays, in the open phase."""

    game: Game
    phase: Phase
    power: str


def named_power(context: CommandContext, game: Game, who: str) -> str:
    """The power that a sign-on names; raises CommandError."""
    try:
        return read_seat(variant_of(game), who, People(context.session, game, None))
    except NotMeant as unread:
        unread.instead = [variant_of(game).seat(one).at(game.name) for one in unread.instead]
        raise CommandError(unread.told("SIGNON {} <password>")) from None


def vacancy(context: CommandContext, game: Game, phase: Phase | None, who: str) -> Vacancy | None:
    """The power that `who` names, if nobody plays it and it is still in the game. Raises CommandError."""
    if not phase or who.lower() in ROLES:
        return None
    power = named_power(context, game, who)
    if power in settings_of(game).disorder:
        raise CommandError(f"{power} is in civil disorder for good in game {game.name}: nobody can play it.")
    return Vacancy(game, phase, power) if power in open_seats.vacant(context.session, game, phase) else None


def returning(context: CommandContext, call: Call, vacancy: Vacancy, password: str) -> bool:
    """Sign the old player of that power on, if the password is theirs."""
    game, phase, power = vacancy.game, vacancy.phase, vacancy.power
    seat = left_seat(context.session, game, power)
    if not seat or not context.fits(password, seat):
        return False
    _refuse_who_saw(context, vacancy, seat.person_id)
    membership.come_back(context.work, game, seat, context.letter.sender)
    context.sign_on(game, phase, seat)
    context.note(call, f"you play {power} in game {game.name} again.")
    tell_limits(context, game, seat.person_id)
    return True


def newcomer(context: CommandContext, call: Call, vacancy: Vacancy, person: Person, password: str) -> None:
    """Sign `person` on as the new player of that power, whose password this becomes."""
    game, phase, power = vacancy.game, vacancy.phase, vacancy.power
    _refuse(context, game, power, person)
    _refuse_who_saw(context, vacancy, id_of(person))
    kept = context.new_password(password)
    if applications.decided_by_master(context.session, game, person):
        ask(context, game, person, kept, power)
        return
    seat = membership.take_over(context.work, game, phase, power, Entrant(person, context.letter.sender, kept))
    context.sign_on(game, phase, seat)
    how = "" if context.waited else ", with this password"
    context.note(call, f"you play {power} in game {game.name} from now on{how}; WAIT is set for you.")
    tell_limits(context, game, id_of(person))


def tell_limits(context: CommandContext, game: Game, person_id: int) -> None:
    """Tell a master who plays from now on what they do not see any more."""
    if told := limits_told(game, seats_of(context.session, game), person_id):
        context.answer.texts.append(told)


def ask(
    context: CommandContext, game: Game, person: Person, password: str, power: str | None = None, role: Role = "player"
) -> None:
    """`person` would like to play (`power`, if the game has begun), or to observe: ask the master to decide.

    Raises CommandError if the master has been asked too often: by anybody in as many names as they like.
    """
    asked = [seat.address for seat in seats_of(context.session, game) if seat.role == "master"]
    since = context.now - _HOUR
    if any(mails_since(context.session, to, "application", since) >= MOST_REQUESTS for to in asked):
        raise CommandError(f"The master of game {game.name} has been asked by many people just now: ask in an hour.")
    applications.apply(context.work, game, Entrant(person, context.letter.sender, password), power, role)
    context.answer.game = game
    wish, what = (f"play {power} in" if power else "join"), "joins"
    if role == "observer":
        wish, what = "observe", "observes it"
    context.answer.settle(
        f"The master of game {game.name} decides who {what}. Your request to {wish} it is passed on, and you get a "
        "mail with the decision."
    )


def _refuse(context: CommandContext, game: Game, power: str, person: Person) -> None:
    """Refuse a person who plays another power, or who was the last player of this one and resigned.

    If powers are played in groups, one person may hold several (rulings, "Several powers in one hand" 3).
    """
    variant, mine = variant_of(game), _played(context, game, person)
    if mine and not variant.groups:
        own = variant.seat_named[mine.power or ""].at(game.name)
        raise CommandError(
            f"You play {mine.power} in game {game.name}: write SIGNON {own} <password>. Nobody plays "
            f"{power} at the moment."
        )
    left = left_seat(context.session, game, power)
    if left and left.person_id == person.id and not left.password:
        raise CommandError(f"You have left {power} in game {game.name}; another player may take it now.")


def _refuse_who_saw(context: CommandContext, vacancy: Vacancy, person_id: int) -> None:
    """Refuse a master who did not play until now: they could look at others' orders and order against them in the same
    phase.
    """
    game, phase, power = vacancy.game, vacancy.phase, vacancy.power
    if may_have_seen(context.session, game, phase, power, person_id):
        raise CommandError(
            f"You are the master of game {game.name} and could see what others have on file for {phase.name}, so you "
            f"cannot begin to play {power} in this phase. Sign on when the next phase has opened, before others have "
            f"ordered. Until then CORRECT ORDERS {power}: <order> gives its orders."
        )


def _played(context: CommandContext, game: Game, person: Person) -> Seat | None:
    seats = seats_of(context.session, game)
    return next((seat for seat in seats if seat.power and seat.person_id == person.id), None)
