"""What goes with the person who leaves a seat, and what stays with its power: only this module decides it.

| with the person | with the power, for whoever plays it next |
| --- | --- |
| vote, WAIT, absences, tokens for the seat, the address for its mail | orders and bids on file |
| passwordless, preference, maps, wrong passwords that were counted | orders sent ahead |
| the password, unless they may return | |

A daily mail, a calendar and a time zone are the person's in all games. What the seat has been through (press,
reliability, letters that counted) stays as history. Whoever comes back begins as a newcomer does, with none of it, and
with their mail at the address they write from.
"""

from datetime import datetime

from sqlmodel import Session, col, delete, select

from judge.store.lookups import person_at, registered_address, tokens_for
from judge.store.tables import Absence, Person, Phase, Seat, Vote

# The columns of a seat that say how its holder wants things, and what they are without a holder.
OF_THE_PERSON = {"waits": False, "preference": "", "maps": None, "passwordless": False, "guesses": 0}


def leave(session: Session, seat: Seat, now: datetime, *, may_return: bool = False) -> None:
    """The holder of `seat` has it no longer; `may_return`: with their password, until somebody else takes it."""
    seat.left_at = now
    for column, value in OF_THE_PERSON.items():
        setattr(seat, column, value)
    if not may_return:
        seat.password = ""
    session.add(seat)
    _drop_vote(session, seat)
    session.exec(delete(Absence).where(col(Absence.seat_id) == seat.id))
    for token in (*tokens_for(session, "password", now), *tokens_for(session, "change", now)):
        if token.data.get("seat") == seat.id:
            token.used_at = now
            session.add(token)
    session.flush()


def _drop_vote(session: Session, seat: Seat) -> None:
    """Nobody votes for a player who has gone: not their power, and not its next player."""
    if seat.power:
        is_open = select(Phase.id).where(Phase.game_id == seat.game_id, col(Phase.processed_at).is_(None))
        session.exec(delete(Vote).where(col(Vote.power) == seat.power, col(Vote.phase_id).in_(is_open)))


def come_back(session: Session, seat: Seat, sender: str) -> None:
    """Whoever left `seat` last has it again, in a letter from `sender`; mail goes there if the address is theirs."""
    person = person_at(session, sender)
    is_own = person is not None and person.id == seat.person_id
    seat.address = sender if is_own else registered_address(session, session.get_one(Person, seat.person_id))
    seat.left_at = None
    session.add(seat)
    session.flush()
