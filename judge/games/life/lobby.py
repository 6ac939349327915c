"""A game that is forming: once a week the people in it are told what it waits for.

The game's row holds the next such moment, as a phase's row does; `ring` moves it in the transaction that mails. After
MOST_WEEKS the mails stop: players who still want to play will ask.
"""

from datetime import datetime, timedelta

from judge.games.core.work import Work
from judge.games.life import applications, forming
from judge.games.life.forming import WEEK
from judge.games.notifications import notices
from judge.store.games import last_phase, lock, open_phase
from judge.store.seats import applications_to
from judge.store.tables import Game

MOST_WEEKS = 12
# After so long a notice that failed is tried again.
_AGAIN = timedelta(hours=1)


def run_due(work: Work, game: Game) -> str:
    """Tell the people who wait: once, even if several weeks have passed. Returns a line for the log."""
    lock(work.session, game)
    if game.state != "forming" or open_phase(work.session, game):
        game.notice_at = None
        work.session.add(game)
        return "is not forming"
    if game.notice_at is None or game.notice_at > work.now:
        return "was no longer due"
    game.notice_at = _following(work, game)
    work.session.add(game)
    _tell(work, game)
    return "told: still forming"


def put_off(work: Work, game: Game) -> None:
    """Try the failed notice again later."""
    game.notice_at = work.now + _AGAIN
    work.session.add(game)


def _following(work: Work, game: Game) -> datetime | None:
    """The end of the week that `now` falls into, counted from when the game began to form; None after the last."""
    unstarted = last_phase(work.session, game)
    since = unstarted.processed_at if unstarted and unstarted.processed_at else game.created_at
    weeks = (work.now - since) // WEEK + 1
    return since + weeks * WEEK if weeks <= MOST_WEEKS else None


def _tell(work: Work, game: Game) -> None:
    count = forming.missing_players(work.session, game)
    if count > 0:
        what = f"Waiting for {count} More {'Player' if count == 1 else 'Players'}"
        text = f"Game {game.name} is still forming: {count} more {'player' if count == 1 else 'players'} needed."
        text += f" Tell others about it: they can join with SIGNON ?{game.name} <password>."
    else:
        what, text = "Waiting for Master to Start", f"Game {game.name} has all its players: FORCE BEGIN starts it."
    if game.notice_at is None:
        text += " This is the last of these notices."
    notices.tell_news(work, game, what, text)
    for application, person in applications_to(work.session, game):
        applications.tell_masters(work, game, application, person)
