"""The pieces of one position, laid out on the board to answer questions about it."""

from collections.abc import Collection, Set
from dataclasses import dataclass
from functools import lru_cache

from judge.rules.board.orders import Unit
from judge.rules.board.position import Position
from judge.rules.board.power import NEUTRAL
from judge.rules.board.province import COASTS
from judge.rules.board.reach import Board, Spot
from judge.rules.board.ruleset import Ruleset


@dataclass(slots=True, eq=False)
class Piece:
    """A unit on the board. `side`: the power that it fights for; a neutral fights for itself alone."""

    power: str
    side: str
    unit: Unit
    spot: Spot


@lru_cache(maxsize=1024)
def _pieces(board: Board, power: str) -> dict[str, Piece]:
    """Every piece that the power could have on the board, by the unit's text; made once."""
    return {
        text: Piece(power, power if power != NEUTRAL else text, spot.unit, spot) for text, spot in board.spots.items()
    }


class BoardState:
    """`at`: {province: the piece in it}."""

    __slots__ = ("ruleset", "board", "position", "at", "routes", "_fleets", "_shores", "_goals")

    def __init__(self, ruleset: Ruleset, position: Position):
        self.ruleset = ruleset
        self.board = ruleset.board
        self.position = position
        self.at: dict[str, Piece] = {}
        at = self.at
        self.routes: dict[tuple[str, str], Collection[str]] = {}  # convoy routes that `legality` has found
        self._fleets: set[str] | None = None
        self._shores: dict[str, list[str]] = {}
        self._goals: list[tuple[Piece, Set[str]]] | None = None
        for power, units in position.units.items():
            pieces = _pieces(self.board, power)
            for unit in units:
                at[unit.province] = pieces[unit.text]

    @property
    def fleets(self) -> set[str]:
        """The provinces of the fleets that stand where they may convoy."""
        if self._fleets is None:
            self._fleets = {province for province, piece in self.at.items() if piece.spot.afloat}
        return self._fleets

    def afloat_from(self, start: str) -> set[str]:
        """The fleets that a chain of fleets links with the shore."""
        lanes = self.board.lanes
        found: set[str] = set()
        front = lanes[start] & self.fleets
        while front:
            found |= front
            front = frozenset(sea for fleet in front for sea in lanes[fleet] & self.fleets) - found
        return found

    def shores_from(self, start: str) -> list[str]:
        """The provinces that an army could be convoyed to by the fleets on the board."""
        shores = self._shores.get(start)
        if shores is None:
            reached = {shore for fleet in self.afloat_from(start) for shore in self.board.steps[fleet]}
            shores = self._shores[start] = sorted((reached & self.board.land) - {start})
        return shores

    @property
    def goals(self) -> list[tuple[Piece, Set[str]]]:
        """Each piece with the provinces that it could move to, by convoy too."""
        if self._goals is None:
            self._goals = [
                (piece, piece.spot.reach.union(self.shores_from(start) if piece.spot.army else ()))
                for start, piece in self.at.items()
            ]
        return self._goals

    def name(self, place: str) -> str:
        """The full name of a place's province."""
        return self.ruleset.provinces[self.board.province_of[place]].name

    def called(self, unit: Unit) -> str:
        """Return "Army Paris", "Fleet Spain (north coast)"."""
        coast = unit.place.partition("/")[2]
        on = f" ({COASTS.get(coast, coast)})" if coast else ""
        return f"{'Army' if unit.kind == 'A' else 'Fleet'} {self.name(unit.place)}{on}"
