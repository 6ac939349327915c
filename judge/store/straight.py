"""Statements that every letter and every deadline needs, given to SQLite's driver as they are.

What SQLAlchemy does around a statement takes ten times as long as SQLite takes for it, and thirty times where a row
becomes an object. Here a statement is said in SQLAlchemy's words, too, but written out only once: its text is kept, and
how its values go in and come out. PostgreSQL gets it through SQLAlchemy, since most of the time there is spent on the
way to the server; so does SQLite in a session that was not prepared.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Engine, Executable, Select, SelectBase, inspect
from sqlalchemy.dialects.sqlite import pysqlite
from sqlalchemy.orm import make_transient_to_detached
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.sql import ClauseElement
from sqlalchemy.types import TypeEngine
from sqlmodel import Session, SQLModel

from judge.store.damage import error_of
from judge.store.json_text import JSON

# With this the driver takes values by name.
_DIALECT = pysqlite.dialect(paramstyle="named", **JSON)

# Where a session has SQLite's cursor in its `info`.
_CURSOR = "cursor"

Found = TypeVar("Found")
Row = Sequence[Any]
_Change = Callable[[Any], Any]


class _Text(NamedTuple):
    """A statement as SQLite reads it. `fixed`: values that it has itself; `takes`: how the values of these names are
    changed for the driver; `gives`: how those in these columns of a row are changed back.
    """

    sql: str
    fixed: Mapping[str, Any]
    takes: Sequence[tuple[str, _Change]]
    gives: Sequence[tuple[int, _Change]]

    def values(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        values = {**self.fixed, **asked}
        for name, change in self.takes:
            values[name] = change(values[name])
        return values

    def row(self, found: Row) -> Row:
        row = list(found)
        for place, change in self.gives:
            row[place] = change(row[place])
        return row


def prepare(session: Session) -> None:
    """Let the session, whose transaction has begun, go straight to SQLite, if that is its database."""
    connection = session.connection()
    if connection.dialect.name == "sqlite":
        session.info[_CURSOR] = connection.connection.cursor()


def cursor_of(session: Session) -> Any:
    """SQLite's cursor; None if the session was not prepared, or its database is another one."""
    cursor = session.info.get(_CURSOR)
    if cursor is not None and session.in_nested_transaction():
        session.connection()  # SQLAlchemy sets the savepoint not before the first statement that it knows of
    return cursor


class Straight:
    """A statement. It has no lists ("IN"), which are as long as their values; if it is no SELECT, it returns only
    numbers. As on a connection of SQLAlchemy's, what is pending in the session is not written before.
    """

    def __init__(self, statement: Executable):
        self._statement = statement
        self._texts: dict[tuple[str, ...], _Text] = {}

    def rows(self, session: Session, **asked: Any) -> Sequence[Row]:
        """Carry it out once with these values."""
        cursor = cursor_of(session)
        if cursor is None:
            found = session.connection().execute(self._statement, asked)
            return found.all() if found.returns_rows else []
        return self._found(cursor, asked)

    def finds(self, engine: Engine, **asked: Any) -> bool:
        """Whether there is a row, in SQLite, asked by itself and in no session."""
        connection = engine.raw_connection()
        try:
            return bool(self._found(connection.cursor(), asked))
        finally:
            connection.close()

    def first(self, session: Session, **asked: Any) -> Row | None:
        """The first row, if there is one."""
        return next(iter(self.rows(session, **asked)), None)

    def scalar(self, session: Session, **asked: Any) -> Any:
        """The first value of the first row; None if there is no row."""
        row = self.first(session, **asked)
        return row[0] if row else None

    def many(self, session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
        """Carry it out with the values of each row, which have all the same names."""
        cursor = cursor_of(session)
        if cursor is None:
            session.connection().execute(self._statement, rows)
            return
        text = self._text(rows[0])
        try:
            cursor.executemany(text.sql, [text.values(row) for row in rows])
        except sqlite3.Error as error:
            raise error_of(error, text.sql) from error

    def _found(self, cursor: Any, asked: Mapping[str, Any]) -> Sequence[Row]:
        text = self._text(asked)
        try:
            rows: Sequence[Row] = cursor.execute(text.sql, text.values(asked)).fetchall()
        except sqlite3.Error as error:
            raise error_of(error, text.sql) from error
        return [text.row(row) for row in rows] if text.gives else rows

    def _text(self, asked: Mapping[str, Any]) -> _Text:
        names = tuple(asked)
        if names not in self._texts:
            self._texts[names] = _written(self._statement, names)
        return self._texts[names]


class Objects(Generic[Found]):
    """A question for objects: of each row one of every kind that it selects, None for one that an outer join has not
    found. As in a session, what is pending is written before, and a row is one object, which is not read again.
    """

    def __init__(self, question: SelectBase):
        assert isinstance(question, Select)
        self._straight = Straight(question)
        self._question = question
        columns = iter(question.selected_columns)
        self._kinds = [_Kind(selected["entity"], columns) for selected in question.column_descriptions]

    def all(self, session: Session, **asked: Any) -> Sequence[Found]:
        """What is found: an object for each row, or, of several kinds, a tuple of them."""
        session.flush()
        # What a question selects is what its writer says that it finds; no type can tell.
        if cursor_of(session) is None:
            found = session.execute(self._question, asked)
            return found.scalars().all() if len(self._kinds) == 1 else found.all()  # type: ignore[return-value]
        rows = self._straight.rows(session, **asked)
        if len(self._kinds) == 1:
            (kind,) = self._kinds
            return [kind.object(session, iter(row)) for row in rows]
        return [tuple(kind.object(session, values) for kind in self._kinds) for values in map(iter, rows)]  # type: ignore[misc]

    def first(self, session: Session, **asked: Any) -> Found | None:
        """The first of them, if there is one."""
        return next(iter(self.all(session, **asked)), None)

    def lock(self, session: Session, known: Found, **asked: Any) -> None:
        """Bring `known` in line with what is found, one row of one kind, and lock that; in a transaction that has begun
        on SQLite it is locked already.
        """
        session.flush()
        if cursor_of(session) is None:
            again = self._question.with_for_update()
            session.execute(again, asked, execution_options={"populate_existing": True}).one()
            return
        (kind,) = self._kinds
        (row,) = self._straight.rows(session, **asked)
        kind.bring_in_line(known, row)


class _Kind:
    """A table's class, whose columns are the next ones of a question."""

    def __init__(self, kind: type[SQLModel], columns: Iterator[Any]):
        mapper = inspect(kind)
        self._class, _, self._token = mapper.identity_key_from_primary_key((0,))
        self._new = mapper.class_manager.new_instance
        self._names = [column.key for column in islice(columns, len(mapper.columns))]
        self._id = self._names.index("id")

    def object(self, session: Session, row: Iterator[Any]) -> Any:
        values = list(islice(row, len(self._names)))
        if values[self._id] is None:
            return None
        known = session.identity_map.get((self._class, (values[self._id],), self._token))
        if known is not None:
            return known
        made = self._new()
        made.__dict__.update(zip(self._names, values, strict=True))
        make_transient_to_detached(made)
        session.add(made)
        return made

    def bring_in_line(self, known: Any, row: Row) -> None:
        for name, value in zip(self._names, row, strict=True):
            if getattr(known, name) != value:
                set_committed_value(known, name, value)


def _written(statement: Executable, names: Sequence[str]) -> _Text:
    assert isinstance(statement, ClauseElement)
    compiled: Any = statement.compile(dialect=_DIALECT, column_keys=names)
    # Values that SQLAlchemy would make are none of ours, and lists would be of one length.
    assert not compiled.insert_prefetch and not compiled.update_prefetch and not compiled.post_compile_params
    takes = {name: _change(bind.type, "bind_processor") for bind, name in compiled.bind_names.items()}
    fixed = {name: value for name, value in compiled.params.items() if name not in names}
    columns: Iterable[ColumnElement[Any]] = statement.selected_columns if isinstance(statement, Select) else ()
    gives = [_change(column.type, "result_processor", None) for column in columns]
    return _Text(
        compiled.string,
        fixed,
        [(name, change) for name, change in takes.items() if change],
        [(place, change) for place, change in enumerate(gives) if change],
    )


def _change(kind: TypeEngine[Any], which: str, *more: None) -> _Change | None:
    """How a value of that type is changed for the driver ("bind_processor") or back; None if it is not."""
    change: _Change | None = getattr(kind.dialect_impl(_DIALECT), which)(_DIALECT, *more)
    return change
