"""What every player has to agree to before it changes in a game under way: whether bids are told when it has ended.

As with a vote, nobody is told who has agreed, and a word counts for one phase.
"""

from sqlmodel import Session

from judge.games.life import votes
from judge.store.orders import votes_in
from judge.store.rows import id_of
from judge.store.seats import seats_of
from judge.store.tables import Game, Phase, Vote

_WRITTEN = {True: "told", False: "kept"}


def agree(session: Session, game: Game, phase: Phase, power: str, revealed: bool) -> bool:
    """`power` agrees that bids are told after the end, or that they are not; returns whether now every player has."""
    votes.withdraw(session, phase, power, "reveal")
    session.add(Vote(phase_id=id_of(phase), power=power, kind="reveal", choice=_WRITTEN[revealed]))
    session.flush()
    said = {vote.power: vote.choice for vote in votes_in(session, phase) if vote.kind == "reveal"}
    players = [seat.power for seat in seats_of(session, game) if seat.role == "player" and seat.power]
    return all(said.get(player) == _WRITTEN[revealed] for player in players)
