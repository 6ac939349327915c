"""Functions that all questions share: which game is meant, who asks, and where the title goes."""

from typing import Any

from judge.commands.core.command import CommandError
from judge.commands.core.context import CommandContext
from judge.games.core.who_is_meant import Audience, NotMeant, People, read_recipients, read_seat
from judge.games.core.who_may_see import Fact, Shown, Stage, may_see, shown_to, viewer
from judge.games.deadlines.calendar import find_zone
from judge.games.notifications.pictures import asked_for
from judge.mails.pages import titled
from judge.mails.templates import wrap
from judge.store.games import game_named, open_phase
from judge.store.seats import games_of, seats_ever, seats_in, seats_of
from judge.store.tables import Game, Phase, Seat

_FIRST = ("master", "player", "observer")


def asked_game(context: CommandContext, name: str | None, command: str) -> tuple[Game, Phase | None]:
    """The named game, else the one signed on to, else the sender's only game; and its open phase. Raises CommandError.

    If the answer is not yet about a game, it is now about this one.
    """
    game = game_named(context.session, name) if name else context.game
    if name and not game:
        raise CommandError(f'There is no game "{name}" here. LIST shows the games.')
    if not game:
        mine = games_of(context.session, context.person)
        if len(mine) != 1:
            yours = f" You are in {', '.join(one.name for one in mine)}." if mine else ""
            raise CommandError(f"Which game? Write {command} <game>; LIST shows the games.{yours}")
        game = mine[0]
    phase = context.phase if context.game is game else open_phase(context.session, game)
    if not context.answer.game:
        context.answer.game, context.answer.phase = game, phase
    return game, phase


def seat_in(context: CommandContext, game: Game) -> Seat | None:
    """The sender's seat in `game`: the one signed on to, else one found by address; a master's before a player's.

    The address is enough for a question, since the answer goes to that address.
    """
    if context.seat and context.game is game:
        return context.seat
    return min(seats_in(context.session, game, context.person), key=lambda seat: _FIRST.index(seat.role), default=None)


def power_meant(context: CommandContext, text: str, command: str) -> str:
    """Return the power, or group, that `text` names; raise CommandError with how to write the command."""
    try:
        return read_seat(context.variant, text, People(context.session, context.the_game, context.seat))
    except NotMeant as unread:
        raise CommandError(unread.told(f"{command} {{}}")) from None


def recipients_meant(context: CommandContext, text: str) -> Audience:
    """Return whom `text` names; raise NotMeant."""
    return read_recipients(context.variant, text, People(context.session, context.the_game, context.the_seat))


def zone_meant(text: str, command: str) -> str:
    """Return the time zone that `text` names; raise CommandError with how to write the command."""
    zone, hint = find_zone(text)
    if not zone:
        raise CommandError(f'"{text}" is not a time zone.{hint} Write {command} Europe/Berlin.')
    return zone


def own_seats(context: CommandContext, game: Game) -> list[Seat]:
    """The seats in `game` that the sender holds or has held.

    If another person gets a copy of the answer, only the seat signed on to. Raises CommandError for a master who acts
    for a power: neither of the two may read what the other got.
    """
    here = context.seat if context.game is game else None
    if here and context.acting:
        raise CommandError("Ask for press in a separate email: while you act for a power, its player gets a copy.")
    if here and context.answer.copy_to:
        return [here]
    return list(seats_ever(context.session, game, context.person)) if context.person else []


def shown_in(context: CommandContext, game: Game) -> Shown:
    """What the sender may see of the people in `game`."""
    return shown_to(seat_in(context, game), game)


def sees(context: CommandContext, game: Game, fact: Fact, power: str = "", stage: Stage = "open") -> bool:
    """Return whether all who read the answer may see this fact about `power`, "" for all powers but their own."""
    if context.game is game and context.seat:
        return context.sees(fact, stage, power)
    mine = seats_in(context.session, game, context.person)
    return may_see(viewer(mine, seats_of(context.session, game)), game, fact, stage, power)


def tell(context: CommandContext, title: str, template: str, **template_values: object) -> None:
    """Answer a question with a text made from `template`."""
    tell_text(context, title, context.services.post.written(template, context.zone, context.now, template_values))


def tell_text(context: CommandContext, title: str, text: str, headed: bool = False) -> None:
    """Answer with `text`: its title is the verdict, or stands above the text if the verdict is about a sign-on.

    `headed`: programs read this text; its heading stands above the verdict.
    """
    if context.game:
        context.add_text(titled(wrap(title), text))
        return
    context.answer.is_question = not context.answer.verdict
    context.title(title)
    context.answer.headed = headed
    if text:
        context.add_text(text)


def show(
    context: CommandContext, game: Game, shown: dict[str, Any] | None, svg: bool = False, part: str = ""
) -> None:
    """Send a picture of that scene of `game`, or of that part of it, with the answer; a mail has room for one."""
    if any(answer.picture_id and not answer.shows_orders for answer in context.all_answers):
        context.note("an email has room for one map only: ask for this one in a separate email.")
        return
    for answer in context.all_answers:
        answer.picture_id, answer.shows_orders = None, False
    context.answer.picture_id = asked_for(context.work, shown, seat_in(context, game), svg, part)
