"""How a person's mails are, in all games: pages and data beside texts, deadlines for a calendar, news once a day."""


from judge.commands.core.command import SEATED, Call, Family
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.games.deadlines.dates import DateError, read_clock
from judge.games.notifications.game_mails import data_now
from judge.games.notifications.notices import due_now
from judge.mails.calendar_entry import Due
from judge.store.tables import Person

_SWITCH = {"arguments": "ON | OFF", "pattern": r"\s+(?P<how>ON|OFF)"}
command = Family("registration", who=SEATED, of_seat=True, personal=True)


@command(
    "SET HTML", **_SWITCH,
    help="OFF: your mails are plain text, and pictures are attached; ON: they have a page (HTML) too",
)
def set_html(context: CommandContext, call: Call, how: str) -> None:
    """SET HTML ON | OFF: whether your mails, of all games, have pages beside their texts."""
    on = _switched(context, "html", how)
    pages, text = "have a page (HTML) beside their text", "are text alone, with pictures attached,"
    context.note(call, f"your mails {pages if on else text} from now on.")


@command(
    "SET CALENDAR", **_SWITCH,
    help="ON: mails that tell a deadline bring it as an entry for your calendar (.ics), which moves with it",
)
def set_calendar(context: CommandContext, call: Call, how: str) -> None:
    """SET CALENDAR ON | OFF: whether your mails, of all games, bring the deadlines as entries for a calendar."""
    game = context.the_game
    if not _switched(context, "calendar", how):
        context.answer.due = Due("", context.now, cancelled=True)
        context.note(call, f"your mails bring no more entries for a calendar; this one takes away that of {game.name}.")
        return
    context.answer.due = due_now(context.work, game, context.phase)
    this = f" This one brings that of {game.name}, other games follow." if context.answer.due else ""
    context.note(call, f"mails that tell a deadline bring it as an entry for your calendar from now on.{this}")


@command(
    "SET DATA", topics=("registration", "data"), **_SWITCH,
    help="ON: results and the start of a game bring the phase as JSON, too, for programs (HELP data)",
)
def set_data(context: CommandContext, call: Call, how: str) -> None:
    """SET DATA ON | OFF: whether your mails that tell a phase, of all games, bring it as JSON too."""
    game = context.the_game
    if not _switched(context, "data", how):
        context.note(call, "your mails bring no more data.")
        return
    if context.phase and not context.phase.processed_at:
        context.answer.data = data_now(game, [context.the_seat], context.phase).for_reader([context.the_seat])
    this = f" This one brings {game.name} as it stands." if context.answer.data else ""
    context.note(call, f"results and the start of a game bring the phase as JSON, too, from now on.{this}")


@command(
    "SET THREADS", **_SWITCH,
    help="ON: your mails about a game all have one subject, so that Gmail shows them as one conversation",
)
def set_threads(context: CommandContext, call: Call, how: str) -> None:
    """SET THREADS ON | OFF: whether your mails about a game all have one subject."""
    on = _switched(context, "threads", how)
    one = "all mails about a game have one subject from now on, so that mail programs show them as one conversation."
    context.note(call, one if on else "the subject of a mail tells what it is about from now on.")


@command(
    "SET DIGEST", arguments="<hour:minute> | OFF",
    pattern=r"\s+(?P<moment>OFF|NOON|MIDNIGHT|\d{1,2}(?:[:.]\d\d)?(?:\s?[AP]\.?M\.?)?)",
    help="07:00: news that ask nothing of you, of all games, in one mail a day at that time; OFF: at once",
)
def set_digest(context: CommandContext, call: Call, moment: str) -> None:
    """SET DIGEST <hour:minute> | OFF: news that ask nothing of you, of all games, in one mail a day."""
    person = _holder(context)
    if moment.upper() == "OFF":
        person.digest = None
        context.note(call, "news come at once from now on.")
        return
    try:
        person.digest = read_clock(moment)
    except DateError:
        raise CommandError(f'"{moment}" is no time of a day. Write SET DIGEST 07:00, or SET DIGEST OFF.') from None
    at = f"{person.digest // 60:02}:{person.digest % 60:02} ({person.zone})"
    daily = f"news that ask nothing of you come in one mail a day, at {at}. Whatever waits for you comes at once."
    context.note(call, daily)


def _holder(context: CommandContext) -> Person:
    """The person in the seat that is signed on; what is set in this row is stored with the letter."""
    return context.session.get_one(Person, context.the_seat.person_id)


def _switched(context: CommandContext, setting: str, how: str) -> bool:
    """Turn a setting of the person who is signed on ON or OFF; returns whether it is on."""
    setattr(_holder(context), setting, how.upper() == "ON")
    return how.upper() == "ON"
