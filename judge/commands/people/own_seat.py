"""What signed-on people may change for themselves: password, address, zone; and leaving a game."""

from judge.addresses import address_in
from judge.commands.core.command import NAMED_GAME, PASSWORD, SEATED, Call, Family, Place, Slip, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.games.core.board import variant_of
from judge.games.deadlines.calendar import find_zone
from judge.games.life.membership import leave
from judge.games.life.power_assignment import PreferenceError, in_letters, in_words
from judge.games.people import mail_trouble
from judge.store.people import person_at
from judge.store.tables import Person

_LEAST_LETTERS = 4


command = Family("registration", who=SEATED, personal=True)


@command(
    "SET PASSWORD",
    "SET PW",
    "SET P",
    "PASSWORD",
    arguments="<new>",
    pattern=rf"\s+{PASSWORD}",
    lasting=True,
    of_seat=True,
    help="a new password for this game",
)
def set_password(context: CommandContext, call: Call, password: str) -> None:
    """SET PASSWORD <new>: for this game and seat; nobody is told, and it is never repeated."""
    if len(password) < _LEAST_LETTERS:
        raise CommandError(f"A password needs {_LEAST_LETTERS} letters or more.")
    context.the_seat.password = context.new_password(password)
    context.session.add(context.the_seat)
    context.note(call, "your password for this game is changed.")


def set_words(context: CommandContext, call: Call, password: str) -> None:
    """SET PASSWORD and more words than one."""
    raise CommandError("A password is one word, so yours was not changed: write it without blanks.")


@command(
    "SET ADDRESS",
    "SET AD",
    "ADDRESS",
    arguments="[<address>]",
    pattern=r"(?:\s+(?P<address>[^\s@]+@\S+))?",
    lasting=True,
    of_seat=True,
    help="where this game's mail goes: one of your addresses, or the one you write from",
)
def set_address(context: CommandContext, call: Call, address: str | None) -> None:
    """SET ADDRESS [<address>]: where this game's mail goes; one of the person's own addresses."""
    game, seat = context.the_game, context.the_seat
    written = address or context.letter.sender
    address = address_in(written)
    owner = person_at(context.session, address)
    if owner is None or owner.id != seat.person_id:
        raise CommandError(
            f"The judge does not know {written} as your address, so nothing was changed. Write from your registered "
            "address."
        )
    held = mail_trouble.follow(context.work, game, seat.address, address)
    seat.address = address
    context.session.add(seat)
    context.note(call, f"mails about game {game.name} go to {address} from now on{held}.")


@command(
    "SET ZONE",
    "SET TIMEZONE",
    "ZONE",
    arguments="<zone>",
    pattern=r"\s+(?P<zone>\S.*?)",
    of_seat=True,
    help="the time zone of your mails, like Europe/Berlin",
)
def set_zone(context: CommandContext, call: Call, zone: str) -> None:
    """SET ZONE <zone>: the zone in which your mails show times."""
    person = context.session.get_one(Person, context.the_seat.person_id)
    known, hint = find_zone(zone)
    if not known:
        raise CommandError(f'"{zone}" is not a time zone I know.{hint} Write SET ZONE Europe/Berlin.')
    person.zone = known
    context.session.add(person)
    context.note(call, f"times are shown in {known} from now on.")


@command(
    "SET PREFERENCE",
    "SET PREF",
    "PREFERENCE",
    "PREF",
    arguments="<powers>",
    pattern=r"\s+(?P<wish>(?:(?u:[^\W\d_])|[][*,;&'’. -])+?)",
    who=Who.PLAYER,
    when=When.FORMING,
    help="the powers (or players' colours) that you would like, the best first, by letters or names: EFG, E[FGR]T "
    "(brackets: equally good), Italy France, * (any)",
)
def set_preference(context: CommandContext, call: Call, wish: str) -> None:
    """SET PREFERENCE EFG, E[FGR]T, Violet Blue or *: which powers you would like, before the game begins."""
    game, seat = context.the_game, context.the_seat
    variant = variant_of(game)
    try:
        seat.preference = in_letters(variant, wish)
    except PreferenceError as error:
        raise CommandError(str(error)) from None
    context.session.add(seat)
    context.note(call, f"your wish is noted: {in_words(variant, wish)}.")


@command(
    "RESIGN",
    "WITHDRAW",
    arguments="<game>",
    pattern=NAMED_GAME,
    who=Who.PLAYER | Who.OBSERVER,
    lasting=True,
    help="leave the game for good; orders on file stay",
)
def resign(context: CommandContext, call: Call, game: str | None) -> None:
    """RESIGN <game>: leave the game; orders on file stay, the power is open to others."""
    context.refuse_unnamed(call, game)
    leave(context.work, context.the_game, context.the_seat, _why_left(context))
    context.answer.settle(f"You have left game {context.the_game.name}.")


def _why_left(context: CommandContext) -> str:
    """What the holder of the seat is told: also who wrote, if that was not one of their own addresses. Observers who
    wrote themselves have their answer.
    """
    if context.person and context.person.id == context.the_seat.person_id:
        return "" if context.the_seat.role == "observer" else "you have resigned"
    return f"an email from {context.letter.sender}, with your password, resigned for you"


def leave_at_end(context: CommandContext) -> None:
    """RESIGN as the sign-on of a block: leave the game, if nothing in the block was refused."""
    game, seat = context.game, context.seat
    if not (context.resigns and game and seat) or seat.left_at:
        return
    if context.answer.errors:
        context.answer.foremost.append(f"You have not left game {game.name}: something below RESIGN was refused.")
    elif seat.role == "master":
        context.answer.foremost.append(
            f"A master does not resign: EJECT <your address> ends that for game {game.name}."
        )
    elif game.state == "finished":
        context.answer.settle(f"Game {game.name} has ended.")
    else:
        leave(context.work, game, seat, _why_left(context))
        context.answer.settle(f"You have left game {game.name}.")


SLIPS = (
    Slip(
        names=("SET PASSWORD", "SET PW", "SET P"),
        place=Place.GAME,
        handler=set_words,
        pattern=r"\s+(?P<password>\S+(?:\s+\S+)+)",
    ),
)
