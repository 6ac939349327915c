"""A phase's row as the rules see it."""

from judge.rules import Position, Variant, load_variant, position_from_json
from judge.store.tables import Phase


def board(variant: str, phase: Phase) -> tuple[Variant, Position]:
    """The variant of that name and the position before `phase`."""
    rules = load_variant(variant)
    return rules, position_from_json(rules, phase.position)
