"""The board as a game has it, and a phase's row as the rules see it."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from judge.rules import Position, Variant, load_variant, position_from_json
from judge.rules.one_game.border_corrections import told
from judge.rules.one_game.house_rules import HouseRules, with_house_rules
from judge.store.tables import Game, Phase

# The settings that make a game's variant another than its file has it.
_HOUSE_RULES = ("borders", "holders", "canals", "victory", "year_cap")


def variant_of(game: Game) -> Variant:
    """The variant as `game` plays it: with what its master has settled for it, and with the groups that were drawn."""
    settings = game.settings
    if not any(settings.get(rule) for rule in _HOUSE_RULES):
        return load_variant(game.variant)
    house = HouseRules(
        borders=tuple(settings.get("borders", ())),
        holders=_pairs(settings.get("holders")),
        canals=_pairs(settings.get("canals")),
        victory=settings.get("victory"),
        year_cap=settings.get("year_cap"),
    )
    return with_house_rules(load_variant(game.variant), house)


def variant_at(game: Game, phase: Phase | None) -> Variant:
    """The same as it is in `phase`, with the canals that are open by then; without a phase as it begins."""
    variant = variant_of(game)
    return variant.at(phase.name if phase else variant.start)


def _pairs(table: Mapping[str, Any] | None) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted((table or {}).items()))


def border_words(game: Game, variant: Variant) -> list[str]:
    """What was changed on the board of `game`, a sentence each; `variant`: as it is, or was, at that time."""
    return told(variant, game.settings.get("borders", ()))


def board(game: Game, phase: Phase) -> tuple[Variant, Position]:
    """The variant of `game` as it is in `phase`, and the position before it."""
    variant = variant_at(game, phase)
    return variant, _position(variant, json.dumps(phase.position))


@lru_cache(maxsize=512)
def _position(variant: Variant, text: str) -> Position:
    """Remembered, since all letters of a phase are about the same position."""
    return position_from_json(variant, json.loads(text))
