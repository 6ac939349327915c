"""Borders of the board that a game's master changes, for this game alone: kept in its settings, told to everybody."""

from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import variant_at
from judge.games.core.office import Office
from judge.games.core.settings import GameSettings
from judge.games.interventions import corrections
from judge.games.telling import notices
from judge.rules.board.border_changes import BorderChange
from judge.rules.one_game.border_corrections import check_change, in_words, with_change
from judge.store.lookups import lock
from judge.store.tables import Event, Game, Phase


def change_border(
    session: Session, office: Office, game: Game, phase: Phase | None, change: BorderChange, ruler: str, now: datetime
) -> corrections.Dropped:
    """Change a border from now on. Raises BorderError, and then nothing has changed.

    Orders on file for `phase`, the open one, that need a border which is gone are taken off the file and returned.
    """
    if phase:
        lock(session, phase)
    check_change(variant_at(game, phase), change)
    settings = GameSettings.from_json(game.settings)
    game.settings = replace(settings, borders=with_change(settings.borders, change)).to_json()
    session.add_all([game, Event(at=now, kind="border", game_id=game.id, text=str(change))])
    session.flush()
    sentence = f"The board of game {game.name} was corrected by {ruler}, for this game."
    told = in_words(variant_at(game, phase), str(change))
    if phase:
        return corrections.border_changed(session, office, game, phase, sentence, told, now)
    notices.tell_news(session, office, game, "Border Corrected", f"{sentence} {told}", now)
    return corrections.Dropped({}, {})
