"""The powers of a variant, and what powers and groups of powers have in common."""

from dataclasses import dataclass
from functools import cached_property

from judge.rules.board.names import fold
from judge.rules.board.orders import Unit

# What the armed neutrals are called together; each is a power of its own.
NEUTRAL = "Neutral"


@dataclass(frozen=True)
class Side:
    """A power or a group of powers: it has a name, a letter and a colour."""

    name: str
    adjective: str
    letter: str
    colour: str

    @property
    def powers(self) -> tuple[str, ...]:
        """What its player orders: itself. (Of a group: its powers.)"""
        return (self.name,)

    @cached_property
    def words(self) -> frozenset[str]:
        """What it is called, as names are compared (its letter aside)."""
        return frozenset({fold(self.name)})


@dataclass(frozen=True)
class Power(Side):
    """A side on the board. `theatre`: the part of the world that gives it its shade of its group's colour, where it has
    no colour of its own.
    """

    homes: tuple[str, ...]
    owns: tuple[str, ...]
    units: tuple[Unit, ...]
    aliases: tuple[str, ...] = ()
    theatre: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(map(fold, (self.name, self.adjective, *self.aliases)))
