"""All rows of one game, to be kept in a file or put into another judge's database.

Left out are what opens a seat (passwords, tokens, requests to join), letters, mails and the log. People are told by
their names and by the addresses of their seats alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy.exc import OperationalError, StatementError
from sqlmodel import Session, SQLModel, col, select

from judge.store.ids import id_of
from judge.store.lookups import person_at
from judge.store.tables import (
    Absence,
    Address,
    Attendance,
    BidRow,
    FutureLine,
    Game,
    OrderRow,
    Person,
    Phase,
    Press,
    Seat,
    Vote,
)

# A row as JSON, by the names of its columns.
Row = dict[str, Any]
Rows = dict[str, list[Row]]

Table = TypeVar("Table", bound=SQLModel)

_OF_PHASES: tuple[type[OrderRow] | type[BidRow] | type[Vote], ...] = (OrderRow, BidRow, Vote)
_NAMES = ("game", "person", "seat", "phase", "orders", "bid", "vote", "future_line", "press", "absence", "attendance")
# What is no business of another judge, or secret.
_KEPT_BACK = {"letter_id", "password", "guesses", "passwordless", "standby_since"}


def rows_of(session: Session, game: Game) -> Rows:
    """{table: its rows that belong to the game}; their numbers tell which belongs to which."""
    seats = _found(session, Seat, Seat.game_id, [id_of(game)])
    phases = _found(session, Phase, Phase.game_id, [id_of(game)])
    seat_ids, phase_ids = [id_of(seat) for seat in seats], [id_of(phase) for phase in phases]
    told: list[Sequence[SQLModel]] = [
        _found(session, Person, Person.id, sorted({seat.person_id for seat in seats})),
        seats,
        phases,
        *(_found(session, table, table.phase_id, phase_ids) for table in _OF_PHASES),
        _found(session, FutureLine, FutureLine.game_id, [id_of(game)]),
        _found(session, Press, Press.game_id, [id_of(game)]),
        _found(session, Absence, Absence.seat_id, seat_ids),
        _found(session, Attendance, Attendance.phase_id, phase_ids),
    ]
    return _as_json([[game], *told])


def put(session: Session, rows: Mapping[str, Sequence[Row]], name: str) -> Game:
    """Put the rows that `rows_of` told into this database, as a game of that name; nobody can sign on yet.

    A person who is known here by the address of a seat is the one who has it. Raises KeyError, TypeError,
    OverflowError or ValueError if these are no such rows.
    """
    try:
        return _put(session, rows, name)
    except OperationalError:
        raise  # of the database, not of the rows
    except StatementError as mistake:
        raise ValueError(f"{mistake.orig}") from mistake


def _put(session: Session, rows: Mapping[str, Sequence[Row]], name: str) -> Game:
    game = _new(Game, rows["game"][0], name=name)
    session.add(game)
    session.flush()
    mine = {"game_id": id_of(game)}
    people = _people(session, rows)
    seats, phases = dict[int, int](), dict[int, int]()
    for row in rows["seat"]:
        seat = _new(Seat, row, **mine, person_id=people[row["person_id"]], password="")
        seats[row["id"]] = _number(session, seat)
    for row in rows["phase"]:
        phases[row["id"]] = _number(session, _new(Phase, row, **mine))
    for table in _OF_PHASES:
        session.add_all(_new(table, row, phase_id=phases[row["phase_id"]]) for row in rows[_name(table)])
    session.add_all(_new(FutureLine, row, **mine) for row in rows["future_line"])
    for row in rows["press"]:
        seat_id, phase_id = seats.get(row["seat_id"]), phases.get(row["phase_id"])
        readers = [seats[one] for one in row["readers"] if one in seats]
        session.add(_new(Press, row, **mine, seat_id=seat_id, phase_id=phase_id, readers=readers))
    session.add_all(_new(Absence, row, seat_id=seats[row["seat_id"]]) for row in rows["absence"])
    for row in rows["attendance"]:
        of = {"seat_id": seats[row["seat_id"]], "phase_id": phases[row["phase_id"]]}
        session.add(_new(Attendance, row, **of, person_id=people[row["person_id"]]))
    session.flush()
    return game


def _people(session: Session, rows: Mapping[str, Sequence[Row]]) -> dict[int, int]:
    """{the number of a person in the rows: their number here}."""
    numbers: dict[int, int] = {}
    for row in rows["person"]:
        addresses = dict.fromkeys(seat["address"] for seat in rows["seat"] if seat["person_id"] == row["id"])
        known = next((person for one in addresses if (person := person_at(session, one))), None)
        if not known:
            known = _new(Person, row)
            _number(session, known)
            joined = [Address(person_id=id_of(known), address=one, added_at=_since(rows)) for one in addresses]
            session.add_all(joined)
            session.flush()
        numbers[row["id"]] = id_of(known)
    return numbers


def _since(rows: Mapping[str, Sequence[Row]]) -> datetime:
    return datetime.fromisoformat(rows["game"][0]["created_at"])


def _found(session: Session, table: type[Any], column: Any, numbers: Sequence[int]) -> Sequence[Any]:
    return session.exec(select(table).where(col(column).in_(numbers)).order_by(col(table.id))).all()


def _as_json(found: Iterable[Sequence[SQLModel]]) -> Rows:
    return {
        name: [row.model_dump(mode="json", exclude=_KEPT_BACK) for row in rows]
        for name, rows in zip(_NAMES, found, strict=True)
    }


def _new(table: type[Table], row: Row, **other: object) -> Table:
    """A row of this database, with a number of its own."""
    return table.model_validate({**row, **other, "id": None})


def _number(session: Session, row: Any) -> int:
    session.add(row)
    session.flush()
    return id_of(row)


def _name(table: type[SQLModel]) -> str:
    return str(table.__tablename__)
