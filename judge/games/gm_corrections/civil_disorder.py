"""Permanent civil disorder: a master declares it for a power that nobody is to play any more (rulings, "Play" 2).

Its units hold and disband when they are dislodged, the rules choose what it removes; nobody waits for it, and nobody
can take its seat unless the master revokes it. Where there are armed neutrals it becomes some of them instead, for good
(1648, "Civil Disorder"; Ambition & Empire, VII).
"""

from dataclasses import replace

from sqlmodel import Session

from judge.games.core.board import board, variant_of
from judge.games.core.settings import GameSettings, keep_settings, settings_of
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.gm_corrections import corrections
from judge.games.life import open_deferred, votes
from judge.games.notifications import notices
from judge.games.orders.filed_orders import FiledOrders
from judge.games.people import open_seats
from judge.rules import Position, civil_disorder
from judge.rules.describe import describe_unit
from judge.store.tables import Game, Phase


def declare(work: Work, game: Game, phase: Phase, power: str, just_left: bool = False) -> bool:
    """Put `power`, which nobody plays, into civil disorder; returns whether the votes of the others now end the game.

    One mail tells everybody; `just_left`: that the power's player has left the game too, unless the game is quiet.
    """
    settings = settings_of(game)
    _keep(work.session, game, replace(settings, disorder=[*settings.disorder, power]))
    book = FiledOrders(work.session, game, phase)
    book.withdraw(power)
    book.bids.withdraw(power)
    open_deferred.drop(work.session, game, power)
    splits = is_final(game)
    becomes = "its centers become neutral powers" if splits else "its units hold, nobody waits for it"
    left = just_left and shown_to(None, game).changes
    is_in = f"has left game {game.name} and is" if left else f"in game {game.name} is"
    text = f"{power} {is_in} in civil disorder for good: {becomes}, and nobody can take its seat."
    if splits:
        book = _split(work, game, phase, power, text)
    else:
        _tell(work, game, phase, f"Civil Disorder: {power}", text)
    schedule.reckon(work, game, book)
    return votes.count(work, game, phase)


def is_final(game: Game) -> bool:
    """Whether civil disorder cannot be revoked, since nothing of the power is left on the board."""
    return variant_of(game).neutrals.civil_disorder


def without_lost(game: Game, position: Position) -> Position:
    """The position of an earlier phase, changed by the civil disorder that has been declared since."""
    for power in settings_of(game).disorder if is_final(game) else ():
        position = civil_disorder(variant_of(game), position, power).position
    return position


def _split(work: Work, game: Game, phase: Phase, power: str, text: str) -> FiledOrders:
    """Turn the power into neutrals. Everybody is told: the `text`, the new position, and which of their own orders or
    bids make no sense any more.
    """
    variant, position = board(game, phase)
    done = civil_disorder(variant, position, power)
    named = [variant.provinces[center].name for center in done.independent]
    waiting = [variant.provinces[center].name for center in done.later]
    changes = [f"{power}: {describe_unit(variant, unit)} is gone." for unit in done.vanished]
    changes += [f"{name} is a neutral power with an army." for name in named]
    changes += [f"{name} becomes one if it is empty after a Fall." for name in waiting]
    what = f"Civil Disorder: {power}"
    work.log("disorder", game, f"{phase.name} {what}", phase)
    corrections.give_position(work, game, phase, corrections.NewPosition(done.position, changes, text, what))
    return FiledOrders(work.session, game, phase)


def revoke(work: Work, game: Game, phase: Phase, power: str) -> None:
    """`power` is in civil disorder no longer: its seat is open, and those on the standby list are asked."""
    settings = settings_of(game)
    _keep(work.session, game, replace(settings, disorder=[other for other in settings.disorder if other != power]))
    text = f"{power} in game {game.name} is no longer in civil disorder: its seat is open to others."
    _tell(work, game, phase, f"No Civil Disorder: {power}", text)
    if power in open_seats.vacant(work.session, game, phase):
        open_seats.ask_standby(work, game, phase, [power])
    schedule.reckon(work, game, FiledOrders(work.session, game, phase))


def _keep(session: Session, game: Game, settings: GameSettings) -> None:
    keep_settings(game, settings)
    session.add(game)


def _tell(work: Work, game: Game, phase: Phase, what: str, text: str) -> None:
    notices.tell_comings(work, game, f"{phase.name} {what}", text)
    work.log("disorder", game, what, phase)
