"""Permanent civil disorder: a master declares it for a power that nobody is to play any more (rulings, "Play" 2).

Its units hold and disband when they are dislodged, the rules choose what it removes; nobody waits for it, and nobody
can take its seat unless the master revokes it. Where there are armed neutrals it becomes some of them instead, for good
(1648, "Civil Disorder"; Ambition & Empire, VII).
"""

from dataclasses import replace

from sqlmodel import Session

from judge.games.core.board import board, variant_of
from judge.games.core.settings import GameSettings, keep_settings, settings_of
from judge.games.core.turn import Turn
from judge.games.core.who_may_see import shown_to
from judge.games.deadlines import schedule
from judge.games.interventions import corrections
from judge.games.life import orders_ahead, votes
from judge.games.orders.orderbook import OrderBook
from judge.games.people import vacancies
from judge.games.telling import notices
from judge.rules import Position, civil_disorder
from judge.rules.in_words.orders_in_words import describe_unit
from judge.store.tables import Game, Phase


def declare(turn: Turn, game: Game, phase: Phase, power: str, just_left: bool = False) -> bool:
    """Put `power`, which nobody plays, into civil disorder; returns whether the votes of the others now end the game.

    One mail tells everybody; `just_left`: that the power's player has left the game too, unless the game is quiet.
    """
    settings = settings_of(game)
    _keep(turn.session, game, replace(settings, disorder=[*settings.disorder, power]))
    book = OrderBook(turn.session, game, phase)
    book.withdraw(power)
    book.bids.withdraw(power)
    orders_ahead.drop(turn.session, game, power)
    splits = is_final(game)
    becomes = "its centers become neutral powers" if splits else "its units hold, nobody waits for it"
    left = just_left and shown_to(None, game).changes
    is_in = f"has left game {game.name} and is" if left else f"in game {game.name} is"
    text = f"{power} {is_in} in civil disorder for good: {becomes}, and nobody can take its seat."
    if splits:
        book = _split(turn, game, phase, power, text)
    else:
        _tell(turn, game, phase, f"Civil Disorder: {power}", text)
    schedule.reckon(turn, game, book)
    return votes.count(turn, game, phase)


def is_final(game: Game) -> bool:
    """Whether civil disorder cannot be revoked, since nothing of the power is left on the board."""
    return variant_of(game).neutrals.civil_disorder


def without_lost(game: Game, position: Position) -> Position:
    """The position of an earlier phase, changed by the civil disorder that has been declared since."""
    for power in settings_of(game).disorder if is_final(game) else ():
        position = civil_disorder(variant_of(game), position, power).position
    return position


def _split(turn: Turn, game: Game, phase: Phase, power: str, text: str) -> OrderBook:
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
    turn.log("disorder", game, f"{phase.name} {what}", phase)
    corrections.give_position(turn, game, phase, corrections.NewPosition(done.position, changes, text, what))
    return OrderBook(turn.session, game, phase)


def revoke(turn: Turn, game: Game, phase: Phase, power: str) -> None:
    """`power` is in civil disorder no longer: its seat is open, and those on the standby list are asked."""
    settings = settings_of(game)
    _keep(turn.session, game, replace(settings, disorder=[other for other in settings.disorder if other != power]))
    text = f"{power} in game {game.name} is no longer in civil disorder: its seat is open to others."
    _tell(turn, game, phase, f"No Civil Disorder: {power}", text)
    if power in vacancies.vacant(turn.session, game, phase):
        vacancies.ask_standby(turn, game, phase, [power])
    schedule.reckon(turn, game, OrderBook(turn.session, game, phase))


def _keep(session: Session, game: Game, settings: GameSettings) -> None:
    keep_settings(game, settings)
    session.add(game)


def _tell(turn: Turn, game: Game, phase: Phase, what: str, text: str) -> None:
    notices.tell_comings(turn, game, f"{phase.name} {what}", text)
    turn.log("disorder", game, what, phase)
