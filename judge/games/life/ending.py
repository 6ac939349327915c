"""How a game ends: by its last phase, a draw, a concession, its master's word, or because nobody plays any more.

A game without orders for two movement phases is paused; any player's order brings it back, and so does RESUME. If no
player comes back, it ends.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from judge.games.core.board import variant_of
from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.life import applications
from judge.games.notifications import game_mails, notices
from judge.games.orders import votes
from judge.rules import Variant
from judge.rules.board.phase import kind
from judge.store.games import claim, last_moves, open_phase, ordered_since
from judge.store.seats import seats_of
from judge.store.tables import Game, Phase


def end_by_votes(work: Work, game: Game, phase: Phase) -> bool:
    """End the game if all survivors have voted for the same end; returns whether they did."""
    agreed = votes.agreed_end(work.session, game, phase)
    if not agreed:
        return False
    how, powers = agreed
    variant = variant_of(game)
    if how == "draw":
        _end(work, game, phase, draw_result(variant, powers), draw_sentence(game, variant, powers))
        return True
    sentence = f"{game.name} has been conceded to {votes.names(game, powers)}. Well played!"
    _end(work, game, phase, f"Game Conceded to: {_letters(variant, powers)}", sentence)
    return True


def _letters(variant: Variant, powers: Collection[str]) -> str:
    return "".join(seat.letter for seat in variant.seats if seat.name in powers)


def draw_result(variant: Variant, powers: Collection[str]) -> str:
    """`Draw Declared: EF`."""
    return f"Draw Declared: {_letters(variant, powers)}"


def draw_sentence(game: Game, variant: Variant, powers: Collection[str]) -> str:
    """Return `heron is a draw between England and France. Well played!`."""
    *most, last = [seat.name for seat in variant.seats if seat.name in powers]
    between = f"is a draw between {', '.join(most)} and {last}" if most else f"ends with {last} alone"
    return f"{game.name} {between}. Well played!"


def terminate(work: Work, game: Game, phase: Phase | None) -> None:
    """The master ends the game, begun or not, without a result."""
    _end(work, game, phase, "Game Terminated", f"The master has terminated {game.name}.")


def abandon(work: Work, game: Game, phase: Phase) -> None:
    """Nobody plays any more: the game ends without a result."""
    days = work.services.settings.idle_limit
    sentence = f"{game.name} has ended without a result: no player has sent an order in the last {days:g} days."
    _end(work, game, phase, "Game Abandoned", sentence)


def _end(work: Work, game: Game, phase: Phase | None, result: str, sentence: str) -> None:
    """Close the open phase as it stands, unless another has just processed it."""
    if phase and not claim(work.session, phase, work.now, due=False):
        return
    finish(work, game, phase, result)
    tell(work, game, phase, sentence)


def finish(work: Work, game: Game, phase: Phase | None, result: str) -> None:
    """End the game after `phase`; `tell` must follow."""
    game.state, game.ended_at, game.result, game.notice_at = "finished", work.now, result, None
    game.idle, game.stopped_at = False, None
    work.session.add(game)
    work.log("ended", game, result, phase)


def tell(work: Work, game: Game, phase: Phase | None, sentence: str) -> None:
    """Notify everybody of the end, in this sentence, and those who still ask to join."""
    game_mails.tell_end(work, game, phase, sentence)
    applications.drop_all(work, game, f"{game.name} has ended.")


def pause_if_idle(work: Work, game: Game, phase: Phase) -> None:
    """Pause the game if `phase`, which was processed at its time, was the second without an order from anybody."""
    opened = open_phase(work.session, game)
    if opened and game.state == "active" and kind(phase.name) == "M":
        before = last_moves(work.session, game, phase.number)
        if before and not ordered_since(work.session, game, before.number):
            _pause_idle(work, game, opened)


def pause_if_waiting_in_vain(work: Work, game: Game, phase: Phase, moment: datetime) -> None:
    """Pause the game if `phase` has waited as long as two phases last by `moment`, without any order.

    It waits for orders or for its master.
    """
    waits = phase.due_at is None and moment - phase.deadline_at >= phase.deadline_at - phase.opened_at
    if waits and kind(phase.name) == "M" and not ordered_since(work.session, game, phase.number):
        _pause_idle(work, game, phase)


def _pause_idle(work: Work, game: Game, phase: Phase) -> None:
    days = work.services.settings.idle_limit
    schedule.stop_clock(work, game, phase, work.now + timedelta(days=days))
    game.idle = True
    subject = f"{phase.name} Game Paused"
    text = (
        f"{game.name} is paused: no one has sent an order for two movement phases. {phase.name} has no deadline now. "
        f"Any player's order resumes the game, with a new deadline. Without one it ends in {days:g} days."
    )
    notices.tell_news(work, game, subject, text)
    keeper = work.services.settings.keeper
    if all(seat.address != keeper for seat in seats_of(work.session, game)):
        work.notify_keeper("news", subject, game=game, phase=None, variant=variant_of(game), text=text)


def wake(work: Work, game: Game, phase: Phase) -> None:
    """A player has sent orders: a game that was paused because nobody did goes on, with the time of a new phase."""
    if game.idle:
        schedule.resume(work, game, phase, f"A player has sent orders, so {game.name} has resumed at {phase.name}.")
