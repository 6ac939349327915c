"""Games that nobody plays: paused after two movement phases without an order, ended if no player comes back.

Any order of a player brings such a game back, and so does its master's RESUME.
"""

from datetime import datetime, timedelta

from judge.games.core.board import variant_of
from judge.games.core.work import Work
from judge.games.deadlines import pausing
from judge.games.life import ending
from judge.games.notifications import notices
from judge.mails.mail_writer import Notice
from judge.rules.board.phase import kind
from judge.store.games import moves_before, open_phase, ordered_since
from judge.store.seats import seats_of
from judge.store.tables import Game, Phase


def after(work: Work, game: Game, phase: Phase) -> None:
    """Pause the game if `phase`, which was processed at its time, was the second without an order from anybody."""
    opened = open_phase(work.session, game)
    if opened and game.state == "active" and kind(phase.name) == "M":
        before = moves_before(work.session, game, phase.number)
        if before and not ordered_since(work.session, game, before):
            _pause(work, game, opened)


def waiting(work: Work, game: Game, phase: Phase, moment: datetime) -> None:
    """Pause the game if `phase`, which at `moment` waits for orders or its master, has had the time of two phases by
    then, without any order.
    """
    waits = phase.due_at is None and moment - phase.deadline_at >= phase.deadline_at - phase.opened_at
    if waits and kind(phase.name) == "M" and not ordered_since(work.session, game, phase.number):
        _pause(work, game, phase)


def _pause(work: Work, game: Game, phase: Phase) -> None:
    days = work.services.settings.idle_limit
    pausing.stop(work, game, phase, work.now + timedelta(days=days))
    game.idle = True
    subject = f"{phase.name} Game Paused"
    text = (
        f"{game.name} is paused: nobody has sent an order for two movement phases. {phase.name} has no deadline now. "
        f"Any player's order brings the game back, with a new deadline. Without one it ends in {days:g} days."
    )
    notices.tell_news(work, game, subject, text)
    keeper = work.services.settings.keeper
    if all(seat.address != keeper for seat in seats_of(work.session, game)):
        context = {"game": game, "phase": None, "variant": variant_of(game), "text": text}
        body = work.services.post.render("news", work.services.settings.zone, **context)
        work.mail(Notice(to=keeper, kind="news", subject=subject, body=body, game=game))


def wake(work: Work, game: Game, phase: Phase) -> None:
    """A player has sent orders: a game that was paused because nobody did goes on, with the time of a new phase."""
    if game.idle:
        pausing.resume(work, game, phase, f"A player has sent orders, so {game.name} goes on with {phase.name}.")


def end(work: Work, game: Game, phase: Phase) -> None:
    """End the game: no player has come back."""
    ending.abandon(work, game, phase)
