"""Permanent civil disorder: what a master declares of a power that nobody is to play any more (rulings, all boards 7).

Its units hold and disband when they are dislodged, the rules choose what it removes; nobody waits for it, and nobody
can take its seat unless the master revokes it.
"""

from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from judge.games import future, notices, schedule, vacancies, votes
from judge.games.office import Office
from judge.games.orderbook import OrderBook
from judge.games.settings import GameSettings
from judge.store.tables import Event, Game, Phase


def declare(session: Session, office: Office, game: Game, phase: Phase, power: str, now: datetime) -> bool:
    """`power`, which nobody plays, is in civil disorder from now on; whether the votes of the others end the game."""
    settings = GameSettings.from_json(game.settings)
    _keep(session, game, replace(settings, disorder=[*settings.disorder, power]))
    book = OrderBook(session, game, phase)
    book.withdraw(power)
    future.drop(session, game, power)
    text = (
        f"{power} in game {game.name} is in civil disorder for good: its units hold, nobody waits for it, and nobody "
        "can take its seat."
    )
    _tell(session, office, game, phase, f"Civil Disorder: {power}", text, now)
    schedule.reckon(session, office, game, book, now)
    return votes.count(session, office, game, phase, now)


def revoke(session: Session, office: Office, game: Game, phase: Phase, power: str, now: datetime) -> None:
    """`power` is in civil disorder no longer: its seat is open, and those on the standby list are asked."""
    settings = GameSettings.from_json(game.settings)
    _keep(session, game, replace(settings, disorder=[other for other in settings.disorder if other != power]))
    text = f"{power} in game {game.name} is in civil disorder no longer: its seat is open to others."
    _tell(session, office, game, phase, f"No Civil Disorder: {power}", text, now)
    if power in vacancies.vacant(session, game, phase):
        vacancies.ask_standby(session, office, game, phase, [power], now)
    schedule.reckon(session, office, game, OrderBook(session, game, phase), now)


def _keep(session: Session, game: Game, settings: GameSettings) -> None:
    game.settings = settings.to_json()
    session.add(game)


def _tell(session: Session, office: Office, game: Game, phase: Phase, what: str, text: str, now: datetime) -> None:
    notices.tell_news(session, office, game, f"{phase.name} {what}", text, now)
    session.add(Event(at=now, kind="disorder", game_id=game.id, phase_id=phase.id, text=what))
