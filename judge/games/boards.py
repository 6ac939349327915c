"""The board as a game has it, and a phase's row as the rules see it."""

import json
from functools import lru_cache

from judge.rules import Position, Variant, load_variant, position_from_json
from judge.rules.borders import in_words, with_borders
from judge.store.tables import Game, Phase


def variant_of(game: Game) -> Variant:
    """The variant as `game` plays it: with the borders that its master has corrected."""
    return _variant(game.variant, tuple(game.settings.get("borders", ())))


@lru_cache(maxsize=128)
def _variant(name: str, borders: tuple[str, ...]) -> Variant:
    """Remembered, so that there is one of each: what is known of its orders and positions is kept by variant."""
    return with_borders(load_variant(name), borders)


def border_words(game: Game) -> list[str]:
    """What was changed on the board of `game`, a sentence each."""
    variant = variant_of(game)
    return [in_words(variant, text) for text in game.settings.get("borders", ())]


def board(game: Game, phase: Phase) -> tuple[Variant, Position]:
    """The variant of `game` and the position before `phase`."""
    variant = variant_of(game)
    return variant, _position(variant, json.dumps(phase.position))


@lru_cache(maxsize=512)
def _position(variant: Variant, text: str) -> Position:
    """Remembered, since all letters of a phase are about the same position."""
    return position_from_json(variant, json.loads(text))
