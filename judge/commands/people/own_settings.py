"""Settings of people for themselves, such as password, address, time zone and forms of emails, and leaving a game."""

import re
from functools import partial

from judge.commands.core.command import SEATED, CommandError, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import UNCHANGED, keep
from judge.commands.core.permissions import refuse_unnamed
from judge.games.core.board import board, variant_of
from judge.games.core.setting_fields import OFF
from judge.games.deadlines.dates import read_clock
from judge.games.life import membership
from judge.games.life.forming import had_before
from judge.games.life.membership import Left, leave
from judge.games.life.power_assignment import in_letters, in_words
from judge.games.notifications.game_data import phase_data
from judge.games.notifications.gathering import OPTIONAL, due_now
from judge.games.notifications.notices import lost
from judge.games.people import mail_trouble
from judge.mails.mail_writer import Due
from judge.rules import listed
from judge.store.people import person_at
from judge.store.seats import seats_of
from judge.store.tables import Person

_LEAST_LETTERS = 4
# A word between the wanted and the unwanted kinds of notices.
_BUT = re.compile(r"\b(?:BUT|EXCEPT|WITHOUT|NOT|NO)\b", re.IGNORECASE)
# The name of a kind of notices.
_KIND = re.compile(r"(?!AND\b|ONLY\b)\b\w+", re.IGNORECASE)
_WORDS = {word: kind for kind in ("all", "results", *OPTIONAL) for word in (kind, kind.removesuffix("s"))}
_WORDS |= dict.fromkeys(("on", "default"), "all")
command = Family("registration", who=SEATED, of_seat=True, personal=True)


@command(
    "SET PASSWORD <password>", "SET PW", "SET P", "PASSWORD", lasting=True,
    help="change your password for this game",
)  # fmt: skip
def set_password(context: CommandContext, password: str) -> None:
    """Change the password of the seat signed on to, which the judge never shows in an email."""
    if len(password) < _LEAST_LETTERS:
        raise CommandError(f"A password needs at least {_LEAST_LETTERS} characters.")
    kept = new_password(context, password)
    keep(context, context.seat.row, "your password for this game has been changed.", password=kept)


def new_password(context: CommandContext, chosen: str | None) -> str:
    """Return the hash of a new password, to be stored. Raises TooManyPasswords or SlowWork.

    The judge makes the password if the letter gives no password, or had to be confirmed by its sender. The reply shows
    such a password once.
    """
    work, row, reply, texts = context.work, context.letter.row, context.reply, context.answer.texts
    if chosen and not context.letter.waited:
        return work.services.passwords.keep_chosen(chosen, row.id, row.fingerprint)
    secret = reply.secret = reply.secret or work.draws.word("password")
    unused = (
        " The password in your first email was not used, because anyone could have sent that email." if chosen else ""
    )
    told = f"Your password is {secret}: keep this email, the password will not be sent again.{unused}"
    if told not in texts:
        texts.append(told)
    return work.services.passwords.keep_generated(secret)


@command(
    "SET ADDRESS [<address>]", "SET AD", "ADDRESS",
    lasting=True, help="where emails about this game go: one of your addresses; without one, the address you write "
    "from",
)  # fmt: skip
def set_address(context: CommandContext, address: str | None) -> None:
    """Send the game's emails to this address, which must be one of the person's own."""
    game, seat = context.seat.game, context.seat.row
    address = address or context.letter.sender
    owner = person_at(context.session, address)
    if owner is None or owner.id != seat.person_id:
        raise CommandError(
            f"Nothing was changed, because {address} is not one of your addresses. Write from your registered address."
        )
    held = mail_trouble.follow(context.work, game, seat.address, address)
    says = f"emails about {game.name} will go to {address} from now on{held}."
    keep(context, seat, says, says if held else UNCHANGED, address=address)


@command(
    "SET ZONE <zone>", "SET TIMEZONE", "ZONE",
    help="the time zone of your emails, like Europe/Berlin",
)  # fmt: skip
def set_zone(context: CommandContext, zone: str) -> None:
    """Set the time zone in which the sender's emails show times."""
    keep(context, _holder(context), f"times will be shown in {zone} from now on.", zone=zone)


@command(
    "SET PREFERENCE <preferred powers>", "SET PREF", "PREFERENCE", "PREF",
    who=Who.PLAYER, when=When.FORMING, of_seat=False,
    help="the powers (or colors) you would like, best first, by letters or names: EFG, E[FGR]T (in brackets: equally "
    "good), Italy France, * (any)",
)  # fmt: skip
def set_preference(context: CommandContext, preference: str) -> None:
    """Store the sender's preferred powers (EFG, E[FGR]T, Violet Blue or *) before the game begins."""
    assert context.answer.game
    variant, wisher = variant_of(context.answer.game), context.application or context.seat.row
    letters, said = in_letters(variant, preference), in_words(variant, preference)
    had = had_before(context.answer.game, wisher.person_id)
    last = f" You had {listed(had)} in the earlier game, so that comes last." if had else ""
    keep(context, wisher, f"preference saved: {said}.{last}", preference=letters)


@command(
    "RESIGN <game>",
    "WITHDRAW",
    reads="[<game>]",
    who=SEATED,
    lasting=True,
    help="leave the game permanently; orders already in are kept; a master steps down",
)
def resign(context: CommandContext, game: str | None) -> str:
    """Leave the game, or step down as master. Orders stay on file, and another player can take over the power."""
    refuse_unnamed(context, game)
    if why := membership.why_master_stays(context.session, context.seat.game, context.seat.row):
        raise CommandError(why)
    return _leave(context)


def _leave(context: CommandContext) -> str:
    """Leave the game, and notify the seat's player who sent the letter, if it was another person."""
    letter = context.letter
    game, seat = context.seat.game, context.seat.row
    why = f"an email from {letter.sender} with your password resigned for you"
    who = f"{seat.power or f'The {seat.role}'} has"
    if letter.is_from(seat):
        # Observers who leave by their own letter need no email besides the reply.
        who, why = "You have", "" if seat.role == "observer" else "you have resigned"
    leave(context.work, game, Left(seat, why))
    stays = any(one.person_id == seat.person_id for one in seats_of(context.session, game))
    return f"{lost(game, seat)}." if stays and letter.is_from(seat) else f"{who} left {game.name}."


def leave_at_end(context: CommandContext) -> None:
    """Leave the game after a block that begins with RESIGN, if none of its lines was refused."""
    here = context.seat
    game, seat = here.game, here.row
    if not here.resigns or seat.left_at:
        return
    if context.answer.errors:
        context.answer.foremost.append(f"You have not left {game.name}, because something after RESIGN was rejected.")
    elif why := membership.why_master_stays(context.session, game, seat):
        context.answer.foremost.append(f"You have not left {game.name}. {why}")
    else:
        context.settle(_leave(context))


def set_kind_of_mails(context: CommandContext, how: str, *, name: str, says: tuple[str, ...]) -> None:
    """Switch a form of the sender's emails on or off in all games, such as HTML, CALENDAR, DATA or THREADS.

    `name` is the field of `Person`. `says` has the sentences for on and for off, and one for a reply that already has
    this form.
    """
    here = context.seat
    answer, phase, game, person = context.answer, here.phase, here.game, _holder(context)
    is_on = how.upper() == "ON"
    if name == "calendar" and (is_on or person.calendar):
        answer.due = due_now(context.work, game, phase) if is_on else Due("", context.work.now, cancelled=True)
    elif name == "data" and is_on and phase and not phase.processed_at:
        mine = [here.row]
        answer.data = [phase_data(game, mine, board(game, phase), phase)(mine)]
    on, off, now = says
    comes = now.format(game=game.name) * (is_on and bool(answer.due if name == "calendar" else answer.data))
    keep(context, person, on + comes if is_on else off.format(game=game.name), UNCHANGED + comes, **{name: is_on})


for _name, _names, _on, _off, _now, _help, _topics in (
    (
        "html", ["SET HTML ON | OFF"],
        "HTML on: your emails will have an HTML version as well as the text.",
        "HTML off: your emails will be plain text with maps as attachments.", "",
        "OFF: your emails are plain text, with maps attached; ON: they also have an HTML version", ("registration",),
    ),
    (
        "calendar", ["SET CALENDAR ON | OFF"],
        "Calendar on: emails that announce a deadline will include a calendar entry (.ics).",
        "Calendar off: emails will no longer have calendar entries. This one removes the entry for {game}.",
        " The entry for {game} is attached. Other games follow.",
        "ON: emails that announce a deadline include a calendar entry (.ics), which moves with it", ("registration",),
    ),
    (
        "data", ["SET DATA ON | OFF"],
        "Data on: start and results emails will include the phase as a JSON file.",
        "Data off: your emails will have no JSON files.", " The current phase of {game} is attached.",
        "ON: start and results emails include the phase as a JSON file, for programs (HELP data)",
        ("registration", "data"),
    ),
    (
        "threads", ["SET THREADS ON | OFF"],
        "Threads on: all emails about a game will have the same subject, so mail programs show them as one "
        "conversation.", "Threads off: the subject will say what each email is about.", "",
        "ON: all emails about a game have the same subject, so Gmail shows them as one conversation", ("registration",),
    ),
    (
        "checks", ["SET CHECK ON | OFF", "SET CHECKS"],
        "Check on: confirmations point out orders that do not fit together.",
        "Check off: confirmations no longer point out orders that do not fit together.", "",
        "whether confirmations point out orders of yours that do not fit together",
        ("registration", "orders"),
    ),
    (
        "public_name", ["SET PUBLIC NAME ON | OFF"],
        "your name may appear on this judge's public pages, in games that show names to strangers.",
        "your name will not appear on this judge's public pages.", "",
        "whether your name may appear on the public pages of your games (OFF unless you say so)", ("registration",),
    ),
):  # fmt: skip
    command.add(
        *_names, help=_help,
        handler=partial(set_kind_of_mails, name=_name, says=(_on, _off, _now)), topics=_topics,
    )  # fmt: skip


@command(
    "SET DIGEST <hour:minute> | OFF",
    help="07:00: routine news of all your games in one email a day, at that time; OFF: at once",
)
def set_digest(context: CommandContext, moment: str | None) -> None:
    """Mail routine news of all games together, once a day at this time, or each item immediately without a time."""
    person = _holder(context)
    if not moment:
        keep(context, person, "Digest off: news will come at once.", digest=None)
        return
    try:
        minutes = read_clock(moment)
    except ValueError:
        raise CommandError(f'"{moment}" is not a time of day. Write SET DIGEST 07:00, or SET DIGEST OFF.') from None
    at = f"{minutes // 60:02}:{minutes % 60:02} ({person.zone})"
    daily = (
        f"Digest on: routine news will come in one email a day, at {at}. Anything that needs you still comes at once."
    )
    keep(context, person, daily, digest=minutes)


@command(
    "SET NOTICES [<kinds>]", "SET NOTICE",
    help="RESULTS, PRESS, REMINDERS, NEWS (who joins, leaves, is late or away), ALL, or ALL BUT some: which emails you "
    "get about your games; results and essential notices always come; without kinds: show your choice",
)  # fmt: skip
def set_notices(context: CommandContext, kinds: str | None) -> None:
    """Set which kinds of notices the sender gets, in all games."""
    person = _holder(context)
    unwanted = _unwanted(kinds) if kinds else person.unwanted
    wanted = [kind for kind in OPTIONAL if kind not in unwanted]
    told = f"in all games you get {listed(['results', *wanted, 'essential notices'])}."
    if unwanted:
        told += f" To get {listed(unwanted)} again, send SET NOTICES ALL."
        is_master = context.seat.row.role == "master"
        told += f" As a master of {context.seat.game.name} you get everything about that game." * is_master
    keep(context, person, told, told, unwanted=unwanted)


def _unwanted(text: str) -> list[str]:
    """Return the kinds of notices that this text does not want, or raise CommandError for an unknown kind."""
    if text.upper() in OFF:
        return [*OPTIONAL]
    *kinds, last = text.split(" ")
    wanted, *left_out = _BUT.split(f"NO {' '.join(kinds)}" if last.upper() == "OFF" else text)
    named, others = _named(wanted), _named(" ".join(left_out))
    whole = not named or "all" in named
    return [kind for kind in OPTIONAL if kind in others or not (whole or kind in named)]


def _named(text: str) -> set[str]:
    """Return the kinds of notices that this text names, including "all", or raise CommandError for an unknown kind."""
    words = _KIND.findall(text)
    if unknown := [word for word in words if word.lower() not in _WORDS]:
        raise CommandError(
            f'"{unknown[0]}" is not a kind of notice. List the kinds that you want, as in SET NOTICES RESULTS PRESS '
            "REMINDERS NEWS."
        )
    return {_WORDS[word.lower()] for word in words}


def _holder(context: CommandContext) -> Person:
    """Return the person whose seat the sender has signed on to."""
    return context.session.get_one(Person, context.seat.row.person_id)
