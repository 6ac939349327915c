"""The pieces of one position, laid out on the board to answer questions about it."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from judge.rules.board.orders import Unit
from judge.rules.board.position import Position
from judge.rules.board.power import NEUTRAL
from judge.rules.board.reach import Spot
from judge.rules.board.ruleset import Ruleset


@dataclass(slots=True, eq=False)
class Piece:
    """A unit on the board. `side`: the power that it fights for; a neutral fights for itself alone."""

    power: str
    side: str
    unit: Unit
    spot: Spot


class BoardState:
    """`at`: {province: the piece in it}."""

    def __init__(self, ruleset: Ruleset, position: Position):
        self.ruleset = ruleset
        self.board = ruleset.board
        self.position = position
        self.routes: dict[tuple[str, str], Collection[str]] = {}  # convoy routes that `legality` has found
        self.at: dict[str, Piece] = {}
        for power, units in position.units.items():
            for unit in units:
                spot = self.board.spots[unit.text]
                # The unit of the spot, not of the position: orders in normal form are known by it.
                self.at[unit.province] = Piece(power, unit.text if power == NEUTRAL else power, spot.unit, spot)

    @cached_property
    def fleets(self) -> set[str]:
        """The provinces of the fleets that stand where they may convoy."""
        return {province for province, piece in self.at.items() if piece.spot.afloat}

    def afloat_from(self, start: str) -> set[str]:
        """The fleets that a chain of fleets links with the shore."""
        lanes = self.board.lanes
        found: set[str] = set()
        front = lanes[start] & self.fleets
        while front:
            found |= front
            front = frozenset(sea for fleet in front for sea in lanes[fleet] & self.fleets) - found
        return found

    @cached_property
    def shores(self) -> dict[str, list[str]]:
        """{province of an army: the provinces that the fleets on the board could convoy it to}."""
        found = {}
        for start, piece in self.at.items():
            if piece.spot.army:
                reached = {shore for fleet in self.afloat_from(start) for shore in self.board.steps[fleet]}
                found[start] = sorted((reached & self.board.land) - {start})
        return found

    def name(self, place: str) -> str:
        """The full name of a place's province."""
        return self.ruleset.provinces[self.board.province_of[place]].name

    def called(self, unit: Unit) -> str:
        """Return "Army Paris", "Fleet Spain (north coast)"."""
        return self.ruleset.called(unit)
