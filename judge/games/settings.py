"""What a game can be set to, as kept in its row: the timing of each kind of phase and the seed of its draw."""

from dataclasses import dataclass, replace
from typing import Any

from judge.games.deadlines import ADJUST, MOVE, RETREAT, Timing


@dataclass(frozen=True)
class GameSettings:
    """The settings of one game; `seed` decides who gets which power and is recorded for appeals."""

    move: Timing = MOVE
    retreat: Timing = RETREAT
    adjust: Timing = ADJUST
    seed: int = 0

    def timing(self, kind: str) -> Timing:
        """The timing of phases whose name ends in `kind`: M, R or A."""
        return {"M": self.move, "R": self.retreat, "A": self.adjust}[kind]

    def to_json(self) -> dict[str, Any]:
        """The form kept in the database."""
        return {
            "move": self.move.to_json(),
            "retreat": self.retreat.to_json(),
            "adjust": self.adjust.to_json(),
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GameSettings":
        """The settings kept as `data`; what it lacks has its default."""
        known = {kind: Timing(**data[kind]) for kind in ("move", "retreat", "adjust") if kind in data}
        return replace(cls(seed=data.get("seed", 0)), **known)
