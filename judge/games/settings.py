"""What a game can be set to, as kept in its row: the timing of each kind of phase and the seed of its draw."""

from dataclasses import dataclass, fields, replace
from typing import Any

from judge.games.deadlines import ADJUST, MOVE, RETREAT, Timing


@dataclass(frozen=True)
class GameSettings:
    """The settings of one game; `seed` decides who gets which power and is recorded for appeals.

    `gunboat`: who plays what is known to the master alone (judge/games/discretion.py).
    """

    move: Timing = MOVE
    retreat: Timing = RETREAT
    adjust: Timing = ADJUST
    seed: int = 0
    dias: bool = True
    concessions: bool = True
    white_press: bool = True
    grey_press: bool = False
    partial_press: bool = True
    gunboat: bool = False

    def timing(self, kind: str) -> Timing:
        """The timing of phases whose name ends in `kind`: M, R or A."""
        return {"M": self.move, "R": self.retreat, "A": self.adjust}[kind]

    def to_json(self) -> dict[str, Any]:
        """The form kept in the database."""
        return {
            **{kind: getattr(self, kind).to_json() for kind in _TIMED},
            **{name: getattr(self, name) for name in _PLAIN},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GameSettings":
        """The settings kept as `data`; what it lacks has its default."""
        known = {kind: Timing(**data[kind]) for kind in _TIMED if kind in data}
        return replace(cls(), **known, **{name: data[name] for name in _PLAIN if name in data})


_TIMED = ("move", "retreat", "adjust")
_PLAIN = tuple(field.name for field in fields(GameSettings) if field.name not in _TIMED)
