"""The board of a game, with the game's own changes, and the row of a phase in the form that the rules use."""

import json
from collections.abc import Collection
from functools import lru_cache

from judge.games.core.settings import settings_of
from judge.rules import Position, Variant, load_variant, position_from_json, still_in
from judge.rules.board.phase import year
from judge.rules.game_options import told, with_house_rules
from judge.store.tables import Game, Phase


def variant_of(game: Game) -> Variant:
    """The variant as `game` plays it: with the master's settings for it, and with the groups that were drawn."""
    return with_house_rules(load_variant(game.variant), settings_of(game).house_rules)


def published_variant(game: Game) -> Variant:
    """The variant as its own files have it, without what is settled for `game` alone."""
    return load_variant(game.variant)


def variant_at(game: Game, phase: Phase | None) -> Variant:
    """The variant as `game` plays it in `phase`: with the canals that are open then. Without a phase: as it begins."""
    variant = variant_of(game)
    return variant.at(phase.name if phase else variant.start)


def whole_variant_at(game: Game, phase: Phase | None) -> Variant:
    """The same, but with nothing closed that is closed in one season only: BORDER and COAST change this board."""
    variant = variant_of(game)
    # In a winter nothing is closed, since nothing moves; what changes with the year, such as a canal, is the same.
    return variant.at(f"W{year(phase.name if phase else variant.start)}A")


def border_words(game: Game, variant: Variant) -> list[str]:
    """The changes to the board of `game`, one sentence each; `variant`: the variant at the time that is meant."""
    return told(variant, settings_of(game).borders)


def board(game: Game, phase: Phase) -> tuple[Variant, Position]:
    """The variant of `game` as it is in `phase`, and the position before the phase."""
    variant = variant_at(game, phase)
    return variant, _position(variant, json.dumps(phase.position))


def vacant(game: Game, phase: Phase, held: Collection[str]) -> list[str]:
    """The powers still in the game that have no player and may get one, in the variant's order; `held`: those that have
    one.
    """
    variant, position = board(game, phase)
    free = still_in(variant, position) - {*held, *settings_of(game).disorder}
    return [seat.name for seat in variant.seats if seat.name in free]


@lru_cache(maxsize=512)
def _position(variant: Variant, text: str) -> Position:
    """Cached, since all letters of a phase are about the same position."""
    return position_from_json(variant, json.loads(text))
