"""A phase's row as the rules see it."""

import json
from functools import lru_cache

from judge.rules import Position, Variant, load_variant, position_from_json
from judge.store.tables import Phase


def board(variant: str, phase: Phase) -> tuple[Variant, Position]:
    """The variant of that name and the position before `phase`."""
    return load_variant(variant), _position(variant, json.dumps(phase.position))


@lru_cache(maxsize=512)
def _position(variant: str, text: str) -> Position:
    """Remembered, since all letters of a phase are about the same position."""
    return position_from_json(load_variant(variant), json.loads(text))
