"""Borders of the board that a game's master changes, for this game alone: kept in its settings, told to everybody."""

from collections.abc import Sequence
from dataclasses import replace

from judge.games.core.board import published_variant, whole_variant_at
from judge.games.core.settings import keep_settings, settings_of
from judge.games.core.work import Work
from judge.games.gm_corrections import corrections
from judge.games.notifications import notices
from judge.rules.board.province import BorderChange, CoastChange
from judge.rules.game_options import check_change, with_change, with_coast_change
from judge.store.games import lock
from judge.store.tables import Game, Phase


def change_border(work: Work, game: Game, phase: Phase | None, change: BorderChange) -> None:
    """Change a border from now on. Raises BorderError, and then nothing has changed. `tell_borders` must follow."""
    if phase:
        lock(work.session, phase)
    check_change(whole_variant_at(game, phase), change)
    settings = settings_of(game)
    keep_settings(game, replace(settings, borders=with_change(settings.borders, change)))
    work.session.add(game)
    work.log("border", game, str(change))
    work.session.flush()


def change_coasts(work: Work, game: Game, change: CoastChange) -> None:
    """Give a province other coasts, before the game begins. `tell_borders` must follow."""
    settings = settings_of(game)
    borders = with_coast_change(published_variant(game), settings.borders, change)
    keep_settings(game, replace(settings, borders=borders))
    work.session.add(game)
    work.log("border", game, str(change))
    work.session.flush()


def tell_borders(
    work: Work, game: Game, phase: Phase | None, changes: Sequence[str], ruler: str
) -> corrections.Dropped:
    """Tell everybody about these changes, in words, in one mail.

    Orders on file for `phase`, the open one, that need a border which is gone are taken off the file and returned.
    """
    sentence = f"The board of game {game.name} was corrected by {ruler}, for this game."
    if phase:
        return corrections.border_changed(work, game, phase, sentence, changes)
    notices.tell_news(work, game, "Border Corrected", " ".join([sentence, *changes]))
    return corrections.Dropped({}, {})
