"""What a vote is for: the powers of a draw, or to whom a player concedes, as it is kept and in words."""

from collections.abc import Set
from enum import Enum

from judge.games.core.board import board, variant_of
from judge.games.core.settings import settings_of
from judge.rules.board.names import listed
from judge.rules.mechanisms.victory import sharers
from judge.store.tables import Game, Phase, Vote

# The choice of a vote whether all bids are told after the end.
REVEAL = {True: "told", False: "kept"}


class AllSurvivors(Enum):
    """A vote for a draw that names no powers: between all who survive when the votes are counted."""

    ALL = ""


ALL_SURVIVORS = AllSurvivors.ALL
Choice = frozenset[str] | AllSurvivors


def written(choice: Choice) -> str:
    """A choice as it stands in the row of its vote: the powers, comma-separated."""
    return choice.value if isinstance(choice, AllSurvivors) else ",".join(sorted(choice))


def accepted(choice: str, alive: Set[str]) -> frozenset[str]:
    """The powers of a choice as written; `alive`: the survivors."""
    return frozenset(alive if choice == ALL_SURVIVORS.value else choice.split(","))


def meant(game: Game, phase: Phase, choice: Choice) -> frozenset[str]:
    """The powers that the choice is about, as the board is now."""
    shared = sharers(*board(game, phase)) - set(settings_of(game).disorder)
    return accepted(written(choice), shared)


def names(game: Game, powers: Set[str]) -> str:
    """`England and France`, in the variant's order."""
    return listed(seat.name for seat in variant_of(game).seats if seat.name in powers)


def vote_words(game: Game, vote: Vote) -> str:
    """`a draw of England and France`, `a concession to France`."""
    if vote.kind == "reveal":
        return f"all bids are {'made public' if vote.choice == REVEAL[True] else 'kept secret'} after the game"
    if vote.choice == ALL_SURVIVORS.value:
        return "a draw of all survivors"
    powers = names(game, accepted(vote.choice, frozenset()))
    return f"a concession to {powers}" if vote.kind == "concede" else f"a draw of {powers}"
