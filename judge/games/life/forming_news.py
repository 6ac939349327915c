"""A game that is forming: once a week those in it are told what it waits for (judge-commands 4.3).

The game's row holds the next such moment, as a phase's row does; `ring` moves it in the transaction that mails. After
MOST_WEEKS there is silence: who still wants to play will ask.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from judge.games.core.office import Office
from judge.games.life import applications, forming
from judge.games.life.forming import WEEK
from judge.games.telling import notices
from judge.store.applications import of_game
from judge.store.lookups import lock, open_phase
from judge.store.records import last_phase
from judge.store.tables import Game

MOST_WEEKS = 12
# A notice that failed is tried again.
_AGAIN = timedelta(hours=1)


def ring(session: Session, office: Office, game: Game, now: datetime) -> str:
    """Tell those who wait, once however many weeks have passed. Returns a line for the log."""
    lock(session, game)
    if game.state != "forming" or open_phase(session, game):
        game.notice_at = None
        session.add(game)
        return "is not forming"
    if game.notice_at is None or game.notice_at > now:
        return "was no longer due"
    game.notice_at = _following(session, game, now)
    session.add(game)
    _tell(session, office, game, now)
    return "told: still forming"


def put_off(session: Session, game: Game, now: datetime) -> None:
    """Try again later what failed."""
    game.notice_at = now + _AGAIN
    session.add(game)


def _following(session: Session, game: Game, now: datetime) -> datetime | None:
    """The end of the week that `now` falls into, counted from when the game began to form; None after the last."""
    unstarted = last_phase(session, game)
    since = unstarted.processed_at if unstarted and unstarted.processed_at else game.created_at
    weeks = (now - since) // WEEK + 1
    return since + weeks * WEEK if weeks <= MOST_WEEKS else None


def _tell(session: Session, office: Office, game: Game, now: datetime) -> None:
    count = forming.missing_players(session, game)
    if count > 0:
        what = f"Waiting for {count} More {'Player' if count == 1 else 'Players'}"
        text = f"Game {game.name} is still forming: {count} more {'player' if count == 1 else 'players'} needed."
        text += f" Tell others about it: they can join with SIGNON ?{game.name} <password>."
    else:
        what, text = "Waiting for Master to Start", f"Game {game.name} has all its players: FORCE BEGIN starts it."
    if game.notice_at is None:
        text += " This is the last of these notices."
    notices.tell_news(session, office, game, what, text, now)
    for application, person in of_game(session, game):
        applications.tell_masters(session, office, game, application, person, now)
