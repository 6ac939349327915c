"""The pieces of one position laid out on the compiled board, for the length of one question."""

from dataclasses import dataclass

from judge.rules.board import Board
from judge.rules.orders import Unit
from judge.rules.position import Position
from judge.rules.variant import NEUTRAL, Variant


@dataclass(slots=True, eq=False)
class Piece:
    """A unit in a province. `side` is whom it fights for: its power, or for a neutral itself alone."""

    power: str
    side: str
    unit: Unit
    province: int
    place: int
    reach: int  # mask of the provinces that it could move to, convoys aside
    army: bool


class Table:
    """`at`: {province number: its piece}; `fleets`: mask of the fleets that stand where they may convoy."""

    def __init__(self, variant: Variant, position: Position):
        self.variant = variant
        self.board: Board = variant.board
        self.position = position
        self.at: dict[int, Piece] = {}
        self.fleets = 0
        spots = self.board.spots
        for power, units in position.units.items():
            for unit in units:
                province, place, reach, army = spots[unit.text]
                side = unit.text if power == NEUTRAL else power
                self.at[province] = Piece(power, side, unit, province, place, reach, army)
                if not army:
                    self.fleets |= 1 << province
        self.fleets &= self.board.seas

    def name(self, place: str) -> str:
        """The full name of a place's province."""
        return self.variant.provinces[place.partition("/")[0]].name

    def called(self, unit: Unit) -> str:
        """ "Army Paris"."""
        return f"{'Army' if unit.kind == 'A' else 'Fleet'} {self.name(unit.place)}"
