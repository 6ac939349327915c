"""A phase as data, as its readers may know it: in a game that anybody may read, and in the mails of one reader."""

from collections.abc import Sequence
from typing import Any

from judge.rules import BidResult, Outcome, Position, Variant, position_to_json
from judge.rules.json_forms import outcome_as_told


def phase_json(
    variant: Variant, position: Position, outcome: Outcome | None = None, bids: Sequence[BidResult] = ()
) -> dict[str, Any]:
    """The position before a phase and, once it was processed, its outcome, with those `bids` that may be told."""
    told = {"phase": position.phase, "position": position_to_json(variant, position)}
    return told | ({"outcome": outcome_as_told(variant, outcome, bids)} if outcome else {})
