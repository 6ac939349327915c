"""All rows of one game, to be kept in a file or put into another judge's database; and all rows of a database copied
into another, of either kind.

Of a game is left out what opens a seat (passwords, tokens, requests to join), letters, mails and the log. People are
told by their names and by the addresses of their seats alone.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Table, func, insert, select, text
from sqlalchemy.exc import OperationalError, StatementError
from sqlmodel import Session, SQLModel

from judge.store.engine import StoreError
from judge.store.people import person_at
from judge.store.rows import id_of
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

# The tables of a game, each after those that its rows point at.
_TABLES: Sequence[type[Any]] = (
    Game, Person, Seat, Phase, OrderRow, BidRow, Vote, FutureLine, Press, Absence, Attendance
)
# What is no business of another judge, or secret.
_KEPT_BACK = {"letter_id", "password", "guesses", "passwordless", "standby_since"}
# Rows at a time when a database is copied: letters may be a megabyte each.
PAGE = 200


def rows_of(session: Session, game: Game) -> Rows:
    """{table: its rows that belong to the game}; their numbers tell which belongs to which."""
    found: dict[str, Sequence[Any]] = {"game": [game]}

    def belonging(table: type[Any], column: str, numbers: set[int]) -> None:
        rows = select(table).where(getattr(table, column).in_(numbers)).order_by(table.id)
        found[table.__tablename__] = session.execute(rows).scalars().all()

    for table in _TABLES:
        if table is not Game and "game_id" in _points_at(table):
            belonging(table, "game_id", {id_of(game)})
    for table in _TABLES:
        if table is not Press and "phase_id" in _points_at(table):
            belonging(table, "phase_id", {id_of(phase) for phase in found["phase"]})
    belonging(Absence, "seat_id", {id_of(seat) for seat in found["seat"]})
    belonging(Person, "id", {seat.person_id for seat in found["seat"]})
    return {
        table.__tablename__: [row.model_dump(mode="json", exclude=_KEPT_BACK) for row in found[table.__tablename__]]
        for table in _TABLES
    }


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
    numbers: dict[str, dict[Any, int]] = {}
    for table in _TABLES:
        known = numbers[table.__tablename__] = {}
        for row in rows[table.__tablename__][: 1 if table is Game else None]:
            own: dict[str, Any] = {"id": None} | {
                column: numbers[target][row[column]]
                for column, target in _points_at(table).items()
                if target in numbers and row[column] is not None
            }
            match table.__tablename__:
                case "game":
                    own["name"] = name
                case "seat":
                    own["password"] = ""
                case "press":
                    own["readers"] = [numbers["seat"][one] for one in row["readers"] if one in numbers["seat"]]
            new = _person(session, rows, row) if table is Person else table.model_validate({**row, **own})
            session.add(new)
            session.flush()
            known[row["id"]] = id_of(new)
    return session.get_one(Game, *numbers["game"].values())


def _points_at(table: type[Any]) -> dict[str, str]:
    """{column: the table that it points at}."""
    columns = SQLModel.metadata.tables[table.__tablename__].columns
    return {column.name: key.column.table.name for column in columns for key in column.foreign_keys}


def _person(session: Session, rows: Mapping[str, Sequence[Row]], row: Row) -> Person:
    """Who that is here; if they are not known, a new person, with the addresses of their seats."""
    addresses = dict.fromkeys(seat["address"] for seat in rows["seat"] if seat["person_id"] == row["id"])
    known = next((person for one in addresses if (person := person_at(session, one))), None)
    if known:
        return known
    person = Person.model_validate({**row, "id": None})
    session.add(person)
    session.flush()
    since = datetime.fromisoformat(rows["game"][0]["created_at"])
    session.add_all(Address(person_id=id_of(person), address=one, added_at=since) for one in addresses)
    return person


def copy_rows(source: Engine, target: Engine) -> dict[str, int]:
    """Copy every row, with its number; returns {table: how many rows}.

    All in one transaction of the target. Raises StoreError if the target holds rows already.
    """
    tables: Sequence[Table] = SQLModel.metadata.sorted_tables
    with source.connect() as reading, target.begin() as writing:
        if full := [table.name for table in tables if writing.execute(select(table).limit(1)).first()]:
            raise StoreError(f"the database to copy to is not empty: it has rows in {', '.join(full)}")
        counts = {table.name: _copy_table(reading, writing, table) for table in tables}
        if target.dialect.name == "postgresql":
            for table in tables:
                _go_on_counting(writing, table)
    return counts


def _copy_table(reading: Connection, writing: Connection, table: Table) -> int:
    count, last = 0, 0
    page = select(table).order_by(table.c.id).limit(PAGE)
    while rows := [dict(row) for row in reading.execute(page.where(table.c.id > last)).mappings()]:
        count, last = count + len(rows), rows[-1]["id"]
        writing.execute(insert(table), rows)
    return count


def _go_on_counting(writing: Connection, table: Table) -> None:
    """The next row is numbered behind those that were copied with their numbers."""
    highest = writing.execute(select(func.max(table.c.id))).scalar()
    if highest:
        sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :highest)")
        writing.execute(sequence, {"name": table.name, "highest": highest})
