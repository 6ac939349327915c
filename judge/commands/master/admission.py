"""Decide who plays a power, with APPROVE and REFUSE for applicants, and SET DISORDER for a power without a player."""

from collections.abc import Callable
from functools import partial
from typing import Any

from judge.commands.core.command import CommandError, Family, Place, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import ask_for_word, recipients_meant, ruler
from judge.games.core.board import vacant
from judge.games.core.who_is_meant import NotMeant
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.games.life import applications, corrections, membership
from judge.games.notifications import notices
from judge.rules import listed
from judge.store.seats import left_seat, open_applications, players_of, with_players
from judge.store.tables import Application, Game

command = Family("master", who=Who.MASTER, when=When.LIVING, act="APPROVE, REFUSE", lasting=True)
_BY_CODE: dict[str, Any] = {"who": Who.BEARER, "act": "", "place": Place.ANYWHERE, "when": When.ANY}


# A function that approves or refuses a request to join, and returns the verdict on the command.
_Decision = Callable[[Work, Game, Application, str], str]


def by_code(context: CommandContext, code: str, *, decide: _Decision) -> str:
    """Accept or reject the request to join that has this code in the judge's email to the master."""
    application = applications.by_word(context.work, code)
    if not application:
        raise CommandError("There is no open request with that code. That request may have been answered already.")
    return decide(context.work, context.session.get_one(Game, application.game_id), application, ruler(context))


def by_address(context: CommandContext, address: str, *, decide: _Decision) -> str:
    """Decide on the request to join from this address, after signing on as the master."""
    game = context.seat.game
    waiting = {application.address: application for application, _, _ in open_applications(context.session, game)}
    found = waiting.get(address)
    if not found:
        those = f" These players have asked: {', '.join(waiting)}." if waiting else ""
        raise CommandError(f"{address} has not asked to join {game.name}.{those}")
    return decide(context.work, game, found, ruler(context))


def by_powers(context: CommandContext, powers: str, *, decide: _Decision) -> None:
    """Decide on the requests to play these powers."""
    game = context.seat.game
    try:
        wanted = recipients_meant(context, powers).powers
    except NotMeant as unread:
        raise CommandError(f"{unread.told('SET APPROVE {}')} Or write APPROVE <address>.") from None
    waiting = [application for application, _, _ in open_applications(context.session, game)]
    found = [application for application in waiting if application.power in wanted]
    gaps = wanted - {application.power for application in found}
    if gaps:
        asked = ", ".join(application.address for application in waiting)
        those = f" These players have asked: {asked}. To approve a player, send APPROVE <address>." if asked else ""
        raise CommandError(
            f"No one is waiting for your approval to play {listed(sorted(gaps), 'or')}. "
            f"Players who are already in the game need no approval.{those}"
        )
    for application in found:
        context.settle(decide(context.work, game, application, ruler(context)))


command.add(
    "APPROVE <code>", "SET APPROVE", **_BY_CODE, handler=partial(by_code, decide=membership.approve),
    help="accept a player; the code is in the judge's email to the master",
)  # fmt: skip
command.add(
    "APPROVE <address>", "SET APPROVE", handler=partial(by_address, decide=membership.approve),
    help="the same, by address",
)  # fmt: skip
command.add(
    "SET APPROVE <requested powers>", handler=partial(by_powers, decide=membership.approve),
    help="the same, by the powers they have asked to play",
)  # fmt: skip
command.add(
    "SET NOT APPROVE <requested powers>", handler=partial(by_powers, decide=applications.refuse),
    help="turn down those who have asked to play these powers",
)  # fmt: skip
command.add(
    "REFUSE <code>", "REJECT", "SET NOT APPROVE", **_BY_CODE, handler=partial(by_code, decide=applications.refuse),
    help="turn a player down; the judge notifies them",
)  # fmt: skip
command.add(
    "REFUSE <address>", "REJECT", "SET NOT APPROVE", handler=partial(by_address, decide=applications.refuse),
    help="the same, by address",
)  # fmt: skip


disorder = Family("master", who=Who.MASTER, when=When.OPEN)


@disorder(
    "SET DISORDER <power>",
    "SET CIVIL DISORDER",
    "SET CD",
    "SET DUMMY",
    "DUMMY",
    lasting=True,
    act="SET DISORDER",
    help="put a power without a player into permanent civil disorder: its units hold, the game won't wait for it, and "
    "it cannot be taken over; in some variants its centers become neutral",
)
def declare(context: CommandContext, power: str) -> None:
    """Put a power without a player into permanent civil disorder."""
    here = context.seat
    game, phase = here.game, here.open_phase
    letter = here.variant.seat_named[power].letter
    if power in here.settings.disorder:
        revokes = "" if corrections.is_disorder_final(game) else f". To end it, send SET NO DISORDER {letter}"
        raise CommandError(f"{power} is already in civil disorder{revokes}.")
    if players_of(context.session, game).get(power):
        raise CommandError(f"{power} has a player. EJECT {power} first, on a line above this one.")
    if power not in vacant(game, phase, with_players(context.session, game)):
        raise CommandError(f"{power} has nothing left on the board.")
    left_by = left_seat(context.session, game, power)
    ask_for_word(context, f"SET DISORDER {power}", left_by)
    told = _told(game)
    left = [one for one in here.pending.ejected if one.seat.power == power]
    here.pending.ejected = [one for one in here.pending.ejected if one not in left]
    corrections.declare_disorder(context.work, game, phase, power, ruler(context), just_left=bool(left))
    for one in left:
        notices.tell_left(context.work, game, one.seat, one.why)
    context.settle(f"{power} is in civil disorder. {told}")


@disorder(
    "SET NO DISORDER <power>",
    "SET NO CIVIL DISORDER",
    "SET NO CD",
    "REVIVE",
    act="SET NO DISORDER",
    help="end its civil disorder and open the power to replacements",
)
def revoke(context: CommandContext, power: str) -> str:
    """End the power's civil disorder, so that it is open to a replacement."""
    here = context.seat
    game, phase = here.game, here.open_phase
    if power not in here.settings.disorder:
        raise CommandError(f"{power} is not in permanent civil disorder.")
    if corrections.is_disorder_final(game):
        raise CommandError(f"In this variant civil disorder is final: the centers of {power} are neutral now.")
    ask_for_word(context, f"SET NO DISORDER {power}")
    corrections.revoke_disorder(context.work, game, phase, power, ruler(context))
    return f"{power} is no longer in civil disorder. {_told(game)}"


def _told(game: Game) -> str:
    """Return a sentence on who is notified.

    In a quiet game these are the masters alone, unless the board shows the disorder.
    """
    everybody = shown_to(None, game).changes or corrections.is_disorder_final(game)
    if everybody:
        return "All players have been notified."
    return "This is a quiet game, so only its masters have been notified."
