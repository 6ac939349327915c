"""Copy the rows of one game to a file or another judge, or all rows to another database.

A game is exported without letters, mails and the log. Everything that gives access (passwords, tokens, requests to
join) stays out too. People are identified only by their names and the addresses of their seats.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Table, insert, select, text
from sqlalchemy.exc import OperationalError, StatementError
from sqlmodel import Session, SQLModel

from judge.store.engine import StoreError
from judge.store.people import person_at
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

# A row as JSON, with its values by the names of their columns.
Row = dict[str, Any]
Rows = dict[str, list[Row]]

# The tables of a game, each after the tables to which its rows refer.
_TABLES: Sequence[type[Any]] = (
    Game,
    Person,
    Seat,
    Phase,
    OrderRow,
    BidRow,
    Vote,
    FutureLine,
    Press,
    Absence,
    Attendance,
)
# Columns that are not exported. They are secret, or have no meaning for another judge.
_KEPT_BACK = {"letter_id", "password", "guesses", "passwordless", "standby_since"}
# The number of rows to copy at a time. It is small, since a letter may be a megabyte.
PAGE = 200


def rows_of(session: Session, game: Game) -> Rows:
    """Return the rows that belong to the game, by table."""
    found: dict[str, Sequence[Any]] = {"game": [game]}
    # The ids of the game, its phases, its seats and its people, by the column that refers to them.
    owners = {"game_id": {game.key}}
    others: Sequence[type[Any]] = (*_TABLES[2:], Person)
    for table in others:
        column = next(one for one in ("game_id", "phase_id", "seat_id", "id") if one in table.model_fields)
        rows = select(table).where(getattr(table, column).in_(owners[column])).order_by(table.id)
        those = found[table.__tablename__] = session.execute(rows).scalars().all()
        if table is Seat:
            owners |= {"seat_id": {one.key for one in those}, "id": {seat.person_id for seat in those}}
        elif table is Phase:
            owners["phase_id"] = {one.key for one in those}
    return {
        table.__tablename__: [row.model_dump(mode="json", exclude=_KEPT_BACK) for row in found[table.__tablename__]]
        for table in _TABLES
    }


def put(session: Session, rows: Mapping[str, Sequence[Row]], name: str) -> Game:
    """Store rows from `rows_of` as a game of that name.

    No one can sign on until passwords are set. A person is recognized if the judge knows the address of one of their
    seats. Raises KeyError, TypeError, OverflowError or ValueError if the rows are not valid.
    """
    numbers: dict[str, dict[Any, int]] = {}
    try:
        for table in _TABLES:
            known = numbers[table.__tablename__] = {}
            for row in rows[table.__tablename__][: 1 if table is Game else None]:
                new = _person(session, rows, row) if table is Person else _row(table, row, numbers, name)
                session.add(new)
                session.flush()
                known[row["id"]] = new.key
    except OperationalError:
        raise  # the database is at fault, not the rows
    except StatementError as mistake:
        raise ValueError(f"{mistake.orig}") from mistake
    return session.get_one(Game, *numbers["game"].values())


def _row(table: type[Any], row: Row, numbers: Mapping[str, Mapping[Any, int]], name: str) -> Any:
    """Return the row with ids of this database, both its own and those of the rows it refers to."""
    columns = SQLModel.metadata.tables[table.__tablename__].columns
    points_at = {column.name: key.column.table.name for column in columns for key in column.foreign_keys}
    own: dict[str, Any] = {"id": None} | {
        column: numbers[target][row[column]]
        for column, target in points_at.items()
        if target in numbers and row[column] is not None
    }
    match table.__tablename__:
        case "game":
            own["name"] = name
        case "seat":
            own["password"] = ""
        case "press":
            own["readers"] = [numbers["seat"][one] for one in row["readers"] if one in numbers["seat"]]
    return table.model_validate({**row, **own})


def _person(session: Session, rows: Mapping[str, Sequence[Row]], row: Row) -> Person:
    """Return the person who has the address of one of these seats.

    If the judge knows none of the addresses, a new person is stored.
    """
    addresses = dict.fromkeys(seat["address"] for seat in rows["seat"] if seat["person_id"] == row["id"])
    known = next((person for one in addresses if (person := person_at(session, one))), None)
    if known:
        return known
    person = Person.model_validate({**row, "id": None})
    session.add(person)
    session.flush()
    since = datetime.fromisoformat(rows["game"][0]["created_at"])
    session.add_all(Address(person_id=person.key, address=one, added_at=since) for one in addresses)
    return person


def copy_rows(source: Engine, target: Engine) -> Counter[str]:
    """Copy every row with its id, and return the number of rows by table.

    All rows are written in one transaction. Raises StoreError if the target is not empty.
    """
    tables: Sequence[Table] = SQLModel.metadata.sorted_tables
    counts: Counter[str] = Counter()
    with source.connect() as reading, target.begin() as writing:
        if full := [table.name for table in tables if writing.execute(select(table).limit(1)).first()]:
            raise StoreError(f"the database to copy to is not empty: it has rows in {', '.join(full)}")
        for table in tables:
            last, page = 0, select(table).order_by(table.c.id).limit(PAGE)
            while rows := [*map(dict, reading.execute(page.where(table.c.id > last)).mappings())]:
                writing.execute(insert(table), rows)
                counts[table.name] += len(rows)
                last = rows[-1]["id"]
            if last and target.dialect.name == "postgresql":
                # Continue the numbering after the ids that were copied.
                sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")
                writing.execute(sequence, {"name": table.name, "last": last})
    return counts
