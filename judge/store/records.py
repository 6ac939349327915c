"""The questions that LIST, SUMMARY and HISTORY ask: many games at once, and the whole past of one game.

Nothing here changes a row.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, bindparam, func, text
from sqlmodel import Session, col, select

from judge.store.ids import id_of
from judge.store.tables import LIVING, BidRow, Game, OrderRow, Person, Phase, Seat

_SITS = col(Seat.left_at).is_(None)
_LIVES = text(f"game.{LIVING}")
_LIVING = select(Game.id).where(_LIVES)
_PROCESSED = col(Phase.processed_at).is_not(None)
_GAME: BindParameter[int] = bindparam("game")

_LIVING_GAMES = (
    select(Game, Phase)
    .join(Phase, (col(Phase.game_id) == Game.id) & col(Phase.processed_at).is_(None), isouter=True)
    .where(_LIVES)
    .order_by(Game.name)
)
_SITTING = select(Seat).where(col(Seat.game_id).in_(_LIVING), _SITS)
_MASTERS = (
    select(Seat.id, Seat.game_id, Person.name)
    .join(Person)
    .where(col(Seat.game_id).in_(_LIVING), Seat.role == "master", _SITS)
)
_GAMES_OF = (
    select(Game)
    .where(
        col(Game.id).in_(select(Seat.game_id).where(Seat.person_id == bindparam("person"), _SITS)),
        _LIVES,
    )
    .order_by(Game.name)
)
_EVER_SEATED = (
    select(Seat, Person).join(Person).where(Seat.game_id == _GAME).order_by(col(Seat.joined_at), col(Seat.id))
)
_OPENINGS = select(Phase.name, Phase.opened_at).where(Phase.game_id == _GAME).order_by(col(Phase.number))
_FALLS = (
    select(Phase.name, Phase.outcome)
    .where(Phase.game_id == _GAME, _PROCESSED, func.substr(Phase.name, 1, 1) == "F")
    .order_by(col(Phase.number))
)
_PLAYED = select(Phase).where(Phase.game_id == _GAME, _PROCESSED).order_by(col(Phase.number))
_NUMBER: BindParameter[int] = bindparam("number")
_MOVES_BEFORE = (
    select(Phase.number)
    .where(Phase.game_id == _GAME, col(Phase.number) < _NUMBER, col(Phase.name).endswith("M"))
    .order_by(col(Phase.number).desc())
    .limit(1)
)
_ORDERED_SINCE = [
    select(Phase.id)
    .where(Phase.game_id == _GAME, col(Phase.number) >= _NUMBER, col(Phase.id).in_(select(table.phase_id)))
    .limit(1)
    for table in (OrderRow, BidRow)
]
_LAST_PHASE = select(Phase).where(Phase.game_id == _GAME).order_by(col(Phase.number).desc()).limit(1)


def moves_before(session: Session, game: Game, number: int) -> int | None:
    """The number of the last movement phase of the game before the phase with that number."""
    return session.exec(_MOVES_BEFORE, params={"game": id_of(game), "number": number}).first()


def ordered_since(session: Session, game: Game, number: int) -> bool:
    """Whether anybody has an order, or a bid, on file for the phase of the game with that number, or a later one."""
    asked = {"game": id_of(game), "number": number}
    return any(session.exec(question, params=asked).first() for question in _ORDERED_SINCE)


def living_games(session: Session) -> Sequence[tuple[Game, Phase | None]]:
    """Every game that has not ended with its open phase, by name."""
    return [(game, phase) for game, phase in session.exec(_LIVING_GAMES)]


def sitting(session: Session) -> dict[int, list[Seat]]:
    """{game: the seats people hold in it} of every game that has not ended."""
    seats: dict[int, list[Seat]] = {}
    for seat in sorted(session.exec(_SITTING), key=id_of):
        seats.setdefault(seat.game_id, []).append(seat)
    return seats


def masters(session: Session) -> dict[int, list[str]]:
    """{game: the names of its masters} of every game that has not ended."""
    names: dict[int, list[str]] = {}
    for _, game, name in sorted(session.exec(_MASTERS)):
        names.setdefault(game, []).append(name)
    return names


def games_of(session: Session, person: Person) -> Sequence[Game]:
    """The games that have not ended in which `person` holds a seat, by name."""
    return session.exec(_GAMES_OF, params={"person": person.id}).all()


def seats_held(session: Session, person: Person) -> Sequence[Seat]:
    """The seats that `person` holds, in all games."""
    return session.exec(select(Seat).where(Seat.person_id == person.id, col(Seat.left_at).is_(None))).all()


def ever_seated(session: Session, game: Game) -> Sequence[tuple[Seat, Person]]:
    """All people who have held a seat in `game`, also those who left, in the order in which they joined."""
    return [(seat, person) for seat, person in session.exec(_EVER_SEATED, params={"game": game.id})]


def phase_openings(session: Session, game: Game) -> Sequence[tuple[str, datetime]]:
    """Name and `opened_at` of every phase so far, in order."""
    return [(name, opened_at) for name, opened_at in session.exec(_OPENINGS, params={"game": game.id})]


def fall_outcomes(session: Session, game: Game) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """Name and outcome of every Fall phase that was adjudicated, in order."""
    rows = session.exec(_FALLS, params={"game": game.id})
    return [(name, outcome) for name, outcome in rows if outcome]


def played(session: Session, game: Game) -> Sequence[Phase]:
    """Every phase that was adjudicated, in order; without a phase that a vote or the master closed."""
    return [phase for phase in session.exec(_PLAYED, params={"game": game.id}) if phase.outcome]


def last_phase(session: Session, game: Game) -> Phase | None:
    """The newest phase, open or not."""
    return session.exec(_LAST_PHASE, params={"game": game.id}).first()
