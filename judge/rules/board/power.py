"""The powers of a variant, and what powers and groups of powers have in common."""

from dataclasses import dataclass
from functools import cached_property

from judge.rules.board.names import fold
from judge.rules.board.orders import Unit

# The common label of the armed neutrals; each of them is a power of its own.
NEUTRAL = "Neutral"
# A to Z without M (the master) and O (an observer). If there are more seats, each has two letters, and nobody writes
# these: players sign on with power@game.
MOST_LETTERS = 24


@dataclass(frozen=True)
class Side:
    """A power or a group of powers: it has a name, a letter and a colour."""

    name: str
    adjective: str
    letter: str
    colour: str

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers that its player orders: the power itself, or the powers of a group."""
        return (self.name,)

    def at(self, game: str) -> str:
        """How its player names it behind SIGNON: "Fheron", "Corfu@heron"."""
        return f"{self.letter}{game}" if len(self.letter) == 1 else f"{self.name.replace(' ', '_')}@{game}"

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that name it, in the form in which names are compared; its letter is not among them."""
        return frozenset({fold(self.name)})


@dataclass(frozen=True)
class Power(Side):
    """A side on the board. `theatre`: the part of the world that decides which shade of its group's colour it gets, if
    it has no colour of its own.
    """

    homes: tuple[str, ...]
    owns: tuple[str, ...]
    units: tuple[Unit, ...]
    aliases: tuple[str, ...] = ()
    theatre: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(map(fold, (self.name, self.adjective, *self.aliases)))
